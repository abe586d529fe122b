/** The views beside the map: their tabs and their panel. The code of a view loads when it first opens. */
import { h, messageOf } from '../elements/dom.js';
import { isAbort } from './format.js';

/** @typedef {import('../../js/index.js').Model} Model */

/**
 * The content of a view.
 * @typedef {object} Scene
 * @property {Model} model
 * @property {import('./kinds.js').PageText} generation `generation.borrow()` lends the model
 * @property {{ layer: number, head: number }} head the open head
 * @property {number[]} ids of the whole text, at most the context length
 * @property {string[]} tokens their texts
 * @property {import('../draw/provenance.js').Provenance} provenance of saved files
 * @property {number | null} selected position of the selected token
 * @property {(head: { layer: number, head: number }) => void} chooseHead opens a head
 * @property {(head: { layer: number, head: number }) => void} openHead opens a head, and the map
 * @property {(position: number) => void} selectToken selects a token, and shows its candidates
 * @property {(neuron: { layer: number, neuron: number }) => void} cutNeuron cuts a neuron, or restores it
 */

/**
 * Tells how far a view is.
 * @typedef {object} Run
 * @property {AbortSignal} signal aborts when another text, head or view is shown, or by the Cancel button
 * @property {(share: number, text: string) => void} onProgress share: 0 to 1; text: the current work
 */

/**
 * A view: the module of a view exports `makeView(onState): View`.
 * @typedef {object} View
 * @property {HTMLElement} element
 * @property {string} explanation one sentence
 * @property {{ name: string, title: string }} lesson that explains the view
 * @property {(scene: Scene, run: Run) => Promise<void>} show
 * @property {('head' | 'token')[]} [uses] parts of the scene; their changes update the view
 * @property {string} [state] for the page's address; set before `show`
 * @property {boolean} [wide] the view also takes the column of the heads, which move below it
 */

/** @typedef {(onState: () => void) => View} MakeView onState: called when the user has changed the state */

/** The views of the tabs in index.html, in the same order. The map is part of the page.
 *  @type {{ name: string, load?: () => Promise<{ makeView: MakeView }> }[]} */
const VIEWS = [
  { name: 'map' },
  { name: 'lines', load: () => import('./views/lines.js') },
  { name: 'lens', load: () => import('./views/lens.js') },
  { name: 'loss', load: () => import('./views/loss.js') },
  { name: 'shares', load: () => import('./views/shares.js') },
  { name: 'contributions', load: () => import('./views/contributions.js') },
  { name: 'neurons', load: () => import('./views/neurons.js') },
  { name: 'residual', load: () => import('./views/residual.js') },
  { name: 'heads', load: () => import('./views/heads.js') },
  { name: 'difference', load: () => import('./views/difference.js') },
  { name: 'patching', load: () => import('./views/patching.js') },
  { name: 'anatomy', load: () => import('./views/anatomy.js') },
];

/** @param {string} address of a view @returns {[name: string, state: string | undefined]} */
const parseView = (address) => /** @type {[string, string | undefined]} */ (address.split(/:(.*)/s, 2));

/** True if an address names a view. @param {string} address */
export const isView = (address) => VIEWS.some(({ name }) => name === parseView(address)[0]);

/** Milliseconds of work from which progress is shown. */
const PATIENCE_MS = 200;

export class ViewSwitch {
  #page;
  #scene;
  #onChange;
  #open = 'map';
  /** Loaded views by name. @type {Map<string, View>} */
  #views = new Map();
  /** Views that have shown a text. The frames of the others are hidden. @type {Set<View>} */
  #filled = new Set();
  /** @type {AbortController | null} */
  #run = null;
  /** True if the open view shows another text or head than the page. */
  #stale = true;

  #explanation = h('p', { class: 'note' });
  #progress = h('progress', { max: 1, value: 0, 'aria-label': 'Computing the view' });
  #work = h('span');
  #cancel = h('button', { type: 'button' }, 'Cancel');
  #running = h('div', { class: 'view-run', role: 'status', hidden: true }, this.#progress, this.#work, this.#cancel);
  #problem = h('p', { class: 'error', role: 'alert', hidden: true });
  #stage = h('div');

