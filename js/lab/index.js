/**
 * heed/lab: tensors with named axes, attention with every score, transformer blocks, backpropagation, optimizers.
 *
 * @module heed/lab
 */
import { checkEngine, chooseEngine } from '../engine/choose.js';
import { Engine, MEMORY_LIMIT } from '../engine/wasm.js';
import { HeedError } from '../errors.js';
import { guard, guarded } from '../guard.js';
import { needOptions } from '../options.js';
import { needCounts, needInRange } from './arguments.js';
import * as attentions from './attention.js';
import * as blocks from './blocks.js';
import { Core } from './core.js';
import { Init } from './init.js';
import { Operations } from './operations.js';
import { AdamW, SGD, clipGradients } from './optimizers.js';
import * as recurrent from './recurrent.js';
import * as state from './state.js';

export { HeedError, ERROR_CODES } from '../errors.js';
export { under } from './blocks.js';
export { countParameters, schedules } from './optimizers.js';
export { CompiledProgram, RaspError, RaspModel, RaspProgram, rasp } from './rasp/index.js';
export { normal, randomFrom, uniform } from './random.js';
export { fromSafetensors, toSafetensors } from './state.js';

/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./axes.js').Shape} Shape */
/** @typedef {import('./blocks.js').Weights} Weights */
/** @typedef {import('./memory.js').Memory} Memory */
/** @typedef {import('./attention.js').AttentionOptions} AttentionOptions */
/** @typedef {import('./blocks.js').MultiHeadOptions} MultiHeadOptions */
/** @typedef {import('./blocks.js').BlockOptions} BlockOptions */

/** Names of the options that each call knows. */
const ATTENTION = ['score', 'weights', 'causal', 'past', 'lengths', 'mask', 'maskKind', 'scale', 'softcap', 'dropout',
  'edit'];
const MULTI_HEAD = [...ATTENTION, 'heads', 'kvHeads', 'rope', 'valueWidths'];
const BLOCK = [...MULTI_HEAD, 'norm', 'activation', 'eps'];
const LAB = ['seed', 'engine', 'strict', 'threads', 'limitBytes', 'warn'];

/** Smallest arena that can hold a tensor. */
const LEAST_BYTES = 1 << 16;

/**
 * Options of `lab()`.
 * @typedef {object} LabOptions
 * @property {number} [seed]        integer seed of initial weights and of dropout; default 0
 * @property {'auto' | 'scalar' | 'simd128' | 'relaxed' | 'relaxed-u8' | 'relaxed-s8'} [engine]  kernel set; default
 *   'auto', the fastest available.  The last two differ from 'relaxed' only for quantized weights, which a lab has not
 * @property {boolean} [strict]     whether results must have the same bits on every machine, which excludes the kernel
 *   set 'relaxed'; default false
 * @property {number} [threads]     number of threads, default 1; more than one needs shared memory and a worker
 * @property {number} [limitBytes]  largest memory for tensors in bytes; default 4 GB, the limit of WebAssembly
 * @property {(message: string) => void} [warn]  listener for the warning that many tensors were made outside of
 *   `lab.step`; default `console.warn`
 */

/**
 * Opens a lab: tensors, operations and optimizers with separate memory.
 * @type {(options?: LabOptions) => Promise<Lab>}
 * @param options settings; see {@link LabOptions}
 * @returns the lab; call `dispose()` when it is no longer needed
 * @throws {HeedError} 'bad-argument' for an option that does not exist or has a wrong value. 'unavailable' if this
 *   environment cannot run the requested engine or number of threads
 * @example
 * const l = await lab({ seed: 1 });
 * const x = l.tensor([[1, 2], [3, 4]], { time: 2, feature: 2 });
 */
