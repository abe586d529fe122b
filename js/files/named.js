import { resolve } from './keep/resolve.js';
import { openModelFile } from './model-file.js';

/**
 * Opens a model of every source that `load` accepts, without keeping it, and reads everything except its weights.
 * @type {typeof openModelFile}
 */
export async function openNamedModel(source, options = {}) {
  const { signal, ...rest } = options;
  const found = await resolve(source, { ...rest, ...(signal && { signal }) });
  return openModelFile(found.source, options);
}
