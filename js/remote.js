import { HeedError, quoted, revived, throwIfAborted } from './errors.js';
import { CALLS, needOptions } from './options.js';
import { startWorker } from './port.js';

/** @typedef {import('./load.js').LoadOptions} LoadOptions */
/** @typedef {import('./load.js').ModelSource} ModelSource */
/** @typedef {import('./model.js').Model} Model */
/** @typedef {import('./model.js').ModelInfo} ModelInfo */
/** @typedef {LoadOptions['onProgress']} OnProgress */
/** @typedef {{ resolve: (value: any) => void, reject: (error: Error) => void, onProgress?: OnProgress }} Waiting */

const start = () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });

/**
 * The Model of js/model.js behind a Worker: the same calls, answered by messages.  The page's thread never computes.
 */
export class RemoteModel {
  /** @type {ModelInfo} */ info = /** @type {any} */ (null);
  /** Names of every activation that hooks can reach. @type {string[]} */ hooks = [];
  #worker;
  #calls = 0;
  /** @type {Map<number, Waiting>} */ #waiting = new Map();
  /** What the session held when the worker last spoke. */
  #ids = new Int32Array(0);
  /** @type {HeedError | null} */ #over = null;
  /** @type {Promise<void>} */ #started;
  /** @type {() => void} */ #onReady = () => {};

  /** @param {import('./port.js').NearPort} worker */
  constructor(worker) {
    this.#worker = worker;
    this.#started = new Promise((resolve) => (this.#onReady = resolve));
    worker.listen(
      (message) => this.#receive(message),
      (cause) =>
        this.#end(
          new HeedError(
            'unavailable',
            'The worker that runs the model could not start or has died' +
              `${cause?.message ? `: ${cause.message}` : ''}. Load the model again.`,
            { cause },
          ),
        ),
    );
  }

  /**
   * @param {ModelSource} source
   * @param {LoadOptions} options
   * @returns {Promise<RemoteModel>}
   */
  static async load(source, { signal, onProgress, worker: _, ...options }) {
    throwIfAborted(signal);
    const model = new RemoteModel(await startWorker(start, './worker.js'));
    try {
      const { info, hooks } = await model.#call('load', [cloneable(source), options], signal, onProgress);
      model.info = info;
      model.hooks = hooks;
      return model;
    } catch (error) {
      model.dispose();
      throw error;
    }
  }

  /** Tokens in the session. */
  get position() {
    return this.#ids.length;
  }

  /** The ids in the session. */
  get ids() {
    return this.#ids.slice();
  }

  /** @type {Model['encode']} */
  encode(text) {
    return this.#call('encode', [text]);
  }

  /** @type {Model['decode']} */
  decode(ids) {
    return this.#call('decode', [plain(ids)]);
  }

  /** @type {Model['tokens']} */
  tokens(ids) {
    return this.#call('tokens', [plain(ids)]);
  }

  /** @type {Model['forward']} */
  async forward(ids, given = {}) {
    needOptions('forward', given, CALLS.forward);
    const { signal, ...options } = given;
    return this.#call('forward', [plain(ids), options], signal);
  }

  /** @type {Model['attention']} */
  attention(at) {
    return this.#call('attention', [at]);
  }

  /** @type {Model['attentionRows']} */
  attentionRows(at) {
    return this.#call('attentionRows', [at]);
  }

  /** @type {Model['runWithCache']} */
  async runWithCache(ids, names, given = {}) {
    needOptions('runWithCache', given, CALLS.runWithCache);
    const { signal, ...options } = given;
    return this.#call('runWithCache', [plain(ids), names, options], signal);
  }

  /** @type {Model['runWithHooks']} */
  async runWithHooks(ids, edits, options) {
    needOptions('runWithHooks', options, CALLS.runWithHooks);
    return (await this.runWithCache(ids, [], { ...options, edits })).logits;
  }

  /**
   * @param {string | ArrayLike<number>} prompt
   * @param {import('./generate.js').GenerateOptions} [given]
   * @returns {ReturnType<Model['generate']>}
   */
  async *generate(prompt, given = {}) {
    needOptions('generate', given, CALLS.generate);
    const { signal, ...options } = given;
    const generation = this.#calls;
    const stop = () => this.#send({ abort: generation });
    await this.#call('generate', [typeof prompt === 'string' ? prompt : plain(prompt), options]);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      if (signal?.aborted) stop();
      let step = await this.#call('next', [generation]);
      for (; !step.done; step = await this.#call('next', [generation])) yield step.value;
      return step.value;
    } finally {
      signal?.removeEventListener('abort', stop);
      if (!this.#over) await this.#call('finish', [generation]);
    }
  }

  /** @type {Model['rewind']} */
  rewind(position) {
    if (this.#over) throw this.#over;
    if (!Number.isInteger(position) || position < 0 || position > this.position) {
      throw new HeedError(
        'bad-argument',
        `Cannot go back to position ${quoted(position)}; the session has ${this.position}.`,
      );
    }
    this.#ids = this.#ids.slice(0, position);
    this.#call('rewind', [position]).catch(() => {}); // messages keep their order: what follows finds it done
  }

  dispose() {
    this.#end(new HeedError('disposed', 'This model was disposed of. Load it again.'));
  }

  /**
   * @param {string} method
   * @param {any[]} parameters
   * @param {AbortSignal} [signal]
   * @param {LoadOptions['onProgress']} [onProgress]
   * @returns {Promise<any>}
   */
  async #call(method, parameters, signal, onProgress) {
    if (this.#over) throw this.#over;
    throwIfAborted(signal);
    const call = this.#calls++;
    // A worker's first messages are lost in some engines if they come before its modules have run.
    const post = (/** @type {object} */ message) => void this.#started.then(() => this.#send(message));
    const abort = () => post({ abort: call });
    const answer = new Promise((resolve, reject) => this.#waiting.set(call, { resolve, reject, onProgress }));
    post({ call, method, parameters });
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await answer;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** @param {object} message */
  #send(message) {
    if (this.#over) return;
    try {
      this.#worker.post(message);
    } catch (error) {
      const { call } = /** @type {{ call: number }} */ (message);
      this.#waiting.get(call)?.reject(/** @type {HeedError} */ (error));
      this.#waiting.delete(call);
    }
  }

  /** @param {any} message */
  #receive(message) {
    if (message.ready) return this.#onReady();
    const waiting = this.#waiting.get(message.call);
    if (message.progress) return waiting?.onProgress?.(message.progress);
    this.#waiting.delete(message.call);
    if (message.ids) this.#ids = message.ids;
    if (message.error) waiting?.reject(revived(message.error));
    else waiting?.resolve(message.result);
  }

  /** @param {HeedError} reason */
  #end(reason) {
    if (this.#over) return;
    this.#over = reason;
    this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
    this.#ids = new Int32Array(0);
  }
}

/** Ids as a message can carry them; what is no array is left for the model to refuse.
 *  @param {ArrayLike<number>} ids */
function plain(ids) {
  return ids !== null && typeof ids === 'object' && !ArrayBuffer.isView(ids) ? Array.from(ids) : ids;
}

/** A source as a message can carry it: addresses become absolute, for the worker lies elsewhere.
 *  @param {any} source @returns {any} */
function cloneable(source) {
  if (source instanceof URL) return source.href;
  if (typeof source === 'string')
    return typeof document === 'object' ? new URL(source, document.baseURI).href : source;
  if (Array.isArray(source)) return source.map(cloneable);
  const files = typeof source === 'object' && source !== null && 'weights' in source;
  return files ? Object.fromEntries(Object.entries(source).map(([part, value]) => [part, cloneable(value)])) : source;
}
