/** Byte-pair encoding with two orders of merges: a list of merges, or the scores of SentencePiece. */
import { BPE } from '@huggingface/tokenizers';

/** Maps a string to its id, or a merge to its rank.
 *  @typedef {{ get: (string: string) => number | undefined, has: (string: string) => boolean }} Lookup */

/**
 * The byte-pair encoding of the `tokenizers` package with another order of merges.  The package's table of merges has
 * JSON keys, which take most of the time to load a vocabulary.  SentencePiece has no such table.  (`add_node` is
 * private only in the types of the package.)
 */
class RankedBpe extends /** @type {any} */ (BPE) {
  /**
   * @param {Lookup} ids  ids of tokens; shared, because the package would build its own table
   * @param {Record<string, any>} options  options of the package, with the names of tokenizer.json
   */
  constructor(ids, options) {
    super({ ...options, type: 'BPE', vocab: {}, merges: [] });
    this.tokens_to_ids = ids;
    this.unk_token_id = ids.get(options.unk_token);
  }

  /**
   * @param {string} left
   * @param {string} right  the next piece of the text
   * @returns {number | undefined} rank of the merge: the lowest is merged first, from the left; undefined: no merge
   */
  rank(left, right) {
    throw new TypeError(`no rank for ${left} ${right}`);
  }

  /**
   * @param {any} queue  queue of nodes, lowest `score` first
   * @param {any} node  a piece; `bias` is its position in the text as a fraction
   */
  add_node(queue, node) {
    const rank = this.rank(node.token, node.next.token);
    if (rank === undefined) return;
    node.score = rank + node.bias;
    queue.push(node);
  }
}

/** Byte-pair encoding with a list of merges, in order of priority (Sennrich et al. 2016; over bytes: Radford et al.
 * 2019). */
export class MergeBpe extends RankedBpe {
  #ranks;

  /**
   * @param {Lookup} ids    ids of tokens
   * @param {Lookup} ranks  ranks of merges, with keys 'left right'
   * @param {Record<string, any>} options  options of the package, with the names of tokenizer.json
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
   * Encodes a word.  Real files have merges whose results are not in the vocabulary; such pieces are split again at the
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
 * SentencePiece's BPE (Kudo & Richardson 2018): of all adjacent pieces that form a piece, the pair with the best score
 * is merged first, from the left.  A list of merges cannot express this: it would rank two ways to form the same piece
 * differently.
 */
export class ScoredBpe extends RankedBpe {
  #places;
  #control;

  /**
   * @param {Lookup} ids                ids of pieces
   * @param {ArrayLike<number>} scores  scores by id
   * @param {string | undefined} unknown  the piece for bytes that are not in the vocabulary
   * @param {ReadonlySet<number>} control   ids of pieces that no text forms
   */
  constructor(ids, scores, unknown, control) {
    super(ids, { unk_token: unknown, byte_fallback: true });
    this.#control = control;
    const best = Float64Array.from(new Set(Array.from(scores))).sort().reverse();
    const places = new Map(Array.from(best, (score, place) => [score, place]));
    /** Rank of each piece by score, best first; equal scores have equal ranks. */
    this.#places = Uint32Array.from(scores, (score) => /** @type {number} */ (places.get(score)));
  }

  /**
   * @param {string} left
   * @param {string} right
   */
  rank(left, right) {
    const id = this.tokens_to_ids.get(left + right);
    return id === undefined || this.#control.has(id) ? undefined : this.#places[id];
  }
}
