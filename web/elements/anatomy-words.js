/** The texts of tokens of the vocabulary, which a page loads when they are visible. */
import { checkTexts, InputError } from '../draw/check.js';
import { tokenLabel } from '../draw/token.js';

/** Gives the texts of tokens: `(ids) => model.tokens(ids)`.
 *  @typedef {(ids: number[]) => Promise<string[]> | string[]} Words */

export class AnatomyWords {
  /** @type {Words | null} */
  source = null;
  /** null while a text is loaded. @type {Map<number, string | null>} */
  #texts = new Map();
  #onAnswer;
  #onError;

  /** @param {{ onAnswer: (take: () => void) => void, onError: (error: unknown) => void }} events onAnswer: texts
   *   arrived, and `take` throws if they are not valid */
  constructor({ onAnswer, onError }) {
    this.#onAnswer = onAnswer;
    this.#onError = onError;
  }

  /** Drops all texts, and the answers that are still to come. */
  clear() {
    this.#texts = new Map();
  }

  /** The text of a token, or its id until the text is loaded. @param {number} id */
  word(id) {
    return this.#texts.get(id) ?? `token ${id}`;
  }

  /** Labels of tokens. Texts that are not known are requested. @param {number[]} ids */
  labels(ids) {
    const unknown = ids.filter((id) => !this.#texts.has(id));
    if (this.source && unknown.length) void this.#request(this.source, unknown);
    return ids.map((id) => tokenLabel(this.#texts.get(id) || `token ${id}`, 20));
  }

  /** @param {Words} source @param {number[]} ids */
  async #request(source, ids) {
    const texts = this.#texts;
    for (const id of ids) texts.set(id, null);
    try {
      const answer = await source(ids);
      if (texts !== this.#texts) return;
      this.#onAnswer(() => {
        const checked = checkTexts(answer, 'the answer of words');
        if (checked.length !== ids.length) {
          throw new InputError(`words returned ${checked.length} texts for ${ids.length} ids.`);
        }
        ids.forEach((id, at) => texts.set(id, checked[at]));
      });
    } catch (error) {
      if (texts === this.#texts) this.#onError(error);
    }
  }
}
