/** Where a model of several stacks looked: by the names and the calls of a model that `load` gives. */
import { HeedError, quoted } from '../../errors.js';
import { needOptions } from '../../options.js';

/**
 * @typedef {import('../../lab/index.js').Tensor} Tensor
 * @typedef {import('../../model/hooks.js').Activation} Activation
 * @typedef {import('../../model/maps.js').AttentionRows} AttentionRows
 * @typedef {import('../../model/maps.js').AttentionMap & { causal: boolean, queryTokens?: string[] }} AttentionMap
 *   queryTokens: one a query of the whole map, where they are those of another text than the keys
 *
 * @typedef {'encoder.attn' | 'decoder.attn' | 'decoder.cross_attn' | 'blocks.attn'} Place  a stack, and its attention
 * @typedef {'pattern' | 'scores'} Kind
 *
 * @typedef {object} Looked
 * @property {Record<Kind, Tensor>[]} layers  [batch][head][query][key], or of one head [batch][query][key]
 * @property {string[]} keys        tokens
 * @property {string[]} [queries]   tokens, where they are those of another text
 * @property {boolean} [causal]     whether a query sees no key after itself
 *
 * @typedef {{ of: Place, layers: number, heads: number, queries: number, keys: string[], queryTokens?: string[],
 *   causal: boolean }} Maps
 *
 * @typedef {{ of?: Place, kind?: Kind, queries?: [from: number, to: number] }} Asked  of: cross-attention unless told,
 *   where there is any; queries: all unless told
 */

/** What TransformerLens calls them. @type {Record<Kind, string>} */
const HOOKS = { pattern: 'hook_pattern', scores: 'hook_attn_scores' };

/** `decoder.1.cross_attn.hook_pattern`. @param {Place} of @param {number} layer @param {Kind} kind */
function hookOf(of, layer, kind) {
  const [stack, attention] = of.split('.');
  return `${stack}.${layer}.${attention}.${HOOKS[kind]}`;
}

/** All maps of one text, under the names that TransformerLens's HookedEncoderDecoder has for them. */
export class Attended {
  /** [head][query][key] by name.  Rows of a `hook_pattern` sum to 1; `hook_attn_scores` are what its softmax was given,
   *  -Infinity where masked. @type {Record<string, Activation>} */
  cache = {};
  /** What there are maps of.  Nothing here is private: messages of a Worker would hold none of that.
   *  @type {Maps[]} */
  places = [];

  /** @param {Partial<Record<Place, Looked>>} looked  last the one that is meant where nothing is said
   *  @param {number} element of the batch */
  constructor(looked, element) {
    for (const [place, { layers, keys, queries: queryTokens, causal = false }] of Object.entries(looked)) {
      const of = /** @type {Place} */ (place);
      const queries = (queryTokens ?? keys).length;
      for (const [layer, maps] of layers.entries()) {
        for (const kind of /** @type {Kind[]} */ (['scores', 'pattern'])) {
          this.cache[hookOf(of, layer, kind)] = mapsOf(maps[kind], element, queries, keys.length);
        }
      }
      const [heads] = this.cache[hookOf(of, 0, 'pattern')].shape;
      this.places.push({ of, layers: layers.length, heads, queries, keys, queryTokens, causal });
    }
  }

  /**
   * The map of one head; `<heed-attention-map>` takes it as it is.
   * @param {Asked & { layer: number, head: number }} at
   * @returns {AttentionMap}
   * @throws {HeedError} 'bad-argument'
   */
  attention(at) {
    needOptions('attention', at, ['of', 'layer', 'head', 'kind', 'queries']);
    const { layer, head } = at ?? {};
    const { of, kind, from, to, layers, heads, queries, keys, queryTokens, causal } = askedOf(this.places, at);
    const counted = (/** @type {unknown} */ n, /** @type {number} */ count) =>
      Number.isInteger(n) && Number(n) >= 0 && Number(n) < count;
    if (!counted(layer, layers) || !counted(head, heads)) {
      throw new HeedError('bad-argument', `There is no layer ${quoted(layer)}, head ${quoted(head)}: ${of} has ` +
        `${layers} layers of ${heads} heads, counted from 0.`);
    }
    const all = this.cache[hookOf(of, layer, kind)].data;
    const [first, end] = [from, to].map((query) => (head * queries + query) * keys.length);
    return { data: all.slice(first, end), queries: to - from, keys: keys.length, firstQuery: from, layer, head, kind,
      tokens: keys, ...(queryTokens && { queryTokens }), causal };
  }

  /**
   * Rows of every head of every layer: [layer][head][query][key].
   * @param {Asked} [at]
   * @returns {AttentionRows}
   * @throws {HeedError} 'bad-argument'
   */
  attentionRows(at = {}) {
    needOptions('attentionRows', at, ['of', 'kind', 'queries']);
    const { of, kind, from, to, layers, heads, keys } = askedOf(this.places, at);
    const size = (to - from) * keys.length;
    const data = new Float32Array(layers * heads * size);
    for (let i = 0; i < layers * heads; i++) {
      const [layer, head] = [Math.floor(i / heads), i % heads];
      data.set(this.attention({ of, layer, head, kind, queries: [from, to] }).data, i * size);
    }
    return { data, layers, heads, queries: to - from, keys: keys.length, firstQuery: from };
  }
}

/** What is asked for, in full. @param {Maps[]} places @param {Asked | undefined} at
 *  @returns {Maps & { kind: Kind, from: number, to: number }} */
function askedOf(places, { of = places[places.length - 1].of, kind = 'pattern', queries } = {}) {
  const maps = places.find((place) => place.of === of);
  if (!maps) {
    throw new HeedError('bad-argument', `This model has no maps of ${quoted(of)}; it has those of ` +
      `${places.map((place) => place.of).join(', ')}.`);
  }
  if (!Object.hasOwn(HOOKS, kind)) {
    throw new HeedError('bad-argument', `There is no map of kind ${quoted(kind)}; ‘pattern’ and ‘scores’ there are.`);
  }
  const [from, to] = queries === undefined ? [0, maps.queries] : Array.isArray(queries) ? queries : [NaN, NaN];
  if (!(Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from <= to && to <= maps.queries)) {
    throw new HeedError('bad-argument', `Queries ${quoted(queries)}: they are two numbers, [from, to], of 0 to ` +
      `${maps.queries}.`);
  }
  return { ...maps, kind, from, to };
}

/**
 * The maps of one text, without what pads it.
 * @param {Tensor} maps [batch][head][query][key], or of one head [batch][query][key]
 * @param {number} element of the batch @param {number} queries @param {number} keys that it has
 * @returns {Activation} [head][query][key]
 */
function mapsOf({ data: all, axes: { sizes } }, element, queries, keys) {
  const [height, width] = sizes.slice(-2);
  const heads = sizes.length === 4 ? sizes[1] : 1;
  const data = new Float32Array(heads * queries * keys);
  for (let row = 0; row < heads * queries; row++) {
    const head = Math.floor(row / queries);
    const at = ((element * heads + head) * height + (row % queries)) * width;
    data.set(all.subarray(at, at + keys), row * keys);
  }
  return { data, shape: [heads, queries, keys] };
}
