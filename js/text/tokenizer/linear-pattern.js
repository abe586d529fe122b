/**
 * Matches regular expressions of untrusted files in linear time.
 *
 * JavaScript's engine backtracks: `a*a*a*b` takes cubic time, `(a|a)*b` exponential time.  This matcher walks the same
 * automaton in the same order, so it finds the same matches.  But it enters each choice at each position only once.
 * The result of a choice depends only on node and position, so a second visit would fail again (Cox 2010, the bit-state
 * matcher of RE2; Davis et al. 2021, memoized backtracking).  The marks of failed choices stay valid for all matches of
 * a text, so all matches take at most nodes × length steps.
 *
 * Two constructs depend on more than node and position, and are errors: back-references, and repetitions of a part that
 * can be empty.  Lookahead is limited to MAX_LOOK units, lookbehind to one character.
 */
/** Largest number of nodes of an automaton; GPT-4o's expression has 200. */
const MAX_NODES = 1024;
/** Largest number of UTF-16 code units that a lookahead reads. */
const MAX_LOOK = 32;
/** Largest depth of nested groups. */
const MAX_DEPTH = 64;

/** A repeated part. @typedef {{ kind: 'repeat', part: Part, min: number, max: number, lazy: boolean }} Repeat */

/**
 * A part of an expression.
 * @typedef {{ kind: 'set', source: string }
 *   | { kind: 'sequence', parts: Part[] }
 *   | { kind: 'choice', parts: Part[] }
 *   | Repeat
 *   | { kind: 'look', part: Part, behind: boolean, negative: boolean }} Part
 */

/** The start node of a lookahead; -1 for a lookbehind.
 *  @typedef {{ start: number, negative: boolean }} Look */

/** Kinds of nodes. */
const MATCH = 0, SET = 1, SPLIT = 2, LOOK = 3;

/** An escape; two escapes of a surrogate pair are one. */
const ESCAPE = /\\(?:u\{[^}]*\}|u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|u\w{4}|x\w\w|c\w|[pP]\{[^}]*\}|[^])/uy;
const CLASS = /\[(?:[^\]\\]|\\[^])*\]/uy;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/uy;
const GROUP = /\((?:\?(?:(:)|(=)|(!)|(<=)|(<!)|<\w+>))?/uy;

/** @param {string} problem */
const refused = (problem) => new SyntaxError(`its regular expression ${problem}, so its time has no bound`);

/** Parses the source of a RegExp with the flag u, whose syntax JavaScript has checked. */
class Parser {
  #source;
  #at = 0;
  #depth = 0;

  /** @param {string} source */
  constructor(source) {
    this.#source = source;
  }

  /** @returns {Part} */
  read() {
    return this.#choice();
  }

  /** @returns {Part} */
  #choice() {
    if (++this.#depth > MAX_DEPTH) throw refused(`nests more than ${MAX_DEPTH} groups`);
    const parts = [this.#sequence()];
    while (this.#take('|')) parts.push(this.#sequence());
    this.#depth--;
    return parts.length === 1 ? parts[0] : { kind: 'choice', parts };
  }

  /** @returns {Part} */
  #sequence() {
    /** @type {Part[]} */
    const parts = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at])) {
      parts.push(this.#quantified(this.#atom()));
    }
    return { kind: 'sequence', parts };
  }

  /** @param {Part} part @returns {Part} */
  #quantified(part) {
    const found = this.#match(QUANTIFIER);
    if (!found) return part;
    const [, sign, least, comma, most, lazy] = found;
    const min = sign ? Number(sign === '+') : Number(least);
    const max = sign ? (sign === '?' ? 1 : Infinity) : comma ? (most === '' ? Infinity : Number(most)) : min;
    if (canBeEmpty(part)) throw refused('repeats a part that can be empty');
    return { kind: 'repeat', part, min, max, lazy: lazy !== '' };
  }

  /** @returns {Part} */
  #atom() {
    const next = this.#source[this.#at];
    if (next === '(') return this.#group();
    if (next === '^' || next === '$') throw refused(`has the anchor ${next}`);
    if (next !== '\\') {
      return { kind: 'set', source: this.#match(next === '[' ? CLASS : /[^]/uy)?.[0] ?? '' };
    }
    const [source] = this.#match(ESCAPE) ?? [''];
    if (/^\\[1-9k]/.test(source)) throw refused('has a backreference');
    if (/^\\b/i.test(source)) throw refused('has a word boundary');
    return { kind: 'set', source };
  }

  /** @returns {Part} */
  #group() {
    const [, , ahead, notAhead, behind, notBehind] = this.#match(GROUP) ?? [];
    const part = this.#choice();
    this.#take(')');
    if (!ahead && !notAhead && !behind && !notBehind) return part;
    const look = { behind: Boolean(behind || notBehind), negative: Boolean(notAhead || notBehind) };
    if (widthOf(part) > MAX_LOOK) throw refused(`looks ahead more than ${MAX_LOOK} characters`);
    if (look.behind && !isSet(part)) throw refused('looks behind more than one character');
    return { kind: 'look', part, ...look };
  }

  /** @param {string} character */
  #take(character) {
    if (this.#source[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  /** @param {RegExp} token */
  #match(token) {
    token.lastIndex = this.#at;
    const found = token.exec(this.#source);
    this.#at += found?.[0].length ?? 0;
    return found;
  }
}

