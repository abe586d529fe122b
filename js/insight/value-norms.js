/** Norm-based attention maps, from attention patterns, values and the output matrix of each layer. */
import { guarded } from '../guard.js';
import { needCall, needOneStack, numbersOf, promptOf } from './input.js';
import { layersOf } from './layers.js';
import { columnsOf, dot, rowOf, weightOf } from './linear.js';
import { elementsOf, numbered, result } from './result.js';

/** @typedef {import('./input.js').Model} Model */
/** @typedef {import('../model/hooks.js').Activation} Activation */

/**
 * Options of valueNorms.
 * @typedef {object} ValueNormsOptions
 * @property {number[]} [layers]  blocks, from 0; default: all
 * @property {import('./input.js').Edit[]} [edits]  edits of the run
 * @property {import('./input.js').OnProgress} [onProgress]  receives finished and all layers
 * @property {AbortSignal} [signal]  aborts the analysis
 */
/**
 * Attention weighted by the sizes of its values.
 * @typedef {object} ValueNorms
 * @property {Float32Array} data   weight times norm, [layer][head][query][key]
 * @property {{ layer: number[], head: number[], query: string[], key: string[] }} axes  labels of each axis
 * @property {Float32Array} norms  norm of each transformed value, [layer][head][key]
 * @property {Int32Array} ids      ids of the input, [ids]
 */

/**
 * Attention maps in which each weight is multiplied by the norm of its transformed value.  The product is the size of
 * the vector that the key sends to the query.  A large weight on a small vector has little effect, as often on the
 * first token (Kobayashi et al. 2020, https://arxiv.org/abs/2004.10102).  The transformed value of a head is its value
 * times its columns of the output matrix, without the output's bias.  The session then holds the input.
 * @param {Model} model  model in this thread or in a Worker
 * @param {import('./input.js').Input} input  text, or ids [ids]
 * @param {ValueNormsOptions} [options]  layers
 * @returns {Promise<ValueNorms>} weight times norm [layer][head][query][key]; labels of `query` and `key` are tokens
 * @throws {HeedError} 'bad-argument', 'unsupported' for encoder–decoders, 'no-tokenizer', 'context-full',
 *   'too-large', 'aborted', 'disposed'
 */
export const valueNorms = guarded('valueNorms', weigh);

/** @param {Model} model @param {import('./input.js').Input} input @param {ValueNormsOptions} [options]
 *  @returns {Promise<ValueNorms>} */
async function weigh(model, input, options = {}) {
  needCall('valueNorms', model, options, ['layers', 'edits']);
  needOneStack('valueNorms', model.info);
  const { onProgress, ...run } = options;
  const { heads, kvHeads } = model.info;
  const { ids, tokens } = await promptOf('valueNorms', model, input);
  const layers = numbersOf('layers', options.layers, model.info.layers);
  const T = ids.length;
  const data = new Float32Array(elementsOf('valueNorms', [layers.length, heads, T, T], 'Pass fewer layers or ids.'));
  const norms = new Float32Array(layers.length * heads * T);
  let done = 0;
  for await (const { layer, of: [pattern, v] } of layersOf(model, ids, ['attn.hook_pattern', 'attn.hook_v'],
    { ...run, layers })) {
    const output = await weightOf(model, `blk.${layer}.attn_output.weight`);
    for (let head = 0; head < heads; head++) {
      const at = done * heads + head;
      const row = norms.subarray(at * T, (at + 1) * T);
      normsOf(output, v, { head, kvHead: Math.floor(head / (heads / kvHeads)) }, row);
      const weights = rowOf(pattern, head);
      for (let i = 0; i < T * T; i++) data[at * T * T + i] = weights[i] * row[i % T];
    }
    done++;
    onProgress?.({ done, total: layers.length });
  }
  const axes = { layer: layers, head: numbered(heads), query: tokens, key: tokens };
  return result(data, axes, { norms, ids });
}

/** Norms of the values of a head after the output matrix W: |W·v|² = vᵀ·(WᵀW)·v.
 *  @param {Activation} output  [dModel][head · dHead] @param {Activation} values  [position][kvHead][dHead]
 *  @param {{ head: number, kvHead: number }} of @param {Float32Array} to  [position] */
function normsOf(output, values, { head, kvHead }, to) {
  const width = values.shape[2];
  const columns = columnsOf(output, head * width, width);
  const square = new Float64Array(width * width);
  for (let i = 0; i < width; i++) {
    for (let j = 0; j <= i; j++) square[i * width + j] = square[j * width + i] = dot(columns[i], columns[j]);
  }
  for (let position = 0; position < to.length; position++) {
    const v = rowOf(values, position).subarray(kvHead * width, (kvHead + 1) * width);
    let sum = 0;
    for (let i = 0; i < width; i++) {
      for (let j = 0; j < width; j++) sum += v[i] * v[j] * square[i * width + j];
    }
    to[position] = Math.sqrt(Math.max(0, sum));
  }
}
