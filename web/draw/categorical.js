/** Colors of a few named things: ColorBrewer Dark2 on light paper and Set2 on dark paper, with the same hues. */
import { schemeDark2, schemeSet2 } from 'd3-scale-chromatic';

/** Number of colors. */
export const COLORS = schemeDark2.length;

/**
 * The color of a thing by its index.
 * @param {boolean} dark true on dark paper
 * @param {number} index colors repeat after `COLORS`
 * @returns {string} CSS color
 */
export const colorOf = (dark, index) => (dark ? schemeSet2 : schemeDark2)[index % COLORS];
