/** @typedef {import('../gguf/strings.js').Strings} Strings */

/** What FNV-1a multiplies by, for 32 bits. */
const FNV_PRIME = 0x01000193;
/** Not known before, so that no file can be made whose strings all fall into one slot. */
const SEED = Math.floor(Math.random() * 2 ** 32);

/**
 * Where each string stands in a list: a table of hashes with linear probing (Knuth, The Art of Computer Programming 3,
 * 6.4, algorithm L) over the list's own text.  A Map would want each string made, hashed and collected; a vocabulary
 * has a hundred thousand, and a load has better things to do.
 *
 * The table is made at the first question.  Empty strings have no place, and of equal ones the last counts.
 */
export class StringIndex {
  #strings;
  /** Places in the list, plus one; 0: free.  At least half of them are. @type {Int32Array | null} */ #slots = null;
  /** @type {[first: number, second: number] | null} */ #twice = null;

  /** @param {Strings} strings */
  constructor(strings) {
    this.#strings = strings;
  }

  /**
   * @param {string | undefined} string
   * @returns {number | undefined} its place in the list
   */
  get(string) {
    if (!string) return undefined;
    const slots = (this.#slots ??= this.#fill());
    const place = slots[this.#slotOf(slots, string, 0, string.length)] - 1;
    return place < 0 ? undefined : place;
  }

  /** @param {string} string */
  has(string) {
    return this.get(string) !== undefined;
  }

  /** The first string to stand in the list again, by both of its places. */
  get twice() {
    this.#slots ??= this.#fill();
    return this.#twice;
  }

  #fill() {
    const { text, length } = this.#strings;
    const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * length + 1)));
    for (let i = 0, end = 0; i < length; i++) {
      const start = end;
      end = this.#strings.start(i + 1);
      if (start === end) continue;
      const slot = this.#slotOf(slots, text, start, end);
      if (slots[slot] !== 0) this.#twice ??= [slots[slot] - 1, i];
      slots[slot] = i + 1;
    }
    return slots;
  }

  /**
   * The slot of a string, or the free one where it would go.
   * @param {Int32Array} slots
   * @param {string} text   that it stands in
   * @param {number} start
   * @param {number} end
   */
  #slotOf(slots, text, start, end) {
    let hash = SEED;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
    hash ^= hash >>> 15; // the lower bits of a product know nothing of the upper ones of its factors
    const last = slots.length - 1;
    let slot = hash & last;
    while (slots[slot] !== 0 && !this.#stands(slots[slot] - 1, text, start, end)) slot = (slot + 1) & last;
    return slot;
  }

  /**
   * Whether a string of the list equals a part of a text.
   * @param {number} place
   * @param {string} text
   * @param {number} start
   * @param {number} end
   */
  #stands(place, text, start, end) {
    const from = this.#strings.start(place);
    if (this.#strings.start(place + 1) - from !== end - start) return false;
    for (let at = start; at < end; at++) {
      if (this.#strings.text.charCodeAt(from + at - start) !== text.charCodeAt(at)) return false;
    }
    return true;
  }
}
