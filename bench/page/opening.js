/** How long a page takes from its address to the first token and the first map, with the parts before them. */
import { fork } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A new window of Chromium loads pages of its own (omnibox-popup.top-chrome) for about a second. */
const SETTLE_MS = 1500;
const SERVER = fileURLToPath(new URL('./opening-server.js', import.meta.url));

/** Moments of one opening, in ms from the start of the navigation. `requests` is the number of requests. `layout shift`
 *  is the sum of all shifts (https://web.dev/articles/cls), 0 if nothing moves.
 *  @typedef {Record<string, number>} Opening */

/** Records the time at which the page shows each part. Runs in the page, before its scripts. */
function watch() {
  /** @type {Record<string, number>} */
  const shown = { 'layout shift': 0 };
  Object.assign(globalThis, { shown });
  new PerformanceObserver((list) => {
    for (const { value } of /** @type {any[]} */ (list.getEntries())) shown['layout shift'] += value;
  }).observe({ type: 'layout-shift', buffered: true });
  const note = (/** @type {string} */ part, /** @type {boolean} */ is) => {
    if (is) shown[part] ??= performance.now();
  };
  /** Notes a part that the elements have, and the end of the frame that draws it.
   *  @param {string} part @param {boolean} is */
  const noteDrawn = (part, is) => {
    if (!is || part in shown) return;
    note(part, true);
    requestAnimationFrame(() => setTimeout(() => note(`${part} drawn`, true)));
  };
  const observer = new MutationObserver(() => {
    const [model, strip, map] = ['model', 'strip', 'map'].map((id) => /** @type {any} */ (document.getElementById(id)));
    note('model shown', model !== null && !model.textContent.startsWith('No model'));
    note('prompt shown', strip?.tokens?.length > 0);
    noteDrawn('first token', strip?.tokens?.length > strip?.promptLength);
    noteDrawn('first map', map?.length > 0);
  });
  globalThis.Worker = class extends Worker {
    /** @param {ConstructorParameters<typeof Worker>} given */
    constructor(...given) {
      super(...given);
      note('worker created', true);
      this.addEventListener('message', ({ data }) => {
        note('worker ready', data.ready);
        note('model loaded', data.result?.info);
        note('prompt read', data.result?.steps?.length > 0);
      });
    }
  };
  const changes = { subtree: true, childList: true, characterData: true, attributes: true };
  observer.observe(document, changes);
}

/** A page without elements: it loads the same model and generates a token. The page can be no faster than this one. */
const BARE = {
  'index.html': '<!doctype html><meta charset="utf-8"><title>heed</title><script type="module" src="bare.js"></script>',
  'bare.js': `import { load } from './heed.js';
    const model = await load('models/stories.gguf');
    for await (const { text } of model.generate('Once upon a time', { maxTokens: 1, rows: true })) {
      document.body.textContent = text;
      globalThis.shown['first token'] = globalThis.shown['first map drawn'] = performance.now();
    }`,
};

/** Makes a folder with the page without elements. @param {string} dist the built package */
function bareSite(dist) {
  const folder = mkdtempSync(join(tmpdir(), 'heed-bare-'));
  mkdirSync(join(folder, 'models'));
  for (const name of readdirSync(dist).filter((each) => /^(heed|chunk|gguf-worker).*\.(js|wasm)$/.test(each))) {
    copyFileSync(join(dist, name), join(folder, name));
  }
  copyFileSync(join(dist, 'site/models/stories.gguf'), join(folder, 'models/stories.gguf'));
  for (const [name, text] of Object.entries(BARE)) writeFileSync(join(folder, name), text);
  return folder;
}

/** Requests with a separate time of their end. */
const FILES = /** @type {const} */ ([
  ['document', /\.html$|\/$/], ['scripts of the page', /\.js$/], ['model', /\.gguf$/], ['engine', /\.wasm$/]]);

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
  await page.waitForTimeout(SETTLE_MS);
  await page.goto(url);
  const isShown = () => !document.body.classList.contains('opening') && ['first token', 'first map drawn']
    .every((part) => part in /** @type {any} */ (globalThis).shown);
  await page.waitForFunction(isShown, undefined, { polling: 200 });
  await page.waitForTimeout(200); // the last layout shift
  const { shown, origin, parsed, paint } = await page.evaluate(() => ({
    shown: /** @type {any} */ (globalThis).shown,
    origin: performance.timeOrigin,
    parsed: /** @type {PerformanceNavigationTiming} */ (performance.getEntriesByType('navigation')[0]).domInteractive,
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
  }));
  await page.close();
  /** @type {Opening} */
  const opening = { 'HTML parsed': parsed, 'first contentful paint': paint, requests: requests.length };
  for (const [file, pattern] of FILES) {
    const ends = requests.filter((request) => pattern.test(request.url)
      && (file !== 'scripts of the page' || !request.url.endsWith('worker.js'))).map(({ end }) => end - origin);
    opening[file] = file === 'scripts of the page' ? Math.max(...ends.filter((end) => end < shown['model shown']))
      : Math.max(...ends);
  }
  return { ...opening, ...shown };
}

const ORDER = ['requests', 'layout shift', 'document', 'HTML parsed', 'scripts of the page', 'worker created',
  'first contentful paint', 'worker ready', 'model', 'engine', 'model loaded', 'model shown', 'prompt shown',
  'prompt read', 'first token', 'first token drawn', 'first map', 'first map drawn'];

/**
 * Serves a folder in a process of its own, because this process also handles the browser's messages.
 * @param {string} root
 * @returns {Promise<{ url: string, close: () => void }>}
 */
async function serve(root) {
  const child = fork(SERVER, [root]);
  const url = /** @type {string} */ (await new Promise((resolve) => child.once('message', resolve)));
  return { url, close: () => child.disconnect() };
}

/**
 * Opens the page of each folder and a page without elements in turns, with an empty cache and a full one, and prints
 * medians.
 * @param {import('playwright-core').Browser} browser
 * @param {string} dist  the built package
 * @param {string[]} sites  folders of built sites
 * @param {number} rounds
 */
export async function measureOpening(browser, dist, sites, rounds) {
  const bare = bareSite(dist);
  const folders = [...sites, bare];
  const servers = await Promise.all(folders.map(serve));
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
  for (const server of servers) server.close();
  rmSync(bare, { recursive: true });
  const median = (/** @type {number[]} */ numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
  const names = [...sites, 'without elements'];
  console.log(`| ms, medians of ${rounds} | ${names.flatMap((name) => [`${name}, cold`, 'warm']).join(' | ')} |`);
  console.log(`|---|${'---|'.repeat(openings.length)}`);
  for (const part of ORDER) {
    const digits = part === 'layout shift' ? 2 : 0;
    const row = openings.map((all) => median(all.map((opening) => opening[part])))
      .map((value) => (Number.isFinite(value) ? value.toFixed(digits) : '–'));
    console.log(`| ${part} | ${row.join(' | ')} |`);
  }
}