export const lab = guarded('lab', async (options) => {
  needOptions('lab', options, LAB);
  const { seed = 0, engine = 'auto', strict = false, threads = 1, limitBytes = MEMORY_LIMIT,
    warn = console.warn } = options ?? {};
  needInRange('lab', { seed }, { whole: true });
  needCounts('lab', { threads });
  checkEngine({ engine, strict, threads });
  if (!(typeof limitBytes === 'number' && limitBytes >= LEAST_BYTES)) {
    throw new HeedError('bad-argument', `limitBytes is ${limitBytes}; a lab needs ${LEAST_BYTES} or more.`);
  }
  const chosen = await chooseEngine({ engine, strict, threads }, 0, { floatsOnly: true });
  return new Lab(await Engine.create(chosen.kernels, chosen.threads), chosen, { seed, limitBytes, warn });
});

/**
 * The operations, blocks and optimizers of one lab. `lab()` makes it. All tensors of a computation belong to one lab.
 */
export class Lab extends Operations {
  /**
   * @param {Engine} engine
   * @param {import('../engine/choose.js').EngineInfo} info
   * @param {{ seed: number, limitBytes: number, warn: (message: string) => void }} options
   * @internal
   */
  constructor(engine, info, { seed, ...memory }) {
    super(engine, info.kernels, memory);
    /** The kernel set that runs, the number of threads, and the reason for this choice. */
    this.info = { engine: info };
    /** Seed of initial weights and of dropout. */
    this.seed = seed;
    /** Constructors of parameters with PyTorch's names, layouts and initial distributions. */
    this.init = new Init(this, seed);
  }

  /**
   * Makes a trainable tensor. Call it outside of `lab.step`.
   * @param {ArrayLike<number>} data  values in row-major order
   * @param {Shape} shape             sizes, or sizes by axis name: `{ out: 4, in: 8 }`
   * @param {string} [name]           name in error messages; default ''
   * @returns {Tensor} a tensor with a gradient
   * @throws {HeedError} 'bad-shape' if data and shape differ in size; 'bad-argument' inside a step; 'out-of-memory'
   */
  parameter(data, shape, name) {
    return this.init.parameter(data, shape, name);
  }

  /**
   * Attention: softmax(scores + mask)·V, with a choice of scores.
   *
   * The head axis, or the batch and head axes, may be left out. `kvHead` may be a divisor of `head`: each key-value
   * head then serves head / kvHead query heads (Ainslie et al. 2023, arXiv:2305.13245).
   * @param {Tensor} q  queries, [batch][head][query][dim]
   * @param {Tensor} k  keys, [batch][kvHead][key][dim]; the scores 'additive', 'bilinear' and 'concat' allow another
   *   dim
   * @param {Tensor} v  values, [batch][kvHead][key][dimV]
   * @param {AttentionOptions} [options]  score, mask, scale, dropout
   * @returns {import('./attention.js').Attended} output [batch][head][query][dimV]; pattern and scores
   *   [batch][head][query][key]
   * @throws {HeedError} 'bad-shape' with the axis that does not fit. 'bad-argument' for an option that does not exist,
   *   a wrong value or a missing weight of the score
   * @see Vaswani et al. 2017, equation 1 ('scaled-dot'); Bahdanau et al. 2015, section 3.1 ('additive'); Luong et al.
   *   2015, section 3.1 ('dot', 'bilinear', 'concat')
   */
  attention(q, k, v, options) {
    needOptions('attention', options, ATTENTION);
    return attentions.attention(this, q, k, v, options);
  }

