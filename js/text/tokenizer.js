/**
 * @typedef {object} Tokenizer
 * @property {number} size                tokens there are
 * @property {number | null} bos          the start token
 * @property {number[]} eos               every id that ends generation
 * @property {(text: string, options?: { special?: boolean }) => Int32Array} encode  special (default): with the start
 *   token where the model wants one, and text that spells a control token becomes that token
 * @property {(id: number) => Uint8Array} bytes   exact bytes of one token; none for control tokens
 * @property {(id: number) => string} token       as the vocabulary writes it
 * @property {(ids: ArrayLike<number>) => string} decode
 */

export { tokenizerFromGguf } from './tokenizer/gguf.js';
export { tokenizerFromJson } from './tokenizer/json.js';
