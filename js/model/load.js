/** The entry point `load`: resolves names, then opens a model here or in a Worker, if needed in 64-bit memory. */
import { IN_PAGE } from '../engine/port.js';
import { guarded } from '../guard.js';
import { needOptions } from '../options.js';
import { RemoteModel } from './remote.js';
import { isFileSet } from './source-message.js';

/** @typedef {import('../files/source.js').Source} Source */
/**
 * A model: one GGUF file, or the files of a Hugging Face model.  A string is a path of a file or folder in Node, and a
 * URL in a browser.  'hf:owner/name' is a repository of the Hugging Face hub, 'hf:owner/name/file.gguf' its file.  An
 * array has the parts of a split file.  `weights` is one file, several parts or shards, or an index of shards; `config`
 * and `tokenizer` are config.json and tokenizer.json, as files or parsed.  For `chat`, `tokenizerConfig`,
 * `generationConfig` and `chatTemplate` are tokenizer_config.json, generation_config.json and chat_template.jinja.  For
 * pictures, `preprocessor` is preprocessor_config.json.  For `embed`, `modules` is modules.json, and `pooling` is
 * 1_Pooling/config.json.  `denseConfig` and `dense` are config.json and model.safetensors in 2_Dense;
 * `secondDenseConfig` and `secondDense` the same files in 3_Dense.
 * @typedef {Source | Source[] | FileSet} ModelSource
 *
 * @typedef {import('../files/model-file.js').FileSet} FileSet
 */

/** @typedef {import('./local.js').LocalModel} LocalModel */
/** A loaded model: the public members of LocalModel, in this thread or in a Worker.
 *  @typedef {Pick<LocalModel, keyof LocalModel>} LoadedModel */

/**
 * Options of `load`.
 * @typedef {object} LoadOptions
 * @property {number} [contextLength]  number of positions of the session; default: the model's context, reduced until
 *   the session needs at most 1 GB
 * @property {number | 'auto'} [threads]  number of threads; default 'auto': up to 4 for large models, 1 where memory
 *   cannot be shared.  `info.engine.why` gives the reason
 * @property {'auto' | 'scalar' | 'simd128' | 'relaxed' | 'relaxed-u8' | 'relaxed-s8'} [engine]  kernel set; default
 *   'auto': relaxed SIMD where it works, else simd128.  relaxed-u8 and relaxed-s8 multiply whole bytes, in engines that
 *   do it exactly; 'auto' prefers them, 'relaxed' excludes them
 * @property {boolean} [strict]        whether results must be bit-identical on every machine, which excludes relaxed
 *   SIMD; default false
 * @property {import('./quantize.js').Quantize} [quantize]  type to which matrices are converted while they load;
 *   default 'keep': the types of the file.  `info.types` lists the result, `info.unquantized` the exceptions
 * @property {boolean} [maps]          whether the session keeps queries, which `attention()` needs; default true
 * @property {'auto' | 'f32' | 'int16'} [cache]  number type of cached queries, keys and values; default 'auto': int16
 *   for quantized weights (half of the memory, and faster), f32 for float weights
 * @property {import('../files/adapter.js').AdapterSource} [adapter]  adapter of low rank for this model, as a GGUF file
 *   of llama.cpp or in the layout of PEFT: `weights` is adapter_model.safetensors, `config` is adapter_config.json
 * @property {'text' | 'vision'} [tower]  the model of a CLIP file to load: its tower of texts, or of pictures
 * @property {boolean} [memory64]      whether the engine has 64-bit memory: up to 16 GB, and slower prompts;
 *   default: only if the model needs more than 4 GB.  `false` refuses such a model.  Node.js 22 and WebKit lack it
 * @property {boolean} [worker]        whether the model runs in a Worker; default true in browsers, false in Node
 * @property {string} [hub]            server of sources such as 'hf:owner/name'; default https://huggingface.co
 * @property {boolean} [keep]          whether the files of addresses are stored here, and later opened from here,
 *   without a request; default false.  `info.kept` says whether it succeeded
 * @property {boolean} [offline]       whether only kept files are opened, without a request; default false
 * @property {() => string | undefined | Promise<string | undefined>} [token]  function that returns the access token
 *   of the hub; undefined: no token.  It is called at most once per load, and only the hub receives the token
 * @property {number} [stallMs]        milliseconds without data after which a download reconnects; default 30 000
 * @property {(progress: { phase: string, loadedBytes: number, totalBytes: number | null }) => void} [onProgress]
 *   listener of progress; totalBytes is null while it is unknown
 * @property {AbortSignal} [signal]    signal that aborts loading
 */

