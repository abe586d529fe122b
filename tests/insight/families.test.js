/** In every family of decoders, the parts of a logit equal the float64 reference's, and sum to the logit. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { at, circuits, directLogitAttribution, headScores, logitLens, RESIDUAL_QUANTITIES, residualNorms, rollout,
  SCORES, valueNorms } from '../../js/insight/index.js';
import { load } from '../../js/index.js';
import { rejects } from '../support/expect.js';
import { tinyEncoderDecoder } from '../support/encoder-decoders.js';
import { ENCODERS } from '../support/encoders.js';
import { FAMILIES, ggufOf, huggingFaceOf, IDS, referenceOf } from '../support/families.js';
import { near } from '../support/insight.js';
import { forward } from '../support/reference.js';

/** @typedef {import('../support/families.js').Row} Row */
/** @typedef {Float64Array | Float32Array} Vector */

const KINDS = /** @type {const} */ (['layer', 'head', 'neuron', 'source']);
const A = 11;
const B = 24;
const TARGETS = [{ logit: A }, { logitDifference: /** @type {[number, number]} */ ([A, B]) }];
const sum = (/** @type {ArrayLike<number>} */ x) => Array.from(x).reduce((total, value) => total + value, 0);
const add = (/** @type {number[]} */ a, /** @type {ArrayLike<number>} */ b) => a.map((x, i) => x + b[i]);
const rms = (/** @type {number[]} */ x, /** @type {number} */ eps) =>
  Math.sqrt(sum(x.map((v) => v * v)) / x.length + eps);
const centered = (/** @type {ArrayLike<number>} */ x) => Array.from(x, (v) => v - sum(x) / x.length);

/** @param {Row} row */
async function open(row) {
  const model = await load(row.gguf === false ? huggingFaceOf(row) : await ggufOf(row), { cache: 'f32' });
  after(() => model.dispose());
  return model;
}

/**
 * The vectors that the components write to the residual stream, by the reference, and the logits of such a vector.
 * @param {Row} row @param {number} position
 */
function referencePartsOf(row, position) {
  const model = referenceOf(row);
  const { weights: w, heads, kvHeads, dHead, eps, layers, variant = {} } = model;
  /** @type {Record<string, import('../support/reference.js').Stage>} */
  const stages = {};
  forward(model, IDS, { tap: (hook, stage) => (stages[hook] = stage) });
  const at = (/** @type {string} */ hook, /** @type {number} */ i = position) => {
    const { data, shape } = stages[hook];
    return Array.from(data.subarray(i * data.length / shape[0], (i + 1) * data.length / shape[0]));
  };
  const layerNorm = variant.norm === 'layer';
  const last = at(`blocks.${layers - 1}.hook_resid_post`);
  const size = rms(layerNorm ? centered(last) : last, eps);
  const U = w['output.weight'] ?? w['token_embd.weight'];
  const D = U.shape[1];
  const ofId = (/** @type {number[]} */ x, /** @type {number} */ id) =>
    (variant.logitScale ?? 1) * sum(x.map((v, d) => v * U.data[id * D + d]));
  /** Through the final norm, whose scale is frozen. @param {ArrayLike<number>} x @param {number} id */
  const logitOf = (x, id) => ofId((layerNorm ? centered(x) : Array.from(x))
    .map((v, d) => v / size * w['output_norm.weight'].data[d]), id);

  /** The output of a product for one of its inputs, through the norm of all outputs, whose scale is frozen.
   *  @param {number} layer @param {string} slot @param {string} norm @param {ArrayLike<number>} whole */
  const written = (layer, slot, norm, whole) => {
    const { shape: [outputs, inputs], data } = w[`blk.${layer}.${slot}.weight`];
    const times = (/** @type {ArrayLike<number>} */ x) => Array.from({ length: outputs }, (_, o) =>
      sum(Array.from(x, (v, i) => v * data[o * inputs + i])));
    const gain = w[`blk.${layer}.${norm}.weight`]?.data;
    const scale = gain ? rms(times(whole), eps) : 1;
    return (/** @type {ArrayLike<number>} */ x) =>
      times(x).map((v, d) => v / scale * (gain ? gain[d] : 1) * (variant.residualScale ?? 1));
  };
  const only = (/** @type {number[]} */ x, /** @type {number} */ from, /** @type {number} */ to) =>
    x.map((v, i) => (i >= from && i < to ? v : 0));
  const perLayer = (/** @type {(layer: number) => number[][]} */ f) =>
    Array.from({ length: layers }, (_, layer) => f(layer)).flat();
  const attention = (/** @type {number} */ l) =>
    written(l, 'attn_output', 'post_attention_norm', at(`blocks.${l}.attn.hook_z`));
  const bias = w['output_norm.bias'];
  /** @type {Record<typeof KINDS[number], () => number[][]>} */
  const vectors = {
    layer: () => [at('hook_embed'), ...(stages.hook_pos_embed ? [at('hook_pos_embed')] : []),
      ...perLayer((l) => [at(`blocks.${l}.hook_attn_out`), at(`blocks.${l}.hook_mlp_out`)])],
    head: () => perLayer((l) => Array.from({ length: heads }, (_, h) =>
      attention(l)(only(at(`blocks.${l}.attn.hook_z`), h * dHead, (h + 1) * dHead)))),
    neuron: () => perLayer((l) => {
      const post = at(`blocks.${l}.mlp.hook_post`);
      const write = written(l, 'ffn_down', 'post_ffw_norm', post);
      return post.map((_, i) => write(only(post, i, i + 1)));
    }),
    source: () => perLayer((l) => Array.from({ length: heads }, (_, h) => IDS.map((__, key) => {
      const pattern = at(`blocks.${l}.attn.hook_pattern`, h)[position * IDS.length + key];
      const v = at(`blocks.${l}.attn.hook_v`, key);
      const from = Math.floor(h / (heads / kvHeads)) * dHead;
      return attention(l)(Array.from({ length: heads * dHead }, (___, i) =>
        (Math.floor(i / dHead) === h ? pattern * v[from + i % dHead] : 0)));
    })).flat()),
  };
  return (/** @type {typeof KINDS[number]} */ by, /** @type {typeof TARGETS[number]} */ of) => {
    const parts = (/** @type {number} */ id) => [...vectors[by]().map((x) => logitOf(x, id)),
      ...(by === 'layer' && bias ? [ofId(Array.from(bias.data), id)] : []),
      ...(by === 'layer' && w['output.bias'] ? [(variant.logitScale ?? 1) * w['output.bias'].data[id]] : [])];
    return 'logit' in of ? parts(A) : add(parts(A), parts(B).map((x) => -x));
  };
}

