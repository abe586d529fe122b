/** The layout of a drawing: positions of its boxes, arrows and frames, from a description without positions. */
import { kindOf, needNames } from './drawing-description.js';
import { cellOf, FONT, FRAME_TOP, gridOf, SPACES, THUMBNAIL } from './drawing-grid.js';
import { routeOf } from './drawing-routes.js';
import { wordsWidth } from './symbol-text.js';

/** @typedef {import('./drawing-description.js').Description} Description */
/** @typedef {import('./drawing-description.js').Part} Part */
/** @typedef {import('./drawing-grid.js').Cell} Cell */
/** @typedef {import('./drawing-grid.js').Flow} Flow */
/** @typedef {{ x: number, y: number, width: number, height: number }} Box */
/** @typedef {{ from: string, to: string, route: string, points: [x: number, y: number][] }} Arrow */
/** `name` is the left end of the label's base line.
 *  @typedef {Box & { label: string, name: { x: number, y: number }, stack: boolean }} Frame */
/**
 * A box with its place. `shape` is the place of its axes, `room` of its thumbnail.
 * @typedef {Box & { id: string, part: Part, kind: NonNullable<Part['kind']>, shape: Box | null,
 *   room: { x: number, y: number, side: 'below' | 'right' } | null }} Placed
 */
/** @typedef {{ width: number, height: number, parts: Placed[], arrows: Arrow[], groups: Frame[] }} Layout */

const MARGIN = 4;
/** Distance of the name of a frame from the frame and from arrows. */
const NAME_GAP = 10;
/** How far the copies behind a frame reach. */
const STACK = 8;

/** A point of the screen, from its coordinates along and across the path. @param {Flow} flow
 *  @returns {(point: [at: number, lie: number]) => [x: number, y: number]} */
const screenOf = (flow) => ([at, lie]) => (flow === 'across' ? [at, lie] : [lie, at]);

/** @param {Cell} cell @param {Flow} flow @returns {Placed} */
function placed({ id, part, shape, at, lie, along, beside }, flow) {
  const across = flow === 'across';
  const screen = screenOf(flow);
  const [x, y] = screen([at - along / 2, lie - beside / 2]);
  const [width, height] = screen([along, beside]);
  return {
    id, part, kind: kindOf(part), x, y, width, height,
    shape: shape && (across ? { x: x + width / 2 - shape.width / 2, y: y + height + 4, ...shape }
      : { x: x + width + 7, y: y + height / 2 - shape.height / 2, ...shape }),
    room: !part.live || flow === 'compact' ? null
      : across ? { side: 'below', x: x + (width - THUMBNAIL.width) / 2, y: y + height - THUMBNAIL.height - 6 }
        : { side: 'right', x: x + width - THUMBNAIL.width - 7, y: y + (height - THUMBNAIL.height) / 2 },
  };
}

/** @param {Box} a @param {Box} b */
const overlap = (a, b) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** Removes axes without enough space. The sentence below the drawing has them too.
 *  @param {Placed[]} boxes @param {Map<string, Cell>} cells */
function dropCrowdedShapes(boxes, cells) {
  for (const each of boxes) {
    const { shape } = each;
    const others = boxes.filter((other) => other !== each);
    if (shape && others.some((other) => overlap(shape, other) || (other.shape && overlap(shape, other.shape)))) {
      each.shape = null;
      const cell = cellOf(cells, each.id);
      cell.after = cell.beside / 2;
      cell.hang = 0;
    }
  }
}

/** Frames around the boxes of each group, and around the arrows between them.
 *  @param {Description} description @param {Placed[]} boxes @param {Arrow[]} arrows @param {Flow} flow
 *  @returns {Frame[]} */