/** @param {Part} part @returns {boolean} */
function canBeEmpty(part) {
  if (part.kind === 'set') return false;
  if (part.kind === 'sequence') return part.parts.every(canBeEmpty);
  if (part.kind === 'choice') return part.parts.some(canBeEmpty);
  return part.kind === 'look' || part.min === 0;
}

/** Largest number of UTF-16 code units that a part matches. @param {Part} part @returns {number} */
function widthOf(part) {
  if (part.kind === 'set') return 2;
  if (part.kind === 'sequence') return part.parts.reduce((sum, one) => sum + widthOf(one), 0);
  if (part.kind === 'choice') return Math.max(...part.parts.map(widthOf));
  return part.kind === 'look' ? 0 : part.max * widthOf(part.part);
}

/** @param {Part} part @returns {boolean} whether it is one character of a set */
const isSet = (part) => part.kind === 'set' || (part.kind === 'sequence' && part.parts.length === 1 &&
  isSet(part.parts[0]));

/** The characters that an atom matches, each tested once with JavaScript's engine. */
class CharacterSet {
  /** Result for each UTF-16 code unit: 0: unknown, 1: no, 2: yes. */
  basic = new Uint8Array(0x10000);
  #pattern;
  /** @type {Map<number, boolean>} */ #further = new Map();

  /** @param {string} source */
  constructor(source) {
    this.#pattern = new RegExp(`^${source}$`, 'u');
  }

  /** @param {number} codePoint */
  has(codePoint) {
    if (codePoint > 0xffff || (codePoint & 0xf800) === 0xd800) {
      const known = this.#further.get(codePoint) ?? this.#ask(codePoint);
      this.#further.set(codePoint, known);
      return known;
    }
    return (this.basic[codePoint] ||= this.#ask(codePoint) ? 2 : 1) === 2;
  }

  /** @param {number} codePoint */
  #ask(codePoint) {
    return this.#pattern.test(String.fromCodePoint(codePoint));
  }
}

/** The automaton of an expression: arrays by node number, with the next node of each. */
class Automaton {
  /** @type {number[]} */ kinds = [];
  /** @type {number[]} */ next = [];
  /** SPLIT: the node to try after `next` failed. @type {number[]} */ other = [];
  /** SPLIT: its index among the splits, for its marks. @type {number[]} */ split = [];
  /** @type {(CharacterSet | null)[]} for SET and lookbehind */ sets = [];
  /** @type {(Look | null)[]} */ looks = [];
  start;
  splits = 0;
  /** @type {Map<string, CharacterSet>} */ #known = new Map();

