/** The elements in real browsers: the shipped bundle, in a plain page without an engine. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, beforeEach, describe } from 'node:test';
import { fileURLToPath } from 'node:url';
import { BROWSERS, plainServer } from './browsers.js';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Elements</title>
  <meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
  <script type="module" src="/dist/elements.js"></script><body><main><h1>Elements</h1><div id="stage"></div></main>`;

/**
 * @typedef {object} Elements
 * @property {string} name  of the browser, as in BROWSERS
 * @property {import('./browsers.js').Opened} browser  has its page and other fields while tests run
 * @property {() => Promise<unknown>} drawn  lets the page draw
 * @property {() => void} noComplaints  fails if the browser has complained since the last call
 */

/**
 * Describes tests of elements in each browser. Before every test the page loads again, so its stage is empty.
 * @param {string} title
 * @param {(elements: Elements) => void} tests
 */
export function elementsIn(title, tests) {
  for (const [name, openBrowser] of Object.entries(BROWSERS)) {
    describe(`${title} in ${name}`, { timeout: 180_000 }, () => {
      const browser = /** @type {import('./browsers.js').Opened} */ ({});
      /** @type {Awaited<ReturnType<typeof plainServer>>} */ let server;

      before(async () => {
        assert.ok(existsSync(`${DIST}elements.js`), 'dist/elements.js is missing: run make bundle');
        const extra = { '/': (/** @type {any} */ _, /** @type {import('node:http').ServerResponse} */ response) =>
          void response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE) };
        server = await plainServer({ root: DIST, below: '/dist/', extra });
        Object.assign(browser, await openBrowser({ width: 1000, height: 900 }));
      });
      after(async () => {
        await browser.close?.();
        await server?.close();
      });
      beforeEach(async () => {
        await browser.page.goto(new URL('/', server.url).href);
        await browser.page.evaluate(() => customElements.whenDefined('heed-training').then(() => {}));
        await browser.page.evaluate(defineHelpers);
      });

      const drawn = () => browser.page.evaluate(() =>
        new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null)))));
      const noComplaints = () => assert.deepEqual(browser.complaints.splice(0), []);

      tests({ name, browser, drawn, noComplaints });
    });
  }
}

/** Sets `globalThis.helpers` in the page: the stage, and input for elements. */
function defineHelpers() {
  /** @param {number} count @param {(query: number, key: number) => number} weight before rows are made to sum to 1 */
  const causal = (count, weight) => {
    const data = new Float32Array(count * count);
    for (let query = 0; query < count; query++) {
      const row = data.subarray(query * count, query * count + query + 1);
      row.forEach((_, key) => { row[key] = weight(query, key); });
      const sum = row.reduce((a, b) => a + b);
      row.forEach((value, key) => { row[key] = value / sum; });
    }
    return { data, queries: count, keys: count, firstQuery: 0 };
  };
  /** Rows of every head, each with its own pattern. */
  const rowsOf = (/** @type {number} */ layers, /** @type {number} */ heads, /** @type {number} */ from,
    /** @type {number} */ queries) => {
    const keys = from + queries;
    const data = new Float32Array(layers * heads * queries * keys);
    for (let at = 0; at < layers * heads; at++) {
      for (let i = 0; i < queries; i++) {
        const seen = from + i + 1;
        for (let key = 0; key < seen; key++) {
          data[(at * queries + i) * keys + key] = 2 * ((at + i + 3 * key) % 7 + 1) / (8 * seen);
        }
      }
    }
    return { data, layers, heads, queries, keys, firstQuery: from };
  };
  const tokensOf = (/** @type {number} */ count) => Array.from({ length: count }, (_, i) => ` t${i}`);
  /** A logit lens of two candidates. The text of the first is its layer and position. */
  const lensOf = (/** @type {number} */ layers, /** @type {number} */ positions) => ({
    data: Float32Array.from({ length: layers * positions * 2 }, (_, i) => Math.log(i % 2 ? 0.25 : 0.5)),
    axes: { layer: Array.from({ length: layers }, (_, i) => i - 1), position: tokensOf(positions), rank: [0, 1] },
    texts: Array.from({ length: layers * positions * 2 }, (_, i) =>
      (i % 2 ? 'other' : `${Math.floor(i / 2 / positions)}.${Math.floor(i / 2) % positions}`)),
  });
  /** A logit of one layer with two heads. */
  const partsOf = () => ({ data: Float32Array.of(0.5, 3, -1), axes: { component: ['embed', '0_attn_out', '0_mlp_out'] },
    value: 2.5, heads: { data: Float32Array.of(2.5, 0.5), axes: { layer: [0], head: [0, 1] } }, token: ' sat',
    after: { token: ' cat', at: 1 } });
  /** Two neurons on a text of two tokens; the second is cut. */
  const neuronsOf = () => ({ layer: 3, data: Float32Array.of(1.25, -0.5), axes: { neuron: [120, 7] },
    activations: Float32Array.of(0, 2, -1, 0.5), tokens: ['The', ' cat'], raised: ['a', 'b', 'c', 'd'],
    lowered: ['e', 'f', 'g', 'h'], token: ' sat', after: { token: ' cat', at: 1 }, cut: [7] });
  /** Effects of a patch: two sites, one layer, two tokens. */
  const heatOf = () => ({ data: Float32Array.of(0, 0.5, -0.25, 1),
    axes: { site: ['resid_pre', 'attn_out'], layer: [3], position: ['The', ' cat'] }, firstPosition: 4 });
  /** The embedding and one layer on a text of two tokens. */
  const residualOf = () => ({ data: Float32Array.of(1, 2, 3, 4, 0, 0, 1, 2, 0, 0, 0.5, -0.5, 0, 0, 2, 3, 0, 0, 0, 0.25),
    axes: { quantity: ['stream', 'attention', 'attentionCosine', 'mlp', 'mlpCosine'], layer: [-1, 0],
      position: ['The', ' cat'] } });
  /** Losses of 0, 2 and ln 2 nats, and of 0, 1 and ln 2 before. */
  const lossOf = () => ({ tokens: ['The', ' cat', ' sat', '\n'], logprobs: Float32Array.of(0, -2, -Math.LN2),
    before: Float32Array.of(0, -1, -Math.LN2) });
  /** Shares of three tokens in a metric. */
  const sharesOf = () => ({ data: Float32Array.of(-0.5, 2, 0), axes: { position: ['The', ' house', '\n'] },
    value: -0.25, baselineValue: -1.75, metric: 'log-probability of ‘Haus’ (2)' });
  /** Scores of two heads; the last score applies to no query. */
  const scoresOf = () => ({ data: Float32Array.of(0.43, 0.1, 0.05, 0.6, NaN, NaN),
    axes: { score: ['previous', 'first', 'induction'], layer: [4], head: [0, 1] },
    uniform: Float32Array.of(0.09, 0.09, NaN) });
  const stage = document.getElementById('stage');
  Object.assign(globalThis, { helpers: { stage, causal, heatOf, lensOf, lossOf, neuronsOf, partsOf, residualOf, rowsOf,
    scoresOf, sharesOf, tokensOf } });
}
