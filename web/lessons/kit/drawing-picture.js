/** The picture of a drawing that is laid out: SVG with a group for each box and each arrow. */
import { h } from '../../elements/dom.js';
import { colorOf } from './cell-colors.js';
import { FONT, THUMBNAIL } from './drawing-grid.js';
import { svg } from './svg.js';
import { SMALL, symbolPieces, symbolWidth } from './symbol-text.js';

/**
 * The numbers of a box.
 * @typedef {object} Numbers
 * @property {ArrayLike<number>} data     row after row
 * @property {string[] | number} rows     labels of rows, or their number
 * @property {string[] | number} columns  labels of columns, or their number
 * @property {'weight' | 'signed'} [shade] default 'signed'
 */
/** @typedef {[x: number, y: number]} Point */

/** Length and half width of the head of an arrow, and radius of its turns. */
const HEAD = 7;
const HALF = 3.5;
const RADIUS = 7;
/** Distance between the copies of a stacked frame. */
const STACKED = 4;
const LINE = 16;
/** Radius of a box of weights: round without numbers, and wide enough for a thumbnail. */
const ROUND = 20;
/** Letters without an ascender. */
const LOW = /^[acegmnopqrsuvwxyz]$/;
/** Signs above a letter, from its middle. */
const SIGNS = { bar: 'm-5 0h10', hat: 'm-4 2l4 -3l4 3', tilde: 'm-5 1q2.5 -4 5 -1t5 -1',
  right: 'm-6 0h12m-3 -2.5l3 2.5l-3 2.5', left: 'm6 0h-12m3 -2.5l-3 2.5l3 2.5' };
/** Base lines of indices and exponents, in units of the font size. */
const SHIFT = { '-1': 0.24, '0': 0, '1': -0.42 };

/**
 * @param {import('./drawing-layout.js').Layout} layout
 * @param {Map<string, Numbers>} numbers of boxes, by name
 */
export function picture({ width, height, parts, arrows, groups }, numbers) {
  return svg('svg', { width, height, 'viewBox': `0 0 ${width} ${height}`, 'aria-hidden': 'true' },
    ...groups.flatMap(frame), ...arrows.map(arrow), ...groups.map(frameName),
    ...parts.map((part) => box(part, numbers.get(part.id))));
}

/** @param {import('./drawing-layout.js').Layout['groups'][0]} group */
const frame = ({ stack, x, y, width, height }) => (stack ? [2, 1, 0] : [0]).map((copy) => svg('rect',
  { class: 'frame', x: x + copy * STACKED, y: y - copy * STACKED, width, height, rx: 8 }));

/** @param {import('./drawing-layout.js').Layout['groups'][0]} group */
const frameName = ({ label, name }) =>
  svg('text', { 'class': 'frame-name', ...name, 'font-size': FONT.group }, label);

/** @param {import('./drawing-layout.js').Arrow} arrow */
const arrow = ({ from, to, route, points }) => svg('g', { 'class': 'arrow', 'data-from': from, 'data-to': to },
  svg('path', { class: 'line', d: line(points) }), svg('path', { class: 'travel', d: line(points), pathLength: 1 }),
  svg('path', { class: 'head', d: head(points) + (route === '⇄' ? head([...points].reverse()) : '') }));

/** @param {import('./drawing-layout.js').Placed} placed @param {Numbers} [numbers] */
function box({ id, part, kind, x, y, width, height, shape, room }, numbers) {
  const group = svg('g', { 'class': `part ${kind}`, 'data-part': id });
  const middle = { x: x + width / 2, y: y + height / 2 };
  if (kind === 'sum') {
    group.append(svg('circle', { class: 'box', cx: middle.x, cy: middle.y, r: width / 2 }),
      svg('path', { class: 'plus', d: `M${middle.x - 6} ${middle.y}h12M${middle.x} ${middle.y - 6}v12` }));
    return group;
  }
  if (kind === 'dots') {
    group.append(svg('text', { 'x': middle.x, 'y': middle.y + 6, 'font-size': 20 }, '⋯'));
    return group;
  }
  group.append(svg('rect', { class: 'box', x, y, width, height,
    rx: kind === 'weight' ? Math.min(height / 2, ROUND) : 5 }));
  // The symbol stands above the words; the thumbnail stands below the symbol, or beside it.
  const text = { x: (room?.side === 'right' ? x + room.x : x + x + width) / 2,
    y: room?.side === 'below' ? (y + room.y) / 2 + 1 : middle.y };
  const lines = part.label?.split('\n') ?? [];
  if (part.symbol) group.append(...symbol(part.symbol, text.x, text.y + 6 - lines.length * LINE / 2));
  lines.forEach((each, i) => group.append(svg('text', { 'class': 'words', 'x': text.x, 'font-size': FONT.words,
    'y': text.y + 4.5 + (i - (lines.length - 1) / 2) * LINE + (part.symbol ? 11 : 0) }, each)));
  if (room) {
    group.append(numbers ? thumbnail(numbers, room)
      : svg('rect', { class: 'unknown', x: room.x, y: room.y, ...THUMBNAIL }));
  }
  if (shape) {
    group.append(svg('text', { 'class': 'shape', 'x': shape.x, 'y': shape.y + FONT.shape, 'font-size': FONT.shape },
      `[${(part.shape ?? []).join(' × ')}]`));
  }
  return group;
}

