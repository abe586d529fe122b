/**
 * Causal language models: they predict each token from the tokens before it. Two forms, by configuration, each with the
 * names and layouts of the weights in PyTorch:
 *
 * - GPT-2 (Radford et al. 2019; nanoGPT's names): learned positions, LayerNorm before each layer, GELU;
 * - Llama (Touvron et al. 2023; Hugging Face's names): RoPE, RMSNorm before each layer, SwiGLU, grouped heads.
 *
 * The head is the embedding's table in both (Press and Wolf 2017).
 */
import { placeOf } from '../../files/safetensors/names.js';

/**
 * @typedef {import('../../lab/index.js').Lab} Lab
 * @typedef {import('../../lab/index.js').Tensor} Tensor
 * @typedef {import('../../lab/index.js').Weights} Weights
 *
 * @typedef {object} Config
 * @property {'gpt2' | 'llama'} form
 * @property {number} layers
 * @property {number} heads
 * @property {number} [kvHeads]  Llama: number of heads of keys and values; default `heads`
 * @property {number} width      width of the model, d
 * @property {number} hidden     number of hidden units of the feed-forward network
 * @property {number} vocabulary number of tokens
 * @property {number} context    largest number of positions
 * @property {number} [eps]      epsilon of the norms; default 1e-5
 * @property {number} [theta]    base of RoPE in Llama; default 10000
 *
 * @typedef {object} Batch
 * @property {Int32Array} inputs  [batch·time] ids
 * @property {Int32Array} targets [batch·time] ids, each the token after its input
 * @property {number} batch
 */

/** Standard deviation of the initial weights, in both forms (nanoGPT; Radford et al. 2019). */
const DEVIATION = 0.02;

/**
 * Initial weights: N(0, 0.02²), and N(0, 0.02² / (2·layers)) for projections into the residual stream. Norms are 1.
 * @param {Lab} lab @param {Config} config @returns {Weights}
 */
export function weights(lab, config) {
  /** @type {Weights} */
  const all = {};
  const deviation = { in: DEVIATION, out: DEVIATION / Math.sqrt(2 * config.layers) };
  for (const [name, shape, kind] of parameters(config)) {
    all[name] = kind === 'ones' ? lab.init.constant(name, shape, 1) : lab.init.normal(name, shape, deviation[kind]);
  }
  return all;
}

/** Name, shape and initialization of every weight. @param {Config} config
 *  @returns {[string, number[], 'ones' | 'in' | 'out'][]} */
export function parameters({ form, layers, heads, kvHeads = heads, width, hidden, vocabulary, context }) {
  const kv = width / heads * kvHeads;
  const each = (/** @type {(i: number) => [string, number[], 'ones' | 'in' | 'out'][]} */ layer) =>
    Array.from({ length: layers }, (_, i) => layer(i)).flat();
  if (form === 'gpt2') {
    return [
      ['wte.weight', [vocabulary, width], 'in'],
      ['wpe.weight', [context, width], 'in'],
      ...each((i) => [
        [`h.${i}.ln_1.weight`, [width], 'ones'],
        [`h.${i}.attn.c_attn.weight`, [3 * width, width], 'in'],
        [`h.${i}.attn.c_proj.weight`, [width, width], 'out'],
        [`h.${i}.ln_2.weight`, [width], 'ones'],
        [`h.${i}.mlp.c_fc.weight`, [hidden, width], 'in'],
        [`h.${i}.mlp.c_proj.weight`, [width, hidden], 'out'],
      ]),
      ['ln_f.weight', [width], 'ones'],
    ];
  }
  return [
    ['model.embed_tokens.weight', [vocabulary, width], 'in'],
    ...each((i) => [
      [`model.layers.${i}.input_layernorm.weight`, [width], 'ones'],
      [`model.layers.${i}.self_attn.q_proj.weight`, [width, width], 'in'],
      [`model.layers.${i}.self_attn.k_proj.weight`, [kv, width], 'in'],
      [`model.layers.${i}.self_attn.v_proj.weight`, [kv, width], 'in'],
      [`model.layers.${i}.self_attn.o_proj.weight`, [width, width], 'out'],
      [`model.layers.${i}.post_attention_layernorm.weight`, [width], 'ones'],
      [`model.layers.${i}.mlp.gate_proj.weight`, [hidden, width], 'in'],
      [`model.layers.${i}.mlp.up_proj.weight`, [hidden, width], 'in'],
      [`model.layers.${i}.mlp.down_proj.weight`, [width, hidden], 'out'],
    ]),
    ['model.norm.weight', [width], 'ones'],
  ];
}

