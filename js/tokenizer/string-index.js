/** @typedef {import('../gguf/strings.js').Strings} Strings */

/** What FNV-1a multiplies by, for 32 bits. */
const FNV_PRIME = 0x01000193;
/** Not known before, so that no file can be made whose strings all fall into one slot. */
const SEED = Math.floor(Math.random() * 2 ** 32) | 0;

const encoder = new TextEncoder();
/** Of UTF-8 for each unit of UTF-16, at most. */
const MAX_BYTES_A_UNIT = 3;

/**
 * Where each string stands in a list: a table of hashes with linear probing (Knuth, The Art of Computer Programming 3,
 * 6.4, algorithm L) over the list's own bytes.  A Map would want each string made, hashed and collected; a vocabulary
 * has a hundred thousand, and a load has better things to do.
 *
 * The table is made at the first question.  Empty strings have no place, and of equal ones the last counts.
 */
export class StringIndex {
  #strings;
  /** Places in the list, plus one; 0: free, as at least half of them are. @type {Int32Array | null} */ #slots = null;
  /** @type {[first: number, second: number] | null} */ #twice = null;
  #word = new Uint8Array(64);

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
    const most = MAX_BYTES_A_UNIT * string.length;
    if (this.#word.length < most) this.#word = new Uint8Array(most);
    const { written } = encoder.encodeInto(string, this.#word);
    const place = slots[this.#slotOf(slots, this.#word, 0, written)] - 1;
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
    const { bytes, length } = this.#strings;
    const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * length + 1)));
    for (let i = 0; i < length; i++) {
      const start = this.#strings.start(i);
      const end = this.#strings.end(i);
      if (start === end) continue;
      const slot = this.#slotOf(slots, bytes, start, end);
      if (slots[slot] !== 0) this.#twice ??= [slots[slot] - 1, i];
      slots[slot] = i + 1;
    }
    return slots;
  }

  /**
   * The slot of a string, or the free one where it would go.
   * @param {Int32Array} slots
   * @param {Uint8Array} bytes  that it stands in
   * @param {number} start
   * @param {number} end
   */
  #slotOf(slots, bytes, start, end) {
    const last = slots.length - 1;
    let slot = hashOf(bytes, start, end) & last;
    while (slots[slot] !== 0 && !this.#stands(slots[slot] - 1, bytes, start, end)) slot = (slot + 1) & last;
    return slot;
  }

  /**
   * Whether a string of the list equals some bytes.
   * @param {number} place
   * @param {Uint8Array} bytes
   * @param {number} start
   * @param {number} end
   */
  #stands(place, bytes, start, end) {
    const own = this.#strings.bytes;
    let from = this.#strings.start(place);
    if (this.#strings.end(place) - from !== end - start) return false;
    for (let at = start; at < end; at++) if (own[from++] !== bytes[at]) return false;
    return true;
  }
}

/** FNV-1a (Fowler, Noll and Vo) of some bytes.
 *  @param {Uint8Array} bytes @param {number} start @param {number} end */
function hashOf(bytes, start, end) {
  let hash = SEED;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at], FNV_PRIME);
  return hash ^ (hash >>> 15); // the lower bits of a product know nothing of the upper ones of its factors
}
