/** How tokens are written: invisible characters get a mark. */

/** @typedef {{ kind: 'text' | 'space' | 'newline' | 'tab' | 'byte', text: string }} TokenPart text: as displayed */

const PART = /(<0x[0-9A-F]{2}>)|(\r\n|\n|\r)|(\t)|([ \u00a0])|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Splits a token into parts with a visible form: space `·`, newline `⏎`, tab `⇥`, other bytes `<0xE2>`. A character
 * that changes the direction of writing is `<U+202E>`, because it would turn the tokens after it.
 * @param {string} token
 * @returns {TokenPart[]}
 */
export function tokenParts(token) {
  /** @type {TokenPart[]} */
  const parts = [];
  let end = 0;
  for (const match of token.matchAll(PART)) {
    if (match.index > end) parts.push({ kind: 'text', text: token.slice(end, match.index) });
    if (match[1]) parts.push({ kind: 'byte', text: match[1] });
    else if (match[2]) parts.push({ kind: 'newline', text: '⏎' });
    else if (match[3]) parts.push({ kind: 'tab', text: '⇥' });
    else if (match[4]) parts.push({ kind: 'space', text: '·' });
    else parts.push({ kind: 'byte', text: `<U+${match[0].charCodeAt(0).toString(16).toUpperCase()}>` });
    end = match.index + match[0].length;
  }
  if (end < token.length) parts.push({ kind: 'text', text: token.slice(end) });
  return parts;
}

/**
 * The label of a token on an axis, with marks for invisible characters. A leading space before a word is left out.
 * @param {string} token
 * @param {number} [limit] most characters, default 10; longer labels end with …
 */
export function tokenLabel(token, limit = 10) {
  const shown = tokenParts(/^ \S/.test(token) ? token.slice(1) : token).map((part) => part.text).join('');
  const characters = Array.from(shown);
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : shown;
}

const NAMES = new Map([[' ', 'a space'], ['\n', 'a newline'], ['\t', 'a tab'], ['', 'an empty token']]);

/** Letters that run from right to left, such as Hebrew and Arabic. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{1e800}-\u{1eeff}]/u;

/** Isolates a text that runs from right to left. Otherwise the numbers after it change places with it.
 *  @param {string} text */
const isolated = (text) => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);

/**
 * The name of a token in a sentence: ‘mat’, a newline, ‘<0xE2>’.
 * @param {string} token
 */
export const tokenName = (token) => NAMES.get(token) ?? `‘${isolated(tokenLabel(token, 40))}’`;
