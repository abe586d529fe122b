/**
 * Every family of encoders computes what llama.cpp, PyTorch and the float64 reference compute: activations, maps,
 * logits and gradients.  Queries see keys on both sides.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, test } from 'node:test';
import { string } from '../../js/files/gguf/writer.js';
import { countWeights, load } from '../../js/index.js';
import { assertClose, assertSame, scaleOf } from '../support/compare.js';
import { ENCODERS } from '../support/encoders.js';
import { ENGINES, on } from '../support/engines.js';
import { rejects } from '../support/expect.js';
import { FAMILIES, IDS, ggufOf, huggingFaceOf, referenceOf, weightsOf } from '../support/families.js';
import { floats, randomFrom } from '../support/numbers.js';
import { forward } from '../support/reference.js';

/** @typedef {(typeof ENCODERS)[number]} Row */

/** Share of the largest number. */
const TOLERANCE = 1e-5;
const COMPACT_TOLERANCE = 1e-3;
/** llama.cpp takes GELU from a table in half precision. Measured: 2.9e-4. */
const GELU_TOLERANCE = 1e-3;
const T = IDS.length;
/** Logits, or vectors without a head, after the first and the last id. @type {Record<string, number[][]>} */
const goldens = JSON.parse(await readFile(new URL('../goldens/encoders.json', import.meta.url), 'utf8'));

/** @param {Row} row @param {import('../../js/index.js').LoadOptions} [options] */
async function open(row, options) {
  const model = await load(row.gguf === false ? huggingFaceOf(row) : await ggufOf(row, {}, withNames), options);
  after(() => model.dispose());
  return model;
}

/** The tensors with the names of GGUF for classifiers. @param {import('../../js/files/gguf/writer.js').Tensor[]} all */
const withNames = (all) => all.map((tensor) => ({ ...tensor, name: tensor.name.replace(/^output\./, 'cls.output.') }));

/** All stages of the reference, edited by `tap`. @param {Row} row
 *  @param {import('../support/reference.js').Tap} [tap] @param {string} [cache] */
function stagesOf(row, tap = (_, stage) => stage, cache) {
  /** @type {Record<string, import('../support/reference.js').Stage>} */
  const stages = {};
  forward(referenceOf(row), IDS, { cache, tap: (hook, stage) => (stages[hook] = tap(hook, stage)) });
  return stages;
}

for (const row of [...FAMILIES, ...ENCODERS]) {
  test(`${row.name}: the list of weights has the shapes that weight() reads`, async () => {
    const model = 'head' in row ? await open(row) : await load(row.gguf === false ? huggingFaceOf(row)
      : await ggufOf(row));
    after(() => model.dispose());
    assert.ok(model.weights.length > 0);
    for (const { name, shape } of model.weights) assert.deepEqual((await model.weight(name))?.shape, shape, name);
  });
}

/** A file with the names of norms from TensorFlow, and a table of positions, as old checkpoints have them; without the
 *  prefix of the class.  @param {Uint8Array} weights */
function likeOldFiles(weights) {
  const length = Number(new DataView(weights.buffer, weights.byteOffset).getBigUint64(0, true));
  const entries = Object.entries(JSON.parse(new TextDecoder().decode(weights.subarray(8, 8 + length))));
  const bytes = weights.length - 8 - length;
  const renamed = entries.map(([name, entry]) => [name.replace(/^(distil)?bert\./, '')
    .replace('LayerNorm.weight', 'LayerNorm.gamma').replace('LayerNorm.bias', 'LayerNorm.beta'), entry]);
  const table = ['embeddings.position_ids', { dtype: 'I64', shape: [1, 4], data_offsets: [bytes, bytes + 32] }];
  const header = new TextEncoder().encode(JSON.stringify(Object.fromEntries([...renamed, table])));
  const size = new Uint8Array(new BigUint64Array([BigInt(header.length)]).buffer);
  return new Uint8Array(Buffer.concat([size, header, weights.subarray(8 + length), new Uint8Array(32)]));
}

