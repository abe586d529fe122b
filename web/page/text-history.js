/** Undo and redo of texts, or of other states. All texts are kept, also if a new text follows an undo. */

/** Most texts kept. */
const LIMIT = 200;

/** @template T */
export class TextHistory {
  /** @type {T[]} */
  #texts = [];
  #at = -1;
  #isSame;

  /** @param {(a: T, b: T) => boolean} isSame whether two texts are one entry */
  constructor(isSame) {
    this.#isSame = isSame;
  }

  /** Adds the text that is shown now, unless it is the current entry already. @param {T} text */
  add(text) {
    const now = this.#texts[this.#at];
    if (now && this.#isSame(now, text)) {
      this.#texts[this.#at] = text;
      return;
    }
    // After an undo, later texts stay. The current text is repeated, so that undo leads from the new text to it.
    if (this.#at < this.#texts.length - 1) this.#texts.push(now);
    this.#texts.push(text);
    this.#texts.splice(0, this.#texts.length - LIMIT);
    this.#at = this.#texts.length - 1;
  }

  get canUndo() {
    return this.#at > 0;
  }

  get canRedo() {
    return this.#at < this.#texts.length - 1;
  }

  /** Goes one text back or forward. @param {-1 | 1} direction @returns {T | null} null at the end */
  step(direction) {
    const text = this.#texts[this.#at + direction];
    if (!text) return null;
    this.#at += direction;
    return text;
  }

  /** Removes all texts, because token ids belong to one model. */
  clear() {
    this.#texts = [];
    this.#at = -1;
  }
}

/** True for texts of the same tokens. @param {{ ids: number[] }} a @param {{ ids: number[] }} b */
export const hasSameIds = (a, b) => a.ids.length === b.ids.length && a.ids.every((id, i) => id === b.ids[i]);
