/** The client side of serve.js: starts a model's Worker, sends calls and aborts, and receives results and errors. */
import { reasonOf, startWorker } from '../engine/port.js';
import { HeedError, abortable, posted, revived, throwIfAborted } from '../errors.js';
import { DISPOSE, ourError } from '../guard.js';
import { CALLS, isGuided, needInteger, needOptions, selected } from '../options.js';
import { cloneable, isFileSet } from './source-message.js';
import { superseded } from './superseded.js';

/** @typedef {import('./create-session.js').OpenOptions} OpenOptions */
/** @typedef {import('./load.js').ModelSource} ModelSource */
/** @typedef {import('./local.js').LocalModel} Model */
/** @typedef {import('./info.js').ModelInfo} ModelInfo */
/** @typedef {((progress: any) => void) | undefined} OnProgress */
/** @typedef {import('./serve.js').StepGroup} StepGroup */
/** @typedef {import('./generate.js').Step} Step */
/** @typedef {import('./generate.js').Summary} Summary */
/** @typedef {{ resolve: (value: any) => void, reject: (error: Error) => void, onProgress?: OnProgress }} Waiting */

/** Number of step groups that are requested ahead of the reader.  The worker computes them while the caller reads, and
 *  pauses when the caller stops reading. */
const GROUPS_AHEAD = 4;

// GGUF files have their own worker, without the code for other formats.  One worker with dynamic imports is not
// possible, because Vite 5 cannot build it.
const startAny = () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
const startGguf = () => new Worker(new URL('./gguf-worker.js', import.meta.url), { type: 'module' });

/**
 * The client of a Model that runs in a Worker: the same methods, by messages, so that the page's thread never computes.
 * During a generation the worker is some steps ahead of the reader.  All methods hide this: for them the session ends
 * at the last step that was read.
 */
export class RemoteModel {
  /** @type {ModelInfo} */ info = /** @type {any} */ (null);
  /** Names of this model's activations. @type {string[]} */ hooks = [];
  /** @type {Model['weights']} */ weights = [];
  /** @type {import('../chat/format.js').ChatFormat | null} @internal */ chatFormat = null;
  /** @type {Model['dense']} @internal */ dense;
  #worker;
  #calls = 0;
  /** @type {Map<number, Waiting>} */ #waiting = new Map();
  /** The ids of the session, from the last message of the worker. @type {Int32Array} */
  #ids = new Int32Array(0);
  /** The generation that owns the session. @type {object | null} */
  #owner = null;
  /** The length of the session at the last step that was read. @type {number | null} */
  #readPosition = null;
  /** @type {HeedError | null} */ #ended = null;
  /** Messages until the worker's modules have run, because some browsers lose them; null afterwards.
   *  @type {object[] | null} */
  #early = [];

