/** Random and odd, so that a malicious file cannot contain pairs that all collide. */
const SEED = (Math.floor(Math.random() * 2 ** 32) | 1) >>> 0;
/** Multiplier of Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4): 2³² times the golden ratio. */
const GOLDEN = 0x9e3779b1;

/**
 * Ranks of pairs of ids.  It is a hash table with linear probing over numbers (Knuth, 6.4, algorithm L).  A Map with
 * strings as keys takes most of the time to load a vocabulary with half a million merges.
 *
 * A slot contains a rank plus one.  0 is a free slot; at least half of the slots are free.
 */
export class PairRanks {
  #slots;
  #shift;
  #pairs;

  /** @param {number} count  number of ranks */
  constructor(count) {
    const bits = Math.ceil(Math.log2(2 * count + 2));
    this.#slots = new Int32Array(2 ** bits);
    this.#shift = 32 - bits;
    this.#pairs = new Int32Array(2 * count); // [rank][left, right]
  }

  /** Stores the rank of a pair; of equal pairs, the last counts.
   *  @param {number} left @param {number} right  ids @param {number} rank  0 to count − 1, each once */
  set(left, right, rank) {
    this.#slots[this.#slotOf(left, right)] = rank + 1;
    this.#pairs[2 * rank] = left;
    this.#pairs[2 * rank + 1] = right;
  }

  /** @param {number} left @param {number} right  ids @returns {number | undefined} rank of the pair */
  get(left, right) {
    const rank = this.#slots[this.#slotOf(left, right)] - 1;
    return rank < 0 ? undefined : rank;
  }

  /** The slot of a pair, or the free slot for it. @param {number} left @param {number} right */
  #slotOf(left, right) {
    const last = this.#slots.length - 1;
    for (let slot = Math.imul(Math.imul(left, SEED) ^ right, GOLDEN) >>> this.#shift; ; slot = (slot + 1) & last) {
      const rank = this.#slots[slot] - 1;
      if (rank < 0 || (this.#pairs[2 * rank] === left && this.#pairs[2 * rank + 1] === right)) return slot;
    }
  }
}
