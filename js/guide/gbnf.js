/** Grammars in the notation of llama.cpp (GBNF): names, texts, characters, groups, alternatives, repetitions. */
import { HeedError, quoted } from '../errors.js';
import { leastBytes } from './automaton.js';
import { RuleSet } from './rules.js';

/** @typedef {import('./automaton.js').Term} Term */

/** Largest length of a grammar. */
const MAX_LENGTH = 1 << 18;
const MAX_REPEAT = 1024;
/** Largest depth of groups in groups. */
const MAX_GROUPS = 256;
/** @type {Record<string, string>} */
const ESCAPES = { n: '\n', r: '\r', t: '\t', '\\': '\\', '"': '"', '[': '[', ']': ']' };

/**
 * Reads a grammar.
 * @param {string} source
 * @returns {import('./automaton.js').Rules} the rule ‘root’ is first
 * @throws {HeedError} 'bad-argument' with the number of the line, 'too-large'
 */
export function readGrammar(source) {
  if (typeof source !== 'string' || source.length > MAX_LENGTH) {
    throw new HeedError('bad-argument', `Expected a grammar of at most ${MAX_LENGTH} characters.`);
  }
  return new Reader(source).read();
}

class Reader {
  #source;
  #at = 0;
  #set = new RuleSet();
  /** @type {Map<string, { rule: number, line: number, isWritten: boolean }>} */ #names = new Map();

  /** @param {string} source */
  constructor(source) {
    this.#source = source;
  }

