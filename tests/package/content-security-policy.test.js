/** Pages with a Content-Security-Policy: the browser build and the single module run, or their error names the rule. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { BROWSERS, plainServer } from '../support/browsers.js';
import { ROOT } from '../support/installed.js';
import { resultOf } from '../support/until.js';

const STRICT = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";
/** Bytes of the smallest page, compressed, with its one binary. */
const SMALLEST_BYTES = 130_000;
const SHARED_BYTES = 10_000;

/** Script of a page that loads the model and generates. @param {string} module @param {string} options of load */
const script = (module, options) => `
  import { load } from '/dist/${module}';
  load('/models/stories.gguf', ${options}).then(async (model) => {
    const ids = [];
    for await (const { id } of model.generate('Once upon a time', { maxTokens: 4, temperature: 0 })) ids.push(id);
    globalThis.result = { ids };
  }).catch(({ name, code, message }) => { globalThis.result = { name, code, message }; });`;

for (const [browserName, openBrowser] of Object.entries(BROWSERS)) {
  describe(`policies in ${browserName}`, { timeout: 300_000 }, () => {
    /** @type {import('../support/browsers.js').Opened} */ let browser;
    /** Paths that the last page and its Workers requested. @type {string[]} */ let asked = [];
    before(async () => { browser = await openBrowser({ width: 600, height: 400 }); });
    after(() => browser?.close());

    /** @param {string} policy @param {string} module @param {string} [options]
     *  @returns {Promise<{ ids?: number[], name?: string, code?: string, message?: string }>} */
    async function run(policy, module, options = '{}') {
      const headers = { 'content-security-policy': policy };
      const server = await plainServer({ root: ROOT, below: '/', headers, extra: {
        '/page.html': (_, response) => response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(
          `<!doctype html><title>A page</title><link rel="icon" href="data:,">
            <script type="module" src="page.js"></script>`),
        '/page.js': (_, response) => response.writeHead(200, { 'content-type': 'text/javascript', ...headers })
          .end(script(module, options)),
      } });
      try {
        asked = server.asked;
        return await resultOf(browser, new URL('page.html', server.url).href);
      } finally {
        await server.close();
      }
    }

    const fetched = () => asked.filter((path) => path.startsWith('/dist/'));

    test('the strictest policy in README.md suffices, and the page stays small', async () => {
      assert.equal((await run(STRICT, 'heed.js')).ids?.length, 4);
      const files = fetched();
      // The page and its worker both request the small shared chunks; the cache answers the second request.
      const large = files.filter((path) => readFileSync(join(ROOT, path)).length > SHARED_BYTES);
      assert.deepEqual(large, [...new Set(large)], 'no large file is fetched twice');
      assert.equal(files.filter((path) => path.endsWith('.wasm')).length, 1);
      // Without relaxed SIMD the page fetches the larger binary; the limit applies to the smaller binary.
      const sent = [...new Set(files)].map((path) => path.replace(/heed\.wasm$/, 'heed-relaxed.wasm'));
      const bytes = sent.map((path) => gzipSync(readFileSync(join(ROOT, path)), { level: 9 }).length)
        .reduce((sum, length) => sum + length, 0);
      assert.ok(bytes <= SMALLEST_BYTES, `${bytes} bytes: ${files.join(' ')}`);
    });

    test('the single module contains its worker and binary, and fetches nothing else', async () => {
      const policy = STRICT.replace("worker-src 'self'", 'worker-src blob:');
      assert.equal((await run(policy, 'heed.single.js')).ids?.length, 4);
      const files = fetched();
      assert.deepEqual(files, ['/dist/heed.single.js']);
    });

    test('the single module runs in the page’s thread if the policy forbids workers of blobs', async () => {
      assert.equal((await run(STRICT, 'heed.single.js', '{ worker: false }')).ids?.length, 4);
      const { name, code, message } = await run(STRICT, 'heed.single.js');
      assert.equal(`${name} ${code}`, 'HeedError unavailable', message);
    });

    for (const options of ['{ worker: false }', '{}']) {
      test(`the error of a policy without WebAssembly names the rule, options ${options}`, async () => {
        const { name, code, message } = await run(STRICT.replace(" 'wasm-unsafe-eval'", ''), 'heed.js', options);
        assert.equal(`${name} ${code}`, 'HeedError unavailable', message);
        assert.match(String(message), /Content-Security-Policy forbids WebAssembly: add ‘wasm-unsafe-eval’/);
      });
    }

    test('Trusted Types: the page’s thread runs, and a worker runs or rejects with a HeedError', async () => {
      const policy = `${STRICT}; require-trusted-types-for 'script'`;
      assert.equal((await run(policy, 'heed.js', '{ worker: false }')).ids?.length, 4);
      const { ids, name, code, message } = await run(policy, 'heed.js');
      if (ids) return assert.equal(ids.length, 4); // a browser without Trusted Types
      assert.equal(`${name} ${code}`, 'HeedError unavailable', message);
      assert.match(String(message), /Trusted Types/);
    });
  });
}
