/** Unigram tokenization over UTF-8 bytes; a limit on the length of pieces bounds its time. */
import { Model } from '@huggingface/tokenizers';
import { widthOf } from '../utf8.js';

/** Largest length of a piece in UTF-8, because each character of a text starts a search of this length.  Real pieces
 *  have at most 64 characters. */
export const MAX_PIECE_BYTES = 512;
/** How much worse an unknown character is than the worst piece, in SentencePiece. */
const UNKNOWN_PENALTY = 10;

const encoder = new TextEncoder();

/** Index of the first piece beyond MAX_PIECE_BYTES, or -1. @param {import('./strings.js').Strings} pieces */
export function longPiece(pieces) {
  for (let id = 0; id < pieces.length; id++) if (pieces.end(id) - pieces.start(id) > MAX_PIECE_BYTES) return id;
  return -1;
}

/**
 * SentencePiece's unigram model (Kudo 2018): of all ways to divide a text into pieces, the one with the largest sum of
 * scores, by Viterbi's algorithm.  Adjacent unknown characters are one token.  (The types of the package make its
 * classes unusable as a base.)
 */
export class Unigram extends /** @type {any} */ (Model) {
  #pieces;
  #ids;
  #scores;
  #isPiece;
  #unknownScore;
  #longest = 0;

  /**
   * @param {import('./strings.js').Strings} pieces
   * @param {import('./string-index.js').StringIndex} ids  ids of pieces
   * @param {ArrayLike<number>} scores  by id
   * @param {number} unknown  id of unknown text
   * @param {(id: number) => boolean} isPiece  whether text can form a token; false for control tokens
   */
  constructor(pieces, ids, scores, unknown, isPiece) {
    super({ type: 'Unigram' });
    this.tokens_to_ids = ids;
    this.unk_token_id = unknown;
    this.#pieces = pieces;
    this.#ids = ids;
    this.#scores = scores;
    this.#isPiece = isPiece;
    let worst = Infinity;
    for (let id = 0; id < pieces.length; id++) {
      if (!isPiece(id)) continue;
      worst = Math.min(worst, scores[id]);
      this.#longest = Math.max(this.#longest, pieces.end(id) - pieces.start(id));
    }
    this.#unknownScore = (worst === Infinity ? 0 : worst) - UNKNOWN_PENALTY;
  }

  /** @param {string[]} words @returns {string[]} tokens */
  encode(words) {
    return words.flatMap((word) => this.#split(encoder.encode(word)));
  }

  /** @param {Uint8Array} word */
  #split(word) {
    const size = word.length;
    // The best division of the first n bytes: its score, its last token and the begin of this token.
    const best = new Float64Array(size + 1).fill(-Infinity);
    const token = new Int32Array(size + 1);
    const begin = new Int32Array(size + 1);
    best[0] = 0;
    for (let at = 0; at < size;) {
      const next = at + widthOf(word[at]);
      let isKnown = false;
      const offer = (/** @type {number} */ id, /** @type {number} */ end, /** @type {number} */ score) => {
        if (end === next) isKnown = true;
        if (!(best[at] + score > best[end])) return;
        best[end] = best[at] + score;
        token[end] = id;
        begin[end] = at;
      };
      this.#ids.prefixes(word, at, Math.min(size, at + this.#longest), (id, end) => {
        if (this.#isPiece(id)) offer(id, end, this.#scores[id]);
      });
      if (!isKnown) offer(this.unk_token_id, next, this.#unknownScore);
      at = next;
    }
    /** @type {number[]} */
    const found = [];
    for (let end = size; end > 0; end = begin[end]) {
      if (token[end] !== this.unk_token_id || found.at(-1) !== token[end]) found.push(token[end]);
    }
    return found.reverse().map((id) => this.#pieces.at(id));
  }
}
