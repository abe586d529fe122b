import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { BROWSERS, plainServer } from '../../tests/support/browsers.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Without these, pages cannot have threads. */
const HEADERS = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

/**
 * heed in a browser of the tests, a case at a time. The model runs in the Worker that a page takes by default.
 * @param {string} name 'chromium', 'firefox' or 'webkit'
 * @param {{ path: string, engine: string, threads: number, n_ctx: number }} argument  path: of the GGUF file
 * @param {(length: number) => number[]} promptOf
 */
export async function inBrowser(name, { path, ...options }, promptOf) {
  const { size } = await stat(path);
  const server = await plainServer({
    root: ROOT, below: '/', headers: HEADERS,
    extra: {
      '/': (_, response) => response.writeHead(200, { ...HEADERS, 'content-type': 'text/html' }).end('<!doctype html>'),
      '/model.gguf': (_, response) => {
        createReadStream(path).pipe(response.writeHead(200, { ...HEADERS, 'content-length': size }));
      },
    },
  });
  const browser = await BROWSERS[name]({ width: 400, height: 300 });
  await browser.page.goto(server.url);
  const kernels = await browser.page.evaluate(async (options) => {
    const heed = '/dist/heed.js';
    const peer = '/bench/peers/one-run.js'; // names that type checks do not resolve
    const { load } = await import(heed);
    const { oneRun } = await import(peer);
    const { model, one } = await oneRun(load, `${location.origin}/model.gguf`, options);
    Object.assign(window, { one });
    return model.info.engine.kernels;
  }, options);
  return {
    /** @param {{ prompt: number, decode: number }} question */
    async ask({ prompt, decode }) {
      const argument = { tokens: promptOf(prompt), decode };
      const times = await browser.page.evaluate(({ tokens, decode }) => /** @type {any} */ (window).one(tokens, decode),
        argument);
      return { ...times, kernels };
    },
    async end() {
      await browser.close();
      await server.close();
    },
  };
}
