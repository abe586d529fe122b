/**
 * The strings of a GGUF array: each a length in eight bytes, of which the upper four are zero, then so many bytes of
 * UTF-8.  A vocabulary has some hundred thousand, of which a program asks for a few; so they are decoded together, and
 * stay one text.
 */

const whole = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/** A list of strings as one text and where each ends in it.  A string is made when it is asked for. */
export class Strings {
  /** All strings, one after another. @readonly */ text;
  #ends;

  /**
   * @param {string} text
   * @param {Uint32Array} ends  of each string, in units of UTF-16
   */
  constructor(text, ends) {
    this.text = text;
    this.#ends = ends;
  }

  /** @param {string[]} list */
  static from(list) {
    let end = 0;
    return new Strings(list.join(''), Uint32Array.from(list, (string) => (end += string.length)));
  }

  get length() {
    return this.#ends.length;
  }

  /** Where string i begins in the text; that of the length is the end of all. @param {number} i */
  start(i) {
    return i === 0 ? 0 : this.#ends[i - 1];
  }

  /** @param {number} i @returns {string} */
  at(i) {
    return this.text.slice(this.start(i), this.start(i + 1));
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
 * @param {Uint8Array} bytes  of the array, walked before: its lengths add up
 * @param {number} count
 * @returns {Strings} bytes that are no UTF-8 are U+FFFD
 */
export function decodeStrings(bytes, count) {
  return decodeTogether(bytes, count) ?? decodeEach(bytes, count);
}

/**
 * Where every string is UTF-8, so is the text of all, and how long each is there can be counted: a character begins
 * where no byte 10xxxxxx stands, and those of four bytes are two units of UTF-16.
 * @param {Uint8Array} bytes @param {number} count
 * @returns {Strings | null} null: some string is no UTF-8
 */
function decodeTogether(bytes, count) {
  const text = new Uint8Array(bytes.byteLength - 8 * count);
  const ends = new Uint32Array(count); // in units of UTF-16
  let to = 0;
  let units = 0;
  for (let i = 0, at = 0; i < count; i++) {
    const length = lengthAt(bytes, at);
    at += 8;
    if (length > 0 && isInner(bytes[at])) return null; // the text may be UTF-8 though the string is not
    for (const end = at + length; at < end; at++) {
      const byte = bytes[at];
      text[to++] = byte;
      if (!isInner(byte)) units += byte >= 0xf0 ? 2 : 1;
    }
    ends[i] = units;
  }
  try {
    return new Strings(whole.decode(text), ends);
  } catch {
    return null;
  }
}

/** @param {Uint8Array} bytes @param {number} count */
function decodeEach(bytes, count) {
  /** @type {string[]} */
  const strings = new Array(count);
  for (let i = 0, at = 0; i < count; i++) {
    const length = lengthAt(bytes, at);
    strings[i] = lenient.decode(bytes.subarray(at + 8, (at += 8 + length)));
  }
  return Strings.from(strings);
}

/** @param {Uint8Array} bytes @param {number} at */
const lengthAt = (bytes, at) =>
  (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;

/** Whether a byte goes on with a character that began before. @param {number} byte */
const isInner = (byte) => (byte & 0xc0) === 0x80;