  read() {
    const root = this.#rule('root');
    for (this.#skip(true); this.#at < this.#source.length; this.#skip(true)) {
      const name = this.#name();
      if (!name) throw this.#bad('expected the name of a rule');
      this.#skip(false);
      if (!this.#take('::=')) throw this.#bad(`expected ::= after ${quoted(name)}`);
      this.#skip(true);
      const entry = this.#rule(name);
      if (entry.isWritten) throw this.#bad(`the rule ${quoted(name)} occurs twice`);
      entry.isWritten = true;
      this.#set.rules[entry.rule] = this.#alternatives(0);
      const isEnd = this.#at === this.#source.length || this.#source[this.#at] === '\n';
      if (!isEnd) throw this.#bad('expected the end of the rule');
    }
    for (const [name, { isWritten, line }] of this.#names) {
      if (!isWritten) throw this.#bad(`there is no rule ${quoted(name)}`, line);
    }
    this.#check(root.rule);
    return this.#set.rules;
  }

  /** Refuses rules that begin with themselves, and a start that no text fulfills. @param {number} root */
  #check(root) {
    const { rules } = this.#set;
    const least = leastBytes(rules);
    if (least[root] === Infinity) throw this.#bad('no text of finite length fulfills the rule ‘root’', 1);
    const lineOf = (/** @type {number} */ rule) => [...this.#names.values()].find((one) => one.rule === rule)?.line;
    const state = new Uint8Array(rules.length); // 1: on the path, 2: done
    const open = [root];
    while (open.length > 0) {
      const rule = /** @type {number} */ (open.at(-1));
      if (state[rule] !== 0) {
        state[rule] = 2;
        open.pop();
        continue;
      }
      state[rule] = 1;
      for (const next of rules[rule].flatMap((sequence) => firstRules(sequence, least))) {
        if (state[next] === 1 && open.includes(next)) {
          const line = [next, ...open.slice(open.indexOf(next))].map(lineOf).find((one) => one !== undefined);
          throw this.#bad('a rule begins with itself', line ?? 1);
        }
        if (state[next] === 0) open.push(next);
      }
    }
  }

  /** @param {number} depth @returns {Term[][]} */
  #alternatives(depth) {
    if (depth > MAX_GROUPS) throw this.#bad(`more than ${MAX_GROUPS} groups in groups`);
    const all = [this.#sequence(depth)];
    while (this.#take('|')) {
      this.#skip(true);
      all.push(this.#sequence(depth));
    }
    return all;
  }

  /** @param {number} depth @returns {Term[]} */
  #sequence(depth) {
    /** @type {Term[]} */
    const all = [];
    for (let next = this.#item(depth); next; next = this.#item(depth)) all.push(...this.#repeated(next));
    return all;
  }

  /** @param {number} depth @returns {Term[] | null} */
  #item(depth) {
    this.#skip(depth > 0);
    if (depth === 0 && this.#continues()) this.#skip(true);
    const character = this.#source[this.#at];
    if (character === '"') return this.#text();
    if (character === '[') return this.#characters();
    if (this.#take('.')) return this.#set.character([[0, 0x10ffff]]);
    if (this.#take('(')) {
      this.#skip(true);
      const rule = this.#set.add(this.#alternatives(depth + 1));
      this.#skip(true);
      if (!this.#take(')')) throw this.#bad('expected )');
      return [rule];
    }
    const name = this.#name();
    return name ? [this.#rule(name).rule] : null;
  }

  /** Whether the next line begins with |, and continues this rule. */
  #continues() {
    return /^\s*\n\s*\|/.test(this.#source.slice(this.#at, this.#at + 256));
  }

  /** @param {Term[]} sequence @returns {Term[]} */
  #repeated(sequence) {
    if (this.#take('*')) return this.#set.repeat(sequence, 0, Infinity);
    if (this.#take('+')) return this.#set.repeat(sequence, 1, Infinity);
    if (this.#take('?')) return this.#set.optional(sequence);
    const next = this.#source.slice(this.#at, this.#at + 20);
    const [all, from, comma, to] = /^\{(\d{1,6})(,?)(\d{0,6})\}/.exec(next) ?? [];
    if (all === undefined) return sequence;
    const least = Number(from);
    const most = comma === '' ? least : to === '' ? Infinity : Number(to);
    if (most < least || least > MAX_REPEAT || (most !== Infinity && most > MAX_REPEAT)) {
      throw this.#bad(`${quoted(all)} is not a repetition of at most ${MAX_REPEAT}`);
    }
    this.#at += all.length;
    return this.#set.repeat(sequence, least, most);
  }

  #text() {
    this.#at++;
    let text = '';
    while (!this.#take('"')) text += String.fromCodePoint(this.#code('a text'));
    return this.#set.text(text);
  }

  #characters() {
    this.#at++;
    const isNot = this.#take('^');
    /** @type {[number, number][]} */
    const ranges = [];
    while (!this.#take(']')) {
      const from = this.#code('characters');
      const isRange = this.#source[this.#at] === '-' && this.#source[this.#at + 1] !== ']';
      if (isRange) this.#at++;
      const to = isRange ? this.#code('characters') : from;
      if (to < from) throw this.#bad('a range of characters ends before it begins');
      ranges.push([from, to]);
    }
    if (ranges.length === 0) throw this.#bad('there are no characters in []');
    return this.#set.character(isNot ? complement(ranges) : ranges);
  }

  /** The next character, or an escape. @param {string} what @returns {number} */
  #code(what) {
    const code = this.#source.codePointAt(this.#at);
    if (code === undefined || code === 10) throw this.#bad(`${what} without an end`);
    this.#at += code > 0xffff ? 2 : 1;
    if (code !== 0x5c) return code;
    const letter = this.#source[this.#at++] ?? '';
    if (Object.hasOwn(ESCAPES, letter)) return /** @type {number} */ (ESCAPES[letter].codePointAt(0));
    const length = { x: 2, u: 4, U: 8 }[letter];
    const digits = this.#source.slice(this.#at, this.#at + (length ?? 0));
    const value = parseInt(digits, 16);
    if (!length || !new RegExp(`^[0-9a-f]{${length}}$`, 'i').test(digits) || value > 0x10ffff) {
      throw this.#bad(`unknown escape ${quoted(`\\${letter}`)}`);
    }
    this.#at += length;
    return value;
  }

  #name() {
    const [name] = /^[A-Za-z0-9_-]+/.exec(this.#source.slice(this.#at, this.#at + 256)) ?? [''];
    this.#at += name.length;
    return name;
  }

  /** @param {string} name */
  #rule(name) {
    const known = this.#names.get(name);
    if (known) return known;
    const made = { rule: this.#set.reserve(), line: this.#line(), isWritten: false };
    this.#names.set(name, made);
    return made;
  }

  /** @param {string} text */
  #take(text) {
    const found = this.#source.startsWith(text, this.#at);
    if (found) this.#at += text.length;
    return found;
  }

  /** Skips blanks and comments. @param {boolean} lines  whether to skip the ends of lines, too */
  #skip(lines) {
    const blank = lines ? /[ \t\r\n]/ : /[ \t\r]/;
    for (;;) {
      while (this.#at < this.#source.length && blank.test(this.#source[this.#at])) this.#at++;
      if (this.#source[this.#at] !== '#') return;
      while (this.#at < this.#source.length && this.#source[this.#at] !== '\n') this.#at++;
    }
  }

  #line() {
    return this.#source.slice(0, this.#at).split('\n').length;
  }

  /** @param {string} problem @param {number} [line] */
  #bad(problem, line = this.#line()) {
    return new HeedError('bad-argument', `The grammar has an error in line ${line}: ${problem}.`);
  }
}

/** Rules at which a sequence can begin. @param {Term[]} sequence @param {number[]} least @returns {number[]} */
function firstRules(sequence, least) {
  const found = [];
  for (const symbol of sequence) {
    if (typeof symbol !== 'number') break;
    found.push(symbol);
    if (least[symbol] > 0) break;
  }
  return found;
}

/** @param {[number, number][]} ranges @returns {[number, number][]} */
function complement(ranges) {
  /** @type {[number, number][]} */
  const found = [];
  let from = 0;
  for (const [low, high] of ranges.toSorted(([a], [b]) => a - b)) {
    if (low > from) found.push([from, low - 1]);
    from = Math.max(from, high + 1);
  }
  return from <= 0x10ffff ? [...found, [from, 0x10ffff]] : found;
}
