/** Arrow keys between the buttons of a toolbar, of which one is in the tab order. */

/**
 * Moves the focus by an arrow key, Home or End.
 * @param {KeyboardEvent} event on a button of the toolbar
 * @param {HTMLElement} bar
 */
export function moveFocus(event, bar) {
  const buttons = [...bar.querySelectorAll('button')];
  const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target));
  if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
  const to = nextButton(buttons, at, event.key);
  if (to < 0) return;
  event.preventDefault();
  buttons[at].tabIndex = -1;
  buttons[to].tabIndex = 0;
  buttons[to].focus();
}

/**
 * The button that a key moves to: the next in order, or the nearest in the next line.
 * @param {HTMLElement[]} buttons
 * @param {number} at
 * @param {string} key
 * @returns {number} -1 if the key moves nowhere
 */
function nextButton(buttons, at, key) {
  const last = buttons.length - 1;
  const along = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[key];
  if (along !== undefined) return Math.max(0, Math.min(last, along));
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return -1;
  const boxes = buttons.map((each) => each.getBoundingClientRect());
  const lines = boxes.map(({ top }) => top);
  const beyond = lines.filter((top) => (key === 'ArrowDown' ? top > lines[at] + 4 : top < lines[at] - 4));
  if (!beyond.length) return at;
  const line = key === 'ArrowDown' ? Math.min(...beyond) : Math.max(...beyond);
  let best = at;
  boxes.forEach(({ left, top }, index) => {
    const nearer = best === at || Math.abs(left - boxes[at].left) < Math.abs(boxes[best].left - boxes[at].left);
    if (Math.abs(top - line) <= 4 && nearer) best = index;
  });
  return best;
}
