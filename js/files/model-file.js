/** The type ModelFile, which every format returns, and the choice of the reader for one file or several. */
import { HeedError, quoted } from '../errors.js';
import { needOptions } from '../options.js';
import { tokenizerFromGguf as tokenizerOf } from '../text/tokenizer.js';
import { readChatFiles } from './chat-files.js';
import { towerFile } from './families/clip.js';
import { describe } from './families/gguf.js';
import { openSplitGguf } from './gguf/split.js';
import { readPictureFormat } from './picture-format.js';
import { readPooling } from './pooling-format.js';
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
 * @property {import('./families/clip.js').Tower} [tower]  tower to open, in a file with two
 */

/**
 * An open model: all of its files except the weights.
 * @typedef {object} ModelFile
 * @property {'gguf' | 'safetensors'} format
 * @property {number} [version]           version of GGUF
 * @property {string} name                name of the file
 * @property {string} architecture        'llama', 'gpt2', 'qwen2', …
 * @property {import('./config.js').Config} config
 * @property {TensorEntry[]} tensors      tensors in the order of the stream
 * @property {import('../text/tokenizer.js').Tokenizer | null} tokenizer
 * @property {Record<string, unknown>} metadata  metadata of the file
 * @property {import('./chat-files.js').ChatFiles} [chat]  templates and names of tokens from files beside the weights
 * @property {import('./families/parts.js').Parts} [parts]  parts of an encoder–decoder
 * @property {ModelFile} [whole]          file with the tensors of Dense layers, which this one reads aside
 * @property {import('./picture-format.js').PictureFormat} [picture]  format of the pictures that the model reads
 * @property {import('./pooling-format.js').Pooling | null} [pooling]  pooling of sentence-transformers, or of CLIP
 * @property {'vector' | 'none'} [head]   head of CLIP; other models have words or labels
 * @property {number} [labelHeads]      heads for labels: head i reads token i, and their mean counts; default 1
 * @property {Map<string, number>} [types]  GGUF's type of each value of the metadata, or of its elements
 * @property {number} fileBytes           bytes up to the end of the last tensor
 * @property {WeightStream} weights  tensors in order, once; the consumer reads exactly `entry.bytes` of each.  The
 *   source is closed at the end, or when the consumer leaves the loop
 * @property {() => Promise<void>} close  closes the source
 */
/** positions: of the session.
 *  @typedef {(positions?: number) => AsyncGenerator<[TensorEntry, StreamReader], void, void>} WeightStream */

/**
 * Opens a model of any format and reads everything except its weights.
 * @param {import('../model/load.js').ModelSource} source  without names of a hub, folders and arrays, which
 *   js/files/keep resolves
 * @param {OpenOptions} [options]
 * @returns {Promise<ModelFile>}
 * @throws {HeedError}
 */
export async function openModelFile(source, options = {}) {
  if (!['text', 'vision', undefined].includes(options.tower)) {
    throw new HeedError('bad-argument', `Expected tower to be 'text' or 'vision'; got ${quoted(options.tower)}.`);
  }
  if (isFileSet(source)) return openFileSet(source, options);
  needNoTower(options);
  return openSingleFile(/** @type {Source} */ (source), { describe, tokenizerOf, ...options });
}

/** @param {OpenOptions} options @throws {HeedError} 'bad-argument' */
function needNoTower({ tower }) {
  if (tower === undefined) return;
  throw new HeedError('bad-argument', 'The option tower is for CLIP, as files of Hugging Face with a config.json; ' +
    'a GGUF file has one model. Leave tower out.');
}

/**
 * The files of a Hugging Face model.
 * @typedef {object} FileSet
 * @property {Source | Source[]} weights           one file, several parts or shards, or an index of shards
 * @property {Source | object} [config]            config.json
 * @property {Source | object} [tokenizer]         tokenizer.json
 * @property {Source | object} [tokenizerConfig]   tokenizer_config.json
 * @property {Source | object} [generationConfig]  generation_config.json
 * @property {Source} [chatTemplate]               chat_template.jinja
 * @property {Source | object} [preprocessor]      preprocessor_config.json of a model that reads pictures
 * @property {Source | object} [modules]           modules.json of sentence-transformers
 * @property {Source | object} [pooling]           its 1_Pooling/config.json
 * @property {Source | object} [denseConfig]       its 2_Dense/config.json
 * @property {Source} [dense]                      its 2_Dense/model.safetensors
 * @property {Source | object} [secondDenseConfig] its 3_Dense/config.json
 * @property {Source} [secondDense]                its 3_Dense/model.safetensors
 */

const PARTS = ['weights', 'config', 'tokenizer', 'tokenizerConfig', 'generationConfig', 'chatTemplate',
  'preprocessor', 'modules', 'pooling', 'denseConfig', 'dense', 'secondDenseConfig', 'secondDense'];

/** @param {any} source @returns {source is FileSet} */
function isFileSet(source) {
  return typeof source === 'object' && source !== null && 'weights' in source;
}

/**
 * Without config.json the weights must be GGUF, in one file or in parts; a tokenizer.json replaces its tokenizer.
 * @param {FileSet} files
 * @param {OpenOptions} options
 * @returns {Promise<ModelFile>}
 */
async function openFileSet(files, options) {
  needOptions('a model by its files', files, PARTS);
  const open = (/** @type {any} */ part) => (isSource(part) ? openSource(part, downloadOf(options)) : part);
  const opened = Object.fromEntries(Object.entries(files).map(([name, part]) =>
    [name, Array.isArray(part) ? part.map(open) : open(part)]));
  const { weights, config, tokenizer, preprocessor } = opened;
  const chat = await readChatFiles(opened, options.signal);
  if (config !== undefined) {
    const file = await openSafetensors({ weights, config, tokenizer, ends: chat.ends }, options);
    const { vocabulary, patch } = file.config;
    const read = (/** @type {number} */ numbers) => readPictureFormat({ vocabulary, patch: numbers }, preprocessor,
      options.signal, file.architecture);
    return closing(file, async () => ({ ...file, chat,
      pooling: await readPooling(opened, file.config.d_model, options.signal),
      ...(patch && { picture: await read(patch) }),
      ...towerFile(file) }));
  }
  needNoTower(options);
  const file = await (Array.isArray(weights) ? openSplitGguf(weights, options) : openModelFile(weights, options));
  if (tokenizer === undefined) return { ...file, chat };
  return closing(file, async () => ({ ...file, chat,
    tokenizer: await readTokenizer(tokenizer, chat.ends, file.config.vocabulary, options.signal) }));
}

/** The result of `read`; an error closes the file.
 *  @param {ModelFile} file @param {() => Promise<ModelFile>} read */
async function closing(file, read) {
  try {
    return await read();
  } catch (error) {
    await file.close();
    throw error;
  }
}
