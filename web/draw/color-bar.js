/** A color bar with its numbers and its name, as marks. */
import { cssOf } from './color.js';
import { BAR, textWidth } from './figure-layout.js';
import { frameOf, moved } from './marks.js';
import { legendTicks } from './scale.js';

/** Number of colors in a bar. */
const STEPS = 50;
/** Between the bar and its name. */
const GAP = 8;

/**
 * @param {import('./raster.js').Shading} shading
 * @param {{ palette: import('./color.js').Palette, name: string, fontSize: number, ink: string }} look name: of the
 *   colored quantity
 * @returns {{ marks: import('./marks.js').Mark[], width: number, height: number }} from the top left corner of the bar
 */
export function colorBar({ kind, max }, { palette, name, fontSize, ink }) {
  const last = palette.rgb.length - 1;
  /** @type {import('./marks.js').Mark[]} */
  const marks = [];
  for (let i = 0; i < STEPS; i++) {
    const from = i / STEPS * BAR.width; // each color goes on to the end, so that no seams show between two of them
    const fill = cssOf(palette.rgb[Math.round(i / (STEPS - 1) * last)]);
    marks.push({ rect: [from, 0, BAR.width - from, BAR.height], fill });
  }
  marks.push({ line: frameOf([0, 0, BAR.width, BAR.height]), stroke: ink, width: 1, opacity: 0.4 },
    { text: name, x: BAR.width + GAP, y: BAR.height / 2, fill: ink });
  const y = BAR.height + 0.8 * fontSize;
  for (const [text, share] of legendTicks(kind, max)) {
    const anchor = share === 0 ? 'start' : share === 1 ? 'end' : 'middle';
    marks.push({ text, x: share * BAR.width, y, anchor, fill: ink });
  }
  return { marks, width: BAR.width + GAP + textWidth(name, fontSize), height: y + 0.6 * fontSize };
}

/**
 * A picture with a color bar below it.
 * @param {ReturnType<typeof colorBar>} picture
 * @param {ReturnType<typeof colorBar>} bar
 * @param {number} gap between the two
 */
export const withColorBar = (picture, bar, gap) => ({
  marks: [...picture.marks, ...moved(bar.marks, 0, picture.height + gap)],
  width: Math.max(picture.width, bar.width),
  height: picture.height + gap + bar.height,
});
