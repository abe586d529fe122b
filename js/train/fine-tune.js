/** Continues the training of a loaded model, in this thread or in a Worker. */
import { IN_PAGE } from '../engine/port.js';
import { HeedError, quoted, throwIfAborted } from '../errors.js';
import { guarded, ourError } from '../guard.js';
import { cloneable } from '../model/source-message.js';
import { needOptions } from '../options.js';
import { callWorker } from './call-worker.js';
import { TUNING_OPTIONS, Tuning } from './tuning/tuning.js';

/**
 * State before the first step.
 * @typedef {object} TuningBegan
 * @property {import('./tuning/tuning.js').TuningMemory} memory  memory that the training will take, in bytes
 * @property {number} parameters  number of numbers that learn
 * @property {number} context     number of tokens in a window
 * @property {{ train: number, heldOut: number }} tokens  number of tokens that are learned and held out.  0 held out:
 *   the text is too short, and the held-out loss is that of the whole text
 */

/**
 * Result of `fineTune`.  `Full` is the option `full`.
 * @template {boolean} [Full=boolean]
 * @typedef {object} FineTuned
 * @property {Float32Array} losses  loss of each step, in nats per token, [steps]
 * @property {number} heldOutBefore  loss of the held-out text before the first step; of the whole text if no token is
 *   held out
 * @property {number} heldOut       the same loss after the last step
 * @property {Full extends true ? null : import('./tuning/peft.js').AdapterFiles} adapter  the adapters; null with
 *   `full`
 * @property {Full extends true ? import('./tuning/export.js').Files : null} model  files of the trained model with
 *   `full`; otherwise null
 */

/**
 * Options of `fineTune` beside the settings of the training.
 * @typedef {object} FineTuningOptions
 * @property {'gguf' | 'safetensors'} [format]  format of `model`; default: that of the source
 * @property {'f32' | 'f16' | 'q8_0'} [type]    type of its matrices
 * @property {boolean} [worker]  whether the training runs in a Worker; default true in browsers, false in Node
 * @property {(began: TuningBegan) => unknown} [onBegan]  listener, called before the first step allocates memory. If
 *   it returns a promise, the first step waits for it
 * @property {(progress: import('./trainer.js').Progress) => void} [onProgress]  listener, called after each step
 * @property {AbortSignal} [finish]  signal that ends the training after the current step; the result has the
 *   weights of this step
 * @property {AbortSignal} [signal]  signal that ends the training at once and discards its weights
 */
/** Options of `fineTune`.  @typedef {import('./tuning/tuning.js').TuningOptions & FineTuningOptions} FineTuneOptions */

/**
 * Continues the training of a model on a text: adapters of low rank (LoRA) on the matrices of its blocks, or with
 * `full` all weights.  The weights of the file do not change; any type can have adapters.
 * @param {import('../model/load.js').ModelSource} source  file or files of the model, as in `load`
 * @param {string | ArrayLike<number>} text  text, or ids.  The last tenth of 20 or more tokens is held out for
 *   validation
 * @param {FineTuneOptions} [options]  settings
 * @returns {Promise<FineTuned>} losses, and the trained weights
 * @throws {HeedError} 'bad-argument', also for a text of less than three tokens. 'unsupported' for `full` with
 *   quantized weights. 'not-finite' if the training diverges. 'no-tokenizer', 'out-of-memory', 'aborted', and the
 *   errors of `load`
 * @see Hu et al. 2021 (arXiv:2106.09685)
 * @type {<Full extends boolean = false>(source: import('../model/load.js').ModelSource,
 *   text: string | ArrayLike<number>, options?: FineTuneOptions & { full?: Full }) => Promise<FineTuned<Full>>}
 */
export const fineTune = guarded('fineTune', async (source, text, options = {}) => {
  needOptions('fineTune', options,
    [...TUNING_OPTIONS, 'format', 'type', 'worker', 'onBegan', 'onProgress', 'finish', 'signal']);
  const { worker = IN_PAGE, ...rest } = options;
  if (rest.finish !== undefined && !(rest.finish instanceof AbortSignal)) {
    throw new HeedError('bad-argument', `fineTune: finish is ${quoted(rest.finish)}; it is an AbortSignal.`);
  }
  if (!rest.full && (rest.format ?? rest.type) !== undefined) {
    throw new HeedError('bad-argument', 'fineTune: format and type are of the model that full: true trains, and an ' +
      'adapter has neither. Leave them out, and give them to mergeAdapter.');
  }
  throwIfAborted(rest.signal);
  return worker ? tuneInWorker(source, text, rest) : tune(source, text, rest);
});

/**
 * @param {import('../model/load.js').ModelSource} source @param {string | ArrayLike<number>} text
 * @param {FineTuneOptions} options
 * @returns {Promise<FineTuned>}
 * @internal
 */
export async function tune(source, text, { onBegan, onProgress, format, type, finish, signal, ...settings }) {
  const tuning = await Tuning.open(source, text, { ...settings, ...(signal && { signal }) });
  const written = { ...(format && { format }), ...(type && { type }) };
  try {
    tuning.needFormat(written);
    const { memory, parameters, context, tokens, trainer } = tuning;
    await onBegan?.({ memory, parameters, context, tokens });
    throwIfAborted(signal);
    const { heldOut: heldOutBefore } = trainer.validate();
    /** @type {number[]} */
    const losses = [];
    const report = (/** @type {import('./trainer.js').Progress} */ progress) => {
      losses.push(progress.loss);
      onProgress?.(progress);
      return progress.figures !== null;
    };
    let validated = true; // after 0 steps
    const ends = AbortSignal.any([finish, signal].flatMap((each) => each ?? []));
    for await (const progress of trainer.run({ signal: ends })) validated = report(progress);
    throwIfAborted(signal);
    if (trainer.step > losses.length) { // `finish` ended a validation, and `run` repeats it
      for await (const progress of trainer.run()) {
        validated = report(progress);
        break;
      }
    }
    if (!validated) trainer.validate();
    const model = await tuning.model(written);
    return { losses: Float32Array.from(losses), heldOutBefore, heldOut: trainer.figures.heldOut,
      adapter: tuning.adapter(), model };
  } finally {
    tuning.dispose();
  }
}

/**
 * @param {any} source @param {string | ArrayLike<number>} text
 * @param {FineTuneOptions} options
 * @returns {Promise<FineTuned>}
 */
async function tuneInWorker(source, text, { onBegan, onProgress, finish, signal, ...settings }) {
  // A copy that a message can carry; the worker checks the numbers.
  const ids = typeof text === 'string' || !(text?.length > 0) ? text : Array.from(text);
  let finishing = () => {};
  try {
    return await callWorker('tune', { source: cloneable(source), text: ids, settings }, {
      ...(signal && { signal }),
      onStarted(post) {
        finishing = () => post({ order: 'finish' });
        if (finish?.aborted) finishing();
        finish?.addEventListener('abort', finishing);
      },
      async onMessage({ tuning, progress }, post) {
        try {
          if (tuning) await onBegan?.(tuning);
          else onProgress?.(progress);
        } catch (error) {
          throw ourError(tuning ? 'onBegan' : 'onProgress', error);
        }
        if (tuning) post({ order: 'begin' });
      },
    });
  } finally {
    finish?.removeEventListener('abort', finishing);
  }
}
