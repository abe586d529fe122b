import { needOptions } from '../options.js';
import { openSafetensors } from './safetensors.js';
import { downloadOf, openSingleFile } from './single-file.js';
import { isSource, openSource } from './source.js';
import { readTokenizer } from './tokenizer-json.js';

/** @typedef {import('./source.js').Source} Source */
/** @typedef {import('./stream.js').StreamReader} StreamReader */
/** @typedef {import('./weights.js').TensorEntry} TensorEntry */
/** @typedef {(progress: { phase: string, loadedBytes: number, totalBytes: number | null }) => void} OnProgress */
/**
 * @typedef {object} OpenOptions
 * @property {AbortSignal | null} [signal]
 * @property {OnProgress} [onProgress]
 * @property {(bytes: number) => void} [onSize]  receives the size of a model in one file, if it is known when the first
 *   bytes arrive
 * @property {number} [stallMs]
 */

/**
 * An open model: all of its files except the weights.
 * @typedef {object} ModelFile
 * @property {'gguf' | 'safetensors'} format
 * @property {number} [version]           version of GGUF
 * @property {string} name                name of the file
 * @property {string} architecture        'llama', 'gpt2', 'qwen2', …
 * @property {import('./config.js').Config} config
 * @property {TensorEntry[]} tensors      in the order of the stream
 * @property {import('../text/tokenizer.js').Tokenizer | null} tokenizer
 * @property {Record<string, unknown>} metadata  metadata of the file
 * @property {Map<string, number>} [types]  GGUF's type of each value of the metadata, or of its elements
 * @property {number} fileBytes           bytes up to the end of the last tensor
 * @property {() => AsyncGenerator<[TensorEntry, StreamReader], void, void>} weights  tensors in order, once; the
 *   consumer reads exactly `entry.bytes` of each.  The source is closed at the end, or when the consumer leaves the
 *   loop
 * @property {() => Promise<void>} close  closes the source
 */

/**
 * Opens a model of any format and reads everything except its weights.
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
 * Without config.json the weights must be GGUF; a tokenizer.json replaces its tokenizer.
 * @param {FileSet} files
 * @param {OpenOptions} options
 * @returns {Promise<ModelFile>}
 */
async function openFileSet(files, options) {
  needOptions('a model by its files', files, ['weights', 'config', 'tokenizer']);
  const open = (/** @type {any} */ part) => (isSource(part) ? openSource(part, downloadOf(options)) : part);
  const weights = Array.isArray(files.weights) ? files.weights.map(open) : open(files.weights);
  const config = open(files.config);
  const tokenizer = open(files.tokenizer);
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
