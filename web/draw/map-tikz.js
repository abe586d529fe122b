/** Writes a map for LaTeX: a TikZ picture, or a document with it that pdflatex and lualatex compile. */
import { layOutFigure, DEFAULT_FIGURE_OPTIONS } from './figure-layout.js';
import { captionOf, inkRgbOf, keysOf, mapLevels, round } from './map-export.js';
import { legendTicks } from './scale.js';

/** @typedef {import('./color.js').Rgb} Rgb */

/** Most tokens of an axis. TeX keeps a picture in its memory. */
export const TIKZ_LIMIT = 128;
/** Rectangles in one path, and in the color bar. */
const PATH = 200;
const BAR = 50;
/** CSS pixels are 1/96 inch, and the points of PostScript 1/72 inch. */
const POINTS = 0.75;

/** Commands for characters that TeX interprets or joins with their neighbors. @type {Record<string, string>} */
const COMMANDS = {
  '\\': '\\textbackslash{}', '{': '\\{', '}': '\\}', '%': '\\%', '#': '\\#', $: '\\$', '&': '\\&', _: '\\_',
  '^': '\\textasciicircum{}', '~': '\\textasciitilde{}', '<': '\\textless{}', '>': '\\textgreater{}',
  '|': '\\textbar{}', '"': '\\char34{}', "'": '\\textquotesingle{}', '`': '\\textasciigrave{}', '-': '-{}',
  ',': ',{}', '!': '!{}', '?': '?{}', ' ': '\\ ', '·': '\\textperiodcentered{}', '…': '\\ldots{}', '√': '$\\surd$',
  '×': '$\\times$', '÷': '$\\div$', '−': '$-$', '≤': '$\\leq$', '→': '$\\rightarrow$', '↓': '$\\downarrow$',
  '‘': '\\textquoteleft{}', '’': '\\textquoteright{}', '“': '\\textquotedblleft{}', '”': '\\textquotedblright{}',
};
/** Characters that print themselves in every engine and font encoding. */
const PLAIN = /^[A-Za-z0-9.:;()[\]/*+=@]$/;
/** Characters without a glyph: controls, formats, private use, and parts of surrogate pairs. */
const INVISIBLE = /^[\p{C}\p{Zl}\p{Zp}]$/u;

/**
 * Escapes untrusted text for TeX. The result is ASCII: other characters become calls of \heedchar, which prints them
 * where the engine reads Unicode, and their number elsewhere.
 * @param {string} text
 */
export function escapeTex(text) {
  return Array.from(text, (character) => {
    if (PLAIN.test(character)) return character;
    if (Object.hasOwn(COMMANDS, character)) return COMMANDS[character];
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `\\heed${INVISIBLE.test(character) ? 'code' : 'char'}{${code}}`;
  }).join('');
}

/** Commands of escaped texts. pdfTeX reads no Unicode without tables of each script, so it prints the number. */
const MACROS = ['\\providecommand\\heedcode[1]{{\\scriptsize U+#1}}',
  '\\ifdefined\\Umathchardef\\providecommand\\heedchar[1]{{\\char"#1\\relax}}'
    + '\\else\\providecommand\\heedchar[1]{\\heedcode{#1}}\\fi'];

/** @param {string} name @param {Rgb} rgb */
const color = (name, rgb) => `\\definecolor{${name}}{RGB}{${rgb.map(Math.round).join(',')}}`;

/** @param {number} x @param {number} y @param {number} width @param {number} height */
const rectangle = (x, y, width, height) =>
  `(${round(x)},${round(y)}) rectangle (${round(x + width)},${round(y + height)})`;

/** Rectangles of one color, in paths that TeX can hold. @param {string} name @param {string[]} rectangles */
const fills = (name, rectangles) => Array.from({ length: Math.ceil(rectangles.length / PATH) }, (_, i) =>
  `\\fill[${name}] ${rectangles.slice(i * PATH, (i + 1) * PATH).join(' ')};`);

/**
 * A map as a TikZ picture, for \input in a document with \usepackage{tikz}. It has the layout of the SVG.
 * @param {import('./map-export.js').MapFigure} figure
 * @param {import('./raster.js').Shading} shading
 * @param {import('./color.js').Palette} palette
 * @param {number} cell side of a cell in CSS pixels
 * @param {import('./figure-layout.js').FigureOptions} [options]
 * @returns {{ picture: string, width: number, height: number }} ASCII text, and the size in points of 1/72 inch
 * @throws {RangeError} for more than TIKZ_LIMIT tokens
 */
export function mapToTikz(figure, shading, palette, cell, options = DEFAULT_FIGURE_OPTIONS) {
  const { rows, tokens, queryTokens = tokens } = figure;
  const keys = keysOf({ rows, tokens });
  if (Math.max(keys, rows.size) > TIKZ_LIMIT) {
    throw new RangeError(`it has ${Math.max(keys, rows.size)} tokens, but a TikZ picture has at most ${TIKZ_LIMIT}. `
      + 'Save it as PNG or SVG, or shorten the text.');
  }
  const layout = layOutFigure({ queries: queryTokens.slice(0, rows.size), keys: tokens.slice(0, keys), cell, options,
    caption: captionOf(figure, options) });
  const { left, top, gap, width, height, bar, ticks, lines, pad } = layout;
  const middle = (/** @type {number} */ at) => (at + 0.5) * cell;
  const node = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ anchor,
    /** @type {string} */ text, more = '') =>
    `\\node[anchor=${anchor}${more}] at (${round(x)},${round(y)}) {${escapeTex(text)}};`;
  const token = ',font=\\heedsize\\ttfamily';
  const size = round(POINTS * options.fontSize);
  const picture = [
    ...MACROS,
    ...(options.hatch && rows.causal ? ['\\usetikzlibrary{patterns}'] : []),
    `\\begingroup\\def\\heedsize{\\fontsize{${size}bp}{${round(1.2 * size)}bp}\\selectfont}`,
    color('heedpaper', palette.paper), color('heedink', inkRgbOf(palette)),
    `\\begin{tikzpicture}[x=${POINTS}bp,y=-${POINTS}bp,every node/.style={inner sep=0pt,outer sep=0pt,text=heedink,`
      + 'font=\\heedsize\\sffamily}]',
    `\\${options.transparent ? 'path' : 'fill[heedpaper]'} ${rectangle(0, 0, width, height)};`,
    ...(options.hatch && rows.causal && rows.size > 1
      ? [`\\fill[pattern=north east lines,pattern color=heedink!20] ${masked(rows.size, cell, left, top)};`] : []),
    ...levelFills(mapLevels(rows, shading), palette, { left, top, cell }),
    ...layout.down.map(({ at, text }) => node(left - gap, top + middle(at), 'east', text, token)),
    ...layout.across.map(({ at, text }) => node(left + middle(at), top - gap, 'west', text, `${token},rotate=90`)),
    node(left - 2 * gap, top - gap - 1.5 * options.fontSize, 'base east', 'attends'),
    node(left - 2 * gap, top - gap, 'base east', 'from ↓ to →'),
    ...Array.from({ length: BAR }, (_, i) => {
      const level = Math.round((i / (BAR - 1)) * (palette.rgb.length - 1));
      return `${color('heedlevel', palette.rgb[level])}\\fill[heedlevel] ${
        rectangle(bar.x + i * bar.width / BAR, bar.y, bar.width / BAR, bar.height)};`;
    }),
    `\\draw[heedink!40] ${rectangle(bar.x, bar.y, bar.width, bar.height)};`,
    ...legendTicks(shading.kind, shading.max).map(([text, share]) => node(bar.x + share * bar.width, ticks,
      share === 0 ? 'base west' : share === 1 ? 'base east' : 'base', text)),
    ...lines.map(({ text, y }) => node(pad, y, 'base west', text)),
    '\\end{tikzpicture}\\endgroup',
    '',
  ].join('\n');
  return { picture, width: round(POINTS * width), height: round(POINTS * height) };
}

