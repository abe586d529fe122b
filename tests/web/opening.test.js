/** The way to the first token: what the page does not wait for. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Generation } from '../../web/page/generation.js';
import { BROWSERS } from '../support/browsers.js';
import { openSite } from '../support/site.js';

/** A model that answers `tokens` when the test allows it, and lists its calls. */
function slowModel() {
  /** @type {string[]} */
  const calls = [];
  /** @type {PromiseWithResolvers<void>} */
  const named = /** @type {any} */ ({});
  named.promise = new Promise((resolve) => (named.resolve = resolve));
  const model = {
    info: { contextLength: 8, vocabulary: 4, tokenizer: 'bpe', maps: false },
    ids: Int32Array.of(),
    position: 8,
    encode: async (/** @type {string} */ prompt) => {
      calls.push(`encode ${prompt}`);
      return Int32Array.of(1, 2);
    },
    tokens: async (/** @type {number[]} */ ids) => {
      calls.push('tokens');
      await named.promise;
      return ids.map((id) => ` ${id}`);
    },
    async* generate() {
      calls.push('generate');
      yield { id: 3, text: ' 3', logprob: -1, top: [{ id: 3, text: ' 3', logprob: -1 }] };
      return { reason: 'length', decodeMs: 1 };
    },
  };
  return { model: /** @type {any} */ (model), calls, named };
}

describe('the text of the page', () => {
  before(() => Object.assign(globalThis, { requestAnimationFrame: () => 0 }));
  after(() => Reflect.deleteProperty(globalThis, 'requestAnimationFrame'));
  const settings = { temperature: 0, topK: 0, topP: 1, seed: 1 };
  const nothing = async () => {};

  test('the model reads a prompt before the page has its tokens, which it shows first', async () => {
    const { model, calls, named } = slowModel();
    /** @type {string[]} */
    const shown = [];
    const show = () => shown.push(generation.tokens.join(''));
    const generation = new Generation(model, { onReading: () => {}, onRead: nothing, onEdited: nothing,
      onRunning: () => {}, onCut: show, onTokens: show });
    const run = generation.begin('a', 1, settings);
    await new Promise((resolve) => setTimeout(resolve));
    assert.deepEqual(calls, ['encode a', 'tokens', 'generate']);
    assert.deepEqual(shown, []);
    named.resolve();
    await run;
    assert.deepEqual(shown, [' 1 2', ' 1 2 3']);
  });

  test('an expected prompt is encoded at once, and only once', async () => {
    const { model, calls, named } = slowModel();
    named.resolve();
    const generation = new Generation(model, { onReading: () => {}, onRead: nothing, onEdited: nothing,
      onRunning: () => {}, onCut: () => {}, onTokens: () => {} });
    generation.expect('a');
    assert.deepEqual(calls, ['encode a']);
    await generation.begin('a', 1, settings);
    await generation.begin('b', 1, settings);
    assert.deepEqual(calls.filter((call) => call.startsWith('encode')), ['encode a', 'encode b']);
  });
});

/** Numbers the task of each definition of an element, and counts the uses of the storage. Runs before the scripts of
 *  the page. */
function watch() {
  const { get } = /** @type {{ get: () => Storage }} */ (Object.getOwnPropertyDescriptor(globalThis, 'localStorage'));
  Object.assign(globalThis, { uses: 0 });
  Object.defineProperty(globalThis, 'localStorage', { get() {
    /** @type {any} */ (globalThis).uses++;
    return get.call(globalThis);
  } });
  let task = 0;
  /** @type {[string, number][]} */
  const defined = [];
  Object.assign(globalThis, { defined });
  const { define } = CustomElementRegistry.prototype;
  CustomElementRegistry.prototype.define = function (name, ...rest) {
    defined.push([name, task]);
    setTimeout(() => task++);
    define.call(this, name, ...rest);
  };
}

for (const [name, openBrowser] of Object.entries(BROWSERS).filter(([each]) => each !== 'webkit')) {
  describe(`the opening in ${name}`, { timeout: 300_000 }, () => {
    /** @type {import('../support/site.js').Site} */ let site;
    before(async () => {
      site = await openSite(openBrowser);
    });
    after(() => site?.close());

    test('the thread of the page takes other tasks between two elements', async () => {
      const page = /** @type {any} */ (site.page);
      await (page.addInitScript ?? page.evaluateOnNewDocument).call(page, watch);
      await page.goto(site.server.url);
      await site.until(() => /per second/.test(document.getElementById('status')?.textContent ?? ''));
      const defined = await page.evaluate(() => /** @type {any} */ (globalThis).defined);
      assert.deepEqual(defined.map(([tag]) => tag),
        ['heed-attention-map', 'heed-head-grid', 'heed-next-token', 'heed-token-strip']);
      assert.deepEqual(defined.map(([, task]) => task), [0, 1, 2, 3]);
    });

    test('the choice to keep models is read when the panel opens, because the storage blocks the thread', async () => {
      const uses = () => site.page.evaluate(() => /** @type {any} */ (globalThis).uses);
      assert.equal(await uses(), 0);
      await site.page.evaluate(() => {
        localStorage.setItem('heed keeps models', 'yes');
        /** @type {HTMLDetailsElement} */ (document.getElementById('open')).open = true;
      });
      await site.until(() => /** @type {HTMLInputElement} */ (document.getElementById('keep')).checked);
      assert.equal(await uses(), 2);
    });
  });
}
