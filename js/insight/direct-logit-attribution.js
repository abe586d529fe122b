/** Projects outputs of layers, heads, neurons or source tokens on the readout direction of a logit. */
import { HeedError, quoted } from '../errors.js';
import { guarded } from '../guard.js';
import { needInteger } from '../options.js';
import { needCall, needDecoder, promptOf } from './input.js';
import { layersOf } from './layers.js';
import { dot, rowOf, throughNorm, transposeTimes, weightOf } from './linear.js';
import { readoutOf, signsOf } from './readout.js';
import { elementsOf, numbered, result } from './result.js';

/** @typedef {import('./input.js').Model} Model */
/** @typedef {import('../model/hooks.js').Activation} Activation */
/** @typedef {import('./readout.js').Target} Target */

/**
 * Options of directLogitAttribution.
 * @typedef {object} AttributionOptions
 * @property {Target} [of]  `{ logit: id }`, or `{ logitDifference: [a, b] }` for the logit of a minus the logit of b;
 *   default: the logit of the likeliest next token
 * @property {keyof AttributionAxes} [by]  parts of the sum: outputs of attention and feed-forward
 *   networks (default), heads, neurons, or heads by the token that they read
 * @property {number} [position]  position whose next token is predicted; default: the last
 * @property {import('./input.js').Edit[]} [edits]  edits of the run
 * @property {import('./input.js').OnProgress} [onProgress]  receives finished and all layers
 * @property {AbortSignal} [signal]  aborts the analysis
 */
/**
 * Labels of the axes by the option `by`.  Components have the names of TransformerLens, such as 'embed', '0_attn_out'
 * and '0_mlp_out'; 'bias' is the bias of the final norm, 'b_U' the bias of logits.
 * @typedef {object} AttributionAxes
 * @property {{ component: string[] }} layer  [component]
 * @property {{ layer: number[], head: number[] }} head  [layer][head]
 * @property {{ layer: number[], neuron: number[] }} neuron  [layer][neuron]
 * @property {{ layer: number[], head: number[], key: string[] }} source  [layer][head][key]
 */
/**
 * Parts of a logit.  `By` is the option `by`.
 * @template {keyof AttributionAxes} [By=keyof AttributionAxes]
 * @typedef {object} Attribution
 * @property {Float32Array} data  parts, [component], [layer][head], [layer][neuron] or [layer][head][key]
 * @property {AttributionAxes[By]} axes  labels of each axis
 * @property {number} value     the logit or difference that the model computed, before a soft cap
 * @property {number} softcap   c of the soft cap c·tanh(value / c), by which the model computes its logits; 0: none
 * @property {number} rest      value minus the sum of `data`: the parts that `by` leaves out, and rounding
 * @property {Target} of        the logit or difference
 * @property {Int32Array} ids   ids of the input, [ids]
 * @property {number} position  position whose next token is predicted
 */
/**
 * Parts of one layer.
 * @typedef {object} Parts
 * @property {string[]} hooks  activations of a layer from which the parts are computed
 * @property {(info: Model['info'], positions: number) => number} count  number of parts in a layer
 * @property {Product} [product]  product after these activations; its input is the first of them
 * @property {(to: Float32Array, activations: Activation[], at: { position: number, read: Float32Array, heads: number })
 *   => void} split  writes the parts; `read` is what the logit reads from the inputs of the product
 */

/** A product in a layer, and the norm of its outputs that some families have.
 *  @typedef {{ weight: string, norm: string }} Product */

/** @type {Product} */
const ATTENTION = { weight: 'attn_output', norm: 'post_attention_norm' };
/** @type {Product} */
const FEED_FORWARD = { weight: 'ffn_down', norm: 'post_ffw_norm' };

/** @type {Record<keyof AttributionAxes, Parts>} */
const KINDS = {
  layer: {
    hooks: ['hook_attn_out', 'hook_mlp_out'],
    count: () => 2,
    split: (to, outputs, { position, read }) => outputs.forEach((x, i) => (to[i] = dot(rowOf(x, position), read))),
  },
  head: {
    hooks: ['attn.hook_z'],
    count: ({ heads }) => heads,
    product: ATTENTION,
    split(to, [z], { position, read, heads }) {
      const row = rowOf(z, position);
      const width = z.shape[2];
      for (let head = 0; head < heads; head++) to[head] = dot(part(row, head, width), part(read, head, width));
    },
  },
  neuron: {
    hooks: ['mlp.hook_post'],
    count: ({ dFeedForward }) => dFeedForward,
    product: FEED_FORWARD,
    split: (to, [post], { position, read }) => rowOf(post, position).forEach((x, i) => (to[i] = x * read[i])),
  },
  source: {
    hooks: ['attn.hook_z', 'attn.hook_pattern', 'attn.hook_v'],
    count: ({ heads }, positions) => heads * positions,
    product: ATTENTION,
    split(to, [, pattern, v], { position, read, heads }) {
      const [, keys] = pattern.shape;
      const [, kvHeads, width] = v.shape;
      for (let head = 0; head < heads; head++) {
        const weights = part(rowOf(pattern, head), position, keys);
        const kvHead = Math.floor(head / (heads / kvHeads));
        for (let key = 0; key < keys; key++) {
          to[head * keys + key] = weights[key] * dot(part(rowOf(v, key), kvHead, width), part(read, head, width));
        }
      }
    },
  },
};

/** Part i of a row. @param {Float32Array} row @param {number} i @param {number} width */
const part = (row, i, width) => row.subarray(i * width, (i + 1) * width);