  /**
   * Multi-head attention: Concat(head_1, …, head_h)·W_O with head_i = Attention(Q·W_Q, K·W_K, V·W_V).
   *
   * The batch axis may be left out. Weights have the names and layouts of `torch.nn.MultiheadAttention`. With d
   * features, the projections are `in_proj_weight` [3·d][d] and `in_proj_bias` [3·d]. Separate projections are
   * `q_proj_weight` [d][d], `k_proj_weight` and `v_proj_weight` [kvHeads·d/heads][d]. The output has `out_proj.weight`
   * [d][d] and `out_proj.bias` [d]. Biases are optional.
   * With `valueWidths`, `v_proj_weight` is [Σ widths][d] and `out_proj.weight` [d][Σ widths].
   * @param {Tensor} q  [batch][query][feature]
   * @param {Tensor} k  [batch][key][feature]
   * @param {Tensor} v  [batch][key][feature]
   * @param {Weights} weights  tensors by name
   * @param {MultiHeadOptions} options  `heads` is required
   * @returns {import('./attention.js').Attended} output [batch][query][feature]; pattern and scores
   *   [batch][head][query][key]
   * @throws {HeedError} 'bad-shape', 'bad-argument'
   * @see Vaswani et al. 2017, section 3.2.2
   */
  multiHead(q, k, v, weights, options) {
    needOptions('multiHead', options, MULTI_HEAD);
    return blocks.multiHead(this, q, k, v, weights, options);
  }

  /**
   * Self-attention in which each head projects only its own slice of the features, d/heads wide.
   *
   * Weights, head after head: `q_proj_weight` and `k_proj_weight` [heads·e][d/heads], `v_proj_weight`
   * [heads·f][d/heads], `out_proj.weight` [d][heads·f], `out_proj.bias` [d].
   * @param {Tensor} x  [batch][time][feature]; the batch axis may be left out
   * @param {Weights} weights  tensors by name
   * @param {MultiHeadOptions} options  `heads` is required
   * @returns {import('./attention.js').Attended} output [batch][time][feature]; pattern and scores
   *   [batch][head][query][key]
   * @throws {HeedError} 'bad-shape', 'bad-argument'
   */
  multiHeadOfPieces(x, weights, options) {
    needOptions('multiHeadOfPieces', options, [...ATTENTION, 'heads']);
    return blocks.multiHeadOfPieces(this, x, weights, options);
  }

  /**
   * Self-attention whose heads have values of the full model width. The head outputs are added, not concatenated.
   *
   * Weights: `q_proj_weight` and `k_proj_weight` [heads·e][d], `v_proj_weight` [heads·d][d]; optional `out_proj.weight`
   * [d][d] and `out_proj.bias` [d].
   * @param {Tensor} x  [batch][time][feature]; the batch axis may be left out
   * @param {Weights} weights  tensors by name
   * @param {MultiHeadOptions} options  `heads` is required
   * @returns {import('./attention.js').Attended} output [batch][time][feature]; pattern and scores
   *   [batch][head][query][key]
   * @throws {HeedError} 'bad-shape', 'bad-argument'
   */
  multiHeadPooled(x, weights, options) {
    needOptions('multiHeadPooled', options, [...ATTENTION, 'heads']);
    return blocks.multiHeadPooled(this, x, weights, options);
  }

  /**
   * Transformer encoder block: U = LN(MultiHead(X) + X), Y = LN(FFN(U) + U). With `norm: 'pre'`, each LN stands before
   * its layer instead: U = X + MultiHead(LN(X)), Y = U + FFN(LN(U)).
   *
   * Weights have the names of `torch.nn.TransformerEncoderLayer`: `self_attn.*`, `linear1.*`, `linear2.*`, `norm1.*`,
   * `norm2.*`. `lab.init.encoderBlock` makes them. `causal: true` gives the block of a GPT.
   * @param {Tensor} x  [batch][time][feature]; the batch axis may be left out
   * @param {Weights} weights  tensors by name
   * @param {import('./blocks.js').EncoderBlockOptions} options  `heads` is required; `onActivation(name, tensor)` is
   *   called with each activation of the block, by its name in TransformerLens
   * @returns {import('./attention.js').Attended} output [batch][time][feature]; pattern and scores
   *   [batch][head][query][key]
   * @throws {HeedError} 'bad-shape', 'bad-argument'
   * @see Vaswani et al. 2017, section 3.1; Xiong et al. 2020 (arXiv:2002.04745) for `norm: 'pre'`
   */
  encoderBlock(x, weights, options) {
    needOptions('encoderBlock', options, [...BLOCK, 'onActivation']);
    return blocks.encoderBlock(this, x, weights, options);
  }

