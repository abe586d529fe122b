/** Pictures of one or two colored shapes, and the sentences that describe them. */
import { fnv1a } from './hash.js';

/**
 * A shape in a picture, in pixels; y points down.
 * @typedef {{ shape: string, color: string, x: number, y: number, size: number }} Shape  size: radius of the circle of
 *   the same area, about
 */

/** Height and width of a picture in pixels. */
export const SIZE = 32;
export const CHANNELS = 3;
/** Red, green and blue of each color, 0 to 1. @type {Record<string, [number, number, number]>} */
const COLORS = { red: [0.86, 0.2, 0.18], green: [0.18, 0.62, 0.28], blue: [0.18, 0.36, 0.8],
  yellow: [0.95, 0.78, 0.15] };
/** Whether a point is in a shape of size 1 around the origin.
 *  @type {Record<string, (x: number, y: number) => boolean>} */
const SHAPES = {
  circle: (x, y) => x * x + y * y < 1,
  square: (x, y) => Math.max(Math.abs(x), Math.abs(y)) < 0.88,
  triangle: (x, y) => y < 0.7 && Math.abs(x) < (y + 1.15) * 0.6,
};
/** Largest distance of a point of a shape from its center, relative to its size. */
export const REACH = 1.35;
/** Position of the first shape relative to the second, along the dominant axis of the picture. */
const PLACES = ['above', 'below', 'left of', 'right of'];

export const LABELS = Object.keys(COLORS).flatMap((color) => Object.keys(SHAPES).map((shape) => `${color} ${shape}`));
export const WORDS = ['a', ...Object.keys(COLORS), ...Object.keys(SHAPES), ...new Set(PLACES.join(' ').split(' '))];
/** Words of the longest sentence. */
export const LONGEST = 'a red circle left of a blue square'.split(' ').length;

/** Sizes of shapes. */
export const SMALLEST = 3.2;
export const LARGEST = 8;
/** Least ratio of the sizes of two shapes, and least difference of the distances along both axes in pixels. */
const RATIO = 1.35;
const DOMINANCE = 5;
/** Share of the pictures with a single shape. */
const SINGLE = 1 / 6;
/** Deviations of the light of a picture, its colors and its pixels. */
const LIGHT = 0.04;
const TINT = 0.03;
const GRAIN = 0.015;
/** Points per pixel along an axis. */
const POINTS = 3;

/** @param {Shape} shape */
const nameOf = ({ color, shape }) => `${color} ${shape}`;

/** Position of `a` relative to `b`. @param {Shape} a @param {Shape} b */
function placeOf(a, b) {
  const dx = a.x - b.x;
  const dy = a.y - b.y;
  return Math.abs(dy) >= Math.abs(dx) ? PLACES[dy < 0 ? 0 : 1] : PLACES[dx < 0 ? 2 : 3];
}

/**
 * The sentence for a picture; the larger shape comes first: “a red circle above a blue square”.
 * @param {Shape[]} shapes one or two
 */
export function describe(shapes) {
  const [first, second] = shapes.toSorted((a, b) => b.size - a.size);
  return second ? `a ${nameOf(first)} ${placeOf(first, second)} a ${nameOf(second)}` : `a ${nameOf(first)}`;
}

/** Index in LABELS of the largest shape. @param {Shape[]} shapes */
export const labelOf = (shapes) => LABELS.indexOf(nameOf(shapes.toSorted((a, b) => b.size - a.size)[0]));

/**
 * Draws shapes, the later ones over the earlier ones.
 * @param {Shape[]} shapes
 * @param {(() => number) | null} [random] varies light, colors and pixels; null, the default, varies nothing
 * @returns {Float32Array} [channel][y][x], 0 to 1
 */
export function draw(shapes, random = null) {
  const vary = (/** @type {number} */ deviation) =>
    (random ? (random() + random() + random() - 1.5) * 2 * deviation : 0);
  const picture = new Float32Array(CHANNELS * SIZE * SIZE);
  for (let channel = 0; channel < CHANNELS; channel++) {
    picture.fill(1 - Math.abs(vary(LIGHT)), channel * SIZE * SIZE, (channel + 1) * SIZE * SIZE);
  }
  for (const { shape, color, x, y, size } of shapes) {
    const inside = SHAPES[shape];
    const paint = COLORS[color].map((value) => value + vary(TINT));
    const [left, right, top, bottom] = [x, x, y, y].map((center, i) =>
      Math.min(SIZE, Math.max(0, Math.round(center + (i % 2 ? 1 : -1) * REACH * size))));
    for (let row = top; row < bottom; row++) {
      for (let column = left; column < right; column++) {
        let covered = 0;
        for (let point = 0; point < POINTS * POINTS; point++) {
          const px = column + (point % POINTS + 0.5) / POINTS;
          const py = row + (Math.floor(point / POINTS) + 0.5) / POINTS;
          covered += Number(inside((px - x) / size, (py - y) / size)) / (POINTS * POINTS);
        }
        if (!covered) continue;
        for (let channel = 0; channel < CHANNELS; channel++) {
          const at = (channel * SIZE + row) * SIZE + column;
          picture[at] += covered * (paint[channel] - picture[at]);
        }
      }
    }
  }
  return random ? picture.map((value) => Math.min(1, Math.max(0, value + vary(GRAIN)))) : picture;
}

/** Whether a sentence is held out: one in ten of two shapes, by a hash of its letters. @param {string} sentence */
export const isHeldOut = (sentence) => / (above|below|of) /.test(sentence) && (fnv1a(sentence) >>> 8) % 10 === 0;

/**
 * Draws the shapes of a picture: apart from each other, of different sizes, with a clear place.
 * @param {() => number} random in [0, 1)
 * @param {boolean} heldOut whether the sentence is held out
 * @returns {Shape[]}
 */
export function shapesOf(random, heldOut) {
  const one = (/** @type {string[]} */ list) => list[Math.floor(random() * list.length)];
  const between = (/** @type {number} */ from, /** @type {number} */ to) => from + random() * (to - from);
  /** @param {number} size @returns {Shape} */
  const shape = (size) => ({ shape: one(Object.keys(SHAPES)), color: one(Object.keys(COLORS)), size,
    x: between(REACH * size, SIZE - REACH * size), y: between(REACH * size, SIZE - REACH * size) });
  if (!heldOut && random() < SINGLE) return [shape(between(SMALLEST, LARGEST))];
  for (;;) {
    const large = shape(between(SMALLEST * RATIO, LARGEST));
    const small = shape(between(SMALLEST, large.size / RATIO));
    const dx = Math.abs(large.x - small.x);
    const dy = Math.abs(large.y - small.y);
    const fits = Math.hypot(dx, dy) > (large.size + small.size) * 1.15 && Math.abs(dx - dy) > DOMINANCE;
    const both = random() < 0.5 ? [large, small] : [small, large];
    if (fits && isHeldOut(describe(both)) === heldOut) return both;
  }
}
