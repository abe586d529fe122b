/** Words to a syntax tree: recursive descent, one function per level of precedence. */
import { quoted } from '../../errors.js';
import { wordsOf } from './lexer.js';
import { MAX_DEPTH, RaspError, tooLarge } from './limits.js';
import { COMPARISONS } from './values.js';

/**
 * @typedef {import('./limits.js').Place} Place
 * @typedef {import('./lexer.js').Word} Word
 *
 * @typedef {import('./values.js').Value} Value
 * @typedef {{ kind: 'constant', value: Value, place: Place }} Constant
 * @typedef {{ kind: 'name', name: string, place: Place }} Name
 * @typedef {{ kind: 'call', name: string, arguments: Expression[], place: Place }} Call
 * @typedef {{ kind: 'select', key: Expression, query: Expression, comparison: string, place: Place }} Select
 * @typedef {{ kind: 'unary', operator: 'not' | '-', operand: Expression, place: Place }} Unary
 * @typedef {{ kind: 'binary', operator: string, left: Expression, right: Expression, place: Place }} Binary
 * @typedef {{ kind: 'conditional', condition: Expression, yes: Expression, no: Expression, place: Place }} Conditional
 * @typedef {{ kind: 'in', left: Expression, list: Expression[], place: Place }} Membership
 * @typedef {Constant | Name | Call | Select | Unary | Binary | Conditional | Membership} Expression
 *
 * @typedef {{ kind: 'definition', name: string, parameters: string[], body: Assignment[], result: Expression,
 *   place: Place }} Definition
 * A name is null for a value alone.
 * @typedef {{ kind: 'assignment', name: string | null, value: Expression, place: Place }} Assignment
 * @typedef {Definition | Assignment} Statement
 */

/** Words that cannot be names. */
const RESERVED = ['def', 'return', 'if', 'else', 'and', 'or', 'not', 'in', 'select', 'True', 'False'];
/** Binary operators, from the weakest to the strongest. */
const LEVELS = [['or'], ['and'], Object.keys(COMPARISONS), ['+', '-'], ['*', '/', '%']];

/**
 * @param {string} source
 * @returns {Statement[]}
 * @throws {RaspError} with line and column
 */
export function parse(source) {
  return new Parser(source).program();
}

class Parser {
  #words;
  #next = 0;
  #depth = 0;
  #source;

  /** @param {string} source */
  constructor(source) {
    this.#source = source;
    this.#words = wordsOf(source);
  }

  program() {
    /** @type {Statement[]} */
    const statements = [];
    while (this.#word.kind !== 'end') {
      if (this.#takes(';')) continue;
      statements.push(this.#sees('def') ? this.#definition() : this.#assignment());
    }
    return statements;
  }

  get #word() {
    return this.#words[this.#next];
  }

  /** @param {string} text */
  #sees(text) {
    return this.#word.text === text && this.#word.kind !== 'string' && this.#word.kind !== 'end';
  }

  /** @param {string} text */
  #takes(text) {
    if (!this.#sees(text)) return false;
    this.#next++;
    return true;
  }

  /** @param {string} text @param {string} why */
  #needs(text, why) {
    if (!this.#takes(text)) throw this.#unexpected(`‘${text}’ ${why}`);
  }

  /** @param {string} wanted */
  #unexpected(wanted) {
    const { kind, text } = this.#word;
    return new RaspError(this.#word, `expected ${wanted}, got ${kind === 'end' ? text : quoted(text)}.`);
  }

  /** The place from a word up to the last word that was read. @param {Word} first @returns {Place} */
  #placeFrom({ line, column, from }) {
    const to = this.#words[Math.max(0, this.#next - 1)].to;
    return { line, column, text: this.#source.slice(from, Math.max(from, to)).replace(/\s+/g, ' ') };
  }