  /**
   * Transformer decoder block: masked self-attention, cross-attention to the encoder's output, feed-forward network.
   * Each of the three has a residual connection and a LayerNorm.
   *
   * Weights have the names of `torch.nn.TransformerDecoderLayer`: as `encoderBlock`, with `multihead_attn.*`
   * and `norm3.*`. `lab.init.decoderBlock` makes them.
   * @param {Tensor} x       [batch][query][feature]; the batch axis may be left out
   * @param {Tensor} memory  output of the encoder, [batch][key][feature]
   * @param {Weights} weights  tensors by name
   * @param {import('./blocks.js').DecoderBlockOptions} options  `heads` is required; `causal` is true by default;
   *   `onActivation` as in `encoderBlock`, with `cross_attn.*`
   * @returns {import('./blocks.js').DecoderBlockResult} output [batch][query][feature]; `self` and `cross` with pattern
   *   and scores [batch][head][query][key]
   * @throws {HeedError} 'bad-shape', 'bad-argument'
   * @see Vaswani et al. 2017, section 3.1
   */
  decoderBlock(x, memory, weights, options) {
    needOptions('decoderBlock', options, [...BLOCK, 'memoryLengths', 'memoryMask', 'memoryEdit',
      'onActivation']);
    return blocks.decoderBlock(this, x, memory, weights, options);
  }

  /**
   * Gated recurrent unit over a sequence, with the weights of `torch.nn.GRU`: `weight_ih_l0` [3·hidden][feature],
   * `weight_hh_l0` [3·hidden][hidden], `bias_ih_l0` and `bias_hh_l0` [3·hidden]. Further layers have `_l1` and so on,
   * the backward direction has `_reverse`. `lab.init.gru` makes them.
   * @param {Tensor} x  [batch][time][feature]
   * @param {Weights} weights  tensors by name; the names determine the number of layers
   * @param {import('./recurrent.js').GruOptions} [options]  settings
   * @returns {{ output: Tensor, state: Tensor }} output of the last layer, [batch][time][hidden], or [2·hidden] with
   *   the forward direction first; final state, [batch][layers·directions·hidden] in the order of h_n of `nn.GRU`
   * @throws {HeedError} 'bad-shape', 'bad-argument'
   * @see Cho et al. 2014 (arXiv:1406.1078)
   */
  gru(x, weights, options) {
    needOptions('gru', options, ['bidirectional', 'lengths', 'state', 'dropout']);
    return recurrent.gru(this, x, weights, options);
  }

  /**
   * One step of a gated recurrent unit, with the weights of `torch.nn.GRUCell`: `weight_ih` [3·hidden][feature],
   * `weight_hh` [3·hidden][hidden], `bias_ih` and `bias_hh` [3·hidden]. The order of the gates is r, z, n.
   *
   * r = σ(W_ir·x + b_ir + W_hr·h + b_hr), z = σ(W_iz·x + b_iz + W_hz·h + b_hz), n = tanh(W_in·x + b_in + r·(W_hn·h +
   * b_hn)), h' = (1 - z)·n + z·h.
   * @param {Tensor} x  [batch][feature]
   * @param {Tensor} h  previous state, [batch][hidden]
   * @param {Weights} weights  tensors by name
   * @returns {Tensor} h', [batch][hidden]
   * @throws {HeedError} 'bad-shape', 'bad-argument'
   * @see Cho et al. 2014 (arXiv:1406.1078), with PyTorch's placement of b_hn
   */
  gruCell(x, h, weights) {
    return recurrent.gruCell(this, x, h, weights);
  }

