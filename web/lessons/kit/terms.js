/** The terms of a lesson: the first use of each is a link to the glossary, which explains it on hover and focus. */
import { CONCEPTS } from '../../glossary.js';
import { h } from '../../elements/dom.js';
import { attachTooltip } from '../../term-tooltip.js';

/** Where terms are marked: in the prose, but not in links, numbers, code and formulas. The glossary marks none. */
const PROSE = 'main:not(.reference) > p:not(.idea), main:not(.reference) > ul > li';
const SKIPPED = 'a, button, code, output, cite, label, math, [data-value]';

/** The address of a term in the glossary. @param {string} term */
export const anchorOf = (term) => `term-${term.toLowerCase().replace(/ /g, '-')}`;

/** Terms by their singular and plural in lower case. */
const BY_TEXT = new Map(Object.keys(CONCEPTS).flatMap((term) =>
  [term, `${term}s`, term.replace(/y$/, 'ies')].map((form) => /** @type {const} */ ([form.toLowerCase(), term]))));
/** Longer forms first: ‘causal mask’ before ‘mask’. */
const FORMS = [...BY_TEXT.keys()].sort((a, b) => b.length - a.length).join('|');
const ANY = new RegExp(`(?<![\\w-])(?:${FORMS})(?![\\w-])`, 'i');

/** Marks the first use of each term of the glossary, and explains it on hover and focus. */
export function markTerms() {
  /** @type {Set<string>} */
  const seen = new Set();
  for (const block of document.querySelectorAll(PROSE)) {
    const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT, (node) =>
      (node.parentElement?.closest(SKIPPED) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT));
    const found = [];
    while (texts.nextNode()) found.push(/** @type {Text} */ (texts.currentNode));
    for (const text of found) markIn(text, seen);
  }
  attachTooltip(document.documentElement);
}

/** @param {Text} text @param {Set<string>} seen terms that are marked already */
function markIn(text, seen) {
  for (let rest = text, match = ANY.exec(rest.data); match; match = ANY.exec(rest.data)) {
    const word = rest.splitText(match.index);
    rest = word.splitText(match[0].length);
    const term = BY_TEXT.get(match[0].toLowerCase()) ?? '';
    if (seen.has(term)) continue;
    seen.add(term);
    const link = h('a', { class: 'term', href: `./notation.html#${anchorOf(term)}`, 'data-term': term });
    word.replaceWith(link);
    link.append(word);
  }
}
