/** The interface of tokenizers, and the functions that make one. */

/**
 * @typedef {object} EncodeOptions
 * @property {boolean} [special]  adds the start token if the model expects one, and converts the names of control
 *   tokens to these tokens; default true.  With false, all characters are plain text
 * @property {import('../chat/disguise.js').Disguise} [disguise]  characters of a rendered chat that are put back after
 *   control tokens were found.  The start token is then added only if the text does not begin with it
 */
/**
 * Converts text to token ids and back.
 * @typedef {object} Tokenizer
 * @property {number} size                number of tokens
 * @property {number | null} bos          start token
 * @property {number[]} eos               ids that end generation
 * @property {number | null} mask         token of a hidden word, for encoders
 * @property {string[]} control           names of the control tokens
 * @property {(text: string, options?: EncodeOptions) => Int32Array} encode
 * @property {(id: number) => Uint8Array} bytes   bytes of one token; empty for control tokens
 * @property {(id: number) => string} token       name of the token in the vocabulary
 * @property {(ids: ArrayLike<number>) => string} decode
 */

export { tokenizerFromGguf } from './tokenizer/any-gguf.js';
export { tokenizerFromJson } from './tokenizer/json.js';
