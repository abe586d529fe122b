/** Real browsers behind one small interface, and a server that behaves like a static host. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import puppeteer from 'puppeteer-core';
import { openWebKit } from './webkit.js';

/**
 * The interface of all drivers.
 * @typedef {object} Page
 * @property {(url: string) => Promise<unknown>} goto
 * @property {<A, R>(work: (argument: A) => R | Promise<R>, argument?: A) => Promise<R>} evaluate  in the page
 * @property {{ move: (x: number, y: number) => Promise<void>, click: (x: number, y: number) => Promise<void>,
 *   down: () => Promise<void>, up: () => Promise<void> }} mouse
 * @property {{ press: (key: any) => Promise<void>, type: (text: string) => Promise<void> }} keyboard
 */

/**
 * @typedef {object} Opened
 * @property {Page} page
 * @property {string[]} complaints  console errors, uncaught errors, breaches of the policy, leaks of the lab
 * @property {string[]} requests    requested addresses
 * @property {(width: number, height: number) => Promise<unknown>} resize
 * @property {(part: string) => Promise<Pick<Page, 'evaluate'> | undefined>} frame  by a part of its address
 * @property {((scheme: 'light' | 'dark') => Promise<void>) | null} theme
 * @property {((reduced: boolean) => Promise<void>) | null} stillness  sets whether the reader prefers reduced motion
 * @property {{ pick: (field: string, path: string) => Promise<void>, drop: (path: string) => Promise<void> } | null
 *   } folder  picks a folder in a field, or drops it on the page
 * @property {(() => Promise<Heard[]>) | null} tree  the accessibility tree, in the order of the page
 * @property {() => Promise<void>} close
 */

/** region: names of the landmarks around it, outermost first.
 *  @typedef {{ role: string, name: string, region: string, live?: string, atomic?: boolean, focusable: boolean }} Heard
 */

/** Timeout of a page. The drivers' default of 30 seconds is too short on a busy machine. */
const OPENED_MS = 120_000;

/** Timeout of a browser's start. The drivers' default of 30 seconds is too short on a busy machine. */
const STARTED_MS = 120_000;

/**
 * Firefox throws this for a formula that it lays out before the whole formula has arrived.
 * tests/lessons/formulas.test.js counts the children of every formula instead.
 */
const INCOMPLETE_FORMULA = /Invalid markup: Incorrect number of children for <m\w+\/> tag/;

/** Prints violations of the policy to the console, which the tests read. */
function watchPolicy() {
  addEventListener('securitypolicyviolation', (event) => {
    console.error(`policy: ${event.violatedDirective} forbids ${event.blockedURI}`);
  });
}

/** @param {any} page @returns {{ complaints: string[], requests: string[] }} */
function listen(page) {
  /** @type {string[]} */ const complaints = [];
  /** @type {string[]} */ const requests = [];
  page.on('console', (/** @type {any} */ message) => {
    const { url = '' } = typeof message.location === 'function' ? message.location() : {};
    const leak = message.text().startsWith('heed/lab'); // the lab's warning about unreleased tensors
    if (message.type() === 'error' || leak) complaints.push(`${message.text()} ${url}`);
  });
  page.on('pageerror', (/** @type {Error} */ error) => {
    if (!INCOMPLETE_FORMULA.test(error.message)) complaints.push(String(error.stack ?? error));
  });
  page.on('request', (/** @type {any} */ request) => requests.push(request.url()));
  return { complaints, requests };
}

/** @param {{ width: number, height: number }} viewport @returns {Promise<Opened>} */
async function openChromium(viewport) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync'],
    timeout: STARTED_MS,
  });
  const page = await browser.newPage({ viewport });
  page.setDefaultNavigationTimeout(OPENED_MS);
  await page.addInitScript(watchPolicy);
  return {
    page: /** @type {any} */ (page),
    ...listen(page),
    resize: (width, height) => page.setViewportSize({ width, height }),
    frame: async (part) => page.frames().find((each) => each.url().includes(part)),
    theme: (colorScheme) => page.emulateMedia({ colorScheme }),
    stillness: (reduced) => page.emulateMedia({ reducedMotion: reduced ? 'reduce' : 'no-preference' }),
    folder: {
      pick: (field, path) => page.setInputFiles(field, path),
      drop: async (path) => {
        const session = await page.context().newCDPSession(page);
        const data = { items: [], files: [path], dragOperationsMask: 1 };
        for (const type of /** @type {const} */ (['dragEnter', 'dragOver', 'drop'])) {
          await session.send('Input.dispatchDragEvent', { type, x: 200, y: 200, data });
        }
        await session.detach();
      },
    },
    tree: async () => {
      const session = await page.context().newCDPSession(page);
      const { nodes } = await session.send('Accessibility.getFullAXTree');
      await session.detach();
      const byId = new Map(nodes.map((node) => [node.nodeId, node]));
      /** @param {string | undefined} id @returns {string} */
      const regionOf = (id) => {
        const node = byId.get(id ?? '');
        if (!node) return '';
        return regionOf(node.parentId) + (node.role?.value === 'region' ? `${node.name?.value}: ` : '');
      };
      return nodes.filter(({ ignored }) => !ignored).map(({ role, name, parentId, properties = [] }) => {
        const of = (/** @type {string} */ wanted) => properties.find((each) => each.name === wanted)?.value.value;
        return { role: String(role?.value), name: String(name?.value ?? ''), region: regionOf(parentId),
          live: of('live'), atomic: of('atomic'), focusable: of('focusable') === true };
      });
    },
    close: () => browser.close(),
  };
}

