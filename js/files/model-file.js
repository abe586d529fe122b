import { needOptions } from '../options.js';
import { openSafetensors } from './safetensors.js';
import { downloadOf, openSingleFile } from './single-file.js';
import { isSource, openSource } from './source.js';
import { readTokenizer } from './tokenizer-json.js';

/** @typedef {import('./source.js').Source} Source */
/** @typedef {import('./stream.js').StreamReader} StreamReader */
/** @typedef {import('./weights.js').TensorEntry} TensorEntry */
/** @typedef {(progress: { phase: string, loadedBytes: number, totalBytes: number | null }) => void} OnProgress */
/** @typedef {{ signal?: AbortSignal | null, onProgress?: OnProgress, stallMs?: number }} OpenOptions */

/**
 * What a file says about a model, before its weights are read.
 * @typedef {object} ModelFile
 * @property {'gguf' | 'safetensors'} format
 * @property {number} [version]           of GGUF
 * @property {string} name                of the file
 * @property {string} architecture        'llama', 'gpt2', 'qwen2', …
 * @property {import('./config.js').Config} config
 * @property {TensorEntry[]} tensors      in the order in which their bytes will come
 * @property {import('../text/tokenizer.js').Tokenizer | null} tokenizer
 * @property {Record<string, unknown>} metadata  for `heed inspect`
 * @property {number} fileBytes           bytes up to the end of the last tensor
 * @property {() => AsyncGenerator<[TensorEntry, StreamReader], void, void>} weights  once, in order; the consumer reads
 *   exactly `entry.bytes`.  Closes the source at its end, or when it is left
 * @property {() => Promise<void>} close  lets go of the source where the weights are not wanted
 */

/**
 * Opens a model, whatever its format, and reads all but its weights.
 * @param {Source | { weights: Source | Source[], config?: Source | object, tokenizer?: Source | object }} source
 * @param {OpenOptions} [options]
 * @returns {Promise<ModelFile>}
 * @throws {HeedError}
 */
export async function openModelFile(source, options = {}) {
  return isFileSet(source) ? openFileSet(source, options) : openSingleFile(source, options);
}

/** @typedef {{ weights: Source | Source[], config?: Source | object, tokenizer?: Source | object }} FileSet */

/** @param {Source | FileSet} source @returns {source is FileSet} */
function isFileSet(source) {
  return typeof source === 'object' && source !== null && 'weights' in source;
}

/**
 * Without a config.json the weights have to be GGUF, which may be given another tokenizer.
 * @param {FileSet} files
 * @param {OpenOptions} options
 * @returns {Promise<ModelFile>}
 */
async function openFileSet(files, options) {
  needOptions('a model by its files', files, ['weights', 'config', 'tokenizer']);
  const open = (/** @type {any} */ part) => (isSource(part) ? openSource(part, downloadOf(options)) : part);
  const weights = Array.isArray(files.weights) ? files.weights.map(open) : open(files.weights);
  const [config, tokenizer] = [open(files.config), open(files.tokenizer)];
  if (config !== undefined || Array.isArray(weights)) return openSafetensors({ weights, config, tokenizer }, options);
  const file = await openModelFile(weights, options);
  if (tokenizer === undefined) return file;
  try {
    return { ...file, tokenizer: await readTokenizer(tokenizer, {}, options.signal) };
  } catch (error) {
    await file.close();
    throw error;
  }
}
