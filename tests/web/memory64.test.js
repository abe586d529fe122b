/** 64-bit memory in browsers: the same text as in 32-bit memory, or the sentence that says what is missing. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { BROWSERS, plainServer } from '../support/browsers.js';
import { ROOT } from '../support/installed.js';
import { uint32 } from '../../js/files/gguf/writer.js';
import { tinyGguf } from '../support/tiny-gguf.js';

/** Positions of a session of over 4 GB. */
const POSITIONS = 2 ** 22;
const TINY = await tinyGguf({ layers: 8, metadata: { 'llama.context_length': uint32(POSITIONS) } });
const MISSING = /this WebAssembly engine has no 64-bit memory \(Chrome and Edge 133, Firefox 134 and Node/;

for (const [name, openBrowser] of Object.entries(BROWSERS)) {
  describe(`64-bit memory in ${name}`, { timeout: 300_000 }, () => {
    /** @type {import('../support/browsers.js').Opened} */ let browser;
    /** @type {Awaited<ReturnType<typeof plainServer>>} */ let server;
    before(async () => {
      const page = '<!doctype html><title>A page</title><link rel="icon" href="data:,">';
      server = await plainServer({ root: ROOT, below: '/', extra: {
        '/page.html': (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page),
        '/tiny.gguf': (_, response) => response.writeHead(200).end(TINY),
      } });
      browser = await openBrowser({ width: 600, height: 400 });
      await browser.page.goto(`${server.url}page.html`);
    });
    after(async () => {
      await browser?.close();
      await server?.close();
    });

    /** The ids after [1, 5, 6], or the error.
     *  @param {string} model @param {object} options @param {string} [library] */
    const run = (model, options, library = 'heed.js') => browser.page.evaluate(async ({ model, options, library }) => {
      const { load } = await import(/** @type {any} */ (`/dist/${library}`));
      try {
        const loaded = await load(model, options);
        const ids = [];
        for await (const { id } of loaded.generate([1, 5, 6], { maxTokens: 6, temperature: 0 })) ids.push(id);
        loaded.dispose();
        return { ids, memory64: loaded.info.engine.memory64, bytes: loaded.info.sessionBytes };
      } catch (error) {
        const { code, message } = /** @type {any} */ (error);
        return { code, message };
      }
    }, { model, options, library });

    for (const worker of [true, false]) {
      test(`memory64: true gives the same text, or says that it is missing, worker: ${worker}`, async () => {
        const wide = await run('/models/stories.gguf', { memory64: true, worker });
        if (name === 'webkit') {
          assert.equal(wide.code, 'unsupported');
          return assert.match(wide.message, MISSING);
        }
        assert.equal(wide.memory64, true, wide.message);
        const narrow = await run('/models/stories.gguf', { worker });
        assert.equal(narrow.memory64, false);
        assert.deepEqual(wide.ids, narrow.ids);
      });
    }

    test('a session of more than 4 GB takes 64-bit memory, or is refused', async () => {
      const { ids, memory64, bytes, code, message } = await run('/tiny.gguf', { contextLength: POSITIONS });
      if (name === 'webkit') {
        assert.equal(code, 'too-large');
        return assert.match(message, MISSING);
      }
      assert.ok(memory64 && bytes > 2 ** 32, message);
      assert.deepEqual(ids, (await run('/tiny.gguf', { contextLength: 16 })).ids);
    });

    test('the single module says that it has no 64-bit memory', async () => {
      const { code, message } = await run('/models/stories.gguf', { memory64: true }, 'heed.single.js');
      assert.equal(code, 'unsupported', message);
      assert.match(message, /heed\.single\.js has no 64-bit memory, and heed\.js has it/);
    });
  });
}
