import { startWorker } from '../engine/port.js';
import { HeedError, abortable, quoted, revived, throwIfAborted } from '../errors.js';
import { ourError } from '../guard.js';
import { CALLS, needOptions } from '../options.js';
import { superseded } from './generate.js';

/** @typedef {import('./load.js').LoadOptions} LoadOptions */
/** @typedef {import('./load.js').ModelSource} ModelSource */
/** @typedef {import('./model.js').Model} Model */
/** @typedef {import('./model.js').ModelInfo} ModelInfo */
/** @typedef {LoadOptions['onProgress']} OnProgress */
/** @typedef {import('./serve.js').Bunch} Bunch */
/** @typedef {import('./generate.js').Step} Step */
/** @typedef {import('./generate.js').Summary} Summary */
/** @typedef {{ resolve: (value: any) => void, reject: (error: Error) => void, onProgress?: OnProgress }} Waiting */

/** Bunches of steps that are under way while the caller reads one: the worker computes them meanwhile, and waits when
 *  nobody reads. */
const AHEAD = 4;

// A GGUF file has a worker of its own, without the code for other formats. That code cannot be a dynamic import of one
// worker, because Vite 5 builds no worker that has dynamic imports.
const startAny = () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
const startGguf = () => new Worker(new URL('./gguf-worker.js', import.meta.url), { type: 'module' });

/**
 * The Model of model.js behind a Worker: the same calls, answered by messages.  The page's thread never computes.
 * While a text is generated the worker is some steps ahead of its reader.  All calls answer as if it were not: the
 * session ends at the step that was read last.
 */
export class RemoteModel {
  /** @type {ModelInfo} */ info = /** @type {any} */ (null);
  /** Names of the activations that this model has. @type {string[]} */ hooks = [];
  #worker;
  #calls = 0;
  /** @type {Map<number, Waiting>} */ #waiting = new Map();
  /** What the session held when the worker last spoke. @type {Int32Array} */
  #ids = new Int32Array(0);
  /** The generation that has the session. @type {object | null} */
  #reading = null;
  /** Tokens in the session at the step that its reader has read last. @type {number | null} */
  #read = null;
  /** @type {HeedError | null} */ #over = null;
  /** @type {Promise<void>} */ #started;
  /** @type {() => void} */ #onReady = () => {};

  /** @param {import('../engine/port.js').NearPort} worker */
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
    const model = new RemoteModel(await (isFileSet(source)
      ? startWorker(startAny, '../model/worker.js')
      : startWorker(startGguf, '../model/gguf-worker.js')));
    try {
      const loading = model.#call('load', [cloneable(source), options], signal, onProgress);
      const { info, hooks } = await abortable(loading, signal); // a small file may be read before the worker hears
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
    return this.#read ?? this.#ids.length;
  }

  /** The ids in the session. */
  get ids() {
    return this.#ids.slice(0, this.position);
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
    const read = this.#take(null);
    if (read !== null) this.#post('rewind', [read]);
    return this.#call('forward', [plain(ids), options], signal);
  }

  /** @type {Model['attention']} */
  attention(at) {
    return this.#call('attention', [this.#asRead(at)]);
  }

  /** @type {Model['attentionRows']} */
  attentionRows(at) {
    return this.#call('attentionRows', [this.#asRead(at)]);
  }

  /** @type {Model['runWithCache']} */
  async runWithCache(ids, names, given = {}) {
    needOptions('runWithCache', given, CALLS.runWithCache);
    const { signal, ...options } = given;
    this.#take(null);
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
    const reading = {};
    this.#take(reading);
    const ask = () => {
      const bunch = this.#call('next', [generation]);
      bunch.catch(() => {}); // of those that nobody reads any more
      return bunch;
    };
    signal?.addEventListener('abort', stop, { once: true });
    /** @type {Step[]} */
    const read = [];
    let left = true;
    try {
      if (signal?.aborted) stop();
      const ahead = Array.from({ length: AHEAD }, ask);
      for (;;) {
        const { steps, ids, summary, error } = /** @type {Bunch} */ (await ahead.shift());
        if (!summary && !error) ahead.push(ask());
        for (const step of steps) {
          if (this.#over) throw this.#over;
          if (this.#reading !== reading) throw superseded();
          if (signal?.aborted && read.length > 0) continue;
          this.#ids = ids;
          this.#read = step.position;
          read.push(step);
          yield step;
        }
        if (error) throw revived(error);
        if (!summary) continue;
        left = read.length < summary.ids.length;
        return left ? cut(summary, read) : summary;
      }
    } finally {
      signal?.removeEventListener('abort', stop);
      const position = left && this.#reading === reading && this.#read !== null ? this.#read : undefined;
      if (!this.#over) await this.#call('finish', [generation, position]);
      if (this.#reading === reading) this.#take(null);
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
    this.#take(null);
    this.#post('rewind', [position]);
  }

  /**
   * Gives the session to a generation or, with null, to a call; the generation that had it is superseded.
   * @param {object | null} reading
   * @returns {number | null} where the session ended for the reader of that generation
   */
  #take(reading) {
    const read = this.#read;
    this.#reading = reading;
    this.#read = null;
    return read;
  }

  /** Which map is meant: that of the session as the reader of a generation knows it.
   *  @param {any} at @returns {any} */
  #asRead(at) {
    if (this.#read === null || (at !== undefined && (typeof at !== 'object' || at === null))) return at;
    return { ...at, position: at?.position ?? this.#read };
  }

  /** A call whose answer is not waited for.  Messages keep their order: the calls after it find it done.
   *  @param {string} method @param {any[]} parameters */
  #post(method, parameters) {
    this.#call(method, parameters).catch(() => {});
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
    this.#worker.ref();
    post({ call, method, parameters });
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await answer;
    } finally {
      signal?.removeEventListener('abort', abort);
      if (this.#waiting.size === 0) this.#worker.unref(); // a program that forgot `dispose` ends all the same
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
    if (message.progress) return this.#tell(message.call, message.progress);
    this.#waiting.delete(message.call);
    if (message.ids) this.#ids = message.ids;
    if (message.error) waiting?.reject(revived(message.error));
    else waiting?.resolve(message.result);
  }

  /** An error of the listener ends its call, and not the program.
   *  @param {number} call @param {any} progress */
  #tell(call, progress) {
    const waiting = this.#waiting.get(call);
    try {
      waiting?.onProgress?.(progress);
    } catch (error) {
      this.#waiting.delete(call);
      waiting?.reject(ourError('onProgress', error));
    }
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

/** The summary of a text that its reader stopped before the end that the worker had reached.
 *  @param {Summary} summary @param {Step[]} read @returns {Summary} */
const cut = (summary, read) => ({
  ...summary,
  text: read.map((step) => step.text).join(''),
  ids: Int32Array.from(read, (step) => step.id),
  reason: 'abort',
  decodeMs: read.reduce((sum, step) => sum + step.ms, 0),
});

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
  if (!isFileSet(source)) return source;
  return Object.fromEntries(Object.entries(source).map(([part, value]) => [part, cloneable(value)]));
}

/** Whether a model is given by several files, which may be of any format. @param {any} source */
const isFileSet = (source) => typeof source === 'object' && source !== null && 'weights' in source;
