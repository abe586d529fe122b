/** The tokens of a text as a list: lines, marks of invisible characters, colors, pointing, keys and selection. */
import { cssOf, inkOn } from '../draw/color.js';
import { tokenName, tokenParts } from '../draw/token.js';
import { h } from './dom.js';

/** Style sheet of the list. */
export const TOKEN_STYLE = `
  .strip {
    font: var(--heed-size-text, 1.0625rem)/1.65 var(--mono); overflow-wrap: anywhere; white-space: pre-wrap;
    contain: content; max-height: var(--heed-strip-height, 15em); overflow-y: auto;
    padding-block: 4px;
  }
  .strip > * { padding-inline: 2px; }
  /* Lines before the last ones are laid out when they are visible. */
  .strip > :not(:nth-last-child(-n + 2)) { content-visibility: auto; contain-intrinsic-height: auto 10em; }
  [role=option] { cursor: default; }
  .body { border-radius: 3px; padding: 2px 0; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
  [role=option].prompt { color: var(--muted); }
  [role=option]:hover .body { box-shadow: 0 0 0 1px var(--muted); }
  [role=option].query .body { box-shadow: 0 0 0 2px var(--accent); }
  [role=option].key .body { box-shadow: 0 0 0 2px var(--ink); }
  [role=option][aria-selected=true] { text-decoration: underline 2px var(--accent); text-underline-offset: 4px; }
  .mark { opacity: .38; }
  .space {
    background: radial-gradient(circle, color-mix(in srgb, currentColor 38%, transparent) 1px, transparent 1.4px);
  }
  @media (forced-colors: active) {
    .body { forced-color-adjust: none; }
    [role=option]:hover .body { outline: 1px solid GrayText; }
    [role=option].query .body { outline: 2px solid Highlight; }
    [role=option].key .body { outline: 2px solid CanvasText; }
  }
  .byte { font-size: var(--small); border: 1px solid currentColor; border-radius: 3px; padding: 0 2px; opacity: .8; }
`;

/** Most tokens of a line. Every token that arrives lays out its whole line. */
const LINE_TOKENS = 256;

/**
 * @typedef {object} TokenListEvents
 * @property {(position: number | null) => void} onHover a token is hovered or focused; null at the end
 * @property {(position: number) => void} onSelect a token was clicked, or selected with Enter
 */

export class TokenList {
  #strip;
  /** @type {string[]} */
  #tokens = [];
  /** @type {HTMLElement[]} */
  #spans = [];
  /** Background of each span; '' or undefined without one. @type {(string | undefined)[]} */
  #backgrounds = [];
  #promptLength = 0;
  /** The token that the Tab key reaches. */
  #tabStop = 0;
  /** @type {number | null} */
  #selected = null;
  /** True while the end of the text is visible: it then stays visible when the text grows. */
  #atEnd = true;
  #grown = false;
  #onSelect;

