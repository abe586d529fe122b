/** When figures are drawn: at most once per frame, and only while they are visible. */

/**
 * Limits a function to one call per frame, with the arguments of the last call. A dragged slider fires more often than
 * the screen is drawn.
 * @template {unknown[]} A
 * @param {(...last: A) => void} work
 * @returns {(...args: A) => void} schedules the call
 */
export function oncePerFrame(work) {
  let frame = 0;
  /** @type {A} */ let last;
  return (...args) => {
    last = args;
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      work(...last);
    });
  };
}

/**
 * Draws a visible element at once, and a hidden element when it scrolls into view or is printed.
 * @param {Element} element
 * @param {() => void} draw
 * @returns {() => void} call it when the element must be drawn again
 */
export function whenVisible(element, draw) {
  let [visible, stale] = [true, false]; // taken as visible until the observer reports
  const drawNow = () => {
    stale = false;
    draw();
  };
  new IntersectionObserver((entries) => {
    visible = entries[entries.length - 1].isIntersecting;
    if (visible && stale) drawNow();
  }, { rootMargin: '50%' }).observe(element);
  addEventListener('beforeprint', () => stale && drawNow());
  return () => {
    if (visible) drawNow();
    else stale = true;
  };
}
