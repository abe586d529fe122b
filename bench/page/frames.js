/** How smoothly the map of a long text scrolls, and how soon it answers the pointer. */

/** @typedef {import('playwright-core').Page} Page  with a map whose id is map */

/** The scrolling window of the map. @param {Page} page */
const cellsOf = (page) => page.locator('#map .window');

/** The window's place on the screen, in pixels. @param {Page} page */
async function placeOf(page) {
  await cellsOf(page).scrollIntoViewIfNeeded();
  const place = await cellsOf(page).boundingBox();
  if (!place) throw new Error('the map is not shown');
  return place;
}

/** Scrolls the map up and down by the wheel. @param {Page} page */
export async function scrollMap(page) {
  const { x, y, width, height } = await placeOf(page);
  await page.mouse.move(x + width / 2, y + height / 2);
  for (let i = 0; i < 60; i++) {
    await page.mouse.wheel(0, i < 30 ? -100 : 100);
    await page.waitForTimeout(30);
  }
}

/**
 * Times between frames while `work` runs, and the scroll positions of the map in these frames.
 * @param {Page} page @param {() => Promise<unknown>} work
 * @returns {Promise<{ intervals: number[], tops: number[] }>} ms, pixels
 */
async function framesOf(page, work) {
  await cellsOf(page).evaluate((cells) => {
    const seen = { ends: false, times: /** @type {number[]} */ ([]), tops: /** @type {number[]} */ ([]) };
    Object.assign(globalThis, { seen });
    requestAnimationFrame(function record(now) {
      seen.times.push(now);
      seen.tops.push(cells.scrollTop);
      if (!seen.ends) requestAnimationFrame(record);
    });
  });
  await work();
  /** @type {{ times: number[], tops: number[] }} */
  const { times, tops } = await page.evaluate(() => {
    const { seen } = /** @type {any} */ (globalThis);
    seen.ends = true;
    return seen;
  });
  return { intervals: times.slice(1).map((now, i) => now - times[i]), tops };
}

/** Times between frames at rest, in ms. @param {Page} page */
export const restingFrames = async (page) => (await framesOf(page, () => page.waitForTimeout(2000))).intervals;

/** Times between frames while the map scrolls, in ms. @param {Page} page */
export async function scrollingFrames(page) {
  const { intervals, tops } = await framesOf(page, () => scrollMap(page));
  if (new Set(tops).size < 10) throw new Error(`the map did not scroll: ${[...new Set(tops)]}`);
  return intervals;
}

/**
 * Times until the map answers a pointer that reaches another cell, in ms. They begin in the handler of the event and
 * end when the page's thread has drawn the next frame. The map shows the cell in that frame.
 * @param {Page} page
 */
export async function pointerAnswers(page) {
  const { x, y, width, height } = await placeOf(page);
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
    await page.mouse.move(x + at * width, y + at * height);
    await page.waitForTimeout(30);
  }
  /** @type {number[]} */
  const answers = await page.evaluate(() => /** @type {any} */ (globalThis).answers);
  if (answers.length === 0) throw new Error('the pointer reached no cell of the map');
  return answers;
}
