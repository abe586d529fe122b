/** Loads models. The default model starts to load when this module runs, before the other modules are loaded. */
import { load } from '../../js/index.js';

/** @typedef {import('../../js/index.js').Model} Model */
/** @typedef {import('../../js/index.js').Source} Source */
/** @typedef {Pick<import('../../js/index.js').LoadOptions, 'signal' | 'onProgress' | 'keep' | 'tower'>} Options */

export const DEFAULT_MODEL = 'stories.gguf';
export const DEFAULT_MODEL_URL = new URL(`./models/${DEFAULT_MODEL}`, document.baseURI);

/** The model that is loading for the first call of `loadModel`; null after it. */
let first = new URLSearchParams(location.hash.slice(1)).get('model') ? null : startDefault();

function startDefault() {
  const abort = new AbortController();
  /** @type {Options} */
  const options = {};
  const model = load(DEFAULT_MODEL_URL, { signal: abort.signal, onProgress: (now) => options.onProgress?.(now) });
  model.catch(() => {}); // loadModel() reports it
  return { abort, options, model };
}

/**
 * Loads a model, as `load` does.
 * @param {Source} source
 * @param {Options} options
 * @returns {Promise<Model>}
 */
export function loadModel(source, options) {
  const started = first;
  first = null;
  if (started && source instanceof URL && source.href === DEFAULT_MODEL_URL.href) {
    started.options.onProgress = options.onProgress;
    if (options.signal?.aborted) started.abort.abort();
    options.signal?.addEventListener('abort', () => started.abort.abort(), { once: true });
    return started.model;
  }
  started?.abort.abort();
  void started?.model.then((model) => model.dispose(), () => {}); // it may have been complete
  return load(source, options);
}
