import { checkEngine, chooseEngine } from '../engine/choose.js';
import { Engine } from '../engine/wasm.js';
import { HeedError, quoted, throwIfAborted } from '../errors.js';
import { atHub } from '../files/hub.js';
import { guard } from '../guard.js';
import { CALLS, needArray, needOptions } from '../options.js';
import { Pacer } from '../pause.js';
import { idsFrom } from '../text/ids.js';
import { needText, needTokenizer, tokenText } from '../text/text.js';
import { CACHES, checkCache, chooseCache } from './cache.js';
import { BATCH, chooseContext } from './context.js';
import { architectureOf } from './count.js';
import { generate, superseded } from './generate.js';
import { hookNames, linkCopies, linkEdits } from './hooks.js';
import { placeWeights, planWeights } from './place.js';
import { checkQuantize } from './quantize.js';
import { samplingOf } from './sampling.js';

/** @typedef {import('./load.js').LoadOptions} LoadOptions */
/** @typedef {import('./load.js').ModelSource} ModelSource */
/** @typedef {import('../text/tokenizer.js').Tokenizer} Tokenizer */
/** @typedef {import('./hooks.js').Activation} Activation */
/** @typedef {import('./hooks.js').Edit} Edit */

/** Float32s of one map: half a gigabyte.  Longer texts are asked for by ranges of queries. */
const MAP_LIMIT = 2 ** 27;
const CANDIDATE_BYTES = 8;
/** What aligning the weights, the session and the desk's parts takes at most. */
const EDGES_BYTES = 512;

/** What a model's calls are prepared on: ids, how to sample, candidates.
 *  @param {Engine} engine @param {number} vocabulary */
function deskSizes(engine, vocabulary) {
  return {
    ids: 4 * BATCH,
    sampling: engine.structBytes('sampling'),
    candidates: CANDIDATE_BYTES * (1 + vocabulary),
  };
}

/**
 * @typedef {object} ModelInfo
 * @property {string} name             the model's own, or its file's
 * @property {string} file
 * @property {'gguf' | 'safetensors'} format
 * @property {string} architecture
 * @property {number} parameters
 * @property {number} layers
 * @property {number} heads
 * @property {number} kvHeads
 * @property {number} dModel
 * @property {number} dHead
 * @property {number} dFeedForward
 * @property {number} vocabulary
 * @property {number} learnedPositions     positions that have a vector of their own; 0 where none are learned
 * @property {boolean} normBiases          whether norms have a bias beside their weight
 * @property {boolean} rotary              whether queries and keys are rotated by their positions (RoPE)
 * @property {boolean} gated               whether the feed-forward network has a gate (SwiGLU)
 * @property {import('./count.js').Biases} biases  which products have them
 * @property {boolean} tied                whether the head is the embedding's table
 * @property {number} contextLength        positions that the session holds
 * @property {number} modelContextLength   positions that the model was made for
 * @property {number} weightsBytes         in memory, where Q8_0 takes 6 % more than in a file
 * @property {Record<string, { tensors: number, bytes: number }>} types  weights by the type that they have in memory
 * @property {string[]} unquantized        matrices that stayed what they were though `quantize` asked for another type
 * @property {number} sessionBytes
 * @property {boolean} maps
 * @property {import('./cache.js').CacheType} cache  what queries, keys and values are kept in
 * @property {boolean} tokenizer           whether it knows text
 * @property {Readonly<import('./sampling.js').Sampling>} sampling  defaults of `generate`: settings that the file
 *   recommends (GGUF: general.sampling.temp, top_k, top_p, min_p, penalty_repeat), and SAMPLING for the rest
 * @property {import('../engine/choose.js').EngineInfo} engine
 */

/**
 * @typedef {object} AttentionMap
 * @property {Float32Array} data     [query][key]
 * @property {number} queries
 * @property {number} keys
 * @property {number} firstQuery
 * @property {number} layer
 * @property {number} head
 * @property {'pattern' | 'scores'} kind  pattern: rows sum to 1, 0 where masked; scores: before softmax, -Infinity
 *   where masked
 * @property {string[]} tokens       one a key
 */

/**
 * @typedef {object} AttentionRows
 * @property {Float32Array} data     [layer][head][query][key]
 * @property {number} layers
 * @property {number} heads
 * @property {number} queries
 * @property {number} keys
 * @property {number} firstQuery
 */

