/**
 * The default model in every weight type, and the distance of its predictions from F32's.
 *
 * The model's rows of 192 are not multiples of 256, the block size of the K-quants. So 64 columns of zeros and two
 * zero heads widen the model. The weight and epsilon of RMSNorm compensate for the mean over 256 instead of 192. The
 * function of the model is unchanged.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { encodeFormat } from '../../tools/convert/encode-formats.js';
import { FORMATS } from '../../tools/convert/formats.js';
import { modelMetadata } from '../../js/files/gguf/describe.js';
import { string, writeGguf } from '../../js/files/gguf/writer.js';
import { TYPES, encode } from '../../js/files/gguf/quantize.js';
import { STORIES } from './model.js';
import { readModel } from './reference.js';

/**
 * Distance of predictions from the reference: KL(reference ‖ prediction) of every position in nats, and the fraction of
 * positions with the same likeliest token.
 * @typedef {{ divergences: number[], agreement: number }} Distance
 * @typedef {{ ids: number[][], types: Record<string, { sha256: string } & Distance> }} Golden
 */

/** The golden of tools/goldens/quality.js: texts, and llama.cpp's distance with the same file of each type.
 *  @returns {Golden} */
export const qualityGolden = () =>
  JSON.parse(readFileSync(fileURLToPath(new URL('../goldens/quants/quality.json', import.meta.url)), 'utf8'));

/** @typedef {import('../../js/files/gguf/quantize.js').TypeName} PlainType
 *  @typedef {PlainType | import('../../tools/convert/formats.js').FormatName} WeightType */
export const WEIGHT_TYPES = /** @type {WeightType[]} */ ([...Object.keys(TYPES), ...Object.keys(FORMATS)]);

const D = 192;
const WIDE_D = 256;
const D_HEAD = 32;
/** Queries in a group of heads, without and with the zero heads. */
const GROUP = 3;
const WIDE_GROUP = 4;

/** An axis of a matrix: its wider size, and the new position of index i.
 *  @typedef {{ size: number, at: (i: number) => number }} Axis */
/** @type {Axis} */
const RESIDUAL = { size: WIDE_D, at: (i) => i };
/** @type {Axis} */
const HEADS = {
  size: WIDE_D,
  at(i) {
    const head = Math.floor(i / D_HEAD);
    return (Math.floor(head / GROUP) * WIDE_GROUP + head % GROUP) * D_HEAD + i % D_HEAD;
  },
};
/** @param {number} size @returns {Axis} */
const asItIs = (size) => ({ size, at: (i) => i });

/** @param {string} name of a matrix @param {number[]} shape @returns {[rows: Axis, columns: Axis]} */
function axesOf(name, [rows, columns]) {
  if (name.includes('attn_q')) return [HEADS, RESIDUAL];
  if (name.includes('attn_output')) return [RESIDUAL, HEADS];
  if (name.includes('ffn_down')) return [RESIDUAL, asItIs(columns)];
  return [asItIs(rows), RESIDUAL];
}

/** @returns {Promise<import('./reference.js').ReferenceModel>} */
export const readDefaultModel = () => readModel(STORIES);

/** The wider model in one type, as a GGUF file without a tokenizer.
 *  @param {import('./reference.js').ReferenceModel} model @param {WeightType} type @returns {Promise<Uint8Array>} */
export async function wideModel(model, type) {
  const [vocabulary] = model.weights['token_embd.weight'].shape;
  const [dFf] = model.weights['blk.0.ffn_up.weight'].shape;
  const metadata = modelMetadata({
    architecture: 'llama', norm: 'rmsnorm', layers: model.layers, heads: WIDE_D / D_HEAD, kvHeads: model.kvHeads,
    dModel: WIDE_D, dHead: D_HEAD, dFf, vocabulary, contextLength: 512, normEps: model.eps * D / WIDE_D,
    rope: { base: model.ropeBase },
  }, 'f32');
  const tensors = Object.entries(model.weights).map(([name, weight]) =>
    (weight.shape.length === 1 ? wideNorm(name, weight.data) : wideMatrix(name, weight, type)));
  return writeGguf({ metadata: { ...metadata, 'tokenizer.ggml.model': string('no_vocab') }, tensors });
}

/** @param {string} name @param {Float32Array} data @returns {import('../../js/files/gguf/writer.js').Tensor} */
function wideNorm(name, data) {
  const wide = new Float32Array(WIDE_D);
  wide.set(data.map((w) => w * Math.sqrt(D / WIDE_D)));
  return { name, type: 'f32', shape: [WIDE_D], data: wide };
}

/** @param {string} name @param {import('./reference.js').Matrix} matrix @param {WeightType} type
 *  @returns {import('../../js/files/gguf/writer.js').Tensor} */
function wideMatrix(name, { data, shape }, type) {
  const [rows, columns] = axesOf(name, shape);
  const wide = new Float32Array(rows.size * columns.size);
  for (let i = 0; i < data.length; i++) {
    wide[rows.at(Math.floor(i / shape[1])) * columns.size + columns.at(i % shape[1])] = data[i];
  }
  const wideShape = [rows.size, columns.size];
  if (type in TYPES) return { name, type, shape: wideShape, data: encode(wide, /** @type {any} */ (type)) };
  const format = /** @type {import('../../tools/convert/formats.js').FormatName} */ (type);
  return { name, type: FORMATS[format].number, shape: wideShape, data: encodeFormat(format, wide) };
}

/** @param {ArrayLike<number>} logits rows of n @param {number} n @returns {Float64Array} log-probabilities */
export function logSoftmax(logits, n) {
  const out = Float64Array.from(logits);
  for (let from = 0; from < out.length; from += n) {
    const row = out.subarray(from, from + n);
    let largest = -Infinity;
    let sum = 0;
    for (const v of row) largest = Math.max(largest, v);
    for (const v of row) sum += Math.exp(v - largest);
    const shift = largest + Math.log(sum);
    for (let i = 0; i < n; i++) row[i] -= shift;
  }
  return out;
}

/** @param {Float64Array} p log-probabilities of the reference, rows of n @param {Float64Array} q of the model
 *  @param {number} n @returns {Distance} */
export function distance(p, q, n) {
  const divergences = [];
  let agreeing = 0;
  for (let from = 0; from < p.length; from += n) {
    let sum = 0;
    let best = from;
    let bestOfQ = from;
    for (let i = from; i < from + n; i++) {
      sum += Math.exp(p[i]) * (p[i] - q[i]);
      if (p[i] > p[best]) best = i;
      if (q[i] > q[bestOfQ]) bestOfQ = i;
    }
    divergences.push(sum);
    if (best === bestOfQ) agreeing++;
  }
  return { divergences, agreement: agreeing / divergences.length };
}

/** @param {number[]} values @returns {{ mean: number, error: number }} error: the standard error of the mean */
export function meanOf(values) {
  const n = values.length;
  const mean = values.reduce((a, b) => a + b) / n;
  const variance = values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (n - 1);
  return { mean, error: Math.sqrt(variance / n) };
}
