/** When pictures are drawn: once a frame, and only those that someone sees. */

/**
 * Calls with the last arguments in the next frame, however often it was asked to until then: a slider that is dragged
 * moves more often than the screen is drawn.
 * @template {unknown[]} A @param {(...last: A) => void} work @returns {(...asked: A) => void}
 */
export function onceAFrame(work) {
  let frame = 0;
  /** @type {A} */ let last;
  return (...asked) => {
    last = asked;
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      work(...last);
    });
  };
}

/**
 * Draws at once what is in sight, and what is not when it comes into sight or is printed.
 * @param {Element} element @param {() => void} draw @returns {() => void} to be called when there is something new
 */
export function whenSeen(element, draw) {
  let [seen, stale] = [true, false]; // in sight, until the observer has looked
  const drawn = () => {
    stale = false;
    draw();
  };
  new IntersectionObserver((entries) => {
    seen = entries[entries.length - 1].isIntersecting;
    if (seen && stale) drawn();
  }, { rootMargin: '50%' }).observe(element);
  addEventListener('beforeprint', () => stale && drawn());
  return () => {
    if (seen) drawn();
    else stale = true;
  };
}
