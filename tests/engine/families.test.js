/**
 * Every family of decoders computes what llama.cpp and the float64 reference compute, from GGUF and from Hugging Face's
 * files: activations, maps, gradients.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, test } from 'node:test';
import { countWeights, load } from '../../js/index.js';
import { DECODERS } from '../../js/files/families/index.js';
import { qwen2 } from '../../js/files/families/llama-like.js';
import { assertClose, assertSame, scaleOf } from '../support/compare.js';
import { ENCODERS } from '../support/encoders.js';
import { ENGINES, on } from '../support/engines.js';
import { array, bool, uint32 } from '../../js/files/gguf/writer.js';
import { rejects } from '../support/expect.js';
import { FAMILIES, IDS, ggufOf, huggingFaceOf, referenceOf, weightsOf } from '../support/families.js';
import { floats, randomFrom } from '../support/numbers.js';
import { forward } from '../support/reference.js';

/** @typedef {import('../../js/index.js').LoadOptions} LoadOptions */
/** @typedef {import('../support/families.js').Row} Row */

/** Share of the largest number. Measured: 0.7e-6. */
const TOLERANCE = 1e-5;
/** llama.cpp takes GELU from a table in half precision. Measured: 3.6e-4. */
const GELU_TOLERANCE = 1e-3;
/** A code of a compact cache is within 2^-14 of its vector's largest. Measured: 3.5e-4. */
const COMPACT_TOLERANCE = 1e-3;

/** @type {Record<string, number[]>} */
const goldens = JSON.parse(await readFile(new URL('../goldens/families.json', import.meta.url), 'utf8'));
const T = IDS.length;

/** @param {Row} row @param {LoadOptions} [options] */
async function open(row, options) {
  const model = await load(row.gguf === false ? huggingFaceOf(row) : await ggufOf(row), options);
  after(() => model.dispose());
  return model;
}

/** All stages of the reference, edited by `tap`. @param {Row} row
 *  @param {import('../support/reference.js').Tap} [tap] @param {string} [cache] */
function stagesOf(row, tap = (_, stage) => stage, cache) {
  /** @type {Record<string, import('../support/reference.js').Stage>} */
  const stages = {};
  forward(referenceOf(row), IDS, { cache, tap: (hook, stage) => (stages[hook] = tap(hook, stage)) });
  return stages;
}

test('the table has every family', () => {
  const named = new Set([...FAMILIES, ...ENCODERS].map(({ name, architecture = name }) => architecture));
  assert.deepEqual(DECODERS.map(({ name }) => name).filter((name) => !named.has(name)), ['gpt2', 'bart',
    'marian', 't5', 'vit', 'deit', 'clip-vision', 'clip-text'],
  'gpt2 has its own goldens, and tests/model tests the others');
});

