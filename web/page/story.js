/** A text that a model wrote, with its prompt and the first token that differs from another text. */
import { tokenName } from '../draw/token.js';
import { h } from '../elements/dom.js';

/**
 * @param {HTMLElement} element
 * @param {string} prompt
 * @param {string[]} texts of the tokens after the prompt
 * @param {number} [at] the first token that differs; -1: none
 */
export function showStory(element, prompt, texts, at = -1) {
  const same = at < 0 ? texts.length : at;
  element.replaceChildren(h('span', { class: 'prompt' }, prompt), texts.slice(0, same).join(''),
    ...(at < 0 ? [] : [h('mark', {}, texts[at]), texts.slice(at + 1).join('')]));
}

/**
 * Where two texts differ, as a sentence.
 * @param {number} at the first token that differs; -1: none
 * @param {[texts: string[], which: string]} one
 * @param {[texts: string[], which: string]} other
 */
export const describeDifference = (at, [one, which], [other, others]) => (at < 0 ? 'Both texts are the same.'
  : `The texts differ from token ${at + 1}: ${tokenName(one[at])} ${which}, ${tokenName(other[at])} ${others}.`);
