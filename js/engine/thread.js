/** One of the threads that share a model's memory: an instance of the same module, waiting for its part of the work. */
import { posted } from '../errors.js';
import { openPort } from './port.js';

/**
 * @typedef {object} Post
 * @property {WebAssembly.Module} module
 * @property {WebAssembly.Memory} memory
 * @property {number} stackTop  of this thread's own stack, which grows down
 * @property {number} tls       where this thread's own variables are
 * @property {number} pool
 * @property {number} part      1 .. threads - 1
 */

openPort().then((port) => {
  port.listen(async (/** @type {Post} */ { module, memory, stackTop, tls, pool, part }) => {
    /** @type {Record<string, any>} */ let e;
    try {
      e = (await WebAssembly.instantiate(module, { env: { memory } })).exports;
      e.__stack_pointer.value = stackTop;
      e.__wasm_init_tls(tls);
    } catch (error) { // an unhandled rejection in a worker reaches no browser's page
      return port.post({ error: posted(/** @type {Error} */ (error)) });
    }
    port.post({ ready: true });
    e.heed_pool_work(pool, part); // until the pool is closed
  });
});