/** @param {string} tex @param {number} x @param {number} y the base line */
function symbol(tex, x, y) {
  const pieces = symbolPieces(tex);
  let level = 0;
  let back = 0;
  const text = svg('text', { 'class': 'symbol', x, y, 'font-size': FONT.symbol }, ...pieces.map((piece) => {
    const shift = (/** @type {number} */ of) => SHIFT[/** @type {keyof typeof SHIFT} */ (String(of))] * FONT.symbol;
    const above = level < 0 && piece.level > 0; // an exponent stands above the index
    const element = svg('tspan', { 'dx': above ? (-back).toFixed(2) : 0,
      'dy': (shift(piece.level) - shift(level)).toFixed(2),
      'font-size': piece.level === 0 ? FONT.symbol : FONT.symbol * SMALL }, piece.text);
    level = piece.level;
    back = piece.width * FONT.symbol;
    return element;
  }));
  const accented = pieces.findIndex(({ accent }) => accent);
  if (accented < 0) return [text];
  // The text is centered, so the middle of a letter depends on the pieces before and after it.
  const middle = x + (symbolWidth(pieces.slice(0, accented), FONT.symbol)
    - symbolWidth(pieces.slice(accented + 1), FONT.symbol)) / 2;
  const { accent, text: letter } = pieces[accented];
  const top = y - (LOW.test(letter.normalize('NFKD')) ? 0.58 : 0.82) * FONT.symbol;
  return [text, svg('path', { class: 'accent', d: `M${middle + 1} ${top}${accent ? SIGNS[accent] : ''}` })];
}

/** A small picture of numbers. @param {Numbers} numbers @param {{ x: number, y: number }} at */
function thumbnail({ data, rows, columns, shade = 'signed' }, at) {
  const [high, wide] = [rows, columns].map((each) => (typeof each === 'number' ? each : each.length));
  const canvas = h('canvas', { width: wide, height: high });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  const pixels = context.createImageData(wide, high);
  const finite = Array.from(data).filter(Number.isFinite);
  const most = shade === 'weight' ? 1 : finite.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  Array.from(data).forEach((value, i) => {
    if (Number.isFinite(value)) pixels.data.set([...colorOf(shade, value, most), 255], 4 * i); // else masked
  });
  context.putImageData(pixels, 0, 0);
  const scale = Math.min(THUMBNAIL.width / wide, THUMBNAIL.height / high);
  const width = Math.max(8, wide * scale);
  const height = Math.max(8, high * scale);
  const place = { x: at.x + (THUMBNAIL.width - width) / 2, y: at.y + (THUMBNAIL.height - height) / 2, width, height };
  return svg('g', {},
    svg('rect', { class: 'thumbnail-frame', ...place }),
    svg('image', { class: 'thumbnail', ...place, href: canvas.toDataURL(), preserveAspectRatio: 'none' }));
}

/** A path with round turns that ends inside its head. @param {Point[]} points */
function line(points) {
  const [dx, dy] = direction(points);
  const [tipX, tipY] = points[points.length - 1];
  /** @type {Point[]} */
  const turns = [...points.slice(0, -1), [tipX - dx * (HEAD - 1), tipY - dy * (HEAD - 1)]];
  return turns.slice(1).reduce((path, [x, y], i) => {
    const from = turns[i];
    const to = turns[i + 2];
    if (!to) return `${path}L${x} ${y}`;
    const [before, after] = [from, to].map(([otherX, otherY]) => Math.hypot(otherX - x, otherY - y) || 1);
    const radius = Math.min(RADIUS, before / 2, after / 2);
    const toward = (/** @type {Point} */ other, /** @type {number} */ length) =>
      `${x + (other[0] - x) / length * radius} ${y + (other[1] - y) / length * radius}`;
    return `${path}L${toward(from, before)}Q${x} ${y} ${toward(to, after)}`;
  }, `M${turns[0].join(' ')}`);
}

/** The direction of the end of a path. @param {Point[]} points */
function direction(points) {
  const [[fromX, fromY], [toX, toY]] = points.slice(-2);
  const length = Math.hypot(toX - fromX, toY - fromY) || 1;
  return [(toX - fromX) / length, (toY - fromY) / length];
}

/** The head of an arrow. @param {Point[]} points */
function head(points) {
  const [dx, dy] = direction(points);
  const [x, y] = points[points.length - 1];
  const baseX = x - dx * HEAD;
  const baseY = y - dy * HEAD;
  return `M${x} ${y}L${baseX - dy * HALF} ${baseY + dx * HALF}L${baseX + dy * HALF} ${baseY - dx * HALF}Z`;
}
