/** One session: the tokens of one text, the engine's state after them, and the calls that change it. */
import { withoutWholeBytes } from '../engine/choose.js';
import { HeedError, throwIfAborted } from '../errors.js';
import { Pacer } from '../pause.js';
import { needRange } from '../range.js';
import { needIds } from '../text/ids.js';
import { batchOf } from './context.js';
import { linkEdits, meanHooks, tapsOf } from './edits.js';
import { computeGradients } from './gradients.js';
import { copiesOf, linkCopies, readCopies } from './hooks.js';
import { slotOf } from './slots.js';
import { superseded } from './superseded.js';
import { sweep } from './sweep.js';

/** @typedef {import('../engine/wasm.js').Engine} Engine */
/** @typedef {import('./hooks.js').Activation} Activation */
/** @typedef {import('./edits.js').Edit} Edit */
/** @typedef {import('./info.js').ModelInfo} ModelInfo */

/** Numbers of a weight that are read at a time: 4 MB. */
const WEIGHT_CHUNK = 2 ** 20;

/** Sizes of the buffers through which calls pass ids, sampling settings, candidates and pictures.
 *  @param {Engine} engine
 *  @param {{ vocabulary: number, patch?: number, token_types?: number, encoder_layers?: number }} sizes  of the model
 *  @param {number} batch  ids of one call */
export function callBufferSizes(engine, { vocabulary, patch = 0, token_types: segments = 0, encoder_layers: encoder },
  batch) {
  return {
    ids: 4 * batch,
    sampling: engine.structBytes('sampling'),
    candidates: engine.structBytes('candidate') * (1 + vocabulary),
    bias: 4 * vocabulary,
    picture: 4 * vocabulary * patch,
    pair: segments > 1 ? 8 * batch : 0,
    source: encoder ? 4 * batch : 0,
  };
}

/**
 * The session of a model.  Calls that change it run one after another.  Its epoch changes with every such call, so that
 * a generation notices when another call has changed the session.
 */
export class Session {
  #engine;
  #address;
  #model;
  #info;
  #batch; // ids of one forward pass
  #ids; // the tokens of the session, then unused space
  /** Tokens of the source of an encoder–decoder. @type {Int32Array} */
  source = new Int32Array(0);
  #buffers;
  #mark; // memory above it belongs to the edits of one run
  #isEdited = false; // by a run; a text without edits cannot continue it
  /** Linked edits of a generation, which apply to every call until endEdits(). @type {number[]} */
  #taps = [];
  #isClosed = false;
  #epoch = 0;
  #kernelsAt; // where the engine keeps the kernels of this session
  #kernels;
  #pacer = new Pacer(); // one for all calls, because decoding makes many short ones
  /** @type {Promise<unknown>} */ #lastCall = Promise.resolve();

  /** @param {Engine} engine @param {number} model  its address in the engine
   *  @param {number} address  of the session in the engine @param {ModelInfo} info */
  constructor(engine, model, address, info) {
    this.#engine = engine;
    this.#model = model;
    this.#address = address;
    this.#info = info;
    this.#ids = new Int32Array(info.contextLength);
    this.#batch = batchOf(info.bidirectional || Boolean(info.parts), info.contextLength, info.engine.threads);
    const sizes = callBufferSizes(engine, { ...info, token_types: info.segments,
      encoder_layers: info.parts?.encoder.layers }, this.#batch);
    this.#buffers = /** @type {typeof sizes} */ (Object.fromEntries(
      Object.entries(sizes).map(([name, bytes]) => [name, engine.reserve(bytes, name)])));
    this.#mark = engine.mark;
    this.#kernelsAt = engine.ask('heed_session_kernels', address);
    [this.#kernels] = engine.i32(this.#kernelsAt, 1);
  }

  /** The number of tokens in the session; 0 after close(). */
  get position() {
    return this.#isClosed ? 0 : this.#engine.ask('heed_position', this.#address);
  }

  /** The ids of the session, as a copy. */
  get ids() {
    return this.#ids.slice(0, this.position);
  }