  /** @param {string} source */
  constructor(source) {
    this.start = this.#compile(new Parser(source).read(), this.#node(MATCH, -1));
  }

  /** @param {number} kind @param {number} next */
  #node(kind, next) {
    if (this.kinds.length >= MAX_NODES) throw refused(`has more than ${MAX_NODES} parts`);
    this.other.push(-1);
    this.split.push(kind === SPLIT ? this.splits++ : -1);
    this.sets.push(null);
    this.looks.push(null);
    this.next.push(next);
    return this.kinds.push(kind) - 1;
  }

  /** @param {string} source */
  #set(source) {
    const set = this.#known.get(source) ?? new CharacterSet(source);
    this.#known.set(source, set);
    return set;
  }

  /** @param {number} node @param {number} first @param {number} second @param {boolean} lazy */
  #choose(node, first, second, lazy) {
    this.next[node] = lazy ? second : first;
    this.other[node] = lazy ? first : second;
    return node;
  }

  /** @param {Part} part @param {number} next @returns {number} the start node */
  #compile(part, next) {
    if (part.kind === 'sequence') return part.parts.reduceRight((after, one) => this.#compile(one, after), next);
    if (part.kind === 'choice') {
      const starts = part.parts.map((one) => this.#compile(one, next));
      return starts.reduceRight((rest, start) => this.#choose(this.#node(SPLIT, -1), start, rest, false));
    }
    if (part.kind === 'repeat') return this.#repeat(part, next);
    const node = this.#node(part.kind === 'set' ? SET : LOOK, next);
    if (part.kind === 'set') {
      this.sets[node] = this.#set(part.source);
    } else {
      if (part.behind) this.sets[node] = this.#set(sourceOfSet(part.part));
      const start = part.behind ? -1 : this.#compile(part.part, this.#node(MATCH, -1));
      this.looks[node] = { start, negative: part.negative };
    }
    return node;
  }

  /** @param {Extract<Part, { kind: 'repeat' }>} repeat @param {number} next */
  #repeat({ part, min, max, lazy }, next) {
    let start = next;
    if (max === Infinity) {
      start = this.#node(SPLIT, -1);
      this.#choose(start, this.#compile(part, start), next, lazy);
    }
    for (let i = min; i < max && max !== Infinity; i++) {
      start = this.#choose(this.#node(SPLIT, -1), this.#compile(part, start), next, lazy);
    }
    for (let i = 0; i < min; i++) start = this.#compile(part, start);
    return start;
  }
}

/** @param {Part} part that isSet @returns {string} */
const sourceOfSet = (part) =>
  part.kind === 'sequence' ? sourceOfSet(part.parts[0]) : /** @type {any} */ (part).source;

/** Walks an automaton over texts. */
class Matcher {
  /** Number of nodes entered so far. */
  steps = 0;
  #automaton;
  #words; // words of marks per position
  /** @type {string | null} */ #text = null;
  #marks = new Int32Array(0);
  #from = 0; // the marks of earlier positions are no longer needed
  /** Stack of untried choices: node and position. @type {number[]} */ #open = [];

  /** @param {string} source */
  constructor(source) {
    this.#automaton = new Automaton(source);
    this.#words = Math.ceil(this.#automaton.splits / 32);
  }

