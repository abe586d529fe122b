/** Longest work between other tasks of the page, in milliseconds: one frame. */
const SLICE_MS = 16;

/** Divides long work into slices, so that it does not block the page. */
export class Slices {
  #end = performance.now() + SLICE_MS;

  /** Whether the slice is over. */
  get isOver() {
    return performance.now() >= this.#end;
  }

  /** Lets other tasks run, then begins the next slice. */
  async next() {
    await new Promise((resolve) => setTimeout(resolve));
    this.#end = performance.now() + SLICE_MS;
  }
}
