/** Writes a figure as a PNG with its title and provenance. */
import { cssOf } from '../draw/color.js';
import { inkOf } from '../draw/map-export.js';
import { pngWithText } from '../draw/png.js';
import { h } from './dom.js';

/** Longest side of a picture in pixels that every browser can encode. */
export const PICTURE_SIDE = 8192;
/** Pixels per CSS pixel, so that a picture prints sharply. */
export const DENSITY = 2;

/**
 * @param {{ layout: { width: number, height: number, pad: number, lines: { text: string, y: number }[] },
 *   title: string, provenance?: object,
 *   palette: import('../draw/color.js').Palette, options: import('../draw/figure-layout.js').FigureOptions,
 *   faces: { face: string } }} figure
 * @param {(context: CanvasRenderingContext2D) => void} paint draws everything except background and caption
 * @returns {Promise<Blob>}
 */
export async function figurePng({ layout, palette, options, faces, title, provenance = {} }, paint) {
  const { width, height, pad, lines } = layout;
  const canvas = h('canvas', { width: DENSITY * width, height: DENSITY * height });
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser has no 2D canvas.');
  context.scale(DENSITY, DENSITY);
  if (!options.transparent) {
    context.fillStyle = cssOf(palette.paper);
    context.fillRect(0, 0, width, height);
  }
  paint(context);
  context.font = `${options.fontSize}px ${faces.face}`;
  context.fillStyle = inkOf(palette);
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  for (const { text, y } of lines) context.fillText(text, pad, y);
  /** @type {Blob} */
  const blob = await new Promise((resolve, reject) => {
    canvas.toBlob((made) => (made ? resolve(made) : reject(new Error('The browser could not encode the picture.'))));
  });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const texts = { Title: title, Software: 'heed', Description: JSON.stringify(provenance) };
  return new Blob([pngWithText(bytes, texts)], { type: 'image/png' });
}
