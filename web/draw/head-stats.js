/** Scores of attention heads on a text: previous-token, first-token, induction and others, from their own maps. */
import { formatPercent } from './sentence.js';

/** The scores, in the order in which they are summed. */
const KINDS = /** @type {const} */ (['previous', 'first', 'self', 'duplicate', 'induction', 'next', 'last']);
/** Rows to skip: in them, the previous token can be the first token. */
const SKIPPED_ROWS = 2;
/** Least number of rows with a repeated token: with fewer, the repeat scores are mostly noise. */
const MIN_REPEATS = 8;

/**
 * Mean share of a row's attention, 0 to 1, on certain tokens.
 * @typedef {object} HeadScores
 * @property {number} previous attention to the previous token
 * @property {number} first attention to the first token
 * @property {number} self attention to the token itself
 * @property {number | null} duplicate attention to earlier occurrences of the same token, over rows that have one; null
 *   if fewer than 8 rows do
 * @property {number | null} induction attention to the tokens after earlier occurrences of the same token; null as
 *   above
 * @property {number} [next] attention to the next token, unless it is masked
 * @property {number} [last] attention to the last token, often a separator, unless it is masked
 */

/** The keys of a token: itself and earlier tokens, all tokens of the text, or the tokens of another text.
 *  @typedef {'causal' | 'bidirectional' | 'cross'} MapKind */
/** The kinds of maps. @type {readonly MapKind[]} */
export const MAP_KINDS = ['causal', 'bidirectional', 'cross'];

/** Running sums from which scores at any length follow, so that rows can be dropped. */
export class HeadStats {
  /** [queries] arrays of [layers · heads][kinds]: sums over the rows up to the query. @type {Float32Array[]} */
  #sums = [];
  /** [queries] number of rows up to the query whose token occurred before. @type {number[]} */
  #repeats = [];
  /** @type {(string | undefined)[]} */
  #tokens = [];
  /** Positions of each token text. @type {Map<string, number[]>} */
  #positions = new Map();

  /** @param {{ layers: number, heads: number, kind?: MapKind }} shape kind: of the maps, default ‘causal’. Maps of
   *  another text have no scores, because positions of both texts differ */
  constructor({ layers, heads, kind = 'causal' }) {
    this.layers = layers;
    this.heads = heads;
    this.kind = kind;
  }

  /**
   * Adds the next rows of every head.
   * @param {{ data: ArrayLike<number>, queries: number, keys: number, firstQuery: number }} rows
   *   data [layers][heads][queries][keys]
   * @param {string[]} [tokens] [queries] their texts, needed for `duplicate` and `induction`
   */
  add({ data, queries, keys, firstQuery }, tokens) {
    if (this.kind === 'cross') return;
    const seesLater = this.kind === 'bidirectional';
    for (let i = 0; i < queries; i++) {
      const query = firstQuery + i;
      const equal = this.#equalTo(query, tokens?.[i]);
      const before = this.#sums[query - 1];
      const sums = before ? before.slice() : new Float32Array(this.layers * this.heads * KINDS.length);
      if (query >= SKIPPED_ROWS) {
        for (let at = 0; at < this.layers * this.heads; at++) {
          const row = (at * queries + i) * keys;
          const to = at * KINDS.length;
          sums[to] += data[row + query - 1];
          sums[to + 1] += data[row];
          sums[to + 2] += data[row + query];
          if (seesLater) {
            if (query + 1 < keys) sums[to + 5] += data[row + query + 1];
            sums[to + 6] += data[row + keys - 1];
          }
          for (const key of equal) {
            sums[to + 3] += data[row + key];
            if (key + 1 < query) sums[to + 4] += data[row + key + 1];
          }
        }
      }
      this.#sums[query] = sums;
      this.#repeats[query] = (this.#repeats[query - 1] ?? 0) + Number(query >= SKIPPED_ROWS && equal.length > 0);
    }
  }

  /** Records a token and returns the earlier positions of the same text.
   *  @param {number} query @param {string | undefined} text */
  #equalTo(query, text) {
    this.#tokens[query] = text;
    if (text === undefined) return [];
    const positions = this.#positions.get(text);
    if (!positions) {
      this.#positions.set(text, [query]);
      return [];
    }
    positions.push(query);
    return positions.slice(0, -1);
  }

  /** Keeps only the first rows. @param {number} length */
  truncate(length) {
    if (length >= this.#sums.length) return;
    for (const text of this.#tokens.splice(length)) {
      if (text === undefined) continue;
      this.#positions.set(text, (this.#positions.get(text) ?? []).filter((position) => position < length));
    }
    this.#sums.length = length;
    this.#repeats.length = length;
  }

  /**
   * The scores of one head.
   * @param {number} layer
   * @param {number} head
   * @returns {HeadScores | null} null if the text is too short
   */
  of(layer, head) {
    const last = this.#sums.length - 1;
    const rows = last + 1 - SKIPPED_ROWS;
    if (rows < SKIPPED_ROWS) return null;
    const at = (layer * this.heads + head) * KINDS.length;
    const [previous, first, self, duplicate, induction, next, end] = this.#sums[last].subarray(at, at + KINDS.length);
    const repeats = this.#repeats[last];
    const enough = repeats >= MIN_REPEATS;
    return { previous: previous / rows, first: first / rows, self: self / rows,
      duplicate: enough ? duplicate / repeats : null, induction: enough ? induction / repeats : null,
      ...(this.kind === 'bidirectional' && { next: next / rows, last: end / rows }) };
  }

  /**
   * The head with the highest previous-token score, whose pattern is the easiest to see.
   * @returns {{ layer: number, head: number } | null}
   */
  strongestPreviousTokenHead() {
    /** @type {{ layer: number, head: number } | null} */
    let best = null;
    let most = 0;
    for (let layer = 0; layer < this.layers; layer++) {
      for (let head = 0; head < this.heads; head++) {
        const share = this.of(layer, head)?.previous ?? 0;
        if (share > most) {
          best = { layer, head };
          most = share;
        }
      }
    }
    return best;
  }
}

/** Scores from here on are notable: many times the score of uniform attention. */
const NOTABLE = 0.25;
/** From this first-token score on, the first column hides the other weights. */
const SINK = 0.5;

/** True if the first token is an attention sink: it gets at least half of the attention.
 *  @param {HeadScores | null} scores */
export const isSink = (scores) => scores !== null && scores.first >= SINK;

/**
 * The letter and the target of each type of head, the most specific first.
 * @type {[kind: typeof KINDS[number], letter: string, name: string][]}
 */
export const HEAD_TYPES = [
  ['induction', 'I', 'the token after an earlier occurrence (induction)'],
  ['duplicate', 'D', 'earlier occurrences of the token'],
  ['previous', 'P', 'the previous token'],
  ['next', 'N', 'the next token'],
  ['self', 'S', 'the token itself'],
  ['last', 'L', 'the last token'],
  ['first', 'F', 'the first token'],
];

/**
 * The types of a head whose score is notable, the most specific first.
 * @param {HeadScores | null} scores
 */
export const notableTypes = (scores) => HEAD_TYPES.filter(([kind]) => (scores?.[kind] ?? 0) >= NOTABLE);

/**
 * Describes the notable scores: “the previous token 43 %, the first token 31 %”. Empty if no score is notable.
 * @param {HeadScores | null} scores
 */
export const describeScores = (scores) =>
  notableTypes(scores).map(([kind, , name]) => `${name} ${formatPercent(scores?.[kind] ?? 0)}`).join(', ');
