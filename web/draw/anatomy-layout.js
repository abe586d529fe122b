/** Places of the boxes of a block, and the lines between them. All lengths are CSS pixels. */

/** @typedef {import('./anatomy-boxes.js').Box} Box */
/** @typedef {{ x: number, y: number, width: number, height: number }} Rectangle */
/** @typedef {{ id: string, band: number, card: Rectangle, raster: Rectangle }} Placed */
/** @typedef {{ from: string, to: string, path: string, tip: [x: number, y: number, angle: number] }} Link */

/** Width of the token labels. */
export const LABELS = { wide: 78, narrow: 56 };
/** A figure narrower than this has narrow labels. */
const NARROW = 560;
/** Height of the title and the shape above a raster. */
export const HEADING = 34;
/** Room for the arcs above a band. */
const ARCS = 30;
const GAP = 17;
/** Where lines pass a band, beside its labels. */
const SIDE = 3;
const BETWEEN = 22; // between two bands
/** Height of a raster, and of one of its rows. */
const TALL = { raster: 168, row: 15 };
/** Wanted widths of rasters by kind. A map is as wide as it is high, within limits. @type {Record<string, number>} */
const WIDTHS = { model: 84, head: 54, mlp: 104, vocabulary: 104 };
const MAP = { least: 96, most: 140 };
/** Boxes may shrink and grow by these factors to fill a band. */
const SHRINK = 0.7;
const STRETCH = 1.45;
/** Width of a letter of a title. */
const LETTER = 6.8;
/** A band starts with this box: the residual that the second half of the block reads. */
const SECOND_HALF = 'resid_mid';

/** @param {number} length */
const round = (length) => Math.round(10 * length) / 10;

/**
 * Lays out the boxes of a block in bands. All rasters of a band have one row for each token, so a token is one line.
 * @param {Box[]} boxes
 * @param {number} tokens
 * @param {number} width
 * @returns {{ width: number, height: number, labels: number, row: number, bands: Rectangle[], placed: Placed[],
 *   links: Link[] }} row: height of a token's row; bands: places of the rasters of each band, labels included
 */
export function layOutBlock(boxes, tokens, width) {
  const labels = width < NARROW ? LABELS.narrow : LABELS.wide;
  const row = Math.min(TALL.row, TALL.raster / Math.max(1, tokens));
  const height = Math.max(24, row * tokens);
  const wanted = (/** @type {Box} */ { kind }) =>
    (kind === 'map' ? Math.min(MAP.most, Math.max(MAP.least, height)) : WIDTHS[kind]);
  /** The raster is at least as wide as the title. @param {Box} box */
  const least = (box) => Math.max(SHRINK * wanted(box), LETTER * box.title.length);
  const bands = split(boxes, least, width - labels);
  /** @type {Placed[]} */
  const placed = [];
  /** @type {Rectangle[]} */
  const areas = [];
  let y = 0;
  bands.forEach((band, at) => {
    const room = width - labels - GAP * (band.length - 1);
    const sum = (/** @type {(box: Box) => number} */ of) => band.reduce((total, box) => total + of(box), 0);
    const growth = (/** @type {Box} */ box) => Math.max(0, STRETCH * wanted(box) - least(box));
    const share = Math.min(1, (room - sum(least)) / sum(growth));
    const top = y + ARCS + HEADING;
    let x = labels;
    for (const box of band) {
      const wide = Math.min(room, Math.floor(least(box) + share * growth(box)));
      placed.push({ id: box.id, band: at, card: { x, y: y + ARCS, width: wide, height: HEADING + height },
        raster: { x, y: top, width: wide, height } });
      x += wide + GAP;
    }
    areas.push({ x: 0, y: top, width: x - GAP, height });
    y = top + height + BETWEEN;
  });
  return { width, height: y - BETWEEN + 4, labels, row: height / Math.max(1, tokens), bands: areas, placed,
    links: linksOf(boxes, placed) };
}

