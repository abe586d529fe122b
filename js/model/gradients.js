/** Gradients of a metric by named activations. */
import { linkEdits } from './edits.js';
import { linkCopies, readCopies } from './hooks.js';
import { placeNumbers, planOf } from './metric.js';

/** @typedef {import('../engine/wasm.js').Engine} Engine */
/** @typedef {import('./hooks.js').Activation} Activation */

/** Rows of logits in one call of the engine (src/metric.h). */
const HEAD_ROWS = 16;

/**
 * @typedef {object} GradientRequest
 * @property {import('./metric.js').Metric} of
 * @property {string[]} at
 * @property {import('./edits.js').Edit[]} edits
 * @property {((progress: { done: number, total: number }) => void) | undefined} onProgress
 * @property {AbortSignal | undefined} signal
 */
/**
 * Runs ids forward and backward, and reads the gradients of named activations.
 * @param {Engine} engine
 * @param {number} session
 * @param {import('./info.js').ModelInfo} info
 * @param {Int32Array} ids
 * @param {GradientRequest} request
 * @param {() => Promise<void>} pause  lets other tasks run; rejects after an abort
 * @returns {Promise<{ value: number, gradients: Record<string, Activation> }>}
 */
export async function computeGradients(engine, session, info, ids, { of, at, edits, onProgress }, pause) {
  const plan = planOf('gradients', of, ids.length, info.vocabulary);
  const mark = engine.mark;
  try {
    const copies = linkCopies(engine, session, info, at, ids.length, 0);
    linkEdits(engine, session, info, edits, ids.length);
    const run = create(engine, session, ids, plan);
    engine.ask('heed_tap_clear', session);
    const value = engine.reserve(4, 'the metric');
    const more = engine.enumValue('forward', 'more');
    const total = 2 * (info.layers + 2) + Math.ceil(plan.rows / HEAD_ROWS) - 1;
    for (let done = 1; engine.call('heed_gradient_next', run, value) === more; done++) {
      onProgress?.({ done, total });
      await pause();
    }
    onProgress?.({ done: total, total });
    const gradients = readCopies(engine, copies);
    if (plan.sign < 0) Object.values(gradients).forEach(({ data }) => data.forEach((x, i) => (data[i] = -x)));
    return { value: plan.sign * engine.f32(value, 1)[0], gradients };
  } finally {
    engine.ask('heed_tap_clear', session);
    engine.release(mark);
  }
}

/** Creates the run in the engine's memory.
 *  @param {Engine} engine @param {number} session @param {Int32Array} ids
 *  @param {import('./metric.js').Plan} plan @returns {number} its address */
function create(engine, session, ids, plan) {
  const metric = engine.reserve(engine.structBytes('metric'), 'the metric');
  engine.writeStruct('metric', metric, { ...plan, ...placeNumbers(engine, plan) });
  const at = engine.reserve(4 * ids.length, 'ids');
  engine.i32(at, ids.length).set(ids);
  const bytes = engine.call('heed_gradient_bytes', session, ids.length);
  const memory = engine.reserve(bytes, 'activations and their gradients');
  return engine.call('heed_gradient_create', memory, bytes, session, at, ids.length, metric);
}
