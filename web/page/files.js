/** From files that were dropped or picked to a source that the library loads. */

/**
 * One GGUF or safetensors file by itself; several files of a Hugging Face model by their names.
 * @param {File[]} files
 * @returns {import('../../js/index.js').Source}
 */
export function sourceFromFiles(files) {
  if (files.length === 1) return files[0];
  const weights = files.filter((file) => /\.(gguf|safetensors)$/.test(file.name));
  const named = (/** @type {string} */ name) => files.find((file) => file.name === name);
  return {
    weights: weights.length === 1 ? weights[0] : weights,
    config: named('config.json'),
    tokenizer: named('tokenizer.json'),
  };
}
