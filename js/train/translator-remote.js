/** A translator in a worker, client side: the page sends texts and the worker computes. */
import { reasonOf, startWorker } from '../engine/port.js';
import { HeedError, revived } from '../errors.js';
import { Translation } from './models/translation.js';

const start = () => new Worker(new URL('./translator-worker.js', import.meta.url), { type: 'module' });

/**
 * @typedef {import('./models/index.js').TranslateOptions} TranslateOptions
 *
 * @typedef {object} Pending     a request without an answer
 * @property {number} call
 * @property {string} order
 * @property {object} parameters
 * @property {(result: any) => void} resolve
 * @property {(reason: Error) => void} reject
 */

/**
 * A translator that runs in a worker. It translates one text at a time. A new text supersedes an older one that waits.
 */
export class RemoteTranslator {
  #worker;
  /** The newest request. @type {Pending | null} */ #pending = null;
  #calls = 0;
  /** Whether the worker is starting or computing. */
  #busy = true;
  /** @type {HeedError | null} */ #disposed = null;

  /** @param {import('../engine/port.js').ClientPort} worker */
  constructor(worker) {
    this.#worker = worker;
    worker.listen((message) => this.#receive(message), (cause) => this.#end(new HeedError('unavailable',
      `The worker that translates could not start or has died: ${reasonOf(cause)}. Open the model again.`, { cause })));
  }

  /**
   * Opens a translator in a worker.
   * @param {import('../lab/state.js').Bytes} file  file that `heed train` wrote
   * @returns {Promise<RemoteTranslator>} the open translator
   * @throws {HeedError} the errors of `openTranslator`; 'unavailable' if no worker can run
   */
  static async open(file) {
    const translator = new RemoteTranslator(await startWorker(start, '../train/translator-worker.js'));
    try {
      await translator.#request('open', { file });
      return translator;
    } catch (error) {
      translator.dispose();
      throw error;
    }
  }

  /**
   * Translates a text.
   * @param {string} text  source text
   * @param {TranslateOptions} [options]  settings
   * @returns {Promise<Translation>} translation with its attention maps
   * @throws {HeedError} the errors of `translate` of `openTranslator`; 'superseded' if a newer text arrived first;
   *   'disposed'
   */
  async translate(text, options) {
    return Translation.from(await this.#request('translate', { text, options }));
  }

  /** Ends the worker and frees its memory. */
  dispose() {
    this.#end(new HeedError('disposed', 'The translator was disposed.'));
  }

  /** @param {string} order @param {object} parameters @returns {Promise<any>} */
  #request(order, parameters) {
    if (this.#disposed) return Promise.reject(this.#disposed);
    this.#pending?.reject(new HeedError('superseded', 'Another text was given before this one was translated.'));
    return new Promise((resolve, reject) => {
      this.#pending = { call: ++this.#calls, order, parameters, resolve, reject };
      if (!this.#busy) this.#post();
    });
  }

  #post() {
    if (!this.#pending) return;
    const { call, order, parameters, reject } = this.#pending;
    try {
      this.#worker.post({ call, order, parameters });
      this.#busy = true;
    } catch (error) { // no message was sent
      this.#pending = null;
      reject(/** @type {HeedError} */ (error));
    }
  }

  /** @param {{ ready?: boolean, call?: number, result?: any, error?: any }} message */
  #receive({ call, result, error }) {
    this.#busy = false;
    if (!this.#pending || this.#pending.call !== call) return this.#post(); // a newer request waits
    const { resolve, reject } = this.#pending;
    this.#pending = null;
    if (error) reject(revived(error));
    else resolve(result);
  }

  /** @param {HeedError} reason */
  #end(reason) {
    if (this.#disposed) return;
    this.#disposed = reason;
    this.#worker.terminate();
    this.#pending?.reject(reason);
    this.#pending = null;
  }
}
