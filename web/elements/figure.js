/** What elements share that can be saved: where their numbers come from, and how a file looks. */
import { InputError } from '../draw/check.js';
import { makePalette } from '../draw/color.js';
import { DEFAULT_FIGURE_OPTIONS } from '../draw/figure-layout.js';
import { checkProvenance, provenanceData, provenanceLines } from '../draw/provenance.js';
import { HeedElement } from './heed-element.js';

/** Ground of files that are not as on the screen. @type {Record<string, import('../draw/color.js').Rgb>} */
const PAPERS = { light: [255, 255, 255], dark: [21, 22, 25] };
const [SMALLEST, LARGEST] = [6, 32];

/** @typedef {Partial<import('./export-menu.js').MenuOptions>} ExportOptions */

export class HeedFigure extends HeedElement {
  /** @type {import('../draw/provenance.js').Provenance} */
  #provenance = {};

  get provenance() {
    return { ...this.#provenance };
  }

  /** Where the numbers come from: caption and data of every file. */
  set provenance(provenance) {
    this.accept('provenance', () => {
      this.#provenance = checkProvenance(provenance);
    });
  }

  /** Origin of a file that is made now. */
  origin() {
    const provenance = provenanceData(this.#provenance, new Date());
    return { provenance, caption: provenanceLines(provenance) };
  }

  /**
   * @param {string} format
   * @param {readonly string[]} formats that the element has
   * @param {ExportOptions} wishes
   * @returns {{ look: import('../draw/figure-layout.js').FigureOptions, palette: import('../draw/color.js').Palette,
   *   faces: { face: string, mono: string } }}
   * @throws {InputError} for wishes that no file can have
   */
  fileStyle(format, formats, wishes) {
    if (!formats.includes(format)) {
      throw new InputError(`a file must be one of ${formats.join(', ')}, not ${String(format)}.`);
    }
    const { theme = 'shown', ...look } = { ...DEFAULT_FIGURE_OPTIONS, ...wishes };
    if (!(look.fontSize >= SMALLEST && look.fontSize <= LARGEST)) {
      throw new InputError(`the font size must be from ${SMALLEST} to ${LARGEST} pixels.`);
    }
    const { paper, face, mono } = this.colors();
    return { look, palette: makePalette(PAPERS[theme] ?? paper), faces: { face, mono } };
  }
}
