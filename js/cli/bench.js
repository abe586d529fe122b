// heed bench: measures speed and memory of a model, its distance to the limits of the engine, and the cost of maps.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { resolve } from '../files/keep/resolve.js';
import { openNamedModel } from '../files/named.js';
import { LocalModel } from '../model/local.js';
import { timeKernels } from './kernel-times.js';
import { measureLimits } from './limits.js';
import { timeLoads } from './load-times.js';
import { measureMapsCost } from './maps-cost.js';
import { adapterOptions, loadOptions, modelHelp, modelOptions, openModel, sourceOf, sourceOptions }
  from './model-options.js';
import { processor } from './processor.js';
import { interruptible, number, printJson, say, sizeText, UsageError } from './terminal.js';

/** @typedef {import('./kernel-times.js').KernelTime} KernelTime */
/** @typedef {import('./terminal.js').Values} Values */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const PREFILL = [128, 512]; // prompt lengths in tokens
const DECODE = [16, 512]; // prompt lengths before the timed tokens
const DECODED = 32; // number of timed tokens, one call each
const KERNELS_AT = 128; // prompt length for the times of kernels, and the default for the cost of maps
const MAPS_ROUNDS = 8; // pairs of batches with and without maps per round
const LOADS = 5; // number of loads and reads, in turns

/** @typedef {import('../index.js').Model} LoadedModel */

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Ids spread over the vocabulary; the time does not depend on the text.
 *  @param {LoadedModel} model  @param {number} count */
const someIds = (model, count) => Int32Array.from({ length: count }, (_, i) => (i * 7919 + 13) % model.info.vocabulary);

/** Seconds of one prompt of `count` ids.
 *  @param {LoadedModel} model  @param {number} count */
async function prefillSeconds(model, count) {
  model.rewind(0);
  const ids = someIds(model, count);
  const start = performance.now();
  await model.forward(ids);
  return (performance.now() - start) / 1000;
}

/** Seconds of one token after a prompt of `count` ids: the median of DECODED.
 *  @param {LoadedModel} model  @param {number} count */
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

/** Seconds of every measurement in `repeat` rounds, in turns, so that a disturbance falls on all of them.
 *  @param {Record<string, () => Promise<number>>} measurements  @param {number} repeat
 *  @param {AbortSignal} signal */
async function inTurns(measurements, repeat, signal) {
  /** @type {Record<string, number[]>} */
  const seconds = Object.fromEntries(Object.keys(measurements).map((name) => [name, []]));
  for (const measure of Object.values(measurements)) await measure(); // the first round warms up compilers and caches
  for (let round = 0; round < repeat; round++) {
    for (const [name, measure] of Object.entries(measurements)) {
      signal.throwIfAborted();
      seconds[name].push(await measure());
    }
  }
  return seconds;
}

/** The path or address of a model. @param {string} model value of the option */
const placeOf = (model) => (/^file:/i.test(model) ? fileURLToPath(model) : model);

/** The options with the one file of the model, because every measurement opens it again.
 *  @param {Values} values @param {AbortSignal} signal @returns {Promise<Values>} */
async function withFile({ keep, offline, hub, ...values }, signal) {
  const { source } = await resolve(values.model, { ...sourceOptions({ keep, offline, hub }), signal });
  if (typeof source === 'string') return { ...values, model: source };
  throw new UsageError(`--model ${values.model}: expected a model in one file`);
}

/** Medians of loading, of reading the same bytes and, of a file, of the least that loading can take.
 *  @param {Values} values @param {AbortSignal} signal */
async function loadTimes(values, signal) {
  const how = { times: LOADS, turned: values.quantize !== undefined };
  const { load, read, least } = await timeLoads(placeOf(values.model), () => openModel(values, signal), how);
  return { loadMs: median(load), readMs: median(read), loadLimitMs: least.length > 0 ? median(least) : null };
}

/**
 * Times of kernels in a pass on one thread, and the share that products would take at the engine's limits.
 * @typedef {{ seconds: number, share: number, kernels: (KernelTime & { part: number })[] }} Pass  a prompt or a token;
 *   part: share of the pass; the kernel 'other' is the time outside of kernels
 * @param {Values} values @param {AbortSignal} signal @param {number} repeat @param {number} threads  for the limits
 * @returns {Promise<{ limits: Awaited<ReturnType<typeof measureLimits>>, streams: 'many' | 'few', prefill: Pass,
 *                     decode: Pass }>}  streams: how its tokens read weights
 */