  /** @param {import('../engine/port.js').ClientPort} worker */
  constructor(worker) {
    this.#worker = worker;
    worker.listen(
      (message) => this.#receive(message),
      (cause) =>
        this.#end(
          new HeedError(
            'unavailable',
            `The model’s worker could not start or died: ${reasonOf(cause)}. Load the model again.`,
            { cause },
          ),
        ),
    );
  }

  /**
   * @param {ModelSource} source
   * @param {OpenOptions} options
   * @returns {Promise<RemoteModel>}
   */
  static async load(source, { signal, onProgress, worker: _, ...options }) {
    throwIfAborted(signal);
    const any = isFileSet(source) || options.adapter || options.tower || options.memory64;
    if (any) return RemoteModel.#loadInto(true, source, options, signal, onProgress);
    try {
      return await RemoteModel.#loadInto(false, source, options, signal, onProgress);
    } catch (error) {
      // The small worker lacks most families and tokenizers.
      if (/** @type {HeedError} */ (error).code !== 'unsupported') throw error;
      return RemoteModel.#loadInto(true, source, options, signal, onProgress);
    }
  }

  /** Loads a model into a new worker, for any file or for usual GGUF files.
   *  @param {boolean} any @param {ModelSource} source @param {object} options @param {AbortSignal} [signal]
   *  @param {OpenOptions['onProgress']} [onProgress] */
  static async #loadInto(any, source, options, signal, onProgress) {
    const model = new RemoteModel(await (any ? startWorker(startAny, '../model/worker.js')
      : startWorker(startGguf, '../model/gguf-worker.js')));
    try {
      const loading = model.#call('load', [cloneable(source), options], signal, onProgress);
      // A small file may be complete before the abort arrives.
      return Object.assign(model, await abortable(loading, signal));
    } catch (error) {
      model.dispose();
      throw error;
    }
  }

  /** The number of tokens in the session. */
  get position() {
    return this.#readPosition ?? this.#ids.length;
  }

  /** A copy of the ids in the session, [position]. */
  get ids() {
    return this.#ids.slice(0, this.position);
  }

  /** @type {Model['encode']} */
  encode(text, options) {
    return this.#call('encode', [text, options]);
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
    const position = this.#takeSession(null);
    if (position !== null) this.#post('rewind', [position]);
    return this.#call('forward', [plain(ids), options], signal);
  }

  /** @type {Model['attention']} */
  attention(map) {
    return this.#call('attention', [this.#atReadPosition(map)]);
  }

  /** @type {Model['attentionRows']} */
  attentionRows(map) {
    return this.#call('attentionRows', [this.#atReadPosition(map)]);
  }

  /** @type {Model['runWithCache']} */
  async runWithCache(ids, names, given = {}) {
    needOptions('runWithCache', given, CALLS.runWithCache);
    const { signal, ...options } = given;
    const chosen = selected(names, this.hooks);
    this.#takeSession(null);
    return this.#call('runWithCache', [plain(ids), chosen, options], signal);
  }

  /** @type {Model['runWithHooks']} */
  async runWithHooks(ids, edits, options) {
    needOptions('runWithHooks', options, CALLS.runWithHooks);
    return (await this.runWithCache(ids, [], { ...options, edits })).logits;
  }

  /** @type {Model['gradients']} */
  async gradients(ids, given) {
    needOptions('gradients', given ?? null, CALLS.gradients);
    const { signal, onProgress, ...options } = given;
    const at = selected(given.at, this.hooks);
    return this.#call('gradients', [plain(ids), { ...options, at }], signal, onProgress);
  }

  /** @type {Model['sweep']} */
  async sweep(ids, variants, given) {
    needOptions('sweep', given ?? null, CALLS.sweep);
    const { signal, onProgress, ...options } = given;
    const names = selected(given.names, this.hooks);
    this.#takeSession(null);
    return this.#call('sweep', [plain(ids), variants, { ...options, names }], signal, onProgress);
  }

  /** @type {Model['unembed']} */
  unembed(x, options) {
    return this.#call('unembed', [x, options]);
  }

  /** @type {Model['weight']} */
  weight(name, options) {
    return this.#call('weight', [name, options]);
  }

  /** @type {Model['cached']} */
  cached(...rows) {
    if (rows[2]) this.#takeSession(null);
    return this.#call('cached', rows);
  }

  /** @type {Model['saveSession']} */
  async saveSession() {
    const { saveSession } = await import('./saved.js');
    return saveSession(this);
  }

  /** @type {Model['restoreSession']} */
  async restoreSession(saved) {
    const { restoreSession } = await import('./saved.js');
    return restoreSession(this, saved);
  }

  /**
   * @param {string | ArrayLike<number>} prompt
   * @param {import('./local.js').GuidedOptions} [given]
   * @returns {ReturnType<Model['generate']>}
   */
  async *generate(prompt, given = {}) {
    needOptions('generate', given, CALLS.generate);
    if (!this.info.parts) return yield* this.#write(prompt, given);
    const { generateFrom } = await import('./encoder-decoder.js');
    return yield* generateFrom(this, prompt, given, (...text) => this.#write(...text));
  }

  /** @type {Model['generate']} */
  async *#write(/** @type {any} */ prompt, /** @type {import('./local.js').GuidedOptions} */ given = {}) {
    if (isGuided(given)) return yield* (await import('../guide/generate.js')).guided(this, prompt, given);
    const { signal, ...options } = given;
    const generation = this.#calls;
    const stop = () => this.#send({ abort: generation });
    const begun = this.#call('generate', [typeof prompt === 'string' ? prompt : plain(prompt), options]);
    begun.catch(() => {}); // reported below
    const owner = {};
    this.#takeSession(owner);
    const ask = () => {
      const group = this.#call('next', [generation]);
      group.catch(() => {}); // the reader may have stopped
      return group;
    };
    signal?.addEventListener('abort', stop, { once: true });
    /** @type {Step[]} */
    const read = [];
    let left = true;
    try {
      if (signal?.aborted) stop();
      const ahead = Array.from({ length: GROUPS_AHEAD }, ask);
      await begun;
      for (;;) {
        const { steps, ids, summary, error } = /** @type {StepGroup} */ (await ahead.shift());
        if (!summary && !error) ahead.push(ask());
        for (const step of steps) {
          if (this.#ended) throw this.#ended;
          if (this.#owner !== owner) throw superseded();
          if (signal?.aborted && read.length > 0) continue;
          this.#ids = ids;
          this.#readPosition = step.position;
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
      const isBehind = left && this.#owner === owner && this.#readPosition !== null;
      const position = isBehind ? this.#readPosition : undefined;
      if (!this.#ended) await this.#call('finish', [generation, position]);
      if (this.#owner === owner) this.#takeSession(null);
    }
  }

  /** @type {Model['generateBatch']} */
  async *generateBatch(prompt, options) {
    return yield* (await import('./batch.js')).generateBatch(this, prompt, options);
  }

  /** @type {Model['chat']} */
  async *chat(messages, options) {
    const { chat } = await import('../chat/chat.js');
    return yield* chat(this, messages, options);
  }

  /** @type {Model['chatIds']} */
  async chatIds(messages, options) {
    const { chatIds } = await import('../chat/chat.js');
    return chatIds(this, messages, options);
  }

  /** @type {Model['score']} */
  async score(text, options) {
    const { score } = await import('./score.js');
    return score(this, text, options);
  }

  /** @type {Model['beamSearch']} */
  async beamSearch(prompt, options) {
    const { beamSearch } = await import('./beam-search.js');
    return beamSearch(this, prompt, options);
  }

  /** @type {Model['embed']} */
  async embed(text, options) {
    const { embed } = await import('./encoder.js');
    return embed(this, text, options);
  }

  /** @type {Model['fillMask']} */
  async fillMask(text, options) {
    const { fillMask } = await import('./encoder.js');
    return fillMask(this, text, options);
  }

  /** @type {Model['classify']} */
  async classify(text, options) {
    const { classify } = await import('./encoder.js');
    return classify(this, text, options);
  }

  /** @type {Model['look']} */
  async look(picture) {
    const { look } = await import('./picture.js');
    return look(this, picture);
  }

  /** @type {Model['pair']} */
  async pair(text, second) {
    const { pair } = await import('./encoder.js');
    return pair(this, text, second);
  }

  /** @type {Model['read']} */
  async read(source) {
    const { read } = await import('./encoder-decoder.js');
    return read(this, source);
  }

  /** @type {Model['setInput']} */
  setInput(...input) {
    this.#takeSession(null);
    return this.#call('setInput', input);
  }

  /** @type {Model['guidedBegin']} */
  guidedBegin(ids, { signal, ...options }) {
    this.#takeSession(null);
    return this.#call('guidedBegin', [plain(ids), options], signal);
  }

  /** @type {Model['guidedNext']} */
  guidedNext(id, step) {
    return this.#call('guidedNext', [id, step]);
  }

  /** @type {Model['guidedEnd']} */
  guidedEnd(epoch) {
    this.#post('guidedEnd', [epoch]);
  }

  /** @type {Model['tokenBytes']} */
  tokenBytes() {
    return this.#call('tokenBytes', []);
  }

  /** @type {Model['rewind']} */
  rewind(position) {
    if (this.#ended) throw this.#ended;
    needInteger('position', position, 0, this.position);
    if (this.info.bidirectional && position > 0 && position < this.position) { // as the core
      throw new HeedError('bad-argument', 'An encoder\'s sequence cannot be shortened; rewind to 0.');
    }
    this.#ids = this.#ids.slice(0, position);
    this.#takeSession(null);
    this.#post('rewind', [position]);
  }

  /**
   * Gives the session to a generation or, with null, to another call.  The generation that owned it is superseded.
   * @param {object | null} owner
   * @returns {number | null} the position at which the reader of that generation was
   */
  #takeSession(owner) {
    const position = this.#readPosition;
    this.#owner = owner;
    this.#readPosition = null;
    return position;
  }

  /** The request for a map, with the position of the last step that was read.
   *  @param {any} map @returns {any} */
  #atReadPosition(map) {
    const isOther = map !== undefined && (typeof map !== 'object' || map === null || map.of === 'encoder');
    if (this.#readPosition === null || isOther) return map;
    return { ...map, position: map?.position ?? this.#readPosition };
  }

  /** Makes a call without waiting for its answer.  Messages keep their order, so later calls see its effect.
   *  @param {string} method @param {any[]} parameters */
  #post(method, parameters) {
    this.#call(method, parameters).catch(() => {});
  }

  /** Ends the model at the end of a block that declares it by `using`. */
  [DISPOSE]() {
    this.dispose();
  }

  /** @type {Model['dispose']} */
  dispose() {
    this.#end(new HeedError('disposed', 'This model was disposed. Load it again.'));
  }

  /**
   * @param {string} method
   * @param {any[]} parameters
   * @param {AbortSignal} [signal]
   * @param {OnProgress} [onProgress]
   * @returns {Promise<any>}
   */
  async #call(method, parameters, signal, onProgress) {
    if (this.#ended) throw this.#ended;
    throwIfAborted(signal);
    const call = this.#calls++;
    const abort = () => this.#send({ abort: call });
    const answer = new Promise((resolve, reject) => this.#waiting.set(call, { resolve, reject, onProgress }));
    this.#worker.ref();
    this.#send({ call, method, parameters });
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await answer;
    } finally {
      signal?.removeEventListener('abort', abort);
      if (this.#waiting.size === 0) this.#worker.unref(); // lets a program end that never calls dispose()
    }
  }

  /** @param {object} message */
  #send(message) {
    if (this.#ended) return;
    if (this.#early) return void this.#early.push(message);
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
    if (message.ready) {
      const early = this.#early ?? [];
      this.#early = null;
      for (const each of early) this.#send(each);
      return;
    }
    const waiting = this.#waiting.get(message.call);
    if (message.progress) return this.#reportProgress(message.call, message.progress);
    this.#waiting.delete(message.call);
    if (message.ids) this.#ids = message.ids;
    if (message.engine) this.info.engine = message.engine;
    if (message.error) waiting?.reject(revived(message.error));
    else waiting?.resolve(message.result);
  }

  /** Calls the listener; its error rejects the call, not the program.
   *  @param {number} call @param {any} progress */
  #reportProgress(call, progress) {
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
    if (this.#ended) return;
    this.#ended = reason;
    this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
    this.#ids = new Int32Array(0);
  }
}

/** The summary of a text whose reader stopped before the worker did.
 *  @param {Summary} summary @param {Step[]} read @returns {Summary} */
const cut = (summary, read) => ({
  ...summary,
  text: read.map((step) => step.text).join(''),
  ids: Int32Array.from(read, (step) => step.id),
  reason: 'abort',
  decodeMs: read.reduce((sum, step) => sum + step.ms, 0),
});

/** Ids in a form that a message can carry.  The model rejects other values.
 *  @param {ArrayLike<number>} ids */
function plain(ids) {
  return ids !== null && typeof ids === 'object' && !ArrayBuffer.isView(ids) ? Array.from(ids) : ids;
}
