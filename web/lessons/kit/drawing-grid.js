/** The grid of a drawing: along the path boxes have ranks, across it they have lanes. */
import { textWidth } from '../../draw/figure-layout.js';
import { arrowsOf, kindOf } from './drawing-description.js';
import { symbolPieces, symbolWidth, wordsWidth } from './symbol-text.js';

/** @typedef {import('./drawing-description.js').Description} Description */
/** @typedef {import('./drawing-description.js').Link} Link */
/** @typedef {import('./drawing-description.js').Part} Part */
/** 'compact' is 'down' without numbers and shapes.  @typedef {'across' | 'down' | 'compact'} Flow */
/**
 * A box in the grid. `along` is its size along the path, `beside` the other one.
 * @typedef {object} Cell
 * @property {string} id
 * @property {Part} part
 * @property {{ width: number, height: number } | null} shape  size of the axes
 * @property {number} rank
 * @property {number} lane
 * @property {number} along
 * @property {number} beside
 * @property {number} before  extent from its center towards the lane before
 * @property {number} after   extent from its center towards the lane after, with its axes
 * @property {number} hang    how far its axes reach beyond the box, along the path
 * @property {number} at      its center along the path
 * @property {number} lie     its center across the path
 */
/**
 * `detours`: of arrows that pass other boxes, the distance of the detour from the center of the lane.
 * @typedef {{ cells: Map<string, Cell>, links: Link[], detours: Map<Link, number> }} Grid
 */

/** Sizes of fonts in pixels; drawing.css has the same. */
export const FONT = { symbol: 19, words: 13, shape: 11, group: 12 };
/** The area of a thumbnail. */
export const THUMBNAIL = { width: 58, height: 38 };
const LINE = 16;
/** Distances: boxes along a path, a detour and the boxes that it avoids. */
export const STEP = 23;
const DETOUR = 15;
/** Distances of boxes beside each other, of a frame from its boxes, and of words from their box.
 *  @type {Record<Flow, { beside: number, side: number, inside: number }>} */
export const SPACES = { across: { beside: 20, side: 12, inside: 8 }, down: { beside: 20, side: 12, inside: 10 },
  compact: { beside: 9, side: 9, inside: 7 } };
/** Space for the name of a frame. Arrows down enter through it, so their heads need space too.
 *  @type {Record<Flow, number>} */
export const FRAME_TOP = { across: 30, down: 38, compact: 38 };

/** Arrows that do not order their boxes. */
const UNORDERED = /[⇢⇄⟲]/;
/** Arrows that pass other boxes. */
const PASSING = /[↷↶⟲]/;

/** The size of a box, and of the shape that stands beside it. @param {Part} part @param {Flow} flow */
function sizeOf(part, flow) {
  const kind = kindOf(part);
  const shape = part.shape && kind !== 'weight' && flow !== 'compact'
    ? { width: textWidth(`[${part.shape.join(' × ')}]`, FONT.shape), height: FONT.shape + 3 }
    : null;
  if (kind === 'sum') return { width: 24, height: 24, shape };
  if (kind === 'dots') return { width: 24, height: 20, shape };
  const lines = part.label?.split('\n') ?? [];
  const words = Math.max(0, ...lines.map((line) => wordsWidth(line, FONT.words)));
  const symbol = part.symbol ? symbolWidth(symbolPieces(part.symbol), FONT.symbol) : 0;
  const text = { width: Math.max(words, symbol), height: lines.length * LINE + (symbol ? 24 : 0) };
  const [width, height] = kind === 'operation' ? [text.width + 2 * SPACES[flow].inside, text.height + 18]
    : [Math.max(34, text.width + 16), text.height + 12];
  if (!part.live || flow === 'compact') return { width, height, shape };
  return flow === 'across'
    ? { width: Math.max(width, THUMBNAIL.width + 12), height: height + THUMBNAIL.height + 2, shape }
    : { width: width + THUMBNAIL.width + (kind === 'weight' ? 10 : 2), // the ends of a weight are round
      height: Math.max(height, THUMBNAIL.height + 12), shape };
}

/** The place of each box along the path. @param {Description} description @returns {Map<string, number>} */
function ranksOf(description) {
  const inputs = arrowsOf(description).filter(({ route }) => !UNORDERED.test(route));
  /** @type {Map<string, number>} */ const ranks = new Map();
  /** @param {string} id @param {string[]} [path] @returns {number} */
  const rankOf = (id, path = []) => {
    if (path.includes(id)) throw new Error(`${description.title}: the arrows go round in a circle at ${id}.`);
    const before = () => inputs.filter(({ to }) => to === id).map(({ from }) => rankOf(from, [...path, id]));
    const rank = ranks.get(id) ?? description.parts[id].rank ?? Math.max(-1, ...before()) + 1;
    ranks.set(id, rank);
    return rank;
  };
  for (const id of Object.keys(description.parts)) rankOf(id);
  return ranks;
}

