/** Words of neurons: the tokens whose logits a neuron raises and lowers most. */
import { indicesOfLargest } from '../../draw/largest.js';

/** @typedef {import('../../../js/index.js').Model} Model */

/**
 * Ranks tokens by the direct effect of neurons on their logits: columns of the output matrix through the gains of the
 * norms and the unembedding. The scale of a norm changes no order. Biases of logits do not depend on a neuron.
 * @param {Model} model
 * @param {number} layer
 * @param {number[]} neuron  columns
 * @param {number} count     words of each neuron
 * @returns {Promise<[raised: string[], lowered: string[]]>} [neuron][rank]; empty without dense weights
 */
export async function neuronWords(model, layer, neuron, count) {
  const { dModel, norm } = model.info;
  const output = await model.weight(`blk.${layer}.ffn_down.weight`);
  const gain = await model.weight('output_norm.weight');
  const own = await model.weight(`blk.${layer}.post_ffw_norm.weight`); // in some families, such as Gemma 2
  if (!output || !gain) return [[], []];
  const rows = new Float32Array(2 * neuron.length * dModel);
  for (const [i, column] of neuron.entries()) {
    const written = Float32Array.from({ length: dModel }, (_, d) =>
      output.data[d * output.shape[1] + column] * (own?.data[d] ?? 1));
    const mean = norm === 'layernorm' ? written.reduce((sum, x) => sum + x, 0) / dModel : 0;
    for (let d = 0; d < dModel; d++) {
      const x = (written[d] - mean) * gain.data[d];
      rows[i * dModel + d] = x;
      rows[(neuron.length + i) * dModel + d] = -x;
    }
  }
  const ids = await model.weight('output.bias') ? await rankedWithoutBias(model, rows, count)
    : (await model.unembed(rows, { normalize: false, top: count })).ids;
  const texts = await model.tokens(ids);
  return [texts.slice(0, neuron.length * count), texts.slice(neuron.length * count)];
}

/**
 * The ids with the largest differences from the logits of a zero vector, which are the biases.
 * @param {Model} model @param {Float32Array} rows [row][dModel] @param {number} count
 * @returns {Promise<number[]>} [row][count]
 */
async function rankedWithoutBias(model, rows, count) {
  const { vocabulary } = model.info;
  const withZero = new Float32Array(rows.length + model.info.dModel);
  withZero.set(rows);
  const logits = await model.unembed(withZero, { normalize: false });
  const biases = logits.subarray(logits.length - vocabulary);
  /** @type {number[]} */
  const ids = [];
  for (let from = 0; from < logits.length - vocabulary; from += vocabulary) {
    const effects = logits.subarray(from, from + vocabulary).map((logit, id) => logit - biases[id]);
    ids.push(...indicesOfLargest(effects, count));
  }
  return ids;
}