  /**
   * The first match that starts at `at` or, unless `here`, after it.
   * @param {string} text
   * @param {number} at
   * @param {boolean} here
   * @returns {[start: number, end: number] | null}
   */
  find(text, at, here) {
    if (text !== this.#text || at < this.#from) this.#begin(text);
    for (let start = at; start <= text.length; start += (text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1) {
      const end = this.#walk(this.#automaton.start, start, this.#marks, 0);
      this.#from = start;
      if (end >= 0) {
        // The successful walk left marks, too.  Marks before its end are unreachable; marks at its end are cleared.
        for (let i = 0; i < this.#words; i++) this.#marks[end * this.#words + i] = 0;
        this.#from = end;
        return [start, end];
      }
      if (here) break;
    }
    return null;
  }

  /** @param {string} text */
  #begin(text) {
    const size = (text.length + 1) * this.#words;
    if (this.#marks.length < size) this.#marks = new Int32Array(size);
    else this.#marks.fill(0, 0, size);
    this.#text = text;
    this.#from = 0;
  }

  /**
   * @param {number} node
   * @param {number} at
   * @param {Int32Array} marks
   * @param {number} origin  position of the first marks
   * @returns {number} end of the match; -1: no match
   */
  #walk(node, at, marks, origin) {
    const { kinds, next, other, split, sets, looks } = this.#automaton;
    const text = /** @type {string} */ (this.#text);
    const open = this.#open;
    const bottom = open.length;
    let steps = 0;
    for (;;) {
      steps++;
      const kind = kinds[node];
      let goes = true;
      if (kind === SET) {
        const set = /** @type {CharacterSet} */ (sets[node]);
        const unit = text.charCodeAt(at); // NaN at the end
        const known = set.basic[unit]; // stays 0 for half of a surrogate pair
        if (known > 0) {
          goes = known === 2;
          at++;
        } else {
          const codePoint = text.codePointAt(at) ?? -1;
          goes = codePoint >= 0 && set.has(codePoint);
          at += codePoint > 0xffff ? 2 : 1;
        }
      } else if (kind === SPLIT) {
        const word = (at - origin) * this.#words + (split[node] >>> 5);
        const bit = 1 << split[node]; // uses the lower five bits of the index
        goes = (marks[word] & bit) === 0;
        if (goes) {
          marks[word] |= bit;
          open.push(other[node], at);
        }
      } else if (kind === LOOK) {
        goes = this.#look(/** @type {Look} */ (looks[node]), sets[node], at);
      } else {
        open.length = bottom;
        this.steps += steps;
        return at;
      }
      if (goes) {
        node = next[node];
      } else {
        if (open.length === bottom) {
          this.steps += steps;
          return -1;
        }
        at = /** @type {number} */ (open.pop());
        node = /** @type {number} */ (open.pop());
      }
    }
  }

  /**
   * @param {Look} look
   * @param {CharacterSet | null} behind
   * @param {number} at
   * @returns {boolean}
   */
  #look({ start, negative }, behind, at) {
    const text = /** @type {string} */ (this.#text);
    if (behind) {
      const wide = at > 1 && (text.codePointAt(at - 2) ?? 0) > 0xffff;
      return (at > 0 && behind.has(/** @type {number} */ (text.codePointAt(at - (wide ? 2 : 1))))) !== negative;
    }
    const marks = new Int32Array((MAX_LOOK + 1) * this.#words);
    return this.#walk(start, at, marks, at) >= 0 !== negative;
  }
}

/**
 * A regular expression with the matches of a RegExp with the flags g and u, in linear time.  It captures no groups.
 * All methods of strings accept it.
 */
export class LinearPattern extends RegExp {
  /** @type {Matcher} */ #matcher;

  /**
   * @param {RegExp} pattern
   * @param {string} [flags]
   * @throws {SyntaxError} for an expression whose time cannot be bounded
   */
  constructor(pattern, flags = pattern.flags) {
    super(pattern, flags);
    this.#matcher = pattern instanceof LinearPattern ? pattern.#matcher : new Matcher(this.source);
  }

  /** Number of nodes of the automaton entered so far, in all matches. */
  get steps() {
    return this.#matcher.steps;
  }

  /** @param {string} text @returns {RegExpExecArray | null} */
  exec(text) {
    const found = this.#matcher.find(text, /** @type {RegExp} */ (this).lastIndex, this.sticky);
    this.lastIndex = found ? found[1] : 0;
    if (!found) return null;
    const match = [text.slice(...found)];
    return /** @type {RegExpExecArray} */ (Object.assign(match, { index: found[0], input: text }));
  }
}