/** @param {Description} description @param {Flow} flow @returns {Map<string, Cell>} before they have a place */
function cellsOf(description, flow) {
  const across = flow === 'across';
  const ranks = ranksOf(description);
  return new Map(Object.entries(description.parts).map(([id, part]) => {
    const { width, height, shape } = sizeOf(part, flow);
    const [along, beside] = across ? [width, height] : [height, width];
    const after = beside / 2 + (shape ? (across ? shape.height + 4 : shape.width + 7) : 0);
    const hang = across && shape ? Math.max(0, (shape.width - along) / 2) : 0;
    return [id, { id, part, shape, lane: part.lane ?? 0, rank: ranks.get(id) ?? 0, along, beside,
      before: beside / 2, after, hang, at: 0, lie: 0 }];
  }));
}

/** @param {Map<string, Cell>} cells @param {string} id */
export const cellOf = (cells, id) => /** @type {Cell} */ (cells.get(id));

/** The first and last rank or lane of each group. @param {Map<string, Cell>} cells @param {Description} description
 *  @param {'rank' | 'lane'} part */
const endsOf = (cells, { groups = [] }, part) => groups.map(({ parts }) => parts.map((id) => cellOf(cells, id)[part]))
  .map((of) => [Math.floor(Math.min(...of)), Math.ceil(Math.max(...of))]);

/** The distance of a bend from the boxes of a rank: it passes the axes that are wider than their box. `hang` is how
 *  far they reach.
 *  @param {Cell[]} row @returns {number} */
export const bendSpace = (row) => Math.max(STEP / 2, ...row.map(({ hang }) => (hang > 0 ? hang + 3 : 0)));

/** Places the ranks behind each other, with space for the frames of groups and for bends.
 *  @param {Map<string, Cell>} cells @param {Link[]} links @param {Description} description @param {Flow} flow */
function placeRanks(cells, links, description, flow) {
  const { side } = SPACES[flow];
  const all = [...cells.values()];
  const ends = endsOf(cells, description, 'rank');
  const bends = links.filter(({ route }) => route === '→')
    .map(({ from, to }) => [cellOf(cells, from), cellOf(cells, to)])
    .filter(([a, b]) => a.lane !== b.lane && kindOf(b.part) !== 'sum');
  const rows = [...new Set(all.map((each) => each.rank))].sort((a, b) => a - b)
    .map((rank) => all.filter((each) => each.rank === rank));
  let end = 0;
  for (const [i, row] of rows.entries()) {
    const [{ rank }] = row;
    const size = Math.max(...row.map(({ along }) => along));
    const framed = ends.some(([first]) => first === rank);
    const start = end + (framed ? (flow === 'across' ? side : FRAME_TOP[flow] - 8) : 0);
    for (const each of row) each.at = start + size / 2;
    const next = rows[i + 1] ?? [];
    const bent = bends.some(([a, b]) => row.includes(a) || next.includes(b));
    end = start + size + (bent ? bendSpace(row) + bendSpace(next) : STEP)
      + (ends.some(([, last]) => last === rank) ? side - 4 : 0);
  }
}

/** Places the lanes beside each other, with space for detours and frames.
 *  @param {Map<string, Cell>} cells @param {Link[]} links @param {Description} description @param {Flow} flow
 *  @returns {Grid['detours']} */
function placeLanes(cells, links, description, flow) {
  const { beside, side } = SPACES[flow];
  const all = [...cells.values()];
  const lanes = Math.max(...all.map(({ lane }) => Math.ceil(lane)));
  const room = Array.from({ length: lanes + 1 }, (_, lane) => {
    const of = all.filter((each) => each.lane === lane);
    return { before: Math.max(0, ...of.map(({ before }) => before)),
      after: Math.max(0, ...of.map(({ after }) => after)) };
  });
  const detours = new Map(links.filter(({ route }) => PASSING.test(route)).map((link) => {
    const a = cellOf(cells, link.from);
    const b = cellOf(cells, link.to);
    const passed = all.filter(({ lane, rank }) =>
      lane === a.lane && rank >= Math.min(a.rank, b.rank) && rank <= Math.max(a.rank, b.rank));
    const towards = link.route === '↶' ? 'after' : 'before';
    const far = Math.max(...passed.map((each) => each[towards])) + DETOUR;
    const lane = room[Math.floor(a.lane)];
    lane[towards] = Math.max(lane[towards], far + 2);
    return [link, towards === 'before' ? -far : far];
  }));
  const ends = endsOf(cells, description, 'lane');
  let place = 0;
  const lies = room.map(({ before, after }, lane) => {
    if (ends.some(([first]) => first === lane)) place += flow === 'across' ? FRAME_TOP[flow] : side;
    const lie = place + before;
    place = lie + after + beside + (ends.some(([, last]) => last === lane) ? side : 0);
    return lie;
  });
  for (const each of all) {
    const low = lies[Math.floor(each.lane)];
    const high = lies[Math.ceil(each.lane)];
    each.lie = low + (high - low) * (each.lane % 1);
  }
  return detours;
}

/**
 * Places the boxes of a description in ranks and lanes.
 * @param {Description} description
 * @param {Flow} flow
 * @returns {Grid} in pixels
 * @throws {Error} if the arrows that order the boxes go round in a circle
 */
export function gridOf(description, flow) {
  const cells = cellsOf(description, flow);
  const links = arrowsOf(description);
  placeRanks(cells, links, description, flow);
  return { cells, links, detours: placeLanes(cells, links, description, flow) };
}
