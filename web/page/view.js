/** The elements of index.html, and functions that write to them. */
import { formatCount, formatInteger, pluralize } from './format.js';

/** @typedef {import('../../js/index.js').Model} Model */
/** @typedef {import('../elements/figure.js').HeedFigure<any>} Figure */

/**
 * An element of index.html.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {string} id
 * @returns {HTMLElementTagNameMap[K]}
 */
function find(tag, id) {
  const element = document.querySelector(`${tag}#${id}`);
  if (!element) throw new Error(`index.html has no <${tag} id="${id}">.`);
  return /** @type {HTMLElementTagNameMap[K]} */ (element);
}

export const view = {
  model: find('p', 'model'),
  panel: find('details', 'open'),
  offers: find('ul', 'offers'),
  file: find('input', 'file'),
  folder: find('input', 'folder'),
  addressForm: find('form', 'address'),
  url: find('input', 'url'),
  keep: find('input', 'keep'),
  kept: find('div', 'kept'),
  keptList: find('ul', 'kept-list'),
  room: find('p', 'room'),
  offline: find('button', 'offline'),
  offlineStatus: find('span', 'offline-status'),
  loading: find('div', 'loading'),
  progress: find('progress', 'progress'),
  loadingText: find('span', 'loading-words'),
  cancel: find('button', 'cancel'),
  error: find('p', 'error'),
  notice: find('p', 'notice'),
  form: find('form', 'write'),
  prompt: find('textarea', 'prompt'),
  examples: find('div', 'examples'),
  generate: find('button', 'generate'),
  step: find('button', 'step'),
  stop: find('button', 'stop'),
  undo: find('button', 'undo'),
  redo: find('button', 'redo'),
  count: find('span', 'count'),
  status: find('span', 'status'),
  spoken: find('span', 'spoken'),
  highlight: find('select', 'lit'),
  strip: find('heed-token-strip', 'strip'),
  startNote: find('p', 'start-note'),
  startToken: find('code', 'start-token'),
  nextCaption: find('p', 'next-words'),
  next: find('heed-next-token', 'next'),
  tabs: find('div', 'views'),
  mapPanel: find('div', 'map-panel'),
  viewPanel: find('div', 'view-panel'),
  headLine: find('p', 'look'),
  map: find('heed-attention-map', 'map'),
  grid: find('heed-head-grid', 'grid'),
  edits: find('div', 'edits'),
  both: find('section', 'both'),
  editsStatus: find('p', 'edits-status'),
  cutHead: find('button', 'cut-head'),
  cutMore: find('button', 'cut-more'),
  cutCells: find('button', 'cut-cells'),
  tryEdit: find('button', 'try-edit'),
  learn: find('details', 'learn'),
  chat: find('details', 'chat'),
};

/** Figures of the text, whose files name the run. A kind of model may add some. @type {Set<Figure>} */
export const figures = new Set([view.map, view.grid, view.strip, view.next]);

/** Names of the settings: fields of the form and of the page's address. */
export const SETTINGS = /** @type {const} */ (['length', 'temperature', 'top-k', 'top-p', 'repeat-penalty', 'seed']);

/** @typedef {typeof SETTINGS[number]} Setting */

/** The field of a setting. @param {Setting} name */
export const fieldOf = (name) => find('input', name);

/** Values of all settings. @typedef {Record<Setting, number>} Settings */

/** The values of the fields. */
export const fieldSettings = () =>
  /** @type {Settings} */ (Object.fromEntries(SETTINGS.map((name) => [name, fieldOf(name).valueAsNumber])));

/** The settings of the sampler. @param {Settings} [settings] default: the values of the fields */
export function samplerSettings(settings = fieldSettings()) {
  const { temperature, 'top-k': topK, 'top-p': topP, 'repeat-penalty': repeatPenalty, seed } = settings;
  return { temperature, topK, topP, repeatPenalty, seed };
}

/**
 * Sets a field, unless the form does not allow the value.
 * @param {Setting} name
 * @param {number | undefined} value
 * @returns {boolean} true if the value is allowed
 */
export function setField(name, value) {
  if (value === undefined) return false; // a disabled field allows every value
  const field = fieldOf(name);
  const before = field.value;
  field.value = String(value);
  if (field.checkValidity()) return true;
  field.value = before;
  return false;
}

/** Shows a notice; an empty one hides it. @param {string} text */
export function showNotice(text) {
  view.notice.textContent = text;
  view.notice.hidden = text === '';
}

/** Shows an error; an empty one hides it. @param {string} text */
export function showError(text) {
  if (text === '') hide(view.error);
  view.error.textContent = text;
  view.error.hidden = text === '';
}

/** Hides a part of the header. A focus in it moves to the button of the panel. @param {HTMLElement} part */
export function hide(part) {
  if (part.contains(document.activeElement)) closePanel();
  part.hidden = true;
}

/** Closes the panel of models. Progress and errors appear beside its button, which has the focus. */
export function closePanel() {
  view.panel.open = false;
  view.panel.querySelector('summary')?.focus();
}

/** Gives back the space that style.css keeps for the first text. */
export const endOpening = () => document.body.classList.remove('opening');

/** A term with a tooltip. @param {string} name in the glossary @param {string} [text] */
function term(name, text = name) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'term';
  button.dataset.term = name;
  button.textContent = text;
  return button;
}

/** Names of kernel sets. @type {Record<string, string>} */
const KERNEL_SETS = { relaxed: 'relaxed SIMD', simd128: 'SIMD', scalar: 'no SIMD' };

/** Shows name, size and engine of a model. @param {Model['info']} info */
export function showModel({ name, parameters, layers, heads, contextLength, modelContextLength: most, engine }) {
  const title = document.createElement('strong');
  const [set] = engine.binary.split('-'); // relaxed-u8 and relaxed-s8 are relaxed SIMD
  title.textContent = name;
  view.model.replaceChildren(title, ` · ${formatCount(parameters)} `, term('parameters'),
    ` · ${pluralize(layers, 'layer')} × ${pluralize(heads, 'head')} · `, term('context'),
    ` ${formatInteger(contextLength)}${most > contextLength ? ` of ${formatInteger(most)}` : ''} · WebAssembly (`,
    term(set, KERNEL_SETS[set]),
    `), ${pluralize(engine.threads, 'thread')}`);
  view.model.title = engine.why;
}

/** Shows a start token such as <|endoftext|>, which the user did not type. @param {string | undefined} first */
export function showStartToken(first = '') {
  view.startNote.classList.remove('pending');
  view.startNote.hidden = !/^<.+>$/s.test(first);
  view.startToken.textContent = first;
}
