/** Kept models in browsers: the private file system or the Cache API, cut downloads, and loads without the server. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { BROWSERS, plainServer } from '../support/browsers.js';
import { startHub } from '../support/hub.js';
import { ROOT } from '../support/installed.js';
import { tinyGguf } from '../support/tiny-gguf.js';

const TINY = await tinyGguf();
const HALF = TINY.length >> 1;

for (const [name, openBrowser] of Object.entries(BROWSERS)) {
  describe(`kept models in ${name}`, { timeout: 300_000 }, () => {
    /** @type {import('../support/browsers.js').Opened} */ let browser;
    /** @type {Awaited<ReturnType<typeof plainServer>>} */ let server;
    /** @type {Awaited<ReturnType<typeof startHub>>} */ let hub;
    before(async () => {
      hub = await startHub({ 'tiny.gguf': TINY });
      const page = '<!doctype html><title>A page</title><link rel="icon" href="data:,">';
      server = await plainServer({ root: ROOT, below: '/', extra: {
        '/page.html': (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page),
      } });
      browser = await openBrowser({ width: 600, height: 400 });
      await browser.page.goto(`${server.url}page.html`);
    });
    after(async () => {
      await browser?.close();
      await Promise.all([server, hub].map((each) => each?.close()));
    });

    /** Loads in the page; the result is its info, or its error. @param {string} address @param {object} options
     *  @param {number} [stopAt]  bytes after which the load is aborted */
    const load = (address, options, stopAt = 0) => browser.page.evaluate(async ({ address, options, stopAt }) => {
      const { load } = await import(/** @type {any} */ ('/dist/heed.js'));
      const stop = new AbortController();
      const onProgress = (/** @type {any} */ { phase, loadedBytes }) =>
        phase === 'download' && loadedBytes === stopAt && stop.abort();
      try {
        const model = await load(address, { ...options, signal: stop.signal, onProgress });
        model.dispose();
        return { file: model.info.file, parameters: model.info.parameters, kept: model.info.kept };
      } catch (error) {
        const { code, message } = /** @type {any} */ (error);
        return { code, message };
      }
    }, { address, options, stopAt });
    const listed = () => browser.page.evaluate(async () => {
      const { kept } = await import(/** @type {any} */ ('/dist/heed.js'));
      const models = (await kept()).map((/** @type {any} */ { name, bytes, complete }) => ({ name, bytes, complete }));
      return { models, bytes: await kept.bytes() };
    });

    test('a cut download continues, is kept and listed, opens without its server, and is deleted', async () => {
      const address = `${hub.url}/tiny.gguf`;
      hub.put('tiny.gguf', TINY, { cut: HALF, stall: true });
      assert.equal((await load(address, { keep: true }, HALF)).code, 'aborted');
      assert.deepEqual((await listed()).models, [{ name: address, bytes: HALF, complete: false }]);
      const first = await load(address, { keep: true });
      assert.deepEqual([first.file, first.kept?.kept], ['tiny.gguf', true], first.message);
      assert.deepEqual(hub.requests.map(({ range }) => range), [undefined, `bytes=${HALF}-`]);
      await hub.close();
      assert.deepEqual((await load(address, { offline: true })).parameters, first.parameters);
      assert.match((await load(address, { offline: true, worker: false })).kept?.why ?? '', /without a request/);
      const other = await load(`${hub.url}/other.gguf`, { offline: true });
      assert.match(`${other.code} ${other.message}`,
        /^unavailable ‘http.*other\.gguf’ is not kept in this browser.*Kept are/);
      assert.deepEqual(await listed(),
        { models: [{ name: address, bytes: TINY.length, complete: true }], bytes: TINY.length });
      assert.equal(await browser.page.evaluate(async (name) =>
        (await import(/** @type {any} */ ('/dist/heed.js'))).kept.delete(name), address), true);
      assert.deepEqual(await listed(), { models: [], bytes: 0 });
      hub = await startHub({ 'tiny.gguf': TINY });
    });

    test('both kinds of storage keep pieces and notes', async () => {
      const found = await browser.page.evaluate(async () => {
        const { OpfsBlobs, CacheBlobs } = await import(/** @type {any} */ ('/js/files/keep/blob-stores.js'));
        const { PieceStore } = await import(/** @type {any} */ ('/js/files/keep/pieces.js'));
        const results = [];
        for (const open of [OpfsBlobs.open, CacheBlobs.open]) {
          const blobs = await open().catch(() => null);
          if (!blobs) continue;
          const store = new PieceStore(blobs);
          const place = { key: 'ab', name: 'a.bin' };
          for (const part of [[1, 2, 3], [4], []]) {
            const writer = await store.append(place);
            await writer.write(Uint8Array.from(part));
            await writer.close();
          }
          await store.setNote(place, 'whole', { bytes: 4 });
          const file = await store.open(place);
          const keys = await store.keys();
          const length = await store.length(place);
          const bytes = [...new Uint8Array(await file.arrayBuffer())];
          const note = await store.note('ab', 'whole');
          const free = await store.free();
          await store.remove('ab');
          results.push({ keys, length, bytes, name: file.name, note, isFree: free === null || free > 0,
            after: [await store.keys(), await store.length(place), await store.note('ab', 'whole')] });
        }
        return results;
      });
      assert.ok(found.length > 0);
      for (const result of found) {
        assert.deepEqual(result, { keys: ['ab'], length: 4, bytes: [1, 2, 3, 4], name: 'a.bin', note: { bytes: 4 },
          isFree: true, after: [[], 0, null] });
      }
    });

    test('the token goes to the hub, and not to the host of a redirect', async () => {
      const elsewhere = await startHub({ 'tiny.gguf': TINY });
      try {
        const moved = elsewhere.url.replace('127.0.0.1', 'localhost');
        hub.put('me/moved/tiny.gguf', TINY, { token: 'hf_secret', redirect: `${moved}/tiny.gguf` });
        const file = await browser.page.evaluate(async (hub) => {
          const { load } = await import(/** @type {any} */ ('/dist/heed.js'));
          const model = await load('hf:me/moved/tiny.gguf', { hub, token: () => 'hf_secret' });
          model.dispose();
          return model.info.file;
        }, hub.url);
        assert.equal(file, 'tiny.gguf');
        assert.equal(hub.requests.at(-1)?.authorization, 'Bearer hf_secret');
        assert.deepEqual(elsewhere.requests.map(({ authorization }) => authorization), [undefined]);
      } finally {
        await elsewhere.close();
      }
    });

    test('no room: the model loads without keeping, and says why in one sentence', async () => {
      const address = `${hub.url}/tiny.gguf`;
      const said = await browser.page.evaluate(async (address) => {
        const { load, kept } = await import(/** @type {any} */ ('/dist/heed.js'));
        const { storage } = navigator;
        const estimate = async () => ({ quota: 1000, usage: 900 });
        const value = { getDirectory: () => storage.getDirectory(), estimate };
        Object.defineProperty(navigator, 'storage', { value, configurable: true });
        try {
          const model = await load(address, { keep: true });
          model.dispose();
          return { ...model.info.kept, models: await kept() };
        } finally {
          delete (/** @type {any} */ (navigator).storage);
        }
      }, address);
      assert.equal(said.kept, false);
      assert.match(said.why, /^‘tiny\.gguf’ is not kept, because it needs \d+ kB more, and 1 kB are free in this brow/);
      assert.deepEqual(said.models, []);
    });
  });
}
