/** The way from the residual stream of one position to a logit: a dot product, because the norm's scale is frozen. */
import { HeedError, quoted } from '../errors.js';
import { needInteger, needOptions } from '../options.js';
import { dot, rowOf, throughNorm, weightOf } from './linear.js';

/** @typedef {import('./input.js').Model} Model */
/** The logit of an id, or the logit of a first id minus the logit of a second.
 *  @typedef {{ logit: number } | { logitDifference: readonly [number, number] }} Target */
/**
 * @typedef {object} Readout
 * @property {Target} of
 * @property {number} value                  the logit or difference of the run, before a soft cap
 * @property {Float32Array} vector           vector·x is the part of x in the logit, [dModel]
 * @property {Record<string, number>} embeddings  parts of the embeddings of token and position
 * @property {Record<string, number>} biases  parts of the biases of the final norm and of the logits, if there are any
 */

/**
 * Signs of the ids of a target.
 * @param {Target} of @param {number} vocabulary
 * @returns {[id: number, sign: number][]}
 * @throws {HeedError} 'bad-argument'
 */
export function signsOf(of, vocabulary) {
  needOptions('of', of ?? null, ['logit', 'logitDifference']);
  const { logit, logitDifference } =
    /** @type {{ logit?: number, logitDifference?: readonly [number, number] }} */ (of);
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
  const { layers, learnedPositions, vocabulary, softcaps } = model.info;
  const residual = `blocks.${layers - 1}.hook_resid_post`;
  const normalized = 'ln_final.hook_normalized';
  const embeddings = { embed: 'hook_embed', ...(learnedPositions > 0 && { pos_embed: 'hook_pos_embed' }) };
  const names = [...Object.values(embeddings), residual, normalized];
  const all = position < ids.length - 1;
  const { logits: rows, cache } = await model.runWithCache(ids, names, { all, edits, signal });
  const logits = all ? rows.subarray(position * vocabulary, (position + 1) * vocabulary) : rows;
  const of = given ?? { logit: indexOfLargest(logits) };
  const signs = signsOf(of, vocabulary);

  const { output, unembedBias } = await headOf(model, signs);
  const normBias = (await model.weight('output_norm.bias'))?.data;
  const gain = (await weightOf(model, 'output_norm.weight')).data;
  const vector = throughNorm(model.info, rowOf(cache[residual], position), gain, output);
  // A capped logit near the cap has lost the digits of the logit before it.
  const value = softcaps.logits ? dot(rowOf(cache[normalized], position), output) + (unembedBias ?? 0)
    : signs.reduce((sum, [id, sign]) => sum + sign * logits[id], 0);
  return {
    of,
    value,
    vector,
    embeddings: Object.fromEntries(Object.entries(embeddings).map(([label, name]) =>
      [label, dot(rowOf(cache[name], position), vector)])),
    biases: { ...(normBias && { bias: dot(normBias, output) }), ...(unembedBias !== null && { b_U: unembedBias }) },
  };
}

/** The row of the output matrix that belongs to a target, and its bias, with the scale of logits.
 *  @param {Model} model @param {[id: number, sign: number][]} signs
 *  @returns {Promise<{ output: Float32Array, unembedBias: number | null }>} output: [dModel] */
async function headOf(model, signs) {
  const scale = model.info.scales.logits;
  const output = new Float32Array(model.info.dModel);
  const biases = await model.weight('output.bias');
  let unembedBias = 0;
  for (const [id, sign] of signs) {
    const row = await weightOf(model, 'output.weight', { range: [id, id + 1] });
    row.data.forEach((x, i) => (output[i] += sign * scale * x));
    unembedBias += sign * scale * (biases?.data[id] ?? 0);
  }
  return { output, unembedBias: biases && unembedBias };
}

/** @param {Float32Array} x */
function indexOfLargest(x) {
  let largest = 0;
  for (let i = 1; i < x.length; i++) if (x[i] > x[largest]) largest = i;
  return largest;
}
