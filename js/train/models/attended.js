/** Attention maps of a trained model, with the names and calls of a model of `load`. */
import { HeedError, quoted } from '../../errors.js';
import { needOptions } from '../../options.js';

/**
 * @typedef {import('../../lab/index.js').Tensor} Tensor
 * @typedef {import('../../model/hooks.js').Activation} Activation
 * @typedef {import('../../model/maps.js').AttentionRows} AttentionRows
 * @typedef {import('../../model/maps.js').AttentionMap & { causal: boolean, queryTokens?: string[] }} AttentionMap
 *   queryTokens: one per query of the full map, if the queries are of another text than the keys
 *
 * @typedef {'encoder.attn' | 'decoder.attn' | 'decoder.cross_attn' | 'blocks.attn'} Place  a stack and its attention
 * @typedef {'pattern' | 'scores'} Kind
 *
 * @typedef {object} StackMaps
 * @property {Record<Kind, Tensor>[]} layers  maps by layer: [batch][head][query][key], or [batch][query][key]
 * @property {string[]} keys        tokens of the keys
 * @property {string[]} [queries]   tokens of the queries, if they are of another text
 * @property {boolean} [causal]     whether a query sees only earlier keys and itself
 *
 * @typedef {{ of: Place, layers: number, heads: number, queries: number, keys: string[], queryTokens?: string[],
 *   causal: boolean }} Maps
 *
 * @typedef {{ of?: Place, kind?: Kind, queries?: readonly [from: number, to: number] }} MapOptions  of: default
 *   cross-attention if the model has it; kind: default 'pattern'; queries: range of queries, default all
 */

/** Names of the maps in TransformerLens. @type {Record<Kind, string>} */
const HOOKS = { pattern: 'hook_pattern', scores: 'hook_attn_scores' };

/** `decoder.1.cross_attn.hook_pattern`. @param {Place} of @param {number} layer @param {Kind} kind */
function hookOf(of, layer, kind) {
  const [stack, attention] = of.split('.');
  return `${stack}.${layer}.${attention}.${HOOKS[kind]}`;
}

/** All attention maps of one text, with the names of TransformerLens's HookedEncoderDecoder. */
export class Attended {
  /** Maps by name, each [head][query][key]. Rows of a `hook_pattern` sum to 1. `hook_attn_scores` are the scores before
   *  the softmax, -Infinity where masked. @type {Record<string, Activation>} */
  cache = {};
  /** Stacks with maps. Fields are public, because messages of a worker drop private ones. @internal
   *  @type {Maps[]} */
  places = [];

  /** @param {Partial<Record<Place, StackMaps>>} stacks maps by stack; the last one is the default of `of`
   *  @param {number} element index in the batch @internal */
  constructor(stacks, element) {
    for (const [place, { layers, keys, queries: queryTokens, causal = false }] of Object.entries(stacks)) {
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
   * Map of one head, in the form that `<heed-attention-map>` takes.
   * @param {MapOptions & { layer: number, head: number }} at  layer and head, counted from 0
   * @returns {AttentionMap} `data` is [query][key]
   * @throws {HeedError} 'bad-argument' for a layer, head, stack, kind or range that does not exist; 'unsupported' for
   *   a model without attention
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
   * Maps of every head of every layer of a stack.
   * @param {MapOptions} [at]  stack, kind and range of queries
   * @returns {AttentionRows} `data` is [layer][head][query][key]
   * @throws {HeedError} 'bad-argument' for a stack, kind or range that does not exist; 'unsupported' for a model
   *   without attention
   */
  attentionRows(at = {}) {
    needOptions('attentionRows', at, ['of', 'kind', 'queries']);
    const { of, kind, from, to, layers, heads, keys } = askedOf(this.places, at);
    const size = (to - from) * keys.length;
    const data = new Float32Array(layers * heads * size);
    for (let i = 0; i < layers * heads; i++) {
      const layer = Math.floor(i / heads);
      const head = i % heads;
      data.set(this.attention({ of, layer, head, kind, queries: [from, to] }).data, i * size);
    }
    return { data, layers, heads, queries: to - from, keys: keys.length, firstQuery: from };
  }
}

/** Completes and checks the options. @param {Maps[]} places @param {MapOptions | undefined} at
 *  @returns {Maps & { kind: Kind, from: number, to: number }} */
function askedOf(places, { of = places[places.length - 1]?.of, kind = 'pattern', queries } = {}) {
  if (places.length === 0) throw new HeedError('unsupported', 'This model has no attention, so it has no maps.');
  const maps = places.find((place) => place.of === of);
  if (!maps) {
    throw new HeedError('bad-argument', `This model has no maps of ${quoted(of)}. It has maps of ` +
      `${places.map((place) => place.of).join(', ')}.`);
  }
  if (!Object.hasOwn(HOOKS, kind)) {
    throw new HeedError('bad-argument', `Unknown kind of map ${quoted(kind)}; expected ‘pattern’ or ‘scores’.`);
  }
  const [from, to] = queries === undefined ? [0, maps.queries] : Array.isArray(queries) ? queries : [NaN, NaN];
  if (!(Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from <= to && to <= maps.queries)) {
    throw new HeedError('bad-argument', `queries is ${quoted(queries)}; expected [from, to] within 0 to ` +
      `${maps.queries}.`);
  }
  return { ...maps, kind, from, to };
}

/**
 * Maps of one text of a batch, without padding.
 * @param {Tensor} maps [batch][head][query][key], or of one head [batch][query][key]
 * @param {number} element index in the batch @param {number} queries of the text @param {number} keys of the text
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
