/** The entry to conversations. Opening the panel loads its code. */
import { h, messageOf } from '../elements/dom.js';
import { view } from './view.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {import('./chat/panel.js').ChatPanel} ChatPanel */

export class Chat {
  #app;
  /** @type {Promise<ChatPanel> | null} */
  #loading = null;
  /** @type {ChatPanel | null} */
  #panel = null;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  /** Loads the panel, which is open. */
  async open() {
    const { chat } = view;
    const problem = chat.querySelector('.error');
    try {
      this.#loading ??= import('./chat/panel.js').then(({ ChatPanel }) => new ChatPanel(this.#app));
      if (this.#panel) return;
      this.#panel = await this.#loading;
      problem?.remove();
      chat.append(this.#panel.element);
    } catch (error) {
      this.#loading = null; // the next opening tries again
      problem?.remove();
      chat.append(h('p', { class: 'error', role: 'alert' }, `The panel could not be loaded: ${messageOf(error)}`));
    }
  }

  /** The page has loaded another model. */
  modelChanged() {
    this.#panel?.modelChanged();
  }

  /** The reply has more text. @param {string} text */
  follow(text) {
    this.#panel?.follow(text);
  }
}
