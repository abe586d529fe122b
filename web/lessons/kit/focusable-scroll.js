/** Boxes that scroll take the keyboard focus, so that keys can scroll them. They fade where there is more. */
const sizes = new ResizeObserver((entries) => {
  const boxes = entries.map(({ target }) => /** @type {HTMLElement} */ (target.closest('[data-scrolls]')));
  for (const box of new Set(boxes)) {
    if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) box.tabIndex = 0;
    else box.removeAttribute('tabindex');
    showMore(box);
  }
});

/** @param {HTMLElement} box */
function showMore(box) {
  box.classList.toggle('more', box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
}

/**
 * Makes a box a stop of the Tab key while its content is larger than the box.
 * @param {HTMLElement} box with its content in it already
 */
export function makeScrollFocusable(box) {
  box.dataset.scrolls = '';
  box.addEventListener('scroll', () => showMore(box), { passive: true });
  for (const each of [box, ...box.children]) sizes.observe(each);
}
