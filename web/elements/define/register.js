/** Registers custom elements. */

/**
 * Registers an element, unless the tag is taken: a page may load heed twice. Does nothing in Node, which has no DOM.
 * @param {string} tag
 * @param {CustomElementConstructor} element
 */
export function register(tag, element) {
  if (globalThis.customElements && !customElements.get(tag)) customElements.define(tag, element);
}
