/** The core API of a model in its own thread: each call checks its arguments, then uses session or tokenizer. */
import { chatFormatOf } from '../chat/format.js';
import { checkEngine, chooseEngine, onOneThread } from '../engine/choose.js';
import { Engine } from '../engine/wasm.js';
import { HeedError, quoted } from '../errors.js';
import { guard } from '../guard.js';
import { CALLS, needArray, needInteger, needOptions, selected } from '../options.js';
import { idsFrom } from '../text/ids.js';
import { needText, needTokenizer, tokenText } from '../text/text.js';
import { checkCache } from './cache.js';
import { createSession } from './create-session.js';
import { generate } from './generate.js';
import { hookNames } from './hooks.js';
import { weightsOf } from './info.js';
import { attentionMap, attentionRows } from './maps.js';
import { checkQuantize } from './quantize.js';

/** @typedef {import('./create-session.js').OpenOptions} OpenOptions */
/** @typedef {import('./load.js').ModelSource} ModelSource */
/** @typedef {import('../text/tokenizer.js').Tokenizer} Tokenizer */
/** @typedef {import('./hooks.js').Activation} Activation */
/** @typedef {import('./edits.js').Edit} Edit */
/** @typedef {import('./info.js').ModelInfo} ModelInfo */
/** @typedef {import('./info.js').Weight} Weight */
/** @typedef {import('../options.js').Names} Names */
/** @typedef {import('./maps.js').AttentionMap} AttentionMap */
/** @typedef {import('./maps.js').AttentionRows} AttentionRows */
/**
 * Options of unembed.
 * @typedef {object} UnembedOptions
 * @property {boolean} [normalize]  applies the final norm; default true
 * @property {number} [top]         number of candidates of each row, at most the vocabulary; default: all logits
 */
/**
 * The likeliest next tokens of each row, the likeliest first; equally likely ones by id.
 * @typedef {object} Ranking
 * @property {Int32Array} ids         likeliest ids, [rows][top]
 * @property {Float32Array} logprobs  natural logarithms of their probabilities, [rows][top]
 * @property {number} rows
 * @property {number} top
 */

/**
 * A token of a guided generation: sampling settings, numbers to add to logits, number of candidates, epoch.
 * @typedef {{ sampling: Record<string, number | string>, bias: Float32Array, top: number, epoch: number }} GuidedStep
 * @internal
 */

/**
 * A loaded model with its one session.  The session is the text so far: `forward` and `generate` extend it, `attention`
 * reads it, `rewind` shortens it.  For two texts at once, load the model twice.
 */
export class Model {
  /** Sizes of the model, and how it runs. @type {ModelInfo} */ info;
  /** Names of this model's activations (TransformerLens's names), in the order of the forward pass.
   *  @type {string[]} */ hooks;
  /** The weights, in the order of the file. @type {Weight[]} */ weights;
  /** Templates and control tokens for `chat`.
   *  @type {import('../chat/format.js').ChatFormat | null} @internal */ chatFormat;
  /** Dense layers, which `embed` applies to the pooled vector.
   *  @type {import('../files/dense.js').Dense[] | undefined} @internal */ dense;
  #session;
  #tokenizer;

  /**
   * @param {import('./session.js').Session} session
   * @param {Tokenizer | null} tokenizer
   * @param {ModelInfo} info
   * @param {string[]} hooks
   * @param {Weight[]} weights
   * @param {import('../chat/format.js').ChatFormat | null} chatFormat
   * @param {Model['dense']} [dense]
   * @internal
   */
  constructor(session, tokenizer, info, hooks, weights, chatFormat, dense) {
    this.#session = session;
    this.#tokenizer = tokenizer;
    this.info = info;
    this.hooks = hooks;
    this.weights = weights;
    this.chatFormat = chatFormat;
    this.dense = dense;
  }

