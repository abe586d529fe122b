/** `<heed-token-strip>`: a text as tokens. */
import { checkCount, checkNumbers, checkTexts } from '../draw/check.js';
import { inkOn, cssOf, paletteFor } from '../draw/color.js';
import { levelOf } from '../draw/scale.js';
import { tokenName, tokenParts } from '../draw/token.js';
import { numberAttribute, textAttribute } from './attributes.js';
import { h } from './dom.js';
import { HeedElement } from './heed-element.js';

const CSS = `
  .strip {
    font: var(--heed-size-text, 1.0625rem)/1.65 var(--mono); overflow-wrap: anywhere; white-space: pre-wrap;
    contain: content; max-height: var(--heed-strip-height, 15em); overflow-y: auto;
    padding: 4px 2px;
  }
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

/** Name of the list for screen readers. */
const LABEL = 'Tokens of the text';

/** Weights below this share of the largest one are not highlighted: they would only tint the text. */
const MIN_HIGHLIGHT = 0.02;

/**
 * `<heed-token-strip>`: a text as tokens. It highlights the tokens that one token attends to.
 *
 *     strip.tokens = ['The', ' cat', …];
 *     strip.light(5, weights);            // Float32Array [keys]: the attention of token 5
 *
 * Attributes: `prompt-length`, `label`.
 *
 * @fires heed-token-hover `{ position }` a token is hovered or focused; null at the end
 * @fires heed-token-select `{ position }` a token was clicked, or selected with Enter
 * @fires heed-error `{ input, error }` an input was refused
 * @throws {never} invalid input does not throw: it fires `heed-error`
 */
export class HeedTokenStrip extends HeedElement {
  static attributeReaders = {
    'prompt-length': numberAttribute('promptLength', 0),
    label: textAttribute('label', LABEL),
  };

  #strip = h('div', { class: 'strip', role: 'listbox', 'aria-label': LABEL });
  /** @type {string[]} */
  #tokens = [];
  /** @type {HTMLElement[]} */
  #spans = [];
  #promptLength = 0;
  /** The token that the Tab key reaches. */
  #tabStop = 0;
  /** @type {number | null} */
  #selected = null;
  /** @type {{ query: number, key: number | null, weights: Float32Array } | null} */
  #highlight = null;
  /** True if tokens are drawn highlighted. */
  #painted = false;
  #palette = paletteFor([255, 255, 255]);
  /** True while the end of the text is visible: it then stays visible when the text grows. */
  #atEnd = true;
  #grown = false;

  constructor() {
    super(CSS);
    this.root.append(this.#strip);
    this.#strip.addEventListener('scroll', () => {
      this.#atEnd = this.#strip.scrollHeight - this.#strip.scrollTop - this.#strip.clientHeight < 8;
    }, { passive: true });
    this.#strip.addEventListener('pointerover', (event) => this.#hover(this.#indexOf(event)));
    this.#strip.addEventListener('pointerleave', () => this.#hover(null));
    this.#strip.addEventListener('focusin', (event) => this.#hover(this.#indexOf(event)));
    this.#strip.addEventListener('focusout', () => this.#hover(null));
    this.#strip.addEventListener('click', (event) => this.#select(this.#indexOf(event)));
    this.#strip.addEventListener('keydown', (event) => this.#pressKey(event));
  }

  /** The texts of all tokens. Setting them keeps the DOM of the unchanged beginning. */
  get tokens() {
    return [...this.#tokens];
  }

  set tokens(tokens) {
    this.accept('tokens', () => {
      const texts = checkTexts(tokens, 'tokens');
      let same = 0;
      while (same < texts.length && texts[same] === this.#tokens[same]) same++;
      for (const span of this.#spans.splice(same)) {
        const line = span.parentElement;
        span.remove();
        if (!line?.childElementCount) line?.remove();
      }
      this.#tokens.length = same;
      this.#append(texts.slice(same));
      this.#highlight = null;
      this.#atEnd = true;
    });
  }

  /**
   * Adds tokens at the end.
   * @param {string[]} tokens their texts
   */
  extend(tokens) {
    this.accept('tokens', () => this.#append(checkTexts(tokens, 'tokens')));
  }

  /** @param {string[]} tokens */
  #append(tokens) {
    const spans = tokens.map((token, i) => {
      const at = this.#tokens.length + i;
      return h('span', { role: 'option', tabindex: at === this.#tabStop ? 0 : -1, 'aria-selected': 'false',
        'aria-label': `${tokenName(token)}, token ${at}`, class: at < this.#promptLength ? 'prompt' : '' },
      ...tokenElements(token));
    });
    // Each line of the text is a box, so that a new token lays out only its line.
    const [rest, lines] = [new DocumentFragment(), new DocumentFragment()];
    /** @type {Node} */
    let line = rest;
    for (const [i, span] of spans.entries()) {
      if ((this.#tokens.at(-1) ?? '\n').endsWith('\n')) {
        line = h('div', { role: 'presentation' });
        lines.append(line);
      }
      line.appendChild(span);
      this.#tokens.push(tokens[i]);
      this.#spans.push(span);
    }
    this.#strip.lastElementChild?.append(rest);
    this.#strip.append(lines);
    this.#grown = true;
    this.invalidate();
    this.#moveTabStop(Math.max(0, Math.min(this.#tabStop, this.#spans.length - 1)));
  }

  /** Number of tokens in the prompt. Later tokens were generated. Default 0. */
  get promptLength() {
    return this.#promptLength;
  }

  set promptLength(length) {
    this.accept('promptLength', () => {
      this.#promptLength = checkCount(length, 'promptLength');
      this.#spans.forEach((span, at) => span.classList.toggle('prompt', at < length));
    });
  }

  /** Name of the list for screen readers. Default ‘Tokens of the text’. */
  get label() {
    return this.#strip.getAttribute('aria-label') ?? LABEL;
  }

  set label(label) {
    this.#strip.setAttribute('aria-label', String(label));
  }

  /** Position of the underlined token, or null. Setting it fires no event. */
  get selected() {
    return this.#selected;
  }

  set selected(position) {
    this.accept('selected', () => {
      if (position !== null) checkCount(position, 'selected', 0, this.#spans.length - 1);
      if (this.#selected !== null) this.#spans[this.#selected]?.setAttribute('aria-selected', 'false');
      if (position !== null) this.#spans[position].setAttribute('aria-selected', 'true');
      this.#selected = position;
    });
  }

  /**
   * Highlights the tokens that a token attends to.
   * @param {number | null} query position of the token; null removes the highlight
   * @param {Float32Array | Float64Array | null} [weights] [keys] its attention weights
   * @param {number | null} [key] position of a token to frame
   */
  light(query, weights = null, key = null) {
    this.accept('light', () => {
      if (query === null || !weights) {
        this.#highlight = null;
      } else {
        checkCount(query, 'query');
        if (key !== null) checkCount(key, 'key');
        this.#highlight = { query, key, weights: new Float32Array(checkNumbers(weights, 'weights')) };
      }
      this.invalidate();
    });
  }

  themeChanged() {
    this.#palette = paletteFor(this.colors().paper);
  }

  redraw() {
    if (this.#grown && this.#atEnd) this.#strip.scrollTop = this.#strip.scrollHeight;
    this.#grown = false;
    if (!this.#highlight && !this.#painted) return;
    this.#painted = this.#highlight !== null;
    const weights = this.#highlight?.weights;
    const max = weights ? weights.reduce((a, b) => Math.max(a, b), 0) : 0;
    this.#spans.forEach((span, at) => {
      const weight = weights && at < weights.length ? weights[at] : 0;
      const rgb = weight > MIN_HIGHLIGHT * max ? this.#palette.rgb[levelOf('linear', weight, max)] : null;
      const background = rgb ? cssOf(rgb) : '';
      const body = /** @type {HTMLElement} */ (span.lastElementChild);
      if (body.style.backgroundColor !== background) {
        body.style.backgroundColor = background;
        body.style.color = rgb ? inkOn(rgb) : '';
      }
      span.classList.toggle('query', at === this.#highlight?.query);
      span.classList.toggle('key', at === this.#highlight?.key);
    });
  }

  /** @param {Event} event */
  #indexOf(event) {
    const span = /** @type {Element} */ (event.target).closest('[role=option]');
    return span ? this.#spans.indexOf(/** @type {HTMLElement} */ (span)) : null;
  }

  /** @param {number | null} position */
  #hover(position) {
    this.emit('heed-token-hover', { position });
  }

  /** @param {number | null} position */
  #select(position) {
    if (position === null) return;
    this.#moveTabStop(position);
    this.selected = position;
    this.emit('heed-token-select', { position });
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