for (const row of ENCODERS) {
  describe(row.name, () => {
    const hasLogits = row.head !== 'none';

    for (const engine of ENGINES) {
      test(`${engine}: every activation equals the reference's, and maps have its bits`, on(engine), async () => {
        const model = await open(row, { engine });
        const { logits: expected, ...stages } = stagesOf(row);
        assert.deepEqual(Object.keys(stages), model.hooks);
        const { logits, cache } = await model.runWithCache(IDS, model.hooks, { all: true });
        for (const [hook, { shape, data }] of Object.entries(stages)) {
          assert.deepEqual(cache[hook].shape, shape, hook);
          assertClose(cache[hook].data, data, TOLERANCE * scaleOf(data), hook);
        }
        if (hasLogits) assertClose(logits, expected.data, TOLERANCE * scaleOf(expected.data), 'logits');
        else assert.equal(logits.length, 0);
        for (const [head, kind] of /** @type {const} */ ([[0, 'pattern'], [3, 'scores']])) {
          const { data } = await model.attention({ layer: 1, head, kind });
          const hook = kind === 'pattern' ? 'hook_pattern' : 'hook_attn_scores';
          assertSame(data, cache[`blocks.1.attn.${hook}`].data.subarray(head * T * T, (head + 1) * T * T), kind);
        }
      });
    }

    test('with a cache of codes', async () => {
      const model = await open(row, { cache: 'int16' });
      const stages = stagesOf(row, undefined, 'int16');
      const { cache } = await model.runWithCache(IDS, model.hooks);
      const last = model.hooks[model.hooks.length - 1];
      assertClose(cache[last].data, stages[last].data, COMPACT_TOLERANCE * scaleOf(stages[last].data), last);
    });

    test('the number of weights follows from the sizes; the head is known', async () => {
      const { info } = await open(row);
      assert.equal(countWeights(info).total, info.parameters);
      assert.equal(info.bidirectional, true);
      assert.equal(info.head, row.head);
      assert.equal(info.outputs, row.head === 'labels' ? 3 : info.vocabulary);
    });

    if (row.gguf !== false) {
      test('a GGUF file without one of its tensors is refused, but segments are optional', async () => {
        for (const name of Object.keys(weightsOf(row))) {
          if (/^(token_types|cls|output)\./.test(name)) continue;
          const file = await ggufOf(row, {}, (all) => all.filter((tensor) => tensor.name !== name));
          await rejects(load(file), 'bad-tensor', /lacks the tensor|no ‘token_embd|has the tensor/);
        }
      });
    }
    if (row.config.model_type) {
      test('Hugging Face’s files give the same vectors; with old names of norms, too', async () => {
        const { weights, config } = huggingFaceOf(row);
        for (const stored of [weights, likeOldFiles(weights)]) {
          const model = await load({ weights: stored, config });
          after(() => model.dispose());
          const last = model.hooks[model.hooks.length - 1];
          const { cache } = await model.runWithCache(IDS, [last]);
          const { data } = stagesOf(row)[last];
          assertClose(cache[last].data, data, TOLERANCE * scaleOf(data), last);
        }
      });
    }

    for (const [oracle, isGguf] of /** @type {const} */ ([['PyTorch', false], ['llama.cpp', true]])) {
      const expected = goldens[`${row.name}, ${oracle}`];
      if (expected) {
        test(`${oracle} computes the same ${hasLogits ? 'logits' : 'vectors'}`, async () => {
          const model = await load(isGguf ? await ggufOf(row) : huggingFaceOf(row));
          after(() => model.dispose());
          const last = model.hooks[model.hooks.length - 1];
          const { logits, cache } = await model.runWithCache(IDS, [last], { all: true });
          const numbers = hasLogits ? logits : cache[last].data;
          const width = numbers.length / T;
          const tolerance = isGguf && row.means.variant?.activation?.startsWith('gelu') ? GELU_TOLERANCE : TOLERANCE;
          assertClose(numbers.subarray(0, width), expected[0], tolerance * scaleOf(expected[0]), 'first');
          assertClose(numbers.subarray(-width), expected[1], tolerance * scaleOf(expected[1]), 'last');
        });
      }
    }

    if (hasLogits) {
      test('gradients equal differences of the reference', async () => {
        const model = await open(row);
        const { outputs } = model.info;
        const { gradients } = await model.gradients(IDS, { of: { logitDifference: [2, 1], position: 4 } });
        const value = (/** @type {Record<string, { data: ArrayLike<number> }>} */ { logits: { data } }) =>
          data[4 * outputs + 2] - data[4 * outputs + 1];
        const next = randomFrom(5);
        for (const [hook, { data }] of Object.entries(gradients)) {
          const direction = floats(next, data.length, 1);
          const shifted = (/** @type {number} */ step) => value(stagesOf(row, (name, stage) => (name !== hook ? stage
            : { shape: stage.shape, data: Float64Array.from(stage.data, (x, i) => x + step * direction[i]) })));
          const step = 1e-5;
          const expected = (shifted(step) - shifted(-step)) / (2 * step);
          const actual = data.reduce((sum, x, i) => sum + x * direction[i], 0);
          const size = Math.sqrt(data.reduce((sum, x) => sum + x * x, 0));
          assertClose([actual], [expected], 1e-4 * size + 1e-6, hook);
        }
      });

      test('a sweep has the values of single runs; an edit reaches keys after the query', async () => {
        const model = await open(row);
        const of = { logit: 1, position: 2 };
        const edits = [
          [{ hook: 'blocks.1.attn.hook_pattern', head: 1, positions: /** @type {[number, number]} */ ([0, 3]),
            keys: /** @type {[number, number]} */ ([3, 5]), scale: 0 }],
          [{ hook: 'blocks.0.attn.hook_z', head: 2, scale: 0 }],
        ];
        const { clean, values } = await model.sweep(IDS, edits, { of });
        const { outputs } = model.info;
        const logitOf = async (/** @type {any[]} */ edit) =>
          (await model.runWithHooks(IDS, edit, { all: true }))[2 * outputs + 1];
        assertClose([clean, ...values], [await logitOf([]), await logitOf(edits[0]), await logitOf(edits[1])], 1e-5,
          'values');
        assert.notEqual(values[0], clean);
      });
    }
  });
}

