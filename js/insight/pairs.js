/** Rows that are compared at once, so that each number of the other matrix is read once for all of them. */
export const ROWS = 4;

/** Rows of a matrix in the order of their norms, largest first. */
class Sorted {
  /** @param {Float32Array} data  [count][width] @param {number} width */
  constructor(data, width) {
    const count = data.length / width;
    const norms = Float64Array.from({ length: count }, (_, i) =>
      Math.sqrt(data.subarray(i * width, (i + 1) * width).reduce((sum, x) => sum + x * x, 0)));
    this.count = count;
    /** Their original indices. */
    this.order = Int32Array.from(norms, (_, i) => i).sort((a, b) => norms[b] - norms[a]);
    this.norms = Float64Array.from(this.order, (place) => norms[place]);
    /** The rows, with rows of zeros up to a multiple of ROWS.  JavaScript computes in float64 anyway. */
    this.data = new Float64Array(Math.ceil(count / ROWS) * ROWS * width);
    this.order.forEach((place, i) => this.data.set(data.subarray(place * width, (place + 1) * width), i * width));
  }
}

/** Bounds and dot products are rounded, so a bound must be smaller by this share to exclude a pair. */
const SLACK = 1e-6;

/**
 * The pairs of rows of two matrices with the largest dot products.  A dot product is at most the product of the norms
 * (Cauchy–Schwarz).  Rows come in the order of their norms, so the search ends before pairs that are too small.
 */
export class TopPairs {
  #left;
  #right;
  #width;
  #count = 0;

  /** @param {Float32Array} left  [rows][width] @param {Float32Array} right  [columns][width] @param {number} width
   *  @param {number} top  number of pairs, at most rows · columns */
  constructor(left, right, width, top) {
    this.#left = new Sorted(left, width);
    this.#right = new Sorted(right, width);
    this.#width = width;
    /** Dot products of the pairs, largest first. */
    this.values = new Float64Array(top);
    /** Rows of left and right of each pair, [top][2]. */
    this.places = new Int32Array(2 * top);
  }

  /**
   * Compares ROWS rows of the first matrix, in the order of norms, with the rows of the second.
   * @param {number} first
   * @returns {boolean} false if neither these nor later rows have further pairs
   */
  addRows(first) {
    if (first >= this.#left.count) return false;
    const width = this.#width;
    const columns = this.#columnsOf(this.#left.norms[first]);
    const right = this.#right.data;
    const rows = Array.from({ length: ROWS }, (_, i) =>
      this.#left.data.subarray((first + i) * width, (first + i + 1) * width));
    const [row0, row1, row2, row3] = rows;
    for (let column = 0; column < columns; column++) {
      let sum0 = 0;
      let sum1 = 0;
      let sum2 = 0;
      let sum3 = 0;
      for (let i = 0, at = column * width; i < width; i++, at++) {
        const x = right[at];
        sum0 += row0[i] * x;
        sum1 += row1[i] * x;
        sum2 += row2[i] * x;
        sum3 += row3[i] * x;
      }
      const least = this.#least;
      if (sum0 > least) this.#add(sum0, first, column);
      if (sum1 > least) this.#add(sum1, first + 1, column);
      if (sum2 > least) this.#add(sum2, first + 2, column);
      if (sum3 > least) this.#add(sum3, first + 3, column);
    }
    return columns > 0;
  }

  /** A pair must be larger than this. */
  get #least() {
    return this.#count < this.values.length ? -Infinity : this.values[this.values.length - 1];
  }

  /** Number of columns that can have a pair with a row of this norm, by bisection. @param {number} norm */
  #columnsOf(norm) {
    const least = this.#least;
    let from = 0;
    let to = this.#right.count;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (norm * this.#right.norms[middle] * (1 + SLACK) < least) to = middle;
      else from = middle + 1;
    }
    return from;
  }

  /** @param {number} value @param {number} row @param {number} column  in the order of norms */
  #add(value, row, column) {
    const { values, places } = this;
    if (row >= this.#left.count || !(value > this.#least)) return;
    let at = this.#count < values.length ? this.#count++ : values.length - 1;
    for (; at > 0 && value > values[at - 1]; at--) {
      values[at] = values[at - 1];
      places.copyWithin(2 * at, 2 * at - 2, 2 * at);
    }
    values[at] = value;
    places.set([this.#left.order[row], this.#right.order[column]], 2 * at);
  }
}
