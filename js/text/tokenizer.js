/**
 * Converts text to token ids and back.
 * @typedef {object} Tokenizer
 * @property {number} size                number of tokens
 * @property {number | null} bos          start token
 * @property {number[]} eos               ids that end generation
 * @property {(text: string, options?: { special?: boolean }) => Int32Array} encode  special (default true): adds the
 *   start token if the model expects one, and converts the names of control tokens to these tokens
 * @property {(id: number) => Uint8Array} bytes   bytes of one token; empty for control tokens
 * @property {(id: number) => string} token       name of the token in the vocabulary
 * @property {(ids: ArrayLike<number>) => string} decode
 */

export { tokenizerFromGguf } from './tokenizer/gguf.js';
export { tokenizerFromJson } from './tokenizer/json.js';
