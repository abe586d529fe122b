/** `<heed-token-strip>`: a text as tokens. */
import { checkCount, checkNumbers, checkTexts } from '../draw/check.js';
import { paletteFor } from '../draw/color.js';
import { highlightColors, stripMarks, stripTitle, stripToCsv } from '../draw/token-strip.js';
import { numberAttribute, textAttribute } from './attributes.js';
import { h } from './dom.js';
import { MORE_STYLE } from './export-menu.js';
import { HeedFigure } from './figure.js';
import { TOKEN_STYLE, TokenList } from './token-list.js';

const CSS = `${TOKEN_STYLE}${MORE_STYLE}
  :host { display: flex; flex-direction: column; }
  .strip { flex: 1 0 auto; } /* the menu stays at the end of the space that a page keeps for a text */
  .more { padding-inline: 2px; }
`;

/** Name of the list for screen readers. */
const LABEL = 'Tokens of the text';

/**
 * `<heed-token-strip>`: a text as tokens. It highlights the tokens that one token attends to.
 *
 *     strip.tokens = ['The', ' cat', …];
 *     strip.light(5, weights);            // Float32Array [keys]: the attention of token 5
 *
 * Attributes: `prompt-length`, `label`, `name`.
 *
 * @fires heed-token-hover `{ position }` a token is hovered or focused; null at the end
 * @fires heed-token-select `{ position }` a token was clicked, or selected with Enter
 * @fires heed-error `{ input, error }` an input was refused
 * @throws {never} invalid input does not throw: it fires `heed-error`
 */
export class HeedTokenStrip extends HeedFigure {
  static attributeReaders = {
    'prompt-length': numberAttribute('promptLength', 0, 'prompt-length'),
    label: textAttribute('label', LABEL),
  };

  #list = new TokenList(LABEL, {
    onHover: (position) => this.emit('heed-token-hover', { position }),
    onSelect: (position) => this.emit('heed-token-select', { position }),
  });
  /** @type {import('../draw/token-strip.js').Highlight | null} */
  #highlight = null;
  /** True if tokens are drawn highlighted. */
  #painted = false;
  #palette = paletteFor([255, 255, 255]);

  constructor() {
    super(CSS);
    this.root.append(this.#list.element,
      h('div', { class: 'more' }, this.menu({ subject: 'text', fileName: () => 'tokens' })));
  }

  /** The texts of all tokens. Setting them keeps the DOM of the unchanged beginning. */
  get tokens() {
    return [...this.#list.tokens];
  }

  set tokens(tokens) {
    this.accept('tokens', () => {
      this.#list.tokens = checkTexts(tokens, 'tokens');
      this.#highlight = null;
      this.invalidate();
    });
  }

  /**
   * Adds tokens at the end.
   * @param {string[]} tokens their texts
   */
  extend(tokens) {
    this.accept('tokens', () => {
      this.#list.extend(checkTexts(tokens, 'tokens'));
      this.invalidate();
    });
  }

  /** Number of tokens in the prompt. Later tokens were generated. Default 0. */
  get promptLength() {
    return this.#list.promptLength;
  }

  set promptLength(given) {
    this.accept('promptLength', () => {
      const length = this.orDefault('promptLength', given);
      this.#list.promptLength = checkCount(length, 'promptLength');
    });
  }

  /** Name of the list for screen readers. Default ‘Tokens of the text’. */
  get label() {
    return this.#list.label;
  }

  set label(label) {
    this.#list.label = String(this.orDefault('label', label));
  }

  /** Position of the underlined token, or null. Setting it fires no event. */
  get selected() {
    return this.#list.selected;
  }

  set selected(given) {
    this.accept('selected', () => {
      const position = given ?? null;
      if (position !== null) checkCount(position, 'selected', 0, this.#list.tokens.length - 1);
      this.#list.selected = position;
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
    this.#list.keepEnd();
    if (!this.#highlight && !this.#painted) return;
    this.#painted = this.#highlight !== null;
    const { query, key } = this.#highlight ?? {};
    this.#list.paint(highlightColors(this.#highlight, this.#palette), { query, key });
  }

  /**
   * The text with its highlight, if there is one.
   * @protected
   * @returns {import('./figure.js').FigureContent | null}
   */
  content() {
    const { tokens, promptLength, selected } = this.#list;
    const highlight = this.#highlight;
    const strip = { tokens, promptLength, selected, highlight };
    return tokens.length === 0 ? null : { title: stripTitle(strip), csv: () => stripToCsv(strip),
      json: () => ({ tokens, promptLength, ...(highlight && { ...highlight, weights: [...highlight.weights] }) }),
      picture: ({ options: { fontSize }, palette }) => stripMarks(strip, { fontSize, palette }) };
  }
}