/** Rows [from, to) of a map over the first `keys` tokens of the session.
 *  @typedef {{ from: number, to: number, keys: number }} MapRange */

/** A model and its one session, in this thread. */
export class Model {
  /** @type {ModelInfo} */ info;
  #engine;
  #session;
  #tokenizer;
  #ids;
  #desk;
  #scratch;
  #edited = false;
  #epoch = 0;
  #disposed = false;
  #pacer = new Pacer(); // across calls: decoding is many short ones
  /** @type {Promise<unknown>} */ #last = Promise.resolve();

  /**
   * @param {Engine} engine
   * @param {number} session its address
   * @param {Tokenizer | null} tokenizer
   * @param {ModelInfo} info
   */
  constructor(engine, session, tokenizer, info) {
    this.#engine = engine;
    this.#session = session;
    this.#tokenizer = tokenizer;
    this.info = info;
    this.#ids = new Int32Array(info.contextLength);
    const sizes = deskSizes(engine, info.vocabulary);
    this.#desk = {
      ids: engine.reserve(sizes.ids, 'ids'),
      sampling: engine.reserve(sizes.sampling, 'sampling'),
      candidates: engine.reserve(sizes.candidates, 'candidates'),
    };
    this.#scratch = engine.mark;
  }

  /**
   * @param {typeof import('../files/model-file.js').openModelFile} open  given, so that a worker holds only the
   *   formats that it reads
   * @param {ModelSource} source
   * @param {LoadOptions} [options]
   * @param {(engine: Engine) => void} [watch] is given the engine, for tools that look into it
   * @returns {Promise<Model>}
   */
  static async load(open, source, options = {}, watch = () => {}) {
    const { signal, onProgress, stallMs } = options;
    checkEngine(options);
    checkQuantize(options);
    checkCache(options);
    const from = options.hub === undefined ? source : atHub(source, options.hub);
    const file = await open(from, {
      signal: signal ?? null,
      ...(onProgress && { onProgress }),
      ...(stallMs !== undefined && { stallMs }),
    });
    try {
      const choice = await chooseEngine(options, file.fileBytes);
      const engine = await Engine.create(choice.binary, choice.threads);
      watch(engine);
      try {
        return await Model.#create(engine, file, choice, options);
      } catch (error) {
        engine.close();
        throw error;
      }
    } finally {
      await file.close();
    }
  }

  /** @param {Engine} engine @param {import('../files/model-file.js').ModelFile} file
   *  @param {ModelInfo['engine']} choice @param {LoadOptions} options */
  static async #create(engine, file, choice, options) {
    const kernels = engine.kernels(choice.binary);
    const sampling = samplingOf(file.metadata, file.name);
    const plan = planWeights(engine, file, options.quantize ?? 'keep');
    const maps = options.maps ?? true;
    const { threads } = choice;
    const cache = chooseCache(options.cache, plan.info.types);
    const numbers = CACHES.indexOf(cache);
    const wanted = options.contextLength;
    const contextLength = chooseContext(engine, plan.model, maps, numbers, threads, file.config, wanted);
    const shape = [contextLength, BATCH, Number(maps), numbers];
    const sessionBytes = engine.call('heed_session_bytes', plan.model, ...shape, threads);
    const desk = deskSizes(engine, file.config.vocabulary);
    engine.prepare(plan.bytes + sessionBytes + desk.ids + desk.sampling + desk.candidates + EDGES_BYTES);
    const model = await placeWeights(engine, file, plan, kernels);
    throwIfAborted(options.signal);
    const memory = engine.reserve(sessionBytes, `a session of ${contextLength} positions`);
    const session = engine.call('heed_session_create', memory, sessionBytes, model, ...shape, kernels, engine.pool);
    const { config, tokenizer } = file;
    return new Model(engine, session, tokenizer, {
      name: typeof file.metadata['general.name'] === 'string' ? file.metadata['general.name'] : file.name,
      file: file.name,
      format: file.format,
      architecture: file.architecture,
      ...plan.info,
      ...architectureOf(config, file.tensors),
      rotary: config.position.startsWith('rope'),
      contextLength,
      modelContextLength: config.context_length,
      sessionBytes,
      maps,
      cache,
      tokenizer: tokenizer !== null,
      sampling,
      engine: choice,
    });
  }

  /** Tokens in the session. */
  get position() {
    return this.#disposed ? 0 : this.#engine.ask('heed_position', this.#session);
  }

  /** The ids in the session. */
  get ids() {
    return this.#ids.slice(0, this.position);
  }

  /** Names of the activations that this model has, in the order of the forward pass. */
  get hooks() {
    return hookNames(this.#engine, this.info);
  }

  /**
   * @param {string} text
   * @returns {Promise<Int32Array>} ids, with the start token where the model wants one
   * @throws {HeedError} 'no-tokenizer', 'bad-argument'
   */
  async encode(text) {
    this.#alive();
    needText('encode', text);
    return needTokenizer(this.#tokenizer).encode(text);
  }

  /**
   * @param {ArrayLike<number>} ids
   * @returns {Promise<string>}
   * @throws {HeedError} 'no-tokenizer', 'bad-argument'
   */
  async decode(ids) {
    this.#alive();
    const tokenizer = needTokenizer(this.#tokenizer);
    return tokenizer.decode(this.#checked(ids));
  }

  /**
   * Readable text of each token: bytes that are no character as `<0xE2>`, and the id as `[12]` without a tokenizer.
   * @param {ArrayLike<number>} ids
   * @returns {Promise<string[]>}
   */
  async tokens(ids) {
    this.#alive();
    return Array.from(this.#checked(ids), (id) => tokenText(this.#tokenizer, id));
  }

  /**
   * Runs ids through the model after what the session already holds.
   * @param {ArrayLike<number>} ids at least one
   * @param {{ all?: boolean, signal?: AbortSignal }} [options]
   * @returns {Promise<Float32Array>} logits of the last id [vocabulary]; with `all` of each [ids][vocabulary]
   * @throws {HeedError} 'bad-argument', 'context-full', 'aborted'
   */
  async forward(ids, options = {}) {
    needOptions('forward', options, CALLS.forward);
    const { all = false, signal } = options;
    const checked = this.#checked(ids);
    return this.#inTurn(async () => {
      this.#epoch++;
      return this.#run(checked, all, signal);
    });
  }

  /**
   * Goes on with a prompt in a fresh session, a token at a time.
   * @param {string | ArrayLike<number>} prompt
   * @param {import('./generate.js').GenerateOptions} [options]
   * @returns {AsyncGenerator<import('./generate.js').Step, import('./generate.js').Summary, void>}
   */
  generate(prompt, options = {}) {
    return generate(
      {
        tokenizer: this.#tokenizer,
        contextLength: this.info.contextLength,
        vocabulary: this.info.vocabulary,
        sampling: this.info.sampling,
        begin: (ids, signal) => this.#begin(ids, signal),
        sample: (sampling, top, epoch) => this.#sample(sampling, top, epoch),
        next: (id, top, epoch) => this.#next(id, top, epoch),
        rows: (epoch) => this.#lastRows(epoch),
      },
      prompt,
      options,
    );
  }

  /**
   * The map of one head over the session so far, recomputed from the cache.
   * @param {{ layer: number, head: number, kind?: 'pattern' | 'scores', queries?: [from: number, to: number],
   *   position?: number }} at  with `position`, the map as it was when the session held so many tokens
   * @returns {Promise<AttentionMap>}
   * @throws {HeedError} 'bad-argument', 'too-large'
   */
  async attention(at) {
    this.#alive();
    needOptions('attention', at, ['layer', 'head', 'kind', 'queries', 'position']);
    const { layer, head, kind = 'pattern', queries, position } = at ?? {};
    const range = this.#range(kind, queries, position, 1);
    const { from, to, keys } = range;
    const data = new Float32Array((to - from) * keys);
    this.#map(data, layer, head, kind, range);
    const tokens = Array.from(this.#ids.subarray(0, keys), (id) => tokenText(this.#tokenizer, id));
    return { data, queries: to - from, keys, firstQuery: from, layer, head, kind, tokens };
  }

  /**
   * Rows of every head of every layer at once.
   * @param {{ kind?: 'pattern' | 'scores', queries?: [from: number, to: number], position?: number }} [at]
   *   with `position`, the rows as they were when the session held so many tokens
   * @returns {Promise<AttentionRows>}
   * @throws {HeedError} 'bad-argument', 'too-large'
   */
  async attentionRows(at = {}) {
    this.#alive();
    needOptions('attentionRows', at, ['kind', 'queries', 'position']);
    const { kind = 'pattern', queries, position } = at;
    const { layers, heads } = this.info;
    return this.#allRows(kind, this.#range(kind, queries, position, layers * heads));
  }

  /**
   * Runs ids in a fresh session and keeps named activations (TransformerLens's names).
   * @param {ArrayLike<number>} ids
   * @param {string[]} [names] all by default
   * @param {{ all?: boolean, edits?: Edit[], signal?: AbortSignal }} [options]
   * @returns {Promise<{ logits: Float32Array, cache: Record<string, Activation> }>} shapes: [position][…]; q, k, v, z
   *   [position][head][dHead]; attn_scores and pattern [head][query][key]
   */
  async runWithCache(ids, names, options = {}) {
    needOptions('runWithCache', options, CALLS.runWithCache);
    const { all = false, edits = [], signal } = options;
    needArray('names', names ?? [], 'names of activations');
    needArray('edits', edits, 'edits, such as { hook, head, scale }');
    const checked = this.#checked(ids);
    return this.#inTurn(async () => {
      this.#epoch++;
      this.#fits(checked.length);
      this.rewind(0);
      const engine = this.#engine;
      engine.release(this.#scratch); // edits of an earlier run, which its maps still showed
      this.#edited = edits.length > 0;
      try {
        const read = linkCopies(engine, this.#session, this.info, names ?? this.hooks, checked.length);
        linkEdits(engine, this.#session, this.info, edits, checked.length);
        const logits = await this.#run(checked, all, signal);
        return { logits, cache: read() };
      } finally {
        engine.ask('heed_tap_end', this.#session);
      }
    });
  }

  /**
   * Runs ids in a fresh session with activations edited on the way.
   * @param {ArrayLike<number>} ids
   * @param {Edit[]} edits
   * @param {{ all?: boolean, signal?: AbortSignal }} [options]
   * @returns {Promise<Float32Array>} logits as `forward` gives them
   */
  async runWithHooks(ids, edits, options) {
    needOptions('runWithHooks', options, CALLS.runWithHooks);
    return (await this.runWithCache(ids, [], { ...options, edits })).logits;
  }

  /**
   * Forgets what came after the first `position` tokens.
   * @param {number} position
   * @throws {HeedError} 'bad-argument'
   */
  rewind(position) {
    this.#alive();
    if (!(Number.isInteger(position) && position >= 0 && position <= this.position)) {
      // WebAssembly would wrap it
      throw new HeedError(
        'bad-argument',
        `${quoted(position)} is no position to go back to: there are 0 to ${this.position}.`,
      );
    }
    this.#engine.call('heed_rewind', this.#session, position);
    this.#epoch++;
  }

  /** Lets go of the memory. */
  dispose() {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#engine.close();
    this.#engine = /** @type {any} */ (null);
  }

  #alive() {
    if (this.#disposed) throw new HeedError('disposed', 'This model was disposed of. Load it again.');
  }

  /** Calls that change the session run one after another.
   *  @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  #inTurn(work) {
    this.#alive();
    const turn = this.#last.then(() => {
      this.#alive();
      return work();
    });
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** @param {ArrayLike<number>} ids @returns {Int32Array} */
  #checked(ids) {
    if (ids === null || typeof ids !== 'object' || !Number.isInteger(ids.length)) {
      throw new HeedError('bad-argument', `Ids are wanted, an array of whole numbers; ${quoted(ids)} is none.`);
    }
    return idsFrom(ids, this.info.vocabulary);
  }

  /** @param {number} more */
  #fits(more) {
    if (more === 0) throw new HeedError('bad-argument', 'There are no ids to run. Give at least one.');
    if (more > this.info.contextLength) {
      throw new HeedError(
        'context-full',
        `${more} ids do not fit: the session holds ${this.info.contextLength} positions. Shorten the text, or load ` +
          'the model with a larger contextLength.',
      );
    }
  }

  /** @param {Int32Array} ids @param {boolean} all @param {AbortSignal} [signal] */
  async #run(ids, all, signal) {
    this.#fits(ids.length);
    const start = this.position;
    const epoch = this.#epoch;
    if (start + ids.length > this.info.contextLength) {
      throw new HeedError(
        'context-full',
        `The session has ${start} of its ${this.info.contextLength} positions; ${ids.length} more do not fit. ` +
          'Rewind it, or load the model with a larger contextLength.',
      );
    }
    const V = this.info.vocabulary;
    const logits = new Float32Array(all ? ids.length * V : V);
    try {
      await this.#feed(ids, epoch, signal, (first, count) => {
        if (all) this.#readLogits(logits.subarray(first * V, (first + count) * V), 0, count);
        else if (first + count === ids.length) this.#readLogits(logits, count - 1, 1);
      });
    } catch (error) {
      if (!this.#disposed && epoch === this.#epoch) this.#engine.call('heed_rewind', this.#session, start);
      throw error;
    }
    return logits;
  }

  /** Ids into the session, a batch at a time.  Others have the thread between two blocks of the model, and an abort is
   *  heard there: a batch of all of them takes some tenths of a second.
   *  @param {Int32Array} ids @param {number} epoch @param {AbortSignal | undefined} signal
   *  @param {(first: number, count: number) => void} [after] */
  async #feed(ids, epoch, signal, after) {
    const breathe = async () => {
      await this.#pacer.pause();
      throwIfAborted(signal);
      this.#current(epoch);
    };
    for (let first = 0; first < ids.length; first += BATCH) {
      await breathe();
      const batch = ids.subarray(first, first + BATCH);
      if (batch.length === 1) this.#put(batch);
      else await this.#putInParts(batch, breathe);
      after?.(first, batch.length);
    }
  }

  /** One call into the engine.
   *  @param {Int32Array} batch */
  #put(batch) {
    const at = this.position;
    this.#engine.i32(this.#desk.ids, batch.length).set(batch);
    this.#engine.call('heed_forward', this.#session, this.#desk.ids, batch.length);
    this.#ids.set(batch, at);
  }

  /** A call for each block of the model.
   *  @param {Int32Array} batch @param {() => Promise<void>} between */
  async #putInParts(batch, between) {
    const at = this.position;
    this.#engine.i32(this.#desk.ids, batch.length).set(batch);
    this.#engine.call('heed_forward_begin', this.#session, this.#desk.ids, batch.length);
    const more = this.#engine.enumValue('forward', 'more');
    while (this.#engine.call('heed_forward_next', this.#session) === more) await between();
    this.#ids.set(batch, at);
  }

  /** @param {Float32Array} target [rows][vocabulary] @param {number} first @param {number} rows */
  #readLogits(target, first, rows) {
    const V = this.info.vocabulary;
    const most = this.#engine.abi.limits.get('logit_rows') ?? 1;
    for (let row = 0; row < rows; row += most) {
      const count = Math.min(most, rows - row);
      const at = this.#engine.call('heed_logits', this.#session, first + row, count);
      target.set(this.#engine.f32(at, count * V), row * V);
    }
  }

  /** A fresh session with these ids; what it shares with the session there is, is kept.
   *  @param {Int32Array} ids @param {AbortSignal | undefined} signal
   *  @returns {Promise<number>} the epoch of this generation */
  #begin(ids, signal) {
    return this.#inTurn(async () => {
      this.#fits(ids.length);
      // The last id runs anew, for its logits are wanted; and nothing is shared with a run that was edited.
      const most = this.#edited ? 0 : Math.min(this.position, ids.length - 1);
      this.#edited = false;
      let shared = 0;
      while (shared < most && this.#ids[shared] === ids[shared]) shared++;
      this.rewind(shared);
      const epoch = this.#epoch;
      await this.#feed(ids.subarray(shared), epoch, signal);
      return epoch;
    });
  }

  /** @param {number} epoch */
  #current(epoch) {
    this.#alive();
    if (epoch !== this.#epoch) throw superseded();
  }

  /** @param {Record<string, number>} sampling @param {number} top @param {number} epoch */
  #sample(sampling, top, epoch) {
    this.#current(epoch);
    const { sampling: settings, candidates } = this.#desk;
    this.#engine.writeStruct('sampling', settings, sampling);
    this.#engine.call('heed_sample', this.#session, settings, candidates, candidates + CANDIDATE_BYTES, top);
    return this.#choice(top);
  }

  /** Runs an id and chooses the next as #sample did last, by one call into the engine.
   *  @param {number} id @param {number} top @param {number} epoch */
  async #next(id, top, epoch) {
    await this.#pacer.pause(); // or no timer, message or Ctrl-C would come through before the text is done
    this.#current(epoch);
    const { sampling: settings, candidates } = this.#desk;
    const best = candidates + CANDIDATE_BYTES;
    const position = this.#engine.call('heed_step', this.#session, id, settings, candidates, best, top);
    this.#ids[position - 1] = id;
    return this.#choice(top);
  }

  /** What the engine chose, and the likeliest beside it.
   *  @param {number} top @returns {import('./generate.js').Choice} */
  #choice(top) {
    const ids = this.#engine.i32(this.#desk.candidates, 2 * (top + 1));
    const numbers = this.#engine.f32(this.#desk.candidates, 2 * (top + 1));
    const read = (/** @type {number} */ i) => ({ id: ids[2 * i], logprob: numbers[2 * i + 1] });
    return { ...read(0), top: Array.from({ length: top }, (_, i) => read(i + 1)) };
  }

  /** Every head's row of the token that ran last.
   *  @param {number} epoch @returns {AttentionRows} */
  #lastRows(epoch) {
    this.#current(epoch);
    const { layers, heads } = this.info;
    return this.#allRows('pattern', this.#range('pattern', [this.position - 1, this.position], undefined,
      layers * heads));
  }

  /** @param {'pattern' | 'scores'} kind @param {MapRange} range @returns {AttentionRows} */
  #allRows(kind, range) {
    const { layers, heads } = this.info;
    const { from, to, keys } = range;
    const size = (to - from) * keys;
    const data = new Float32Array(layers * heads * size);
    for (let layer = 0; layer < layers; layer++) {
      for (let head = 0; head < heads; head++) {
        const at = (layer * heads + head) * size;
        this.#map(data.subarray(at, at + size), layer, head, kind, range);
      }
    }
    return { data, layers, heads, queries: to - from, keys, firstQuery: from };
  }

  /** @param {string} kind @param {[from: number, to: number] | undefined} queries all of them where undefined
   *  @param {number | undefined} position now where undefined @param {number} maps how many there will be
   *  @returns {MapRange} */
  #range(kind, queries, position, maps) {
    if (!this.info.maps) {
      throw new HeedError(
        'bad-argument',
        'The model was loaded with maps: false, so nothing is kept to make a map of.',
      );
    }
    if (kind !== 'pattern' && kind !== 'scores') {
      throw new HeedError(
        'bad-argument',
        `There is no map of kind ${quoted(kind)}; ‘pattern’ and ‘scores’ there are.`,
      );
    }
    needArray('queries', queries ?? [], 'two positions, [from, to]');
    const keys = position ?? this.position;
    if (!(Number.isInteger(keys) && keys >= 0 && keys <= this.position)) {
      throw new HeedError('bad-argument', `Position ${quoted(position)}: the session has ${this.position} tokens.`);
    }
    const [from, to] = queries ?? [0, keys];
    if (!(Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from <= to && to <= keys)) {
      throw new HeedError(
        'bad-argument',
        `Queries ${quoted([from, to])}: the session has positions 0 to ${keys}.`,
      );
    }
    if ((to - from) * this.position * maps > MAP_LIMIT) {
      throw new HeedError(
        'too-large',
        `A map of ${to - from} queries by ${this.position} keys is too large to hold at once. Ask for a range of ` +
          'queries.',
      );
    }
    return { from, to, keys };
  }

  /** @param {Float32Array} data [query][key] @param {number} layer @param {number} head
   *  @param {'pattern' | 'scores'} kind @param {MapRange} range */
  #map(data, layer, head, kind, { from, to, keys }) {
    if (!(Number.isInteger(layer) && Number.isInteger(head))) {
      throw new HeedError(
        'bad-argument',
        `A map has a layer and a head, both numbers; layer ${quoted(layer)}, head ${quoted(head)} is none.`,
      );
    }
    const { layers, heads } = this.info;
    if (layer < 0 || layer >= layers || head < 0 || head >= heads) {
      throw new HeedError(
        'bad-argument',
        `There is no layer ${layer}, head ${head}: the model has ${layers} layers of ${heads} heads, counted from ` +
          '0.',
      );
    }
    const held = this.position;
    for (let first = from; first < to; first += BATCH) {
      const end = Math.min(to, first + BATCH);
      const number = this.#engine.enumValue('map', kind);
      const at = this.#engine.call('heed_map', this.#session, layer, head, number, first, end);
      const rows = this.#engine.f32(at, (end - first) * held);
      if (keys === held) data.set(rows, (first - from) * keys);
      else for (let query = first; query < end; query++) {
        const row = (query - first) * held;
        data.set(rows.subarray(row, row + keys), (query - from) * keys);
      }
    }
  }
}

guard(Model.prototype);
