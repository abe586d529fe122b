/** What a head does on this text, measured from its own map. */
import { formatPercent } from '../draw/sentence.js';

/** Weights of one row that make a habit: on the token before, on the first token, on the token itself. */
const KINDS = /** @type {const} */ (['previous', 'first', 'self']);
/** Rows too short to tell the token before from the first one. */
const SHORT = 2;

/** @typedef {{ previous: number, first: number, self: number }} Habit  mean share of a row's weight, 0..1 */

export class Habits {
  /** [query] of [layer · heads + head][kind] @type {Float32Array[]} */
  #shares = [];

  /** @param {{ layers: number, heads: number }} shape */
  constructor({ layers, heads }) {
    this.layers = layers;
    this.heads = heads;
  }

  /**
   * @param {{ data: Float32Array, queries: number, keys: number, firstQuery: number }} rows
   *   data [layer][head][query][key]
   */
  add({ data, queries, keys, firstQuery }) {
    for (let i = 0; i < queries; i++) {
      const query = firstQuery + i;
      const shares = new Float32Array(this.layers * this.heads * KINDS.length);
      for (let at = 0; at < this.layers * this.heads; at++) {
        const row = (at * queries + i) * keys;
        shares.set([data[row + query - 1] ?? 0, data[row], data[row + query]], at * KINDS.length);
      }
      this.#shares[query] = shares;
    }
  }

  /** @param {number} length rows that stay */
  truncate(length) {
    this.#shares.length = Math.min(this.#shares.length, length);
  }

  /**
   * @param {number} layer
   * @param {number} head
   * @returns {Habit | null} null while the text is too short to tell
   */
  of(layer, head) {
    const rows = this.#shares.slice(SHORT);
    if (rows.length < SHORT) return null;
    const at = (layer * this.heads + head) * KINDS.length;
    const mean = KINDS.map((_, kind) => rows.reduce((sum, row) => sum + row[at + kind], 0) / rows.length);
    return { previous: mean[0], first: mean[1], self: mean[2] };
  }

  /**
   * The head that looks most at the token before: the habit that is easiest to see.
   * @returns {{ layer: number, head: number } | null}
   */
  mostPrevious() {
    /** @type {{ layer: number, head: number } | null} */
    let best = null;
    let most = 0;
    for (let layer = 0; layer < this.layers; layer++) {
      for (let head = 0; head < this.heads; head++) {
        const share = this.of(layer, head)?.previous ?? 0;
        if (share > most) [best, most] = [{ layer, head }, share];
      }
    }
    return best;
  }
}

/** A habit is worth a sentence from this mean share on: many times what an even spread would give. */
const NOTABLE = 0.25;

/** @type {Record<'previous' | 'first' | 'self', (percent: string) => string>} */
const SENTENCES = {
  previous: (percent) =>
    `looks mostly at the previous token (${percent} on average): see the line just below the diagonal.`,
  first: (percent) =>
    `rests ${percent} of its attention on the first token, an attention sink. Leave out that column to see the rest.`,
  self: (percent) => `looks mostly at the token itself (${percent} on average): see the diagonal.`,
};

/** The lesson that explains a habit: two heads set by hand, and why many heads rest on one token. */
const LESSON = { name: '04-heads', title: 'Lesson 4 builds such a head by hand' };

/**
 * One line that says what a head does on this text.
 * @param {number} layer
 * @param {number} head
 * @param {Habit | null} habit
 * @returns {{ text: string, lesson: { name: string, title: string } | null }}
 */
export function habitInWords(layer, head, habit) {
  const name = `Layer ${layer}, head ${head}`;
  if (!habit) return { text: `${name}: the text is still too short to see a habit.`, lesson: null };
  const [most] = [...KINDS].sort((a, b) => habit[b] - habit[a]);
  if (habit[most] < NOTABLE) {
    const hint = 'Long rows look far back; dark columns are tokens that many others look at.';
    return { text: `${name} has no single habit here. ${hint}`, lesson: null };
  }
  return { text: `${name} ${SENTENCES[most](formatPercent(habit[most]))}`, lesson: most === 'first' ? null : LESSON };
}
