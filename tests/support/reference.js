/**
 * The reference: a decoder-only or encoder-only transformer in float64 that reads GGUF files. It is written from the
 * papers, independent of the C code.
 *
 * Every stage passes `tap(hook, stage)`, which returns the value for the next stage. A tap may keep the stage, edit
 * it, or replace it with the engine's value. In the last case each stage is computed from the engine's previous
 * stages, so errors do not add up.
 *
 * Products with quantized weights can follow the engine (src/kernels/kernels.h): a block of 32 activations becomes d
 * = max|x| / 127 and q = x / d rounded to nearest. Rounding is discontinuous: the last bit of an activation may
 * select another integer and change the product by d·|w|. With the engine's activations the integers agree, because
 * both roundings to single precision are repeated here. Attention over a cache of 16-bit codes works alike. Each
 * query, key and value has a scale d = max|x| / 8191, and so has each block of 32 weighted positions.
 */
import { gguf } from '@huggingface/gguf';
import { readFile } from 'node:fs/promises';
import { FORMATS, decodeFormat } from '../../tools/convert/formats.js';
import { TYPES, decode } from '../../js/files/gguf/quantize.js';
import { roundToEven } from '../../js/files/half.js';

const BLOCK = 32;

/**
 * @typedef {object} Stage
 * @property {number[]} shape slowest axis first
 * @property {Float64Array | Float32Array} data
 * @typedef {(hook: string, stage: Stage) => Stage} Tap
 *
 * @typedef {import('../../js/files/gguf/quantize.js').TypeName} TypeName
 * @typedef {import('../../tools/convert/formats.js').FormatName} FormatName
 *
 * @typedef {object} Matrix
 * @property {TypeName | FormatName} type
 * @property {number[]} shape
 * @property {Float32Array} data exact values of the stored weights
 *
 * @typedef {object} ReferenceModel
 * @property {string} architecture
 * @property {number} layers @property {number} heads @property {number} kvHeads @property {number} dHead
 * @property {number} eps @property {number} window @property {number} vocabulary
 * @property {'adjacent' | 'halves' | null} rope @property {number} ropeDims leading elements of a head that turn
 * @property {number} ropeBase @property {number} ropeScale divisor of positions
 * @property {Record<string, Matrix>} weights by GGUF's names
 * @property {Variant} [variant]  what differs from GPT-2 and Llama
 *
 * @typedef {object} Variant
 * @property {'rms' | 'layer'} [norm]
 * @property {'silu' | 'gelu_tanh' | 'gelu_erf'} [activation]
 * @property {boolean} [parallel]
 * @property {number} [embeddingScale] @property {number} [residualScale] @property {number} [attentionScale]
 * @property {number} [attentionCap] @property {number} [logitScale] @property {number} [logitCap]
 * @property {number} [alibi]         largest exponent of ALiBi's slopes
 * @property {(layer: number) => boolean} [isGlobal]  layers that see every key; others have the window
 * @property {number} [localBase]     base of RoPE in the other layers, without scale and divisors
 * @property {boolean} [globalRotates]  default true
 * @property {number} [magnitude]     factor of rotated queries and keys
 * @property {ArrayLike<number>} [divisors]  of RoPE's frequencies
 * @property {number} [expertsUsed]    experts of a token, in a mixture
 * @property {boolean} [expertNorm]    whether their weights are divided by their sum
 * @property {boolean} [bidirectional]  queries see all keys; with a window, half of it on either side
 * @property {'gelu_erf' | 'tanh' | 'relu'} [headActivation]  of the layer before the head
 */

