/** Gradients of a metric by named activations. */
import { linkEdits, meanHooks } from './edits.js';
import { linkCopies, readCopies } from './hooks.js';
import { placeNumbers, planOf } from './metric.js';

/** @typedef {import('../engine/wasm.js').Engine} Engine */
/** @typedef {import('./hooks.js').Activation} Activation */

/** Rows of logits in one call of the engine (src/metric.h). */
const HEAD_ROWS = 16;

/**
 * Progress of a gradient.
 * @typedef {object} GradientProgress
 * @property {number} done   finished parts; 0 in the first report, before memory is taken
 * @property {number} total  all parts
 * @property {number} bytes  memory of the activations with their gradients
 */
/**
 * @typedef {object} GradientRequest
 * @property {import('./metric.js').Metric} of
 * @property {string[]} at
 * @property {import('./edits.js').Edit[]} edits
 * @property {boolean} activations
 * @property {((progress: GradientProgress) => void) | undefined} onProgress
 * @property {AbortSignal | undefined} signal
 */
/**
 * @typedef {object} Gradients
 * @property {number} value  the metric
 * @property {Record<string, Activation>} gradients      derivatives of the metric with respect to each
 *   activation, under its name and in its shape
 * @property {Record<string, Activation>} [activations]  activations of the same run by name, if they were requested
 */

/** A value of scores that a mask hides, in copies of gradients and of activations. */
const MASKED = { gradients: 0, activations: -Infinity };

/**
 * Runs ids forward and backward, and reads the gradients of named activations.
 * @param {Engine} engine
 * @param {number} session
 * @param {import('./info.js').ModelInfo} info
 * @param {Int32Array} ids
 * @param {GradientRequest} request
 * @param {() => Promise<void>} pause  lets other tasks run; rejects after an abort
 * @returns {Promise<Gradients>}
 */
export async function computeGradients(engine, session, info, ids, request, pause) {
  const { of, at, edits, onProgress } = request;
  const plan = planOf('gradients', of, ids.length, info);
  const mark = engine.mark;
  try {
    const clean = await runClean(engine, session, info, ids, meanHooks(edits), plan, pause);
    const copies = linkCopies(engine, session, info, at, ids.length, MASKED.gradients);
    const wanted = request.activations ? at : [];
    const values = linkCopies(engine, session, info, wanted, ids.length, MASKED.activations, true);
    linkEdits(engine, session, info, edits, ids.length, clean);
    const more = engine.enumValue('forward', 'more');
    const total = 2 * (info.layers + 2) + Math.ceil(plan.rows / HEAD_ROWS) - 1;
    const bytes = bytesOf(engine, session, ids);
    onProgress?.({ done: 0, total, bytes });
    await pause();
    const run = create(engine, session, ids, plan, bytes);
    const value = engine.reserve(4, 'the metric');
    for (let done = 1; engine.call('heed_gradient_next', run, value) === more; done++) {
      onProgress?.({ done, total, bytes });
      await pause();
    }
    onProgress?.({ done: total, total, bytes });
    const gradients = readCopies(engine, copies);
    if (plan.sign < 0) Object.values(gradients).forEach(({ data }) => data.forEach((x, i) => (data[i] = -x)));
    return {
      value: plan.sign * engine.f32(value, 1)[0],
      gradients,
      ...(request.activations && { activations: readCopies(engine, values) }),
    };
  } finally {
    engine.ask('heed_tap_clear', session);
    engine.release(mark);
  }
}

/** Activations of the run without edits: the forward part of a gradient, because the session does not change.
 *  @param {Engine} engine @param {number} session @param {import('./info.js').ModelInfo} info
 *  @param {Int32Array} ids @param {string[]} names @param {import('./metric.js').Plan} plan
 *  @param {() => Promise<void>} pause @returns {Promise<Record<string, Activation>>} */
async function runClean(engine, session, info, ids, names, plan, pause) {
  if (names.length === 0) return {};
  const mark = engine.mark;
  const copies = linkCopies(engine, session, info, names, ids.length, MASKED.activations, true);
  const run = create(engine, session, ids, plan, bytesOf(engine, session, ids));
  const value = engine.reserve(4, 'the metric');
  for (let layer = 0; layer <= info.layers; layer++) { // the embedding with block 0, then the blocks and the final norm
    engine.call('heed_gradient_next', run, value);
    await pause();
  }
  const clean = readCopies(engine, copies);
  engine.release(mark);
  return clean;
}

/** Bytes of a run with the linked taps. @param {Engine} engine @param {number} session @param {Int32Array} ids */
const bytesOf = (engine, session, ids) => engine.call('heed_gradient_bytes', session, ids.length);

/** Creates the run in the engine's memory, and unlinks its taps.
 *  @param {Engine} engine @param {number} session @param {Int32Array} ids
 *  @param {import('./metric.js').Plan} plan @param {number} bytes @returns {number} its address */
function create(engine, session, ids, plan, bytes) {
  const metric = engine.reserve(engine.structBytes('metric'), 'the metric');
  engine.writeStruct('metric', metric, { ...plan, ...placeNumbers(engine, plan) });
  const at = engine.reserve(4 * ids.length, 'ids');
  engine.i32(at, ids.length).set(ids);
  const memory = engine.reserve(bytes, 'activations and their gradients');
  const run = engine.call('heed_gradient_create', memory, bytes, session, at, ids.length, metric);
  engine.ask('heed_tap_clear', session);
  return run;
}
