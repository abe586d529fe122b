/** The runs of a model, one at a time: a new run aborts the previous run, and borrowers wait for runs. */

/** @typedef {import('../../js/index.js').Model} Model */

/** The abort reason of a borrower that another borrower replaces: the text does not run again in between. */
export const SUPERSEDED = new DOMException('Another run replaces this run.', 'AbortError');

/** @abstract */
export class Runs {
  /** @type {Model} @protected */
  model;
  #onRunning;
  /** @type {AbortController | null} */
  #abort = null;
  /** @type {Promise<unknown>} */
  #running = Promise.resolve();
  /** The last call of `lookUp` or `borrow`. @type {Promise<unknown>} */
  #lookingUp = Promise.resolve();
  /** Ends borrowing when a run begins. */
  #borrowing = new AbortController();
  /** True if the session may hold an edited run, so that the text must be read again. @protected */
  isEdited = false;

  /**
   * @param {Model} model
   * @param {(running: boolean) => void} onRunning
   */
  constructor(model, onRunning) {
    this.model = model;
    this.#onRunning = onRunning;
  }

  /** True while the model runs. */
  get running() {
    return this.#abort !== null;
  }

  /** Aborts the current run. */
  stop() {
    this.#abort?.abort();
  }

  /** Aborts the current run and borrowers, and waits for their end. */
  async settle() {
    this.stop();
    this.#borrowing.abort();
    await this.#running;
  }

  /** Resolves when the model holds the whole text. During `lookUp` and `borrow` it does not. */
  async idle() {
    for (let last; last !== this.#lookingUp;) {
      last = this.#lookingUp;
      await last;
    }
  }

  /**
   * Lends the model, for example to an analysis. Waits for the current run and for borrowers before. Afterwards the
   * model runs the text again, with its edits. The result does not wait for this run, unless `refresh` is set.
   * @template T
   * @param {(model: Model, signal: AbortSignal) => Promise<T>} work the signal aborts when another run begins
   * @param {{ signal?: AbortSignal, refresh?: boolean, reads?: boolean }} [options] signal: aborts the work.
   *   refresh: shows the maps of the model afterwards, because the work has changed `edits`; default false.
   *   reads: the work only reads the session, so the text is not run again; default false
   * @returns {Promise<T>}
   */
  borrow(work, { signal, refresh = false, reads = false } = {}) {
    const begins = this.#borrowing.signal;
    const either = signal ? AbortSignal.any([signal, begins]) : begins;
    let began = false;
    const worked = this.#running.then(() => {
      either.throwIfAborted();
      began = true;
      if (!reads) this.isEdited = true;
      return work(this.model, either);
    });
    const restored = worked.catch(() => {}).then(async () => {
      const leaves = reads || begins.aborted || signal?.reason === SUPERSEDED;
      if (began && !leaves) await this.restore(begins, refresh);
    });
    this.#lookingUp = this.#running = restored.catch(() => {});
    return refresh ? restored.then(() => worked) : worked;
  }

  /** Runs the text again. @param {AbortSignal} signal @param {boolean} refresh shows the maps afterwards
   *  @returns {Promise<void>} @abstract @protected */
  async restore(signal, refresh) { // eslint-disable-line no-unused-vars
    throw new Error('restore() is abstract.');
  }

  /**
   * Reads the model after the current run.
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   * @protected
   */
  lookUp(work) {
    const looking = this.#running.then(work);
    this.#lookingUp = this.#running = looking.catch(() => {});
    return looking;
  }

  /**
   * Runs one task at a time: a new task aborts the previous task, which does not begin if it has not begun.
   * After an error, the model runs the text again if a borrower may have left another run in the session.
   * @template T
   * @param {(signal: AbortSignal) => Promise<T>} work
   * @returns {Promise<T>}
   * @protected
   */
  async runTask(work) {
    this.stop();
    this.#borrowing.abort();
    this.#borrowing = new AbortController();
    const abort = this.#abort = new AbortController();
    const before = this.#running;
    const run = (async () => {
      await before;
      try {
        abort.signal.throwIfAborted();
        this.#onRunning(true);
        return await work(abort.signal);
      } catch (error) {
        if (this.#abort === abort && this.isEdited) await this.restore(this.#borrowing.signal, false).catch(() => {});
        throw error;
      } finally {
        if (this.#abort === abort) {
          this.#abort = null;
          this.#onRunning(false);
        }
      }
    })();
    this.#running = run.catch(() => {});
    return run;
  }
}
