const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();
/** Of the length before each string. */
export const LENGTH_BYTES = 8;

/**
 * The strings of a GGUF array as they stand in the file: each a length in eight bytes, of which the upper four are
 * zero, then so many bytes of UTF-8.  A vocabulary has some hundred thousand, of which a program asks for a few: a
 * string is made when it is asked for.
 */
export class Strings {
  /** The array; string i is its bytes from `start(i)` to `end(i)`. @readonly */ bytes;
  #ends;

  /**
   * @param {Uint8Array} bytes  of the array
   * @param {Uint32Array} ends  of each string in them
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

  /** @param {number} i @returns {string} bytes that are no UTF-8 are U+FFFD */
  at(i) {
    return decoder.decode(this.bytes.subarray(this.start(i), this.end(i)));
  }

  /** For sentences: what stands where one value should. */
  toString() {
    return `${this.length} strings`;
  }

  *[Symbol.iterator]() {
    for (let i = 0; i < this.length; i++) yield this.at(i);
  }
}

/**
 * Where the strings of an array end, those of them that are whole.
 * @param {Uint8Array} bytes  of the file
 * @param {number} start  of the array in them
 * @param {number} count  of its strings
 * @returns {Uint32Array} counted from `start`; fewer than `count` where the next one does not end in `bytes`, or is not
 *   under 4 GB
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
