/** Pauses of long computations, in which the thread handles messages and timers. */

/** Longest time that the engine blocks messages and timers of its thread: one frame. */
const SLICE_MS = 16;

/** @type {() => Promise<void>} */
const nextTask =
  typeof setImmediate === 'function'
    ? () => new Promise((resolve) => setImmediate(resolve))
    : () =>
        new Promise((resolve) => {
          // A message is faster than setTimeout, which waits 4 ms after a few nested calls.
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => {
            port1.close();
            resolve();
          };
          port2.postMessage(null);
        });

/** Yields the thread to other tasks at the end of each time slice. */
export class Pacer {
  #since = performance.now();

  /** Whether the time slice is over. */
  get isDue() {
    return performance.now() - this.#since >= SLICE_MS;
  }

  /** Yields if the time slice is over. */
  async pause() {
    if (!this.isDue) return;
    await nextTask();
    this.#since = performance.now();
  }
}