/** @param {string} path @returns {Promise<ReferenceModel>} */
export async function readModel(path) {
  const { metadata, tensorInfos, tensorDataOffset } = await gguf(path, { allowLocalFile: true });
  const file = await readFile(path);
  /** @type {Record<string, Matrix>} */
  const weights = {};
  for (const info of tensorInfos) {
    const [type, { elements, bytes }] = /** @type {[any, { elements: number, bytes: number }]} */ (
      Object.entries({ ...TYPES, ...FORMATS }).find(([, { number }]) => number === info.dtype));
    const shape = info.shape.map(Number).reverse();
    const from = Number(tensorDataOffset + info.offset);
    const stored = file.subarray(from, from + shape.reduce((a, b) => a * b) / elements * bytes);
    const data = type in FORMATS ? decodeFormat(type, stored) : decode(stored, type);
    weights[info.name] = { type, shape, data };
  }
  const architecture = String(metadata['general.architecture']);
  const get = (/** @type {string} */ key) => Number(/** @type {any} */ (metadata)[`${architecture}.${key}`] ?? NaN);
  const heads = get('attention.head_count');
  return {
    architecture, weights, heads,
    layers: get('block_count'),
    kvHeads: get('attention.head_count_kv') || heads,
    dHead: get('attention.key_length') || get('embedding_length') / heads,
    eps: get('attention.layer_norm_rms_epsilon') || get('attention.layer_norm_epsilon'),
    window: get('attention.sliding_window') || Infinity,
    vocabulary: weights['token_embd.weight'].shape[0],
    rope: { llama: /** @type {const} */ ('adjacent'), qwen2: /** @type {const} */ ('halves') }[architecture] ?? null,
    ropeDims: get('rope.dimension_count'),
    ropeBase: get('rope.freq_base') || 10000,
    ropeScale: get('rope.scaling.factor') || 1,
  };
}

/**
 * @param {ReferenceModel} model @param {ArrayLike<number>} ids
 * @param {{ tap?: Tap, integers?: boolean, cache?: string }} [options] integers: quantized products as in the engine;
 *   cache 'int16': attention over a cache of codes
 * @returns {Stage} logits [T][V]
 */
