/** The base class of every element: shadow root, theme, redrawing, events, attributes, and refused input. */
import { parseRgb } from '../draw/color.js';
import { h, messageOf, setPrinting } from './dom.js';

/** Colors and fonts. A page overrides them with --heed-… properties; the defaults suit light and dark pages. */
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
    /* The text around an element does not change it: tokens keep their letters, and columns their order. */
    direction: ltr; text-align: start; text-indent: 0; text-transform: none; letter-spacing: normal;
    word-spacing: normal; white-space: normal;
    print-color-adjust: exact; /* bars and colors of tokens are backgrounds */
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
  @media print {
    button, .hint, details:not([open]) { display: none; }
  }
`;

/** The style of a printed element. Canvases are drawn before `@media print` applies. */
const PAPER = ':host { color-scheme: light; }';

/** @typedef {import('./events.js').HeedEvents} HeedEvents */
/** @typedef {import('./attributes.js').Attribute} Attribute */

/** Keys that a control inside an element handles itself: [selector, keys]. @type {[string, RegExp][]} */
const CONTROL_KEYS = [
  ['select, input', /^(?!Tab$|Escape$)/],
  ['button, summary', /^( |Enter)$/],
  ['[tabindex]', /^( |Arrow.*|Home|End|Page.*)$/],
];

const PRINT_EVENTS = ['beforeprint', 'afterprint'];

/** Node has no DOM, but can still import the classes. @type {typeof HTMLElement} */
const Base = globalThis.HTMLElement ?? class {};

/**
 * Base class of the elements. Subclasses list their attributes in `attributeReaders` and draw in `redraw()`.
 * Input that cannot be shown never throws: see `accept()`.
 */
export class HeedElement extends Base {
  /** Attributes of the element, by name. @type {Record<string, Attribute>} */
  static attributeReaders = {};

  static get observedAttributes() {
    return Object.keys(this.attributeReaders);
  }

  /** The open shadow root. @type {ShadowRoot} */
  root;
  #probe = h('span', { class: 'probe' });
  #problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  /** Refused inputs and their errors. An input leaves the map when it is set to a valid value.
   *  @type {Map<string, unknown>} */
  #refused = new Map();
  #frame = 0;
  #paper = sheetOf(PAPER);
  #themes = [matchMedia('(prefers-color-scheme: dark)'), matchMedia('(forced-colors: active)')];

  /** @param {string} css of this element, added to the shared style sheet */
  constructor(css) {
    super();
    this.root = this.attachShadow({ mode: 'open' });
    this.root.adoptedStyleSheets = [sheetOf(SHARED + css)];
    this.root.append(this.#probe, this.#problem);
    this.root.addEventListener('keydown', (event) => stopUsedKey(/** @type {KeyboardEvent} */ (event)));
  }

  connectedCallback() {
    this.#takeEarlyProperties();
    for (const theme of this.#themes) theme.addEventListener('change', this.#themeChanged);
    for (const type of PRINT_EVENTS) addEventListener(type, this.#printed);
    this.#themeChanged();
  }

  /** Gives the setters the properties that a page has set before the tag was registered. These hide the setters. */
  #takeEarlyProperties() {
    const self = /** @type {any} */ (this);
    for (const name of Object.keys(this)) {
      if (!(name in Object.getPrototypeOf(this))) continue;
      const value = self[name];
      delete self[name];
      self[name] = value;
    }
  }

  disconnectedCallback() {
    for (const theme of this.#themes) theme.removeEventListener('change', this.#themeChanged);
    for (const type of PRINT_EVENTS) removeEventListener(type, this.#printed);
    this.#setPaper(false); // an element that is removed during printing receives no `afterprint`
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  /**
   * Sets the property of an attribute. Invalid text is refused as the input `attribute NAME`.
   * @param {string} name
   * @param {string | null} before
   * @param {string | null} text null if the attribute was removed
   */
  attributeChangedCallback(name, before, text) {
    if (text === before) return;
    const { attributeReaders } = /** @type {typeof HeedElement} */ (this.constructor);
    const { property, read } = attributeReaders[name];
    const parsed = this.accept(`attribute ${name}`, () => ({ value: read(text) }));
    if (parsed) /** @type {any} */ (this)[property] = parsed.value;
  }

  /**
   * The value of a property that has an attribute. Frameworks set undefined to remove it, which means the default.
   * @template T
   * @protected
   * @param {string} property
   * @param {T | undefined} value
   * @returns {T}
   */
  orDefault(property, value) {
    if (value !== undefined) return value;
    const { attributeReaders } = /** @type {typeof HeedElement} */ (this.constructor);
    return /** @type {T} */ (Object.values(attributeReaders).find((each) => each.property === property)?.read(null));
  }

  #themeChanged = () => {
    this.themeChanged();
    this.invalidate();
  };

  /** Draws at once with the pixels and colors of paper. Draws for the screen afterwards.
   *  @param {Event} event */
  #printed = ({ type }) => {
    const prints = type === 'beforeprint';
    setPrinting(prints);
    this.#setPaper(prints);
    this.themeChanged();
    this.accept('drawing', () => this.redraw());
  };

  /** Adds or removes the style of paper. @param {boolean} on */
  #setPaper(on) {
    const screen = this.root.adoptedStyleSheets.filter((sheet) => sheet !== this.#paper);
    this.root.adoptedStyleSheets = on ? [...screen, this.#paper] : screen;
  }

  /** Called when the colors may have changed. Subclasses override it. */
  themeChanged() {}

  /** Draws what changed. Called at most once a frame, after `invalidate()`. Subclasses override it. */
  redraw() {}

  /** Requests a `redraw()` in the next frame. */
  invalidate() {
    if (!this.isConnected) return;
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.accept('drawing', () => this.redraw());
    });
  }

  /**
   * Takes an input. An invalid input changes nothing. The element shows the error as a sentence and fires `heed-error`
   * once, until the same input is set to a valid value.
   * @template T
   * @param {string} input name of the property or method
   * @param {() => T} take validates first, then changes the element
   * @returns {T | undefined} undefined if the input was refused
   */
  accept(input, take) {
    try {
      const taken = take();
      if (this.#refused.delete(input)) this.#showProblem();
      return taken;
    } catch (error) {
      const reported = this.#refused.has(input);
      this.#refused.set(input, error);
      this.#showProblem();
      if (reported) return undefined;
      const unhandled = this.emit('heed-error', { input, error }, true);
      if (unhandled) console.error(`<${this.localName}>: ${messageOf(error)}`, error);
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
   * The current colors and fonts, for drawing on a canvas.
   * @returns {{ paper: import('../draw/color.js').Rgb, unknown: import('../draw/color.js').Rgb, text: string,
   *   muted: string, hatch: string, face: string, mono: string }} RGB colors, CSS colors and CSS fonts
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
   * Dispatches an event that bubbles, also out of shadow roots.
   * @template {keyof HeedEvents} T
   * @param {T} type name of the event
   * @param {HeedEvents[T]['detail']} detail content of the event
   * @param {boolean} [cancelable] listeners can prevent the default, default false
   * @returns {boolean} false if a listener called preventDefault()
   */
  emit(type, detail, cancelable = false) {
    return this.dispatchEvent(new CustomEvent(type, { detail, cancelable, bubbles: true, composed: true }));
  }
}

/** @param {string} css */
function sheetOf(css) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}

/**
 * Stops a key event that the element or its focused control has used, so that slide shows do not react to it too.
 * @param {KeyboardEvent} event
 */
function stopUsedKey(event) {
  const control = /** @type {Element} */ (event.target);
  const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
  const used = plain && CONTROL_KEYS.some(([selector, keys]) => control.matches(selector) && keys.test(event.key));
  if (event.defaultPrevented || used) event.stopPropagation();
}

/**
 * A CSS color as RGB, blended over white. `color-mix()` and `oklch()` do not compute to `rgb()`, so a pixel is painted.
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
