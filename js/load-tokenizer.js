/** The tokenizer of a model without its weights.  The code is loaded by the first call. */

/** @typedef {import('./files/source.js').Source} Source */
/** @typedef {import('./model/load.js').ModelSource} ModelSource */
/** @typedef {import('./model/tokenizer.js').LoneTokenizer} LoneTokenizer */

/**
 * Opens the tokenizer of a model.  Of a GGUF file only the header is read.
 * @param {ModelSource | { tokenizer: Source | object }} source  the model as for `load`, or its
 *   tokenizer.json
 * @param {import('./model/tokenizer.js').TokenizerOptions} [options]  as in `load`
 * @returns {Promise<LoneTokenizer>} the tokenizer, whose calls return at once
 * @throws {HeedError} 'no-tokenizer' for a file without one, and the errors of `load`
 */
export const loadTokenizer = async (source, options) =>
  (await import('./model/tokenizer.js')).open(source, options);
