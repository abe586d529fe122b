/** Finds the strongest token pairs of a head's QK and OV circuits by its weights, without a forward pass. */
import { throwIfAborted } from '../errors.js';
import { guarded } from '../guard.js';
import { needInteger, needOptions } from '../options.js';
import { Pacer } from '../pause.js';
import { needCall, needDecoder, promptOf } from './input.js';
import { center, columnsOf, dot, rowOf, weightOf } from './linear.js';
import { ROWS, TopPairs } from './pairs.js';
import { numbered, result } from './result.js';

/** @typedef {import('./input.js').Model} Model */

/** Largest distance of two ids whose rows are read together. */
const GAP = 64;

/**
 * The place of a head.
 * @typedef {object} HeadPlace
 * @property {number} layer  block, from 0
 * @property {number} head   head of queries, from 0
 */
/**
 * Options of circuits.
 * @typedef {object} CircuitsOptions
 * @property {number} [top]  number of pairs of each circuit; default 20
 * @property {ArrayLike<number>} [vocabulary]  ids of the tokens that are compared; default: all
 * @property {import('./input.js').OnProgress} [onProgress]  receives finished and all rows
 * @property {AbortSignal} [signal]  aborts the analysis
 */
/**
 * The strongest pairs of tokens of both circuits.
 * @typedef {object} Circuits
 * @property {Float32Array} data     strengths of the pairs, [circuit][rank]
 * @property {{ circuit: ('qk' | 'ov')[], rank: number[] }} axes  labels: 'qk' and 'ov', and ranks
 * @property {Int32Array} pairs      ids, [circuit][rank][2]: query and key of 'qk', read and written token of 'ov'
 * @property {string[]} texts        their readable texts, [circuit][rank][2]
 * @property {Float32Array} own      strength of a token with itself, [circuit]: standard deviations above the mean of
 *   its row, averaged over tokens.  For 'ov' it is a copying score; for 'qk' it is high if a head looks for the same
 *   token
 */
/** Factors of a circuit: the strength of row r and column c is the dot product of left row r and right row c.
 *  @typedef {{ left: Float32Array, right: Float32Array }} Factors */

/**
 * The circuits of a head on the vocabulary (Elhage et al. 2021, https://transformer-circuits.pub/2021/framework).
 *
 * - `qk`: the score of a query token for a key token, W_E·W_Q·W_Kᵀ·W_Eᵀ times the scale of scores, often 1/√d_head
 * - `ov`: the change of each logit when the head reads a token, W_E·W_V·W_O·W_U
 *
 * Each embedding has a mean square of 1, as after the norm of the block, and the weights of all norms apply.  Norms of
 * queries and keys and the scales of the model apply, too.  Biases and rotations are left out, so `qk` is the score at
 * distance 0, before a soft cap.  Where a norm follows attention, its scale is left out, because it depends on other
 * heads.  Later blocks read more than embeddings, so their circuits are the direct path only.  The matrices
 * [vocabulary][vocabulary] are never made.
 * @param {Model} model  model in this thread or in a Worker
 * @param {HeadPlace} place  block and head, from 0
 * @param {CircuitsOptions} [options]  number of pairs, and tokens
 * @returns {Promise<Circuits>} strengths of the strongest pairs [circuit][rank], with ids and texts
 * @throws {HeedError} 'bad-argument', 'unsupported' for encoders and encoder–decoders, 'aborted', 'disposed'
 */
export const circuits = guarded('circuits', find);

