/** Texts that were shown: one step back, one step forward, and none is lost. */

/** Texts kept. */
const LIMIT = 200;

/** @template {{ ids: number[] }} T */
export class TextHistory {
  /** @type {T[]} */
  #texts = [];
  #at = -1;

  /** The text that is shown now; one that is here already, as it is, is not kept twice. @param {T} text */
  add(text) {
    const now = this.#texts[this.#at];
    if (now && same(now.ids, text.ids)) {
      this.#texts[this.#at] = text;
      return;
    }
    // After a step back, the texts ahead stay: the way back from the new text leads over this one to them.
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

  /** @param {-1 | 1} way back or forward @returns {T | null} the text to show; null where there is none */
  step(way) {
    const text = this.#texts[this.#at + way];
    if (!text) return null;
    this.#at += way;
    return text;
  }

  /** Texts of another model mean nothing to this one. */
  clear() {
    this.#texts = [];
    this.#at = -1;
  }
}

/** @param {number[]} a @param {number[]} b */
const same = (a, b) => a.length === b.length && a.every((id, i) => id === b[i]);
