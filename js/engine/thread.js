/** A thread of the engine: another instance of the module on the same memory, which waits for work of the pool. */
import { posted } from '../errors.js';
import { openPort } from './port.js';

/**
 * @typedef {object} Start
 * @property {WebAssembly.Module} module
 * @property {WebAssembly.Memory} memory
 * @property {number} stackTop  upper end of this thread's stack, which grows down
 * @property {number} tls       address of this thread's thread-local variables
 * @property {number} pool      address of the thread pool
 * @property {number} part      index of this thread in the pool, 1 to threads - 1
 */

openPort().then((port) => {
  port.listen(async (/** @type {Start} */ { module, memory, stackTop, tls, pool, part }) => {
    /** @type {Record<string, any>} */ let e;
    try {
      e = (await WebAssembly.instantiate(module, { env: { memory } })).exports;
      e.__stack_pointer.value = stackTop;
      e.__wasm_init_tls(tls);
    } catch (error) { // browsers do not report an unhandled rejection in a worker to the page
      return port.post({ error: posted(/** @type {Error} */ (error)) });
    }
    port.post({ ready: true });
    try {
      e.heed_pool_work(pool, part); // returns when the pool is closed
    } catch (error) {
      e.__stack_pointer.value = stackTop; // the trap did not restore it
      e.heed_pool_close(pool); // else the caller would wait for this thread
      throw error;
    }
  });
});