export function forward(model, ids, { tap = (_, stage) => stage, integers = false, cache = 'f32' } = {}) {
  const { weights: w, layers, rope, variant = {} } = model;
  const linear = (/** @type {Stage} */ x, /** @type {string} */ name) =>
    withBias(product(x, w[`${name}.weight`], integers), w[`${name}.bias`]);
  const kind = variant.norm ?? (model.architecture === 'gpt2' ? 'layer' : 'rms');
  const normalize = kind === 'layer' ? layerNorm : rmsNorm;
  const activation = { silu, gelu_tanh: geluTanh, gelu_erf: geluErf }[variant.activation ??
    (w['blk.0.ffn_gate.weight'] ? 'silu' : 'gelu_tanh')];
  const scaled = (/** @type {Stage} */ x, /** @type {number} */ factor = 1) => map(x, (v) => v * factor);
  const norm = (/** @type {Stage} */ x, /** @type {string} */ name) => (w[`${name}.weight`]
    ? normalize(x, w[`${name}.weight`].data, w[`${name}.bias`]?.data, model.eps) : x);
  const added = (/** @type {Stage} */ x, /** @type {string} */ name) => scaled(norm(x, name), variant.residualScale);

  const kept = (/** @type {Stage} */ x) => (cache === 'int16' ? { ...x, data: codes(x.data, model.dHead) } : x);

  let x = scaled(rows(w['token_embd.weight'], ids), variant.embeddingScale);
  const isEncoder = variant.bidirectional === true;
  x = tap('hook_embed', isEncoder ? x : norm(x, 'token_embd_norm'));
  if (w['position_embd.weight']) {
    x = add(x, tap('hook_pos_embed', rows(w['position_embd.weight'], Array.from(ids, (_, t) => t))));
  }
  if (w['token_types.weight']) x = add(x, rows(w['token_types.weight'], Array.from(ids, () => 0)));
  if (isEncoder) x = norm(x, 'token_embd_norm');
  for (let layer = 0; layer < layers; layer++) {
    const at = `blk.${layer}.`;
    const here = (/** @type {string} */ hook, /** @type {Stage} */ stage) => tap(`blocks.${layer}.${hook}`, stage);
    x = here('hook_resid_pre', x);
    const pre = (/** @type {string} */ hook, /** @type {Stage} */ from, /** @type {string} */ name) =>
      (w[`${at}${name}.weight`] ? here(hook, norm(from, `${at}${name}`)) : from);
    const n1 = pre('ln1.hook_normalized', x, 'attn_norm');
    const qkv = w[`${at}attn_qkv.weight`] ? partsOf(linear(n1, `${at}attn_qkv`), model)
      : ['q', 'k', 'v'].map((p) => linear(n1, `${at}attn_${p}`));
    let [q, k, v] = ['q', 'k', 'v'].map((p, i) => here(`attn.hook_${p}`, byHead(qkv[i], model.dHead)));
    if (w[`${at}attn_q_norm.weight`]) {
      const normed = (/** @type {Stage} */ heads, /** @type {string} */ name) =>
        ({ ...rmsNorm(heads, w[`${at}${name}.weight`].data, undefined, model.eps), shape: heads.shape });
      q = normed(q, 'attn_q_norm');
      k = normed(k, 'attn_k_norm');
    }
    if (rope) {
      q = here('attn.hook_rot_q', rotate(q, model, layer));
      k = here('attn.hook_rot_k', rotate(k, model, layer));
    }
    const scores = here('attn.hook_attn_scores', attentionScores(kept(q), kept(k), model, layer));
    const pattern = here('attn.hook_pattern', softmax(scores));
    const z = here('attn.hook_z', mix(pattern, v, model, cache));
    const a = here('hook_attn_out', added(linear(z, `${at}attn_output`), `${at}post_attention_norm`));
    const sum = variant.parallel ? add(x, a) : here('hook_resid_mid', add(x, a));
    const mid = pre('ln1.hook_normalized', sum, 'attn_output_norm');
    const own = w[`${at}ffn_norm.weight`] ? 'ffn_norm' : variant.parallel ? 'attn_norm' : 'ffn_norm';
    const n2 = pre('ln2.hook_normalized', variant.parallel ? x : mid, own);
    const network = () => {
      let post;
      if (w[`${at}ffn_gate.weight`]) {
        const gate = here('mlp.hook_pre', linear(n2, `${at}ffn_gate`));
        post = multiply(map(gate, activation), here('mlp.hook_pre_linear', linear(n2, `${at}ffn_up`)));
      } else {
        post = map(here('mlp.hook_pre', linear(n2, `${at}ffn_up`)), activation);
      }
      return linear(here('mlp.hook_post', post), `${at}ffn_down`);
    };
    /** The sum of the experts of each token. */
    const mixture = () => {
      const weights = chosen(here('mlp.hook_expert_weights', softmax(linear(n2, `${at}ffn_gate_inp`))), variant);
      const [T, E] = weights.shape;
      let total = zeros(...n2.shape);
      for (let e = 0; e < E; e++) {
        const of = (/** @type {string} */ part) => `${at}ffn_${part}_exps.${e}`;
        const out = linear(multiply(map(linear(n2, of('gate')), activation), linear(n2, of('up'))), of('down'));
        total = add(total, map(out, (v, i) => v * weights.data[Math.floor(i / (out.data.length / T)) * E + e]));
      }
      if (!w[`${at}ffn_gate_inp_shexp.weight`]) return total;
      const { type, data } = w[`${at}ffn_gate_inp_shexp.weight`];
      const gates = product(n2, { type, shape: [1, data.length], data }, integers).data;
      return add(total, map(network(), (v, i) => v / (1 + Math.exp(-gates[Math.floor(i / data.length)]))));
    };
    const m = here('hook_mlp_out', added(w[`${at}ffn_gate_inp.weight`] ? mixture() : network(),
      `${at}post_ffw_norm`));
    x = pre('ln2.hook_normalized', here('hook_resid_post', add(mid, m)), 'layer_output_norm');
  }
  let n = w['output_norm.weight'] ? tap('ln_final.hook_normalized', norm(x, 'output_norm')) : x;
  if (w['cls.weight']) {
    const f = { gelu_erf: geluErf, tanh: Math.tanh, relu }[variant.headActivation ?? 'gelu_erf'];
    n = norm(map(linear(n, 'cls'), f), 'cls.norm');
  }
  const products = withBias(product(n, w['output.weight'] ?? w['token_embd.weight'], integers), w['output.bias']);
  return tap('logits', capped(scaled(products, variant.logitScale), variant.logitCap));
}

/** The largest weights of each row; the others become 0.
 *  @param {Stage} p [T][E] @param {Variant} of @returns {Stage} */
