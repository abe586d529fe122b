/** Figures that share one model: their runs take turns, because a run would end the generation of another figure. */
export class Turns {
  #last = Promise.resolve();

  /**
   * A figure that runs in turn with the other figures.  A call that still waits is skipped when a later call of
   * the same figure arrives.
   * @template {unknown[]} A
   * @param {(...args: A) => Promise<void>} run computes and draws the figure
   * @returns {(...args: A) => Promise<void>} resolves when the figure is drawn, or the call is skipped
   */
  figure(run) {
    let newest = 0;
    return (...args) => {
      const mine = ++newest;
      const done = this.#last.then(() => (mine === newest ? run(...args) : undefined));
      this.#last = done.catch(() => {}); // the caller handles the error
      return done;
    };
  }
}
