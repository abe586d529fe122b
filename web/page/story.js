/** A text that a model wrote, with its prompt and the first token that differs from another text. */
import { tokenName } from '../draw/token.js';
import { h } from '../elements/dom.js';

/**
 * @param {HTMLElement} element
 * @param {string} prompt
 * @param {string[]} texts of the tokens after the prompt
 * @param {number} [at] the first token that differs, or the end of the text; -1: none
 */
export function showStory(element, prompt, texts, at = -1) {
  const same = at < 0 ? texts.length : at;
  element.replaceChildren(h('span', { class: 'prompt' }, prompt), texts.slice(0, same).join(''),
    ...(same === texts.length ? [] : [h('mark', {}, texts[at]), texts.slice(at + 1).join('')]));
}

/**
 * Where two texts differ, as a sentence.
 * @param {number} at the first token that differs, or the end of one text; -1: none
 * @param {[texts: string[], which: string]} one
 * @param {[texts: string[], which: string]} other
 */
export function describeDifference(at, [one, which], [other, others]) {
  if (at < 0) return 'Both texts are the same.';
  const name = (/** @type {string[]} */ texts) => (at < texts.length ? tokenName(texts[at]) : 'the end');
  return `The texts differ from token ${at + 1}: ${name(one)} ${which}, ${name(other)} ${others}.`;
}
