/** Where a model comes from: files that were dropped or picked, an address, the page's own folder. */

/** @typedef {import('../../js/index.js').Source} Source */

/**
 * One GGUF or safetensors file by itself; several files of a Hugging Face model by their names.
 * @param {File[]} files
 * @returns {Source}
 * @throws {RangeError} where there are no weights among them
 */
export function sourceFromFiles(files) {
  const weights = files.filter((file) => /\.(gguf|safetensors)$/.test(file.name));
  if (weights.length === 0 && files.every((file) => file.name.endsWith('.json'))) {
    const names = files.map((file) => file.name).join(', ');
    throw new RangeError(`There are no weights in ${names}. Open the .safetensors file of the model with them.`);
  }
  if (files.length === 1) return files[0];
  const named = (/** @type {string} */ name) => files.find((file) => file.name === name);
  return {
    weights: weights.length === 1 ? weights[0] : weights,
    config: named('config.json'),
    tokenizer: named('tokenizer.json'),
  };
}

/**
 * A model's address as the page's address has it: https, http, hf, or one beside the page.
 * @param {string} address
 * @returns {string | null} null where it is none of these
 */
export function sourceFromAddress(address) {
  const url = URL.canParse(address, document.baseURI) ? new URL(address, document.baseURI) : null;
  return url && ['https:', 'http:', 'hf:'].includes(url.protocol) ? url.href : null;
}

/**
 * What the page's address says of a source.
 * @param {Source} source
 * @param {URL} usual the model of an address that names none
 * @returns {{ model?: string, file?: string }}
 */
export function originOf(source, usual) {
  if (typeof source !== 'string' && !(source instanceof URL)) return { file: nameOf(source) };
  const { href } = new URL(source, document.baseURI);
  if (href === usual.href) return {};
  const [folder] = new URL('.', document.baseURI).href.split('#');
  return { model: href.startsWith(folder) ? `./${href.slice(folder.length)}` : href };
}

/** @param {any} source files @returns {string} */
const nameOf = (source) => source.name ?? [source.weights ?? []].flat()[0]?.name ?? 'files';