  /**
   * Makes an AdamW optimizer. Call it outside of `lab.step`.
   *
   * m = β₁·m + (1 - β₁)·g, v = β₂·v + (1 - β₂)·g², w = w - rate·(m̂ / (√v̂ + eps) + weightDecay·w), with m̂ and v̂
   * corrected for bias, as in `torch.optim.AdamW`.
   * @param {Weights | Tensor[]} parameters  trainable tensors, such as the weights of `lab.init`
   * @param {import('./optimizers.js').AdamWOptions} [options]  settings
   * @returns {AdamW} the optimizer; its `step()` updates the parameters
   * @throws {HeedError} 'bad-argument' for an option or a tensor that does not fit, or inside a step; 'out-of-memory'
   * @see Loshchilov and Hutter 2019 (arXiv:1711.05101), algorithm 2
   */
  adamW(parameters, options) {
    return new AdamW(this, parameters, options);
  }

  /**
   * Makes an optimizer for stochastic gradient descent. Call it outside of `lab.step`.
   *
   * g = gradient + weightDecay·w, b = momentum·b + g, w = w - rate·b, as in `torch.optim.SGD`.
   * @param {Weights | Tensor[]} parameters  trainable tensors, such as the weights of `lab.init`
   * @param {import('./optimizers.js').SGDOptions} [options]  settings
   * @returns {SGD} the optimizer; its `step()` updates the parameters
   * @throws {HeedError} 'bad-argument' for an option or a tensor that does not fit, or inside a step; 'out-of-memory'
   */
  sgd(parameters, options) {
    return new SGD(this, parameters, options);
  }

  /**
   * Scales all gradients by one factor, so that their common L2 norm is at most `limit`.
   * @param {Weights | Tensor[]} parameters  trainable tensors after `lab.backward`
   * @param {number} limit  largest norm, above 0; `Infinity` only measures
   * @returns {number} the norm before scaling
   * @throws {HeedError} 'not-finite' if a gradient is NaN or infinite, with the training step, the first such parameter
   *   and the operation that caused it; 'bad-argument'
   * @see Pascanu et al. 2013 (arXiv:1211.5063), algorithm 1
   */
  clipGradients(parameters, limit) {
    return clipGradients(this, parameters, limit);
  }

  /**
   * Makes parameters from a safetensors file, such as one that PyTorch saved.
   * @param {state.Bytes} file  bytes of the file; tensors of type F32, F16 or BF16
   * @returns {Promise<{ weights: Weights, metadata: Record<string, string> }>} parameters by name; the file's metadata
   * @throws {HeedError} 'bad-source', 'bad-file', 'truncated', 'too-large', 'unsupported' for another tensor type,
   *   'out-of-memory'
   * @see https://huggingface.co/docs/safetensors
   */
  async load(file) {
    const { tensors, metadata } = await state.fromSafetensors(file);
    const weights = Object.fromEntries(Object.entries(tensors).map(([name, { shape, data }]) =>
      [name, this.parameter(data, shape, name)]));
    return { weights, metadata };
  }

  /**
   * Copies the values of a safetensors file into existing tensors. Every name must be in the file with the same shape;
   * otherwise no tensor changes.
   * @param {Weights} weights  tensors by name
   * @param {state.Bytes} file  bytes of the file; tensors of type F32, F16 or BF16
   * @returns {Promise<Record<string, string>>} the file's metadata
   * @throws {HeedError} 'bad-tensor' for a name that the file lacks; 'bad-shape'; and the errors of `load`
   */
  async assign(weights, file) {
    return state.assign(weights, file);
  }

  /**
   * Writes tensors as a safetensors file, which PyTorch and Hugging Face libraries read.
   * @param {Weights} weights  tensors by name; names and shapes go into the file
   * @param {Record<string, string>} [metadata]  texts for the file's header
   * @param {state.SaveOptions} [options]  settings
   * @returns {Uint8Array<ArrayBuffer>} bytes of the file
   * @throws {HeedError} 'bad-argument'
   * @see https://huggingface.co/docs/safetensors
   */
  save(weights, metadata, options) {
    return state.toSafetensors(weights, metadata, options);
  }
}

// `step` and `evaluate` are not guarded: an error in the function that they run belongs to the caller.
for (const { prototype } of [Lab, Operations, Init]) guard(prototype);
guard(Core.prototype, ['tensor', 'backward']);
