/** The text that an encoder–decoder writes from a source: greedily, or by beam search. */
import { HeedError } from '../../../js/index.js';
import { idsFrom } from '../../../js/text/ids.js';
import { formatInteger, pluralize } from '../format.js';
import { Generation, idsIn, TOP } from '../generation.js';

/** @typedef {import('../generation.js').Text} Text */
/** @typedef {import('../generation.js').Sampling} Sampling */
/** @typedef {Awaited<ReturnType<import('../../../js/index.js').Model['beamSearch']>>[number]} BeamText */

/**
 * @typedef {object} TranslationEvents
 * @property {() => void} onReading the model begins to read another source
 * @property {(tokens: string[]) => void} onSource there is another source
 * @property {(texts: BeamText[]) => void} onTexts the search has found texts, the best first
 * @property {() => number} beams texts that are continued at the same time; 1: the likeliest token at each position
 */

export class Translation extends Generation {
  /** Ids of the source that the model has read. @type {number[]} */
  sourceIds = [];
  #events;
  /** Resolves when the model has read the last source. @type {Promise<unknown>} */
  #reading = Promise.resolve();

  /**
   * @param {import('../../../js/index.js').Model} model
   * @param {import('../generation.js').GenerationEvents} events
   * @param {TranslationEvents} more
   */
  constructor(model, events, more) {
    super(model, events);
    this.#events = more;
  }

  /** Reads a source, and writes its text. @param {string} source @param {number} maxTokens @returns {Promise<any>} */
  begin(source, maxTokens) {
    return this.runTask(async (signal) => {
      const { read, start } = await this.#readSource(source, signal);
      await this.replace({ prompt: source, promptLength: start.length, ids: start }, { isRead: false });
      const beams = this.#events.beams();
      this.#events.onTexts([]);
      if (beams === 1) {
        return this.write(this.model.generate(read, { temperature: 0, maxTokens, top: TOP, signal }), signal);
      }
      const texts = await this.model.beamSearch(read, { beams, maxTokens, signal });
      await this.#showIds(source, start, [...start, ...texts[0].ids], signal);
      this.#events.onTexts(texts);
    });
  }

  /** @param {number} maxTokens */
  continue(maxTokens) {
    return this.begin(this.prompt ?? '', maxTokens);
  }

  /** @returns {Promise<never>} */
  async beginIds() {
    throw new HeedError('unsupported', 'An encoder–decoder writes from a source.');
  }

  /** @returns {Promise<never>} */
  async continueWith() {
    throw new HeedError('unsupported', 'The text of an encoder–decoder is written as a whole.');
  }

  /** Shows an earlier text. @param {Pick<Text, 'prompt' | 'ids'>} text */
  show({ prompt, ids }) {
    return this.runTask(async (signal) => {
      const { start } = await this.#readSource(prompt, signal);
      await this.#showIds(prompt, start, [...ids], signal, { isRead: false });
    });
  }

  /** @param {string} source @param {number[]} ids after the ids that begin every text */
  async showIds(source, ids) {
    return this.show({ prompt: source, ids: [...this.model.info.parts?.start ?? [], ...ids] });
  }

  /** @param {string} prompt @param {number[]} start @param {number[]} ids of the whole text
   *  @param {AbortSignal} signal @param {{ isRead?: boolean }} [options] */
  async #showIds(prompt, start, ids, signal, options) {
    await this.replace({ prompt, promptLength: start.length, ids: ids.slice(0, this.model.info.contextLength) },
      options);
    await this.read(start.length, signal);
    await this.readEnd(signal);
  }

  /** Resolves when the model holds the source that the page shows, and no borrower uses the model. */
  async idle() {
    await super.idle();
    await this.#reading;
  }

  /** @param {string} source @param {AbortSignal} signal */
  #readSource(source, signal) {
    const opened = this.#openSource(source, signal);
    this.#reading = opened.catch(() => {}); // the run reports the error
    return opened;
  }

  /** Rows and candidates of all tokens depend on the source, so they are dropped when the model begins to read it.
   *  @param {string} source @param {AbortSignal} signal
   *  @returns {Promise<{ read: Int32Array, start: number[] }>} ids of the source, and ids that begin the text */
  async #openSource(source, signal) {
    const read = await this.#encode(source);
    signal.throwIfAborted(); // the text stays
    this.#events.onReading();
    const start = await this.model.read(read);
    this.isEdited = false; // the session is empty
    this.sourceIds = [...read];
    this.#events.onSource(await this.model.tokens(read));
    return { read, start: [...start] };
  }

  /** Ids that the model can read. @param {string} source @returns {Promise<Int32Array>}
   *  @throws {RangeError | HeedError} for a source that the model refuses: the text stays */
  async #encode(source) {
    const { tokenizer, vocabulary, contextLength } = this.model.info;
    const ids = tokenizer ? await this.model.encode(source)
      : idsFrom(idsIn(source, 'source'), vocabulary);
    if (ids.length === 0) {
      throw new RangeError(!tokenizer ? 'The source is empty. Enter token ids.'
        : source.trim() === '' ? 'The source is empty. Write some words.'
        : 'The model has no token for the characters of the source. Write other words.');
    }
    if (ids.length > contextLength) {
      throw new RangeError(`The source has ${pluralize(ids.length, 'token')}, but the model reads at most ${
        formatInteger(contextLength)}. Shorten it.`);
    }
    return ids;
  }

  /** Settings of a sampler do not apply. @returns {Promise<null>} */
  async logitsAt() {
    return null;
  }

  /** @returns {import('../../elements/next-token.js').CandidateWords} */
  get words() {
    return { action: null };
  }

  /** @param {number | null} position @param {{ isKnown: boolean, compares: boolean }} state */
  caption(position, { isKnown, compares }) {
    if (position === null) return 'Candidates appear with the first generated token.';
    if (compares) return 'Without (before) and with (after) the changes.';
    return isKnown ? 'The model’s candidates at this position, after the source and the tokens before.'
      : 'This token begins every text.';
  }
}
