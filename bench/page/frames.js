/** How smoothly a page with a long text scrolls, and how soon its map answers the pointer. */

/**
 * Times between frames while `work` runs, in ms.
 * @param {import('playwright-core').Page} page @param {() => Promise<unknown>} work
 * @returns {Promise<number[]>}
 */
export async function intervalsOf(page, work) {
  await page.evaluate(() => {
    /** @type {number[]} */
    const frames = [];
    Object.assign(globalThis, { frames });
    requestAnimationFrame(function record(now) {
      frames.push(now);
      requestAnimationFrame(record);
    });
  });
  await work();
  return page.evaluate(() => {
    const { frames } = /** @type {any} */ (globalThis);
    return frames.slice(1).map((/** @type {number} */ now, /** @type {number} */ i) => now - frames[i]);
  });
}

/**
 * Times from the event of a pointer that reaches another cell of the map until the frame with that cell is drawn, in
 * ms.
 * @param {import('playwright-core').Page} page with a map whose id is map
 * @returns {Promise<number[]>}
 */
export async function answersOf(page) {
  const { x, y, width, height } = await page.evaluate(() => {
    const map = /** @type {HTMLElement} */ (document.getElementById('map'));
    /** @type {number[]} */
    const answers = [];
    Object.assign(globalThis, { answers });
    let moved = 0;
    addEventListener('pointermove', () => { moved = performance.now(); }, { capture: true });
    map.addEventListener('heed-map-cell', () => {
      const began = moved;
      requestAnimationFrame(() => setTimeout(() => answers.push(performance.now() - began))); // after the frame
    });
    const cells = /** @type {Element} */ (map.shadowRoot?.querySelector('.window'));
    cells.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { left, top, width: wide, height: high } = cells.getBoundingClientRect();
    return { x: left, y: top, width: wide, height: high };
  });
  const MOVES = 60;
  for (let i = 0; i < MOVES; i++) {
    const at = 0.3 + (0.5 * i) / MOVES;
    await page.mouse.move(x + at * width, y + at * height);
    await page.waitForTimeout(30);
  }
  return page.evaluate(() => /** @type {any} */ (globalThis).answers);
}
