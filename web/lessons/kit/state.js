/**
 * The state of all controls of a lesson, in the fragment of its address: `#distance&t=30&causal=1`. The first part
 * may be the id of a place. Then follow the controls whose values differ from the untouched lesson.
 *
 * The state is not in the query, because browsers send the query to the host, and a typed text stays with the reader.
 * Besides, a page that embeds a lesson can change the fragment without loading the lesson again.
 */
import { settled } from './redraw.js';

/**
 * A control by its name in the address.
 * @typedef {object} Control
 * @property {string} name
 * @property {() => string} read  its value
 * @property {(text: string) => boolean} write  sets a value as the reader does; false if it is refused
 */

/** Most characters of a fragment, because some programs truncate longer addresses. */
const ADDRESS_CHARACTERS = 8000;
/** Most characters of a field without `maxlength`, and of a text area. */
const FIELD_CHARACTERS = 200;
const AREA_CHARACTERS = 2000;
/** Browsers limit how often a page may change its address. */
const WRITE_MS = 300;
/** A control is set again if another one has changed it; more often does not help. */
const TRIES = 2;
/** Events after which the address may differ. */
const EVENTS = ['input', 'change', 'click', 'keyup', 'pointerup'];
const NUMBER = /^-?\d{1,10}(\.\d{1,6})?$/;
const GREEK = Object.fromEntries([...'αβγδΔεηθκλμνπρσΣτφχψωΩ'].map((letter, i) => [letter, ['alpha', 'beta', 'gamma',
  'delta', 'delta', 'epsilon', 'eta', 'theta', 'kappa', 'lambda', 'mu', 'nu', 'pi', 'rho', 'sigma', 'sigma', 'tau',
  'phi', 'chi', 'psi', 'omega', 'omega'][i]]));

/** Controls that are not form fields, by their element. @type {WeakMap<Element, Control>} */
const others = new WeakMap();

/**
 * A name for an address: `t, position of k` is `t`, and `Temperature τ` is `temperature-tau`.
 * @param {string} label
 */
export function nameOf(label) {
  const [words] = label.trim().split(/[,:(]/);
  const plain = [...words].map((letter) => GREEK[letter] ?? letter).join('').normalize('NFKD').toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, ' ').trim().replaceAll(' ', '-').slice(0, 24);
}

/**
 * Adds a control that is not a form field, such as a choice in a map.
 * @param {Element} element of the page; the fields in it are not controls of their own
 * @param {Control} control
 */
export function addState(element, control) {
  element.setAttribute('data-state', control.name); // now its fields belong to it
  others.set(element, control);
}

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

/** The text of a field's label, without the field. @param {Field} field */
function labelOf(field) {
  const [label] = field.labels ?? [];
  if (!label) return field.getAttribute('aria-label') ?? '';
  const texts = [...label.childNodes].filter((node) => !node.contains(field) && node.nodeName !== 'OUTPUT');
  return texts.map((node) => node.textContent).join('');
}

/** Whether a field accepts a text. @param {Field} field @param {string} text */
function accepts(field, text) {
  if (field instanceof HTMLSelectElement) return [...field.options].some(({ value }) => value === text);
  if (field instanceof HTMLTextAreaElement) return text.length <= AREA_CHARACTERS;
  if (field.type === 'checkbox') return text === '0' || text === '1';
  if (field.type === 'range' || field.type === 'number') {
    const within = (/** @type {string} */ limit, /** @type {number} */ sign) =>
      limit === '' || sign * Number(text) <= sign * Number(limit);
    return NUMBER.test(text) && within(field.min, -1) && within(field.max, 1);
  }
  return text.length <= (field.maxLength < 0 ? FIELD_CHARACTERS : field.maxLength);
}

/** @param {Field} field @returns {Control} */
function controlOf(field) {
  const box = field instanceof HTMLInputElement && field.type === 'checkbox' ? field : null;
  return {
    name: field.name || nameOf(labelOf(field)),
    read: () => (box ? String(Number(box.checked)) : field.value),
    write(text) {
      if (field.disabled || !accepts(field, text)) return false;
      if (box) box.checked = text === '1';
      else field.value = text;
      for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
      return true;
    },
  };
}

/** The order in which controls are set: models and tasks first, because they choose texts, and texts choose ranges.
 *  @param {Element} element */
function rankOf(element) {
  if (others.has(element)) return 4;
  if (element instanceof HTMLSelectElement) return 0;
  const type = element instanceof HTMLInputElement ? element.type : '';
  return type === 'checkbox' ? 1 : type === 'range' ? 3 : 2;
}

/** The controls of the page, except controls of exercises or within `data-stateless`. @returns {Control[]} */
function controls() {
  const fields = 'input:not([type=file], [type=radio]), select, textarea';
  const found = [...document.querySelectorAll(`main :is(${fields}, [data-state])`)].filter((each) =>
    !each.parentElement?.closest('[data-state], [data-stateless], .exercise'));
  return found.sort((a, b) => rankOf(a) - rankOf(b)).map((element) => {
    const control = others.get(element) ?? controlOf(/** @type {Field} */ (element));
    element.setAttribute('data-state', control.name);
    return control;
  });
}

