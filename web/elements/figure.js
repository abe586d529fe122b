/** Base class of elements that can be saved as files: their menu, provenance and formats. */
import { InputError } from '../draw/check.js';
import { paletteFor } from '../draw/color.js';
import { DEFAULT_FIGURE_OPTIONS } from '../draw/figure-layout.js';
import { figureHtmlSteps } from '../draw/html-export.js';
import { unescapeXml } from '../draw/map-export.js';
import { checkProvenance, provenanceData, provenanceLines } from '../draw/provenance.js';
import { ExportMenu } from './export-menu.js';
import { HeedElement } from './heed-element.js';
import { markFile } from './mark-file.js';
import { textFile } from './text-file.js';

/** Backgrounds of the light and the dark theme of a file. @type {Record<string, import('../draw/color.js').Rgb>} */
const PAPERS = { light: [255, 255, 255], dark: [21, 22, 25] };
const SMALLEST = 6;
const LARGEST = 32;

/** Formats of most figures. @typedef {'png' | 'svg' | 'html' | 'csv' | 'json'} FigureFormat */
/** Formats without the page, which has other files in it. @typedef {Exclude<FigureFormat, 'html'>} FileFormat */

/**
 * How a saved picture looks. All fields are optional.
 * @typedef {Partial<import('./export-menu.js').MenuOptions>} ExportOptions
 */

/**
 * The look of a file.
 * @typedef {object} FileStyle
 * @property {import('../draw/figure-layout.js').FigureOptions} options with all fields
 * @property {import('../draw/color.js').Palette} palette of the theme
 * @property {{ face: string, mono: string }} faces CSS fonts
 */

/**
 * The numbers and the picture of a figure of marks. A file calls only the function that it needs.
 * @typedef {object} FigureContent
 * @property {string} title without the name of the model
 * @property {string} [values] the quantity of the numbers, for the JSON file
 * @property {() => string} csv the CSV file
 * @property {() => object} json fields of the JSON file
 * @property {(style: FileStyle) => { marks: import('../draw/marks.js').Mark[], width: number, height: number }} picture
 *   all lengths in CSS pixels
 */

/**
 * Base class of elements with `provenance` and `export()`. Subclasses implement `content()`, or `file()` if their
 * picture is not a list of marks.
 * @template {string} [Format=FigureFormat] formats of the files
 */
export class HeedFigure extends HeedElement {
  /** Formats of the files. */
  static formats = ['png', 'svg', 'html', 'csv', 'json'];

  /** @type {import('../draw/provenance.js').Provenance} */
  #provenance = {};

  /** The provenance of the numbers. It appears in the caption and the metadata of every file. */
  get provenance() {
    return { ...this.#provenance };
  }

  set provenance(provenance) {
    this.accept('provenance', () => {
      this.#provenance = checkProvenance(provenance);
    });
  }

  /**
   * The menu that saves and copies the figure.
   * @protected
   * @param {{ subject: string, fileName: () => string, hatched?: boolean }} words subject: a noun such as ‘map’;
   *   fileName: without extension; hatched: offer hatching of masked cells, default false
   * @returns {HTMLElement}
   */
  menu({ subject, fileName, hatched = false }) {
    return new ExportMenu({ subject, fileName, hatched, formats: this.#formats,
      make: (format, options) => this.export(format, options) }).element;
  }

  /**
   * Writes the whole figure. JSON and CSV have all numbers, independent of the picture.
   * @param {Format} format 'png', 'svg', 'html', 'csv' or 'json'; of a map also 'tex' and 'tikz'
   * @param {ExportOptions} [options] how a picture looks
   * @returns {Promise<Blob>} the file
   * @throws {RangeError} (rejects) if the figure is too large for the format
   * @throws {TypeError} (rejects) for an unknown format or invalid options, or if there is no data
   */
  async export(format, options = {}) {
    const style = this.#styleOf(format, options);
    if (format === 'html') return this.#htmlPage(options);
    return this.file(/** @type {Exclude<Format, 'html'>} */ (format), style);
  }

  /**
   * Writes a file. A figure of marks has its `content()`.
   * @protected
   * @param {Exclude<Format, 'html'>} format
   * @param {FileStyle} style
   * @returns {Promise<Blob>} the file
   * @throws {InputError} (rejects) if there is no data
   */
  async file(format, style) {
    const content = this.content();
    if (!content) throw new InputError('there is no data to save.');
    const { provenance, caption } = this.origin();
    const title = `${this.getAttribute('name') ?? 'model'}: ${content.title}`;
    if (format === 'csv') return new Blob([content.csv()], { type: 'text/csv' });
    if (format === 'json') {
      const json = { title, values: content.values, provenance, ...content.json() };
      return new Blob([`${JSON.stringify(json)}\n`], { type: 'application/json' });
    }
    return markFile(/** @type {'png' | 'svg'} */ (/** @type {string} */ (format)),
      { ...content.picture(style), title, caption, provenance }, style);
  }

  /**
   * The content of the files; null if there is no data.
   * @protected
   * @returns {FigureContent | null}
   */
  content() {
    return null;
  }

  /**
   * The provenance of a file written now.
   * @protected
   * @returns its fields, and the same as lines of a caption
   */
  origin() {
    const provenance = provenanceData(this.#provenance, new Date());
    return { provenance, caption: provenanceLines(provenance) };
  }

  get #formats() {
    return /** @type {typeof HeedFigure} */ (this.constructor).formats;
  }

  /**
   * The figure as one HTML page without scripts: its SVG, and its numbers as a table and as JSON.
   * @param {ExportOptions} options how the picture looks
   * @returns {Promise<Blob>} the HTML file
   */
  async #htmlPage(options) {
    const [svg, csv, json] = await Promise.all(['svg', 'csv', 'json'].map(async (format) =>
      (await this.export(/** @type {Format} */ (format), options)).text()));
    const title = unescapeXml(/<title>([^<]*)<\/title>/.exec(svg)?.[1] ?? '');
    return textFile(figureHtmlSteps({ title, svg, csv, json }), 'text/html');
  }

  /**
   * Validates a request for a file.
   * @param {string} format
   * @param {ExportOptions} options
   * @returns {FileStyle}
   * @throws {InputError} for an unknown format or invalid options
   */
  #styleOf(format, options) {
    if (!this.#formats.includes(format)) {
      throw new InputError(`the format must be one of ${this.#formats.join(', ')}, got ${String(format)}.`);
    }
    const { theme = 'shown', ...figure } = { ...DEFAULT_FIGURE_OPTIONS, ...options };
    if (!(figure.fontSize >= SMALLEST && figure.fontSize <= LARGEST)) {
      throw new InputError(`the font size must be from ${SMALLEST} to ${LARGEST} pixels.`);
    }
    const { paper, face, mono } = this.colors();
    return { options: figure, palette: paletteFor(PAPERS[theme] ?? paper), faces: { face, mono } };
  }
}
