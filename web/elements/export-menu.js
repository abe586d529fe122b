/** Saves or copies what an element shows: formats, and how pictures look. Works by keyboard; Escape closes it. */
import { DEFAULT_FIGURE_OPTIONS } from '../draw/figure-layout.js';
import { h, messageOf } from './dom.js';

/** @typedef {'shown' | 'light' | 'dark'} Theme */
/** @typedef {import('../draw/figure-layout.js').FigureOptions & { theme: Theme }} MenuOptions */

export const MENU_STYLE = `
  .export > div { display: grid; gap: 8px; padding-block: 4px 8px; }
  .export .line { display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: center; }
  .export label { display: inline-flex; gap: 5px; align-items: center; min-height: 24px; }
  .export input[type=number] {
    width: 4.5em; font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--line);
    border-radius: 4px; padding: 4px 6px;
  }
  .export [role=status]:empty { display: none; }
`;

/** @type {[Theme, string][]} */
const THEMES = [['shown', 'as on the screen'], ['light', 'light'], ['dark', 'dark']];
/** Formats that the clipboard takes. */
const COPIED = ['png', 'csv'];
/** @type {Record<string, string>} */
const NAMES = { png: 'PNG', svg: 'SVG', csv: 'CSV', json: 'JSON' };
/** Until a saved file's address is given up. */
const KEPT_MS = 60_000;

export class ExportMenu {
  #theme = h('select', {}, ...THEMES.map(([value, words]) => h('option', { value }, words)));
  #fontSize = h('input', { type: 'number', min: 6, max: 32, value: DEFAULT_FIGURE_OPTIONS.fontSize });
  #transparent = h('input', { type: 'checkbox' });
  #hatch = h('input', { type: 'checkbox', checked: true });
  #caption = h('input', { type: 'checkbox', checked: true });
  #status = h('span', { role: 'status' });
  #summary = h('summary', {}, 'Save or copy');
  element;

  /**
   * @param {{ subject: string, formats: string[], make: (format: any, wishes: MenuOptions) => Promise<Blob>,
   *   fileName: () => string, hatched?: boolean }} options subject: ‘map’; fileName without its ending; hatched:
   *   whether pictures can be hatched
   */
  constructor({ subject, formats, make, fileName, hatched = true }) {
    const line = (/** @type {string} */ label, /** @type {(Node | string)[]} */ ...parts) =>
      h('div', { class: 'line', role: 'group', 'aria-label': label }, label, ...parts);
    const save = formats.map((format) => button(NAMES[format], `Save the ${subject} as ${NAMES[format]}`, () =>
      this.#try(`The ${subject} was not saved`, async () => {
        const name = `${fileName()}.${format}`;
        download(await make(format, this.#wishes), name);
        return `Saved ${name}.`;
      })));
    const copy = formats.filter((format) => COPIED.includes(format)).map((format) =>
      button(NAMES[format], `Copy the ${subject} as ${NAMES[format]}`, () =>
        this.#try(`The ${subject} was not copied`, async () => {
          await toClipboard(format, make(format, this.#wishes));
          return `Copied the ${subject} as ${NAMES[format]}.`;
        })));
    this.element = h('details', { class: 'export' }, this.#summary, h('div', {},
      line(`Save the ${subject}`, ...save), line(`Copy the ${subject}`, ...copy),
      line('Pictures', h('label', {}, 'colors', this.#theme), h('label', {}, 'font size', this.#fontSize),
        h('label', {}, this.#transparent, 'transparent ground'),
        ...(hatched ? [h('label', {}, this.#hatch, 'hatching')] : []), h('label', {}, this.#caption, 'caption')),
      this.#status));
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !this.element.open) return;
      event.preventDefault();
      this.element.open = false;
      this.#summary.focus();
    });
  }

  /** @returns {MenuOptions} */
  get #wishes() {
    return { theme: THEMES[this.#theme.selectedIndex][0], fontSize: this.#fontSize.valueAsNumber,
      transparent: this.#transparent.checked, hatch: this.#hatch.checked, caption: this.#caption.checked };
  }

  /** @param {string} failure @param {() => Promise<string>} act */
  async #try(failure, act) {
    this.#status.textContent = '';
    try {
      this.#status.textContent = await act();
    } catch (error) {
      this.#status.textContent = `${failure}: ${messageOf(error)}`;
    }
  }
}

/** @param {Blob} blob @param {string} name */
function download(blob, name) {
  const url = URL.createObjectURL(blob);
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

/**
 * The clipboard takes the promise: some browsers allow copying only at once after a click.
 * @param {string} format @param {Promise<Blob>} making
 */
async function toClipboard(format, making) {
  if (!navigator.clipboard || !globalThis.ClipboardItem) {
    throw new Error('this browser gives the clipboard only to pages from https or this machine.');
  }
  const type = format === 'png' ? 'image/png' : 'text/plain';
  const typed = making.then((blob) => new Blob([blob], { type }));
  await navigator.clipboard.write([new ClipboardItem({ [type]: typed })]);
}

/**
 * @param {string} text
 * @param {string} label
 * @param {() => void} act
 */
export function button(text, label, act) {
  const element = h('button', { type: 'button', 'aria-label': label, title: label }, text);
  element.addEventListener('click', act);
  return element;
}
