/** The result of a training, an adapter or new weights of the model: its model, and its files. */
import { zip } from '../../../js/files/zip.js';
import { load } from '../../../js/index.js';
import { adapterToGguf, mergeAdapter } from '../../../js/train/index.js';

/** @typedef {import('../../../js/index.js').Source} Source */
/** @typedef {import('../../../js/index.js').Model} Model */
/** @typedef {NonNullable<import('../../../js/train/index.js').FineTuned['adapter']>} Adapter */
/** Bytes by file name. @typedef {NonNullable<import('../../../js/train/index.js').FineTuned['model']>} Files */

/**
 * The trained numbers, with the model before. Either `adapter` or `files` is null.
 * @typedef {object} Trained
 * @property {Source} source the model before
 * @property {Model['info']} info of the model before
 * @property {Adapter | null} adapter
 * @property {Files | null} files of the model whose own weights learned
 */

/**
 * The type of a model with float weights, in which its trained weights are written.
 * @param {Model['info']} info
 * @returns {'f32' | 'f16' | null} null for quantized weights, which cannot learn
 */
export function floatType({ types }) {
  const names = Object.keys(types);
  if (!names.every((name) => ['F32', 'F16', 'BF16'].includes(name))) return null;
  return names.length === 1 && names[0] === 'F32' ? 'f32' : 'f16'; // norms are F32 beside matrices of F16
}

/**
 * Loads the trained model.
 * @param {Trained} trained
 * @returns {Promise<Model>}
 */
export async function loadTrained({ source, adapter, files }) {
  if (adapter) return load(source, { adapter });
  if (files?.['model.gguf']) return load(files['model.gguf']);
  const { tokenizer } = /** @type {{ tokenizer?: Source }} */ (source); // safetensors are always a set of files
  return load({ weights: /** @type {Files} */ (files)['model.safetensors'],
    config: /** @type {Files} */ (files)['config.json'], ...(tokenizer && { tokenizer }) });
}

/** @param {Record<string, Uint8Array>} files @returns {Blob} a ZIP archive */
function archive(files) {
  const parts = Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, [bytes]]));
  return new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (zip(parts))], { type: 'application/zip' });
}

/** The adapter in the layout of PEFT, which is a folder of two files. @param {Adapter} adapter @returns {Blob} */
export const adapterFile = ({ weights, config }) => archive({
  'adapter_model.safetensors': weights,
  'adapter_config.json': new TextEncoder().encode(`${JSON.stringify(config, null, 2)}\n`),
});

/**
 * The adapter as a file for llama.cpp.
 * @param {Source} source the model before
 * @param {Adapter} adapter
 * @param {AbortSignal} signal
 * @returns {Promise<Blob>}
 */
export const adapterGguf = async (source, adapter, signal) =>
  new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (await adapterToGguf(source, adapter, { signal }))]);

/**
 * The trained model: a GGUF file, or an archive of safetensors and config.json. An adapter is merged into the weights.
 * @param {Trained} trained
 * @param {AbortSignal} signal
 * @returns {Promise<Blob>}
 */
export async function modelFile({ source, info: { format }, adapter, files }, signal) {
  const written = files
    ?? await mergeAdapter(source, /** @type {Adapter} */ (adapter), { format, signal });
  return format === 'gguf' ? new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (written['model.gguf'])])
    : archive(written);
}
