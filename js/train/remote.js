/** Training in a worker, client side: the page draws and the worker computes. */
import { reasonOf, startWorker } from '../engine/port.js';
import { HeedError, revived, throwIfAborted } from '../errors.js';
import { ourError } from '../guard.js';
import { needCounts, needInRange } from '../lab/arguments.js';
import { needOptions } from '../options.js';

const start = () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });

/** Default number of frames. */
const FRAMES = 100;

/**
 * Attention of the model on the recipe's example after a number of steps.
 * @typedef {import('./trainer.js').Watched & { step: number, file?: Uint8Array<ArrayBuffer> }} Frame  file: the
 *   weights at this step as a safetensors file, if the training was started with `files`
 */

/**
 * State before the first step.
 * @typedef {object} Began
 * @property {number} steps  number of all steps
 * @property {import('./trainer.js').Recipe['goal']} goal  condition on the last validation
 * @property {Frame} frame   frame of the initial weights
 */

/**
 * Progress since the last message.
 * @typedef {object} Learned
 * @property {number} step      number of steps done
 * @property {number[]} losses  loss of each step since the last message
 * @property {number | null} secondsLeft  estimated time to the end in seconds
 * @property {Record<string, number> | null} figures  figures of a validation; null without one
 * @property {Frame | null} frame  frame after this step; null without one
 */

/**
 * Result of a training.
 * @typedef {object} Ended
 * @property {number} step        number of steps done
 * @property {Record<string, number>} figures  figures of the last validation
 * @property {boolean} meetsGoal  whether they meet the recipe's goal
 * @property {Uint8Array<ArrayBuffer>} file  trained weights as a safetensors file
 */

/**
 * Options of a training in a worker.
 * @typedef {object} TrainingOptions
 * @property {number} [seed]    seed of weights and batches; default 1
 * @property {number} [steps]   number of steps; default that of the recipe
 * @property {import('./trainer.js').Size} [size]  layers and heads of the model, for the recipes copy, reverse and
 *   sort, whose width is 32; default its own size
 * @property {number} [frames]  number of frames over the whole training; default 100
 * @property {boolean} [files]  whether each frame has the weights as a file; default false
 * @property {(began: Began) => void} [onBegan]  listener, called once before the first step
 * @property {(learned: Learned) => void} [onLearned]  listener, called at most every 50 ms and at every frame
 * @property {AbortSignal} [signal]  signal whose abort cancels the training at once
 */

/** A training that runs in a worker. */
export class RemoteTraining {
  /** Result of the training. It rejects with 'aborted' after `cancel`, and with the error of a failed training.
   *  @type {Promise<Ended>} */
  ended;
  #worker;
  #options;
  #step = 0;
  /** @type {(ended: Ended) => void} */ #resolve = () => {};
  /** @type {(reason: Error) => void} */ #reject = () => {};
  #settled = false;
  #onAbort = () => this.cancel();

  /** @param {import('../engine/port.js').ClientPort} worker @param {string} name @param {TrainingOptions} options */
  constructor(worker, name, options) {
    this.#worker = worker;
    this.#options = options;
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.ended.catch(() => {}); // a rejection without a listener is not an unhandled one
    const { seed = 1, steps, size, frames = FRAMES, files = false, signal } = options;
    worker.listen(
      (message) => (message.ready ? this.#order('start', { name, seed, steps, size, frames, files })
        : this.#receive(message)),
      (cause) => this.#fail(new HeedError('unavailable', 'The worker that trains could not start or has died: ' +
        `${reasonOf(cause)}. Start the training again.`, { cause })));
    signal?.addEventListener('abort', this.#onAbort);
    if (signal?.aborted) this.cancel(); // aborted while the worker started
  }

  /**
   * Starts a worker and trains in it.
   * @param {string} name  name of a recipe without data files
   * @param {TrainingOptions} [options]  settings
   * @returns {Promise<RemoteTraining>} the running training
   * @throws {HeedError} 'bad-argument', 'aborted', 'unavailable' if no worker can run. `ended` rejects with
   *   'unsupported' if the recipe has one size only, and 'bad-shape' if the heads do not divide the model's width
   */
  static async start(name, options = {}) {
    needOptions('start', options, ['seed', 'steps', 'size', 'frames', 'files', 'onBegan', 'onLearned', 'signal']);
    const { seed = 1, steps = 1, size = {}, frames = FRAMES } = options;
    needOptions('size', size, ['layers', 'heads']);
    needInRange('start', { seed }, { whole: true });
    needCounts('start', { steps, frames, ...size });
    throwIfAborted(options.signal);
    return new RemoteTraining(await startWorker(start, '../train/worker.js'), name, options);
  }

  /** Stops after the current step, until `resume`. */
  pause() {
    this.#order('pause');
  }

  /** Continues a paused training, with the same bits as an uninterrupted one. */
  resume() {
    this.#order('resume');
  }

  /** Ends the training at once and frees its memory. `ended` rejects with 'aborted'. */
  cancel() {
    this.#fail(new HeedError('aborted', `The training was cancelled after step ${this.#step}.`));
  }

  /** @param {string} order @param {object} [parameters] */
  #order(order, parameters) {
    if (!this.#settled) this.#worker.post({ order, parameters });
  }

  /** @param {any} message */
  #receive(message) {
    if (this.#settled) return;
    if (message.began) this.#notify('onBegan', message.began);
    else if (message.learned) {
      this.#step = message.learned.step;
      this.#notify('onLearned', message.learned);
    } else if (message.error) this.#fail(revived(message.error));
    else this.#end(() => this.#resolve(message.ended));
  }

  /** Calls a listener. An error in it ends the training.
   *  @param {'onBegan' | 'onLearned'} name @param {any} news */
  #notify(name, news) {
    try {
      this.#options[name]?.(news);
    } catch (error) {
      this.#fail(ourError(name, error));
    }
  }

  /** @param {Error} reason */
  #fail(reason) {
    this.#end(() => this.#reject(reason));
  }

  /** @param {() => void} settle */
  #end(settle) {
    if (this.#settled) return;
    this.#settled = true;
    this.#worker.terminate();
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    settle();
  }
}
