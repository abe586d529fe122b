// heed bench: how fast a model runs here, and what its maps cost.
import { existsSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { modelHelp, modelOptions, openModel } from './model-options.js';
import { interruptible, number, printJson, say, sizeText, UsageError } from './terminal.js';

const PREFILL = [128, 512]; // ids of a prompt
const DECODE = [16, 512]; // ids of the prompt before the tokens that are timed
const DECODED = 32; // tokens that are timed, one call each
const MAPS_AT = 128; // where the cost of maps is taken: prompt, and position of decoding

/** @typedef {import('../index.js').Model} Model */

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Ids spread over the vocabulary; what they say does not matter to the time.
 *  @param {Model} model  @param {number} count */
const someIds = (model, count) => Int32Array.from({ length: count }, (_, i) => (i * 7919 + 13) % model.info.vocabulary);

/** Seconds of one prompt of `count` ids.
 *  @param {Model} model  @param {number} count */
async function prefillSeconds(model, count) {
  model.rewind(0);
  const ids = someIds(model, count);
  const start = performance.now();
  await model.forward(ids);
  return (performance.now() - start) / 1000;
}

/** Seconds of one token after a prompt of `count` ids: the median of DECODED.
 *  @param {Model} model  @param {number} count */
async function decodeSeconds(model, count) {
  model.rewind(0);
  await model.forward(someIds(model, count));
  const seconds = [];
  for (const id of someIds(model, DECODED)) {
    const start = performance.now();
    await model.forward([id]);
    seconds.push((performance.now() - start) / 1000);
  }
  return median(seconds);
}

/** Medians of `repeat` rounds of every measurement, in turns, so that a disturbance falls on all of them.
 *  @param {Record<string, () => Promise<number>>} measurements  @param {number} repeat
 *  @param {AbortSignal} signal */
async function inTurns(measurements, repeat, signal) {
  /** @type {Record<string, number[]>} */
  const seconds = Object.fromEntries(Object.keys(measurements).map((name) => [name, []]));
  for (const measure of Object.values(measurements)) await measure(); // warm: compiled, in cache
  for (let round = 0; round < repeat; round++) {
    for (const [name, measure] of Object.entries(measurements)) {
      signal.throwIfAborted();
      seconds[name].push(await measure());
    }
  }
  return Object.fromEntries(Object.entries(seconds).map(([name, values]) => [name, median(values)]));
}

/** @param {import('./terminal.js').Values} values  @returns {Promise<number>} */
async function run(values) {
  const repeat = number(values, 'repeat', { min: 1, max: 1000, integer: true }) ?? 5;
  return interruptible(async (signal) => {
    const before = process.memoryUsage().rss;
    let start = performance.now();
    const model = await openModel(values, signal);
    const loadMs = performance.now() - start;
    const peakBytes = process.resourceUsage().maxRSS * 1024 - before;
    start = performance.now();
    const local = existsSync(values.model);
    if (local) readFileSync(values.model);
    const readMs = local ? performance.now() - start : null; // an address is read as fast as its host gives

    const { info } = model;
    if (info.contextLength < MAPS_AT + DECODED) {
      const room = MAPS_AT + DECODED;
      throw new UsageError(`a context of ${info.contextLength} positions is too short to measure; ${room} do`);
    }
    const blind = await openModel(values, signal, { maps: false });
    /** @type {Record<string, () => Promise<number>>} */
    const measurements = {};
    const prefill = PREFILL.filter((count) => count <= info.contextLength);
    const decode = DECODE.filter((count) => count + DECODED <= info.contextLength);
    for (const count of prefill) measurements[`prefill ${count}`] = () => prefillSeconds(model, count);
    for (const count of decode) measurements[`decode ${count}`] = () => decodeSeconds(model, count);
    measurements['prefill with'] = () => prefillSeconds(model, MAPS_AT);
    measurements['prefill without'] = () => prefillSeconds(blind, MAPS_AT);
    measurements['decode with'] = () => decodeSeconds(model, MAPS_AT);
    measurements['decode without'] = () => decodeSeconds(blind, MAPS_AT);
    const seconds = await inTurns(measurements, repeat, signal);

    const result = {
      binary: info.engine.binary,
      threads: info.engine.threads,
      prefill: Object.fromEntries(prefill.map((count) => [count, count / seconds[`prefill ${count}`]])),
      decode: Object.fromEntries(decode.map((count) => [count, 1 / seconds[`decode ${count}`]])),
      maps: {
        prefillCost: seconds['prefill with'] / seconds['prefill without'] - 1,
        decodeCost: seconds['decode with'] / seconds['decode without'] - 1,
      },
      loadMs,
      readMs,
      peakBytes,
      weightsBytes: info.weightsBytes,
      sessionBytes: info.sessionBytes,
    };
    if (values.json) printJson(result);
    else print(result);
    model.dispose();
    blind.dispose();
    return 0;
  });
}

/** @param {any} result */
function print({ binary, threads, prefill, decode, maps, loadMs, readMs, peakBytes, weightsBytes, sessionBytes }) {
  const rate = (/** @type {number} */ value) => `${value.toFixed(1).padStart(9)} tokens/s`;
  const percent = (/** @type {number} */ value) => `${(100 * value).toFixed(1)} %`;
  const rows = [
    `on ${binary}, ${threads} thread${threads === 1 ? '' : 's'}; medians`,
    ...Object.entries(prefill).map(([count, value]) => `prefill ${count.padStart(4)} ${rate(Number(value))}`),
    ...Object.entries(decode).map(([count, value]) => `decode after ${count.padStart(4)} ${rate(Number(value))}`),
    `maps cost ${percent(maps.prefillCost)} of prefill, ${percent(maps.decodeCost)} of decode`,
    `load ${loadMs.toFixed(1)} ms${readMs === null ? '' : `, reading the file alone ${readMs.toFixed(1)} ms`}`,
    `memory ${sizeText(weightsBytes)} weights, ${sizeText(sessionBytes)} session; ${sizeText(peakBytes)} while loading`,
  ];
  process.stdout.write(`${rows.join('\n')}\n`);
  if (Object.keys(prefill).length + Object.keys(decode).length < PREFILL.length + DECODE.length) {
    say('longer prompts do not fit into the context');
  }
}

/** @type {import('./terminal.js').Command} */
export default {
  summary: 'measure speed and memory',
  help: `usage: heed bench --model FILE [OPTIONS]

Measures on this machine, and gives medians. With --json: { binary, threads, prefill: { "128", "512" } and
decode: { "16", "512" } in tokens a second by the length of the prompt, maps: { prefillCost, decodeCost } as parts of
the time without maps (taken in turns), loadMs, readMs, peakBytes (growth of the process while loading), weightsBytes,
sessionBytes }.

  --repeat N          rounds; 5 by default
${modelHelp}`,
  options: { ...modelOptions, repeat: { type: 'string' } },
  positionals: 0,
  run,
};