  /** @param {string} what */
  #name(what) {
    const { kind, text } = this.#word;
    if (kind !== 'name' || RESERVED.includes(text)) throw this.#unexpected(what);
    this.#next++;
    return text;
  }

  /** Ends a statement. The last one of a program needs no semicolon. */
  #semicolon() {
    if (this.#word.kind !== 'end') this.#needs(';', 'after the statement');
  }

  /** @returns {Definition} */
  #definition() {
    const first = this.#word;
    this.#next++;
    const name = this.#name('the name of the function');
    this.#needs('(', 'before the parameters');
    const parameters = this.#listUntil(')', () => this.#name('the name of a parameter'));
    const place = this.#placeFrom(first);
    const twice = parameters.find((each, i) => parameters.indexOf(each) < i);
    if (twice !== undefined) {
      throw new RaspError(place, `two parameters of ${quoted(name)} are named ${quoted(twice)}. Rename one.`);
    }
    this.#needs('{', 'before the body of the function');
    /** @type {Assignment[]} */
    const body = [];
    while (!this.#takes('return')) {
      if (this.#sees('}') || this.#word.kind === 'end') {
        throw this.#unexpected('‘return’ with the result of the function');
      }
      if (!this.#takes(';')) body.push(this.#assignment());
    }
    const result = this.#expression();
    this.#semicolon();
    this.#needs('}', 'after the result of the function');
    return { kind: 'definition', name, parameters, body, result, place };
  }

  /** @returns {Assignment} */
  #assignment() {
    const first = this.#word;
    const named = first.kind === 'name' && this.#words[this.#next + 1]?.text === '=';
    const name = named ? this.#name('a name that is not a word of the language') : null;
    if (named) this.#next++;
    const value = this.#expression();
    const place = this.#placeFrom(first);
    this.#semicolon();
    return { kind: 'assignment', name, value, place };
  }

  /** @template T @param {string} end @param {() => T} item @returns {T[]} */
  #listUntil(end, item) {
    /** @type {T[]} */
    const items = [];
    if (this.#takes(end)) return items;
    do items.push(item()); while (this.#takes(','));
    this.#needs(end, 'or ‘,’');
    return items;
  }

  /** A conditional, or anything stronger. @returns {Expression} */
  #expression() {
    const first = this.#word;
    if (++this.#depth > MAX_DEPTH) {
      throw tooLarge(this.#placeFrom(first), `expressions are nested more than ${MAX_DEPTH} deep. Give a part a name.`);
    }
    let value = this.#level(0);
    if (this.#takes('if')) {
      const condition = this.#level(0);
      this.#needs('else', 'after the condition');
      const no = this.#expression();
      value = { kind: 'conditional', condition, yes: value, no, place: this.#placeFrom(first) };
    }
    this.#depth--;
    return value;
  }

  /** @param {number} level @returns {Expression} */
  #level(level) {
    if (level === LEVELS.length) return this.#unary();
    const first = this.#word;
    let left = this.#level(level + 1);
    for (let length = 0; ; length++) {
      if (length > MAX_DEPTH) {
        throw tooLarge(this.#placeFrom(this.#word), `more than ${MAX_DEPTH} operators follow each other. Give ` +
          'a part a name.');
      }
      const operator = LEVELS[level].find((each) => this.#sees(each));
      if (operator) {
        this.#next++;
        const right = this.#level(level + 1);
        left = { kind: 'binary', operator, left, right, place: this.#placeFrom(first) };
      } else if (LEVELS[level].includes('==') && this.#takes('in')) {
        this.#needs('[', 'before the list');
        const list = this.#listUntil(']', () => this.#expression());
        left = { kind: 'in', left, list, place: this.#placeFrom(first) };
      } else {
        return left;
      }
    }
  }

  /** @returns {Expression} */
  #unary() {
    const first = this.#word;
    const operator = /** @type {const} */ (['not', '-']).find((each) => this.#takes(each));
    if (!operator) return this.#atom();
    if (++this.#depth > MAX_DEPTH) {
      throw tooLarge(this.#placeFrom(first), `more than ${MAX_DEPTH} signs stand before a value. Remove some.`);
    }
    // ‘not a == b’ negates the comparison, ‘-a + b’ only a.
    const operand = operator === 'not' ? this.#level(2) : this.#unary();
    this.#depth--;
    return { kind: 'unary', operator, operand, place: this.#placeFrom(first) };
  }

  /** @returns {Expression} */
  #atom() {
    const first = this.#word;
    const { kind, text } = first;
    if (kind === 'number' || kind === 'string') {
      this.#next++;
      const value = kind === 'number' ? Number(text) : text.slice(1, -1);
      return { kind: 'constant', value, place: this.#placeFrom(first) };
    }
    if (this.#takes('(')) {
      const value = this.#expression();
      this.#needs(')', 'after the expression');
      return { ...value, place: this.#placeFrom(first) };
    }
    if (this.#sees('True') || this.#sees('False')) {
      this.#next++;
      return { kind: 'constant', value: text === 'True', place: this.#placeFrom(first) };
    }
    if (this.#takes('select')) return this.#select(first);
    const name = this.#name('a value: a name, a number, a string, or a call such as aggregate(…)');
    if (!this.#takes('(')) return { kind: 'name', name, place: this.#placeFrom(first) };
    const values = this.#listUntil(')', () => this.#expression());
    return { kind: 'call', name, arguments: values, place: this.#placeFrom(first) };
  }

  /** @param {Word} first @returns {Expression} */
  #select(first) {
    this.#needs('(', 'after ‘select’');
    const key = this.#expression();
    this.#needs(',', 'and the queries: select(keys, queries, ==)');
    const query = this.#expression();
    this.#needs(',', 'and a comparison: select(keys, queries, ==)');
    const comparison = this.#word.text;
    if (!(comparison in COMPARISONS) || this.#word.kind !== 'sign') {
      throw this.#unexpected(`a comparison, one of ${Object.keys(COMPARISONS).join(' ')}`);
    }
    this.#next++;
    this.#needs(')', 'after the comparison');
    return { kind: 'select', key, query, comparison, place: this.#placeFrom(first) };
  }
}