function chosen({ shape, data }, { expertsUsed = 0, expertNorm = false }) {
  const out = zeros(...shape);
  for (let from = 0; from < data.length; from += shape[1]) {
    const row = Array.from(data.subarray(from, from + shape[1]));
    const best = [...row.keys()].sort((a, b) => row[b] - row[a] || a - b).slice(0, expertsUsed);
    const total = expertNorm ? sum(best.map((e) => row[e])) : 1;
    for (const e of best) out.data[from + e] = row[e] / total;
  }
  return out;
}

/** @param {number[]} shape @returns {Stage & { data: Float64Array }} */
function zeros(...shape) {
  return { shape, data: new Float64Array(shape.reduce((a, b) => a * b, 1)) };
}

/** @param {Matrix} table @param {ArrayLike<number>} ids @returns {Stage} */
function rows({ data, shape: [, D] }, ids) {
  const out = zeros(ids.length, D);
  for (let t = 0; t < ids.length; t++) out.data.set(data.subarray(ids[t] * D, (ids[t] + 1) * D), t * D);
  return out;
}

/** y[t][o] = Σ_i x[t][i]·w[o][i]. @param {Stage} x @param {Matrix} w @param {boolean} integers @returns {Stage} */
function product(x, w, integers) {
  const [O, I] = w.shape;
  const T = x.shape[0];
  const quantized = integers && !['f32', 'f16', 'bf16'].includes(w.type);
  const values = quantized ? quantize(x.data) : x.data;
  const y = zeros(T, O);
  for (let t = 0; t < T; t++) {
    for (let o = 0; o < O; o++) {
      let sum = 0;
      for (let i = 0; i < I; i++) sum += values[t * I + i] * w.data[o * I + i];
      y.data[t * O + o] = sum;
    }
  }
  return y;
}

/** The values of x after quantization to blocks of integers with one scale. @param {ArrayLike<number>} x */
function quantize(x) {
  const values = new Float64Array(x.length);
  for (let from = 0; from < x.length; from += BLOCK) {
    let largest = 0;
    for (let i = from; i < from + BLOCK; i++) largest = Math.max(largest, Math.abs(x[i]));
    const d = Math.fround(largest / 127);
    if (d === 0) continue;
    for (let i = from; i < from + BLOCK; i++) values[i] = d * roundToEven(Math.fround(x[i] / d));
  }
  return values;
}

/** The values of vectors of n numbers after quantization to codes of a compact cache. The last vector may be shorter.
 *  @param {ArrayLike<number>} x @param {number} n */
function codes(x, n) {
  const values = new Float64Array(x.length);
  for (let from = 0; from < x.length; from += n) {
    const to = Math.min(from + n, x.length);
    const d = scaleOf(Array.prototype.slice.call(x, from, to));
    if (d < 2 ** -126) continue;
    for (let i = from; i < to; i++) values[i] = d * roundToEven(Math.fround(x[i] * Math.fround(1 / d)));
  }
  return values;
}

/** @param {Stage} x @param {Matrix | undefined} bias @returns {Stage} */
function withBias(x, bias) {
  return bias ? map(x, (v, i) => v + bias.data[i % bias.data.length]) : x;
}

/** @param {Stage} x @param {(v: number, i: number) => number} f @returns {Stage} */
function map(x, f) {
  return { shape: x.shape, data: Float64Array.from(x.data, f) };
}

/** @param {Stage} a @param {Stage} b */
const add = (a, b) => map(a, (v, i) => v + b.data[i]);
/** @param {Stage} a @param {Stage} b */
const multiply = (a, b) => map(a, (v, i) => v * b.data[i]);
/** @param {number} x */
const silu = (x) => x / (1 + Math.exp(-x));
/** @param {number} x */
const relu = (x) => Math.max(0, x);
/** @param {number} x */
const geluTanh = (x) => x / 2 * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));

