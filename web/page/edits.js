/** The entry to changes of the run. The first change loads their code, so the page opens as fast without it. */
import { showNotice, view } from './view.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {import('./edits/editor.js').Editor} Editor */

/** The model of the example. */
const EXAMPLE_MODEL = 'heed stories';

export class Edits {
  #app;
  /** @type {Promise<Editor> | null} */
  #loading = null;
  /** The editor, once it is loaded. @type {Editor | null} */
  editor = null;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  /**
   * Calls work with the editor. The first call loads the editor.
   * @param {(editor: Editor) => unknown} act
   */
  async use(act) {
    try {
      this.#loading ??= import('./edits/editor.js').then(({ Editor }) => new Editor(this.#app));
      this.editor = await this.#loading;
      await act(this.editor);
    } catch (error) {
      if (!this.editor) this.#loading = null; // the next call tries again
      this.#app.fail(error);
    }
  }

  /** True if the keys for undo apply to changes, because the focus is in their controls. @param {Event} event */
  takesUndo(event) {
    const isInside = [view.edits, view.grid, view.map].some((element) => event.composedPath().includes(element));
    return isInside && this.editor?.canUndo === true;
  }

  /** Shows the changes of an address. @param {string | undefined} changes as the address writes them */
  async openAddress(changes) {
    if (changes === undefined && !this.editor) return;
    await this.use((editor) => {
      const problem = editor.readAddress(changes ?? '');
      if (problem) showNotice([view.notice.textContent, problem].filter(Boolean).join(' '));
    });
  }

  /** @param {string} name of the model that is loaded now */
  modelChanged(name) {
    view.tryEdit.hidden = name !== EXAMPLE_MODEL;
    this.editor?.modelChanged();
  }
}
