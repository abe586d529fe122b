/** Adds an adapter to the weights of its model. */
import { chooseEngine } from '../../engine/choose.js';
import { IN_PAGE } from '../../engine/port.js';
import { Engine } from '../../engine/wasm.js';
import { readAdapter } from '../../files/adapter.js';
import { openNamedModel } from '../../files/named.js';
import { guarded } from '../../guard.js';
import * as adapting from '../../model/adapter.js';
import { createSession } from '../../model/create-session.js';
import { cloneable } from '../../model/source-message.js';
import { needOptions } from '../../options.js';
import { callWorker } from '../call-worker.js';
import { modelFiles } from './export.js';

/**
 * Options of `mergeAdapter` beside the format.
 * @typedef {object} MergingOptions
 * @property {boolean} [worker]  whether a Worker merges; default true in browsers, false in Node
 * @property {AbortSignal} [signal]  signal that aborts the merge
 */
/** Options of `mergeAdapter`.  @typedef {import('./export.js').ModelFormat & MergingOptions} MergeOptions */

/**
 * Writes a model with an adapter merged into its weights: W + scale·B·A, rounded to the type of the file.
 * @param {import('../../model/load.js').ModelSource} source  the model that the adapter was trained on
 * @param {import('../../files/adapter.js').AdapterSource} adapter  files of the adapter
 * @param {MergeOptions} [options]  format and type of the matrices
 * @returns {Promise<import('./export.js').Files>} bytes by name: `model.gguf`, or `model.safetensors` and `config.json`
 * @throws {HeedError} 'bad-argument', 'unsupported' for a format that cannot hold the model, and the errors of `load`
 * @type {(source: import('../../model/load.js').ModelSource, adapter: import('../../files/adapter.js').AdapterSource,
 *   options?: MergeOptions) => Promise<import('./export.js').Files>}
 */
export const mergeAdapter = guarded('mergeAdapter', async (source, adapter, options = {}) => {
  needOptions('mergeAdapter', options, ['format', 'type', 'worker', 'signal']);
  const { worker = IN_PAGE, ...rest } = options;
  if (!worker) return merge(source, adapter, rest);
  const { signal, ...format } = rest;
  return callWorker('merge', { source: cloneable(source), adapter: cloneable(adapter), format },
    { ...(signal && { signal }) });
});

/**
 * @param {import('../../model/load.js').ModelSource} source
 * @param {import('../../files/adapter.js').AdapterSource} adapter
 * @param {import('./export.js').ModelFormat & { signal?: AbortSignal }} options
 * @returns {Promise<import('./export.js').Files>}
 * @internal
 */
export async function merge(source, adapter, { signal, ...format }) {
  const read = await readAdapter(adapter, signal);
  const file = await openNamedModel(source, { signal: signal ?? null });
  try {
    const chosen = await chooseEngine({ threads: 1 }, file.fileBytes, { floatsOnly: true });
    const engine = await Engine.create(chosen.kernels, 1);
    const { session } = await createSession(engine, file, chosen, { contextLength: 1, maps: false, adapter: read,
      adapting, ...(signal && { signal }) });
    const valueOf = async (/** @type {string} */ slot) => {
      const weight = await session.weight(slot);
      return /** @type {import('../../model/hooks.js').Activation} */ (weight).data;
    };
    try {
      return await modelFiles(file, valueOf, format);
    } finally {
      session.close();
    }
  } finally {
    await file.close();
  }
}
