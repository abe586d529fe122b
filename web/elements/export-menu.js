/** The menu that saves or copies a figure. Escape closes it. */
import { DEFAULT_FIGURE_OPTIONS } from '../draw/figure-layout.js';
import { download, h, messageOf } from './dom.js';

/** @typedef {'shown' | 'light' | 'dark'} Theme */
/** @typedef {import('../draw/figure-layout.js').FigureOptions & { theme: Theme }} MenuOptions theme ‘shown’: as on
 *  the screen */

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

/** The row of folded parts below a figure: its menu, and its numbers as a table. */
export const MORE_STYLE = `
  details { font-size: var(--small); color: var(--muted); min-width: 0; }
  .more { display: flex; flex-wrap: wrap; gap: 0 20px; }
  .more details[open] { flex: 1 1 100%; }
  summary { cursor: pointer; width: max-content; padding-block: 4px; }
${MENU_STYLE}`;

/** @type {[Theme, string][]} */
const THEMES = [['shown', 'As shown'], ['light', 'Light'], ['dark', 'Dark']];
/** Formats that can be copied to the clipboard. */
const COPYABLE = ['png', 'csv'];
/** @type {Record<string, string>} */
const NAMES = { png: 'PNG', svg: 'SVG', tex: 'LaTeX', tikz: 'TikZ', html: 'HTML', csv: 'CSV', json: 'JSON' };

export class ExportMenu {
  #theme = h('select', {}, ...THEMES.map(([value, label]) => h('option', { value }, label)));
  #fontSize = h('input', { type: 'number', min: 6, max: 32, value: DEFAULT_FIGURE_OPTIONS.fontSize });
  #transparent = h('input', { type: 'checkbox' });
  #hatch = h('input', { type: 'checkbox', checked: true });
  #caption = h('input', { type: 'checkbox', checked: true });
  #status = h('span', { role: 'status' });
  #summary = h('summary', {}, 'Save or copy');
  element;

  /**
   * @param {{ subject: string, formats: string[], make: (format: any, options: MenuOptions) => Promise<Blob>,
   *   fileName: () => string, hatched?: boolean }} menu subject: a noun such as ‘map’; fileName: without extension;
   *   hatched: offer hatching of masked cells, default true
   */
  constructor({ subject, formats, make, fileName, hatched = true }) {
    const line = (/** @type {string} */ label, /** @type {(Node | string)[]} */ ...parts) =>
      h('div', { class: 'line', role: 'group', 'aria-label': label }, label, ...parts);
    const save = formats.map((format) => button(NAMES[format], `Save the ${subject} as ${NAMES[format]}`, () =>
      this.#try(`Saving the ${subject}`, async () => {
        const name = `${fileName()}.${format}`;
        download(await make(format, this.#options), name);
        return `Saved ${name}.`;
      })));
    const copy = formats.filter((format) => COPYABLE.includes(format)).map((format) =>
      button(NAMES[format], `Copy the ${subject} as ${NAMES[format]}`, () =>
        this.#try(`Copying the ${subject}`, async () => {
          await toClipboard(format, make(format, this.#options));
          return `Copied the ${subject} as ${NAMES[format]}.`;
        })));
    this.element = h('details', { class: 'export' }, this.#summary, h('div', {},
      line(`Save the ${subject}`, ...save), line(`Copy the ${subject}`, ...copy),
      line('Pictures', h('label', {}, 'Theme', this.#theme), h('label', {}, 'Font size', this.#fontSize),
        h('label', {}, this.#transparent, 'Transparent background'),
        ...(hatched ? [h('label', {}, this.#hatch, 'Hatching')] : []), h('label', {}, this.#caption, 'Caption')),
      this.#status));
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !this.element.open) return;
      event.preventDefault();
      this.element.open = false;
      this.#summary.focus();
    });
  }

  /** @returns {MenuOptions} */
  get #options() {
    return { theme: THEMES[this.#theme.selectedIndex][0], fontSize: this.#fontSize.valueAsNumber,
      transparent: this.#transparent.checked, hatch: this.#hatch.checked, caption: this.#caption.checked };
  }

  /** @param {string} doing  what `act` does; it returns what it did  @param {() => Promise<string>} act */
  async #try(doing, act) {
    this.#status.textContent = `${doing}…`;
    try {
      this.#status.textContent = await act();
    } catch (error) {
      this.#status.textContent = `${doing} failed: ${messageOf(error)}`;
    }
  }
}

/**
 * Copies a file. The clipboard gets the promise, because some browsers allow copying only directly after a click.
 * @param {string} format @param {Promise<Blob>} making
 */
async function toClipboard(format, making) {
  if (!navigator.clipboard || !globalThis.ClipboardItem) {
    throw new Error('This browser allows copying only on pages from https: or localhost.');
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