/** @param {Box[]} boxes @param {(box: Box) => number} least @param {number} room @returns {Box[][]} */
function split(boxes, least, room) {
  /** @type {Box[][]} */
  const bands = [];
  let used = Infinity;
  for (const box of boxes) {
    const next = used + GAP + least(box);
    if (next > room || box.id === SECOND_HALF) {
      bands.push([box]);
      used = least(box);
    } else {
      bands[bands.length - 1].push(box);
      used = next;
    }
  }
  return bands;
}

/** @param {Box[]} boxes @param {Placed[]} placed @returns {Link[]} */
function linksOf(boxes, placed) {
  const byId = new Map(placed.map((each) => [each.id, each]));
  return boxes.flatMap((box) => box.from.flatMap((from) => {
    const a = byId.get(from);
    const b = byId.get(box.id);
    return a && b ? [{ from, to: box.id, ...route(a, b, placed) }] : [];
  }));
}

/** @param {Placed} a @param {Placed} b @param {Placed[]} placed
 *  @returns {Pick<Link, 'path' | 'tip'>} */
function route(a, b, placed) {
  const from = a.raster;
  const to = b.raster;
  if (a.band === b.band) {
    const gap = to.x - (from.x + from.width);
    if (gap <= GAP) {
      const y = round(from.y + Math.min(from.height / 2, 60));
      return { path: `M${round(from.x + from.width + 2)} ${y}H${round(to.x - 3)}`, tip: [round(to.x - 2), y, 0] };
    }
    const y = a.card.y - 1;
    const x1 = round(from.x + from.width * 0.7);
    const x2 = round(to.x + to.width * 0.3);
    const rise = round(Math.min(ARCS - 3, 9 + (x2 - x1) / 26) * 4 / 3);
    return { path: `M${x1} ${y}C${x1} ${y - rise} ${x2} ${y - rise} ${x2} ${y - 3}`, tip: [x2, y - 2, 90] };
  }
  // To a later band: straight down if no box is in between, otherwise through the space between bands.
  const below = placed.filter(({ band }) => band === a.band + 1);
  const down = b.band === a.band + 1 && below[0] === b && Math.abs(from.x - to.x) < 1;
  const start = round(from.y + from.height + 2);
  const x = round(down ? from.x + 18 : from.x + from.width / 2);
  const end = b.card.y - 2;
  if (down) return { path: `M${x} ${start}V${end - 3}`, tip: [x, end - 2, 90] };
  const turn = round(start + 8);
  if (b.band === a.band + 1) {
    const target = round(to.x + Math.min(44, to.width * 0.6));
    return { path: `M${x} ${start}V${turn}H${target}V${end - 3}`, tip: [target, end - 2, 90] };
  }
  const enter = round(b.card.y - 8);
  const target = round(to.x + 14);
  return { path: `M${x} ${start}V${turn}H${SIDE}V${enter}H${target}V${end - 3}`, tip: [target, end - 2, 90] };
}

/** The arrowhead of a link, as a path. @param {Link['tip']} tip */
export function arrowhead([x, y, angle]) {
  return angle === 0 ? `M${x} ${y}l-5 -3v6z` : `M${x} ${y}l-3 -5h6z`;
}

/**
 * The cell of a raster under a point.
 * @param {Rectangle} raster
 * @param {{ rows: number, columns: number }} plane
 * @param {{ x: number, y: number }} point
 * @returns {{ row: number, column: number } | null}
 */
export function cellUnder({ x, y, width, height }, { rows, columns }, point) {
  const column = Math.floor((point.x - x) / width * columns);
  const row = Math.floor((point.y - y) / height * rows);
  return column >= 0 && row >= 0 && column < columns && row < rows ? { row, column } : null;
}

/**
 * The rectangle of some cells of a raster.
 * @param {Rectangle} raster
 * @param {{ rows: number, columns: number }} plane
 * @param {{ rows: [number, number], columns: [number, number] }} cells
 * @returns {Rectangle}
 */
export function cellsBox({ x, y, width, height }, { rows, columns }, cells) {
  const cw = width / columns;
  const ch = height / rows;
  return { x: x + cells.columns[0] * cw, y: y + cells.rows[0] * ch, width: (cells.columns[1] - cells.columns[0]) * cw,
    height: (cells.rows[1] - cells.rows[0]) * ch };
}