/** @param {number} x */
const geluErf = (x) => x / 2 * (1 + erf(x / Math.SQRT2));
/** The error function by its series, whose terms fall for the small arguments of the tests. @param {number} x */
function erf(x) {
  if (Math.abs(x) > 5) return Math.sign(x);
  let sum = 0;
  let term = x;
  for (let n = 0; n < 120; n++) {
    sum += term / (2 * n + 1);
    term *= -x * x / (n + 1);
  }
  return 2 / Math.sqrt(Math.PI) * sum;
}
/** Soft cap (Gemma 2). @param {Stage} x @param {number} [cap] */
const capped = (x, cap) => (cap ? map(x, (v) => (v === -Infinity ? v : cap * Math.tanh(v / cap))) : x);

/** @param {Stage} x [T][heads·Dh] @param {number} dHead @returns {Stage} [T][heads][Dh] */
function byHead(x, dHead) {
  return { shape: [x.shape[0], x.shape[1] / dHead, dHead], data: x.data };
}

/** One product gives q, k and v side by side.
 *  @param {Stage} x [T][(H + 2·Hk)·Dh] @param {ReferenceModel} model @returns {Stage[]} three */
function partsOf({ data, shape: [T, width] }, { heads, kvHeads, dHead }) {
  const widths = [heads, kvHeads, kvHeads].map((n) => n * dHead);
  return widths.map((D, p) => {
    const first = p === 0 ? 0 : widths[0] + (p - 1) * D;
    return map(zeros(T, D), (_, i) => data[Math.floor(i / D) * width + first + i % D]);
  });
}

/** @param {Stage} x @param {Float32Array} w @param {Float32Array | undefined} b @param {number} eps */
function layerNorm(x, w, b, eps) {
  const n = w.length;
  return map(x, (v, i) => {
    const row = x.data.subarray(i - i % n, i - i % n + n);
    const mean = sum(row) / n;
    const variance = sum(row.map((u) => (u - mean) ** 2)) / n;
    return (v - mean) / Math.sqrt(variance + eps) * w[i % n] + (b ? b[i % n] : 0);
  });
}

/** @param {Stage} x @param {Float32Array} w @param {Float32Array | undefined} _ @param {number} eps */
function rmsNorm(x, w, _, eps) {
  const n = w.length;
  return map(x, (v, i) => {
    const squares = Float64Array.from(x.data.subarray(i - i % n, i - i % n + n), (u) => u * u);
    return v / Math.sqrt(sum(squares) / n + eps) * w[i % n];
  });
}

/** @param {ArrayLike<number>} x */
function sum(x) {
  let s = 0;
  for (let i = 0; i < x.length; i++) s += x[i];
  return s;
}

/** RoPE (Su et al. 2021) of every head.
 *  @param {Stage} x [T][heads][Dh] @param {ReferenceModel} model @param {number} layer @returns {Stage} */
function rotate(x, { dHead, rope, ropeDims, ropeBase: base, ropeScale: scale, weights, variant = {} }, layer) {
  const isGlobal = variant.isGlobal?.(layer) ?? false;
  if (isGlobal && variant.globalRotates === false) return x;
  const isLocal = variant.localBase !== undefined && !isGlobal;
  const [ropeBase, ropeScale] = isLocal ? [variant.localBase ?? 0, 1] : [base, scale];
  const divisors = isLocal ? undefined : variant.divisors ?? weights['rope_freqs.weight']?.data;
  const magnitude = variant.magnitude ?? 1;
  const out = map(x, (v) => v);
  const [T, heads] = x.shape;
  for (let t = 0; t < T; t++) {
    for (let head = 0; head < heads; head++) {
      for (let i = 0; i < ropeDims / 2; i++) {
        const angle = t / ropeScale * ropeBase ** (-2 * i / ropeDims) / (divisors ? divisors[i] : 1);
        const [a, b] = rope === 'adjacent' ? [2 * i, 2 * i + 1] : [i, i + ropeDims / 2];
        const at = (t * heads + head) * dHead;
        out.data[at + a] = magnitude * (x.data[at + a] * Math.cos(angle) - x.data[at + b] * Math.sin(angle));
        out.data[at + b] = magnitude * (x.data[at + a] * Math.sin(angle) + x.data[at + b] * Math.cos(angle));
      }
    }
  }
  return out;
}

/** q·k / √Dh; -Infinity for keys outside the window of the query, and in a decoder for keys after it.
 *  @param {Stage} q [T][H][Dh] @param {Stage} k [T][Hk][Dh] @param {ReferenceModel} model
 *  @param {number} layer @returns {Stage} [H][T][T] */
