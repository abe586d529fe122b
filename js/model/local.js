/** The model that `load` returns without a Worker; its public members are the API of every loaded model. */
import { openModelFile } from '../files/model-file.js';
import { DISPOSE, guard } from '../guard.js';
import { CALLS, isGuided, needOptions } from '../options.js';
import { INPUTS } from './inputs.js';
import { Model } from './model.js';

/** @typedef {import('../chat/chat.js').Message} Message */
/** @typedef {import('../chat/chat.js').ChatOptions} ChatOptions */
/** Options of `generate`, and restrictions of the text.
 *  @typedef {import('./generate.js').GenerateOptions & import('../guide/generate.js').GuideOptions} GuidedOptions */

/**
 * A model in this thread, with the calls that need no code in a Worker, because they are made of other calls.  Their
 * modules are imported when they are called.
 */
export class LocalModel extends Model {
  /**
   * Loads a model of any format, with the code that its options need.
   * @param {import('./load.js').ModelSource} source
   * @param {import('./create-session.js').OpenOptions} options
   * @returns {Promise<LocalModel>}
   * @internal
   */
  static async open(source, options) {
    const adapting = options.adapter && await import('./adapter.js');
    const { Engine64 } = options.memory64 ? await import('../engine/wasm64.js') : {};
    return LocalModel.load(openModelFile, source,
      { ...options, ...(adapting && { adapting }), ...(Engine64 && { Engine64 }) });
  }

  /** Calls `dispose`, at the end of a block that declares the model by `using`. */
  [DISPOSE]() {
    this.dispose();
  }

  /**
   * Generates a text from a prompt, one step per token.  The prompt replaces the text in the session; a common prefix
   * is not computed again.  The prompt of an encoder–decoder is its source.  After a break out of the loop, the session
   * ends at the last step that was read.
   * @param {string | ArrayLike<number>} prompt  text, or ids [tokens]
   * @param {GuidedOptions} [options]
   * @returns {AsyncGenerator<import('./generate.js').Step, import('./generate.js').Summary, void>} steps, then the
   *   summary as the generator's return value
   * @throws {HeedError} 'bad-argument', 'no-tokenizer', 'context-full' for a prompt that does not fit, 'superseded'
   *   when another call changes the session, 'unsupported' for a schema or grammar, 'too-large', 'disposed'
   */
  async *generate(prompt, options = {}) {
    needOptions('generate', options, CALLS.generate);
    if (!this.info.parts) return yield* this.#write(prompt, options);
    const { generateFrom } = await import('./encoder-decoder.js');
    return yield* generateFrom(this, prompt, options, (...text) => this.#write(...text));
  }

  /** @type {Model['generate']} */
  async *#write(/** @type {any} */ prompt, /** @type {GuidedOptions} */ options = {}) {
    if (!isGuided(options)) return yield* super.generate(prompt, options);
    return yield* (await import('../guide/generate.js')).guided(this, prompt, options);
  }

  /**
   * Generates several texts from one prompt, one after another.  The prompt is computed once, except with edits or in
   * an encoder–decoder.  Text i is the text of `generate` with the seed `seed + i`.
   * @param {string | ArrayLike<number>} prompt  text, or ids [tokens]
   * @param {import('./batch.js').BatchOptions} [options]  options of `generate`; count: number of texts, default 2
   * @returns {AsyncGenerator<import('./batch.js').BatchStep, import('./generate.js').Summary[], void>} steps with the
   *   index of their text, then the summary of each text; an abort ends the last one
   * @throws {HeedError} the errors of `generate`
   */
  async *generateBatch(prompt, options) {
    return yield* (await import('./batch.js')).generateBatch(this, prompt, options);
  }

  /**
   * Generates the reply to a conversation, by the chat template of the model.  Names of control tokens in messages
   * stay text.  A prefix of the conversation that the session holds is not computed again.
   * @param {Message[]} messages  the conversation, oldest message first
   * @param {ChatOptions} [options]  options of `generate`, and of the template
   * @returns {ReturnType<Model['generate']>} steps of the reply, then its summary
   * @throws {HeedError} 'bad-argument', also without a template, or if it refuses the messages; 'unsupported' if it
   *   cannot be rendered; 'too-large' beyond its limits.  The errors of `generate`
   */
  async *chat(messages, options) {
    const { chat } = await import('../chat/chat.js');
    return yield* chat(this, messages, options);
  }

