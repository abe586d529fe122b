/** Base class of elements that show a text whose tokens have the color of a number. */
import { paletteFor } from '../draw/color.js';
import { colorBar, withColorBar } from '../draw/color-bar.js';
import { makeDivergingPalette } from '../draw/diverging.js';
import { inkOf } from '../draw/map-export.js';
import { tokenMarks } from '../draw/token-marks.js';
import { STYLE } from './attention-map-style.js';
import { h } from './dom.js';
import { HeedFigure } from './figure.js';
import { Legend } from './legend.js';
import { TOKEN_STYLE, TokenList } from './token-list.js';

/** @typedef {import('../draw/color.js').Palette} Palette */
/**
 * A text, its colors and its numbers.
 * @typedef {object} Coloring
 * @property {string[]} tokens
 * @property {import('../draw/raster.js').Shading} shading
 * @property {string} name of the colored quantity
 * @property {(palette: Palette, at: number) => import('../draw/color.js').Rgb | null} colorOf background of a token
 * @property {(at: number | null) => string} describe a token, or the text
 * @property {Pick<import('./figure.js').FigureContent, 'values' | 'csv' | 'json'>} file
 */

/** Side of a cell of the legend: it never averages. */
const CELL = 1;

export class ColoredText extends HeedFigure {
  /** @type {number | null} */
  #hovered = null;
  #palette = paletteFor([255, 255, 255]);
  #diverging = this.#palette;

  #output = h('output', { 'aria-live': 'polite', class: 'hint' });
  #legend = new Legend();
  #list;

  /** @param {{ label: string, subject: string, fileName: string }} words label: of the list for screen readers;
   *  subject: of the menu, a noun such as ‘losses’; fileName: without extension */
  constructor({ label, subject, fileName }) {
    super(`${STYLE}${TOKEN_STYLE}.strip { max-height: var(--heed-map-height, 40rem); }
      @media print { output.hint { display: revert; } } /* the sentence about the whole text */`);
    this.#list = new TokenList(label, {
      onHover: (position) => this.#hover(position),
      onSelect: (position) => this.emit('heed-token-select', { position }),
    });
    this.root.append(h('figure', {}, h('div', { class: 'top' }, this.#output, this.#legend.element),
      this.#list.element, h('div', { class: 'more' }, this.menu({ subject, fileName: () => fileName }))));
  }

  /**
   * The shown text; null without data.
   * @protected
   * @returns {Coloring | null}
   */
  coloring() {
    return null;
  }

  /** Adds controls above the text. @param {HTMLElement} controls @protected */
  addControls(controls) {
    this.#list.element.before(controls);
  }

  /** Shows another text. @protected */
  replaceText() {
    this.#list.selected = null;
    this.#list.tokens = this.coloring()?.tokens ?? [];
    this.#hovered = null;
    this.recolor();
  }

  /** Shows other numbers of the same text. @protected */
  recolor() {
    this.#describe();
    this.invalidate();
  }

  themeChanged() {
    const { paper } = this.colors();
    this.#palette = paletteFor(paper);
    this.#diverging = makeDivergingPalette(paper);
  }

  redraw() {
    const coloring = this.coloring();
    if (!coloring) return;
    const { shading, colorOf } = coloring;
    const palette = shading.kind === 'difference' ? this.#diverging : this.#palette;
    this.#legend.show(shading, palette, CELL);
    this.#list.paint((at) => colorOf(palette, at), { query: this.#hovered ?? undefined });
  }

  /** @param {number | null} position */
  #hover(position) {
    if (position === this.#hovered) return;
    this.#hovered = position;
    this.#describe();
    this.emit('heed-token-hover', { position });
    this.invalidate();
  }

  /** Describes the hovered token, or the text. */
  #describe() {
    const said = this.coloring()?.describe(this.#hovered) ?? '';
    if (this.#output.textContent !== said) this.#output.textContent = said;
    this.#output.classList.toggle('hint', this.#hovered === null);
  }

  /**
   * @protected
   * @returns {import('./figure.js').FigureContent | null}
   */
  content() {
    const coloring = this.coloring();
    if (!coloring) return null;
    const { tokens, shading, name, colorOf, describe, file } = coloring;
    return { ...file, title: describe(null), picture: ({ options: { fontSize }, palette: given }) => {
      const palette = shading.kind === 'difference' ? makeDivergingPalette(given.paper) : given;
      const ink = inkOf(given);
      const text = tokenMarks(tokens, { fontSize, fillOf: () => ink, colorOf: (at) => colorOf(palette, at) });
      return withColorBar(text, colorBar(shading, { palette, name, fontSize, ink }), fontSize);
    } };
  }
}
