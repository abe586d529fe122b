/** The bytes of all tokens, in an order that an automaton reads quickly. */

/** The tokens of a model as one block of bytes.
 *  @typedef {{ bytes: Uint8Array, ends: Uint32Array, eos: number[] }} TokenBytes */

/** Tokens with bytes, sorted by them, so that tokens with the same beginning are neighbors. */
export class Vocabulary {
  /** @param {TokenBytes} tokens */
  constructor({ bytes, ends, eos }) {
    this.size = ends.length;
    this.eos = eos;
    const starts = Uint32Array.from(ends, (_, id) => (id === 0 ? 0 : ends[id - 1]));
    const spelled = Array.from(ends, (end, id) => bytes.subarray(starts[id], end));
    /** Bytes of each token. @type {Uint8Array[]} */
    this.spelled = spelled;
    /** Ids of tokens that have bytes. */
    this.order = Uint32Array.from(spelled.keys()).filter((id) => spelled[id].length > 0)
      .sort((a, b) => compare(spelled[a], spelled[b]));
    /** Number of bytes that each token of `order` shares with the one before. */
    this.shared = this.order.map((id, i) => (i === 0 ? 0 : sharedLength(spelled[this.order[i - 1]], spelled[id])));
  }
}

/** @param {Uint8Array} a @param {Uint8Array} b */
function sharedLength(a, b) {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n++;
  return n;
}

/** @param {Uint8Array} a @param {Uint8Array} b */
function compare(a, b) {
  const n = sharedLength(a, b);
  return n === a.length || n === b.length ? a.length - b.length : a[n] - b[n];
}
