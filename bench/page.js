/**
 * Compares the page with its engine. The page writes 200 tokens of the stories model. The same engine does so in an
 * empty page of the same Chromium, in turns. Also lists the long tasks of the page's thread. On a text that fills the
 * context, it measures frames while the map scrolls, and how soon the map answers the pointer. Needs dist (make
 * package).
 *
 *     node bench/page.js                      taskset -c 0 node bench/page.js    for one core
 *
 *     --rounds N     default 9
 *     --tokens N     default 200
 *     --opening      instead: the time to the first token and the first map, and its parts. The cache is empty, then
 *                    full. A page without elements takes turns. Beside other programs, chrt -r 1 node bench/page.js …
 *     --site DIR     with --opening, repeatable: built sites that take turns; default dist/site
 *     --views        instead: the long tasks of every view on a text that fills the context
 *
 * Both fetch the attention rows of every head. A ratio is the median of the rounds' ratios, with their middle half.
 */
import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { startServer } from '../js/cli/server.js';
import { pointerAnswers, restingFrames, scrollingFrames, scrollMap } from './page/frames.js';
import { measureOpening } from './page/opening.js';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
const PROMPT = 'Once upon a time there was a little cat who lived in a';
const { values } = parseArgs({ options: {
  rounds: { type: 'string', default: '9' },
  tokens: { type: 'string', default: '200' },
  opening: { type: 'boolean', default: false },
  site: { type: 'string', multiple: true, default: [`${DIST}site`] },
  views: { type: 'boolean', default: false },
} });
const tokens = Number(values.tokens);

/** @param {number[]} numbers @param {number} share */
const quantile = (numbers, share) => [...numbers].sort((a, b) => a - b)[Math.round(share * (numbers.length - 1))];
/** @param {number[]} numbers @param {number} [digits] */
const inWords = (numbers, digits = 0) =>
  `${quantile(numbers, 0.5).toFixed(digits)} (${quantile(numbers, 0.25).toFixed(digits)}–${
    quantile(numbers, 0.75).toFixed(digits)})`;

