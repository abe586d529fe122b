/** Loads a model while the one before it stays in use; shows how far it is, and stops when asked. */
import { HeedError, load } from '../../js/index.js';
import { messageOf, isAbort, formatProgress } from './format.js';

/** @typedef {import('../../js/index.js').Model} Model */
/** @typedef {import('../../js/index.js').Source} Source */

/**
 * @typedef {object} LoadingViews
 * @property {HTMLElement} loading shown while something loads
 * @property {HTMLProgressElement} progress
 * @property {HTMLElement} words
 * @property {HTMLElement} error
 */

export class ModelLoader {
  #views;
  #onModel;
  /** @type {AbortController | null} */
  #abort = null;

  /**
   * @param {LoadingViews} views
   * @param {(model: Model, source: Source) => Promise<void>} onModel takes the new model over
   */
  constructor(views, onModel) {
    this.#views = views;
    this.#onModel = onModel;
  }

  cancel() {
    this.#abort?.abort();
  }

  /**
   * @param {Source} source
   * @param {string} name what it is called while it loads
   */
  async open(source, name) {
    const { loading, progress, words, error } = this.#views;
    this.cancel();
    const abort = this.#abort = new AbortController();
    error.hidden = true;
    loading.hidden = false;
    progress.removeAttribute('value');
    words.textContent = `Opening ${name}`;
    try {
      const model = await load(source, {
        signal: abort.signal,
        onProgress: ({ phase, loadedBytes, totalBytes }) => {
          if (this.#abort !== abort) return;
          words.textContent = `${name}, ${formatProgress(phase, loadedBytes, totalBytes)}`;
          if (totalBytes) progress.value = loadedBytes / totalBytes;
        },
      });
      if (this.#abort !== abort) model.dispose();
      else await this.#onModel(model, source);
    } catch (reason) {
      if (this.#abort !== abort) return;
      const again = mayComeLater(reason);
      const why = isAbort(reason) ? 'It was cancelled.' : isAlone(source, reason) ? ALONE : messageOf(reason);
      error.textContent = `${name} was not loaded. ${again ? why.replace(/ Try again\.$/, '') : why} `;
      if (again) error.append(this.#again(source, name));
      error.hidden = false;
    } finally {
      if (this.#abort === abort) {
        this.#abort = null;
        loading.hidden = true;
      }
    }
  }

  /** @param {Source} source @param {string} name */
  #again(source, name) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Try again';
    button.addEventListener('click', () => void this.open(source, name));
    return button;
  }
}

const ALONE = 'A .safetensors file holds weights only. Open it together with the config.json and the tokenizer.json of '
  + 'its model.';

/** Whether weights came without their configuration. @param {Source} source @param {unknown} reason */
const isAlone = (source, reason) => source instanceof File && source.name.endsWith('.safetensors')
  && reason instanceof HeedError && reason.message.includes('load({');

/** Whether the same source may be read another time. @param {unknown} reason */
const mayComeLater = (reason) =>
  reason instanceof HeedError && (reason.code === 'unavailable' || reason.code === 'truncated');
