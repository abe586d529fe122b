/** A menu of changes, at a point of the window. */
import { h } from '../../elements/dom.js';

/** Pixels between the menu and the edge of the window. */
const EDGE = 6;

/**
 * Opens a menu. Arrow keys move, Escape and a press outside close it.
 * @param {string} label names the menu
 * @param {{ text: string, act: () => void }[]} items
 * @param {{ x: number, y: number }} at in the window, in CSS pixels
 */
export function openMenu(label, items, { x, y }) {
  const back = focused();
  const menu = h('div', { class: 'menu', role: 'menu', 'aria-label': label }, ...items.map(({ text, act }) => {
    const item = h('button', { type: 'button', role: 'menuitem', tabindex: -1 }, text);
    item.addEventListener('click', () => {
      close();
      act();
    });
    return item;
  }));
  const closing = new AbortController();
  const close = () => {
    closing.abort();
    menu.remove();
    back?.focus();
  };
  menu.addEventListener('keydown', (event) => {
    const buttons = /** @type {HTMLElement[]} */ ([...menu.children]);
    const from = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const to = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined) buttons.at(to % buttons.length)?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  const { signal } = closing;
  addEventListener('pointerdown', (event) => {
    if (!event.composedPath().includes(menu)) close();
  }, { signal, capture: true });
  for (const type of ['resize', 'wheel', 'hashchange']) addEventListener(type, close, { signal, passive: true });
  document.querySelector('main')?.append(menu);
  const { width, height } = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(EDGE, Math.min(x, document.documentElement.clientWidth - width - EDGE))}px`;
  menu.style.top = `${Math.max(EDGE, Math.min(y, innerHeight - height - EDGE))}px`;
  /** @type {HTMLElement} */ (menu.firstElementChild).focus();
}

/** The focused element, also inside shadow roots. @returns {HTMLElement | null} */
function focused() {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return /** @type {HTMLElement | null} */ (element);
}
