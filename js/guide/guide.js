/** Which tokens can come next: a mask over the vocabulary from an automaton over bytes, and a bias of logits. */

/** @typedef {import('./vocabulary.js').Vocabulary} Vocabulary */
/** @typedef {import('./banned.js').Guiding} Guiding */
/** Allowed tokens, and the largest number of bytes to an end after any of them.
 *  @typedef {{ allowed: Uint8Array, count: number, longest: number }} Mask */

/** Largest number of masks that are remembered; a mask has a byte for each token. */
const MAX_MASKS = 64;

export class Guide {
  #vocabulary;
  #automaton;
  #bias;
  #place;
  /** @type {Map<object, Mask>} */ #masks = new Map();

  /**
   * @param {Vocabulary} vocabulary
   * @param {Guiding | null} automaton
   * @param {Map<number, number>} bias  numbers to add to logits, by id
   */
  constructor(vocabulary, automaton, bias) {
    this.#vocabulary = vocabulary;
    this.#automaton = automaton;
    this.#bias = bias;
    this.#place = automaton?.start;
  }

  /** The smallest number of bytes to an end. */
  get least() {
    return this.#place?.least ?? 0;
  }

  /** Whether the text can end here. */
  get isEnd() {
    return this.#automaton === null || this.#automaton.isEnd(this.#place);
  }

  /**
   * The bias of the next token.
   * @param {number} left  number of tokens that may still come, this one included
   * @returns {Float32Array | null} [vocabulary], -Infinity for tokens that cannot come; null without a possible token
   */
  next(left) {
    const { size, eos } = this.#vocabulary;
    const bias = new Float32Array(size);
    let count = size;
    if (this.#automaton) {
      let mask = this.#mask(Infinity);
      if (mask.longest > left - 1) mask = this.#mask(left - 1);
      bias.fill(-Infinity);
      for (let id = 0; id < size; id++) if (mask.allowed[id]) bias[id] = 0;
      count = mask.count;
      if (this.isEnd) {
        for (const id of eos) bias[id] = 0;
        count += eos.length;
      }
    }
    for (const [id, value] of this.#bias) bias[id] += value;
    return count > 0 ? bias : null;
  }

  /** Continues after a token. @param {number} id */
  accept(id) {
    const { spelled, eos } = this.#vocabulary;
    if (!this.#automaton || eos.includes(id)) return;
    for (const byte of spelled[id]) this.#place = this.#automaton.step(this.#place, byte);
  }

  /** Tokens after which at most `most` bytes lead to an end. @param {number} most @returns {Mask} */
  #mask(most) {
    const place = this.#place;
    const known = most === Infinity && this.#masks.get(place);
    if (known) return known;
    const { size, order, shared, spelled } = this.#vocabulary;
    const automaton = /** @type {Guiding} */ (this.#automaton);
    const allowed = new Uint8Array(size);
    let count = 0;
    let longest = 0;
    const path = [place]; // after each byte of the current token
    let dead = Infinity; // number of bytes after which the last walk ended; tokens that share them are not allowed
    for (let i = 0; i < order.length; i++) {
      if (shared[i] >= dead) continue;
      dead = Infinity;
      const bytes = spelled[order[i]];
      for (let at = shared[i]; at < bytes.length; at++) {
        const next = automaton.step(path[at], bytes[at]);
        if (!next) {
          dead = at + 1;
          break;
        }
        path[at + 1] = next;
      }
      if (dead !== Infinity) continue;
      const { least } = path[bytes.length];
      if (least > most) continue;
      allowed[order[i]] = 1;
      count++;
      longest = Math.max(longest, least);
    }
    const mask = { allowed, count, longest };
    if (most === Infinity) {
      if (this.#masks.size >= MAX_MASKS) this.#masks.clear();
      this.#masks.set(place, mask);
    }
    return mask;
  }
}