for (const row of FAMILIES) {
  describe(row.name, () => {
    const usesGelu = !(row.means.variant?.activation ?? ('ffn_gate.weight' in row.block || row.name === 'phi3' ||
      row.name === 'longrope' ? 'silu' : 'gelu')).startsWith('silu');

    for (const engine of ENGINES) {
      test(`${engine}: every activation equals the reference's; maps, in pieces`, on(engine), async () => {
        const model = await open(row, { engine });
        const { logits: expected, ...stages } = stagesOf(row);
        assert.deepEqual(Object.keys(stages).sort(), [...model.hooks].sort());
        const { logits, cache } = await model.runWithCache(IDS, model.hooks, { all: true });
        for (const [hook, { shape, data }] of Object.entries(stages)) {
          assert.deepEqual(cache[hook].shape, shape, hook);
          assertClose(cache[hook].data, data, TOLERANCE * scaleOf(data), hook);
        }
        assertClose(logits, expected.data, TOLERANCE * scaleOf(expected.data), 'logits');
        await checkMaps(model, cache);
        await checkPieces(model, logits);
      });
    }

    test('with a cache of codes', async () => {
      const model = await open(row, { cache: 'int16' });
      const { logits: { data } } = stagesOf(row, undefined, 'int16');
      const { logits, cache } = await model.runWithCache(IDS, model.hooks, { all: true });
      assertClose(logits, data, COMPACT_TOLERANCE * scaleOf(data), 'logits');
      await checkMaps(model, cache);
      await checkPieces(model, logits);
    });

    test('Hugging Face’s files give the same logits', async () => {
      const model = await load(huggingFaceOf(row));
      after(() => model.dispose());
      const { logits: { data } } = stagesOf(row);
      const logits = await model.forward(IDS, { all: true });
      assertClose(logits, data, TOLERANCE * scaleOf(data), 'logits');
      assert.equal(countWeights(model.info).total, model.info.parameters);
    });

    if (row.gguf !== false) {
      test('llama.cpp computes the same logits', async () => {
        const logits = await (await open(row)).forward(IDS);
        const expected = goldens[row.name];
        assertClose(logits, expected, (usesGelu ? GELU_TOLERANCE : TOLERANCE) * scaleOf(expected), 'logits');
      });

      test('a GGUF file without one of its tensors, or with a strange one, is refused', async () => {
        for (const name of Object.keys(weightsOf(row))) {
          if (/^output\.weight$|rope_factors/.test(name)) continue;
          const file = await ggufOf(row, {}, (all) => all.filter((tensor) => tensor.name !== name));
          await rejects(load(file), 'bad-tensor', /lacks the tensor|no ‘token_embd|has the tensor/);
        }
        await rejects(ggufOf(row, {}, (all) => [...all, { ...all[0], name: 'blk.0.attn_sinks.weight' }])
          .then((file) => load(file)), 'bad-tensor', /has the tensor ‘blk\.0\.attn_sinks\.weight’/);
      });
    }

    if (row.means.window) {
      test('edits of scores and patterns leave keys outside of the window hidden', async () => {
        const model = await open(row);
        const isHidden = (/** @type {Float32Array} */ map) => map.map((p) => Number(p === 0));
        const { cache } = await model.runWithCache(IDS, /hook_pattern$/);
        const local = Object.keys(cache).find((hook) => cache[hook].data[(T - 1) * T] === 0) ?? '';
        const plain = isHidden(cache[local].data);
        const scores = local.replace('pattern', 'attn_scores');
        for (const [hook, scale, add] of /** @type {[string, number, number][]} */ ([
          [scores, -1, 0], [scores, 0, 0], [local, 1, 0.125],
        ])) {
          const edits = [{ hook, scale, values: new Float32Array(T).fill(add) }];
          const { logits, cache: edited } = await model.runWithCache(IDS, [local], { edits });
          assert.deepEqual(isHidden(edited[local].data), plain, `${hook} · ${scale}`);
          const { logits: { data } } = stagesOf(row, (name, stage) => (name !== hook ? stage
            : { shape: stage.shape, data: Float64Array.from(stage.data, (x, i) => (plain[i] ? x : scale * x + add)) }));
          const expected = data.slice(-logits.length);
          assertClose(logits, expected, TOLERANCE * scaleOf(expected), `${hook} · ${scale}`);
        }
      });
    }

    if (row.means.variant?.expertsUsed) {
      test('the experts of a mixture: sweeps, edits, weights and settings', () => checkMixture(row));
    }

    test('gradients equal differences of the reference', async () => {
      const model = await open(row);
      const { gradients } = await model.gradients(IDS, { of: { logitDifference: [7, 3] } });
      const value = (/** @type {Record<string, { data: ArrayLike<number> }>} */ { logits: { data } }) =>
        data[data.length - model.info.vocabulary + 7] - data[data.length - model.info.vocabulary + 3];
      const next = randomFrom(5);
      for (const [hook, { data }] of Object.entries(gradients)) {
        // The first and the last two layers have each kind of layer.
        const layer = Number(/^blocks\.(\d+)/.exec(hook)?.[1] ?? 0);
        if (layer > 0 && layer < model.info.layers - 2) continue;
        // Edits of maps leave out keys after the query.
        const isMap = /hook_(attn_scores|pattern)$/.test(hook);
        const isHidden = (/** @type {number} */ i) => isMap && i % T > Math.floor(i / T) % T;
        const direction = floats(next, data.length, 1).map((x, i) => (isHidden(i) ? 0 : x));
        const shifted = (/** @type {number} */ step) => value(stagesOf(row, (name, stage) => (name !== hook ? stage
          : { shape: stage.shape, data: Float64Array.from(stage.data, (x, i) => x + step * direction[i]) })));
        const step = 1e-5;
        const expected = (shifted(step) - shifted(-step)) / (2 * step);
        const actual = data.reduce((sum, x, i) => sum + x * direction[i], 0);
        const size = Math.sqrt(data.reduce((sum, x) => sum + x * x, 0));
        assertClose([actual], [expected], 1e-4 * size + 1e-6, hook);
      }
    });
  });
}

