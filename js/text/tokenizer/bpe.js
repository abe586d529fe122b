import { BPE } from '@huggingface/tokenizers';

/** What a string is worth: its id, or its place among the merges.
 *  @typedef {{ get: (string: string) => number | undefined, has: (string: string) => boolean }} Lookup */

/**
 * The library's byte-pair encoding, told which pair to join next.  Its own table of merges is keyed by JSON, which
 * costs most of the time of loading a vocabulary and of encoding a long word; and SentencePiece has no such table.
 * (`add_node` is private in the library's types only.)
 */
class RankedBpe extends /** @type {any} */ (BPE) {
  /**
   * @param {Lookup} ids  of the tokens: shared, where the library would make tables of its own
   * @param {Record<string, any>} options  of the library, by tokenizer.json's names
   */
  constructor(ids, options) {
    super({ ...options, type: 'BPE', vocab: {}, merges: [] });
    this.tokens_to_ids = ids;
    this.unk_token_id = ids.get(options.unk_token);
  }

  /**
   * @param {string} left
   * @param {string} right  neighbours in the text
   * @returns {number | undefined} the lowest is joined first, from the left; undefined: never
   */
  rank(left, right) {
    throw new TypeError(`nothing ranks ${left} ${right}`);
  }

  /**
   * @param {any} queue of nodes, lowest `score` first
   * @param {any} node  a piece; `bias` is its place in the text as a fraction
   */
  add_node(queue, node) {
    const rank = this.rank(node.token, node.next.token);
    if (rank === undefined) return;
    node.score = rank + node.bias;
    queue.push(node);
  }
}

/** Byte-pair encoding by a list of merges, earliest first (Sennrich et al. 2016; over bytes: Radford et al. 2019). */
export class MergeBpe extends RankedBpe {
  #ranks;

  /**
   * @param {Lookup} ids    of the tokens
   * @param {Lookup} ranks  of the merges, each written 'left right'
   * @param {Record<string, any>} options  of the library, by tokenizer.json's names
   */
  constructor(ids, ranks, options) {
    super(ids, options);
    this.#ranks = ranks;
  }

  /**
   * @param {string} left
   * @param {string} right
   */
  rank(left, right) {
    return this.#ranks.get(`${left} ${right}`);
  }

  /**
   * Merges in the wild lead past the vocabulary.  What they make on the way is no token, and comes apart again at the
   * end, as in llama.cpp.
   * @param {string} word
   * @returns {string[]} tokens
   */
  bpe(word) {
    /** @type {string[]} */
    const pieces = super.bpe(word);
    return pieces.flatMap((piece) => (this.tokens_to_ids.has(piece) ? piece : Array.from(piece)));
  }
}

/**
 * SentencePiece's BPE (Kudo & Richardson 2018): of all neighbours that together are a piece, those with the best score
 * are joined first.  A list of merges made from the scores would not do: it tells two ways to make the same piece
 * apart, where the score is the same and the left one comes first.
 */
export class ScoredBpe extends RankedBpe {
  #places;

  /**
   * @param {Lookup} ids                of the pieces
   * @param {ArrayLike<number>} scores  by id
   * @param {string | undefined} unknown  the piece for what has no bytes in the vocabulary
   */
  constructor(ids, scores, unknown) {
    super(ids, { unk_token: unknown, byte_fallback: true });
    const best = Float64Array.from(new Set(Array.from(scores))).sort().reverse();
    const places = new Map(Array.from(best, (score, place) => [score, place]));
    /** Place of each piece among the scores, best first; equal scores share one. */
    this.#places = Uint32Array.from(scores, (score) => /** @type {number} */ (places.get(score)));
  }

  /**
   * @param {string} left
   * @param {string} right
   */
  rank(left, right) {
    const id = this.tokens_to_ids.get(left + right);
    return id === undefined ? undefined : this.#places[id];
  }
}