async function kernelShares(values, signal, repeat, threads) {
  /** @type {any} */
  let engine;
  const options = { ...loadOptions(values), ...await adapterOptions(values, signal), threads: 1, signal };
  const source = sourceOf(values.model, values);
  const model = await LocalModel.load(openNamedModel, source, options, (used) => (engine = used));
  const { kernels } = model.info.engine;
  const limits = await measureLimits(kernels, threads);
  const prompt = someIds(model, KERNELS_AT);
  const passes = {
    prefill: { count: 1, before: () => model.rewind(0), work: () => model.forward(prompt) },
    decode: {
      count: DECODED,
      before: () => model.rewind(KERNELS_AT),
      work: async () => {
        for (const id of someIds(model, DECODED)) await model.forward([id]);
      },
    },
  };
  /** @type {Record<string, { seconds: number[], times: KernelTime[][] }>} */
  const rounds = { prefill: { seconds: [], times: [] }, decode: { seconds: [], times: [] } };
  for (let round = -1; round < repeat; round++) {
    for (const [name, { before, work, count }] of Object.entries(passes)) {
      signal.throwIfAborted();
      before();
      const start = performance.now();
      await work();
      const seconds = (performance.now() - start) / 1000 / count;
      before();
      const times = await timeKernels(engine, kernels, limits, work);
      if (round < 0) continue; // the first round warms up compilers and caches
      rounds[name].seconds.push(seconds);
      rounds[name].times.push(times);
    }
  }
  model.dispose();
  const [prefill, decode] = Object.entries(rounds).map(([name, { seconds, times }]) =>
    passOf(median(seconds), times, passes[/** @type {keyof typeof passes} */ (name)].count));
  return { limits, streams: engine.manyStreams ? 'many' : 'few', prefill, decode };
}

/** @param {number} seconds  of the pass without timing functions @param {KernelTime[][]} times of each round
 *  @param {number} count passes a round @returns {Pass} */
function passOf(seconds, times, count) {
  const kernels = times[0].map((first, i) => {
    const own = median(times.map((round) => round[i].seconds)) / count;
    return {
      ...first, calls: first.calls / count, seconds: own, operations: first.operations / count,
      bytes: first.bytes / count, limitSeconds: first.limitSeconds / count, part: own / seconds,
    };
  }).sort((a, b) => b.seconds - a.seconds);
  const rest = Math.max(0, seconds - kernels.reduce((sum, kernel) => sum + kernel.seconds, 0));
  const other = { calls: 0, seconds: rest, operations: 0, bytes: 0, limitSeconds: 0, part: rest / seconds };
  const limit = kernels.reduce((sum, kernel) => sum + kernel.limitSeconds, 0);
  return { seconds, share: limit / seconds, kernels: [...kernels, { kernel: 'other', ...other }] };
}