/** The engine in an empty page. @param {import('playwright-core').Page} page @param {string} url */
async function openEngine(page, url) {
  await page.route('**/blank.html', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto(new URL('blank.html', url).href);
  await page.evaluate(async () => {
    const { load } = await import(String(new URL('heed.js', location.href)));
    Object.assign(globalThis, { model: await load('site/models/stories.gguf') });
  });
}

/** @param {import('playwright-core').Page} page @param {number} seed @returns {Promise<number>} ms */
const byEngine = (page, seed) => page.evaluate(async ([prompt, maxTokens, at]) => {
  const { model } = /** @type {any} */ (globalThis);
  model.rewind(0);
  const began = performance.now();
  let count = 0;
  const options = { maxTokens, seed: at, temperature: 0.7, topK: 40, topP: 0.95, top: 8, rows: true };
  for await (const _ of model.generate(prompt, options)) count++;
  return { ms: performance.now() - began, count };
}, /** @type {const} */ ([PROMPT, tokens, seed]));

/**
 * Tasks of the page's thread that take 50 ms or more while `work` runs, by the clock and by the processor. Processor
 * time excludes the time of other programs.
 * @param {import('playwright-core').Page} page
 * @param {() => Promise<unknown>} work
 * @returns {Promise<{ clock: number[], processor: number[] }>} ms
 */
async function tasksOf(page, work) {
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'] });
  await work();
  /** @type {{ traceEvents: any[] }} */
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
  const tasks = traceEvents.filter((event) => event.name === 'RunTask'
    && threads.some(({ pid, tid }) => pid === event.pid && tid === event.tid));
  const long = (/** @type {'dur' | 'tdur'} */ key) => tasks.map((event) => Math.round((event[key] ?? 0) / 1000))
    .filter((ms) => ms >= 50);
  return { clock: long('dur'), processor: long('tdur') };
}

/** @param {{ clock: number[], processor: number[] }} tasks */
const tasksInWords = ({ clock, processor }) =>
  `by the clock ${clock.join(', ') || 'none'}; by the processor ${processor.join(', ') || 'none'}`;

/** Waits until the page has all tokens and its map all rows. @param {import('playwright-core').Page} page */
const rest = (page) => page.waitForFunction(() => {
  const [stop, map, strip] = ['stop', 'map', 'strip'].map((id) => /** @type {any} */ (document.getElementById(id)));
  const most = Math.min(strip.tokens?.length, 1024); // a token that fills the context has no row
  return stop.getAttribute('aria-disabled') === 'true' && map.length > 0 && map.length === most;
}, undefined, { polling: 50, timeout: 120_000 });

/** @param {import('playwright-core').Page} page @param {string} prompt @param {number} length @param {number} seed */
const byPage = (page, prompt, length, seed) => page.evaluate(async ([text, most, at]) => {
  const byId = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
  byId('prompt').value = text;
  byId('length').value = String(most);
  byId('seed').value = String(at);
  const began = performance.now();
  byId('generate').click();
  await new Promise((resolve) => {
    let started = false;
    const observer = new MutationObserver(() => {
      const stopped = byId('stop').getAttribute('aria-disabled') === 'true';
      started ||= !stopped;
      if (!started || !stopped) return;
      observer.disconnect();
      resolve(undefined);
    });
    observer.observe(byId('stop'), { attributes: true });
  });
  return { ms: performance.now() - began, count: byId('strip').tokens.length };
}, /** @type {const} */ ([prompt, length, seed]));

/** A text that fills the context with the generated tokens. */
const LONG_PROMPT = 'One day, the cat saw a big red ball and they played. '.repeat(60);

/**
 * Opens every view on a long text, and prints the long tasks of the page's thread.
 * @param {import('playwright-core').Page} page @param {string} url
 */
async function measureViews(page, url) {
  await page.goto(url);
  await rest(page);
  await byPage(page, LONG_PROMPT, 1000, 1);
  await rest(page);
  const tabs = await page.evaluate(() => Array.from(document.querySelectorAll('#views [role=tab]'), ({ id }) => id));
  console.log(`${cpus()[0].model}, load ${loadavg()[0].toFixed(1)}, Chromium ${browser.version()}, ${
    await page.evaluate(() => /** @type {any} */ (document.getElementById('strip')).tokens.length)} tokens`);
  for (const tab of tabs) {
    const began = performance.now();
    const tasks = await tasksOf(page, async () => {
      await page.evaluate((id) => document.getElementById(id)?.click(), tab);
      await page.waitForTimeout(400); // a view shows its progress after 200 ms
      await page.waitForFunction(() => /** @type {HTMLElement | null} */ (document.querySelector('.view-run'))?.hidden,
        undefined, { polling: 50, timeout: 120_000 });
      await page.waitForTimeout(500); // its drawing
    });
    const problem = await page.evaluate(() => document.querySelector('#view-panel .error')?.textContent);
    console.log(`  ${tab.slice(4).padEnd(14)} ${(performance.now() - began - 900).toFixed(0)} ms; ${
      tasksInWords(tasks)}${problem ? ` (${problem})` : ''}`);
  }
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'] });
if (values.opening) {
  await measureOpening(browser, DIST, values.site, Number(values.rounds)).finally(() => browser.close());
  process.exit();
}
const server = await startServer({ root: DIST });
if (values.views) {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await measureViews(page, new URL('site/index.html', server.url).href).finally(() => browser.close());
  await server.close();
  process.exit();
}
try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const engine = await context.newPage();
  const page = await context.newPage();
  await openEngine(engine, server.url);
  await page.bringToFront();
  const loaded = await tasksOf(page, async () => {
    for (let i = 0; i < 3; i++) {
      await page.goto(new URL('site/index.html', server.url).href);
      await rest(page);
      await page.waitForTimeout(300);
    }
  });
  const session = await browser.newBrowserCDPSession();
  const processor = async () => (await session.send('SystemInfo.getProcessInfo')).processInfo
    .reduce((sum, { cpuTime }) => sum + 1000 * cpuTime, 0);
  /** @type {Record<'clock' | 'processor', { engine: number, page: number }>[]} */
  const rounds = [];
  for (let seed = 1; rounds.length <= Number(values.rounds); seed++) {
    const before = await processor();
    const alone = await byEngine(engine, seed);
    const between = await processor();
    if (alone.count < tokens) continue; // the model ended this text
    const shown = await byPage(page, PROMPT, tokens, seed);
    await rest(page);
    const after = await processor();
    rounds.push({ clock: { engine: alone.ms, page: shown.ms },
      processor: { engine: between - before, page: after - between } });
  }
  rounds.shift(); // warm-up
  const seed = 1;
  const written = await tasksOf(page, () => byPage(page, PROMPT, tokens, seed).then(() => rest(page)));
  const long = await tasksOf(page, () => byPage(page, LONG_PROMPT, 1000, seed).then(() => rest(page)));
  const count = await page.evaluate(() => /** @type {any} */ (document.getElementById('strip')).tokens.length);
  const scrolled = await tasksOf(page, () => scrollMap(page));
  const resting = await restingFrames(page);
  const scrolling = await scrollingFrames(page);
  const answers = await pointerAnswers(page);

  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: DIST }).toString().trim();
  console.log(`${cpus()[0].model}, load ${loadavg()[0].toFixed(1)}, commit ${commit}, Chromium ${browser.version()}`);
  console.log(`${rounds.length} rounds of ${tokens} tokens, median (middle half)`);
  for (const by of /** @type {const} */ (['clock', 'processor'])) {
    const of = (/** @type {(each: { engine: number, page: number }) => number} */ what, digits = 0) =>
      inWords(rounds.map((round) => what(round[by])), digits);
    console.log(`  by the ${by}: engine ${of((each) => each.engine)} ms, page ${of((each) => each.page)} ms, ratio ${
      of((each) => each.page / each.engine, 2)}`);
  }
  console.log('Tasks of 50 ms and more on the page’s thread, ms');
  console.log(`  three loads     ${tasksInWords(loaded)}`);
  console.log(`  ${tokens} tokens      ${tasksInWords(written)}`);
  console.log(`  ${count} tokens    ${tasksInWords(long)}`);
  console.log(`  scrolling there ${tasksInWords(scrolled)}`);
  const usual = (/** @type {number[]} */ times) =>
    `median ${quantile(times, 0.5).toFixed(1)}, 95 % ${quantile(times, 0.95).toFixed(1)}, of ${times.length}`;
  console.log(`On ${count} tokens, ms`);
  console.log(`  between frames, at rest        ${usual(resting)}`);
  console.log(`  between frames, scrolling      ${usual(scrolling)}`);
  console.log(`  pointer’s event to frame drawn ${usual(answers)}`);
} finally {
  await browser.close();
  await server.close();
}
