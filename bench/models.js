/**
 * Speed of whole models, engines and thread counts in turns.
 *
 *     node bench/models.js MODEL… [--rounds N] [--run ENGINE:THREADS]…
 *
 * Each round runs every way once: prefill of 128 and 512 ids, and decoding after 16 and after 512. Medians of the
 * rounds in tokens a second, and the ratio to the first way as the median of each round's ratio.
 */
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { load } from '../js/index.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    run: { type: 'string', multiple: true, default: ['simd128:1', 'simd128:2', 'scalar:1'] },
  },
});
const DECODED = 16;
const IDS = Array.from({ length: 512 }, (_, i) => (i * 7919 + 300) % 2000);

const median = (/** @type {number[]} */ numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

/** @param {number} tokens @param {() => Promise<unknown>} work @returns {Promise<number>} tokens a second */
async function speed(tokens, work) {
  const start = performance.now();
  await work();
  return (1000 * tokens) / (performance.now() - start);
}

/** @param {import('../js/index.js').Model} model @returns {Promise<Record<string, number>>} */
async function measure(model) {
  const decode = async () => {
    for (let i = 0; i < DECODED; i++) await model.forward([300 + i]);
  };
  model.rewind(0);
  const prefill128 = await speed(128, () => model.forward(IDS.slice(0, 128)));
  model.rewind(16);
  const decode16 = await speed(DECODED, decode);
  model.rewind(0);
  const prefill512 = await speed(512, () => model.forward(IDS));
  const decode512 = await speed(DECODED, decode);
  return { prefill128, prefill512, decode16, decode512 };
}

for (const path of positionals) {
  const ways = [];
  for (const name of values.run) {
    const [engine, threads] = name.split(':');
    const how = { engine: /** @type {any} */ (engine), threads: Number(threads), contextLength: 640 };
    const model = await load(path, how);
    await measure(model); // warm up
    ways.push({ name, model, rounds: /** @type {Record<string, number>[]} */ ([]) });
  }
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const { model, rounds } of ways) rounds.push(await measure(model));
  }
  for (const { name, model, rounds } of ways) {
    const cells = Object.keys(rounds[0]).map((what) => {
      const ratio = median(rounds.map((round, i) => round[what] / ways[0].rounds[i][what]));
      return `${what} ${median(rounds.map((round) => round[what])).toFixed(1)} (× ${ratio.toFixed(2)})`;
    });
    console.log(`${basename(path)}  ${name.padEnd(10)}  ${cells.join('  ')}`);
    model.dispose();
  }
}
