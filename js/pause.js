/** The longest that the engine keeps its thread without letting messages and timers through. */
const SLICE_MS = 16;

/** @type {() => Promise<void>} */
const turn =
  typeof setImmediate === 'function'
    ? () => new Promise((resolve) => setImmediate(resolve))
    : () =>
        new Promise((resolve) => {
          // setTimeout would wait four milliseconds after a few calls; a message does not.
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => {
            port1.close();
            resolve();
          };
          port2.postMessage(null);
        });

/** Lets others have the thread when a slice is over. */
export class Pacer {
  #since = performance.now();

  /** Whether a slice is over. */
  get isDue() {
    return performance.now() - this.#since >= SLICE_MS;
  }

  async pause() {
    if (!this.isDue) return;
    await turn();
    this.#since = performance.now();
  }
}