  close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#engine.close();
    this.#engine = /** @type {any} */ (null); // the last reference to the memory of WebAssembly
  }

  /** @throws {HeedError} 'disposed' */
  needOpen() {
    if (this.#isClosed) throw new HeedError('disposed', 'This model was disposed. Load it again.');
  }

  /** Drops the tokens after the first `position`, and ends the edits of a generation. @param {number} position */
  rewind(position) {
    this.endEdits();
    this.#engine.call('heed_rewind', this.#address, position);
    this.#epoch++;
  }

  /** Drops ids of a generation that no step has shown.
   *  @param {number} position @param {number} epoch  of the generation */
  dropGuess(position, epoch) {
    if (!this.#isClosed && epoch === this.#epoch) this.rewind(position);
  }

  /** Ends the edits of a generation.  Maps of its text still show them.
   *  @param {number} [epoch]  of the generation; default: of any */
  endEdits(epoch = this.#epoch) {
    if (this.#isClosed || this.#taps.length === 0 || epoch !== this.#epoch) return;
    this.#taps = [];
    this.#engine.ask('heed_tap_end', this.#address);
  }

  /** Does `work` without the taps of a generation.  Taps that it links are unlinked afterwards.
   *  @template T @param {() => T} work @returns {T} */
  #aside(work) {
    this.#engine.ask('heed_tap_clear', this.#address);
    try {
      return work();
    } finally {
      this.#engine.ask('heed_tap_clear', this.#address);
      for (const tap of this.#taps) this.#engine.call('heed_tap_link', this.#address, tap);
    }
  }

  /** Empties the session, and frees the edits of an earlier run, which its maps still used. */
  #clear() {
    this.rewind(0);
    this.#engine.release(this.#mark);
    this.#isEdited = false;
  }

  /**
   * Clears the session, and writes another input than the ids of a text (inputs.js).
   * @param {number} count  number of ids that the session must be able to hold
   * @param {(to: { engine: Engine, model: number, address: number, buffers: Record<string, number> }) => void} write
   */
  input(count, write) {
    return this.#queue(async () => {
      this.#needSpace(count);
      this.#clear();
      write({ engine: this.#engine, model: this.#model, address: this.#address, buffers: this.#buffers });
    });
  }

  /** Sizes of activations. @throws {HeedError} 'bad-argument' for an encoder–decoder without a source */
  get #sizes() {
    this.#needSource();
    return this.#info.parts ? { ...this.#info, source: this.source.length } : this.#info;
  }

  #needSource() {
    if (!this.#info.parts || this.source.length > 0) return;
    throw new HeedError('bad-argument', 'The encoder has no source yet. Call model.read(source) first.');
  }

  /**
   * Appends ids and computes logits.
   * @param {Int32Array} ids
   * @param {boolean} all
   * @param {AbortSignal} [signal]
   * @returns {Promise<Float32Array>} logits of the last id [vocabulary]; with `all`, of each id [ids][vocabulary]
   */
  forward(ids, all, signal) {
    return this.#queue(async () => {
      this.#needSpace(ids.length, this.position);
      this.#needSource();
      this.endEdits();
      this.#epoch++;
      return this.#run(ids, all, signal);
    });
  }

  /**
   * Clears the session, runs ids with edits, and copies named activations.
   * @param {Int32Array} ids
   * @param {{ names: string[], edits: Edit[], all: boolean, signal: AbortSignal | undefined }} options
   * @returns {Promise<{ logits: Float32Array, cache: Record<string, Activation> }>}
   */
  runWithCache(ids, { names, edits, all, signal }) {
    return this.#queue(async () => {
      const engine = this.#engine;
      this.#needSpace(ids.length);
      const plans = copiesOf(engine, this.#sizes, names, ids.length);
      const taps = tapsOf(engine, this.#sizes, edits, ids.length);
      this.#clear();
      const clean = await this.#runClean(ids, edits, signal);
      this.#isEdited = edits.length > 0;
      try {
        const copies = linkCopies(engine, this.#address, plans);
        linkEdits(engine, this.#address, taps, clean);
        const logits = await this.#run(ids, all, signal);
        return { logits, cache: readCopies(engine, copies) };
      } finally {
        engine.ask('heed_tap_end', this.#address);
      }
    });
  }

  /**
   * Runs ids without edits in the empty session, if edits need means of that run.  The session is empty afterwards.
   * @param {Int32Array} ids
   * @param {Edit[]} edits
   * @param {AbortSignal | undefined} signal
   * @returns {Promise<Record<string, Activation>>} the activations whose means the edits need
   */
  async #runClean(ids, edits, signal) {
    const names = meanHooks(edits);
    if (names.length === 0) return {};
    const engine = this.#engine;
    const epoch = this.#epoch;
    try {
      const copies = linkCopies(engine, this.#address, copiesOf(engine, this.#sizes, names, ids.length));
      await this.#feed(ids, epoch, signal);
      return readCopies(engine, copies);
    } finally {
      engine.ask('heed_tap_clear', this.#address);
      engine.release(this.#mark);
      if (epoch === this.#epoch) engine.call('heed_rewind', this.#address, 0);
    }
  }

  /**
   * Computes the gradient of a metric by named activations, in a separate run.  The session does not change.
   * @param {Int32Array} ids
   * @param {import('./gradients.js').GradientRequest} request
   * @returns {Promise<import('./gradients.js').Gradients>}
   */
  gradients(ids, request) {
    return this.#queue(() => {
      this.#needSpace(ids.length);
      const pause = this.#pauses(request.signal);
      const aside = (/** @type {() => any} */ work) => this.#aside(work);
      return computeGradients(this.#engine, this.#address, this.#sizes, ids, request, pause, aside);
    });
  }

  /**
   * Clears the session, and computes a metric of many edited runs.
   * @param {Int32Array} ids
   * @param {Edit[][]} variants
   * @param {import('./sweep.js').SweepRequest} request
   * @returns {Promise<import('./sweep.js').SweepResult>}
   */
  sweep(ids, variants, request) {
    return this.#queue(async () => {
      this.#needSpace(ids.length);
      return sweep(this.#engine, this.#address, this.#sizes, ids, variants, request, () => {
        this.#clear();
        return this.#pauses(request.signal, this.#epoch);
      });
    });
  }

  /**
   * Logits of residuals: the head of the model, after its final norm if `normalize`.
   * @param {Float32Array} x  [rows][dModel]
   * @param {boolean} normalize
   * @param {number} top  number of candidates of each row; 0: all logits
   * @returns {Promise<Float32Array | import('./model.js').Ranking>} logits [rows][vocabulary], or the candidates
   */
  unembed(x, normalize, top) {
    return this.#queue(async () => {
      const engine = this.#engine;
      const { dModel, outputs } = this.#info;
      const rows = x.length / dModel;
      const pause = this.#pauses();
      const width = top || outputs;
      const found = new Float32Array(rows * width);
      const ids = new Int32Array(rows * top);
      const most = engine.limit('logit_rows');
      const mark = engine.mark;
      const at = engine.reserve(4 * most * dModel, 'residuals');
      try {
        for (let row = 0; row < rows; row += most) {
          const part = x.subarray(row * dModel, (row + most) * dModel);
          engine.f32(at, part.length).set(part);
          const count = part.length / dModel;
          const logits = this.#call('heed_unembed', at, count, Number(normalize));
          if (top) this.#rank(logits, top, ids.subarray(row * top, (row + count) * top), found.subarray(row * top));
          else found.set(engine.f32(logits, count * outputs), row * outputs);
          await pause();
        }
        return top ? { ids, logprobs: found, rows, top } : found;
      } finally {
        engine.release(mark);
      }
    });
  }

  /**
   * Reads a weight as floats.
   * @param {string} name  name of the weight in the GGUF format
   * @param {ArrayLike<number>} [range]  first row, and the row after the last; default: all rows
   * @returns {Promise<Activation | null>} [rows][columns], or [columns]; null if the model does not have it
   * @throws {HeedError} 'bad-argument'
   */
  weight(name, range) {
    return this.#queue(async () => {
      const engine = this.#engine;
      const { layer, slot } = slotOf(engine, name, this.#info);
      const mark = engine.mark;
      const sizes = engine.reserve(8, 'sizes of a weight');
      try {
        engine.call('heed_weight_shape', this.#address, layer, slot, sizes, sizes + 4);
        const [all, columns] = engine.i32(sizes, 2);
        if (all === 0) return null;
        const [first, end] = needRange('range', all, range && Array.from(range));
        const rows = end - first;
        const most = Math.max(1, Math.min(rows, Math.floor(WEIGHT_CHUNK / columns)));
        const at = engine.reserve(4 * most * columns, 'rows of a weight');
        const data = new Float32Array(rows * columns);
        const pause = this.#pauses();
        for (let row = 0; row < rows; row += most) {
          const count = Math.min(most, rows - row);
          engine.call('heed_weight_read', this.#address, layer, slot, first + row, count, at);
          data.set(engine.f32(at, count * columns), row * columns);
          await pause();
        }
        return { data, shape: all === 1 ? [columns] : [rows, columns] };
      } finally {
        engine.release(mark);
      }
    });
  }

  /**
   * Copies rows of the cache.
   * @param {import('./saved.js').Run[]} runs
   * @param {Uint8Array | number} given  rows to restore, or bytes of the rows to save
   * @param {Int32Array} [ids]  text that the session holds after it is restored
   * @returns {Promise<Uint8Array | null>} the rows; null if edits changed them
   */
  cached(runs, given, ids) {
    return this.#queue(async () => {
      if (ids) this.#clear();
      if (this.#isEdited) return null;
      const engine = this.#engine;
      const rows = new Uint8Array(/** @type {any} */ (given)); // a copy of rows to restore
      const pause = this.#pauses(undefined, this.#epoch);
      const { mark } = engine;
      let end = 0;
      try {
        for (const [layer, kind, positions, size] of runs) {
          const at = engine.reserve(size, 'a row');
          for (let j = 0; j < positions; j++) {
            const row = rows.subarray(end, end += size);
            const view = engine.u8(at, size);
            view.set(row);
            engine.call('heed_cached', this.#address, layer, kind, j, Number(!ids), at);
            row.set(view);
          }
          engine.release(mark);
          await pause();
        }
        if (ids) {
          engine.call('heed_restore', this.#address, engine.put(ids, 'ids'), ids.length);
          this.#ids.set(ids);
        }
      } finally {
        engine.release(mark);
      }
      return rows;
    });
  }

  /**
   * Starts a text: the session holds `ids` afterwards.  A prefix that it already holds is not computed again.
   * @param {Int32Array} ids
   * @param {AbortSignal} [signal]
   * @param {Edit[]} [edits]  edits of the whole text, until endEdits()
   * @returns {Promise<number>} the epoch of this generation
   */
  begin(ids, signal, edits = []) {
    return this.#queue(async () => {
      this.#needSpace(ids.length);
      const engine = this.#engine;
      const taps = tapsOf(engine, this.#sizes, edits, this.#info.contextLength, ids.length);
      // The last id always runs, because its logits are needed.  An edited run shares no prefix with another one.
      const most = this.#isEdited || edits.length > 0 ? 0 : Math.min(this.position, ids.length - 1);
      let shared = 0;
      while (shared < most && this.#ids[shared] === ids[shared]) shared++;
      if (shared === 0) this.#clear();
      else this.rewind(shared);
      const epoch = this.#epoch;
      const clean = await this.#runClean(ids, edits, signal);
      this.#isEdited = edits.length > 0;
      try {
        linkEdits(engine, this.#address, taps, clean, this.#taps);
        await this.#feed(ids.subarray(shared), epoch, signal);
      } catch (error) {
        this.endEdits(epoch);
        throw error;
      }
      return epoch;
    });
  }

  /**
   * Samples the token after the last one.
   * @param {Record<string, number | string>} settings  the fields of heed_sampling
   * @param {number} top  the number of candidates to list
   * @param {number} epoch
   * @returns {import('./generate.js').Choice}
   */
  sample(settings, top, epoch) {
    this.needEpoch(epoch);
    const { sampling, candidates } = this.#buffers;
    this.#engine.writeStruct('sampling', sampling, settings);
    const likeliest = candidates + this.#engine.structBytes('candidate');
    this.#call('heed_sample', sampling, candidates, likeliest, top);
    return this.#readChoice(top);
  }

  /**
   * Appends one id and samples with the settings of the last `sample`, in one call of the engine.  A guess of the ids
   * after it is sampled in the same pass: it is appended up to its first wrong id.
   * @param {ArrayLike<number>} ids  the id, then the guess; at most `stepLimit(top)` ids
   * @param {number} position  position of the session
   * @param {number} top
   * @param {number} epoch
   * @returns {Promise<import('./generate.js').Choice[]>} a choice after each appended id
   */
  async next(ids, position, top, epoch) {
    await this.#pacer.pause(); // lets timers, messages and Ctrl-C run
    this.needEpoch(epoch);
    const { sampling, candidates, ids: buffer } = this.#buffers;
    this.#engine.i32(buffer, ids.length).set(ids);
    const likeliest = candidates + ids.length * this.#engine.structBytes('candidate');
    const count = this.#pass('heed_step', buffer, ids.length, sampling, candidates, likeliest, top);
    for (let i = 0; i < count; i++) this.#ids[position + i] = ids[i];
    return Array.from({ length: count }, (_, i) => this.#readChoice(top, i, ids.length));
  }

  /** The most ids of one step, the chosen one included: their candidates must fit into the buffer.
   *  @param {number} top  candidates of each id */
  stepLimit(top) {
    return Math.min(this.#batch, Math.floor((1 + this.#info.vocabulary) / (1 + top)));
  }

  /**
   * Appends an id, unless it is null, and samples with a bias of the logits.
   * @param {number | null} id
   * @param {import('./model.js').GuidedStep} step
   * @returns {Promise<import('./generate.js').Choice>}
   */
  async guided(id, { sampling, bias, top, epoch }) {
    this.needEpoch(epoch);
    this.#engine.f32(this.#buffers.bias, bias.length).set(bias);
    this.#call('heed_bias', this.#buffers.bias);
    try {
      if (id === null) return this.sample(sampling, top, epoch);
      return (await this.next([id], this.position, top, epoch))[0];
    } finally {
      if (!this.#isClosed) this.#call('heed_bias', 0);
    }
  }

  /** @param {number} epoch @throws {HeedError} 'superseded' when another call has changed the session, 'disposed' */
  needEpoch(epoch) {
    this.needOpen();
    if (epoch !== this.#epoch) throw superseded();
  }

  /**
   * Rows of one head's map, recomputed from the KV cache.
   * @param {number} layer
   * @param {number} head
   * @param {'pattern' | 'scores'} kind
   * @param {number} from
   * @param {number} to  at most one batch after `from`
   * @param {number} keys  number of keys
   * @returns {Float32Array} [to - from][keys]; valid until the next call of the engine
   */
  mapRows(layer, head, kind, from, to, keys) {
    const kindNumber = this.#engine.enumValue('map', kind);
    const at = this.#engine.call('heed_map', this.#address, layer, head, kindNumber, from, to);
    return this.#engine.f32(at, (to - from) * keys);
  }

  /** Runs `work` after the calls before it.
   *  @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  #queue(work) {
    this.needOpen();
    const call = this.#lastCall.then(() => {
      this.needOpen();
      this.#isEdited &&= this.position > 0; // a text that is dropped takes its edits along
      return work();
    });
    this.#lastCall = call.catch(() => {});
    return call;
  }

  /** Checks the number of ids of one call after `start` ids.
   *  @param {number} count @param {number} [start] @throws {HeedError} 'bad-argument', 'context-full' */
  #needSpace(count, start = 0) {
    needIds(count);
    const { contextLength, modelContextLength } = this.#info;
    if (start + count <= contextLength) return;
    throw new HeedError('context-full', `${count} ids do not fit after ${start} ids: the session has ` +
      `${contextLength} positions. Rewind it${contextLength < modelContextLength ? ', raise contextLength' : ''} or ` +
      'shorten the text.');
  }

  /** @param {Int32Array} ids @param {boolean} all @param {AbortSignal} [signal] */
  async #run(ids, all, signal) {
    const start = this.position;
    const epoch = this.#epoch;
    const { outputs, head } = this.#info;
    const logits = new Float32Array(head === 'none' ? 0 : all ? ids.length * outputs : outputs);
    try {
      await this.#feed(ids, epoch, signal, (first, count) => {
        if (head === 'none') return;
        if (all) this.#readLogits(logits.subarray(first * outputs, (first + count) * outputs), 0, count);
        else if (first + count === ids.length) this.#readLogits(logits, count - 1, 1);
      });
    } catch (error) {
      if (!this.#isClosed && epoch === this.#epoch) this.#engine.call('heed_rewind', this.#address, start);
      throw error;
    }
    return logits;
  }

  /**
   * Appends ids, one batch at a time.  A whole batch can take some tenths of a second.  So the thread is free between
   * two blocks of the model: messages arrive there, and an abort takes effect.
   * @param {Int32Array} ids
   * @param {number} epoch
   * @param {AbortSignal | undefined} signal
   * @param {(first: number, count: number) => void} [afterBatch]
   */
  async #feed(ids, epoch, signal, afterBatch) {
    const pause = this.#pauses(signal, epoch);
    for (let first = 0; first < ids.length; first += this.#batch) {
      await pause();
      const batch = ids.subarray(first, first + this.#batch);
      const at = this.position;
      this.#engine.i32(this.#buffers.ids, batch.length).set(batch);
      if (batch.length === 1) this.#pass('heed_forward', this.#buffers.ids, 1);
      else await this.#runBlocks(batch.length, pause);
      this.#ids.set(batch, at);
      afterBatch?.(first, batch.length);
    }
  }

  /**
   * A function that lets other tasks run at the end of a time slice.  It rejects after an abort and after close().
   * @param {AbortSignal} [signal]
   * @param {number} [epoch]  rejects also when another call has changed the session since
   */
  #pauses(signal, epoch) {
    return async () => {
      await this.#pacer.pause();
      throwIfAborted(signal);
      if (epoch === undefined) this.needOpen();
      else this.needEpoch(epoch);
    };
  }

  /** Runs the ids in the buffer, one block of the model a call.
   *  @param {number} count @param {() => Promise<void>} pause */
  async #runBlocks(count, pause) {
    this.#call('heed_forward_begin', this.#buffers.ids, count);
    const more = this.#engine.enumValue('forward', 'more');
    while (this.#call('heed_forward_next') === more) await pause();
  }

  /** Calls the engine with `count` tokens.  Calls with one token also choose streams (js/engine/streams.js).
   *  @param {string} name @param {number} ids  address @param {number} count @param {...number} parameters */
  #pass(name, ids, count, ...parameters) {
    const call = () => this.#call(name, ids, count, ...parameters);
    return count === 1 ? this.#engine.runStep(name, call) : call();
  }

  /** Calls the engine with this session, and reports when its kernels were replaced.
   *  @param {string} name @param {...number} parameters */
  #call(name, ...parameters) {
    const result = this.#engine.call(name, this.#address, ...parameters);
    const [kernels] = this.#engine.i32(this.#kernelsAt, 1);
    if (kernels !== this.#kernels) {
      this.#kernels = kernels;
      this.#info.engine = withoutWholeBytes(this.#info.engine);
      console.warn(`heed: ${this.#info.name} continues on slower kernels: ${this.#info.engine.why}`);
    }
    return result;
  }

  /** Copies logits of the last batch, from row `first` on.
   *  @param {Float32Array} target [rows][outputs] @param {number} first @param {number} rows */
  #readLogits(target, first, rows) {
    const { outputs } = this.#info;
    const most = this.#engine.limit('logit_rows');
    for (let row = 0; row < rows; row += most) {
      const count = Math.min(most, rows - row);
      const at = this.#call('heed_logits', first + row, count);
      target.set(this.#engine.f32(at, count * outputs), row * outputs);
    }
  }

  /** Writes the likeliest candidates of rows of logits.
   *  @param {number} logits  address @param {number} top  number of candidates of a row
   *  @param {Int32Array} ids [rows][top] @param {Float32Array} logprobs [rows][top] */
  #rank(logits, top, ids, logprobs) {
    const at = this.#buffers.candidates;
    const idsOf = this.#engine.i32(at, 2 * top);
    const logprobsOf = this.#engine.f32(at, 2 * top);
    for (let i = 0; i < ids.length; i++) {
      const rank = i % top;
      if (rank === 0) this.#call('heed_rank', logits + 4 * this.#info.vocabulary * (i / top), at, top);
      ids[i] = idsOf[2 * rank];
      logprobs[i] = logprobsOf[2 * rank + 1];
    }
  }

  /** Reads a sampled token and its likeliest tokens from the buffer of candidates: [steps], then [steps][top].
   *  @param {number} top @param {number} [step] @param {number} [steps] @returns {import('./generate.js').Choice} */
  #readChoice(top, step = 0, steps = 1) {
    const count = steps * (1 + top);
    const ids = this.#engine.i32(this.#buffers.candidates, 2 * count);
    const logprobs = this.#engine.f32(this.#buffers.candidates, 2 * count);
    const read = (/** @type {number} */ i) => ({ id: ids[2 * i], logprob: logprobs[2 * i + 1] });
    return { ...read(step), top: Array.from({ length: top }, (_, i) => read(steps + step * top + i)) };
  }
}
