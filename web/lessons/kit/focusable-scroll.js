/** Boxes that scroll must take the keyboard focus, so that keys can scroll them. */
const sizes = new ResizeObserver((entries) => {
  const boxes = entries.map(({ target }) => /** @type {HTMLElement} */ (target.closest('[data-scrolls]')));
  for (const box of new Set(boxes)) {
    if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) box.tabIndex = 0;
    else box.removeAttribute('tabindex');
  }
});

/**
 * Makes a box a stop of the Tab key while its content is larger than the box.
 * @param {HTMLElement} box with its content in it already
 */
export function makeScrollFocusable(box) {
  box.dataset.scrolls = '';
  for (const each of [box, ...box.children]) sizes.observe(each);
}