  /**
   * @param {string} label name of the list for screen readers
   * @param {TokenListEvents} events
   */
  constructor(label, { onHover, onSelect }) {
    this.#strip = h('div', { class: 'strip', role: 'listbox', 'aria-label': label });
    this.#onSelect = onSelect;
    this.#strip.addEventListener('scroll', () => {
      this.#atEnd = this.#strip.scrollHeight - this.#strip.scrollTop - this.#strip.clientHeight < 8;
    }, { passive: true });
    this.#strip.addEventListener('pointerover', (event) => onHover(this.#indexOf(event)));
    this.#strip.addEventListener('pointerleave', () => onHover(null));
    this.#strip.addEventListener('focusin', (event) => onHover(this.#indexOf(event)));
    this.#strip.addEventListener('focusout', () => onHover(null));
    this.#strip.addEventListener('click', (event) => this.#select(this.#indexOf(event)));
    this.#strip.addEventListener('keydown', (event) => this.#pressKey(event));
  }

  get element() {
    return this.#strip;
  }

  /** Name of the list for screen readers. */
  get label() {
    return this.#strip.getAttribute('aria-label') ?? '';
  }

  set label(label) {
    this.#strip.setAttribute('aria-label', label);
  }

  /** The texts of all tokens. Setting them keeps the DOM of the unchanged beginning. @returns {readonly string[]} */
  get tokens() {
    return this.#tokens;
  }

  set tokens(texts) {
    let same = 0;
    while (same < texts.length && texts[same] === this.#tokens[same]) same++;
    for (const span of this.#spans.splice(same)) {
      const line = span.parentElement;
      span.remove();
      if (!line?.childElementCount) line?.remove();
    }
    this.#tokens.length = same;
    this.#backgrounds.splice(same);
    this.extend(texts.slice(same));
    this.#atEnd = true;
  }

  /** Adds tokens at the end. @param {readonly string[]} tokens */
  extend(tokens) {
    const option = h('span', { role: 'option', tabindex: -1, 'aria-selected': 'false' });
    const spans = tokens.map((token, i) => {
      const at = this.#tokens.length + i;
      const span = /** @type {HTMLElement} */ (option.cloneNode()); // faster than to set each attribute
      span.setAttribute('aria-label', `${tokenName(token)}, token ${at}`);
      if (at < this.#promptLength) span.className = 'prompt';
      span.append(...tokenElements(token));
      return span;
    });
    // Each line of the text is a box, so that a new token lays out only its line.
    const rest = new DocumentFragment();
    const lines = new DocumentFragment();
    /** @type {Node} */
    let line = rest;
    let length = this.#strip.lastElementChild?.childElementCount ?? 0;
    for (const [i, span] of spans.entries()) {
      if (length === LINE_TOKENS || (this.#tokens.at(-1) ?? '\n').endsWith('\n')) {
        line = h('div', { role: 'presentation' });
        lines.append(line);
        length = 0;
      }
      line.appendChild(span);
      length++;
      this.#tokens.push(tokens[i]);
      this.#spans.push(span);
    }
    this.#strip.lastElementChild?.append(rest);
    this.#strip.append(lines);
    this.#grown = true;
    this.#moveTabStop(Math.max(0, Math.min(this.#tabStop, this.#spans.length - 1)));
  }

  /** Number of tokens in the prompt, which are muted. */
  get promptLength() {
    return this.#promptLength;
  }

  set promptLength(length) {
    this.#promptLength = length;
    this.#spans.forEach((span, at) => span.classList.toggle('prompt', at < length));
  }

  /** Position of the underlined token, or null. */
  get selected() {
    return this.#selected;
  }

  set selected(position) {
    if (this.#selected !== null) this.#spans[this.#selected]?.setAttribute('aria-selected', 'false');
    if (position !== null) this.#spans[position].setAttribute('aria-selected', 'true');
    this.#selected = position;
  }

  /** Scrolls to the end of a text that has grown, if the end was visible. */
  keepEnd() {
    if (this.#grown && this.#atEnd) this.#strip.scrollTop = this.#strip.scrollHeight;
    this.#grown = false;
  }

  /**
   * Colors the tokens.
   * @param {(at: number) => import('../draw/color.js').Rgb | null} rgbOf background of a token, or null
   * @param {{ query?: number, key?: number | null }} [frames] positions of tokens to frame
   */
  paint(rgbOf, { query, key } = {}) {
    this.#spans.forEach((span, at) => {
      const rgb = rgbOf(at);
      const background = rgb ? cssOf(rgb) : '';
      if ((this.#backgrounds[at] ?? '') === background) return;
      this.#backgrounds[at] = background;
      const body = /** @type {HTMLElement} */ (span.lastElementChild);
      body.style.backgroundColor = background;
      body.style.color = rgb ? inkOn(rgb) : '';
    });
    for (const [name, at] of /** @type {const} */ ([['query', query], ['key', key]])) {
      this.#strip.querySelector(`.${name}`)?.classList.remove(name);
      this.#spans[at ?? -1]?.classList.add(name);
    }
  }

  /** @param {Event} event */
  #indexOf(event) {
    const span = /** @type {Element} */ (event.target).closest('[role=option]');
    return span ? this.#spans.indexOf(/** @type {HTMLElement} */ (span)) : null;
  }

  /** @param {number | null} position */
  #select(position) {
    if (position === null) return;
    this.#moveTabStop(position);
    this.selected = position;
    this.#onSelect(position);
  }

  /** @param {number} position */
  #moveTabStop(position) {
    if (this.#spans[this.#tabStop]) this.#spans[this.#tabStop].tabIndex = -1;
    if (this.#spans[position]) this.#spans[position].tabIndex = 0;
    this.#tabStop = position;
  }

  /** @param {KeyboardEvent} event */
  #pressKey(event) {
    const last = this.#spans.length - 1;
    let at = this.#tabStop;
    switch (event.key) {
      case 'ArrowLeft': case 'ArrowUp': at--; break;
      case 'ArrowRight': case 'ArrowDown': at++; break;
      case 'Home': at = 0; break;
      case 'End': at = last; break;
      case 'Enter': case ' ':
        event.preventDefault();
        this.#select(at);
        return;
      default: return;
    }
    event.preventDefault();
    if (at < 0 || at > last) return;
    this.#moveTabStop(at);
    this.#spans[at].focus();
  }
}

/**
 * The parts of a token. A leading space stays outside the framed body, because it can end the line above.
 * @param {string} token
 * @returns {Node[]}
 */
function tokenElements(token) {
  const parts = tokenParts(token);
  const elements = parts.map((part, at) => partElement(part, at === parts.length - 1));
  const leading = parts.length > 1 && parts[0].kind === 'space' ? elements.splice(0, 1) : [];
  return [...leading.map((space) => /** @type {Node} */ (space)), h('span', { class: 'body' }, ...elements)];
}

/**
 * @param {import('../draw/token.js').TokenPart} part
 * @param {boolean} last true for the last part of the token
 */
function partElement({ kind, text }, last) {
  if (kind === 'text') return text;
  if (kind === 'byte') return h('span', { class: 'byte' }, text);
  // A real space, so that lines wrap and copies contain it. Its mark is a background.
  if (kind === 'space') return h('span', { class: 'space' }, ' ');
  return h('span', { class: 'mark' }, kind === 'newline' && !last ? `${text}\n` : text);
}
