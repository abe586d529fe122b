/** How a token is written: what cannot be seen gets a mark. */

/** @typedef {{ kind: 'text' | 'space' | 'newline' | 'tab' | 'byte', text: string }} TokenPart  text as it is shown */

const PART = /(<0x[0-9A-F]{2}>)|(\r\n|\n|\r)|(\t)|([ \u00a0])/g;

/**
 * A token in pieces, each with its visible form: space `·`, newline `⏎`, tab `⇥`, other bytes `<0xE2>`.
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
    else parts.push({ kind: 'space', text: '·' });
    end = match.index + match[0].length;
  }
  if (end < token.length) parts.push({ kind: 'text', text: token.slice(end) });
  return parts;
}

/**
 * A token on an axis: marks instead of what cannot be seen, and no longer than `limit` characters.
 * The faint mark of a leading space is left out, where a word says enough.
 * @param {string} token
 * @param {number} [limit]
 */
export function tokenLabel(token, limit = 10) {
  const shown = tokenParts(/^ \S/.test(token) ? token.slice(1) : token).map((part) => part.text).join('');
  const characters = Array.from(shown);
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : shown;
}

const NAMES = new Map([[' ', 'a space'], ['\n', 'a newline'], ['\t', 'a tab'], ['', 'an empty token']]);

/**
 * A token in a sentence: ‘mat’, a newline, ‘<0xE2>’.
 * @param {string} token
 */
export const tokenName = (token) => NAMES.get(token) ?? `‘${tokenLabel(token, 40)}’`;
