/** Gradients of a metric by named activations. */
import { linkEdits, meanHooks, tapsOf } from './edits.js';
import { copiesOf, linkCopies, readCopies } from './hooks.js';
import { placeNumbers, planOf } from './metric.js';
import { needMemory } from './place.js';

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

/** Does work with taps of its own: they are linked in it, and unlinked after it.
 *  @typedef {<T>(work: () => T) => T} Aside */

/** A value of scores that a mask hides, in copies of gradients and of activations. */
const MASKED = { gradients: 0, activations: -Infinity };

/**
 * Runs ids forward and backward, and reads the gradients of named activations.
 * @param {Engine} engine
 * @param {number} session
 * @param {import('./info.js').ModelInfo & import('./hooks.js').SizesOfParts} info
 * @param {Int32Array} ids  of an encoder–decoder, its text
 * @param {GradientRequest} request
 * @param {() => Promise<void>} pause  lets other tasks run; rejects after an abort
 * @param {Aside} aside  because a generation may be running, whose taps are linked
 * @returns {Promise<Gradients>}
 */
export async function computeGradients(engine, session, info, ids, request, pause, aside) {
  const { of, at, edits, onProgress } = request;
  const plan = planOf('gradients', of, ids.length, info);
  const plans = copiesOf(engine, info, at, ids.length);
  const taps = tapsOf(engine, info, edits, ids.length);
  const mark = engine.mark;
  const blocks = info.parts?.blocks ?? info.layers;
  /** Bytes of a run with the linked taps. */
  const bytesOf = () => engine.call('heed_gradient_bytes', session, ids.length);

  /** Creates a run in the engine's memory.  No call comes between its taps and their run.
   *  @template T @param {() => T} linked @returns {T & { step: () => number, value: number }} */
  const create = (linked) => aside(() => {
    const copies = linked();
    const bytes = bytesOf();
    const metric = engine.reserve(engine.structBytes('metric'), 'the metric');
    engine.writeStruct('metric', metric, { ...plan, ...placeNumbers(engine, plan) });
    const value = engine.reserve(4, 'the metric');
    const words = engine.put(ids, 'ids');
    needMemory(engine, `A gradient of ${ids.length} positions with the model`, engine.mark + bytes,
      '; give fewer ids, or load with memory64: true');
    const memory = engine.reserve(bytes, 'activations and their gradients');
    const run = engine.call('heed_gradient_create', memory, bytes, session, words, ids.length, metric);
    return { ...copies, step: () => engine.call('heed_gradient_next', run, value), value };
  });

  /** Activations of the run without edits: the forward part of a gradient, because the session does not change.
   *  @param {string[]} names @returns {Promise<Record<string, Activation>>} */
  async function runClean(names) {
    if (names.length === 0) return {};
    const { copies, step } = create(() => ({
      copies: linkCopies(engine, session, copiesOf(engine, info, names, ids.length), MASKED.activations, true),
    }));
    for (let block = 0; block <= blocks; block++) { // the embedding with block 0, then blocks and the final norm
      step();
      await pause();
    }
    const clean = readCopies(engine, copies);
    engine.release(mark);
    return clean;
  }

  try {
    const clean = await runClean(meanHooks(edits));
    const linked = () => {
      const copies = linkCopies(engine, session, plans, MASKED.gradients);
      const values = linkCopies(engine, session, request.activations ? plans : [], MASKED.activations, true);
      linkEdits(engine, session, taps, clean);
      return { copies, values };
    };
    const more = engine.enumValue('forward', 'more');
    const total = 2 * (blocks + 2) + Math.ceil(plan.rows / HEAD_ROWS) - 1;
    const bytes = aside(() => {
      linked();
      return bytesOf();
    });
    engine.release(mark);
    onProgress?.({ done: 0, total, bytes });
    await pause();
    const { copies, values, step, value } = create(linked);
    for (let done = 1; step() === more; done++) {
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
    engine.release(mark);
  }
}
