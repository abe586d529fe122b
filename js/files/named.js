/** Opens a model of any source of `load`, also by a name of a hub, and does not keep it. */
import { resolve } from './keep/resolve.js';
import { openModelFile } from './model-file.js';

/**
 * Opens a model and reads everything except its weights.
 * @type {typeof openModelFile}
 */
export async function openNamedModel(source, options = {}) {
  const { signal, ...rest } = options;
  const found = await resolve(source, { ...rest, ...(signal && { signal }) });
  return openModelFile(found.source, options);
}