const OPTIONS = ['contextLength', 'threads', 'engine', 'strict', 'quantize', 'maps', 'cache', 'adapter', 'tower',
  'memory64', 'worker', 'hub', 'keep', 'offline', 'token', 'stallMs', 'onProgress', 'signal'];

/**
 * Loads a model: reads the file as a stream, places its weights in WebAssembly memory, and creates its session.
 * @param {ModelSource} source  the model's file or files
 * @param {LoadOptions} [options]  context, engine, types and progress; every option has a default
 * @returns {Promise<LoadedModel>} the model, ready to run
 * @throws {HeedError} 'bad-source', 'unavailable', 'truncated', 'bad-file', 'bad-config', 'bad-tensor',
 *   'bad-tokenizer', 'unsupported', 'too-large', 'out-of-memory', 'bad-argument', 'aborted'
 * @type {(source: ModelSource, options?: LoadOptions) => Promise<LoadedModel>}
 */
export const load = guarded('load', async (source, options) => {
  needOptions('load', options, OPTIONS);
  return open(source, options ?? {});
});

/** Sources that are more than one address: a name or a page of a hub, or a part of a split file. */
const NAMED = /^hf:|-of-\d{5}\.gguf$|\/huggingface\.co\/[^/]+\/[^/]+(\/tree\/[^/]+)?\/?$/i;

/** Whether the readers of files open a source as it is.  In Node, a string may be a folder.
 *  @param {any} source @returns {boolean} */
const isPlain = (source) => (typeof source === 'string' || source instanceof URL
  ? IN_PAGE && !NAMED.test(String(source)) : !Array.isArray(source) && !isFileSet(source));

/** @param {ModelSource} source @param {LoadOptions} options @returns {Promise<LoadedModel>} */
async function open(source, { keep, offline, token, hub, ...given }) {
  const named = { keep, offline, token, hub };
  if (isPlain(source) && isPlain(given.adapter) && Object.values(named).every((value) => value === undefined)) {
    return openPlain(source, given);
  }
  const { resolve } = await import('../files/keep/resolve.js');
  const { source: found, kept } = await resolve(source, { ...given, ...named });
  const adapter = given.adapter && (await resolve(given.adapter, { ...given, ...named })).source;
  const model = await openPlain(found, { ...given, adapter });
  if (kept) model.info.kept = kept;
  return model;
}

/** @param {ModelSource} source @param {any} options @returns {Promise<LoadedModel>} */
async function openPlain(source, options) {
  try {
    return await openOnce(source, options);
  } catch (error) {
    if (/** @type {any} */ (error).code !== 'needs-memory') throw error;
    return (await import('./large.js')).openLarge(openOnce, source, options, /** @type {any} */ (error));
  }
}

/** @param {ModelSource} source @param {any} options @returns {Promise<LoadedModel>} */
async function openOnce(source, { adapter: files, ...given }) {
  const adapter = files && await (await import('../files/adapter.js')).readAdapter(files, given.signal);
  /** @type {import('./create-session.js').OpenOptions} */
  const options = { ...given, ...(adapter && { adapter }) };
  if (options.worker ?? IN_PAGE) return RemoteModel.load(source, options);
  // A dynamic import, so that a page with a Worker does not also fetch the engine's code for its own thread.
  return (await import('./local.js')).LocalModel.open(source, options);
}
