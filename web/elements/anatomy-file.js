/** Writes the open block of an anatomy as PNG or SVG, and the numbers of a box as CSV or JSON. */
import { arrowhead } from '../draw/anatomy-layout.js';
import { anatomyToSvg, boxToCsv, boxToJson, pageOf, textsOf } from '../draw/anatomy-export.js';
import { paintPixels, pixelsOf } from '../draw/anatomy-raster.js';
import { inkOf } from '../draw/map-export.js';
import { h } from './dom.js';
import { figurePng } from './figure-png.js';

/** @typedef {import('../draw/anatomy-boxes.js').Plane} Plane */

/** Most pixels per side of the raster of a box. */
const SIDE = 512;

/**
 * @typedef {object} FileContent
 * @property {import('../draw/anatomy-export.js').AnatomyFigure} figure
 * @property {Map<string, { plane: Plane, scale: Parameters<typeof pixelsOf>[3] }>} planes of the boxes
 * @property {{ box: import('../draw/anatomy-boxes.js').Box, plane: Plane }} numbers of the CSV and JSON files
 */

/**
 * @param {import('./figure.js').FileFormat} format
 * @param {FileContent} content
 * @param {import('./figure.js').FileStyle & { inks: import('../draw/anatomy-raster.js').Inks }} style
 * @returns {Promise<Blob>}
 */
export async function anatomyFile(format, { figure, planes, numbers }, { palette, options, faces, inks }) {
  if (format === 'csv') return new Blob([boxToCsv(numbers.box, numbers.plane, figure.tokens)], { type: 'text/csv' });
  if (format === 'json') {
    return new Blob([boxToJson(numbers.box, numbers.plane, figure)], { type: 'application/json' });
  }
  const rasters = new Map([...planes].map(([id, { plane, scale }]) => {
    const size = { width: Math.min(SIDE, plane.columns), height: Math.min(SIDE, plane.rows) };
    const whole = { rows: /** @type {[number, number]} */ ([0, plane.rows]),
      columns: /** @type {[number, number]} */ ([0, plane.columns]) };
    return [id, { size, pixels: pixelsOf(plane, whole, size, scale, inks) }];
  }));
  if (format === 'svg') {
    const images = new Map([...rasters].map(([id, { size, pixels }]) => [id, pngOf(pixels, size)]));
    return new Blob([anatomyToSvg(figure, images, palette, options)], { type: 'image/svg+xml' });
  }
  const page = pageOf(figure, options);
  const { layout, title, provenance } = figure;
  return figurePng({ layout: page, palette, options, faces, title, provenance }, (context) => {
    const ink = inkOf(palette);
    context.save();
    context.translate(page.pad, page.pad);
    context.scale(page.scale, page.scale);
    context.strokeStyle = context.fillStyle = ink;
    context.globalAlpha = 0.5;
    for (const { path, tip } of layout.links) {
      context.stroke(new Path2D(path));
      context.fill(new Path2D(arrowhead(tip)));
    }
    for (const { id, raster } of layout.placed) {
      const { size, pixels } = /** @type {any} */ (rasters.get(id));
      context.globalAlpha = 1;
      paintPixels(context, pixels, size, raster);
      context.globalAlpha = 0.3;
      context.strokeRect(raster.x, raster.y, raster.width, raster.height);
    }
    for (const { text, x, y, kind } of textsOf(figure)) {
      const title = kind === 'title';
      context.globalAlpha = title ? 1 : 0.7;
      context.font = `${title ? '600 12' : '11'}px ${kind === 'token' ? faces.mono : faces.face}`;
      context.textAlign = kind === 'token' ? 'right' : 'left';
      context.fillText(text, x, y);
    }
    context.restore();
  });
}

/** A picture as a data URL. @param {Uint32Array} pixels @param {{ width: number, height: number }} size */
function pngOf(pixels, size) {
  const canvas = h('canvas', size);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  paintPixels(context, pixels, size, { x: 0, y: 0, ...size });
  return canvas.toDataURL('image/png');
}
