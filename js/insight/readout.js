/** The way from the residual stream of one position to a logit: a dot product, because the norm's scale is frozen. */
import { HeedError, quoted } from '../errors.js';
import { needInteger, needOptions } from '../options.js';
import { center, dot, rowOf, weightOf } from './linear.js';

/** @typedef {import('./input.js').Model} Model */
/** The logit of an id, or the logit of a first id minus the logit of a second.
 *  @typedef {{ logit: number } | { logitDifference: [number, number] }} Target */
/**
 * @typedef {object} Readout
 * @property {Target} of
 * @property {number} value                  the logit or difference of the run
 * @property {Float32Array} vector           vector·x is the part of x in the logit, [dModel]
 * @property {Record<string, number>} embeddings  parts of the embeddings of token and position
 * @property {Record<string, number>} bias   part of the final norm's bias, if it has one
 */

/**
 * Signs of the ids of a target.
 * @param {Target} of @param {number} vocabulary
 * @returns {[id: number, sign: number][]}
 * @throws {HeedError} 'bad-argument'
 */
export function signsOf(of, vocabulary) {
  needOptions('of', of ?? null, ['logit', 'logitDifference']);
  const { logit, logitDifference } = /** @type {{ logit?: number, logitDifference?: [number, number] }} */ (of);
  if ((logit === undefined) === (logitDifference === undefined)) {
    throw new HeedError('bad-argument', `Expected of to be { logit } or { logitDifference }, got ${quoted(of)}.`);
  }
  const ids = logitDifference === undefined ? [/** @type {number} */ (logit)] : Array.from(logitDifference);
  if (logitDifference !== undefined && ids.length !== 2) {
    throw new HeedError('bad-argument', 'Expected logitDifference to be two token ids, got ' +
      `${quoted(logitDifference)}.`);
  }
  return ids.map((id, i) => {
    needInteger('each id of the logit', id, 0, vocabulary - 1);
    return [id, i === 0 ? 1 : -1];
  });
}

/**
 * Runs ids, and reads how a position becomes a logit.
 * @param {Model} model @param {Int32Array} ids @param {number} position
 * @param {Target | undefined} given  default: the largest logit
 * @param {{ edits?: import('./input.js').Edit[], signal?: AbortSignal }} run
 * @returns {Promise<Readout>}
 */
export async function readoutOf(model, ids, position, given, { edits, signal }) {
  const { layers, learnedPositions, vocabulary } = model.info;
  const [residual, normalized] = [`blocks.${layers - 1}.hook_resid_post`, 'ln_final.hook_normalized'];
  const embeddings = { embed: 'hook_embed', ...(learnedPositions > 0 && { pos_embed: 'hook_pos_embed' }) };
  const names = [...Object.values(embeddings), residual, normalized];
  const all = position < ids.length - 1;
  const { logits: rows, cache } = await model.runWithCache(ids, names, { all, edits, signal });
  const logits = all ? rows.subarray(position * vocabulary, (position + 1) * vocabulary) : rows;
  const of = given ?? { logit: indexOfLargest(logits) };
  const signs = signsOf(of, vocabulary);

  const output = await outputOf(model, signs);
  const bias = (await model.weight('output_norm.bias'))?.data;
  const gain = (await weightOf(model, 'output_norm.weight')).data;
  const isCentered = model.info.norm === 'layernorm';
  const input = isCentered ? center(rowOf(cache[residual], position).slice()) : rowOf(cache[residual], position);
  const scale = scaleOf(input, rowOf(cache[normalized], position), gain, bias);
  const vector = output.map((x, i) => x * gain[i] * scale);
  if (isCentered) center(vector);
  return {
    of,
    value: signs.reduce((sum, [id, sign]) => sum + sign * logits[id], 0),
    vector,
    embeddings: Object.fromEntries(Object.entries(embeddings).map(([label, name]) =>
      [label, dot(rowOf(cache[name], position), vector)])),
    bias: bias ? { bias: dot(bias, output) } : {},
  };
}

/** The row of the output matrix that belongs to a target.  It is the gradient of the logit by the normalized residual
 *  stream, so the matrix stays in the model.
 *  @param {Model} model @param {[id: number, sign: number][]} signs @returns {Promise<Float32Array>} [dModel] */
async function outputOf(model, signs) {
  const weights = new Float32Array(model.info.vocabulary);
  for (const [id, sign] of signs) weights[id] += sign;
  const at = 'ln_final.hook_normalized';
  return (await model.gradients([0], { of: { weights }, at: [at] })).gradients[at].data;
}

/** The factor of the final norm: the least squares of output − bias = scale · gain · input.
 *  @param {Float32Array} input  centered for LayerNorm @param {Float32Array} output @param {Float32Array} gain
 *  @param {Float32Array} [bias] */
function scaleOf(input, output, gain, bias) {
  const unscaled = input.map((x, i) => x * gain[i]);
  const target = bias ? output.map((x, i) => x - bias[i]) : output;
  const square = dot(unscaled, unscaled);
  return square > 0 ? dot(unscaled, target) / square : 0;
}

/** @param {Float32Array} x */
function indexOfLargest(x) {
  let largest = 0;
  for (let i = 1; i < x.length; i++) if (x[i] > x[largest]) largest = i;
  return largest;
}