/** Firefox under WebDriver BiDi blocks forever in one of about 80 calls of `new Worker` by a worker. While other
 *  programs use all processors, it blocks more often. Without WebDriver this was not seen (bench/LOG.md, 2026-11-28).
 *  @param {{ width: number, height: number }} viewport @returns {Promise<Opened>} */
async function openFirefox(viewport) {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    headless: true,
    timeout: STARTED_MS,
  });
  const page = await browser.newPage();
  page.setDefaultNavigationTimeout(OPENED_MS);
  await page.setViewport(viewport);
  await page.evaluateOnNewDocument(watchPolicy);
  return {
    page: /** @type {any} */ (page),
    ...listen(page),
    resize: (width, height) => page.setViewport({ width, height }),
    frame: async (part) => /** @type {any} */ (page.frames().find((each) => each.url().includes(part))),
    // WebDriver BiDi does not support these yet.
    theme: null,
    stillness: null,
    folder: null,
    tree: null,
    close: () => browser.close(),
  };
}

/**
 * Opens a browser. If its start fails or hangs, tries once more with a warning.
 * @param {string} name
 * @param {(viewport: { width: number, height: number }) => Promise<Opened>} open
 * @param {number} [patience] milliseconds
 */
export const started = (name, open, patience = STARTED_MS) => {
  /** @param {{ width: number, height: number }} viewport @param {number} [tries] @returns {Promise<Opened>} */
  return async function openOne(viewport, tries = 2) {
    const opening = open(viewport);
    const late = new AbortController();
    try {
      const hung = setTimeout(patience, null, { signal: late.signal }).then(() => {
        throw new Error(`it had not started after ${patience / 1000} seconds`);
      });
      return await Promise.race([opening, hung]);
    } catch (error) {
      opening.then((browser) => browser.close(), () => {}); // a browser that opens after the timeout
      const said = `${name} did not start: ${error instanceof Error ? error.message : error}`;
      if (tries === 1) throw new Error(said, { cause: error });
      process.emitWarning(`${said}. It is tried once more.`);
      return openOne(viewport, tries - 1);
    } finally {
      late.abort();
    }
  };
};

/** The browsers that suites run in; HEED_BROWSERS=webkit,firefox chooses some. */
export const BROWSERS = Object.fromEntries(Object.entries({
  chromium: started('Chromium', openChromium),
  firefox: started('Firefox', openFirefox),
  webkit: started('WebKitGTK', (viewport) => openWebKit(viewport, OPENED_MS)),
}).filter(([name]) => !process.env.HEED_BROWSERS || process.env.HEED_BROWSERS.split(',').includes(name)));

/** The kernel set that the library chooses in each browser, without -u8 and -s8, which depend on the processor.
 *  WebKitGTK has no relaxed SIMD. @type {Record<string, string>} */
export const BINARIES = { chromium: 'relaxed', firefox: 'relaxed', webkit: 'simd128' };

/** @type {Record<string, string>} */
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

/**
 * Serves a folder below a path like a static host: without a policy, isolation or a type for .wasm, unless `headers`
 * set them. Handlers in `extra` answer first.
 * @param {{ root: string, below: string, extra?: Record<string, import('node:http').RequestListener>,
 *   headers?: Record<string, string> }} options
 * @returns {Promise<{ url: string, asked: string[], close: () => Promise<void> }>}
 */
export async function plainServer({ root, below, extra = {}, headers = {} }) {
  /** Requested paths, in order. @type {string[]} */
  const asked = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    asked.push(pathname);
    if (extra[pathname]) return extra[pathname](request, response);
    try {
      if (!pathname.startsWith(below)) throw new Error('elsewhere');
      const path = pathname.slice(below.length) || 'index.html';
      const body = await readFile(join(root, path));
      const type = TYPES[extname(path)] ?? 'application/octet-stream';
      // Browsers request the icon again at every change of the address after #, unless they may cache it.
      response.writeHead(200, { 'content-type': type, 'cache-control': 'max-age=600', ...headers }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}${below}`,
    asked,
    close: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}
