/** Splits a program into words with their places. */
import { HeedError, quoted } from '../../errors.js';
import { MAX_CHARACTERS, RaspError } from './limits.js';

/**
 * @typedef {object} Word
 * @property {'name' | 'number' | 'string' | 'sign' | 'end'} kind
 * @property {string} text
 * @property {number} line    counts from 1
 * @property {number} column  counts from 1
 * @property {number} from    index of its first character
 * @property {number} to      index after its last character
 */

const PATTERNS = /** @type {const} */ ([
  ['space', /\s+|#.*/y],
  ['name', /[\p{L}_][\p{L}\p{N}_]*/yu],
  ['number', /\d+(\.\d+)?/y],
  ['string', /"[^"\n]*"|'[^'\n]*'/y],
  ['sign', /==|!=|<=|>=|[-+*/%<>=(){}[\],;]/y],
]);

/** @param {string} source @returns {Word[]} the words, and one of kind 'end' */
export function wordsOf(source) {
  if (typeof source !== 'string') throw new HeedError('bad-argument', 'rasp: the program is not a string.');
  if (source.length > MAX_CHARACTERS) {
    throw new HeedError('too-large', `rasp: the program has ${source.length} characters; the maximum is ` +
      `${MAX_CHARACTERS}.`);
  }
  /** @type {Word[]} */
  const words = [];
  let line = 1;
  let start = 0;
  let at = 0;
  while (at < source.length) {
    const place = { line, column: at - start + 1 };
    const [kind, text] = wordAt(source, at, place);
    if (kind !== 'space') words.push({ kind, text, ...place, from: at, to: at + text.length });
    for (let i = 0; i < text.length; i++) {
      if (text[i] === '\n') {
        line++;
        start = at + i + 1;
      }
    }
    at += text.length;
  }
  const last = words.at(-1);
  const end = last ? { line: last.line, column: last.column + last.text.length, from: last.to, to: last.to }
    : { line: 1, column: 1, from: 0, to: 0 };
  return [...words, { kind: 'end', text: 'the end of the program', ...end }];
}

/** @param {string} source @param {number} at @param {{ line: number, column: number }} place */
function wordAt(source, at, place) {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = at;
    const [text] = pattern.exec(source) ?? [];
    if (text !== undefined) return /** @type {const} */ ([kind, text]);
  }
  const letter = String.fromCodePoint(/** @type {number} */ (source.codePointAt(at)));
  throw new RaspError(place, letter === '"' || letter === '\''
    ? `this string has no end. Write ${letter} after its last character, on the same line.`
    : `${quoted(letter)} has no meaning here. Remove it, or write it inside a string.`);
}