/** The masked cells above the diagonal. @param {number} count @param {number} cell @param {number} left
 *  @param {number} top */
function masked(count, cell, left, top) {
  const corners = [`(${round(left + cell)},${round(top)})`];
  for (let i = 1; i < count; i++) {
    const y = round(top + i * cell);
    corners.push(`(${round(left + i * cell)},${y})`, `(${round(left + (i + 1) * cell)},${y})`);
  }
  return `${[...corners, `(${round(left + count * cell)},${round(top)})`].join(' -- ')} -- cycle`;
}

/** Cells as rectangles, runs of equal cells as one. @param {Int16Array[]} rows levels of each row
 *  @param {import('./color.js').Palette} palette @param {{ left: number, top: number, cell: number }} place */
function levelFills(rows, palette, { left, top, cell }) {
  /** @type {Map<number, string[]>} */
  const runs = new Map();
  rows.forEach((levels, query) => {
    for (let key = 0, end; key < levels.length; key = end) {
      for (end = key + 1; end < levels.length && levels[end] === levels[key];) end++;
      if (levels[key] < 0) continue;
      const own = runs.get(levels[key]) ?? [];
      runs.set(levels[key], own);
      own.push(rectangle(left + key * cell, top + query * cell, (end - key) * cell, cell));
    }
  });
  return [...runs].sort(([a], [b]) => a - b).flatMap(([level, rectangles]) =>
    [color('heedlevel', palette.rgb[level]), ...fills('heedlevel', rectangles)]);
}

/**
 * A document of one page with a picture.
 * @param {ReturnType<typeof mapToTikz>} figure
 */
export const tikzDocument = ({ picture, width, height }) => `\\documentclass{article}
\\usepackage[paperwidth=${width}bp,paperheight=${height}bp,margin=0pt]{geometry}
\\usepackage{tikz}
\\pagestyle{empty}
\\setlength{\\parindent}{0pt}\\setlength{\\topskip}{0pt}\\setlength{\\lineskip}{0pt}
\\begin{document}
${picture}\\end{document}
`;
