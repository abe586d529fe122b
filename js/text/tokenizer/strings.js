/** String arrays in the byte layout of GGUF, with an index of their ends; tokenizers use them as vocabularies. */

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();
/** Bytes of the length before each string. */
export const LENGTH_BYTES = 8;

/**
 * The strings of a GGUF array, in the bytes of the file: each is a length in eight bytes and its UTF-8.  Strings are
 * decoded on request, because a vocabulary has a hundred thousand and a program needs few of them.
 */
export class Strings {
  /** The array; string i is its bytes from `start(i)` to `end(i)`. @readonly */ bytes;
  #ends;

  /**
   * @param {Uint8Array} bytes  bytes of the array
   * @param {Uint32Array} ends  end of each string
   */
  constructor(bytes, ends) {
    this.bytes = bytes;
    this.#ends = ends;
  }

  /** @param {string[]} list */
  static from(list) {
    const encoded = list.map((string) => encoder.encode(string));
    const bytes = new Uint8Array(encoded.reduce((sum, { length }) => sum + LENGTH_BYTES + length, 0));
    const view = new DataView(bytes.buffer);
    let at = 0;
    for (const string of encoded) {
      view.setUint32(at, string.length, true);
      bytes.set(string, at + LENGTH_BYTES);
      at += LENGTH_BYTES + string.length;
    }
    return new Strings(bytes, stringEnds(bytes, 0, list.length));
  }

  get length() {
    return this.#ends.length;
  }

  /** @param {number} i */
  start(i) {
    return (i === 0 ? 0 : this.#ends[i - 1]) + LENGTH_BYTES;
  }

  /** @param {number} i */
  end(i) {
    return this.#ends[i];
  }

  /** @param {number} i @returns {string} the string, with U+FFFD for invalid bytes */
  at(i) {
    return decoder.decode(this.bytes.subarray(this.start(i), this.end(i)));
  }

  /** Description for messages. */
  toString() {
    return `${this.length} strings`;
  }

  *[Symbol.iterator]() {
    for (let i = 0; i < this.length; i++) yield this.at(i);
  }
}

/**
 * The ends of the complete strings of an array.
 * @param {Uint8Array} bytes  bytes of the file
 * @param {number} start  position of the array
 * @param {number} count  number of strings
 * @returns {Uint32Array} ends relative to `start`; fewer than `count` if the next string is incomplete or has 4 GB
 */
export function stringEnds(bytes, start, count) {
  const ends = new Uint32Array(count);
  const last = bytes.length - LENGTH_BYTES;
  let at = start;
  for (let i = 0; i < count; i++) {
    if (at > last || (bytes[at + 4] | bytes[at + 5] | bytes[at + 6] | bytes[at + 7]) !== 0) return ends.subarray(0, i);
    at += LENGTH_BYTES + ((bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0);
    if (at > bytes.length) return ends.subarray(0, i);
    ends[i] = at - start;
  }
  return ends;
}
