/** Goes on training a loaded model, in this thread or in a Worker. */
import { startWorker } from '../engine/port.js';
import { HeedError, revived, throwIfAborted } from '../errors.js';
import { guarded, ourError } from '../guard.js';
import { cloneable } from '../model/source-message.js';
import { needOptions } from '../options.js';
import { TUNING_OPTIONS, Tuning } from './tuning/tuning.js';

/**
 * State before the first step.
 * @typedef {object} TuningBegan
 * @property {import('./tuning/tuning.js').TuningMemory} memory  memory that the training will take, in bytes
 * @property {number} parameters  number of numbers that learn
 * @property {number} context     number of tokens in a window
 */

/**
 * Result of `fineTune`.
 * @typedef {object} FineTuned
 * @property {Float32Array} losses  loss of each step, in nats per token, [steps]
 * @property {number} heldOut       loss of the held-out text after the last step
 * @property {import('./tuning/peft.js').AdapterFiles | null} adapter  the adapters; null with `full`
 * @property {import('./tuning/export.js').Files | null} model  files of the trained model with `full`; otherwise null
 */

/**
 * Options of `fineTune` beside the settings of the training.
 * @typedef {object} FineTuneOptions
 * @property {'gguf' | 'safetensors'} [format]  format of `model`; default: that of the source
 * @property {'f32' | 'f16' | 'q8_0'} [type]    type of its matrices
 * @property {boolean} [worker]  whether the training runs in a Worker; default true in browsers, false in Node
 * @property {(began: TuningBegan) => void} [onBegan]  listener, called before memory for the first step is taken
 * @property {(progress: import('./trainer.js').Progress) => void} [onProgress]  listener, called after each step
 * @property {AbortSignal} [signal]  signal that ends the training; what it learned is lost
 */

const IN_PAGE = typeof window === 'object' && typeof document === 'object' && typeof Worker === 'function';
const start = () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });

/**
 * Goes on training a model on a text: adapters of low rank (LoRA) on the matrices of its blocks, or with `full` all
 * weights.  The weights of the file do not change; any type can have adapters.
 * @param {import('../model/load.js').ModelSource} source  file or files of the model, as in `load`
 * @param {string | ArrayLike<number>} text  text, or ids.  Its last tenth is held out for validation
 * @param {import('./tuning/tuning.js').TuningOptions & FineTuneOptions} [options]  settings
 * @returns {Promise<FineTuned>} losses, and what the model learned
 * @throws {HeedError} 'bad-argument', also for a text of less than three tokens. 'unsupported' for `full` with
 *   quantized weights. 'not-finite' if the training diverges. 'no-tokenizer', 'out-of-memory', 'aborted', and the
 *   errors of `load`
 * @see Hu et al. 2021 (arXiv:2106.09685)
 */
export const fineTune = guarded('fineTune', async (source, text, options = {}) => {
  needOptions('fineTune', options,
    [...TUNING_OPTIONS, 'format', 'type', 'worker', 'onBegan', 'onProgress', 'signal']);
  const { worker = IN_PAGE, ...rest } = options;
  throwIfAborted(rest.signal);
  return worker ? tuneInWorker(source, text, rest) : tune(source, text, rest);
});

/**
 * @param {import('../model/load.js').ModelSource} source @param {string | ArrayLike<number>} text
 * @param {import('./tuning/tuning.js').TuningOptions & FineTuneOptions} options
 * @returns {Promise<FineTuned>}
 * @internal
 */
export async function tune(source, text, { onBegan, onProgress, format, type, signal, ...settings }) {
  const tuning = await Tuning.open(source, text, { ...settings, ...(signal && { signal }) });
  try {
    const { memory, parameters, context, trainer } = tuning;
    onBegan?.({ memory, parameters, context });
    /** @type {number[]} */
    const losses = [];
    for await (const progress of trainer.run(signal ? { signal } : {})) {
      losses.push(progress.loss);
      onProgress?.(progress);
    }
    throwIfAborted(signal);
    const model = await tuning.model({ ...(format && { format }), ...(type && { type }) });
    return { losses: Float32Array.from(losses), heldOut: trainer.figures.heldOut, adapter: tuning.adapter(), model };
  } finally {
    tuning.dispose();
  }
}

/**
 * @param {any} source @param {string | ArrayLike<number>} text
 * @param {import('./tuning/tuning.js').TuningOptions & FineTuneOptions} options
 * @returns {Promise<FineTuned>}
 */
async function tuneInWorker(source, text, { onBegan, onProgress, signal, ...settings }) {
  const worker = await startWorker(start, '../train/worker.js');
  /** @type {(() => void) | undefined} */
  let cancel;
  try {
    return await new Promise((resolve, reject) => {
      /** @param {string} name @param {((news: any) => void) | undefined} listener @param {any} news */
      const notify = (name, listener, news) => {
        try {
          listener?.(news);
        } catch (error) {
          reject(ourError(name, error));
        }
      };
      cancel = () => {
        try {
          throwIfAborted(signal);
        } catch (error) {
          reject(error);
        }
      };
      signal?.addEventListener('abort', cancel);
      cancel(); // aborted while the worker started
      worker.listen((message) => {
        if (message.ready) {
          const ids = typeof text === 'string' ? text : Int32Array.from(text);
          worker.post({ order: 'tune', parameters: { source: cloneable(source), text: ids, settings } });
        } else if (message.tuning) notify('onBegan', onBegan, message.tuning);
        else if (message.progress) notify('onProgress', onProgress, message.progress);
        else if (message.error) reject(revived(message.error));
        else resolve(message.tuned);
      }, (cause) => reject(new HeedError('unavailable', 'The worker that trains could not start or has died' +
        `${cause?.message ? `: ${cause.message}` : ''}. Start the training again.`, { cause })));
    });
  } finally {
    if (cancel) signal?.removeEventListener('abort', cancel);
    worker.terminate();
  }
}
