/**
 * Lines between the words of a text, from queries to keys (Vig, 2019, “A Multiscale Visualization of Attention in the
 * Transformer Model”, the head view).
 */
import { colorOf } from './categorical.js';
import { tokenLabel } from './token.js';

/** Lines with less opacity are left out. */
const LEAST_OPACITY = 0.03;
/** Widths of the thinnest and of the thickest line. */
const THIN = 0.75;
const THICK = 3;
/** Different opacities of a head's lines. */
const LEVELS = 32;

/** @typedef {import('./line-places.js').Focus} Focus */

/**
 * @typedef {object} LinesScene
 * @property {import('./rows.js').Rows[]} heads the rows of each head
 * @property {string[]} tokens tokens of the keys, and of the queries unless `queryTokens` is given
 * @property {string[]} [queryTokens] tokens of the queries, for cross-attention
 * @property {number} max the weight of the thickest line
 * @property {boolean} leaveFirstOut leave out lines to the first token
 * @property {Focus | null} focus the token whose lines are shown alone
 */

/**
 * The lines to draw: of the tokens in a range, or only of the token in focus.
 * @param {LinesScene} scene
 * @param {[from: number, to: number]} range of queries
 * @returns {{ head: number, query: number, key: number, opacity: number }[]} head: index into `heads`
 */
export function linesIn({ heads, max, leaveFirstOut, focus }, [from, to]) {
  /** @type {ReturnType<typeof linesIn>} */
  const lines = [];
  const first = leaveFirstOut ? 1 : 0;
  const least = LEAST_OPACITY * max;
  heads.forEach((rows, head) => {
    const add = (/** @type {number} */ query, /** @type {number} */ key, /** @type {number} */ weight) => {
      if (weight >= least) lines.push({ head, query, key, opacity: Math.min(1, weight / max) });
    };
    if (focus?.side === 'key') {
      if (focus.at < first) return;
      for (const [query, { weights }] of rows.entries()) {
        if (focus.at < weights.length) add(query, focus.at, weights[focus.at]);
      }
      return;
    }
    for (let query = focus ? focus.at : from; query < (focus ? focus.at + 1 : to); query++) {
      const weights = rows.get(query)?.weights ?? [];
      for (let key = first; key < weights.length; key++) add(query, key, weights[key]);
    }
  });
  return lines;
}

/**
 * The strongest partners of the token in focus.
 * @param {LinesScene} scene
 * @param {Focus} focus
 * @param {number} most number of partners
 * @returns {{ head: number, at: number, weight: number }[]} the strongest first; head: index into `heads`
 */
export function strongest({ heads, leaveFirstOut }, { side, at }, most) {
  /** @type {ReturnType<typeof strongest>} */
  const all = [];
  const first = leaveFirstOut ? 1 : 0;
  heads.forEach((rows, head) => {
    if (side === 'query') {
      rows.get(at)?.weights.forEach((weight, key) => { if (key >= first) all.push({ head, at: key, weight }); });
    } else if (at >= first) {
      for (const [query, { weights }] of rows.entries()) {
        if (at < weights.length) all.push({ head, at: query, weight: weights[at] });
      }
    }
  });
  return all.sort((a, b) => b.weight - a.weight).slice(0, most);
}

/**
 * The marks of a picture of lines.
 * @param {LinesScene} scene
 * @param {{ places: import('./line-places.js').Places, range: [from: number, to: number],
 *   ink: { text: string, muted: string }, dark: boolean, limit?: number }} view range: of tokens.
 *   limit: most characters of a label
 * @returns {import('./marks.js').Mark[]}
 */
export function lineMarks(scene, { places, range, ink, dark, limit }) {
  const { tokens, queryTokens = tokens, heads, focus } = scene;
  const [from, to] = range;
  const lines = linesIn(scene, range);
  /** @type {import('./marks.js').Mark[]} */
  const marks = [];
  if (focus) {
    // Behind each partner, a box per head, as dark as its line.
    for (const { head, query, key, opacity } of lines) {
      const partner = focus.side === 'query' ? /** @type {const} */ ({ side: 'key', at: key })
        : /** @type {const} */ ({ side: 'query', at: query });
      if (partner.at < from || partner.at >= to) continue;
      const [x, y, width, height] = places.of(partner).box;
      const share = width / heads.length;
      marks.push({ rect: [x + head * share, y + 1, share, height - 2], fill: colorOf(dark, head),
        opacity: 0.5 * opacity });
    }
  }
  const ends = {
    query: queryTokens.map((_, at) => places.of({ side: 'query', at }).end),
    key: tokens.map((_, at) => places.of({ side: 'key', at }).end),
  };
  /** Lines of one color and opacity are one path, because a long text has thousands. @type {number[][][]} */
  const paths = [];
  for (const { head, query, key, opacity } of lines) {
    const level = Math.ceil(opacity * LEVELS);
    ((paths[head] ??= [])[level] ??= []).push(...ends.query[query], ...ends.key[key]);
  }
  paths.forEach((levels, head) => levels.forEach((line, level) => {
    const opacity = level / LEVELS;
    marks.push({ line, stroke: colorOf(dark, head), width: THIN + (THICK - THIN) * opacity, opacity });
  }));
  for (const [side, texts] of /** @type {const} */ ([['query', queryTokens], ['key', tokens]])) {
    for (let at = from; at < Math.min(to, texts.length); at++) {
      const { label, state } = places.of({ side, at });
      const own = focus?.side === side && focus.at === at;
      const fill = !focus || own || focus.side !== side ? ink.text : ink.muted;
      if (state) marks.push({ rect: state, fill });
      marks.push({ text: tokenLabel(texts[at], limit), ...label, mono: true, bold: own, fill });
    }
  }
  return marks;
}