test('an encoder reads a whole text at once, and writes none', async () => {
  const model = await open(ENCODERS.find(({ name }) => name === 'bert-words') ?? assert.fail());
  await model.forward(IDS);
  await rejects(model.forward([1]), 'bad-argument', /whole sequence/);
  assert.equal(model.position, T);
  await rejects(() => model.rewind(3), 'bad-argument', /shortened/);
  await rejects(model.attention({ layer: 0, head: 0, position: 3 }), 'bad-argument', /whole text/);
  model.rewind(0);
  await model.forward([5]);
  assert.deepEqual([...(await model.attention({ layer: 0, head: 0 })).data], [1]);
  await rejects(model.generate([1, 2]).next(), 'unsupported', /is an encoder.*embed/);
  await rejects(model.score([1, 2]), 'unsupported', /is an encoder/);
  const long = Array(65).fill(1);
  await rejects(model.forward(long), 'context-full');
});

test('a text of several hundred tokens runs in one pass', async () => {
  const row = ENCODERS.find(({ name }) => name === 'modernbert-words') ?? assert.fail();
  const { weights, config } = huggingFaceOf(row, { max_position_embeddings: 100000 });
  const model = await load({ weights, config });
  after(() => model.dispose());
  assert.equal(model.info.contextLength, 4096);
  const ids = Array.from({ length: 300 }, (_, i) => (7 * i * i) % 40);
  const expected = forward(referenceOf(row), ids);
  assertClose(await model.forward(ids, { all: true }), expected.data, TOLERANCE * scaleOf(expected.data), 'logits');
});

test('an encoder without a head computes vectors, not logits', async () => {
  const model = await open(ENCODERS.find(({ name }) => name === 'nomic-bert') ?? assert.fail());
  await rejects(model.forward(IDS), 'unsupported', /has no head/);
  await rejects(model.gradients(IDS, { of: { logit: 1 } }), 'unsupported', /has no head/);
  await rejects(model.unembed(new Float32Array(32)), 'unsupported', /has no head/);
});

test('settings that heed does not compute are refused by name', async () => {
  const bert = ENCODERS.find(({ name }) => name === 'bert-words') ?? assert.fail();
  for (const [changes, code, says] of /** @type {[object, import('../../js/index.js').ErrorCode, RegExp][]} */ ([
    [{ position_embedding_type: 'relative_key' }, 'unsupported', /position_embedding_type/],
    [{ is_decoder: true }, 'unsupported', /is_decoder/],
    [{ hidden_act: 'mish' }, 'unsupported', /mish/],
    [{ architectures: ['BertForSequenceClassification'] }, 'bad-tensor', /lacks the tensor|does not belong/],
  ])) await rejects(load(huggingFaceOf(bert, changes)), code, says);
  const nomic = ENCODERS.find(({ name }) => name === 'nomic-bert') ?? assert.fail();
  for (const [changes, says] of /** @type {[object, RegExp][]} */ ([
    [{ activation_function: 'gelu' }, /activation_function/],
    [{ rotary_emb_interleaved: true }, /rotary_emb_interleaved/],
    [{ num_experts: 8 }, /num_experts/],
    [{ architectures: ['NomicBertForMaskedLM'] }, /names a class with a head/],
    [{ auto_map: { AutoModel: 'me/mine--modeling_mine.NomicBertModel' } }, /runs code of its own/],
  ])) await rejects(load(huggingFaceOf(nomic, changes)), 'unsupported', says);
  const padded = await load(huggingFaceOf(nomic, { vocab_size: 37, pad_vocab_size_multiple: 8 }));
  after(() => padded.dispose());
  assert.deepEqual([padded.info.vocabulary, padded.info.contextLength], [40, 64], 'without untrained positions');
  const labels = ENCODERS.find(({ name }) => name === 'modernbert-labels') ?? assert.fail();
  await rejects(load(huggingFaceOf(labels, { classifier_pooling: 'mean' })), 'unsupported', /classifier_pooling/);
  const roberta = ENCODERS.find(({ name }) => name === 'roberta-words') ?? assert.fail();
  await rejects(load(huggingFaceOf(roberta, { pad_token_id: 0 })), 'unsupported', /pad_token_id/);
});

