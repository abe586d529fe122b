/** Sweeps: one metric over many edited runs of the same ids, which share the computation before their first edit. */
import { batchOf } from './context.js';
import { firstPosition, hookOf, linkEdits, meanHooks, tapsOf } from './edits.js';
import { copiesOf, linkCopies, readCopies, siteOf } from './hooks.js';
import { placeNumbers, planOf } from './metric.js';

/** @typedef {import('../engine/wasm.js').Engine} Engine */
/** @typedef {import('./edits.js').Edit} Edit */
/** @typedef {import('./info.js').ModelInfo & import('./hooks.js').SizesOfParts} ModelInfo */

/**
 * @typedef {object} SweepRequest
 * @property {import('./metric.js').Metric} of
 * @property {string[]} names
 * @property {((progress: { done: number, total: number }) => void) | undefined} onProgress
 * @property {AbortSignal | undefined} signal
 */
/**
 * @typedef {object} SweepResult
 * @property {number} clean          the metric without edits
 * @property {Float32Array} values   the metric of each edited run, [variants]
 * @property {Record<string, import('./hooks.js').Activation>} [cache]  activations of the run without edits, if any
 *   were requested
 */

/** Runs of the same ids in one session, which is empty before and after. */
class Runs {
  #engine;
  #session;
  #ids;
  #pause;
  #plan;
  #batch;
  #isEncoder;
  /** Addresses in the engine's memory. */
  #at;

  /**
   * @param {Engine} engine
   * @param {number} session
   * @param {Int32Array} ids
   * @param {import('./metric.js').Plan} plan
   * @param {ModelInfo} info
   * @param {() => Promise<void>} pause  lets other tasks run; rejects after an abort
   */
  constructor(engine, session, ids, plan, info, pause) {
    this.#engine = engine;
    this.#session = session;
    this.#ids = ids;
    this.#pause = pause;
    this.#plan = plan;
    this.#isEncoder = info.bidirectional;
    this.#batch = batchOf(info.bidirectional, info.contextLength, info.engine.threads);
    this.#at = {
      ids: engine.reserve(4 * this.#batch, 'ids'),
      metric: engine.reserve(engine.structBytes('metric'), 'the metric'),
      value: engine.reserve(4, 'the metric'),
      ...placeNumbers(engine, plan),
    };
  }