  /**
   * The ids of a conversation by the chat template, as `chat` runs them.
   * @param {Message[]} messages  the conversation, oldest message first
   * @param {import('../chat/chat.js').TemplateOptions} [options]
   * @returns {Promise<Int32Array>} ids [tokens]
   * @throws {HeedError} the errors of `chat` before its first step
   */
  async chatIds(messages, options) {
    const { chatIds } = await import('../chat/chat.js');
    return chatIds(this, messages, options);
  }

  /**
   * Searches the most probable texts after a prompt.  It takes more time than `generate`, because several texts share
   * one session.  Afterwards the session holds the best text.
   * @param {string | ArrayLike<number>} prompt  text, or ids [tokens]; of an encoder–decoder, its source
   * @param {import('./beam-search.js').BeamOptions} [options]
   * @returns {Promise<import('./beam-search.js').BeamText[]>} the texts that were found, best first; at most `beams`
   * @throws {HeedError} 'bad-argument', 'unsupported' for encoders, 'no-tokenizer', 'context-full', 'aborted',
   *   'superseded' when another call changes the session, 'disposed'
   */
  async beamSearch(prompt, options) {
    const { beamSearch } = await import('./beam-search.js');
    return beamSearch(this, prompt, options);
  }

  /**
   * Computes how likely a text is, id by id, in one run.  Afterwards the session holds the text without its last id.
   * @param {string | ArrayLike<number>} text  text, or ids [ids]; at least two ids
   * @param {object} [options]
   * @param {import('./edits.js').Edit[]} [options.edits]  edits of activations during the run
   * @param {(progress: { done: number, total: number }) => void} [options.onProgress]  receives finished and all ids,
   *   after the run
   * @param {AbortSignal} [options.signal]  aborts between two blocks of the model
   * @returns {Promise<import('./score.js').Score>} ids, their log-probabilities, perplexity
   * @throws {HeedError} 'bad-argument', 'no-tokenizer', 'context-full', 'unsupported' for encoders, 'too-large',
   *   'out-of-memory', 'not-finite', 'aborted', 'disposed'
   */
  async score(text, options) {
    const { score } = await import('./score.js');
    return score(this, text, options);
  }

  /**
   * Gives a model of pictures its picture: resized, normalized, and divided into patches.  The session becomes empty.
   * Pass the ids to `forward`, `runWithCache`, `gradients` and others; maps are then between patches.
   * @param {import('./picture.js').Picture} picture  pixels { data, width, height } of 3 or 4 bytes; in a browser also
   *   an image, a canvas, a bitmap or a file
   * @returns {Promise<Int32Array>} ids [1 + patches]: 0 is the class token, i + 1 is patch i, row by row
   * @throws {HeedError} 'bad-argument', 'unsupported' for models of texts, 'too-large', 'disposed'
   */
  async look(picture) {
    const { look } = await import('./picture.js');
    return look(this, picture);
  }

  /**
   * Computes the vector of a text, or of each text of an array, one after another.  Texts of similar meaning have
   * vectors of similar direction, if the model was trained for it.  Afterwards the session holds the last text.
   * @template {string | import('./picture.js').Picture | (string | import('./picture.js').Picture)[]} T
   * @param {T} text  text or texts, encoded with the model's start and end tokens; for a model of pictures, pictures
   * @param {import('./encoder.js').EmbedOptions} [options]
   * @returns {Promise<T extends any[] ? Float32Array[] : Float32Array>} vectors [dModel], or [outputs] of the last
   *   Dense layer; with pooling 'none', [tokens][dModel]
   * @throws {HeedError} 'bad-argument', 'no-tokenizer', 'context-full', 'aborted', 'disposed'
   */
  async embed(text, options) {
    const { embed } = await import('./encoder.js');
    return embed(this, text, options);
  }

