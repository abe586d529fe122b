import { guarded } from '../guard.js';
import { needOptions } from '../options.js';
import { RemoteModel } from './remote.js';

/** @typedef {import('../files/source.js').Source} Source */
/**
 * A model: one GGUF file, or the files of a Hugging Face model.  A string is a path in Node and a URL in a browser;
 * 'hf:owner/name/file.gguf' is a file of the Hugging Face hub.  `weights` is one safetensors file, several shards, or
 * an index of shards; `config` and `tokenizer` are config.json and tokenizer.json, as files or parsed.
 * @typedef {Source | { weights: Source | Source[], config?: Source | object, tokenizer?: Source | object }} ModelSource
 */

/** @typedef {import('./model.js').Model} Model */
/** A loaded model: the public members of Model, in this thread or in a Worker.
 *  @typedef {Pick<Model, keyof Model>} LoadedModel */

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
 * @property {import('../files/adapter.js').AdapterSource} [adapter]  adapter of low rank for this model, in the layout
 *   of PEFT: `weights` is adapter_model.safetensors, `config` is adapter_config.json
 * @property {boolean} [worker]        whether the model runs in a Worker; default true in browsers, false in Node
 * @property {string} [hub]            server of sources such as 'hf:owner/name/file.gguf'; default
 *   https://huggingface.co
 * @property {number} [stallMs]        milliseconds without data after which a download reconnects; default 30 000
 * @property {(progress: { phase: string, loadedBytes: number, totalBytes: number | null }) => void} [onProgress]
 *   listener of progress; totalBytes is null while it is unknown
 * @property {AbortSignal} [signal]    signal that aborts loading
 */

const OPTIONS = ['contextLength', 'threads', 'engine', 'strict', 'quantize', 'maps', 'cache', 'adapter', 'worker',
  'hub', 'stallMs', 'onProgress', 'signal'];
const IN_PAGE = typeof window === 'object' && typeof document === 'object' && typeof Worker === 'function';

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

/** @param {ModelSource} source @param {LoadOptions} options @returns {Promise<LoadedModel>} */
async function open(source, { adapter: files, ...given }) {
  const adapter = files && await (await import('../files/adapter.js')).readAdapter(files, given.signal);
  /** @type {import('./create-session.js').OpenOptions} */
  const options = { ...given, ...(adapter && { adapter }) };
  if (options.worker ?? IN_PAGE) return RemoteModel.load(source, options);
  // Dynamic imports, so that a page with a Worker does not also fetch the engine's code for its own thread.
  const [{ Model }, { openModelFile }] = await Promise.all([import('./model.js'), import('../files/model-file.js')]);
  return Model.load(openModelFile, source, options);
}
