/** The adapter and the merged model as files. */
import { zip } from '../../../js/files/zip.js';
import { mergeAdapter } from '../../../js/train/index.js';

/** @typedef {import('../../../js/index.js').Source} Source */
/** @typedef {NonNullable<import('../../../js/train/index.js').FineTuned['adapter']>} Adapter */

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
 * The model with the adapter merged into its weights: a GGUF file, or an archive of safetensors and config.json.
 * @param {Source} source the model before
 * @param {Adapter} adapter
 * @param {'gguf' | 'safetensors'} format that of the source
 * @param {AbortSignal} signal
 * @returns {Promise<Blob>}
 */
export async function mergedFile(source, adapter, format, signal) {
  const files = await mergeAdapter(source, adapter, { format, signal });
  return format === 'gguf' ? new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (files['model.gguf'])]) : archive(files);
}
