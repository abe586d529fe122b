/** The description of a drawing: boxes, arrows and groups, without positions. */

/**
 * A box. Its order in the description is the order of reading.
 * @typedef {object} Part
 * @property {string} is         what it is, as a phrase
 * @property {string} [symbol]   TeX; the same symbol in a formula of the page is bound to this box
 * @property {string[]} [also]   further symbols that are bound to this box
 * @property {string} [label]    words, if the box has no symbol; `\n` begins a line
 * @property {string} [name]     the name in sentences, if `label` breaks it into lines
 * @property {string[]} [shape]  names of axes: ['token', 'feature']
 * @property {'data' | 'weight' | 'operation' | 'sum' | 'dots'} [kind] default: 'data' with a symbol, 'operation'
 *   without
 * @property {number} [lane]     parallel paths have different lanes; default 0; between two lanes: 0.5
 * @property {number} [rank]     place along the path; default: one behind the last box that it gets its input from
 * @property {boolean} [live]    the script shows its numbers
 * @property {string} [link]     the page that explains it
 */
/**
 * @typedef {object} Group  a frame around boxes
 * @property {string} label
 * @property {string[]} parts
 * @property {boolean} [stack] drawn as the first of several copies
 */
/**
 * @typedef {object} Description
 * @property {string} title
 * @property {string} note     the caption: what to see in the drawing
 * @property {Record<string, Part>} parts
 * @property {string[]} arrows  chains such as 'X → attention → Z'. `→` leads from box to box. `↷` passes the boxes
 *   between on the upper or left side, `↶` on the other side, `⟲` leads back. `⇢` leads to a box of another
 *   lane, from side to side, `⇄` in both directions
 * @property {Group[]} [groups]
 */

const ARROWS = /^[→↷↶⟲⇢⇄]$/;

/** @typedef {{ from: string, to: string, route: string }} Link */
/** @param {Description} description @returns {Link[]} */
export const arrowsOf = ({ arrows }) => arrows.flatMap((chain) => {
  const words = chain.split(' ');
  return words.flatMap((route, i) => (ARROWS.test(route) ? [{ from: words[i - 1], to: words[i + 1], route }] : []));
});

/** The symbols of a box. @param {Part} part */
export const symbolsOf = ({ symbol, also = [] }) => (symbol ? [symbol, ...also] : also);

/** All symbols of some drawings, each once. @param {Description[]} descriptions */
export const boundSymbols = (descriptions) =>
  [...new Set(descriptions.flatMap(({ parts }) => Object.values(parts).flatMap(symbolsOf)))];

/** @param {Part} part */
export const kindOf = (part) => part.kind ?? (part.symbol ? 'data' : 'operation');

/**
 * Checks that arrows and groups name boxes of the description.
 * @param {Description} description
 * @throws {Error} that names the first unknown box
 */
export function needNames(description) {
  const { groups = [], parts, title } = description;
  const named = [...arrowsOf(description).flatMap(({ from, to }) => [from, to]),
    ...groups.flatMap((group) => group.parts)];
  const unknown = named.find((id) => !Object.hasOwn(parts, id));
  if (unknown !== undefined) throw new Error(`${title}: no box has the name ${unknown}.`);
}