/**
 * Logits of the token after inputs[b, 0 … t].
 * @param {Lab} lab @param {Weights} w @param {Config} config
 * @param {ArrayLike<number>} inputs [batch·time] @param {number} [batch]
 * @param {Tensor[] | null} [scores] receives each layer's attention scores before the softmax,
 *   [batch][head][query][key]
 * @returns {Tensor} [batch][time][token]
 */
export function logits(lab, w, config, inputs, batch = 1, scores = null) {
  const named = Object.entries(w).flatMap(([name, tensor]) => {
    const place = placeOf(name, config.form);
    return place && place !== 'ignored' ? [[place.slot, tensor]] : [];
  });
  return lab.causalLm(engineConfig(config), Object.fromEntries(named), inputs, batch, scores);
}

/** The configuration of the forward pass of loaded models (src/heed.h). @param {Config} config */
function engineConfig({ form, layers, heads, kvHeads = heads, width, hidden, vocabulary, context, eps = 1e-5, theta }) {
  const d_head = width / heads;
  const sizes = { layers, heads, kv_heads: kvHeads, d_model: width, d_head, d_ff: hidden, vocabulary,
    context_length: context, norm_eps: eps };
  return form === 'gpt2'
    ? { ...sizes, norm: 'layernorm', position: 'learned', activation: 'gelu_tanh', gated: 'no' }
    : { ...sizes, norm: 'rmsnorm', position: 'rope_halves', rope_theta: theta ?? 10000, rope_dims: d_head,
      rope_scale: 1, activation: 'silu', gated: 'yes' };
}

/** Mean of -log p(target), in nats a token. @param {Lab} lab @param {Weights} w @param {Config} config
 *  @param {Batch} batch */
export function loss(lab, w, config, { inputs, targets, batch }) {
  return lab.crossEntropy(logits(lab, w, config, inputs, batch), targets);
}

/**
 * The mean loss over a text in windows of `time`, without the incomplete last window.
 * @param {Lab} lab @param {Weights} w @param {Config} config @param {ArrayLike<number>} tokens
 * @param {{ time?: number, batch?: number }} [options] batch: number of windows at once
 * @returns {Generator<void, number, void>} nats a token
 */
export function* textLoss(lab, w, config, tokens, { time = config.context, batch = 32 } = {}) {
  const ids = Int32Array.from(tokens);
  const windows = Math.floor((ids.length - 1) / time);
  let sum = 0;
  for (let i = 0; i < windows; i += batch) {
    const count = Math.min(batch, windows - i);
    const from = i * time;
    const to = (i + count) * time;
    const here = { inputs: ids.subarray(from, to), targets: ids.subarray(from + 1, to + 1), batch: count };
    sum += count * lab.evaluate(() => loss(lab, w, config, here).item());
    yield;
  }
  return sum / windows;
}

/**
 * Windows of a text; the target of a token is the next token.
 * @param {ArrayLike<number> & { slice(from: number, to: number): ArrayLike<number> }} tokens
 * @param {ArrayLike<number>} starts @param {number} time @returns {Batch}
 */
export function windows(tokens, starts, time) {
  const batch = starts.length;
  const inputs = new Int32Array(batch * time);
  const targets = new Int32Array(batch * time);
  for (let b = 0; b < batch; b++) {
    inputs.set(tokens.slice(starts[b], starts[b] + time), b * time);
    targets.set(tokens.slice(starts[b] + 1, starts[b] + time + 1), b * time);
  }
  return { inputs, targets, batch };
}
