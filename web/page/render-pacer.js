/** Limits how often the page renders new tokens, so that most processor time is left to the model. */

/** Pause after rendering, as a multiple of its duration: on one core, the page uses a sixth of the time. */
const PAUSE_FACTOR = 5;
/** Most milliseconds between two renderings, so that the text also advances on slow machines. */
const MAX_MS = 250;

export class RenderPacer {
  #render;
  #minMs;
  #pending = false;
  /** Earliest time of the next rendering. */
  #next = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {() => void} render renders everything that is new
   * @param {number} minMs least milliseconds between two renderings
   */
  constructor(render, minMs) {
    this.#render = render;
    this.#minMs = minMs;
  }

  /** Requests a rendering. */
  request() {
    this.#pending = true;
    this.#timer ||= setTimeout(() => this.flush(), Math.max(0, this.#next - performance.now()));
  }

  /** Renders now if a rendering was requested. */
  flush() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#pending) return;
    this.#pending = false;
    const began = performance.now();
    this.#next = began + MAX_MS; // background pages draw no frames
    // Requested before the elements request theirs, so that this callback runs first in the frame.
    requestAnimationFrame(() => this.#measureFrame(began, renderMs));
    this.#render();
    const renderMs = performance.now() - began;
  }

  /**
   * Pauses in proportion to the rendering and the frame that draws it.
   * @param {number} began
   * @param {number} renderMs
   */
  #measureFrame(began, renderMs) {
    const frame = performance.now();
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      const now = performance.now();
      this.#next = Math.max(began + this.#minMs,
        Math.min(began + MAX_MS, now + PAUSE_FACTOR * (renderMs + now - frame)));
    };
    port2.postMessage(null);
  }
}