describe('JinaBERT', () => {
  const row = /** @type {Row} */ (ENCODERS.find(({ name }) => name === 'jina-bert-v2'));

  test('a GGUF file may have the gate as a tensor of its own', async () => {
    const last = 'blocks.1.hook_resid_post';
    const apart = await load(await ggufOf(row, {}, (tensors) => tensors.flatMap((tensor) => {
      if (!tensor.name.endsWith('ffn_up.weight')) return tensor;
      const [rows, columns] = tensor.shape;
      const data = /** @type {Float32Array} */ (tensor.data);
      return ['ffn_gate', 'ffn_up'].map((name, i) => ({ ...tensor, name: tensor.name.replace('ffn_up', name),
        shape: [rows / 2, columns], data: data.slice(i * data.length / 2, (i + 1) * data.length / 2) }));
    })));
    after(() => apart.dispose());
    const { cache } = await apart.runWithCache(IDS, [last]);
    const { cache: expected } = await (await open(row)).runWithCache(IDS, [last]);
    assertSame(cache[last].data, expected[last].data, last);
  });

  test('other implementations are refused by name', async () => {
    const code = 'jinaai/jina-bert-v2-qk-post-norm--modeling_bert.JinaBertModel';
    for (const [changes, says] of /** @type {[object, RegExp][]} */ ([
      [{ auto_map: { AutoModel: code } }, /runs code of its own/],
      [{ auto_map: { AutoModel: 'modeling_bert.JinaBertModel' } }, /runs code of its own/],
      [{ feed_forward_type: 'reglu' }, /feed_forward_type/],
      [{ feed_forward_type: undefined }, /feed_forward_type/],
      [{ position_embedding_type: 'absolute' }, /feed_forward_type/],
      [{ emb_pooler: 'cls' }, /emb_pooler/],
      [{ architectures: ['JinaBertForSequenceClassification'] }, /names a class with a head/],
    ])) await rejects(load(huggingFaceOf(row, changes)), 'unsupported', says);
  });
});

describe('GGUF files of ModernBERT', () => {
  const row = /** @type {Row} */ (ENCODERS.find(({ name }) => name === 'modern-bert'));
  const LAST = 'ln_final.hook_normalized';
  const f32 = /** @type {const} */ ('f32');
  const layer = { name: 'cls.weight', type: f32, shape: [32, 32], data: new Float32Array(1024) };
  const classifier = { ...layer, name: 'cls.output.weight', shape: [3, 32], data: new Float32Array(96) };
  /** @param {Row} of @param {Parameters<typeof ggufOf>[1]} [changes] @param {Parameters<typeof ggufOf>[2]} [tensors] */
  const vectorsOf = async (of, changes, tensors) => {
    const model = await load(await ggufOf(of, changes, tensors));
    after(() => model.dispose());
    assert.equal(model.info.head, 'none');
    return (await model.runWithCache(IDS, [LAST])).cache[LAST].data;
  };
  /** The reference with other variants. @param {Partial<Row['means']>} means @param {object} variant */
  const expected = (means, variant) => stagesOf({ ...row, means: { ...row.means, ...means,
    variant: { .../** @type {object} */ (row.means.variant), ...variant } } })[LAST].data;

  test('a layer without a head is not used', async () => {
    assertSame(await vectorsOf(row, {}, (all) => [...all, layer]), await vectorsOf(row), 'vectors');
  });

  test('without a window every layer is global; other settings have the values of the class', async () => {
    const whole = expected({ window: Infinity }, { isGlobal: () => true });
    const { 'attention.sliding_window': window, 'rope.freq_base': base, ...rest } = row.settings;
    const { 'attention.sliding_window_pattern': _, 'rope.freq_base_swa': __, ...usual } = rest;
    assertClose(await vectorsOf({ ...row, settings: { ...rest, 'rope.freq_base': base } }), whole,
      TOLERANCE * scaleOf(whole), 'no window');
    const settings = { ...usual, 'rope.freq_base': base, 'attention.sliding_window': window };
    assertSame(await vectorsOf({ ...row, settings }), await vectorsOf(row), 'usual values');
  });

  test('the activation of derived models is read; classifiers and other activations are refused', async () => {
    const silu = expected({}, { activation: 'silu' });
    assertClose(await vectorsOf(row, { hidden_activation: string('silu') }), silu, TOLERANCE * scaleOf(silu), 'silu');
    await rejects(vectorsOf(row, { hidden_activation: string('relu') }), 'unsupported', /hidden_activation/);
    await rejects(vectorsOf(row, {}, (all) => [...all, layer, classifier]), 'unsupported', /has a classifier/);
  });
});
