/** The routes of arrows through the grid of a drawing. */
import { kindOf } from './drawing-description.js';
import { bendSpace, cellOf } from './drawing-grid.js';

/** @typedef {import('./drawing-description.js').Link} Link */
/** @typedef {import('./drawing-grid.js').Cell} Cell */
/** @typedef {import('./drawing-grid.js').Grid} Grid */
/** A point of the grid, along and across the path.  @typedef {[at: number, lie: number]} Point */

/** Arrows from side to side, between lanes. */
const SIDEWAYS = /[⇢⇄]/;

/** An arrow that passes the boxes between on one side. @param {Cell} a @param {Cell} b @param {number} far
 *  @returns {Point[]} */
function detour(a, b, far) {
  const [start, stop] = [a, b].map((each) => each.lie + Math.sign(far) * (far < 0 ? each.before : each.after));
  return [[a.at, start], [a.at, a.lie + far], [b.at, a.lie + far], [b.at, stop]];
}

/** @param {Cell} a @param {Cell} b @returns {Point[]} */
function sideways(a, b) {
  const down = Math.sign(b.lie - a.lie);
  const start = a.lie + (down > 0 ? a.after : -a.before);
  const stop = b.lie - (down > 0 ? b.before : -b.after);
  const middle = (start + stop) / 2;
  return Math.abs(a.at - b.at) < 1 ? [[a.at, start], [b.at, stop]]
    : [[a.at, start], [a.at, middle], [b.at, middle], [b.at, stop]];
}

/** An arrow along the path: straight, or with a bend beside one of its ends where it crosses no box.
 *  @param {Cell} a @param {Cell} b @param {Cell[]} cells @returns {Point[]} */
function forward(a, b, cells) {
  const start = a.at + a.along / 2;
  const stop = b.at - b.along / 2;
  if (Math.abs(a.lie - b.lie) < 1) return [[start, a.lie], [stop, b.lie]];
  if (kindOf(b.part) === 'sum') {
    return [[start, a.lie], [b.at, a.lie], [b.at, b.lie - Math.sign(b.lie - a.lie) * b.beside / 2]];
  }
  const [from, to] = [a, b].map(({ rank }) => cells.filter((each) => each.rank === rank));
  const last = Math.min(...to.map(({ at, along }) => at - along / 2)) - bendSpace(to);
  const first = Math.max(...from.map(({ at, along }) => at + along / 2)) + bendSpace(from);
  /** @type {(turn: number) => Point[]} */
  const bent = (turn) => [[start, a.lie], [turn, a.lie], [turn, b.lie], [stop, b.lie]];
  const late = bent(last);
  return cells.some((each) => each !== a && each !== b && crosses(late, each)) ? bent(first) : late;
}

/** Whether a route crosses a box. @param {Point[]} points @param {Cell} cell */
function crosses(points, { at, lie, along, beside }) {
  return points.slice(1).some(([to, toLie], i) => {
    const [from, fromLie] = points[i];
    return Math.max(to, from) > at - along / 2 && Math.min(to, from) < at + along / 2
      && Math.max(toLie, fromLie) > lie - beside / 2 && Math.min(toLie, fromLie) < lie + beside / 2;
  });
}

/**
 * The corners of an arrow.
 * @param {Link} link
 * @param {Grid} grid
 * @returns {Point[]}
 */
export function routeOf(link, { cells, detours }) {
  const a = cellOf(cells, link.from);
  const b = cellOf(cells, link.to);
  const far = detours.get(link);
  if (far !== undefined) return detour(a, b, far);
  return SIDEWAYS.test(link.route) ? sideways(a, b) : forward(a, b, [...cells.values()]);
}
