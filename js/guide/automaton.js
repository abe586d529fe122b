/**
 * Grammars over bytes as an automaton.  A configuration is a set of stacks of symbols that are still expected.  Stacks
 * are lists that share their tails, and equal stacks and configurations are one object.  So a configuration remembers
 * where each byte leads, and the automaton becomes a table while it runs.
 */
import { HeedError } from '../errors.js';

/** Largest number of stacks of a configuration; nested JSON has about ten. */
const MAX_STACKS = 2048;
/** Largest number of symbols on a stack: the nesting of a text. */
const MAX_DEPTH = 4096;
/** Largest number of remembered configurations and stacks; beyond it all are forgotten and computed again. */
const MAX_KNOWN = 1 << 16;

/** A set of bytes. @typedef {{ set: Uint8Array }} Bytes  set: 256 flags */
/** A symbol: a set of bytes, or the number of a rule. @typedef {Bytes | number} Term */
/** The alternatives of each rule, as sequences of symbols. @typedef {Term[][][]} Rules */
/** A stack: its first symbol, always a set of bytes, and the rest.  null: the text can end.
 *  @typedef {{ key: number, top: Bytes, rest: Rest, least: number }} Stack */
/** Symbols after the top. @typedef {{ key: number, symbol: Term, rest: Rest, least: number, depth: number } | null}
 *  Rest */
/** @typedef {{ stacks: (Stack | null)[], next: Map<number, Configuration | null>, least: number }} Configuration */

export class Automaton {
  #rules;
  /** Smallest number of bytes of each rule. @type {number[]} */ #least;
  /** @type {Map<string, any>} */ #known = new Map();
  #numbers = new Map(); // of symbols
  #keys = 0;
  /** @type {Configuration} */ start;

  /** @param {Rules} rules  the first rule is the start */
  constructor(rules) {
    this.#rules = rules;
    this.#least = leastBytes(rules);
    this.start = this.#configuration(this.#expand(this.#push(0, null)));
  }

  /**
   * @param {Configuration} configuration
   * @param {number} byte
   * @returns {Configuration | null} null if no text of the grammar continues with this byte
   */
  step(configuration, byte) {
    const known = configuration.next.get(byte);
    if (known !== undefined) return known;
    const stacks = configuration.stacks.flatMap((stack) => (stack?.top.set[byte] ? this.#expand(stack.rest) : []));
    const next = stacks.length === 0 ? null : this.#configuration(stacks);
    configuration.next.set(byte, next);
    return next;
  }

  /** Whether a text can end here. @param {Configuration} configuration */
  isEnd({ stacks }) {
    return stacks.includes(null);
  }

  /** @param {(Stack | null)[]} stacks @returns {Configuration} */
  #configuration(stacks) {
    const all = [...new Set(stacks)];
    if (all.length > MAX_STACKS) {
      throw new HeedError('too-large', `The grammar has more than ${MAX_STACKS} ways to read the same text. ` +
        'Simplify it.');
    }
    const key = all.map((stack) => stack?.key ?? 0).sort((a, b) => a - b).join();
    const known = this.#known.get(key);
    if (known) return known;
    if (this.#known.size > MAX_KNOWN) {
      this.#known.clear();
      this.start?.next.clear();
    }
    const made = { stacks: all, next: new Map(), least: Math.min(...all.map((stack) => stack?.least ?? 0)) };
    this.#known.set(key, made);
    return made;
  }

  /**
   * The stacks whose first symbols are bytes.
   * @param {Rest} rest
   * @returns {(Stack | null)[]}
   */
  #expand(rest) {
    /** @type {(Stack | null)[]} */
    const found = [];
    const seen = new Set();
    const open = [rest];
    while (open.length > 0) {
      const one = /** @type {Rest} */ (open.pop());
      if (seen.has(one)) continue;
      seen.add(one);
      if (seen.size > 16 * MAX_STACKS) {
        throw new HeedError('too-large', 'The grammar has too many alternatives at one place. Simplify it.');
      }
      if (one === null) found.push(null);
      else if (typeof one.symbol === 'object') {
        found.push({ key: one.key, top: one.symbol, rest: one.rest, least: one.least });
      } else {
        for (const sequence of this.#rules[one.symbol]) {
          open.push(sequence.reduceRight((tail, symbol) => this.#push(symbol, tail), one.rest));
        }
      }
    }
    return unique(found);
  }

  /** @param {Term} symbol @param {Rest} rest @returns {Rest} */
  #push(symbol, rest) {
    if (!this.#numbers.has(symbol)) this.#numbers.set(symbol, this.#numbers.size);
    const key = `${this.#numbers.get(symbol)}:${rest?.key ?? 0}`;
    const known = this.#known.get(key);
    if (known) return known;
    const depth = (rest?.depth ?? 0) + 1;
    if (depth > MAX_DEPTH) throw new HeedError('too-large', `The text is nested deeper than ${MAX_DEPTH} symbols.`);
    const own = typeof symbol === 'object' ? 1 : this.#least[symbol];
    const made = { key: ++this.#keys, symbol, rest, least: own + (rest?.least ?? 0), depth };
    this.#known.set(key, made);
    return made;
  }
}

/** One stack of each key. @param {(Stack | null)[]} stacks */
const unique = (stacks) => [...new Map(stacks.map((stack) => [stack?.key ?? 0, stack])).values()];

/**
 * The smallest number of bytes of each rule; Infinity for a rule that no text fulfills.
 * @param {Rules} rules
 * @returns {number[]}
 */
export function leastBytes(rules) {
  const least = rules.map(() => Infinity);
  const of = (/** @type {Term} */ symbol) => (typeof symbol === 'object' ? 1 : least[symbol]);
  for (let changed = true; changed;) {
    changed = false;
    rules.forEach((alternatives, i) => {
      const now = Math.min(...alternatives.map((sequence) => sequence.reduce(
        (/** @type {number} */ sum, symbol) => sum + of(symbol), 0)));
      if (now < least[i]) {
        least[i] = now;
        changed = true;
      }
    });
  }
  return least;
}
