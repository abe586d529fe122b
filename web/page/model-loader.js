/** Loads a model, and shows progress and errors. The previous model stays in use until then. */
import { HeedError } from '../../js/index.js';
import { h, messageOf } from '../elements/dom.js';
import { loadModel } from './first-model.js';
import { formatProgress, isAbort } from './format.js';
import { isElsewhere, keepsModels } from './keep-choice.js';
import { hide, showNotice } from './view.js';

/** @typedef {import('../../js/index.js').Model} Model */
/** @typedef {import('../../js/index.js').Source} Source */
/** @typedef {'text' | 'vision'} Tower a model of a CLIP file */

/**
 * @typedef {object} LoadingViews
 * @property {HTMLElement} loading visible while a model loads
 * @property {HTMLProgressElement} progress
 * @property {HTMLElement} loadingText
 * @property {HTMLElement} error
 */

export class ModelLoader {
  /** Number of requests for a model, also of folders that are still read. */
  requests = 0;
  #views;
  #onModel;
  /** @type {AbortController | null} */
  #abort = null;

  /**
   * @param {LoadingViews} views
   * @param {(model: Model, source: Source, tower?: Tower) => Promise<void>} onModel called with the loaded model
   */
  constructor(views, onModel) {
    this.#views = views;
    this.#onModel = onModel;
  }

  /** Aborts loading. */
  cancel() {
    this.#abort?.abort();
  }

  /**
   * Loads a model. An earlier request is aborted.
   * @param {Source} source
   * @param {string} name shown while the model loads
   * @param {{ keep?: boolean, tower?: Tower }} [options] keep: default: the user's choice, for models of other sites.
   *   tower: default: the user chooses one if the file has two
   */
  async open(source, name, { keep = isElsewhere(source) && keepsModels(), tower } = {}) {
    const { loading, progress, loadingText, error } = this.#views;
    this.requests++;
    this.cancel();
    const abort = this.#abort = new AbortController();
    loading.hidden = false;
    hide(error);
    progress.removeAttribute('value');
    loadingText.textContent = `Opening ${name}`;
    try {
      const model = await loadModel(source, {
        ...(keep && { keep }),
        ...(tower && { tower }),
        signal: abort.signal,
        onProgress: ({ phase, loadedBytes, totalBytes }) => {
          if (this.#abort !== abort) return;
          loadingText.textContent = `${name}, ${formatProgress(phase, loadedBytes, totalBytes)}`;
          if (totalBytes) progress.value = loadedBytes / totalBytes;
        },
      });
      if (this.#abort !== abort) model.dispose();
      else await this.#onModel(model, source, tower);
      if (model.info.kept?.kept === false) showNotice(model.info.kept.why);
    } catch (reason) {
      if (this.#abort !== abort) return;
      if (needsTower(reason)) {
        error.replaceChildren('The CLIP file has two models: one reads texts, the other pictures. ',
          h('span', { class: 'choices', role: 'group', 'aria-label': 'Models of the CLIP file' },
            this.#openButton('Open the text model', source, name, { keep, tower: 'text' }),
            this.#openButton('Open the picture model', source, name, { keep, tower: 'vision' })));
        error.hidden = false;
        return;
      }
      const retriable = isRetriable(reason);
      const why = isAbort(reason) ? 'Loading was canceled.'
        : lacksConfig(source, reason) ? LACKS_CONFIG : messageOf(reason);
      error.textContent = `${name} was not loaded. ${retriable ? why.replace(/ Try again\.$/, '') : why} `;
      if (retriable) error.append(this.#openButton('Try again', source, name, { keep, tower }));
      error.hidden = false;
    } finally {
      if (this.#abort === abort) {
        this.#abort = null;
        hide(loading);
      }
    }
  }

  /** @param {string} text @param {Source} source @param {string} name
   *  @param {{ keep: boolean, tower?: Tower }} options */
  #openButton(text, source, name, options) {
    const button = h('button', { type: 'button' }, text);
    button.addEventListener('click', () => void this.open(source, name, options));
    return button;
  }
}

const LACKS_CONFIG = 'A .safetensors file has only weights. Open it together with config.json and tokenizer.json of '
  + 'the model. Models of the lessons, such as copy.safetensors, open in the lessons.';

/** True if files of weights were opened without their configuration. @param {Source} source @param {unknown} reason */
const lacksConfig = (source, reason) => typeof source === 'object' && reason instanceof HeedError
  && reason.message.includes('load({');

/** True if a CLIP file was opened without its tower. @param {unknown} reason */
const needsTower = (reason) => reason instanceof HeedError && reason.message.includes('option tower: ');

/** True if loading may succeed later. @param {unknown} reason */
const isRetriable = (reason) =>
  reason instanceof HeedError && (reason.code === 'unavailable' || reason.code === 'truncated');
