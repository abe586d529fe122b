/** Sources of a model: dropped or picked files, a URL, or the folder of the page. */

import { BESIDE } from '../../js/files/beside.js';

/** @typedef {import('../../js/index.js').Source} Source */

/** The configuration of an adapter of PEFT, beside its weights. */
export const ADAPTER = 'adapter_config.json';

/** The error for a folder or for files of an adapter. */
export const refuseAdapter = () => new RangeError(`${ADAPTER} belongs to an adapter, which the page does not open. `
  + 'A program loads it by the option adapter, and the command line by --adapter.');

/**
 * The source for dropped files: one GGUF or safetensors file, or several files of a Hugging Face model.
 * @param {File[]} files
 * @returns {Source}
 * @throws {RangeError} if no file has weights
 */
export function sourceFromFiles(files) {
  const names = files.map((file) => file.name);
  if (names.includes(ADAPTER)) throw refuseAdapter();
  const weights = files.filter((file) => /\.(gguf|safetensors)$/.test(file.name));
  if (weights.length === 0 && (files.length > 1 || /\.(json|jinja)$/.test(names[0]))) {
    throw new RangeError(`There are no weights in ${names.join(', ')}. Open a .gguf file, or a .safetensors file with `
      + 'its config.json and tokenizer.json.');
  }
  if (files.length === 1) return files[0];
  const beside = Object.entries(BESIDE).map(([part, name]) => [part, files.find((file) => file.name === name)]);
  return {
    weights: weights.length === 1 ? weights[0] : weights,
    ...Object.fromEntries(beside.filter(([, file]) => file)),
  };
}

/**
 * The source for a URL in the page's address: https:, http:, hf:, or relative to the page.
 * @param {string} address
 * @returns {string | null} null for other URLs
 */
export function sourceFromAddress(address) {
  const url = URL.canParse(address, document.baseURI) ? new URL(address, document.baseURI) : null;
  return url && ['https:', 'http:', 'hf:'].includes(url.protocol) ? url.href : null;
}

/** The notice about another URL. @param {string} address */
export const refuseAddress = (address) =>
  `The model URL ‘${address}’ was not opened: it must begin with https:, http: or hf:.`;

/**
 * The fields of the page's address for a source.
 * @param {Source} source
 * @param {URL} defaultModel it needs no field
 * @returns {{ model?: string, file?: string }}
 */
export function originOf(source, defaultModel) {
  if (typeof source !== 'string' && !(source instanceof URL)) return { file: nameOf(source) };
  const { href } = new URL(source, document.baseURI);
  if (href === defaultModel.href) return {};
  const [folder] = new URL('.', document.baseURI).href.split('#');
  return { model: href.startsWith(folder) ? `./${href.slice(folder.length)}` : href };
}

/** @param {any} source files @returns {string} */
const nameOf = (source) => source.name ?? [source.weights ?? source].flat()[0]?.name ?? 'files';
