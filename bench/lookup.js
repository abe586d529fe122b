/**
 * Measures prompt lookup: tokens per second of a greedy text with 0 and more guessed tokens, in turns.
 *
 *     node bench/lookup.js MODEL [--quantize T] [--guesses N,N] [--rounds N]
 *
 * The prompt repeats the same ids, and a text of random weights soon repeats itself.  The texts must be equal.
 */
import { parseArgs } from 'node:util';
import { load } from '../js/index.js';
import { thisRun } from './this-run.js';

const { values, positionals: [path] } = parseArgs({
  allowPositionals: true,
  options: {
    quantize: { type: 'string' },
    guesses: { type: 'string', default: '0,3,7' },
    rounds: { type: 'string', default: '5' },
  },
});
if (!path) throw new Error('Give a model: node bench/lookup.js MODEL');

const once = Array.from({ length: 40 }, (_, i) => 100 + 7 * i);
const PROMPT = [...once, ...once, ...once.slice(0, 10)];
const TOKENS = 48;

const median = (/** @type {number[]} */ numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
const quantize = /** @type {any} */ (values.quantize);
const model = await load(path, { threads: 1, contextLength: 256, ...(quantize && { quantize }) });

/** @param {number} promptLookup */
async function write(promptLookup) {
  const generation = model.generate(PROMPT, { temperature: 0, repeatPenalty: 1, maxTokens: TOKENS, promptLookup });
  let step = await generation.next();
  while (!step.done) step = await generation.next();
  return step.value;
}

const guesses = values.guesses.split(',').map(Number);
/** @type {number[][]} */
const speeds = guesses.map(() => []);
let text = '';
for (let round = 0; round < Number(values.rounds); round++) {
  for (const [i, promptLookup] of guesses.entries()) {
    const { ids, decodeMs } = await write(promptLookup);
    text ||= String(ids);
    if (String(ids) !== text) throw new Error(`The text differs with ${promptLookup} guessed tokens.`);
    speeds[i].push(1000 * ids.length / decodeMs);
  }
}
console.log(`${thisRun().text}; ${model.info.engine.why}`);
for (const [i, promptLookup] of guesses.entries()) {
  const ratio = median(speeds[i].map((speed, round) => speed / speeds[0][round]));
  console.log(`${promptLookup} guessed: ${median(speeds[i]).toFixed(1)} tokens/s, × ${ratio.toFixed(2)}`);
}
model.dispose();
