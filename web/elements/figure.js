/** Base class of elements that can be saved as files: provenance and file options. */
import { InputError } from '../draw/check.js';
import { paletteFor } from '../draw/color.js';
import { DEFAULT_FIGURE_OPTIONS } from '../draw/figure-layout.js';
import { figureHtmlSteps } from '../draw/html-export.js';
import { checkProvenance, provenanceData, provenanceLines } from '../draw/provenance.js';
import { HeedElement } from './heed-element.js';
import { textFile } from './text-file.js';

/** Backgrounds of the light and the dark theme of a file. @type {Record<string, import('../draw/color.js').Rgb>} */
const PAPERS = { light: [255, 255, 255], dark: [21, 22, 25] };
const [SMALLEST, LARGEST] = [6, 32];

/**
 * How a saved picture looks. All fields are optional.
 * @typedef {Partial<import('./export-menu.js').MenuOptions>} ExportOptions
 */

/** Base class of elements with `provenance` and `export()`. */

export class HeedFigure extends HeedElement {
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
   * The provenance of a file written now.
   * @returns its fields, and the same as lines of a caption
   */
  origin() {
    const provenance = provenanceData(this.#provenance, new Date());
    return { provenance, caption: provenanceLines(provenance) };
  }

  /**
   * Writes the figure. Subclasses implement it.
   * @param {string} format
   * @param {ExportOptions} [_options]
   * @returns {Promise<Blob>} the file
   * @throws {InputError} (rejects) for an unknown format
   */
  async export(format, _options) {
    throw new InputError(`<${this.localName}> has no file of the format ${format}.`);
  }

  /**
   * The figure as one HTML page without scripts: its SVG, and its numbers as a table and as JSON.
   * @param {ExportOptions} options how the picture looks
   * @returns {Promise<Blob>} the HTML file
   */
  async htmlPage(options) {
    const [svg, csv, json] = await Promise.all(['svg', 'csv', 'json'].map(async (format) =>
      (await this.export(format, options)).text()));
    const [element] = /<title>[^<]*<\/title>/.exec(svg) ?? ['<title/>'];
    const title = new DOMParser().parseFromString(element, 'text/xml').documentElement.textContent ?? '';
    return textFile(figureHtmlSteps({ title, svg, csv, json }), 'text/html');
  }

  /**
   * Validates the options of a file.
   * @param {string} format requested format
   * @param {readonly string[]} formats formats of the element
   * @param {ExportOptions} options how a picture looks
   * @returns {{ options: import('../draw/figure-layout.js').FigureOptions, palette: import('../draw/color.js').Palette,
   *   faces: { face: string, mono: string } }} complete options, the palette of the theme, and CSS fonts
   * @throws {InputError} for an unknown format or invalid options
   */
  fileStyle(format, formats, options) {
    if (!formats.includes(format)) {
      throw new InputError(`the format must be one of ${formats.join(', ')}, got ${String(format)}.`);
    }
    const { theme = 'shown', ...figure } = { ...DEFAULT_FIGURE_OPTIONS, ...options };
    if (!(figure.fontSize >= SMALLEST && figure.fontSize <= LARGEST)) {
      throw new InputError(`the font size must be from ${SMALLEST} to ${LARGEST} pixels.`);
    }
    const { paper, face, mono } = this.colors();
    return { options: figure, palette: paletteFor(PAPERS[theme] ?? paper), faces: { face, mono } };
  }
}