function attentionScores(q, k, { heads, kvHeads, dHead, window: keys, variant = {} }, layer) {
  const T = q.shape[0];
  const window = variant.isGlobal?.(layer) ? Infinity : keys;
  const scale = variant.attentionScale ?? 1 / Math.sqrt(dHead);
  const most = variant.attentionCap;
  const cap = (/** @type {number} */ v) => (most ? most * Math.tanh(v / most) : v);
  const out = zeros(heads, T, T);
  out.data.fill(-Infinity);
  for (let h = 0; h < heads; h++) {
    const kvHead = Math.floor(h / (heads / kvHeads));
    for (let t = 0; t < T; t++) {
      const [first, last] = variant.bidirectional ? [t - Math.floor(window / 2), t + Math.floor(window / 2)]
        : [t - window + 1, t];
      for (let j = Math.max(0, first); j <= Math.min(last, T - 1); j++) {
        const query = (t * heads + h) * dHead;
        const key = (j * kvHeads + kvHead) * dHead;
        let dot = 0;
        for (let d = 0; d < dHead; d++) dot += q.data[query + d] * k.data[key + d];
        // 2^(-8·(h + 1) / H) of a power of two of heads (Press et al. 2022)
        const slope = variant.alibi ? 2 ** (-variant.alibi * (h + 1) / heads) : 0;
        out.data[(h * T + t) * T + j] = cap(dot * scale) - slope * Math.abs(t - j);
      }
    }
  }
  return out;
}

/** @param {Stage} scores such as [H][T][T] @returns {Stage} each row sums to 1 */
function softmax(scores) {
  const n = scores.shape[scores.shape.length - 1];
  const out = map(scores, (v) => v);
  for (let from = 0; from < out.data.length; from += n) {
    const row = out.data.subarray(from, from + n);
    const largest = Math.max(...row);
    const total = sum(row.map((v) => Math.exp(v - largest)));
    for (let i = 0; i < n; i++) row[i] = Math.exp(row[i] - largest) / total;
  }
  return out;
}

/** z[t] = Σ_j pattern[t][j]·v[j].
 *  @param {Stage} pattern [H][T][T] @param {Stage} v [T][Hk][Dh] @param {ReferenceModel} model @param {string} cache
 *  @returns {Stage} [T][H][Dh] */
function mix(pattern, v, { heads, kvHeads, dHead, variant = {} }, cache) {
  const T = v.shape[0];
  const out = zeros(T, heads, dHead);
  const compact = cache === 'int16';
  const values = compact ? codes(v.data, dHead) : v.data;
  for (let h = 0; h < heads; h++) {
    const kvHead = Math.floor(h / (heads / kvHeads));
    const at = (/** @type {number} */ j) => (j * kvHeads + kvHead) * dHead;
    const scales = Float64Array.from({ length: T }, (_, j) => scaleOf(v.data.subarray(at(j), at(j) + dHead)));
    for (let t = 0; t < T; t++) {
      const end = variant.bidirectional ? T : t + 1;
      const row = pattern.data.subarray((h * T + t) * T, (h * T + t) * T + end);
      const shares = compact ? sharesOf(row, scales) : row;
      for (let j = 0; j < end; j++) {
        for (let d = 0; d < dHead; d++) out.data[(t * heads + h) * dHead + d] += shares[j] * values[at(j) + d];
      }
    }
  }
  return out;
}

/** Scale of the codes of a vector. @param {ArrayLike<number>} x */
function scaleOf(x) {
  let largest = 0;
  for (let i = 0; i < x.length; i++) largest = Math.max(largest, Math.abs(x[i]));
  return Math.fround(largest / 8191);
}

/** A pattern in codes. The product of the pattern and the scales of the values is rounded.
 *  @param {ArrayLike<number>} row @param {Float64Array} scales */
function sharesOf(row, scales) {
  const shares = codes(Float64Array.from(row, (p, j) => Math.fround(p * scales[j])), BLOCK);
  return shares.map((share, j) => (scales[j] === 0 ? 0 : share / scales[j]));
}
