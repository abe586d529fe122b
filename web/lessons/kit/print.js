/** Prepares a lesson for paper: light colors, one column, folded text opened, and wide tables made smaller. */
import { HeedElement } from '../../elements/heed-element.js';

/** Folds that are printed only if the reader has opened them. */
const OMITTED = '.numbers-fold, .exercise, .exercise *';

/** Part of its box that a table fills on paper; text of another size does not shrink evenly. */
const ROOM = 0.96;

/** Opens folded text before the page is printed, and closes it afterwards. */
export function preparePrinting() {
  /** @type {HTMLDetailsElement[]} */
  let opened = [];
  addEventListener('beforeprint', () => {
    opened = [.../** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll('main details:not([open])'))]
      .filter((each) => !each.matches(OMITTED));
    show(true);
  });
  addEventListener('afterprint', () => show(false));

  /** @param {boolean} onPaper */
  function show(onPaper) {
    document.documentElement.classList.toggle('printing', onPaper);
    for (const each of opened) each.open = onPaper;
    for (const table of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.scrolls > table'))) {
      table.style.zoom = '';
      const { clientWidth, scrollWidth } = /** @type {HTMLElement} */ (table.parentElement);
      if (onPaper && scrollWidth > clientWidth) table.style.zoom = String(ROOM * clientWidth / scrollWidth);
    }
    for (const each of document.querySelectorAll('main *')) {
      if (!(each instanceof HeedElement)) continue;
      each.themeChanged(); // colors and width are others now
      each.redraw();
    }
  }
}