  /**
   * Runs the ids, and computes the metric.
   * @param {number} layer     first block to run; the session holds the results of those before it
   * @param {number} residual  address of the input of that block, [ids][dModel]; 0: run the embedding, and compute
   *   every activation.  Otherwise only what the metric reads is computed
   * @param {number} width     dModel
   * @param {number} start     first position to run; the session holds earlier ones, and the metric needs none of them
   */
  async measure(layer, residual, width, start) {
    const engine = this.#engine;
    const more = engine.enumValue('forward', 'more');
    const { first: needed, rows } = this.#plan;
    const ids = residual && !this.#isEncoder ? this.#ids.subarray(0, needed + rows) : this.#ids;
    engine.call('heed_rewind', this.#session, start);
    let sum = 0;
    for (let first = start; first < ids.length; first += this.#batch) {
      const batch = ids.subarray(first, first + this.#batch);
      const { length } = batch;
      let skipped = 0;
      engine.i32(this.#at.ids, length).set(batch);
      if (residual) {
        skipped = Math.min(Math.max(0, needed - first), length - 1);
        const from = residual + 4 * width * first;
        engine.call('heed_forward_from', this.#session, this.#at.ids, length, layer, from, length - skipped);
      } else engine.call('heed_forward_begin', this.#session, this.#at.ids, length);
      while (engine.call('heed_forward_next', this.#session) === more) await this.#pause();
      sum += this.#part(first + skipped, length - skipped);
      await this.#pause();
    }
    return this.#plan.sign * sum;
  }

  /** The part of the metric in the last rows of a batch. @param {number} first  position @param {number} count */
  #part(first, count) {
    const { weights, targets, ...plan } = this.#plan;
    const from = Math.max(plan.first, first);
    const rows = Math.min(plan.first + plan.rows, first + count) - from;
    if (rows <= 0) return 0;
    const row = from - plan.first;
    const counted = targets?.subarray(row, row + rows).filter((id) => id >= 0).length ?? 1;
    if (counted === 0) return 0;
    const rowBytes = weights ? 4 * (weights.length / plan.rows) : 4;
    this.#engine.writeStruct('metric', this.#at.metric, {
      first: from - first,
      rows,
      weights: weights && this.#at.weights + row * rowBytes,
      targets: targets && this.#at.targets + row * rowBytes,
    });
    this.#engine.call('heed_measure', this.#session, this.#at.metric, this.#at.value);
    const [value] = this.#engine.f32(this.#at.value, 1);
    return targets ? (value * counted) / targets.filter((id) => id >= 0).length : value;
  }
}

/**
 * Runs ids once without edits and once for each variant.  A variant begins at the first block and position that it
 * edits, and its last block computes only what the metric reads.  Variants run from the last position to the first,
 * so the cache before a variant's first position is always that of the unedited run.  An encoder runs all positions;
 * an encoder–decoder runs all blocks, and its encoder only for variants that begin at position 0.
 * @param {Engine} engine
 * @param {number} session
 * @param {ModelInfo} info
 * @param {Int32Array} ids  of an encoder–decoder, its text
 * @param {Edit[][]} variants
 * @param {SweepRequest} request
 * @param {() => () => Promise<void>} begin  clears the session, and returns a function that lets other tasks run and
 *   rejects after an abort
 * @returns {Promise<SweepResult>}
 */
export async function sweep(engine, session, info, ids, variants, { of, names, onProgress }, begin) {
  const plan = planOf('sweep', of, ids.length, info);
  const order = variants.map((edits, index) => ({
    index,
    taps: tapsOf(engine, info, edits, ids.length),
    layer: firstLayer(engine, info, edits),
    start: info.bidirectional ? 0 : Math.min(plan.first, ...edits.map((edit) => startOf(info, edit))),
  })).sort((a, b) => b.start - a.start);
  const total = variants.length + 1;
  const values = new Float32Array(variants.length);
  const used = [...new Set(order.map(({ layer }) => layer))].filter((layer) => layer >= 0);
  const inputs = used.map((layer) => `blocks.${layer}.hook_resid_pre`);
  const means = meanHooks(variants.flat());
  const plans = copiesOf(engine, info, [...inputs, ...means, ...names], ids.length);
  const pause = begin();
  const mark = engine.mark;
  try {
    const runs = new Runs(engine, session, ids, plan, info, pause);
    const copies = linkCopies(engine, session, plans);
    const residuals = new Map(used.map((layer, i) => [layer, copies[i].at]));
    const clean = await runs.measure(0, 0, info.dModel, 0);
    const read = readCopies(engine, copies.slice(used.length));
    engine.ask('heed_tap_clear', session);
    onProgress?.({ done: 1, total });
    for (const [i, { index, taps, layer, start }] of order.entries()) {
      const before = engine.mark;
      linkEdits(engine, session, taps, read);
      values[index] = await runs.measure(layer, residuals.get(layer) ?? 0, info.dModel, start);
      engine.ask('heed_tap_clear', session);
      engine.release(before);
      onProgress?.({ done: i + 2, total });
    }
    const cache = Object.fromEntries(names.map((name) => [name, read[name]]));
    return { clean, values, ...(names.length > 0 && { cache }) };
  } finally {
    engine.ask('heed_tap_clear', session);
    engine.call('heed_rewind', session, 0);
    engine.release(mark);
  }
}

/** The first position of the run that an edit can change.  The encoder reads its source before position 0.
 *  @param {ModelInfo} info @param {Edit} edit */
function startOf({ parts }, edit) {
  const [rows] = parts?.places[hookOf(edit)]?.ofSource ?? [];
  return rows === 'position' ? 0 : firstPosition(edit);
}

/** The first block that edits change; −1: the embedding, or an encoder–decoder; the last block if they change none.
 *  @param {Engine} engine @param {ModelInfo} info @param {Edit[]} edits */
function firstLayer(engine, info, edits) {
  if (info.parts) return -1;
  const last = info.layers - 1;
  const layers = edits.map((edit) => {
    const hook = hookOf(edit);
    const { layer } = siteOf(engine, info, hook);
    return hook.startsWith('ln_final') ? last : layer;
  });
  return Math.min(last, ...layers);
}
