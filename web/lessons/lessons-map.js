/** The map of the lessons: which lesson needs which, in layers from the first lesson to the last. */
import { svg } from './kit/svg.js';
import { numberOf, titleOf } from './list.js';

/** @typedef {import('./list.js').Lesson} Lesson */
/** A place of the map. Edges over several layers pass through places without a lesson.
 *  @typedef {{ lesson: Lesson | null, layer: number, before: Place[], at: number }} Place */

/** Rounds of the ordering. Each goes once through all layers in both directions. */
const ROUNDS = 6;
/** A wider window has room for titles. */
const WIDE = 760;
/** Sizes in pixels, along and across the layers: distance of layers, distance of places, node. */
const TITLES = { layer: 168, place: 60, width: 142, height: 46, turned: false };
const NUMBERS = { layer: 58, place: 50, width: 34, height: 34, turned: true };

/**
 * Layers of a directed graph without cycles: every lesson is one layer after the last lesson that it needs. Within a
 * layer, places are ordered by the mean place of their neighbors, which leaves few crossings.
 * @param {readonly Lesson[]} lessons
 * @returns {Place[][]} by layer; `at` is the place across the layer, 0 is the middle
 */
export function layersOf(lessons) {
  /** @type {Map<number, Place>} */
  const places = new Map();
  /** @type {Place[][]} */
  const layers = [];
  const add = (/** @type {Place} */ place) => {
    (layers[place.layer] ??= []).push(place);
    return place;
  };
  /** @param {Lesson} lesson @returns {Place} */
  function placeOf(lesson) {
    const known = places.get(numberOf(lesson));
    if (known) return known;
    const before = lesson.needs.map((number) =>
      placeOf(/** @type {Lesson} */ (lessons.find((each) => numberOf(each) === number))));
    const layer = 1 + Math.max(-1, ...before.map((each) => each.layer));
    const place = add({ lesson, layer, before: [], at: 0 });
    place.before = before.map((from) => {
      let last = from;
      while (last.layer < layer - 1) last = add({ lesson: null, layer: last.layer + 1, before: [last], at: 0 });
      return last;
    });
    places.set(numberOf(lesson), place);
    return place;
  }
  lessons.forEach(placeOf);
  for (const layer of layers) spread(layer);
  for (let round = 0; round < ROUNDS; round++) {
    for (const layer of [...layers.toReversed(), ...layers]) {
      order(layer, (place) => [...place.before,
        ...layers[place.layer + 1]?.filter((next) => next.before.includes(place)) ?? []]);
    }
  }
  return layers;
}

/** @param {Place[]} layer */
function spread(layer) {
  layer.forEach((place, i) => { place.at = i - (layer.length - 1) / 2; });
}

/** Sorts a layer by the mean place of neighbors.
 *  @param {Place[]} layer @param {(place: Place) => Place[]} neighborsOf */
function order(layer, neighborsOf) {
  const means = new Map(layer.map((place) => {
    const all = neighborsOf(place);
    return [place, all.length ? all.reduce((sum, { at }) => sum + at, 0) / all.length : place.at];
  }));
  layer.sort((a, b) => Number(means.get(a)) - Number(means.get(b)));
  spread(layer);
}

/** Most characters of a line in a node. */
const LINE = 20;

/** The title in at most two lines. @param {string} title */
function linesOf(title) {
  const words = title.split(' ');
  const first = words.findIndex((_, i) => words.slice(0, i + 1).join(' ').length > LINE);
  const cut = first < 0 ? words.length : Math.max(1, first);
  return [words.slice(0, cut).join(' '), words.slice(cut).join(' ')].filter(Boolean);
}

/**
 * Draws the map as wide as its container. A node is a link; pointing at it or focusing it shows all that it needs.
 * @param {HTMLElement} container the map replaces its children
 * @param {readonly Lesson[]} lessons
 * @param {ReadonlySet<string>} read names of the lessons that the reader has read
 */
export function drawMap(container, lessons, read) {
  const layers = layersOf(lessons);
  const size = container.clientWidth >= WIDE ? TITLES : NUMBERS;
  const most = Math.max(...layers.map(({ length }) => length));
  const along = (layers.length - 1) * size.layer + (size.turned ? size.height : size.width);
  const across = (most - 1) * size.place + (size.turned ? size.width : size.height);
  const [width, height] = size.turned ? [across, along] : [along, across];
  const at = (/** @type {Place} */ { layer, at: place }) => {
    const a = layer * size.layer + (size.turned ? size.height : size.width) / 2;
    const b = across / 2 + place * size.place;
    return size.turned ? [b, a] : [a, b];
  };
  /** Where edges arrive at a place, and where they leave. @param {Place} place */
  const ends = (place) => {
    const [x, y] = at(place);
    const half = (size.turned ? size.height : size.width) / 2;
    return size.turned ? [[x, y - half], [x, y + half]] : [[x - half, y], [x + half, y]];
  };
  const nodes = new Map(layers.flat().flatMap((place) => (place.lesson
    ? [/** @type {const} */ ([place, nodeOf(place.lesson, at(place), size, read.has(place.lesson.name))])] : [])));
  const edges = layers.flat().flatMap((to) => to.before.map((from) => {
    const start = ends(from)[1];
    const end = ends(to)[0];
    const mx = (start[0] + end[0]) / 2;
    const my = (start[1] + end[1]) / 2;
    const bends = size.turned ? [start[0], my, end[0], my] : [mx, start[1], mx, end[1]];
    return { to, path: svg('path', { d: `M${start}C${bends} ${end}${to.lesson ? '' : `L${ends(to)[1]}`}` }) };
  }));
  /** @param {Place} place @returns {Set<Place>} the place and all that it needs */
  const allBefore = (place) => new Set([place, ...place.before.flatMap((each) => [...allBefore(each)])]);
  for (const [place, node] of nodes) {
    const needed = allBefore(place);
    const mark = (/** @type {boolean} */ on) => {
      container.classList.toggle('pointed', on);
      for (const [each, other] of nodes) other.classList.toggle('needed', on && needed.has(each));
      for (const { to, path } of edges) path.classList.toggle('needed', on && needed.has(to));
    };
    for (const type of ['pointerenter', 'focus']) node.addEventListener(type, () => mark(true));
    for (const type of ['pointerleave', 'blur']) node.addEventListener(type, () => mark(false));
  }
  container.replaceChildren(svg('svg', { viewBox: `-2 -2 ${width + 4} ${height + 4}`, width: width + 4, role: 'group',
    'aria-label': 'Map of the lessons: each lesson after the lessons that it needs' },
  ...edges.map(({ path }) => path), ...nodes.values()));
}

/** @param {Lesson} lesson @param {number[]} at middle @param {{ width: number, height: number, turned: boolean }} size
 *  @param {boolean} read */
function nodeOf(lesson, [x, y], { width, height, turned }, read) {
  const lines = turned ? [String(numberOf(lesson))] : linesOf(titleOf(lesson));
  const needs = lesson.needs.length > 0 ? `, needs ${lesson.needs.join(', ')}` : ', start here';
  return svg('a', { href: `./${lesson.name}.html`, class: read ? 'node read' : 'node',
    'aria-label': `${titleOf(lesson)}${needs}${read ? ', read' : ''}` },
  svg('title', {}, titleOf(lesson)),
  svg('rect', { x: x - width / 2, y: y - height / 2, width, height, rx: turned ? width / 2 : 6 }),
  ...lines.map((line, i) => svg('text', { x, y: y + (i - (lines.length - 1) / 2) * 16 }, `${line} `)));
}
