/** A translator in a Worker's thread, the near end: a page asks, and never computes. */
import { startWorker } from '../engine/port.js';
import { HeedError, revived } from '../errors.js';
import { Translation } from './models/translation.js';

const start = () => new Worker(new URL('./translator-worker.js', import.meta.url), { type: 'module' });

/**
 * @typedef {import('./models/index.js').TranslateOptions} TranslateOptions
 *
 * @typedef {object} Wanted      a question whose answer somebody waits for
 * @property {number} call
 * @property {string} order
 * @property {object} parameters
 * @property {(result: any) => void} resolve
 * @property {(reason: Error) => void} reject
 */

/**
 * One text is translated at a time and the newest wins: who writes while an older text is translated waits for that one
 * to end, not for all that were written in between.
 */
export class RemoteTranslator {
  #worker;
  /** The newest question. @type {Wanted | null} */ #wanted = null;
  #calls = 0;
  /** Whether the worker cannot take another question now. */
  #busy = true;
  /** @type {HeedError | null} */ #over = null;

  /** @param {import('../engine/port.js').ClientPort} worker */
  constructor(worker) {
    this.#worker = worker;
    worker.listen((message) => this.#receive(message), (cause) => this.#end(new HeedError('unavailable',
      `The worker that translates could not start or has died${cause?.message ? `: ${cause.message}` : ''}. ` +
      'Open the model again.', { cause })));
  }

  /**
   * @param {import('../lab/state.js').Bytes} file as `heed train` writes it
   * @returns {Promise<RemoteTranslator>}
   * @throws {HeedError} what `openTranslator` throws; 'unavailable' where no worker can run
   */
  static async open(file) {
    const translator = new RemoteTranslator(await startWorker(start, '../train/translator-worker.js'));
    try {
      await translator.#ask('open', { file });
      return translator;
    } catch (error) {
      translator.dispose();
      throw error;
    }
  }

  /**
   * @param {string} text @param {TranslateOptions} [options]
   * @returns {Promise<Translation>}
   * @throws {HeedError} what `translate` of `openTranslator` throws; 'superseded' where another text was given before
   *   this one was translated
   */
  async translate(text, options) {
    return Translation.from(await this.#ask('translate', { text, options }));
  }

  /** Ends the worker and gives its memory back. */
  dispose() {
    this.#end(new HeedError('disposed', 'The translator was disposed of.'));
  }

  /** @param {string} order @param {object} parameters @returns {Promise<any>} */
  #ask(order, parameters) {
    if (this.#over) return Promise.reject(this.#over);
    this.#wanted?.reject(new HeedError('superseded', 'Another text was given before this one was translated.'));
    return new Promise((resolve, reject) => {
      this.#wanted = { call: ++this.#calls, order, parameters, resolve, reject };
      if (!this.#busy) this.#post();
    });
  }

  #post() {
    if (!this.#wanted) return;
    const { call, order, parameters, reject } = this.#wanted;
    try {
      this.#worker.post({ call, order, parameters });
      this.#busy = true;
    } catch (error) { // nothing was sent
      this.#wanted = null;
      reject(/** @type {HeedError} */ (error));
    }
  }

  /** @param {{ ready?: boolean, call?: number, result?: any, error?: any }} message */
  #receive({ call, result, error }) {
    this.#busy = false;
    if (!this.#wanted || this.#wanted.call !== call) return this.#post(); // it is ready, or is asked for something else
    const { resolve, reject } = this.#wanted;
    this.#wanted = null;
    if (error) reject(revived(error));
    else resolve(result);
  }

  /** @param {HeedError} reason */
  #end(reason) {
    if (this.#over) return;
    this.#over = reason;
    this.#worker.terminate();
    this.#wanted?.reject(reason);
    this.#wanted = null;
  }
}
