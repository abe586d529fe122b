/** Normalizes text for Unigram vocabularies, by data of tokenizer.json (Precompiled) or of GGUF. */
import { widthOf } from '../utf8.js';

/** Largest size of a charsmap; real models have charsmaps of 240 kB. */
const MAX_BYTES = 4 << 20;
/** How many times longer than its text a replacement may be; U+FDFA becomes 11 times longer. */
const MAX_GROWTH = 16;
/** Bytes of the length before the array. */
const LENGTH_BYTES = 4;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The precompiled charsmap of a SentencePiece model: replacements of characters, such as NFKC's.  It is a trie over
 * UTF-8 in a double array, and the replacements with a zero byte after each (sentencepiece's normalizer.cc,
 * Darts-clone's darts.h).  Bits 0 to 7 of a unit are a byte of the text.  Bit 8 tells whether a replacement ends there.
 * The other bits are the distance to the children.
 */
export class Charsmap {
  #units;
  #texts;

  /**
   * @param {Uint8Array} bytes
   * @throws {Error} if the lengths do not match
   */
  constructor(bytes) {
    const size = bytes.length > LENGTH_BYTES
      ? new DataView(bytes.buffer, bytes.byteOffset, LENGTH_BYTES).getUint32(0, true) : 0;
    if (size === 0 || size % 4 !== 0 || LENGTH_BYTES + size >= bytes.length || bytes.length > MAX_BYTES) {
      throw new Error('its ‘precompiled_charsmap’ is damaged, or larger than 4 MB');
    }
    this.#units = new Uint32Array(bytes.slice(LENGTH_BYTES, LENGTH_BYTES + size).buffer);
    this.#texts = bytes.subarray(LENGTH_BYTES + size);
  }

  /**
   * Replaces the longest matches from the left.
   * @param {string} text
   * @returns {string}
   * @throws {Error} if a replacement is damaged
   */
  replace(text) {
    const bytes = encoder.encode(text);
    /** @type {Uint8Array[]} */
    const parts = [];
    let kept = 0;
    for (let at = 0; at < bytes.length;) {
      const { end, place } = this.#longest(bytes, at);
      if (end === at) {
        at += widthOf(bytes[at]);
        continue;
      }
      const last = this.#texts.indexOf(0, place);
      if (last < 0 || last - place > MAX_GROWTH * (end - at)) {
        throw new Error('its ‘precompiled_charsmap’ has a replacement without an end, or one of more than ' +
          `${MAX_GROWTH} times the length of its text`);
      }
      parts.push(bytes.subarray(kept, at), this.#texts.subarray(place, last));
      kept = at = end;
    }
    if (parts.length === 0) return text;
    parts.push(bytes.subarray(kept));
    const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let to = 0;
    for (const part of parts) {
      all.set(part, to);
      to += part.length;
    }
    return decoder.decode(all);
  }

  /** The end of the longest match that begins at `start`, and the place of its replacement.
   *  @param {Uint8Array} bytes @param {number} start */
  #longest(bytes, start) {
    const units = this.#units;
    let end = start;
    let place = 0;
    let node = childrenOf(units[0]);
    for (let at = start; at < bytes.length; at++) {
      const unit = units[node ^ bytes[at]];
      if (bytes[at] === 0 || unit === undefined || (unit & 0x800000ff) !== bytes[at]) break;
      node ^= bytes[at] ^ childrenOf(unit);
      if ((unit & 0x100) === 0) continue;
      end = at + 1;
      place = units[node] & 0x7fffffff;
    }
    return { end, place };
  }
}

/** The distance to the children of a unit. @param {number} unit */
const childrenOf = (unit) => (unit >>> 10) << ((unit & 0x200) >>> 6);