/** Says that the lesson refuses a name of its address. @param {string} name */
export function refusalOf(name) {
  const names = controls().map((each) => each.name);
  return names.includes(name) ? `The control ‘${name}’ does not have that value.`
    : `There is no control ‘${name}’. The controls are: ${names.join(', ')}.`;
}

/**
 * Reads a fragment.
 * @param {string} hash
 * @returns {{ place: string, values: Map<string, string> }} place: the id before the values, or nothing
 */
export function readFragment(hash) {
  const [first, ...rest] = hash.slice(1, ADDRESS_CHARACTERS).split('&');
  const hasPlace = first !== '' && !first.includes('=');
  const fields = new URLSearchParams((hasPlace ? rest : [first, ...rest]).join('&'));
  let place = '';
  try {
    if (hasPlace) place = decodeURIComponent(first);
  } catch { /* a stranger's mistake: no place */ }
  return { place, values: new Map(hash.length > ADDRESS_CHARACTERS ? [] : fields) };
}

/**
 * Writes a fragment. Commas and colons stay readable.
 * @param {string} place @param {Map<string, string>} values
 */
export function writeFragment(place, values) {
  const encode = (/** @type {string} */ text) => encodeURIComponent(text).replaceAll('%20', '+')
    .replace(/%(2C|3A|2F)/g, (code) => decodeURIComponent(code));
  const parts = [...values].map(([name, text]) => `${name}=${encode(text)}`);
  return [...(place ? [encodeURIComponent(place)] : []), ...parts].join('&');
}

/** The values of the untouched lesson, by name. @type {Map<string, string>} */
const defaults = new Map();
let timer = 0;
/** @type {(values: Map<string, string>) => void} */ let onWrite = () => {};

/** The values that differ from the untouched lesson. A text that is too long is left out. */
export function stateOf() {
  /** @type {Map<string, string>} */
  const values = new Map();
  for (const { name, read } of controls()) {
    const text = read();
    if (!defaults.has(name)) defaults.set(name, text);
    if (text !== defaults.get(name) && text.length <= AREA_CHARACTERS && !values.has(name)) values.set(name, text);
  }
  return values;
}

/** Writes the state into the address, without a new entry of the history. */
function write() {
  const values = stateOf();
  const fragment = writeFragment(placeOf(), values);
  const address = location.pathname + location.search + (fragment && `#${fragment}`);
  try {
    history.replaceState({ ...history.state, lesson: true }, '', address);
  } catch { /* some browsers refuse frequent changes: the next one counts */ }
  onWrite(values);
}

/** The values of the fragment. */
export const fragmentOfState = () => writeFragment('', stateOf());

/** The address of the page with the state of its controls. */
export function addressOfState() {
  write();
  return location.href;
}

/**
 * Sets controls, one after the other, until all have their value. Controls that others have changed are set again.
 * @param {Map<string, string>} values
 * @returns {Promise<string[]>} names without a control, or whose value was refused
 */
async function apply(values) {
  /** @type {Map<string, number>} */
  const tries = new Map();
  const refused = new Set(values.keys());
  for (;;) {
    const next = controls().find(({ name, read }) => {
      const wanted = values.get(name);
      if (read() === wanted) refused.delete(name);
      return wanted !== undefined && read() !== wanted && (tries.get(name) ?? 0) < TRIES;
    });
    if (!next) return [...refused];
    tries.set(next.name, (tries.get(next.name) ?? 0) + 1);
    if (next.write(values.get(next.name) ?? '')) refused.delete(next.name);
    else tries.set(next.name, TRIES);
    await settled();
  }
}

/** The id in the address, or nothing. */
export const placeOf = () => readFragment(location.hash).place;

/** Scrolls to the place of the address, because the figures have changed the height of the page. */
export function showPlace() {
  const place = placeOf();
  if (place) document.getElementById(place)?.scrollIntoView();
}

/** Applies an address that the reader has opened, or gone back to. */
async function onNavigation() {
  const { place, values } = readFragment(location.hash);
  const visited = history.state?.lesson === true;
  if (visited || values.size > 0 || place === '') { // a new address that is only a place keeps the state
    await apply(new Map([...defaults].filter(([name]) => !values.has(name))));
    await apply(values);
  }
  if (values.size > 0) showPlace(); // browsers find only addresses without values
  write();
}

/**
 * Applies the state of the address, and keeps it in the address from now on. Call it when the figures are drawn.
 * @param {(values: Map<string, string>) => void} onChange called with the values that differ from the defaults
 * @returns {Promise<string[]>} names of the address that the lesson does not have, or whose value was refused
 */
export async function keepState(onChange) {
  await settled();
  stateOf(); // the defaults
  onWrite = onChange;
  const refused = await apply(readFragment(location.hash).values);
  write();
  addEventListener('hashchange', () => void onNavigation());
  for (const type of EVENTS) {
    addEventListener(type, () => {
      timer ||= Number(setTimeout(async () => {
        await settled();
        timer = 0;
        write();
      }, WRITE_MS));
    }, true); // also events that do not bubble
  }
  return refused;
}
