/** @typedef {import('./strings.js').Strings} Strings */

/** Multiplier of the 32-bit FNV-1a hash. */
const FNV_PRIME = 0x01000193;
/** Random, so that a malicious file cannot contain strings that all collide. */
const SEED = Math.floor(Math.random() * 2 ** 32) | 0;

const encoder = new TextEncoder();
/** Largest number of UTF-8 bytes per UTF-16 code unit. */
const MAX_BYTES_A_UNIT = 3;

/**
 * Index of each string in a list.  It is a hash table with linear probing over the bytes of the list (Knuth, The Art of
 * Computer Programming 3, 6.4, algorithm L).  A Map would have to create a string object for each of the hundred
 * thousand tokens of a vocabulary.
 *
 * A slot contains an index plus one, and in its upper bits the bits of the hash that did not select the slot.  So most
 * other strings are skipped without a comparison of bytes.  0 is a free slot; at least half of the slots are free.
 *
 * The first call builds the table.  Empty strings have no index; of equal strings, the last counts.
 */
export class StringIndex {
  #strings;
  /** @type {Int32Array | null} */ #slots = null;
  /** @type {[first: number, second: number] | null} */ #twice = null;
  #word = new Uint8Array(64);

  /** @param {Strings} strings */
  constructor(strings) {
    this.#strings = strings;
  }

  /**
   * @param {string | undefined} string
   * @returns {number | undefined} its index in the list
   */
  get(string) {
    if (!string) return undefined;
    const slots = (this.#slots ??= this.#fill());
    const most = MAX_BYTES_A_UNIT * string.length;
    if (this.#word.length < most) this.#word = new Uint8Array(most);
    const { written } = encoder.encodeInto(string, this.#word);
    const hash = hashOf(this.#word, 0, written);
    const place = placeIn(slots, this.#slotOf(slots, hash, this.#word, 0, written));
    return place < 0 ? undefined : place;
  }

  /** @param {string} string */
  has(string) {
    return this.get(string) !== undefined;
  }

  /**
   * Finds the strings of the list that begin at a place of a text, shortest first.
   * @param {Uint8Array} text  UTF-8
   * @param {number} start  a character's first byte
   * @param {number} last   end of the longest string to look for
   * @param {(index: number, end: number) => void} found
   */
  prefixes(text, start, last, found) {
    const slots = (this.#slots ??= this.#fill());
    let hash = SEED;
    for (let at = start; at < last;) {
      hash = step(hash, text[at++]);
      if ((text[at] & 0xc0) === 0x80) continue; // inside of a character
      const place = placeIn(slots, this.#slotOf(slots, mixed(hash), text, start, at));
      if (place >= 0) found(place, at);
    }
  }

  /** The two indices of the first string that occurs twice, or null. */
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
      const hash = hashOf(bytes, start, end);
      const slot = this.#slotOf(slots, hash, bytes, start, end);
      if (slots[slot] !== 0) this.#twice ??= [placeIn(slots, slot), i];
      slots[slot] = (hash & -slots.length) | (i + 1);
    }
    return slots;
  }

  /**
   * The slot of a string, or the free slot for it.
   * @param {Int32Array} slots
   * @param {number} hash
   * @param {Uint8Array} bytes  that contain it
   * @param {number} start
   * @param {number} end
   */
  #slotOf(slots, hash, bytes, start, end) {
    const last = slots.length - 1;
    for (let slot = hash & last; ; slot = (slot + 1) & last) {
      if (slots[slot] === 0) return slot;
      if (((slots[slot] ^ hash) & ~last) === 0 && this.#stands(placeIn(slots, slot), bytes, start, end)) return slot;
    }
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

/** The index in a slot; -1 for a free slot.
 *  @param {Int32Array} slots @param {number} slot */
const placeIn = (slots, slot) => (slots[slot] & (slots.length - 1)) - 1;

/** FNV-1a hash (Fowler, Noll and Vo) of bytes.
 *  @param {Uint8Array} bytes @param {number} start @param {number} end */
function hashOf(bytes, start, end) {
  let hash = SEED;
  for (let at = start; at < end; at++) hash = step(hash, bytes[at]);
  return mixed(hash);
}

/** @param {number} hash @param {number} byte */
const step = (hash, byte) => Math.imul(hash ^ byte, FNV_PRIME);

/** The lower bits of a product do not depend on the upper bits of its factors. @param {number} hash */
const mixed = (hash) => hash ^ (hash >>> 15);