/** @param {Model} model @param {HeadPlace} place @param {CircuitsOptions} [options] @returns {Promise<Circuits>} */
async function find(model, place, options = {}) {
  needCall('circuits', model, options, ['top', 'vocabulary']);
  needOptions('circuits: place', place ?? null, ['layer', 'head']);
  const { info } = model;
  needDecoder('circuits', info, 'Read its weights by model.weight instead.');
  needInteger('layer', place.layer, 0, info.layers - 1);
  needInteger('head', place.head, 0, info.heads - 1);
  const ids = options.vocabulary === undefined ? Int32Array.from(numbered(info.vocabulary))
    : (await promptOf('circuits', model, options.vocabulary)).ids;
  const { top = Math.min(20, ids.length ** 2), onProgress, signal } = options;
  needInteger('top', top, 1, Math.min(10_000, ids.length ** 2));

  const total = 3 * ids.length; // one pass for the factors, and one for the pairs of each circuit
  const pacer = new Pacer();
  const pause = async (/** @type {number} */ done) => {
    if (!pacer.isDue) return;
    onProgress?.({ done, total });
    await pacer.pause();
    throwIfAborted(signal);
  };
  throwIfAborted(signal);
  const { qk, ov } = await factorsOf(model, place, ids, pause);
  const found = [];
  for (const [i, { left, right }] of [qk, ov].entries()) {
    const pairs = new TopPairs(left, right, info.dHead, top);
    for (let row = 0; pairs.addRows(row); row += ROWS) await pause((1 + i) * ids.length + row);
    found.push(pairs);
  }
  onProgress?.({ done: total, total });
  const pairs = Int32Array.from(found.flatMap(({ places }) => Array.from(places, (place) => ids[place])));
  const more = {
    pairs,
    texts: await model.tokens(pairs),
    own: Float32Array.from([qk, ov], (factors) => ownScore(factors, info.dHead)),
  };
  return result(Float32Array.from(found.flatMap(({ values }) => [...values])),
    { circuit: ['qk', 'ov'], rank: numbered(top) }, more);
}

/** Factors of both circuits, [ids][dHead].
 *  @param {Model} model @param {HeadPlace} place @param {Int32Array} ids @param {(done: number) => Promise<void>} pause
 *  @returns {Promise<{ qk: Factors, ov: Factors }>} */
async function factorsOf(model, { layer, head }, ids, pause) {
  const { dHead, heads, kvHeads, norm, scales, tied } = model.info;
  const isCentered = norm === 'layernorm';
  const kvHead = Math.floor(head / (heads / kvHeads));
  const embeddingOf = await rowsOf(model, 'token_embd.weight', ids);
  const unembeddingOf = tied ? embeddingOf : await rowsOf(model, 'output.weight', ids);
  const [embeddingNorm, first, after] = await Promise.all(['token_embd_norm', `blk.${layer}.attn_norm`,
    `blk.${layer}.post_attention_norm`].map((name) => model.weight(`${name}.weight`)));
  const final = await weightOf(model, 'output_norm.weight');
  const [q, k, v] = await inputsOf(model, layer, [head, kvHead, kvHead]);
  const output = columnsOf(await weightOf(model, `blk.${layer}.attn_output.weight`), head * dHead, dHead);
  const factors = () => ({ left: new Float32Array(ids.length * dHead), right: new Float32Array(ids.length * dHead) });
  const qk = factors();
  const ov = factors();
  for (const [row, id] of ids.entries()) {
    const own = embeddingOf(id);
    const whole = embeddingNorm ? normalized(own, embeddingNorm.data, isCentered) : own;
    const e = normalized(whole, first?.data, isCentered);
    const u = unembeddingOf(id).map((x, i) => x * final.data[i]);
    if (isCentered) center(u);
    if (after) u.forEach((x, i) => (u[i] = x * after.data[i]));
    qk.left.set(q(e).map((x) => x * scales.attention), row * dHead);
    qk.right.set(k(e), row * dHead);
    ov.left.set(v(e).map((x) => x * scales.residual * scales.logits), row * dHead);
    ov.right.set(output.map((column) => dot(column, u)), row * dHead);
    await pause(row);
  }
  return { qk, ov };
}

/** Rows of a matrix by id.  All rows of a large vocabulary take a gigabyte, so rows far from all ids are not read.
 *  @param {Model} model @param {string} name @param {Int32Array} ids
 *  @returns {Promise<(id: number) => Float32Array>} */
