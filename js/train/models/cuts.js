/** Cuts: weights of attention maps that are set to 0, to find out what a translation depends on. */
import { HeedError, quoted } from '../../errors.js';
import { needOptions } from '../../options.js';

/**
 * @typedef {import('../../lab/index.js').Lab} Lab
 * @typedef {import('../../lab/index.js').Tensor} Tensor
 * @typedef {import('./attended.js').Place} Place
 *
 * @typedef {(pattern: Tensor, at: { of: Place, layer: number, first: number }) => Tensor} PatternEdit  computes the
 *   pattern that weights the values; pattern: [batch][head][query][key]; first: index of its first query
 */

/**
 * Weights to cut, in the maps of the result. Without an index all of its kind are cut: `{ layer: 1, head: 0 }` cuts a
 * head.
 * @typedef {object} Cut
 * @property {Place} [of]      attention to cut; default 'decoder.cross_attn'
 * @property {number} [layer]  layer
 * @property {number} [head]   head
 * @property {number} [query]  row
 * @property {number} [key]    column
 */

const INDICES = /** @type {const} */ (['layer', 'head', 'query', 'key']);
/** @type {Place} */
const CROSS = 'decoder.cross_attn';

/**
 * The edit of patterns that makes the cuts.
 * @param {Lab} lab @param {Cut[]} cuts
 * @param {boolean} renormalize  whether the remaining weights of a row grow to the sum that the row had
 * @returns {PatternEdit | undefined} undefined without cuts
 */
export function cutting(lab, cuts, renormalize) {
  if (cuts.length === 0) return undefined;
  return (pattern, { of, layer, first }) => {
    const here = cuts.filter((cut) => (cut.of ?? CROSS) === of && (cut.layer ?? layer) === layer);
    if (here.length === 0) return pattern;
    const [batch, heads, queries, keys] = pattern.axes.sizes;
    const data = pattern.data.slice();
    for (let row = 0; row < batch * heads * queries; row++) {
      const head = Math.floor(row / queries) % heads;
      const query = first + (row % queries);
      const cut = here.filter((each) => (each.head ?? head) === head && (each.query ?? query) === query);
      if (cut.length > 0) cutRow(data.subarray(row * keys, (row + 1) * keys), cut, renormalize);
    }
    return lab.tensor(data, pattern.axes.sizes);
  };
}

/** @param {Float32Array} weights @param {Cut[]} cuts @param {boolean} renormalize */
function cutRow(weights, cuts, renormalize) {
  const sum = () => weights.reduce((total, weight) => total + weight, 0);
  const before = sum();
  for (const { key } of cuts) {
    if (key === undefined) weights.fill(0);
    else if (key < weights.length) weights[key] = 0;
  }
  const after = sum();
  if (renormalize && after > 0) weights.forEach((weight, j) => { weights[j] = weight * (before / after); });
}

/**
 * Checks the cuts that a caller gave.
 * @param {string} call @param {unknown} cuts
 * @param {Partial<Record<Place, { layers: number, heads: number }>>} places  attentions of the model
 * @returns {asserts cuts is Cut[]}
 * @throws {HeedError} 'bad-argument'
 */
export function needCuts(call, cuts, places) {
  if (!Array.isArray(cuts)) {
    throw new HeedError('bad-argument', `${call}: cuts is ${quoted(JSON.stringify(cuts))}; expected a list.`);
  }
  for (const cut of cuts) {
    needOptions(call, cut, ['of', ...INDICES]);
    const place = places[/** @type {Place} */ (cut.of ?? CROSS)];
    if (!place) {
      const known = Object.keys(places);
      throw new HeedError('bad-argument', known.length === 0 ? `${call}: this model has no attention to cut.`
        : `${call}: there is no attention ${quoted(cut.of ?? CROSS)} to cut; there is ${known.join(', ')}.`);
    }
    const counts = { layer: place.layers, head: place.heads, query: Infinity, key: Infinity };
    const wrong = INDICES.find((name) => cut[name] !== undefined &&
      !(Number.isInteger(cut[name]) && cut[name] >= 0 && cut[name] < counts[name]));
    if (wrong) {
      throw new HeedError('bad-argument', `${call}: a cut has the ${wrong} ${quoted(JSON.stringify(cut[wrong]))}; ` +
        `expected an integer from 0${counts[wrong] === Infinity ? '' : ` to ${counts[wrong] - 1}`}.`);
    }
  }
}
