/** How long a page takes from its address to the first token and the first map, with the parts before them. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../../js/cli/server.js';

/** Moments of one opening, in ms from the start of the navigation; `requests` is their number.
 *  @typedef {Record<string, number>} Opening */

/** Records the time at which the page shows each part. Runs in the page, before its scripts. */
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

/** A page without elements: it loads the same model and generates a token. The page can be no faster than this one. */
const BARE = {
  'index.html': '<!doctype html><meta charset="utf-8"><title>heed</title><script type="module" src="bare.js"></script>',
  'bare.js': `import { load } from './heed.js';
    const model = await load('models/stories.gguf');
    for await (const { text } of model.generate('Once upon a time', { maxTokens: 1, rows: true })) {
      globalThis.shown['first token'] = globalThis.shown['map drawn'] = performance.now();
      document.body.textContent = text;
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
  rmSync(bare, { recursive: true });
  const median = (/** @type {number[]} */ numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
  const names = [...sites, 'without elements'];
  console.log(`| ms, medians of ${rounds} | ${names.flatMap((name) => [`${name}, cold`, 'warm']).join(' | ')} |`);
  console.log(`|---|${'---|'.repeat(openings.length)}`);
  for (const part of ORDER) {
    const row = openings.map((all) => median(all.map((opening) => opening[part])))
      .map((value) => (Number.isFinite(value) ? value.toFixed(0) : '–'));
    console.log(`| ${part} | ${row.join(' | ')} |`);
  }
}
