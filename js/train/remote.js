/** A training in a Worker's thread, the near end: a page draws, and never computes. */
import { startWorker } from '../engine/port.js';
import { HeedError, revived, throwIfAborted } from '../errors.js';
import { ourError } from '../guard.js';
import { needCounts, needInRange } from '../lab/arguments.js';
import { needOptions } from '../options.js';

const start = () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });

/** Frames that a history has, if nothing else is asked for. */
const FRAMES = 100;

/**
 * @typedef {import('./trainer.js').Watched & { step: number }} Frame  what the model saw after so many steps
 *
 * @typedef {object} Began
 * @property {number} steps
 * @property {import('./trainer.js').Recipe<any, any, any>['goal']} goal
 * @property {Frame} frame  before the first step
 *
 * @typedef {object} Learned
 * @property {number} step         steps done
 * @property {number[]} losses     of each step since the last time
 * @property {number | null} secondsLeft
 * @property {Record<string, number> | null} figures  where there was a validation
 * @property {Frame | null} frame  where one was due
 *
 * @typedef {object} Ended
 * @property {number} step
 * @property {Record<string, number>} figures  of the last validation
 * @property {boolean} meetsGoal
 * @property {Uint8Array} file     the trained weights, safetensors
 *
 * @typedef {object} TrainingOptions
 * @property {number} [seed]    of the first weights and of the batches
 * @property {number} [steps]   instead of the recipe's
 * @property {number} [frames]  how many times in the whole the recipe's example is looked at
 * @property {(began: Began) => void} [onBegan]
 * @property {(learned: Learned) => void} [onLearned]
 * @property {AbortSignal} [signal]  an abort cancels it at once
 */

export class RemoteTraining {
  /** Fulfilled after the last step; rejected when it fails or is cancelled. @type {Promise<Ended>} */
  ended;
  #worker;
  #options;
  #step = 0;
  /** @type {(ended: Ended) => void} */ #resolve = () => {};
  /** @type {(reason: Error) => void} */ #reject = () => {};
  #over = false;
  #onAbort = () => this.cancel();

  /** @param {import('../engine/port.js').ClientPort} worker @param {string} name @param {TrainingOptions} options */
  constructor(worker, name, options) {
    this.#worker = worker;
    this.#options = options;
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.ended.catch(() => {}); // whoever wants to know asks for it
    const { seed = 1, steps, frames = FRAMES, signal } = options;
    worker.listen(
      (message) => (message.ready ? this.#order('start', { name, seed, steps, frames }) : this.#receive(message)),
      (cause) => this.#fail(new HeedError('unavailable', 'The worker that trains could not start or has died' +
        `${cause?.message ? `: ${cause.message}` : ''}. Start the training again.`, { cause })));
    signal?.addEventListener('abort', this.#onAbort);
    if (signal?.aborted) this.cancel(); // while the worker was started
  }

  /**
   * Starts to train by a recipe that needs no files.
   * @param {string} name of the recipe
   * @param {TrainingOptions} [options]
   */
  static async start(name, options = {}) {
    needOptions('start', options, ['seed', 'steps', 'frames', 'onBegan', 'onLearned', 'signal']);
    const { seed = 1, steps = 1, frames = FRAMES } = options;
    needInRange('start', { seed }, { whole: true });
    needCounts('start', { steps, frames });
    throwIfAborted(options.signal);
    return new RemoteTraining(await startWorker(start, '../train/worker.js'), name, options);
  }

  /** Stops after the step that runs, until `resume`. */
  pause() {
    this.#order('pause');
  }

  /** Goes on, with the same bits as if nothing had been. */
  resume() {
    this.#order('resume');
  }

  /** Ends it at once and gives its memory back; what was told so far stays true. */
  cancel() {
    this.#fail(new HeedError('aborted', `The training was cancelled after step ${this.#step}.`));
  }

  /** @param {string} order @param {object} [parameters] */
  #order(order, parameters) {
    if (!this.#over) this.#worker.post({ order, parameters });
  }

  /** @param {any} message */
  #receive(message) {
    if (this.#over) return;
    if (message.began) this.#tell('onBegan', message.began);
    else if (message.learned) {
      this.#step = message.learned.step;
      this.#tell('onLearned', message.learned);
    } else if (message.error) this.#fail(revived(message.error));
    else this.#end(() => this.#resolve(message.ended));
  }

  /** An error of a listener ends the training, and not the program.
   *  @param {'onBegan' | 'onLearned'} name @param {any} news */
  #tell(name, news) {
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
    if (this.#over) return;
    this.#over = true;
    this.#worker.terminate();
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    settle();
  }
}
