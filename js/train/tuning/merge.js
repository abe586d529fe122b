/** Adds an adapter to the weights of its model. */
import { chooseEngine } from '../../engine/choose.js';
import { Engine } from '../../engine/wasm.js';
import { readAdapter } from '../../files/adapter.js';
import { openModelFile } from '../../files/model-file.js';
import { createSession } from '../../model/create-session.js';
import { needOptions } from '../../options.js';
import { modelFiles } from './export.js';

/**
 * Writes a model with an adapter merged into its weights: W + scale·B·A, rounded to the type of the file.
 * @param {import('../../model/load.js').ModelSource} source  the model that the adapter was trained on
 * @param {import('../../files/adapter.js').AdapterSource} adapter  files of the adapter
 * @param {import('./export.js').ModelFormat & { signal?: AbortSignal }} [options]  format and type of the matrices
 * @returns {Promise<import('./export.js').Files>} bytes by name: `model.gguf`, or `model.safetensors` and `config.json`
 * @throws {HeedError} 'bad-argument', 'unsupported' for a format that cannot hold the model, and the errors of `load`
 */
export async function mergeAdapter(source, adapter, options = {}) {
  needOptions('mergeAdapter', options, ['format', 'type', 'signal']);
  const { signal, ...format } = options;
  const read = await readAdapter(adapter, signal);
  const file = await openModelFile(source, { signal: signal ?? null });
  try {
    const chosen = await chooseEngine({ threads: 1 }, file.fileBytes, { floatsOnly: true });
    const engine = await Engine.create(chosen.kernels, 1);
    const { session } = await createSession(engine, file, chosen, { contextLength: 1, maps: false, adapter: read,
      ...(signal && { signal }) });
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
