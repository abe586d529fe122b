// Takes the pictures of the README: the page in both themes and on a phone, and one saved map.
//   node tools/build/screenshots.js      needs dist/site (make site) and Chromium; writes docs/*.png
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { startServer } from '../../js/cli/server.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCS = join(ROOT, 'docs');
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--font-render-hinting=none'];

const SHOTS = /** @type {const} */ ([
  { name: 'page-light', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'page-dark', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { name: 'page-phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
]);

/** Waits until the page has generated its first sentence. @param {import('playwright-core').Page} page */
async function written(page) {
  await page.waitForFunction(() => /per second/.test(document.getElementById('status')?.textContent ?? ''));
  await page.waitForTimeout(300);
}

/** Points at the largest weight between two words that are not neighbors.
 *  @param {import('playwright-core').Page} page */
async function point(page) {
  const { x, y } = await page.evaluate(() => {
    const map = /** @type {any} */ (document.getElementById('map'));
    const { tokens } = /** @type {any} */ (document.getElementById('strip'));
    const isWord = (/** @type {number} */ at) => /^ ?[a-z]{3,}$/i.test(tokens[at]);
    let best = { query: 0, key: 0, weight: -1 };
    for (let query = map.length >> 1; query < map.length; query++) {
      map.row(query)?.forEach((/** @type {number} */ weight, /** @type {number} */ key) => {
        const apart = isWord(query) && isWord(key) && key < query - 1;
        if (apart && weight > best.weight) best = { query, key, weight };
      });
    }
    map.select(best);
    const box = map.boxOf(best);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  });
  await page.mouse.move(x, y);
  await page.waitForTimeout(200);
}

await mkdir(DOCS, { recursive: true });
const server = await startServer({ root: join(ROOT, 'dist/site') });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ARGS });
try {
  for (const { name, ...options } of SHOTS) {
    const page = await browser.newPage(options);
    await page.goto(server.url);
    await written(page);
    if (options.viewport.width > 1000) await point(page);
    await page.screenshot({ path: join(DOCS, `${name}.png`), fullPage: options.viewport.width < 500 });
    console.log(`docs/${name}.png`);
    if (name === 'page-light') {
      const base64 = await page.evaluate(async () => {
        const blob = await /** @type {any} */ (document.getElementById('map')).export('png');
        const bytes = new Uint8Array(await blob.arrayBuffer());
        return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
      });
      await writeFile(join(DOCS, 'map.png'), Buffer.from(base64, 'base64'));
      console.log('docs/map.png');
    }
    await page.close();
  }
} finally {
  await browser.close();
  await server.close();
}