/**
 * Splits a logit into the parts that each component of the model writes to the residual stream.  A part is the dot
 * product of a component's output with the row of the output matrix for this token.  The final norm is in
 * between, with a frozen scale.  A norm of the component's output, as in Gemma 2, has a frozen scale, too.  A soft cap
 * is not linear, so the parts sum to the logit before it.  A positive part raises the logit.  Only the direct path
 * counts: an effect through later components is in their parts.  The session then holds the input.
 * See Elhage et al. 2021, https://transformer-circuits.pub/2021/framework, and Wang et al. 2022,
 * https://arxiv.org/abs/2211.00593; it is `stack_head_results` of TransformerLens.
 * @param {Model} model  model in this thread or in a Worker
 * @param {import('./input.js').Input} input  text, or ids [ids]
 * @param {AttributionOptions} [options]  the logit, and the parts
 * @returns {Promise<Attribution>} one number for each part, with the logit and what the parts leave out
 * @throws {HeedError} 'bad-argument', 'unsupported' for encoders and encoder–decoders, 'no-tokenizer',
 *   'context-full', 'too-large', 'not-finite', 'aborted', 'disposed'
 */
export const directLogitAttribution = guarded('directLogitAttribution', attribute);

/** @template {keyof AttributionAxes} [By='layer']
 *  @param {Model} model @param {import('./input.js').Input} input @param {AttributionOptions & { by?: By }} [options]
 *  @returns {Promise<Attribution<By>>} */
async function attribute(model, input, options = {}) {
  needCall('directLogitAttribution', model, options, ['of', 'by', 'position', 'edits']);
  const { by = 'layer', onProgress, ...run } = options;
  const { info } = model;
  if (!Object.hasOwn(KINDS, by)) {
    throw new HeedError('bad-argument', `Expected by to be one of ${Object.keys(KINDS).join(', ')}; got ` +
      `${quoted(by)}.`);
  }
  const { ids, tokens } = await promptOf('directLogitAttribution', model, input);
  const position = options.position ?? ids.length - 1;
  needInteger('position', position, 0, ids.length - 1);
  needDirectPath(info, by);
  if (options.of !== undefined) signsOf(options.of, info.vocabulary);
  const { hooks, count, product, split } = KINDS[by];
  const each = count(info, ids.length);
  const data = new Float32Array(elementsOf('directLogitAttribution', [info.layers, each], 'Pass fewer ids.'));

  const { of, value, vector, embeddings, biases } = await readoutOf(model, ids, position, options.of, run);
  for await (const { layer, of: activations } of layersOf(model, ids, hooks, run)) {
    const read = product ? await readBy(model, layer, product, rowOf(activations[0], position), vector) : vector;
    split(data.subarray(layer * each, (layer + 1) * each), activations, { position, read, heads: info.heads });
    onProgress?.({ done: layer + 1, total: info.layers });
  }

  const [layer, head, neuron] = [info.layers, info.heads, info.dFeedForward].map(numbered);
  const { data: parts, axes } = {
    layer: () => components(data, embeddings, biases),
    head: () => ({ data, axes: { layer, head } }),
    neuron: () => ({ data, axes: { layer, neuron } }),
    source: () => ({ data, axes: { layer, head, key: tokens } }),
  }[by]();
  const rest = value - parts.reduce((sum, x) => sum + x, 0);
  return result(parts, /** @type {AttributionAxes[By]} */ (axes),
    { value, softcap: info.softcaps.logits, rest, of, ids, position });
}

/** Refuses models whose logits are not a sum over the residual stream. @param {Model['info']} info @param {string} by
 *  @throws {HeedError} 'bad-argument', 'unsupported' */
function needDirectPath(info, by) {
  const name = 'directLogitAttribution';
  needDecoder(name, info, 'Ablate its parts by model.runWithHooks instead.');
  if (info.experts && by === 'neuron') {
    throw new HeedError('bad-argument', `${name}: a mixture of experts has no parts by neuron, because each token ` +
      'has its own experts. By layer, the output of the experts is one part.');
  }
}

/** The vector that a logit reads from the inputs of a product in a layer, through the norm and scale of its outputs.
 *  @param {Model} model @param {number} layer @param {Product} product @param {Float32Array} input  [inputs]
 *  @param {Float32Array} vector  that it reads from the residual stream, [dModel]
 *  @returns {Promise<Float32Array>} [inputs] */
async function readBy(model, layer, { weight: name, norm }, input, vector) {
  const weight = await weightOf(model, `blk.${layer}.${name}.weight`);
  const gain = await model.weight(`blk.${layer}.${norm}.weight`);
  const scaled = vector.map((x) => x * model.info.scales.residual);
  if (!gain) return transposeTimes(weight, scaled);
  const bias = await model.weight(`blk.${layer}.${name}.bias`);
  const output = scaled.map((_, o) => dot(rowOf(weight, o), input) + (bias?.data[o] ?? 0));
  return transposeTimes(weight, throughNorm(model.info, output, gain.data, scaled));
}

/** Parts of the residual stream in the order in which they are written.
 *  @param {Float32Array} data  [layer][2]
 *  @param {Record<string, number>} embeddings @param {Record<string, number>} biases
 *  @returns {{ data: Float32Array, axes: AttributionAxes['layer'] }} */
function components(data, embeddings, biases) {
  const written = Object.fromEntries(Array.from(data, (x, i) => [`${i >> 1}_${i % 2 ? 'mlp' : 'attn'}_out`, x]));
  const all = { ...embeddings, ...written, ...biases };
  return { data: Float32Array.from(Object.values(all)), axes: { component: Object.keys(all) } };
}