  /**
   * The likeliest words at the mask tokens of a text, by an encoder with a head for words.  Afterwards the session
   * holds the text.
   * @param {string} text  text with the model's mask token, such as `[MASK]` or `<mask>`
   * @param {{ top?: number, signal?: AbortSignal }} [options]  top: number of candidates of each mask; default 5
   * @returns {Promise<import('./encoder.js').FilledMask[]>} the candidates of each mask, in the order of the text
   * @throws {HeedError} 'bad-argument', also without a mask; 'unsupported' for other models; 'no-tokenizer',
   *   'context-full', 'aborted', 'disposed'
   */
  async fillMask(text, options) {
    const { fillMask } = await import('./encoder.js');
    return fillMask(this, text, options);
  }

  /**
   * Encodes two texts with a separator between them, as models that compare two texts expect.  In models with segments,
   * the second text has segment 1 whenever exactly these ids run.  The session becomes empty.
   * @param {string} text
   * @param {string} second
   * @returns {Promise<Int32Array>} ids [tokens] for `forward`, `runWithCache`, `gradients` and others
   * @throws {HeedError} 'bad-argument', 'unsupported' for other models, 'no-tokenizer', 'context-full', 'disposed'
   */
  async pair(text, second) {
    const { pair } = await import('./encoder.js');
    return pair(this, text, second);
  }

  /**
   * Gives an encoder–decoder the source that its encoder reads.  The session becomes empty.
   * @param {string | ArrayLike<number>} source  text, encoded with the model's end token, or ids [tokens]
   * @returns {Promise<Int32Array>} ids that begin a text of the decoder, for `forward`, `runWithCache` and others
   * @throws {HeedError} 'bad-argument', 'unsupported' for other models, 'no-tokenizer', 'context-full', 'disposed'
   */
  async read(source) {
    const { read } = await import('./encoder-decoder.js');
    return read(this, source);
  }

  /**
   * Saves the session: its ids, and the cached keys, values and queries of each position.  The session does not change.
   * @returns {Promise<Uint8Array<ArrayBuffer>>} bytes for `restoreSession` of the same model, in any page, thread or
   *   process
   * @throws {HeedError} 'unsupported' for a text with edits, 'superseded' when another call changes the session,
   *   'disposed'
   */
  async saveSession() {
    const { saveSession } = await import('./saved.js');
    return saveSession(this);
  }

  /**
   * Replaces the session by a saved one.  Maps, `forward` and `generate` then give what they give in the saved
   * session.  An error does not change the session.
   * @param {Uint8Array | ArrayBuffer} saved  the bytes of `saveSession`
   * @returns {Promise<void>}
   * @throws {HeedError} 'bad-argument', 'bad-file', 'truncated', 'not-finite', 'unsupported' for the session of
   *   another model or with other options of `load`, 'context-full', 'superseded', 'disposed'
   */
  async restoreSession(saved) {
    const { restoreSession } = await import('./saved.js');
    return restoreSession(this, saved);
  }

  /** Copies rows of the cache, for saved sessions. @type {import('./session.js').Session['cached']} @internal */
  async cached(...rows) {
    return Model.sessionOf(this).cached(...rows);
  }

  /** Gives the model another input than the ids of a text. @param {import('./inputs.js').Input} input @internal */
  async setInput(...[kind, ...values]) {
    return /** @type {any} */ (INPUTS)[kind](Model.sessionOf(this), ...values);
  }

  /**
   * The labels of a text or a picture, or of each of an array, by an encoder with a head for them.  Afterwards the
   * session holds the last one.
   * @template {string | import('./picture.js').Picture | (string | import('./picture.js').Picture)[]} T
   * @param {T} text  text or texts; for a model of pictures, pictures
   * @param {{ pair?: string, signal?: AbortSignal }} [options]  pair: second text of each text, for models that compare
   *   two texts
   * @returns {Promise<T extends any[] ? import('./encoder.js').Label[][] : import('./encoder.js').Label[]>} every label
   *   with its probability, the likeliest first; of an array, [texts]
   * @throws {HeedError} 'bad-argument', 'unsupported' for models without labels, 'no-tokenizer', 'context-full',
   *   'aborted', 'disposed'
   */
  async classify(text, options) {
    const { classify } = await import('./encoder.js');
    return classify(this, text, options);
  }
}

guard(LocalModel.prototype);