  /**
   * Loads a model into this thread; `load()` of the package calls it.
   * @param {typeof import('../files/model-file.js').openModelFile} open  a parameter, so that a worker contains only
   *   the formats that it reads
   * @param {ModelSource} source
   * @param {OpenOptions} [options]
   * @param {(engine: Engine) => void} [onEngine]  receives the engine, for tools that inspect it
   * @template {Model} M
   * @this {new (...parts: ConstructorParameters<typeof Model>) => M}
   * @returns {Promise<M>}
   * @internal
   */
  static async load(open, source, options = {}, onEngine = () => {}) {
    const { signal, onProgress, stallMs, tower } = options;
    const Chosen = /** @type {typeof Engine} */ (options.memory64 ? options.Engine64 : Engine);
    checkEngine(options);
    checkQuantize(options);
    checkCache(options);
    const file = await open(source, {
      signal: signal ?? null,
      // The engine arrives while the header is read. The second choice below reports errors.
      onSize: (bytes) => void chooseEngine(options, bytes)
        .then(({ kernels, threads }) => Chosen.prefetch(kernels, threads), () => {}),
      ...(onProgress && { onProgress }),
      ...(stallMs !== undefined && { stallMs }),
      ...(tower !== undefined && { tower }),
    });
    try {
      let chosen = await chooseEngine(options, file.fileBytes);
      const engine = await Chosen.create(chosen.kernels, chosen.threads).catch((error) => {
        if (error.code !== 'out-of-memory' || (options.threads ?? 'auto') !== 'auto') throw error;
        chosen = onOneThread(chosen);
        return Chosen.create(chosen.kernels, 1);
      });
      onEngine(engine);
      try {
        const { session, info } = await createSession(engine, file, chosen, options);
        const hooks = hookNames(engine.abi.hooks, info);
        return new this(session, file.tokenizer, info, hooks, weightsOf(file), chatFormatOf(file),
          file.pooling?.dense);
      } catch (error) {
        engine.close();
        throw error;
      }
    } finally {
      await file.close();
    }
  }

  /** The number of tokens in the session. */
  get position() {
    return this.#session.position;
  }

  /** A copy of the ids in the session, [position]. */
  get ids() {
    return this.#session.ids;
  }