for (const row of FAMILIES) {
  const isMixture = 'ffn_gate_inp.weight' in row.block;
  describe(row.name, async () => {
    const model = await open(row);
    const { softcaps: { logits: cap }, layers, experts } = model.info;

    for (const by of KINDS) {
      test(`by ${by}: the reference's parts, which sum to the logit`, async () => {
        if (by === 'neuron' && isMixture) {
          assert.ok(experts > 0);
          await rejects(directLogitAttribution(model, IDS, { by }), 'bad-argument', /each token has its own experts/);
          return;
        }
        for (const position of [4, IDS.length - 1]) {
          const expectedOf = referencePartsOf(row, position);
          for (const of of TARGETS) {
            const { data, value, rest, softcap, axes } = await directLogitAttribution(model, IDS, { of, by, position });
            near(data, expectedOf(by, of), 1e-5, by);
            assert.equal(softcap, cap);
            const logits = await model.runWithHooks(IDS.slice(0, position + 1), []);
            const capped = cap && 'logit' in of ? cap * Math.tanh(value / cap) : value;
            const expected = 'logit' in of ? logits[A] : logits[A] - logits[B];
            if (!cap || 'logit' in of) near([capped], [expected], 1e-5, 'value');
            assert.ok(Math.abs(value - sum(data) - rest) < 1e-6 * Math.max(1, Math.abs(value)));
            if (by === 'layer') {
              assert.ok(Math.abs(rest) < 1e-5 * Math.max(...data.map(Math.abs)), `rest ${rest} of ${value}`);
              assert.equal(axes.component.filter((name) => /_(attn|mlp)_out$/.test(String(name))).length, 2 * layers);
            }
          }
        }
      });
    }
  });
}

test('value is before the soft cap of Gemma 2, and the largest logit stays the default', async () => {
  const model = await open(FAMILIES.find(({ name }) => name === 'gemma2') ?? assert.fail());
  const { of, value, softcap } = await directLogitAttribution(model, IDS);
  const logits = await model.runWithHooks(IDS, []);
  assert.deepEqual(of, { logit: logits.indexOf(Math.max(...logits)) });
  assert.equal(softcap, 3);
  assert.ok(value > 1.01 * logits[/** @type {any} */ (of).logit], `${value}`);
});

test('encoders and encoder–decoders are refused with a sentence', async () => {
  for (const row of ENCODERS) {
    const model = await load(row.names['attn_output'] ? huggingFaceOf(row) : await ggufOf(row));
    await rejects(directLogitAttribution(model, IDS), 'unsupported', /This model is an encoder, whose norms/);
    model.dispose();
  }
  const model = await load(tinyEncoderDecoder('t5'));
  await rejects(directLogitAttribution(model, [1, 2]), 'unsupported', /an encoder–decoder, whose decoder also reads/);
  model.dispose();
});

