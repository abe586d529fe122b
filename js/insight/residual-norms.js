/** Norms of the residual stream and of each update to it, with their cosines, by layer and position. */
import { guarded } from '../guard.js';
import { needCall, needOneStack, promptOf } from './input.js';
import { layersOf } from './layers.js';
import { dot, rowOf } from './linear.js';
import { elementsOf, numbered, result } from './result.js';

/** @typedef {import('./input.js').Model} Model */

/** Numbers of each layer and position, in their order in a result. */
export const RESIDUAL_QUANTITIES = Object.freeze(/** @type {const} */ (
  ['stream', 'attention', 'attentionCosine', 'mlp', 'mlpCosine']));
/** Name of a number. @typedef {(typeof RESIDUAL_QUANTITIES)[number]} ResidualQuantity */
/** The residual stream before the first block. */
const EMBEDDING = -1;
/** The stream before attention, attention, the stream before the feed-forward network, it, and the stream after it.
 *  @param {Model['info']} info */
const hooksOf = ({ parallel, sumNorms }) => ['hook_resid_pre', 'hook_attn_out',
  parallel ? 'hook_resid_pre' : sumNorms ? 'ln1.hook_normalized' : 'hook_resid_mid', 'hook_mlp_out', 'hook_resid_post'];

/**
 * Options of residualNorms.
 * @typedef {object} ResidualNormsOptions
 * @property {import('./input.js').Edit[]} [edits]  edits of the run
 * @property {import('./input.js').OnProgress} [onProgress]  receives finished and all layers
 * @property {AbortSignal} [signal]  aborts the analysis
 */
/**
 * Sizes of the residual stream and of the vectors that are added to it.
 * @typedef {object} ResidualNorms
 * @property {Float32Array} data   norms and cosines, [quantity][layer][position]; 0 for parts of the embedding
 * @property {{ quantity: ResidualQuantity[], layer: number[], position: string[] }} axes  labels of each axis
 * @property {Int32Array} ids      ids of the input, [ids]
 */

/**
 * The norm of the residual stream after each layer, and of the vectors that attention and feed-forward network add.
 * They show where the information of a text is written.  A cosine near 1 strengthens the direction of the stream, a
 * negative one erases, and 0 adds another direction.  Norms grow with depth in most models (Heimersheim and
 * Turner 2023, https://www.lesswrong.com/posts/8mizBCm3dyc432nK8).  The session then holds the input.
 *
 * - `stream`: norm after the layer, before a norm that ends the block; layer −1 is the embedding
 * - `attention`, `mlp`: norm of the vector that is added
 * - `attentionCosine`, `mlpCosine`: its cosine with the stream to which it is added; of parallel blocks, the stream
 *   before the block
 * @param {Model} model  model in this thread or in a Worker
 * @param {import('./input.js').Input} input  text, or ids [ids]
 * @param {ResidualNormsOptions} [options]  edits of the run
 * @returns {Promise<ResidualNorms>} norms and cosines [quantity][layer][position]; labels of `position` are tokens
 * @throws {HeedError} 'bad-argument', 'unsupported' for encoder–decoders, 'no-tokenizer', 'context-full',
 *   'too-large', 'aborted', 'disposed'
 */
export const residualNorms = guarded('residualNorms', measure);

/** @param {Model} model @param {import('./input.js').Input} input @param {ResidualNormsOptions} [options]
 *  @returns {Promise<ResidualNorms>} */
async function measure(model, input, options = {}) {
  needCall('residualNorms', model, options, ['edits']);
  needOneStack('residualNorms', model.info);
  const { onProgress, ...run } = options;
  const { layers } = model.info;
  const { ids, tokens } = await promptOf('residualNorms', model, input);
  const each = (layers + 1) * ids.length;
  const data = new Float32Array(elementsOf('residualNorms', [RESIDUAL_QUANTITIES.length, layers + 1, ids.length],
    'Pass fewer ids.'));
  for await (const { layer, of } of layersOf(model, ids, hooksOf(model.info), run)) {
    for (let position = 0; position < ids.length; position++) {
      const [pre, attention, mid, mlp, post] = of.map((activation) => rowOf(activation, position));
      if (layer === 0) data[position] = norm(pre);
      const parts = [norm(post), norm(attention), cosine(attention, pre), norm(mlp), cosine(mlp, mid)];
      parts.forEach((x, i) => (data[i * each + (layer + 1) * ids.length + position] = x));
    }
    onProgress?.({ done: layer + 1, total: layers });
  }
  const axes = { quantity: [...RESIDUAL_QUANTITIES], layer: [EMBEDDING, ...numbered(layers)], position: tokens };
  return result(data, axes, { ids });
}

/** @param {Float32Array} x */
const norm = (x) => Math.sqrt(dot(x, x));

/** The cosine of the angle between two vectors; 0 if one is zero. @param {Float32Array} a @param {Float32Array} b */
const cosine = (a, b) => dot(a, b) / (norm(a) * norm(b)) || 0;