test('Granite 4.0: sizes of Mamba in GGUF are ignored; no RoPE, layers of Mamba or experts are refused', async () => {
  const row = FAMILIES.find(({ name }) => name === 'granite-4') ?? assert.fail();
  // The settings that llama.cpp's converter writes if all layers have attention.
  const settings = { 'attention.head_count_kv': array('int32', [2, 2]), 'rope.scaling.finetuned': bool(true),
    'ssm.conv_kernel': uint32(4), 'ssm.inner_size': uint32(64), 'ssm.state_size': uint32(16),
    'ssm.time_step_rank': uint32(4), 'ssm.group_count': uint32(1) };
  const model = await load(await ggufOf(row, settings));
  after(() => model.dispose());
  const expected = goldens[row.name];
  assertClose(await model.forward(IDS), expected, TOLERANCE * scaleOf(expected), 'logits');
  await rejects(ggufOf(row, { 'rope.scaling.finetuned': bool(false) }).then((file) => load(file)), 'unsupported',
    /rope\.scaling\.finetuned/);
  for (const change of [{ layer_types: ['mamba', 'attention'] }, { layer_types: ['attention'] },
    { layer_types: undefined }, { num_local_experts: 4 }, { num_local_experts: undefined },
    { position_embedding_type: 'nope' }, { position_embedding_type: undefined }]) {
    await rejects(load(huggingFaceOf(row, change)), 'unsupported', /Mamba, experts, or no RoPE \(‘layer_types’/);
  }
});

/** @param {Row} row */
async function checkMixture(row) {
  const model = await open(row, { quantize: 'q8_0' });
  const hook = 'blocks.1.mlp.hook_expert_weights';
  const { experts } = model.info;
  const { cache: { [hook]: { data: weights } } } = await model.runWithCache(IDS, [hook]);
  const last = weights.subarray(-experts);
  const best = last.indexOf(Math.max(...last));
  const without = [{ hook, columns: /** @type {[number, number]} */ ([best, best + 1]), scale: 0 }];
  const { cache: { [hook]: { data } } } = await model.runWithCache(IDS, [hook], { edits: without });
  assert.ok(data.every((p, i) => (i % experts === best ? p === 0 : p > 0)));
  const { values } = await model.sweep(IDS, [without], { of: { logit: 3 } });
  const edited = await model.runWithHooks(IDS, without);
  assert.equal(values[0], edited[3]);
  const clean = await model.runWithHooks(IDS, []);
  assert.notDeepEqual(clean, edited);
  const { shape } = await model.weight('blk.1.ffn_down_exps.5.weight') ?? assert.fail();
  assert.deepEqual(shape, [32, 48]);
  await rejects(model.weight('blk.1.ffn_down_exps.6.weight'), 'bad-argument', /no weight/);
  const opened = async (/** @type {Parameters<typeof ggufOf>[1]} */ changes) => load(await ggufOf(row, changes));
  for (const count of [513, 2 ** 32 - 1]) {
    await rejects(opened({ expert_count: uint32(count) }), 'bad-config', /from 1 to 512 at ‘\w+\.expert_count’/);
  }
  await rejects(opened({ expert_count: uint32(7) }), 'bad-tensor', /lacks the tensor ‘blk\.0\.ffn_gate_exps/);
  await rejects(opened({ expert_used_count: uint32(7) }), 'bad-config', /from 1 to 6 at ‘\w+\.expert_used_count’/);
  await rejects(opened({ expert_gating_func: uint32(2) }), 'unsupported', /expert_gating_func/);
  for (const [key, value] of /** @type {const} */ ([['num_experts_per_tok', 7], ['num_experts_per_tok', 0]])) {
    await rejects(load(huggingFaceOf(row, { [key]: value })), 'bad-config', new RegExp(key));
  }
  if (/^qwen/.test(row.name)) {
    await rejects(load(huggingFaceOf(row, { decoder_sparse_step: 2 })), 'unsupported', /decoder_sparse_step/);
    await rejects(load(huggingFaceOf(row, { mlp_only_layers: [1] })), 'unsupported', /mlp_only_layers/);
  }
  const more = 'num_local_experts' in row.config ? { num_local_experts: 7 } : { num_experts: 7 };
  await rejects(load(huggingFaceOf(row, more)), 'bad-tensor', row.name === 'granitemoe'
    ? /input_linear\.weight’ has the shape \[6,96,32\], but config\.json says that a block has 7 experts/
    : /lacks the tensor ‘model\.layers\.0\.(mlp|block_sparse_moe)\.experts\.6\./);
}

/** @typedef {Awaited<ReturnType<typeof load>>} Model */
/** @param {Model} model @param {Record<string, { data: Float32Array }>} cache */
async function checkMaps(model, cache) {
  for (let layer = 0; layer < model.info.layers; layer++) {
    for (let head = 0; head < model.info.heads; head++) {
      for (const [kind, hook] of /** @type {const} */ ([['pattern', 'hook_pattern'], ['scores', 'hook_attn_scores']])) {
        const map = await model.attention({ layer, head, kind });
        const { data } = cache[`blocks.${layer}.attn.${hook}`];
        const of = data.subarray(head * T * T, (head + 1) * T * T);
        assertSame(map.data, of, `${kind} of layer ${layer}, head ${head}`);
      }
    }
  }
}

/** @param {Model} model @param {Float32Array} expected */
async function checkPieces(model, expected) {
  const V = model.info.vocabulary;
  for (const cuts of [[1, 3, 8], IDS.map((_, i) => i).slice(1)]) {
    model.rewind(0);
    for (const [i, to] of [...cuts, T].entries()) {
      const from = cuts[i - 1] ?? 0;
      assertSame(await model.forward(IDS.slice(from, to), { all: true }), expected.subarray(from * V, to * V),
        `logits of ${from} to ${to}`);
    }
  }
}

test('LongRoPE has other divisors up to the first context', async () => {
  const row = FAMILIES.find(({ name }) => name === 'longrope') ?? assert.fail();
  const { data } = weightsOf(row)['rope_factors_short.weight'];
  const expected = forward({ ...referenceOf(row), variant: { ...row.means.variant, divisors: data } }, IDS).data;
  for (const source of [await ggufOf(row), huggingFaceOf(row)]) {
    const model = await load(source, { contextLength: 16 });
    after(() => model.dispose());
    assertClose(await model.forward(IDS, { all: true }), expected, TOLERANCE * scaleOf(expected), 'logits');
  }
});

test('StableLM: files of llama.cpp may say that blocks are parallel, and the blocks of 12B are refused', async () => {
  const row = FAMILIES.find(({ name }) => name === 'stablelm') ?? assert.fail();
  const says = await ggufOf(row, { use_parallel_residual: bool(true) });
  const [model, other] = await Promise.all([load(says), open(row)]);
  after(() => model.dispose());
  assertSame(await model.forward(IDS), await other.forward(IDS), 'logits');
  await rejects(load(huggingFaceOf(row, { use_parallel_residual: true })), 'unsupported', /use_parallel_residual/);
  await rejects(load(huggingFaceOf(row, { qk_layernorm: true })), 'unsupported', /qk_layernorm/);
});

test('EXAONE 4 with windows is refused, also by the default of its class', async () => {
  const row = FAMILIES.find(({ name }) => name === 'exaone4') ?? assert.fail();
  await rejects(load(huggingFaceOf(row, { sliding_window: 16 })), 'unsupported', /a window of 16 tokens/);
  const { config: { sliding_window: _, ...config }, weights } = huggingFaceOf(row);
  await rejects(load({ weights, config }), 'unsupported', /a window of 4096 tokens/);
  await rejects(load(await ggufOf(row, { 'attention.sliding_window': uint32(16) })), 'unsupported', /sliding_window/);
});

test('a new family is a configuration and names of tensors', async () => {
  /** As Qwen2, with attention and feed-forward network beside each other and a norm of all queries and keys. */
  const made = { ...qwen2, name: 'made-up', weights: { gate: /** @type {const} */ ('needed'),
    qkNorms: /** @type {const} */ ('needed') }, config: { ...qwen2.config, parallel: /** @type {const} */ ('yes'),
    qk_norm: /** @type {const} */ ('all') } };
  const like = FAMILIES.find(({ name }) => name === 'qwen3') ?? assert.fail();
  const row = { ...like, name: 'made-up',
    block: { ...like.block, 'attn_q_norm.weight': [32], 'attn_k_norm.weight': [16] },
    means: { rope: /** @type {const} */ ('halves'), ropeBase: 1e6, variant: { parallel: true } } };
  await rejects(ggufOf(row).then((file) => load(file)), 'unsupported', /‘made-up’/);
  DECODERS.push(made);
  after(() => DECODERS.splice(DECODERS.indexOf(made), 1));
  const { logits: { data } } = stagesOf(row);
  const logits = await (await open(row)).forward(IDS, { all: true });
  assertClose(logits, data, TOLERANCE * scaleOf(data), 'logits');
});