test('circuits: qk of a token with itself is the score of a text of it, with norms of queries and scales', async () => {
  // Families without biases of norms and products, and without YaRN's scale, which is part of the rotation.
  const plain = ['qwen3', 'gemma', 'gemma2', 'gemma3', 'phi3', 'olmo2', 'smollm3', 'granite', 'mpt', 'qwen3moe',
    'olmoe', 'mixtral', 'ernie4_5', 'exaone4'];
  for (const name of plain) {
    const model = await open(FAMILIES.find((row) => row.name === name) ?? assert.fail(name));
    const { heads, softcaps } = model.info;
    for (let head = 0; head < heads; head++) {
      const { data: [qk] } = await circuits(model, { layer: 0, head }, { vocabulary: [17] });
      model.rewind(0);
      await model.forward([17]);
      const { data: [score] } = await model.attention({ layer: 0, head, kind: 'scores' });
      const cap = softcaps.attention;
      const expected = cap ? cap * Math.tanh(qk / cap) : qk;
      const isNear = Math.abs(expected - score) < 0.01 * Math.abs(score) + 1e-3;
      assert.ok(isNear, `${name} ${head}: ${expected}, not ${score}`);
    }
  }
});

test('circuits: ov has the scales of outputs and logits, and the weight of a norm after attention', async () => {
  for (const name of ['granite', 'gemma2', 'olmo2']) {
    const model = await open(FAMILIES.find((row) => row.name === name) ?? assert.fail(name));
    const { dModel, dHead, scales } = model.info;
    const weight = async (/** @type {string} */ of) => (await model.weight(`${of}.weight`))?.data;
    const [E, first, after, final, V, O] = await Promise.all(['token_embd', 'blk.0.attn_norm',
      'blk.0.post_attention_norm', 'output_norm', 'blk.0.attn_v', 'blk.0.attn_output'].map(weight));
    const U = await weight('output') ?? E;
    assert.ok(E && final && V && O && U);
    const read = 17;
    const written = 5;
    const row = E.subarray(read * dModel, (read + 1) * dModel);
    const size = Math.sqrt(sum(row.map((x) => x * x)) / dModel);
    const values = Array.from({ length: dHead }, (_, i) => // head 0 reads head 0 of the values
      sum(row.map((x, d) => V[i * dModel + d] * x / size * (first ? first[d] : 1))));
    const output = Array.from({ length: dModel }, (_, d) =>
      sum(values.map((x, i) => O[d * (O.length / dModel) + i] * x)) * (after ? after[d] : 1));
    const expected = scales.residual * scales.logits
      * sum(output.map((x, d) => x * final[d] * U[written * dModel + d]));
    const { data, pairs } = await circuits(model, { layer: 0, head: 0 }, { vocabulary: [read, written], top: 4 });
    const at = [4, 5, 6, 7].find((i) => pairs[2 * i] === read && pairs[2 * i + 1] === written) ?? assert.fail();
    near([data[at]], [expected], 1e-4, name);
  }
});

test('residualNorms of parallel blocks: both cosines are with the stream before the block', async () => {
  const model = await open(FAMILIES.find(({ name }) => name === 'gptneox') ?? assert.fail());
  const { layers, dModel } = model.info;
  const { data } = await residualNorms(model, IDS);
  const { cache } = await model.runWithCache(IDS);
  const T = IDS.length;
  for (let layer = 0; layer < layers; layer++) {
    for (let position = 0; position < T; position++) {
      const at = (/** @type {string} */ hook) =>
        Array.from(cache[`blocks.${layer}.hook_${hook}`].data.subarray(position * dModel, (position + 1) * dModel));
      const [pre, attention, mlp, post] = ['resid_pre', 'attn_out', 'mlp_out', 'resid_post'].map(at);
      const dot = (/** @type {number[]} */ a, /** @type {number[]} */ b) => sum(a.map((x, i) => x * b[i]));
      const norm = (/** @type {number[]} */ x) => Math.sqrt(dot(x, x));
      const cosine = (/** @type {number[]} */ x) => dot(x, pre) / norm(x) / norm(pre);
      near(RESIDUAL_QUANTITIES.map((_, i) => data[(i * (layers + 1) + layer + 1) * T + position]),
        [norm(post), norm(attention), cosine(attention), norm(mlp), cosine(mlp)], 1e-5, `layer ${layer}`);
    }
  }
});

