/** When the page shows what the model has done: by frames instead of tokens, with most of the processor left to it. */

/** Rest after each showing, in times of what it took: on one core the page takes a sixth of the time. */
const REST = 5;
/** The longest time from one showing to the next, so that the text moves on slow machines too. */
const MOST_MS = 250;

export class RenderPacer {
  #show;
  #least;
  #pending = false;
  /** No showing begins before this time. */
  #next = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {() => void} show shows everything that is new
   * @param {number} least ms from one showing to the next
   */
  constructor(show, least) {
    this.#show = show;
    this.#least = least;
  }

  /** Rests as after a showing: something else was drawn. */
  rest() {
    this.#next = performance.now() + this.#least;
  }

  /** There is something new to show. */
  request() {
    this.#pending = true;
    this.#timer ||= setTimeout(() => this.flush(), Math.max(0, this.#next - performance.now()));
  }

  /** Shows at once what is new. */
  flush() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#pending) return;
    this.#pending = false;
    const began = performance.now();
    this.#next = began + MOST_MS; // pages in the background draw no frame
    // Asked for before the elements ask for theirs, so that this callback is the first of the frame.
    requestAnimationFrame(() => this.#weigh(began, shown));
    this.#show();
    const shown = performance.now() - began;
  }

  /**
   * Rests in proportion to what was shown and to the frame that draws it.
   * @param {number} began
   * @param {number} shown ms
   */
  #weigh(began, shown) {
    const frame = performance.now();
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      const now = performance.now();
      this.#next = Math.max(began + this.#least, Math.min(began + MOST_MS, now + REST * (shown + now - frame)));
    };
    port2.postMessage(null);
  }
}
