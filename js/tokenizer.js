/**
 * @typedef {object} Tokenizer
 * @property {number} size                tokens there are
 * @property {number | null} bos          the start token
 * @property {number[]} eos               every id that ends generation
 * @property {(text: string, options?: { special?: boolean }) => Int32Array} encode
 * @property {(id: number) => Uint8Array} bytes   exact bytes of one token; none for control tokens
 * @property {(id: number) => string} token       as the vocabulary writes it
 * @property {(ids: ArrayLike<number>) => string} decode
 */

/**
 * @param {import('./gguf/header.js').Metadata} metadata
 * @param {string} name
 * @returns {Tokenizer | null} null where the file has no vocabulary
 */
export function tokenizerFromGguf(metadata, name) {
  return null;
}
