/** Builds the rules of a grammar from texts, characters and repetitions. */
import { HeedError } from '../errors.js';

/** @typedef {import('./automaton.js').Term} Term */
/** @typedef {import('./automaton.js').Rules} Rules */

/** Largest number of rules, because a repetition of n copies has n rules. */
const MAX_RULES = 1 << 14;
const MAX_CHARACTER = 0x10ffff;
const encoder = new TextEncoder();

export class RuleSet {
  /** @type {Rules} */ rules = [];
  /** Sets of single bytes. @type {Map<number, Term>} */ #bytes = new Map();

  /** Adds a rule. @param {Term[][]} alternatives  sequences of symbols @returns {number} */
  add(alternatives) {
    if (this.rules.length >= MAX_RULES) {
      throw new HeedError('too-large', `The grammar needs more than ${MAX_RULES} rules. Use shorter repetitions.`);
    }
    return this.rules.push(alternatives) - 1;
  }

  /** A rule that is written later, because others refer to it. */
  reserve() {
    return this.add([]);
  }

  /** @param {string} text @returns {Term[]} */
  text(text) {
    return Array.from(encoder.encode(text), (byte) => this.#byte(byte));
  }

  /** One character of ranges of code points. @param {[from: number, to: number][]} ranges @returns {Term[]} */
  character(ranges) {
    const ascii = new Uint8Array(256);
    /** @type {Term[][]} */
    const long = [];
    for (const [from, to] of ranges) {
      for (let code = from; code <= Math.min(to, 0x7f); code++) ascii[code] = 1;
      for (const sequence of utf8Ranges(Math.max(from, 0x80), Math.min(to, MAX_CHARACTER))) {
        long.push(sequence.map(([low, high]) => ({ set: Uint8Array.from({ length: 256 }, (_, b) =>
          Number(b >= low && b <= high)) })));
      }
    }
    const alternatives = [...(ascii.includes(1) ? [[{ set: ascii }]] : []), ...long];
    return alternatives.length === 1 ? alternatives[0] : [this.add(alternatives)];
  }

  /** A sequence several times. @param {Term[]} sequence @param {number} least @param {number} most  may be Infinity
   *  @returns {Term[]} */
  repeat(sequence, least, most) {
    const all = Array.from({ length: least }, () => sequence).flat();
    if (all.length > MAX_RULES) this.add(new Array(MAX_RULES + 1)); // refused
    if (most === Infinity) {
      const again = this.reserve();
      this.rules[again] = [[...sequence, again], []];
      return [...all, again];
    }
    /** @type {Term[]} */
    let rest = [];
    for (let i = least; i < most; i++) rest = [this.add([[...sequence, ...rest], []])];
    return [...all, ...rest];
  }

  /** @param {Term[]} sequence @returns {Term[]} */
  optional(sequence) {
    return this.repeat(sequence, 0, 1);
  }

  /** @param {number} byte */
  #byte(byte) {
    const known = this.#bytes.get(byte);
    if (known !== undefined) return known;
    const set = new Uint8Array(256);
    set[byte] = 1;
    this.#bytes.set(byte, { set });
    return /** @type {Term} */ ({ set });
  }
}

/** Last code points with one to four bytes of UTF-8. */
const LASTS = [0x7f, 0x7ff, 0xffff, MAX_CHARACTER];

/**
 * Byte ranges of the UTF-8 of characters, without surrogates.
 * @param {number} from @param {number} to
 * @returns {[number, number][][]} sequences of ranges
 */
function utf8Ranges(from, to) {
  if (from > to) return [];
  for (const last of [...LASTS, 0xd7ff, 0xdfff]) {
    if (from <= last && to > last) return [...utf8Ranges(from, last), ...utf8Ranges(last + 1, to)];
  }
  if (from >= 0xd800 && to <= 0xdfff) return [];
  const length = LASTS.findIndex((last) => to <= last);
  for (let i = 1; i <= length; i++) {
    const tail = (1 << (6 * i)) - 1; // bits of the last i bytes
    if ((from & ~tail) === (to & ~tail)) continue;
    if ((from & tail) !== 0) return [...utf8Ranges(from, from | tail), ...utf8Ranges((from | tail) + 1, to)];
    if ((to & tail) !== tail) return [...utf8Ranges(from, (to & ~tail) - 1), ...utf8Ranges(to & ~tail, to)];
  }
  const [first, last] = [from, to].map((code) => encoder.encode(String.fromCodePoint(code)));
  return [Array.from(first, (byte, i) => [byte, last[i]])];
}
