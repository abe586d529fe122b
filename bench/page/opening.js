/** How long a page takes from its address to the first token and the first map, with the parts before them. */
import { startServer } from '../../js/cli/server.js';

/** Moments of one opening, in ms from the start of the navigation; `requests` is their number.
 *  @typedef {Record<string, number>} Opening */

/** Notes when the page has shown each part. Runs in the page, before its scripts. */
function watch() {
  /** @type {Record<string, number>} */
  const shown = {};
  Object.assign(globalThis, { shown });
  const note = (/** @type {string} */ part, /** @type {boolean} */ is) => {
    if (is) shown[part] ??= performance.now();
  };
  const observer = new MutationObserver(() => {
    const [model, strip, map] = ['model', 'strip', 'map'].map((id) => /** @type {any} */ (document.getElementById(id)));
    note('model shown', model !== null && !model.textContent.startsWith('No model'));
    note('prompt shown', strip?.tokens?.length > 0);
    note('first token', strip?.tokens?.length > strip?.promptLength);
    if (!(map?.length > 0) || 'map' in shown) return;
    shown.map = performance.now();
    requestAnimationFrame(() => setTimeout(() => note('map drawn', true)));
  });
  const changes = { subtree: true, childList: true, characterData: true, attributes: true };
  observer.observe(document, changes);
}

/** Requests whose end is a moment of its own. */
const FILES = /** @type {const} */ ([
  ['document', /\.html$|\/$/], ['scripts of the page', /\.js$/], ['worker', /worker\.js$/], ['model', /\.gguf$/],
  ['engine', /\.wasm$/]]);

/**
 * Opens a page once.
 * @param {import('playwright-core').BrowserContext} context
 * @param {string} url
 * @returns {Promise<Opening>}
 */
async function open(context, url) {
  const page = await context.newPage();
  /** @type {{ url: string, end: number }[]} */
  const requests = [];
  page.on('requestfinished', (request) => {
    const { startTime, responseEnd } = request.timing();
    requests.push({ url: request.url(), end: startTime + responseEnd });
  });
  await page.addInitScript(watch);
  await page.goto(url);
  const isShown = () => /** @type {any} */ (globalThis).shown['map drawn'] && /** @type {any} */ (globalThis)
    .shown['first token'];
  await page.waitForFunction(isShown, undefined, { polling: 200 });
  const { shown, origin, paint } = await page.evaluate(() => ({
    shown: /** @type {any} */ (globalThis).shown,
    origin: performance.timeOrigin,
    paint: performance.getEntriesByType('paint')[0]?.startTime ?? NaN,
  }));
  await page.close();
  /** @type {Opening} */
  const opening = { 'first paint': paint, requests: requests.length };
  for (const [file, pattern] of FILES) {
    const ends = requests.filter((request) => pattern.test(request.url)
      && (file !== 'scripts of the page' || !request.url.endsWith('worker.js'))).map(({ end }) => end - origin);
    opening[file] = file === 'scripts of the page' ? Math.max(...ends.filter((end) => end < shown['model shown']))
      : Math.max(...ends);
  }
  return { ...opening, ...shown };
}

const ORDER = ['requests', 'document', 'scripts of the page', 'first paint', 'worker', 'model', 'engine', 'model shown',
  'prompt shown', 'first token', 'map drawn'];

/**
 * Opens the page of each folder in turns, with an empty cache and again, and prints medians.
 * @param {import('playwright-core').Browser} browser
 * @param {string[]} folders  built sites
 * @param {number} rounds
 */
export async function measureOpening(browser, folders, rounds) {
  const servers = await Promise.all(folders.map((root) => startServer({ root })));
  /** @type {Opening[][]} */
  const openings = folders.flatMap(() => [[], []]);
  for (let round = -1; round < rounds; round++) {
    for (const [i, { url }] of servers.entries()) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      for (const warm of [0, 1]) {
        const opening = await open(context, `${url}index.html`);
        if (round >= 0) openings[2 * i + warm].push(opening);
      }
      await context.close();
    }
  }
  await Promise.all(servers.map((server) => server.close()));
  const median = (/** @type {number[]} */ numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
  console.log(`| ms, medians of ${rounds} | ${folders.flatMap((folder) => [`${folder}, cold`, 'warm']).join(' | ')} |`);
  console.log(`|---|${'---|'.repeat(openings.length)}`);
  for (const part of ORDER) {
    const row = openings.map((all) => median(all.map((opening) => opening[part])).toFixed(0));
    console.log(`| ${part} | ${row.join(' | ')} |`);
  }
}
