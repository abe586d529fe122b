#!/usr/bin/env node
/** Draws the picture of the page's link to the lessons: a map of models/reverse.safetensors, for light and dark. */
import { readFile, writeFile } from 'node:fs/promises';
import { lab } from '../../js/lab/index.js';
import { openModel } from '../../js/train/models/index.js';
import { letterGpt } from '../../js/train/models/letter-gpt.js';
import { TASKS, TOKENS, example } from '../../js/train/tasks/letters.js';
import { cssOf, paletteFor } from '../../web/draw/color.js';
import { levelOf } from '../../web/draw/scale.js';

const CELL = 12;
/** Background colors of web/theme.css. @type {Record<string, [number, number, number]>} */
const PAPERS = { light: [253, 253, 252], dark: [21, 22, 25] };

/** Draws a square per cell.
 *  @param {Float32Array} pattern [query][key] @param {number} side @param {[number, number, number]} paper */
function squares(pattern, side, paper) {
  const palette = paletteFor(paper);
  const cells = Array.from(pattern, (weight, at) => {
    const query = Math.floor(at / side);
    const key = at % side;
    const fill = cssOf(palette.rgb[levelOf('linear', weight, 1)]);
    return key > query ? '' : `<path fill="${fill}" d="M${key} ${query}h1v1h-1z"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="${CELL * side}" `
    + `height="${CELL * side}" shape-rendering="crispEdges">\n<rect width="${side}" height="${side}" `
    + `fill="${cssOf(palette.paper)}"/>\n${cells.filter(Boolean).join('\n')}\n</svg>\n`;
}

const l = await lab();
const file = await readFile(new URL('../../models/reverse.safetensors', import.meta.url));
const { weights, config } = await openModel(l, file);
const letters = [...'gbkdaibe'].map((letter) => TOKENS.indexOf(letter));
const { ids } = example(letters, TASKS.reverse(letters));
const side = ids.length;
const patterns = l.evaluate(() => letterGpt(l, weights, config, ids, { batch: 1, time: side }).patterns
  .flatMap(({ data }) => Array.from({ length: data.length / side ** 2 }, (_, at) =>
    data.slice(at * side ** 2, (at + 1) * side ** 2))));
/** Attention of the written half to the position of the next letter. @param {Float32Array} pattern */
const reversing = (pattern) => letters.reduce((sum, _, i) =>
  sum + pattern[(side / 2 - 1 + i) * side + Math.max(0, side / 2 - 1 - i)], 0);
const best = patterns.toSorted((a, b) => reversing(b) - reversing(a))[0];
for (const [name, paper] of Object.entries(PAPERS)) {
  await writeFile(new URL(`../../web/door-${name}.svg`, import.meta.url), squares(best, side, paper));
}
