import { createInterface } from 'node:readline';

/**
 * Reads { prompt, decode } from each line of the standard input, runs it, prints its times.
 * @param {(tokens: number[], decode: number) => Promise<{ prefill_ms: number, decode_ms: number }>} one
 * @param {(length: number) => number[]} promptOf
 * @param {object} [more] for every answer
 */
export async function answer(one, promptOf, more) {
  for await (const line of createInterface({ input: process.stdin })) {
    const { prompt, decode } = JSON.parse(line);
    const { prefill_ms, decode_ms } = await one(promptOf(prompt), decode);
    console.log(JSON.stringify({ prefill_ms, decode_ms, ...more }));
  }
}