async function rowsOf(model, name, ids) {
  const sorted = Int32Array.from(new Set(ids)).sort();
  /** @type {Map<number, Float32Array>} */
  const rows = new Map();
  for (let i = 0; i < sorted.length;) {
    let last = i;
    while (sorted[last + 1] - sorted[last] <= GAP) last++;
    const first = sorted[i];
    const block = await weightOf(model, name, { range: [first, sorted[last] + 1] });
    for (; i <= last; i++) rows.set(sorted[i], rowOf(block, sorted[i] - first));
  }
  return (id) => /** @type {Float32Array} */ (rows.get(id));
}

/** An embedding after a norm without its bias. @param {Float32Array} x @param {Float32Array | undefined} gain
 *  @param {boolean} isCentered  LayerNorm subtracts the mean, RMSNorm does not */
function normalized(x, gain, isCentered) {
  const e = isCentered ? center(x.slice()) : x;
  const scale = Math.sqrt(dot(e, e) / e.length);
  return scale > 0 ? e.map((value, i) => value / scale * (gain ? gain[i] : 1)) : new Float32Array(e.length);
}

/** The products q, k and v of one head each, with the norms of queries and keys: from [dModel] to [dHead].
 *  @param {Model} model @param {number} layer @param {number[]} heads  of q, k and v
 *  @returns {Promise<((x: Float32Array) => Float32Array)[]>} */
async function inputsOf(model, layer, heads) {
  const { dHead, dModel, heads: queryHeads, kvHeads, normEpsilon } = model.info;
  const fused = await model.weight(`blk.${layer}.attn_qkv.weight`);
  const counts = [queryHeads, kvHeads, kvHeads];
  const starts = fused ? [0, queryHeads, queryHeads + kvHeads] : [0, 0, 0];
  return Promise.all(['q', 'k', 'v'].map(async (part, i) => {
    const { data } = fused ?? await weightOf(model, `blk.${layer}.attn_${part}.weight`);
    const norm = part === 'v' ? null : await model.weight(`blk.${layer}.attn_${part}_norm.weight`);
    // A norm of all heads together needs the products of all heads.
    const isOfAll = norm !== null && norm.data.length === counts[i] * dHead;
    const first = (starts[i] + (isOfAll ? 0 : heads[i])) * dHead;
    const rows = Array.from({ length: isOfAll ? counts[i] * dHead : dHead }, (_, row) =>
      data.subarray((first + row) * dModel, (first + row + 1) * dModel));
    return (/** @type {Float32Array} */ x) => {
      const product = Float32Array.from(rows, (row) => dot(row, x));
      if (!norm) return product;
      const scale = 1 / Math.sqrt(dot(product, product) / product.length + normEpsilon);
      const normed = product.map((y, at) => y * scale * norm.data[at]);
      return isOfAll ? normed.subarray(heads[i] * dHead, (heads[i] + 1) * dHead) : normed;
    };
  }));
}

/** Mean over rows of (own strength − mean of the row) / its deviation.  Mean and covariance of the right factors give
 *  these of every row. @param {Factors} factors @param {number} width */
function ownScore({ left, right }, width) {
  const count = right.length / width;
  const mean = new Float64Array(width);
  const covariance = new Float64Array(width * width);
  right.forEach((x, i) => (mean[i % width] += x / count));
  const part = (/** @type {Float32Array} */ x, /** @type {number} */ row) => x.subarray(row * width, (row + 1) * width);
  for (let row = 0; row < count; row++) {
    const b = part(right, row).map((x, i) => x - mean[i]);
    for (let i = 0; i < width; i++) {
      for (let j = 0; j < width; j++) covariance[i * width + j] += b[i] * b[j] / count;
    }
  }
  let sum = 0;
  for (let row = 0; row < count; row++) {
    const a = part(left, row);
    const b = part(right, row);
    let above = 0;
    let variance = 0;
    for (let i = 0; i < width; i++) {
      above += a[i] * (b[i] - mean[i]);
      for (let j = 0; j < width; j++) variance += a[i] * a[j] * covariance[i * width + j];
    }
    if (variance > 0) sum += above / Math.sqrt(variance);
  }
  return sum / count;
}
