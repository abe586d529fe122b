/** What every element shares: a shadow root, colors by custom property, redrawing once a frame. */
import { parseRgb } from '../draw/color.js';
import { h, messageOf } from './dom.js';

/** Colors and faces. A page sets --heed-…; without it an element looks right on light and on dark. */
const SHARED = `
  :host {
    --paper: var(--heed-paper, light-dark(#fdfdfc, #151619));
    --surface: var(--heed-surface, light-dark(#f1f1ef, #202226));
    --ink: var(--heed-ink, light-dark(#1b1b1d, #e9e9eb));
    --muted: var(--heed-muted, light-dark(#5f6063, #a3a5aa));
    --line: var(--heed-line, light-dark(#d9d9d6, #36383d));
    --hatch: var(--heed-hatch, light-dark(#dededb, #313338));
    --accent: var(--heed-accent, light-dark(#8a2a80, #e59ad9));
    --small: var(--heed-size-small, .75rem);
    --normal: var(--heed-size-normal, .875rem);
    --face: var(--heed-face, system-ui, sans-serif);
    --mono: var(--heed-mono, ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace);
    display: block;
    background: var(--paper);
    color: var(--ink);
    font: var(--normal)/1.4 var(--face);
  }
  @media (forced-colors: active) {
    :host {
      --paper: Canvas; --ink: CanvasText; --muted: CanvasText; --line: GrayText; --accent: Highlight;
      --surface: color-mix(in srgb, Canvas 88%, CanvasText); --hatch: color-mix(in srgb, Canvas 78%, CanvasText);
    }
    .probe { forced-color-adjust: none; }
  }
  :host([hidden]) { display: none; }
  * { box-sizing: border-box; }
  .probe { display: none; color: var(--muted); background-color: var(--surface); border-color: var(--hatch); }
  .problem {
    margin: 0 0 8px; padding-inline-start: 8px; border-inline-start: 3px solid var(--accent); overflow-wrap: anywhere;
  }
  [hidden] { display: none !important; }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
  button, select {
    font: var(--small)/1 var(--face); color: var(--ink); background: var(--paper);
    border: 1px solid var(--line); border-radius: 4px; padding: 6px 8px; min-height: 28px;
  }
  button:hover, select:hover { border-color: var(--muted); }
  button { cursor: pointer; }
`;

/** @typedef {import('./globals.js').HeedEvents} HeedEvents */

/** Keys that a control of the element handles itself: [selector, keys]. @type {[string, RegExp][]} */
const OWN_KEYS = [
  ['select, input', /^(?!Tab$|Escape$)/],
  ['button, summary', /^( |Enter)$/],
  ['[tabindex]', /^( |Arrow.*|Home|End|Page.*)$/],
];

/** Without a DOM the classes can be imported all the same. @type {typeof HTMLElement} */
const Base = globalThis.HTMLElement ?? class {};

export class HeedElement extends Base {
  /** @type {ShadowRoot} */
  root;
  #probe = h('span', { class: 'probe' });
  #problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  /** Inputs that were refused, with their errors, until they are given something that can be shown.
   *  @type {Map<string, unknown>} */
  #refused = new Map();
  #frame = 0;
  #themes = [matchMedia('(prefers-color-scheme: dark)'), matchMedia('(forced-colors: active)')];

  /** @param {string} css of this element */
  constructor(css) {
    super();
    this.root = this.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(SHARED + css);
    this.root.adoptedStyleSheets = [sheet];
    this.root.append(this.#probe, this.#problem);
    this.root.addEventListener('keydown', (event) => keepKey(/** @type {KeyboardEvent} */ (event)));
  }

  connectedCallback() {
    for (const theme of this.#themes) theme.addEventListener('change', this.#themeChanged);
    this.#themeChanged();
  }

  disconnectedCallback() {
    for (const theme of this.#themes) theme.removeEventListener('change', this.#themeChanged);
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  #themeChanged = () => {
    this.themeChanged();
    this.invalidate();
  };

  /** Colors may be others than before. */
  themeChanged() {}

  /** Draws what changed; called once in the next frame after `invalidate`. */
  redraw() {}

  invalidate() {
    if (!this.isConnected) return;
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.accept('drawing', () => this.redraw());
    });
  }

  /**
   * Takes an input. One that cannot be shown changes nothing: the element says why in a visible sentence and once by
   * `heed-error`, until the same input is given something that can be shown.
   * @template T
   * @param {string} input its name
   * @param {() => T} take checks first, then changes the element
   * @returns {T | undefined} undefined where the input was refused
   */
  accept(input, take) {
    try {
      const taken = take();
      if (this.#refused.delete(input)) this.#showProblem();
      return taken;
    } catch (error) {
      const known = this.#refused.has(input);
      this.#refused.set(input, error);
      this.#showProblem();
      if (known) return undefined;
      const unheard = this.emit('heed-error', { input, error }, true);
      if (unheard) console.error(`<${this.localName}>: ${messageOf(error)}`, error);
      return undefined;
    }
  }

  #showProblem() {
    const error = [...this.#refused.values()].at(-1);
    const text = error === undefined ? '' : messageOf(error);
    this.#problem.hidden = text === '';
    if (this.#problem.textContent !== text) this.#problem.textContent = text;
  }

  /**
   * The colors in force, for canvases.
   * @returns {{ paper: import('../draw/color.js').Rgb, unknown: import('../draw/color.js').Rgb, text: string,
   *   muted: string, hatch: string, face: string, mono: string }}
   */
  colors() {
    const host = getComputedStyle(this);
    const probe = getComputedStyle(this.#probe);
    return {
      paper: rgbOf(host.backgroundColor),
      unknown: rgbOf(probe.backgroundColor),
      text: host.color,
      muted: probe.color,
      hatch: probe.borderTopColor,
      face: host.getPropertyValue('--face'),
      mono: host.getPropertyValue('--mono'),
    };
  }

  /**
   * Tells the page: events bubble, also out of the shadow root.
   * @template {keyof HeedEvents} T
   * @param {T} type
   * @param {HeedEvents[T]['detail']} detail
   * @param {boolean} [cancelable]
   * @returns {boolean} false where a listener prevented the default
   */
  emit(type, detail, cancelable = false) {
    return this.dispatchEvent(new CustomEvent(type, { detail, cancelable, bubbles: true, composed: true }));
  }
}

/**
 * A key that the element has handled, or that its focused control handles, stays in the element: a presentation around
 * it does not turn its slide.
 * @param {KeyboardEvent} event
 */
function keepKey(event) {
  const control = /** @type {Element} */ (event.target);
  const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
  const own = plain && OWN_KEYS.some(([selector, keys]) => control.matches(selector) && keys.test(event.key));
  if (event.defaultPrevented || own) event.stopPropagation();
}

/**
 * Any CSS color as the browser paints it on white: `color-mix()` and `oklch()` compute to no `rgb()`.
 * @param {string} css
 * @returns {import('../draw/color.js').Rgb}
 */
function rgbOf(css) {
  if (/^rgb\(/.test(css)) return parseRgb(css);
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (!context) return [255, 255, 255];
  for (const color of ['#fff', css]) {
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
  }
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}
