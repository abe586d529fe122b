import { checkCount, checkNumbers, checkTexts } from '../draw/check.js';
import { inkOn, cssOf, makePalette } from '../draw/color.js';
import { levelOf } from '../draw/scale.js';
import { tokenName, tokenParts } from '../draw/token.js';
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

/** Weights below this share of the row's largest are not lit: they would only make the text gray. */
const LIT = 0.02;

/**
 * `<heed-token-strip>`: the text as tokens; one lights up what it attends to.
 *
 *     strip.tokens = ['The', ' cat', …];
 *     strip.light(5, weights);            // Float32Array [key]: what token 5 attends to
 *
 * Tells `heed-token-hover` with { position } (null when none is under the pointer or has the focus any more), and
 * `heed-token-select` with { position } on click or Enter.
 */
export class HeedTokenStrip extends HeedElement {
  #strip = h('div', { class: 'strip', role: 'listbox', 'aria-label': 'The text, token by token' });
  /** @type {string[]} */
  #tokens = [];
  /** @type {HTMLElement[]} */
  #spans = [];
  #promptLength = 0;
  /** The token that tabbing reaches. */
  #tabStop = 0;
  /** @type {number | null} */
  #selected = null;
  /** @type {{ query: number, key: number | null, weights: Float32Array } | null} */
  #lit = null;
  /** Whether tokens are drawn as lit. */
  #shining = false;
  #palette = makePalette([255, 255, 255]);
  /** Whether the end of the text is in sight, so that it stays there as the text grows. */
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
    this.#strip.addEventListener('keydown', (event) => this.#walk(event));
  }

  get tokens() {
    return [...this.#tokens];
  }

  /** The whole text; tokens that stay at their place keep their elements. */
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
      this.#lit = null;
      this.#atEnd = true;
    });
  }

  /**
   * @param {string[]} tokens that follow
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
    // A line of the text is a box of its own: a token more lays out its line only, not the whole text.
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

  get promptLength() {
    return this.#promptLength;
  }

  /** Tokens that were given; what follows was generated. */
  set promptLength(length) {
    this.accept('promptLength', () => {
      this.#promptLength = checkCount(length, 'promptLength');
      this.#spans.forEach((span, at) => span.classList.toggle('prompt', at < length));
    });
  }

  get selected() {
    return this.#selected;
  }

  /** The token that is marked, or null; setting it tells nobody. */
  set selected(position) {
    this.accept('selected', () => {
      if (position !== null) checkCount(position, 'selected', 0, this.#spans.length - 1);
      if (this.#selected !== null) this.#spans[this.#selected]?.setAttribute('aria-selected', 'false');
      if (position !== null) this.#spans[position].setAttribute('aria-selected', 'true');
      this.#selected = position;
    });
  }

  /**
   * Lights what a token attends to.
   * @param {number | null} query null puts all lights out; a token that is not in the text is not lit
   * @param {Float32Array | Float64Array | null} [weights] [key] of its row
   * @param {number | null} [key] one of them to frame
   */
  light(query, weights = null, key = null) {
    this.accept('light', () => {
      if (query === null || !weights) {
        this.#lit = null;
      } else {
        checkCount(query, 'query');
        if (key !== null) checkCount(key, 'key');
        this.#lit = { query, key, weights: new Float32Array(checkNumbers(weights, 'weights')) };
      }
      this.invalidate();
    });
  }

  themeChanged() {
    this.#palette = makePalette(this.colors().paper);
  }

  redraw() {
    if (this.#grown && this.#atEnd) this.#strip.scrollTop = this.#strip.scrollHeight;
    this.#grown = false;
    if (!this.#lit && !this.#shining) return;
    this.#shining = this.#lit !== null;
    const weights = this.#lit?.weights;
    const max = weights ? weights.reduce((a, b) => Math.max(a, b), 0) : 0;
    this.#spans.forEach((span, at) => {
      const weight = weights && at < weights.length ? weights[at] : 0;
      const rgb = weight > LIT * max ? this.#palette.rgb[levelOf('linear', weight, max)] : null;
      const background = rgb ? cssOf(rgb) : '';
      const body = /** @type {HTMLElement} */ (span.lastElementChild);
      if (body.style.backgroundColor !== background) {
        body.style.backgroundColor = background;
        body.style.color = rgb ? inkOn(rgb) : '';
      }
      span.classList.toggle('query', at === this.#lit?.query);
      span.classList.toggle('key', at === this.#lit?.key);
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
  #walk(event) {
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
 * The space before a word, and the word. Only the word is framed and colored: its space can end the line above.
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
 * @param {boolean} last of its token
 */
function partElement({ kind, text }, last) {
  if (kind === 'text') return text;
  if (kind === 'byte') return h('span', { class: 'byte' }, text);
  // A space stays a space, so that lines break at it and copies hold it; its mark is drawn behind.
  if (kind === 'space') return h('span', { class: 'space' }, ' ');
  return h('span', { class: 'mark' }, kind === 'newline' && !last ? `${text}\n` : text);
}