/** The commit of this tree, or null. */
function commit() {
  if (!existsSync(new URL('../../.git', import.meta.url))) return null;
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

/** @param {Values} given  @returns {Promise<number>} */
async function run(given) {
  const repeat = number(given, 'repeat', { min: 1, max: 1000, integer: true }) ?? 5;
  const mapsAt = number(given, 'maps-at', { min: 1, max: 1 << 20, integer: true }) ?? KERNELS_AT;
  return interruptible(async (signal) => {
    const values = await withFile(given, signal);
    const before = process.memoryUsage().rss;
    const start = performance.now();
    const model = await openModel(values, signal);
    const firstLoadMs = performance.now() - start;
    const { info } = model;
    if (info.engine.memory64) throw new UsageError('bench measures 32-bit memory: expected a model within 4 GB, ' +
      'without --memory64');
    const least = Math.max(KERNELS_AT, mapsAt) + DECODED;
    if (info.contextLength < least) {
      throw new UsageError(`expected a context of at least ${least} positions, got ${info.contextLength}`);
    }
    const prefill = PREFILL.filter((count) => count <= info.contextLength);
    const decode = DECODE.filter((count) => count + DECODED <= info.contextLength);
    await prefillSeconds(model, prefill[prefill.length - 1]); // the operating system allocates pages at the first write
    const peakBytes = process.resourceUsage().maxRSS * 1024 - before;

    /** @type {Record<string, () => Promise<number>>} */
    const measurements = {};
    for (const count of prefill) measurements[`prefill ${count}`] = () => prefillSeconds(model, count);
    for (const count of decode) measurements[`decode ${count}`] = () => decodeSeconds(model, count);
    const seconds = await inTurns(measurements, repeat, signal);
    model.dispose();
    const how = { at: mapsAt, rounds: MAPS_ROUNDS * repeat, signal };
    const options = { ...loadOptions(values), ...await adapterOptions(values, signal) };
    const maps = await measureMapsCost(sourceOf(values.model, values), options, how);
    const shares = await kernelShares(values, signal, repeat, info.engine.threads);

    const result = {
      machine: `${processor()}, Node.js ${process.version}`,
      date: new Date().toISOString(),
      commit: commit(),
      model: info.file,
      engine: info.engine,
      binary: info.engine.kernels,
      threads: info.engine.threads,
      prefill: Object.fromEntries(prefill.map((count) => [count, count / median(seconds[`prefill ${count}`])])),
      decode: Object.fromEntries(decode.map((count) => [count, 1 / median(seconds[`decode ${count}`])])),
      maps: {
        at: mapsAt,
        prefillCost: maps.prefill.median,
        prefillInterval: maps.prefill.interval,
        decodeCost: maps.decode.median,
        decodeInterval: maps.decode.interval,
      },
      firstLoadMs,
      ...(await loadTimes(values, signal)),
      peakBytes,
      weightsBytes: info.weightsBytes,
      sessionBytes: info.sessionBytes,
      limits: shares.limits,
      streams: shares.streams,
      share: { prefill: shares.prefill.share, decode: shares.decode.share },
      kernels: { prefill: shares.prefill.kernels, decode: shares.decode.kernels },
    };
    if (values.json) printJson(result);
    else print(result);
    return 0;
  });
}

/** @param {any} result */
function print({ machine, date, commit, model, engine, threads, prefill, decode, maps, ...result }) {
  const { firstLoadMs, loadMs, readMs, loadLimitMs, peakBytes, weightsBytes, sessionBytes } = result;
  const { limits, streams, share, kernels } = result;
  const rate = (/** @type {number} */ value) => `${value.toFixed(1).padStart(9)} tokens/s`;
  const percent = (/** @type {number} */ value) => `${(100 * value).toFixed(1)} %`;
  const giga = (/** @type {number} */ value, unit = '') => `${(value / 1e9).toFixed(1)} G${unit}`;
  const rows = [
    `${machine}; ${date.slice(0, 10)}${commit ? `, commit ${commit}` : ''}`,
    `${model} on ${engine.kernels}, ${threads} thread${threads === 1 ? '' : 's'} (${engine.why}); medians`,
    ...Object.entries(prefill).map(([count, value]) => `prefill ${count.padStart(4)} ${rate(Number(value))}`),
    ...Object.entries(decode).map(([count, value]) => `decode after ${count.padStart(4)} ${rate(Number(value))}`),
    `maps after ${maps.at} tokens cost ${percent(maps.prefillCost)} of prefill ` +
      `(${maps.prefillInterval.map(percent).join(' to ')}), ${percent(maps.decodeCost)} of decode ` +
      `(${maps.decodeInterval.map(percent).join(' to ')})`,
    `load ${loadMs.toFixed(1)} ms; the first of this process ${firstLoadMs.toFixed(1)} ms; reading alone ` +
      `${readMs.toFixed(1)} ms`,
    ...(loadLimitMs === null ? [] : [`reading into new memory for its weights ${loadLimitMs.toFixed(1)} ms: a ` +
      'lower bound of a load']),
    `memory ${sizeText(weightsBytes)} weights, ${sizeText(sessionBytes)} session; ${sizeText(peakBytes)} at most`,
    '',
    `limits of one thread: reading ${giga(limits.readBytesPerSecond, 'B/s')}, int8 ` +
      `${giga(limits.int8OpsPerSecond, 'op/s')}, narrower weights ${giga(limits.int7OpsPerSecond, 'op/s')}, f32 ` +
      giga(limits.f32FlopsPerSecond, 'FLOP/s'),
    ...(threads === 1 ? [] : [`limit of ${threads} threads: reading ${giga(limits.allReadBytesPerSecond, 'B/s')}; ` +
      Object.entries(decode).map(([count, value]) => `decode after ${count} reads ` +
        giga(Number(value) * weightBytes(kernels.decode), 'B/s')).join(', ') + ' of weights']),
    `kernels below, on one thread; tokens read weights as ${streams} streams, which their first tokens chose`,
    ...Object.entries(kernels).flatMap(([pass, times]) => [
      `${pass}: products at these limits would take ${percent(share[pass])} of its time`,
      ...times.filter((/** @type {any} */ time) => time.part >= 0.001).map(kernelRow),
    ]),
  ];
  process.stdout.write(`${rows.join('\n')}\n`);
  if (Object.keys(prefill).length + Object.keys(decode).length < PREFILL.length + DECODE.length) {
    say('longer prompts were skipped, because they do not fit into the context');
  }
}

/** Bytes of weights that a pass reads. @param {KernelTime[]} times */
const weightBytes = (times) =>
  times.reduce((sum, { kernel, bytes }) => sum + (kernel.startsWith('matmul') ? bytes : 0), 0);

/** @param {KernelTime & { part: number }} time */
function kernelRow({ kernel, calls, seconds, operations, bytes, limitSeconds, part }) {
  const cells = [
    `  ${kernel.padEnd(18)}`,
    `${(100 * part).toFixed(1).padStart(5)} %`,
    `${(1e3 * seconds).toFixed(3).padStart(9)} ms`,
    calls ? `${calls.toFixed(0).padStart(6)} calls` : '',
  ];
  if (operations) {
    cells.push(`${(operations / seconds / 1e9).toFixed(1).padStart(5)} Gop/s`,
      `${(bytes / seconds / 1e9).toFixed(1).padStart(5)} GB/s`,
      `${((100 * limitSeconds) / seconds).toFixed(0).padStart(3)} % of the limit`);
  }
  return cells.join(' ').trimEnd();
}

/** @type {import('./terminal.js').Command} */
export default {
  summary: 'measure speed and memory',
  help: `usage: heed bench [OPTIONS]

Measures on this machine and prints medians. With --json, one object:

  machine             the processor, its extensions, the number of processors and the version of Node.js
  date, commit, model
  engine              { kernels, threads, why }
  binary, threads     the kernel set and the number of threads, as in engine
  prefill             tokens per second, by length of the prompt: { "128", "512" }
  decode              tokens per second after a prompt of this length: { "16", "512" }
  maps                at: length of the prompt.  prefillCost and decodeCost: additional time of its last batch and of
                      tokens after it, relative to the time without maps; medians of pairs of calls, with 95 %
                      confidence intervals prefillInterval and decodeInterval
  firstLoadMs, loadMs time to load the model: the first time, and the median
  readMs              time to read the same bytes into new memory
  loadLimitMs         time to read the file into new WebAssembly memory: a lower bound of a load; null for an address
  peakBytes           growth of the process by loading and a prompt
  weightsBytes, sessionBytes
  limits              of one thread: { readBytesPerSecond, int16OpsPerSecond, int8OpsPerSecond, int7OpsPerSecond,
                      f32FlopsPerSecond }; reading by eight far streams, products of 16-bit codes, of 8-bit weights
                      and of weights with fewer bits.  Of all threads at once: allReadBytesPerSecond
  share               share of a pass that its products would take at these limits: { prefill, decode }
  kernels             time of each kernel in a pass on one thread: { prefill, decode }
  streams             'many' or 'few': how the tokens of \`kernels\` read weights.  The first tokens of an engine choose
                      the faster way, so the tokens of \`decode\` may have another

  --repeat N          number of rounds; default 5
  --maps-at N         length of the prompt for the cost of maps; default 128
${modelHelp}`,
  options: { ...modelOptions, repeat: { type: 'string' }, 'maps-at': { type: 'string' } },
  positionals: 0,
  run,
};
