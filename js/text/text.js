/** Text that is made of tokens: readable bytes, and stop strings. */
import { HeedError, quoted } from '../errors.js';

/** @typedef {import('./tokenizer.js').Tokenizer} Tokenizer */

/** Checks that an argument is a string.
 *  @param {string} call @param {unknown} text @throws {HeedError} 'bad-argument' */
export function needText(call, text) {
  if (typeof text === 'string') return;
  throw new HeedError('bad-argument', `${call}: expected a string, got ${quoted(text)}.`);
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Readable text of a token's bytes: whole characters, and every other byte as `<0xE2>`.
 * @param {Uint8Array} bytes
 */
export function readable(bytes) {
  try {
    return decoder.decode(bytes);
  } catch {
    let text = '';
    for (let i = 0; i < bytes.length;) {
      const length = [1, 2, 3, 4].find((n) => i + n <= bytes.length && isCharacter(bytes.subarray(i, i + n)));
      text += length ? decoder.decode(bytes.subarray(i, i + length)) : hex(bytes[i]);
      i += length ?? 1;
    }
    return text;
  }
}

/** Whether bytes are exactly one character. @param {Uint8Array} bytes */
function isCharacter(bytes) {
  try {
    return [...decoder.decode(bytes)].length === 1;
  } catch {
    return false;
  }
}

/** @param {number} byte */
const hex = (byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;

/**
 * Readable text of a token.  Control tokens appear by name; without a tokenizer, a token appears as its id, `[12]`.
 * @param {Tokenizer | null} tokenizer
 * @param {number} id
 */
export function tokenText(tokenizer, id) {
  if (!tokenizer || id >= tokenizer.size) return `[${id}]`;
  const bytes = tokenizer.bytes(id);
  return bytes.length > 0 ? readable(bytes) : tokenizer.token(id);
}

/**
 * The tokenizer; it is an error if there is no tokenizer.
 * @param {Tokenizer | null} tokenizer
 * @returns {Tokenizer}
 * @throws {HeedError} 'no-tokenizer'
 */
export function needTokenizer(tokenizer) {
  if (tokenizer) return tokenizer;
  throw new HeedError(
    'no-tokenizer',
    'This model was loaded without a tokenizer. Give ids, or load it with its tokenizer.json.',
  );
}

/** Ends a text before the first stop string.  It holds back text that could be the beginning of a stop string. */
export class StopFilter {
  #held = '';
  #stops;
  /** Whether a stop string has appeared. */
  stopped = false;

  /** @param {string[]} stops */
  constructor(stops) {
    this.#stops = stops.filter((stop) => stop !== '');
  }

  /** @param {string} text @returns {string} text that is certainly before any stop string */
  push(text) {
    const all = this.#held + text;
    const at = this.#stops.map((stop) => all.indexOf(stop)).filter((i) => i >= 0);
    if (at.length > 0) {
      this.stopped = true;
      this.#held = '';
      return all.slice(0, Math.min(...at));
    }
    const safe = all.length - Math.max(0, ...this.#stops.map((stop) => overlap(all, stop)));
    this.#held = all.slice(safe);
    return all.slice(0, safe);
  }

  /** @returns {string} the text held back, at the end */
  end() {
    const rest = this.#held;
    this.#held = '';
    return rest;
  }
}

/** Length of the longest end of `text` that is a beginning of `stop`.
 *  @param {string} text @param {string} stop */
function overlap(text, stop) {
  let n = Math.min(text.length, stop.length - 1);
  while (n > 0 && !text.endsWith(stop.slice(0, n))) n--;
  return n;
}