describe('encoders', () => {
  for (const row of ENCODERS.filter(({ name }) => ['bert', 'modern-bert'].includes(name))) {
    test(`${row.name}: rollout is the product of whole patterns, and scores count keys on both sides`, async () => {
      const model = await load(row.names['attn_output'] ? huggingFaceOf(row) : await ggufOf(row));
      after(() => model.dispose());
      const { layers, heads } = model.info;
      const T = IDS.length;
      const { cache } = await model.runWithCache(IDS);
      const patternOf = (/** @type {number} */ layer) => cache[`blocks.${layer}.attn.hook_pattern`].data;
      let shares = Array.from({ length: T }, (_, i) => Array.from({ length: T }, (_, j) => Number(i === j)));
      const rolled = await rollout(model, IDS, { residual: 0.25 });
      for (let layer = 0; layer < layers; layer++) {
        const mixed = Array.from({ length: T }, (_, i) => Array.from({ length: T }, (_, j) => 0.25 * Number(i === j)
          + 0.75 * sum(Array.from({ length: heads }, (_, head) => patternOf(layer)[(head * T + i) * T + j])) / heads));
        shares = mixed.map((weights) => weights.map((_, j) => sum(weights.map((weight, k) => weight * shares[k][j]))));
        near(rolled.data.subarray(layer * T * T, (layer + 1) * T * T), shares.flat(), 1e-5, `layer ${layer}`);
      }

      const scores = await headScores(model, IDS);
      const of = (/** @type {typeof SCORES[number]} */ name) => SCORES.indexOf(name);
      for (let at = 0; at < layers * heads; at++) {
        const pattern = patternOf(Math.floor(at / heads)).subarray(at % heads * T * T, (at % heads + 1) * T * T);
        let entropy = 0;
        let distance = 0;
        for (let i = T; i < T * T; i++) {
          if (pattern[i] > 0) entropy -= pattern[i] * Math.log(pattern[i]) / (T - 1);
          distance += pattern[i] * Math.abs(Math.floor(i / T) - i % T) / (T - 1);
        }
        near([scores.data[of('entropy') * layers * heads + at], scores.data[of('distance') * layers * heads + at]],
          [entropy, distance], 1e-4, `head ${at}`);
      }
      const distances = Array.from({ length: T - 1 }, (_, q) => sum(Array.from({ length: T }, (_, k) =>
        Math.abs(q + 1 - k))) / T);
      near([scores.uniform[of('first')], scores.uniform[of('entropy')], scores.uniform[of('distance')]],
        [1 / T, Math.log(T), sum(distances) / (T - 1)], 1e-5, 'uniform');
    });
  }

  for (const row of ENCODERS.filter(({ name }) => name.endsWith('-words'))) {
    test(`${row.name}: the lens ends with the predictions of the model, and the cosine of the MLP is that with the ` +
      'stream to which it is added', async () => {
      const model = await load(huggingFaceOf(row), { cache: 'f32' });
      after(() => model.dispose());
      const { layers, vocabulary, dModel, sumNorms } = model.info;
      const { logits, cache } = await model.runWithCache(IDS, undefined, { all: true });
      const { data, candidates } = await logitLens(model, IDS, { layers: [layers - 1], top: vocabulary });
      for (let position = 0; position < IDS.length; position++) {
        const from = position * vocabulary;
        const own = logits.subarray(from, from + vocabulary);
        const total = Math.log(sum(own.map(Math.exp)));
        const lens = candidates.subarray(from, from + vocabulary);
        near(data.subarray(from, from + vocabulary), Array.from(lens, (id) => own[id] - total), 1e-4, `${position}`);
      }
      const sizes = await residualNorms(model, IDS);
      const rowAt = (/** @type {string} */ hook) => Array.from(cache[`blocks.0.${hook}`].data.subarray(0, dModel));
      const x = rowAt(sumNorms ? 'ln1.hook_normalized' : 'hook_resid_mid');
      const y = rowAt('hook_mlp_out');
      const dot = (/** @type {number[]} */ a, /** @type {number[]} */ b) => sum(a.map((v, i) => v * b[i]));
      near(at(sizes, { quantity: 'mlpCosine', layer: 0, position: 0 }),
        [dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y))], 1e-4, 'cosine');
    });
  }

  test('analyses of one stack refuse encoder–decoders with a sentence, and circuits refuse encoders too', async () => {
    const model = await load(tinyEncoderDecoder('t5'));
    after(() => model.dispose());
    const analyses = /** @type {any} */ ({ logitLens, headScores, valueNorms, residualNorms, rollout });
    for (const [name, analyze] of Object.entries(analyses)) {
      await rejects(analyze(model, [1, 2]), 'unsupported', new RegExp(`^${name} reads one stack of blocks`));
    }
    await rejects(circuits(model, { layer: 0, head: 0 }), 'unsupported', /circuits is defined for decoders/);
    const encoder = await load(huggingFaceOf(ENCODERS[0]));
    after(() => encoder.dispose());
    await rejects(circuits(encoder, { layer: 0, head: 0 }), 'unsupported', /an encoder, whose norms.*model\.weight/);
  });
});