function framesOf({ groups = [] }, boxes, arrows, flow) {
  const { side } = SPACES[flow];
  return groups.map(({ label, parts, stack = false }) => {
    const inside = boxes.filter(({ id }) => parts.includes(id))
      .flatMap(({ shape, ...box }) => [box, ...shape ? [shape] : []]);
    const paths = arrows.filter(({ from, to }) => parts.includes(from) && parts.includes(to))
      .flatMap(({ points }) => points);
    const xs = [...inside.flatMap(({ x, width }) => [x, x + width]), ...paths.map(([x]) => x)];
    const ys = [...inside.flatMap(({ y, height }) => [y, y + height]), ...paths.map(([, y]) => y)];
    const x = Math.min(...xs) - side + 2;
    const y = Math.min(...ys) - FRAME_TOP[flow] + 6;
    const width = Math.max(Math.max(...xs) + side - 2 - x, wordsWidth(label, FONT.group) + 16);
    const name = { x: freePlace(x, y, width, wordsWidth(label, FONT.group), arrows), y: y + 16 };
    return { label, name, stack, x, y, width, height: Math.max(...ys) + side - 4 - y };
  });
}

/** The first place in the top row of a frame where no arrow crosses a text.
 *  @param {number} x @param {number} y @param {number} width  of the frame @param {number} length  of the text
 *  @param {Arrow[]} arrows @returns {number} left end of the text */
function freePlace(x, y, width, length, arrows) {
  const crossing = arrows.flatMap(({ points }) => points.slice(1).flatMap(([toX, toY], i) => {
    const [fromX, fromY] = points[i];
    return Math.min(fromY, toY) < y + 20 && Math.max(fromY, toY) > y + 4
      ? [{ from: Math.min(fromX, toX) - NAME_GAP, to: Math.max(fromX, toX) + NAME_GAP }] : [];
  }));
  const places = [x + NAME_GAP, ...crossing.map(({ to }) => to).sort((a, b) => a - b)];
  return places.find((place) => place >= x + NAME_GAP && place + length <= x + width - NAME_GAP / 2 &&
    crossing.every(({ from, to }) => place >= to || place + length <= from)) ?? places[0];
}

/** Moves everything so that the drawing begins at the margin, wherever detours and frames reach.
 *  @param {Placed[]} parts @param {Arrow[]} arrows @param {Frame[]} groups @returns {Layout} */
function fitted(parts, arrows, groups) {
  const shapes = parts.flatMap(({ shape }) => shape ?? []);
  const reach = [...parts, ...shapes, ...groups.map((each) => (each.stack
    ? { ...each, y: each.y - STACK, height: each.height + STACK, width: each.width + STACK } : each)),
  ...arrows.flatMap(({ points }) => points.map(([x, y]) => ({ x, y, width: 0, height: 0 })))];
  const left = Math.min(...reach.map(({ x }) => x)) - MARGIN;
  const top = Math.min(...reach.map(({ y }) => y)) - MARGIN;
  const width = Math.ceil(Math.max(...reach.map((each) => each.x + each.width)) - left + MARGIN);
  const height = Math.ceil(Math.max(...reach.map((each) => each.y + each.height)) - top + MARGIN);
  for (const box of [...parts, ...shapes, ...parts.flatMap(({ room }) => room ?? []), ...groups,
    ...groups.map(({ name }) => name)]) {
    box.x -= left;
    box.y -= top;
  }
  for (const point of arrows.flatMap(({ points }) => points)) {
    point[0] -= left;
    point[1] -= top;
  }
  return { width, height, parts, arrows, groups };
}

/**
 * Lays a drawing out.
 * @param {Description} description
 * @param {Flow} flow the direction of the path
 * @returns {Layout} in pixels
 * @throws {Error} if an arrow or a group names a box that does not exist, or if the arrows go round in a circle
 */
export function layOut(description, flow) {
  needNames(description);
  const grid = gridOf(description, flow);
  const boxes = [...grid.cells.values()].map((cell) => placed(cell, flow));
  dropCrowdedShapes(boxes, grid.cells);
  const arrows = grid.links.map((link) => ({ ...link, points: routeOf(link, grid).map(screenOf(flow)) }));
  return fitted(boxes, arrows, framesOf(description, boxes, arrows, flow));
}
