/** The weights of a map as an HTML table, for screen readers and for copying. */
import { mapToTable } from '../draw/map-export.js';
import { formatWeight } from '../draw/sentence.js';
import { h } from './dom.js';

/** Most rows and columns: a reader can follow them, and a page can lay them out within a frame. */
const SIDE = 24;

/**
 * @param {{ rows: import('../draw/rows.js').Rows, tokens: string[], queryTokens?: string[], layer?: number,
 *   head?: number }} map
 * @param {{ queries: [from: number, to: number], keys: [from: number, to: number] }} range the visible cells
 * @returns {HTMLTableElement} at most SIDE × SIDE of them, and a caption that says so
 */
export function tableOf(map, { queries, keys }) {
  /** @type {(range: [from: number, to: number]) => [number, number]} */
  const limited = ([from, to]) => [from, Math.min(to, from + SIDE)];
  const range = { queries: limited(queries), keys: limited(keys) };
  const [heading, ...lines] = mapToTable(map, range, formatWeight);
  const { tokens, queryTokens, layer, head } = map;
  const all = queryTokens ? `${queryTokens.length} and ${tokens.length} tokens` : `${tokens.length} tokens`;
  const where = layer === undefined ? 'Queries' : `Layer ${layer}, head ${head}: queries`;
  const caption = `${where} ${formatRange(range.queries)} down, keys ${formatRange(range.keys)} across, of ${all}. `
    + `The table shows the visible cells, at most ${SIDE} × ${SIDE}. The JSON file has all weights.`;
  const columns = heading.slice(1).map((token) => h('th', { scope: 'col' }, token));
  const rows = lines.map(([token, ...cells]) =>
    h('tr', {}, h('th', { scope: 'row' }, token), ...cells.map((text) => h('td', {}, text))));
  return h('table', {},
    h('caption', {}, caption),
    h('thead', {}, h('tr', {}, h('td', {}, 'from ↓ to →'), ...columns)),
    h('tbody', {}, ...rows));
}

/** @param {[from: number, to: number]} range */
const formatRange = ([from, to]) => `${from}–${to - 1}`;
