/**
 * Text of users in a rendered template.  A message can contain the name of a control token, such as `<|im_end|>`, which
 * must stay text.  So the first and last characters of all control tokens are replaced in messages before the template
 * runs, by characters of private use.  The tokenizer splits the rendered text at control tokens, and then puts the
 * original characters back.  A control token can therefore begin and end only in the template's own text, also if
 * the template cuts, joins or changes messages.
 *
 * Templates search messages for tags, such as `</think>`.  A quote of the template stays as it is in messages, unless
 * a control token could begin or end in it.
 */
import { HeedError } from '../errors.js';

/** Characters of private use in the Basic Multilingual Plane. */
const FIRST = 0xe000;
const END = 0xf900;

/**
 * Characters that replace others.
 * @typedef {object} Disguise
 * @property {string} shown   replacing characters, in order
 * @property {string} hidden  the characters that they replace
 */

/**
 * The disguise of a chat.
 * @param {string[]} control   names of control tokens
 * @param {string} texts       all texts of the chat and its template, joined
 * @returns {Disguise}
 * @throws {HeedError} 'bad-argument' if the texts use too many characters of private use
 */
export function disguiseFor(control, texts) {
  const hidden = [...new Set(control.flatMap((name) => [name[0], name[name.length - 1]]))].join('');
  const used = new Set(texts.match(/[\ue000-\uf8ff]/g));
  let shown = '';
  for (let code = FIRST; code < END && shown.length < hidden.length; code++) {
    const character = String.fromCharCode(code);
    if (!used.has(character)) shown += character;
  }
  if (shown.length === hidden.length) return { shown, hidden };
  throw new HeedError('bad-argument', 'The messages contain too many characters of private use (U+E000 to U+F8FF). ' +
    'Remove some of them.');
}

/**
 * A function that disguises the texts in a value.
 * @param {Disguise} disguise
 * @param {string[]} control  names of control tokens
 * @param {string[]} quotes   quotes of the template
 * @returns {(text: string) => string}
 */
export function disguising({ shown, hidden }, control, quotes) {
  if (hidden === '') return (text) => text;
  const kept = quotes.filter((quote) => quote.length > 1 && !control.some((name) => canTouch(quote, name)));
  const parts = [...new Set(kept)].sort((a, b) => b.length - a.length).map(escaped);
  const pattern = new RegExp([...parts, `[${escaped(hidden)}]`].join('|'), 'g');
  return (text) => text.replace(pattern, (part) => (part.length > 1 ? part : shown[hidden.indexOf(part)]));
}

/** Whether a control token could begin or end inside a quote. @param {string} quote @param {string} name */
function canTouch(quote, name) {
  for (let i = 0; i < quote.length; i++) {
    const head = quote.slice(0, i + 1);
    const tail = quote.slice(i);
    if (name.startsWith(tail) || tail.startsWith(name) || name.endsWith(head) || head.endsWith(name)) return true;
  }
  return false;
}

/** @param {string} text */
const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
