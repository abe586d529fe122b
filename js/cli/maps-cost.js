// Measures the cost of keeping queries for maps.  Two sessions over the same weights, with and without maps, run in
// turns. Two models would differ more, because of the addresses of their weights.
import { performance } from 'node:perf_hooks';
import { chooseEngine } from '../engine/choose.js';
import { Engine } from '../engine/wasm.js';
import { openNamedModel } from '../files/named.js';
import { chooseCache } from '../model/cache.js';
import { BATCH } from '../model/context.js';
import { placeWeights, planWeights } from '../model/place.js';

/** Pairs of single tokens per pair of batches, because a batch takes as long as some tens of tokens. */
const TOKENS = 8;

/**
 * @typedef {object} Cost  additional time, relative to the time without maps
 * @property {number} median   median of the ratios of pairs, minus one
 * @property {[low: number, high: number]} interval  its 95 % confidence interval
 */

/**
 * Times the last batch of a prompt of `at` ids, and tokens after it.
 * @param {import('../model/load.js').ModelSource} source
 * @param {import('../model/create-session.js').OpenOptions} options
 * @param {{ at: number, rounds: number, signal: AbortSignal }} how  a round: one pair of batches, TOKENS of tokens
 * @returns {Promise<{ prefill: Cost, decode: Cost }>}
 */
export async function measureMapsCost(source, options, { at, rounds, signal }) {
  const file = await openNamedModel(source, { signal });
  /** @type {Engine | undefined} */
  let engine;
  try {
    const { kernels, threads } = await chooseEngine(options, file.fileBytes);
    engine = await Engine.create(kernels, threads);
    const shape = { set: kernels, threads, positions: at + TOKENS };
    const sessions = await sessionsOf(engine, file, options, shape);
    const vocabulary = file.config.vocabulary;
    const runs = sessions.map((session) => runsOf(/** @type {Engine} */ (engine), session, vocabulary));
    const batch = Math.min(BATCH, at);
    for (const run of runs) for (let i = 0; i < at; i += batch) run.feed(Math.min(batch, at - i));
    /** @type {{ prefill: number[], decode: number[] }} */
    const ratios = { prefill: [], decode: [] };
    for (let round = -1; round < rounds; round++) {
      for (const run of runs) run.rewind(at - batch);
      const prefill = ratioOf(runs, round, batch);
      const decode = Array.from({ length: TOKENS }, (_, i) => ratioOf(runs, i, 1));
      await new Promise(setImmediate); // lets Ctrl-C take effect
      signal.throwIfAborted();
      if (round < 0) continue; // warm: compiled, pages touched
      ratios.prefill.push(prefill);
      ratios.decode.push(...decode);
    }
    return { prefill: costOf(ratios.prefill), decode: costOf(ratios.decode) };
  } finally {
    engine?.close();
    await file.close();
  }
}

/** Two sessions over the weights of the file, with maps and without.
 *  @param {Engine} engine @param {import('../files/model-file.js').ModelFile} file
 *  @param {import('../model/create-session.js').OpenOptions} options
 *  @param {{ set: import('../engine/wasm.js').KernelSet, threads: number, positions: number }} shape */
async function sessionsOf(engine, file, { quantize = 'keep', cache, adapter, adapting }, { set, threads, positions }) {
  const kernels = engine.kernels(set);
  const plan = planWeights(engine, file, quantize);
  const model = await placeWeights(engine, file, plan, kernels);
  if (adapter && adapting) {
    adapting.placeAdapters(engine, model, file.config, adapting.fitAdapter(adapter, file, engine.limit('max_rank')));
  }
  return [1, 0].map((maps) => {
    const shape = [positions, BATCH, maps, engine.enumValue('cache', chooseCache(cache, plan.info.types))];
    const bytes = engine.call('heed_session_bytes', model, ...shape, threads);
    const memory = engine.reserve(bytes, 'a session');
    return engine.call('heed_session_create', memory, bytes, model, ...shape, kernels, engine.pool);
  });
}

/** @typedef {ReturnType<typeof runsOf>} Run */

/** Timed calls of a session.
 *  @param {Engine} engine @param {number} session @param {number} vocabulary */
function runsOf(engine, session, vocabulary) {
  const ids = engine.reserve(4 * BATCH, 'ids');
  return {
    /** Milliseconds to run `count` ids and compute the logits of the last. @param {number} count */
    feed(count) {
      const first = engine.ask('heed_position', session);
      engine.i32(ids, count).set(Int32Array.from({ length: count }, (_, i) => ((first + i) * 7919 + 13) % vocabulary));
      const start = performance.now();
      engine.call('heed_forward', session, ids, count);
      engine.call('heed_logits', session, count - 1, 1);
      return performance.now() - start;
    },
    /** @param {number} position */
    rewind: (position) => engine.call('heed_rewind', session, position),
  };
}

/** Time with maps divided by time without.  The order alternates, because the second call has warmer caches.
 *  @param {Run[]} runs with maps, and without @param {number} pair @param {number} count of ids */
function ratioOf([kept, blind], pair, count) {
  const blindFirst = pair % 2 !== 0;
  const first = (blindFirst ? blind : kept).feed(count);
  const second = (blindFirst ? kept : blind).feed(count);
  return blindFirst ? second / first : first / second;
}

/**
 * The median of ratios and its confidence interval: order statistics at 1.96 standard deviations of a binomial
 * distribution with p = 1/2.
 * @param {number[]} ratios
 * @returns {Cost}
 */
export function costOf(ratios) {
  const sorted = [...ratios].sort((a, b) => a - b);
  const n = sorted.length;
  const spread = (1.96 / 2) * Math.sqrt(n);
  const low = sorted[Math.max(0, Math.floor(n / 2 - spread))];
  const high = sorted[Math.min(n - 1, Math.ceil(n / 2 + spread))];
  const median = (sorted[(n - 1) >> 1] + sorted[n >> 1]) / 2;
  return { median: median - 1, interval: [low - 1, high - 1] };
}
