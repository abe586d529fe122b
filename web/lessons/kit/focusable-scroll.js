/** A box that scrolls is a stop of the Tab key, or it could not be scrolled by key; one that does not is none. */
const sizes = new ResizeObserver((entries) => {
  const boxes = entries.map(({ target }) => /** @type {HTMLElement} */ (target.closest('[data-scrolls]')));
  for (const box of new Set(boxes)) {
    if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) box.tabIndex = 0;
    else box.removeAttribute('tabindex');
  }
});

/** @param {HTMLElement} box with one element in it */
export function reachable(box) {
  box.dataset.scrolls = '';
  for (const each of [box, ...box.children]) sizes.observe(each);
}
