/** Cells with a number and its color. */
import { cssOf, inkOn } from './color.js';
import { CELL_HEIGHT } from './lens.js';
import { levelOf } from './scale.js';

/**
 * The cells of a range as marks, from the top left cell of the whole picture.
 * @param {(column: number, row: number) => number | null} numberAt null: an empty cell
 * @param {(value: number) => string} format
 * @param {import('./raster.js').Shading} shading
 * @param {{ positions: [from: number, to: number], layers: [from: number, to: number], width: number, fontSize: number,
 *   palette: import('./color.js').Palette }} view positions: of rows; layers: of columns; width: of a cell
 * @returns {import('./marks.js').Mark[]}
 */
export function numberCells(numberAt, format, { kind, max }, { positions, layers, width, fontSize, palette }) {
  const height = CELL_HEIGHT * fontSize;
  /** @type {import('./marks.js').Mark[]} */
  const marks = [];
  for (let row = positions[0]; row < positions[1]; row++) {
    for (let column = layers[0]; column < layers[1]; column++) {
      const value = numberAt(column, row);
      if (value === null) continue;
      const rgb = palette.rgb[levelOf(kind, value, max)];
      marks.push({ rect: [column * width, row * height, width - 1, height - 1], fill: cssOf(rgb) },
        { text: format(value), x: column * width + 4, y: (row + 0.5) * height, fill: inkOn(rgb) });
    }
  }
  return marks;
}
