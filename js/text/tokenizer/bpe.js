/** Byte-pair encoding with two orders of merges: a list of merges, or the scores of SentencePiece. */
import { BPE } from '@huggingface/tokenizers';

/** Maps a string to its id.
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
  /**
   * @param {Lookup} ids    ids of tokens
   * @param {(left: string, right: string) => number | undefined} rank  rank of a merge; undefined: no merge
   * @param {Record<string, any>} options  options of the package, with the names of tokenizer.json
   */
  constructor(ids, rank, options) {
    super(ids, options);
    this.rank = rank;
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
  #scores;
  #sorted;
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
    this.#scores = scores;
    this.#sorted = Float64Array.from(scores).sort();
  }

  /**
   * Minus the number of scores up to this one, so equal scores have equal ranks.
   * @param {string} left
   * @param {string} right
   */
  rank(left, right) {
    const id = this.tokens_to_ids.get(left + right);
    if (id === undefined || this.#control.has(id)) return undefined;
    let count = 0;
    for (let end = this.#sorted.length; count < end;) {
      const middle = (count + end) >> 1;
      if (this.#sorted[middle] > this.#scores[id]) end = middle;
      else count = middle + 1;
    }
    return -count;
  }
}
