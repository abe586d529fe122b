/** Greedy longest-match tokenization of words, for tokenizer.json and for GGUF files of BERT. */
import { Model } from '@huggingface/tokenizers';

/** Largest number of characters of a word; longer ones are unknown, as in the tokenizers of the models. */
const MAX_WORD = 100;

/**
 * WordPiece (Wu et al. 2016, as in BERT): of all pieces that begin a word, the longest is taken, and so on.  A word
 * with an unknown rest is unknown as a whole.  (The types of the package make its classes unusable as a base.)
 */
export class WordPiece extends /** @type {any} */ (Model) {
  #options;

  /**
   * @param {import('./bpe.js').Lookup} ids  ids of pieces; shared, because the package would build its own table
   * @param {object} options
   * @param {string} options.unknown  the token of unknown words
   * @param {string} [options.first]  prefix of the pieces that begin a word; default ''
   * @param {string} [options.rest]   prefix of other pieces; default ''
   * @param {number} [options.most]   largest number of characters of a word
   * @param {number} options.longest  number of characters of the longest piece
   */
  constructor(ids, { unknown, first = '', rest = '', most = MAX_WORD, longest }) {
    super({ type: 'WordPiece' });
    this.tokens_to_ids = ids;
    this.unk_token_id = ids.get(unknown);
    this.#options = { unknown, first, rest, most, longest };
  }

  /** @param {string[]} words @returns {string[]} tokens */
  encode(words) {
    return words.flatMap((word) => this.#split(Array.from(word)));
  }

  /** @param {string[]} word  its characters */
  #split(word) {
    const { unknown, first, rest, most, longest } = this.#options;
    /** @type {string[]} */
    const pieces = [];
    for (let at = 0; at < word.length;) {
      let end = word.length > most ? at : Math.min(word.length, at + longest);
      let piece = '';
      for (; end > at; end--) {
        piece = (at === 0 ? first : rest) + word.slice(at, end).join('');
        if (this.tokens_to_ids.has(piece)) break;
      }
      if (end === at) return [unknown];
      pieces.push(piece);
      at = end;
    }
    return pieces;
  }
}
