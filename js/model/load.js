import { guarded } from '../guard.js';
import { needOptions } from '../options.js';

/** @typedef {import('../files/source.js').Source} Source */
/**
 * A GGUF or safetensors file; or a Hugging Face model by its files.
 * @typedef {Source | { weights: Source | Source[], config?: Source | object, tokenizer?: Source | object }} ModelSource
 */

/** @typedef {import('./model.js').Model} Model */
/** What a model does, in this thread or behind a Worker.
 *  @typedef {Pick<Model, keyof Model>} LoadedModel */

/**
 * @typedef {object} LoadOptions
 * @property {number} [contextLength]  positions of the session; default: the model's, as far as a gigabyte holds them
 * @property {number | 'auto'} [threads]  one where memory cannot be shared; info.engine says what runs, and why
 * @property {'auto' | 'scalar' | 'simd128' | 'relaxed'} [engine]  default: relaxed SIMD where it is there and right
 * @property {boolean} [strict]        bit-identical results on every engine and machine: never relaxed SIMD
 * @property {import('./quantize.js').Quantize} [quantize]  what matrices become while they stream in; default 'keep':
 *   the types of the file. model.info says what they are (types), and which could not be turned (unquantized)
 * @property {boolean} [maps]          default true: keep what attention() needs
 * @property {'auto' | 'f32' | 'int16'} [cache]  of queries, keys and values; auto: int16 for quantised weights (half of
 *   the memory, faster after many tokens), f32 where all are floats
 * @property {boolean} [worker]        default true in browsers, false in Node
 * @property {string} [hub]            where sources like ‘hf:owner/name/file.gguf’ lie; default https://huggingface.co
 * @property {number} [stallMs]        how long a server may send nothing before the connection counts as broken and the
 *   download goes on over a new one; default 30 000 (STALL_MS in download.js)
 * @property {(progress: { phase: string, loadedBytes: number, totalBytes: number | null }) => void} [onProgress]
 * @property {AbortSignal} [signal]
 */

const OPTIONS = ['contextLength', 'threads', 'engine', 'strict', 'quantize', 'maps', 'cache', 'worker', 'hub',
  'stallMs', 'onProgress', 'signal'];
const IN_PAGE = typeof window === 'object' && typeof document === 'object' && typeof Worker === 'function';

/**
 * Loads a model and makes it ready to run.
 * @type {(source: ModelSource, options?: LoadOptions) => Promise<LoadedModel>}
 * @throws {HeedError}
 */
export const load = guarded('load', async (source, options) => {
  needOptions('load', options, OPTIONS);
  return open(source, options ?? {});
});

/** @param {ModelSource} source @param {LoadOptions} options @returns {Promise<LoadedModel>} */
async function open(source, options) {
  // Imported when needed: a page that runs the model in a Worker fetches the engine's code once, there.
  if (options.worker ?? IN_PAGE) {
    const { RemoteModel } = await import('./remote.js');
    return RemoteModel.load(source, options);
  }
  const [{ Model }, { openModelFile }] = await Promise.all([import('./model.js'), import('../files/model-file.js')]);
  return Model.load(openModelFile, source, options);
}