  /**
   * @param {{ tabs: HTMLElement, mapPanel: HTMLElement, viewPanel: HTMLElement }} page
   * @param {{ scene: () => Scene | null, onChange: () => void }} app scene: null while there is no finished text;
   *   onChange: another view is open, or its state changed
   */
  constructor(page, { scene, onChange }) {
    this.#page = page;
    this.#scene = scene;
    this.#onChange = onChange;
    const { tabs, viewPanel } = page;
    viewPanel.append(this.#explanation, this.#running, this.#problem, this.#stage);
    this.#cancel.addEventListener('click', () => this.#run?.abort());
    tabs.addEventListener('click', ({ target }) => {
      const at = [...tabs.children].indexOf(/** @type {Element} */ (target));
      if (at < 0) return;
      void this.open(VIEWS[at].name);
      this.#onChange();
    });
    tabs.addEventListener('keydown', (event) => this.#pressKey(event));
    this.#mark();
  }

  /** Shows the views of a kind of model. @param {string[] | null} names null: all, of decoders */
  only(names) {
    [...this.#page.tabs.children].forEach((tab, at) => {
      /** @type {HTMLElement} */ (tab).hidden = names !== null && !names.includes(VIEWS[at].name);
    });
    if (!this.#has(this.#open)) void this.open();
  }

  /** True if the model has a view. @param {string} name */
  #has(name) {
    const at = VIEWS.findIndex((each) => each.name === name);
    return at >= 0 && !(/** @type {HTMLElement} */ (this.#page.tabs.children[at]).hidden);
  }

  /** The open view and its state for the page's address; empty for the map. */
  get address() {
    if (this.#open === 'map') return '';
    const { state } = this.#views.get(this.#open) ?? {};
    return state ? `${this.#open}:${state}` : this.#open;
  }

  /**
   * Opens a view.
   * @param {string} [address] name of the view, and its state after a colon; default the map
   */
  async open(address = 'map') {
    const [name, state] = parseView(address);
    const { load } = VIEWS.find((each) => each.name === name && this.#has(name)) ?? VIEWS[0];
    this.#abort();
    this.#open = load ? name : 'map';
    this.#stale = true;
    this.#mark();
    if (!load) return;
    if (!this.#views.has(name)) {
      this.#stage.replaceChildren();
      this.#explanation.textContent = '';
      try {
        const { makeView } = await load();
        if (!this.#views.has(name)) this.#views.set(name, makeView(() => this.#restart()));
      } catch (error) {
        this.#say(`The view could not be loaded: ${messageOf(error)}`);
        return;
      }
    }
    const view = this.#views.get(name);
    if (this.#open !== name || !view) return;
    if (state !== undefined) view.state = state;
    this.#mark();
    const { lesson, explanation } = view;
    this.#explanation.replaceChildren(`${explanation} `,
      h('a', { href: `./lessons/${lesson.name}.html` }, lesson.title));
    this.#stage.replaceChildren(view.element);
    this.#stage.classList.toggle('empty', !this.#filled.has(view));
    this.refresh();
  }

  /**
   * Shows the scene in the open view. While the model writes, the view stays.
   * @param {'text' | 'head' | 'token'} [changed] part of the scene that changed, default the text
   */
  refresh(changed = 'text') {
    if (changed !== 'text' && !this.#views.get(this.#open)?.uses?.includes(changed)) return;
    this.#stale = true;
    this.#abort();
    void this.#show();
  }

  /** Ends the current run without a word. */
  #abort() {
    this.#run?.abort();
    this.#run = null;
    this.#running.hidden = true;
  }

  #restart() {
    this.#onChange();
    this.refresh();
  }

  async #show() {
    const view = this.#views.get(this.#open);
    const scene = this.#scene();
    if (!view || !scene || !this.#stale) return;
    this.#stale = false;
    const run = this.#run = new AbortController();
    const shown = () => this.#run === run;
    const patience = setTimeout(() => {
      if (shown()) this.#running.hidden = false; // an aborted view may end later
    }, PATIENCE_MS);
    this.#say('');
    this.#tell(0, 'Computing');
    try {
      await view.show(scene, { signal: run.signal, onProgress: (share, text) => {
        if (shown()) this.#tell(share, text);
      } });
      this.#filled.add(view);
      if (shown()) this.#stage.classList.remove('empty');
    } catch (error) {
      if (!shown()) return;
      if (!isAbort(error)) this.#say(messageOf(error));
      // If another run ended this one, the end of that run shows the view again.
      else if (run.signal.aborted) this.#say('Canceled. Open the view again to compute it.');
    } finally {
      clearTimeout(patience);
      if (shown()) {
        this.#running.hidden = true;
        this.#run = null;
      }
    }
  }

  /** @param {number} share @param {string} text */
  #tell(share, text) {
    this.#progress.value = share;
    this.#work.textContent = text;
  }

  /** @param {string} problem */
  #say(problem) {
    this.#problem.textContent = problem;
    this.#problem.hidden = problem === '';
  }

  /** Marks the open tab. */
  #mark() {
    const { tabs, mapPanel, viewPanel } = this.#page;
    [...tabs.children].forEach((tab, at) => {
      const selected = VIEWS[at].name === this.#open;
      tab.setAttribute('aria-selected', String(selected));
      /** @type {HTMLElement} */ (tab).tabIndex = selected ? 0 : -1;
    });
    mapPanel.hidden = this.#open !== 'map';
    viewPanel.hidden = this.#open === 'map';
    viewPanel.setAttribute('aria-labelledby', `tab-${this.#open}`);
    viewPanel.closest('main')?.classList.toggle('wide', this.#views.get(this.#open)?.wide ?? false);
  }

  /** Arrow keys move the focus between the tabs; Enter and Space open one. @param {KeyboardEvent} event */
  #pressKey(event) {
    const all = /** @type {HTMLElement[]} */ ([...this.#page.tabs.children]);
    const tabs = all.filter(({ hidden }) => !hidden);
    const at = tabs.indexOf(/** @type {HTMLElement} */ (event.target));
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    tabs.at(to % tabs.length)?.focus();
  }
}
