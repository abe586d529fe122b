/** The entry to trainings on the user's own text. Opening the panel loads its code. */
import { h, messageOf } from '../elements/dom.js';
import { view } from './view.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {import('./learn/panel.js').LearnPanel} LearnPanel */

export class Learn {
  #app;
  /** @type {Promise<LearnPanel> | null} */
  #loading = null;
  /** @type {LearnPanel | null} */
  #panel = null;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  /** Loads the panel, which is open. */
  async open() {
    const { learn } = view;
    const problem = learn.querySelector('.error');
    try {
      this.#loading ??= import('./learn/panel.js').then(({ LearnPanel }) => new LearnPanel(this.#app));
      if (this.#panel) return;
      this.#panel = await this.#loading;
      problem?.remove();
      learn.append(this.#panel.element);
    } catch (error) {
      this.#loading = null; // the next opening tries again
      problem?.remove();
      learn.append(h('p', { class: 'error', role: 'alert' }, `The panel could not be loaded: ${messageOf(error)}`));
    }
  }

  /** The page has loaded another model. */
  modelChanged() {
    this.#panel?.modelChanged();
  }
}
