/** When figures are drawn: at most once per frame, and only while they are visible. And when they are done. */

/** Work of the next frame. @type {Set<() => void>} */
const scheduled = new Set();
/** Work that has begun. @type {Set<Promise<unknown>>} */
const running = new Set();

/**
 * Limits a function to one call per frame, with the arguments of the last call. A dragged slider fires more often than
 * the screen is drawn.
 * @template {unknown[]} A
 * @param {(...last: A) => unknown} work may return a promise; settled() waits for it
 * @returns {(...args: A) => void} schedules the call
 */
export function oncePerFrame(work) {
  let frame = 0;
  /** @type {A} */ let last;
  function run() {
    cancelAnimationFrame(frame);
    frame = 0;
    scheduled.delete(run);
    track(work(...last));
  }
  return (...args) => {
    last = args;
    if (frame) return;
    frame = requestAnimationFrame(run);
    scheduled.add(run);
  };
}

/**
 * Lets settled() wait for the result of a control.
 * @template T
 * @param {T} result of an event handler; only a promise takes time
 * @returns {T} the same
 */
export function track(result) {
  if (result instanceof Promise) {
    running.add(result);
    void result.finally(() => running.delete(result)); // a rejection is still reported
  }
  return result;
}

/** Resolves when the page shows what its controls say. Does the work of the next frame now. */
export async function settled() {
  while (scheduled.size + running.size > 0) {
    for (const run of [...scheduled]) run();
    await Promise.allSettled([...running]);
  }
}

/**
 * Draws a visible element at once, and a hidden element when it scrolls into view or is printed.
 * @param {Element} element
 * @param {() => void} draw
 * @returns {() => void} call it when the element must be drawn again
 */
export function whenVisible(element, draw) {
  let visible = true;
  let stale = false; // taken as visible until the observer reports
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