  /**
   * Converts text to token ids.  A vocabulary without bytes and without an unknown token drops the characters that it
   * lacks.
   * @param {string} text
   * @param {import('../text/tokenizer.js').EncodeOptions} [options]
   * @returns {Promise<Int32Array>} ids [tokens], with the start token if the model expects one
   * @throws {HeedError} 'no-tokenizer', 'bad-argument', 'disposed'
   */
  async encode(text, options) {
    this.#session.needOpen();
    needText('encode', text);
    needOptions('encode', options, CALLS.encode);
    return needTokenizer(this.#tokenizer).encode(text, options);
  }

  /**
   * Converts token ids to text.
   * @param {ArrayLike<number>} ids  [tokens]
   * @returns {Promise<string>} text, with U+FFFD for bytes that are not UTF-8
   * @throws {HeedError} 'no-tokenizer', 'bad-argument', 'disposed'
   */
  async decode(ids) {
    this.#session.needOpen();
    return needTokenizer(this.#tokenizer).decode(this.#checkIds(ids));
  }

  /**
   * Readable text of each token.  Bytes that are not a whole character appear as `<0xE2>`; without a tokenizer, a token
   * appears as its id, `[12]`.
   * @param {ArrayLike<number>} ids  [tokens]
   * @returns {Promise<string[]>} one string per token
   * @throws {HeedError} 'bad-argument', 'disposed'
   */
  async tokens(ids) {
    this.#session.needOpen();
    return this.#textsOf(this.#checkIds(ids));
  }

  /**
   * Appends ids to the session and computes logits.  An encoder reads a whole text, so its session must be empty.  An
   * error or an abort does not change the session.
   * @param {ArrayLike<number>} ids  at least one id, [ids]
   * @param {object} [options]
   * @param {boolean} [options.all]  logits of every id; default false: of the last id
   * @param {AbortSignal} [options.signal]  aborts between two blocks of the model
   * @returns {Promise<Float32Array>} logits [outputs] of the vocabulary or the labels; with `all`, [ids][outputs]
   * @throws {HeedError} 'bad-argument', 'context-full', 'unsupported' without a head, 'aborted', 'disposed'
   */
  async forward(ids, options = {}) {
    needOptions('forward', options, CALLS.forward);
    const { all = false, signal } = options;
    this.#needHead('none');
    return this.#session.forward(this.#checkIds(ids), all, signal);
  }

  /**
   * Generates a text from a prompt, one step per token.  The prompt replaces the text in the session; a common prefix
   * is not computed again.  After a break out of the loop, the session ends at the last step that was read.
   * @param {string | ArrayLike<number>} prompt  text, or ids [tokens]
   * @param {import('./generate.js').GenerateOptions} [options]
   * @returns {AsyncGenerator<import('./generate.js').Step, import('./generate.js').Summary, void>} steps, then the
   *   summary as the generator's return value
   * @throws {HeedError} 'bad-argument', 'no-tokenizer', 'context-full' for a prompt that does not fit, 'superseded'
   *   when another call changes the session, 'disposed'
   */
  generate(prompt, options = {}) {
    return generate(this.#session, this.info, this.#tokenizer, prompt, options);
  }

  /** Starts a guided text. @param {Int32Array} ids @param {{ signal?: AbortSignal, edits?: Edit[] }} options
   *  @returns {Promise<number>} its epoch @internal */
  async guidedBegin(ids, { signal, edits }) {
    return this.#session.begin(ids, signal, edits);
  }

  /** Continues a guided text. @param {number | null} id  token to append @param {GuidedStep} step @internal */
  async guidedNext(id, step) {
    return this.#session.guided(id, step);
  }

  /** Ends a guided text. @param {number} epoch @internal */
  guidedEnd(epoch) {
    this.#session.endEdits(epoch);
  }

  /** @param {Model} model @internal */
  static sessionOf(model) {
    return model.#session;
  }

  /** Bytes of all tokens, one after another; none of control tokens.
   *  @returns {Promise<import('../guide/vocabulary.js').TokenBytes>} @internal */
  async tokenBytes() {
    const tokenizer = needTokenizer(this.#tokenizer);
    const { vocabulary } = this.info;
    const all = Array.from({ length: vocabulary }, (_, id) => (id < tokenizer.size ? tokenizer.bytes(id) : []));
    let end = 0;
    const ends = Uint32Array.from(all, ({ length }) => (end += length));
    const bytes = new Uint8Array(end);
    all.forEach((token, id) => bytes.set(token, ends[id] - token.length));
    return { bytes, ends, eos: tokenizer.eos };
  }

  /**
   * Computes the attention map of one head over the text so far, from the KV cache.
   * @param {import('./maps.js').MapRequest} map  layer and head; kind, rows and length of the text
   * @returns {Promise<AttentionMap>} the map, [queries][keys]
   * @throws {HeedError} 'bad-argument', also for an empty session; 'too-large' for more than 2²⁷ elements, 'disposed'
   */
  async attention(map) {
    return attentionMap(this.#session, this.info, map, (ids) => this.#textsOf(ids));
  }

  /**
   * Computes rows of the attention maps of all heads of all layers, from the KV cache.
   * @param {import('./maps.js').RowsRequest} [map]  kind, rows and length of the text
   * @returns {Promise<AttentionRows>} the rows, [layers][heads][queries][keys]
   * @throws {HeedError} 'bad-argument', also for an empty session; 'too-large' for more than 2²⁷ elements, 'disposed'
   */
  async attentionRows(map = {}) {
    return attentionRows(this.#session, this.info, map);
  }

  /**
   * Clears the session, runs ids, and copies named activations (the `run_with_cache` of TransformerLens).
   * @param {ArrayLike<number>} ids  at least one id, [ids]
   * @param {Names} [names]  names from `model.hooks`, or a pattern or a function that selects
   *   them, such as /hook_z$/; default: all of them
   * @param {object} [options]
   * @param {boolean} [options.all]  logits of every id; default false: of the last id
   * @param {Edit[]} [options.edits]  edits of activations during the run, in this order
   * @param {AbortSignal} [options.signal]  aborts between two blocks of the model
   * @returns {Promise<{ logits: Float32Array, cache: Record<string, Activation> }>} logits as `forward` returns them,
   *   and one activation per name: [position][width]; q, k, v and z [position][head][dHead]; scores and patterns
   *   [head][query][key]
   * @throws {HeedError} 'bad-argument', 'context-full', 'too-large' for more than 2²⁸ copied elements, 'aborted',
   *   'disposed'
   */
  async runWithCache(ids, names, options = {}) {
    needOptions('runWithCache', options, CALLS.runWithCache);
    const { all = false, edits = [], signal } = options;
    const chosen = this.#names('names', names ?? this.hooks);
    needArray('edits', edits, 'edits, such as { hook, head, scale }');
    return this.#session.runWithCache(this.#checkIds(ids), { names: chosen, edits, all, signal });
  }

  /**
   * Clears the session and runs ids with edits of activations (the `run_with_hooks` of TransformerLens).  Attention
   * maps of this session show the edited run.
   * @param {ArrayLike<number>} ids  at least one id, [ids]
   * @param {Edit[]} edits  edits of activations during the run, in this order
   * @param {object} [options]
   * @param {boolean} [options.all]  logits of every id; default false: of the last id
   * @param {AbortSignal} [options.signal]  aborts between two blocks of the model
   * @returns {Promise<Float32Array>} logits [vocabulary]; with `all`, [ids][vocabulary]
   * @throws {HeedError} 'bad-argument', 'context-full', 'aborted', 'disposed'
   */
  async runWithHooks(ids, edits, options) {
    needOptions('runWithHooks', options, CALLS.runWithHooks);
    return (await this.runWithCache(ids, [], { ...options, edits })).logits;
  }

  /**
   * Computes the gradient of a metric by activations: d value / d activation.  The run of the ids does
   * not change the session.  Weights are constants.  The rounding of activations to 8 bits has derivative 1.  All
   * activations of the run are in memory at once, with their gradients.
   * @param {ArrayLike<number>} ids  at least one id, [ids]
   * @param {object} options
   * @param {import('./metric.js').Metric} options.of  number to differentiate
   * @param {Names} [options.at]  names from `model.hooks`, or a pattern or a function; default: all of them
   * @param {Edit[]} [options.edits]  edits of activations during the run, in this order.  The gradient of an edited
   *   activation is the gradient of the edited value, and a mean is a constant
   * @param {boolean} [options.activations]  returns the activations of the run, too; default false
   * @param {(progress: import('./gradients.js').GradientProgress) => void} [options.onProgress]  receives finished and
   *   all parts, and the bytes of the run.  The first report comes before the memory is taken
   * @param {AbortSignal} [options.signal]  aborts between two blocks of the model
   * @returns {Promise<import('./gradients.js').Gradients>} the metric, and a gradient per name, with the shape of the
   *   activation
   * @throws {HeedError} 'bad-argument', 'context-full', 'too-large', 'out-of-memory', 'needs-memory' for more than
   *   4 GB, 'not-finite', 'aborted', 'disposed'
   */
  async gradients(ids, options) {
    needOptions('gradients', options ?? null, CALLS.gradients);
    const { of, edits = [], activations = false, onProgress, signal } = options;
    const at = this.#names('at', options.at ?? this.hooks);
    needArray('edits', edits, 'edits, such as { hook, head, scale }');
    return this.#session.gradients(this.#checkIds(ids), { of, at, edits, activations, onProgress, signal });
  }

  /**
   * Clears the session, and computes a metric of many edited runs.  The runs share the work before their first edit,
   * so they take less time than runs one by one, and give the same bits.  Afterwards the session is empty.
   * @param {ArrayLike<number>} ids  at least one id, [ids]
   * @param {Edit[][]} variants  edits of each run
   * @param {object} options
   * @param {import('./metric.js').Metric} options.of  number to compute
   * @param {Names} [options.names]  names from `model.hooks`, or a pattern or a function: copies these activations of
   *   the run without edits; default: none
   * @param {(progress: { done: number, total: number }) => void} [options.onProgress]  receives finished and all runs
   * @param {AbortSignal} [options.signal]  aborts between two blocks of the model
   * @returns {Promise<import('./sweep.js').SweepResult>} the metric without edits, and of each variant; the cache of
   *   `names`
   * @throws {HeedError} 'bad-argument', 'context-full', 'too-large', 'not-finite', 'aborted', 'disposed'
   */
  async sweep(ids, variants, options) {
    needOptions('sweep', options ?? null, CALLS.sweep);
    needArray('variants', variants, 'arrays of edits');
    for (const edits of variants) needArray('a variant', edits, 'edits, such as { hook, head, scale }');
    const { of, onProgress, signal } = options;
    const names = this.#names('names', options.names ?? []);
    return this.#session.sweep(this.#checkIds(ids), variants, { of, names, onProgress, signal });
  }

  /**
   * Logits of residuals of any layer: the head of the model after its final norm (the logit lens, nostalgebraist 2020).
   * With `top`, only the likeliest candidates of each row, which the thread of the model finds.
   * @template {UnembedOptions} [T=UnembedOptions & { top?: undefined }]
   * @param {Float32Array} x  residuals [rows][dModel], such as `hook_resid_post`
   * @param {T} [options]  final norm, and number of candidates
   * @returns {Promise<T extends { top: number } ? Ranking : Float32Array>} logits [rows][vocabulary], or candidates
   * @throws {HeedError} 'bad-argument', 'too-large' for more than 2²⁸ numbers, 'not-finite', 'unsupported' without a
   *   head for words, 'disposed'
   */
  async unembed(x, options) {
    needOptions('unembed', options, CALLS.unembed);
    const { normalize = true, top } = options ?? {};
    this.#needHead('none', ...(top === undefined ? [] : ['labels', 'vector']));
    const { dModel, outputs } = this.info;
    const rows = x.length / dModel;
    if (!(x instanceof Float32Array) || !Number.isInteger(rows) || rows === 0) {
      throw new HeedError('bad-argument', `Expected residuals as a Float32Array of [rows][${dModel}] numbers, got ` +
        `${quoted(x)}.`);
    }
    if (top !== undefined) needInteger('top', top, 1, outputs);
    if (rows * (top ?? outputs) > 2 ** 28) {
      throw new HeedError('too-large', `${rows} rows of ${top ?? outputs} numbers exceed 2²⁸. Pass fewer rows.`);
    }
    return /** @type {any} */ (this.#session.unembed(x, normalize, top ?? 0));
  }

  /**
   * Reads a weight as float32, with the values that products use.
   * @param {string} name  name in the GGUF format, such as 'blk.0.attn_q.weight' or 'output_norm.weight'
   * @param {{ range?: ArrayLike<number> }} [options]  range: the first row, and the row after the last; default: all
   * @returns {Promise<Activation | null>} weight [outputs][inputs], or a vector; null if the model does not have it
   * @throws {HeedError} 'bad-argument' for a name that no model has, 'disposed'
   */
  async weight(name, options = {}) {
    needOptions('weight', options, CALLS.weight);
    return this.#session.weight(name, options.range);
  }

  /**
   * Drops the tokens after the first `position`.
   * @param {number} position  number of tokens to keep, 0 to `model.position`
   * @throws {HeedError} 'bad-argument', 'disposed'
   */
  rewind(position) {
    this.#session.needOpen();
    needInteger('position', position, 0, this.position);
    this.#session.rewind(position);
  }

  /** Frees the memory of the model and ends its threads.  Later calls reject with 'disposed'. */
  dispose() {
    this.#session.close();
  }

  /** @param {...string} unfit  heads without the logits of this call @throws {HeedError} 'unsupported' */
  #needHead(...unfit) {
    const { head, name } = this.info;
    if (!unfit.includes(head)) return;
    const kind = head === 'none' ? 'no head' : `a head for ${head === 'labels' ? head : 'vectors'}`;
    throw new HeedError('unsupported', `${quoted(name)} has ${kind}, so it computes no logits of words. Call embed ` +
      'or runWithCache.');
  }

  /** @param {string} option @param {Names} names */
  #names(option, names) {
    const found = /** @type {string[]} */ (selected(names, this.hooks));
    needArray(option, found, 'names of activations');
    return found;
  }

  /** @param {Int32Array} ids */
  #textsOf(ids) {
    const { picture } = this.info;
    if (!picture) return Array.from(ids, (id) => tokenText(this.#tokenizer, id));
    const { columns, leading } = picture;
    return Array.from(ids, (id) => (id >= leading
      ? `${Math.floor((id - leading) / columns)},${(id - leading) % columns}` : id ? '[distillation]' : '[class]'));
  }

  /** @param {ArrayLike<number>} ids @returns {Int32Array} a copy */
  #checkIds(ids) {
    return idsFrom(ids, this.info.vocabulary);
  }
}

guard(Model.prototype);
