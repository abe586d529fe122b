/**
 * The strings of a GGUF array: each a length in eight bytes, of which the upper four are zero, then so many bytes of
 * UTF-8.  A vocabulary has some hundred thousand, and calling a decoder costs more than decoding a word; so they are
 * decoded as one text and cut apart.
 */

const whole = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * @param {Uint8Array} bytes  of the array, walked before: its lengths add up
 * @param {number} count
 * @returns {string[]} bytes that are no UTF-8 are U+FFFD
 */
export function decodeStrings(bytes, count) {
  return decodeTogether(bytes, count) ?? decodeEach(bytes, count);
}

/**
 * Where every string is UTF-8, so is the text of all, and how long each is there can be counted: a character begins
 * where no byte 10xxxxxx stands, and those of four bytes are two units of UTF-16.
 * @param {Uint8Array} bytes @param {number} count
 * @returns {string[] | null} null: some string is no UTF-8
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
  let all;
  try {
    all = whole.decode(text);
  } catch {
    return null;
  }
  /** @type {string[]} */
  const strings = new Array(count);
  for (let i = 0, start = 0; i < count; i++) strings[i] = all.slice(start, (start = ends[i]));
  return strings;
}

/** @param {Uint8Array} bytes @param {number} count */
function decodeEach(bytes, count) {
  /** @type {string[]} */
  const strings = new Array(count);
  for (let i = 0, at = 0; i < count; i++) {
    const length = lengthAt(bytes, at);
    strings[i] = lenient.decode(bytes.subarray(at + 8, (at += 8 + length)));
  }
  return strings;
}

/** @param {Uint8Array} bytes @param {number} at */
const lengthAt = (bytes, at) =>
  (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;

/** Whether a byte goes on with a character that began before. @param {number} byte */
const isInner = (byte) => (byte & 0xc0) === 0x80;
