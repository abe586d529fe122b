/** How smoothly the map of a long text scrolls, and how soon it answers the pointer. */

/** The scrolling window of the map, in pixels of the page.
 *  @param {import('playwright-core').Page} page with a map whose id is map */
const windowOf = (page) => page.evaluate(() => {
  const cells = /** @type {Element} */ (document.getElementById('map')?.shadowRoot?.querySelector('.window'));
  cells.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { left, top, width, height } = cells.getBoundingClientRect();
  return { left, top, width, height };
});

/**
 * Times between frames while `work` runs, and the scroll positions of the map in these frames.
 * @param {import('playwright-core').Page} page @param {() => Promise<unknown>} work
 * @returns {Promise<{ intervals: number[], tops: number[] }>} ms, pixels
 */
async function framesOf(page, work) {
  await page.evaluate(() => {
    const cells = /** @type {Element} */ (document.getElementById('map')?.shadowRoot?.querySelector('.window'));
    const seen = { ends: false, times: /** @type {number[]} */ ([]), tops: /** @type {number[]} */ ([]) };
    Object.assign(globalThis, { seen });
    requestAnimationFrame(function record(now) {
      seen.times.push(now);
      seen.tops.push(cells.scrollTop);
      if (!seen.ends) requestAnimationFrame(record);
    });
  });
  await work();
  return page.evaluate(() => {
    const { seen } = /** @type {any} */ (globalThis);
    seen.ends = true;
    const intervals = seen.times.slice(1).map((/** @type {number} */ now, /** @type {number} */ i) =>
      now - seen.times[i]);
    return { intervals, tops: seen.tops };
  });
}

/** Times between frames at rest, in ms. @param {import('playwright-core').Page} page */
export const restingFrames = async (page) => (await framesOf(page, () => page.waitForTimeout(2000))).intervals;

/** Times between frames while the map scrolls up and down, in ms. @param {import('playwright-core').Page} page */
export async function scrollingFrames(page) {
  const { left, top, width, height } = await windowOf(page);
  await page.mouse.move(left + width / 2, top + height / 2);
  const { intervals, tops } = await framesOf(page, async () => {
    for (let i = 0; i < 60; i++) {
      await page.mouse.wheel(0, i < 30 ? -100 : 100);
      await page.waitForTimeout(30);
    }
  });
  if (new Set(tops).size < 10) throw new Error(`the map did not scroll: ${[...new Set(tops)]}`);
  return intervals;
}

/**
 * Times until the map answers a pointer that reaches another cell, in ms. They begin in the handler of the event and
 * end when the page's thread has drawn the next frame. The map shows the cell in that frame.
 * @param {import('playwright-core').Page} page
 */
export async function pointerAnswers(page) {
  const { left, top, width, height } = await windowOf(page);
  await page.evaluate(() => {
    /** @type {number[]} */
    const answers = [];
    Object.assign(globalThis, { answers });
    let moved = 0;
    addEventListener('pointermove', () => { moved = performance.now(); }, { capture: true });
    document.getElementById('map')?.addEventListener('heed-map-cell', () => {
      const began = moved;
      requestAnimationFrame(() => setTimeout(() => answers.push(performance.now() - began))); // after the frame
    });
  });
  const MOVES = 60;
  for (let i = 0; i < MOVES; i++) {
    const at = 0.3 + (0.5 * i) / MOVES;
    await page.mouse.move(left + at * width, top + at * height);
    await page.waitForTimeout(30);
  }
  /** @type {number[]} */
  const answers = await page.evaluate(() => /** @type {any} */ (globalThis).answers);
  if (answers.length === 0) throw new Error('the pointer reached no cell of the map');
  return answers;
}
