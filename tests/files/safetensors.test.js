// Reading safetensors files: shards, types, weights and configuration.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { load } from '../../js/index.js';
import { openModelFile } from '../../js/files/model-file.js';
import { rejects } from '../support/expect.js';
import { tinyGguf } from '../support/tiny-gguf.js';
import { CONFIG, QKV_BIASES, tinySafetensors } from '../support/tiny-safetensors.js';

const GOLDENS = fileURLToPath(new URL('../goldens/', import.meta.url));

/** @param {import('../../js/files/model-file.js').ModelFile} file */
async function weightsOf(file) {
  /** @type {Record<string, Float32Array>} */
  const weights = {};
  for await (const [entry, reader] of file.weights()) {
    const bytes = new Uint8Array(entry.bytes);
    await reader.readInto(bytes);
    weights[entry.name] = new Float32Array(bytes.buffer);
  }
  return weights;
}

/** @param {object} change to config.json */
const open = (change) => {
  const qwen2 = 'model_type' in change && change.model_type === 'qwen2';
  const { weights, config } = tinySafetensors(qwen2 ? { more: QKV_BIASES } : {});
  return openModelFile({ weights, config: { ...config, ...change } });
};

describe('one file', () => {
  test('every weight gets its place', async () => {
    const { weights, config, values } = tinySafetensors({ metadata: { format: 'pt' } });
    const file = await openModelFile({ weights, config });
    assert.equal(file.format, 'safetensors');
    assert.equal(file.tokenizer, null);
    const read = await weightsOf(file);
    const slots = {
      'token_embd.weight': 'model.embed_tokens.weight',
      'blk.0.attn_norm.weight': 'model.layers.0.input_layernorm.weight',
      'blk.0.attn_q.weight': 'model.layers.0.self_attn.q_proj.weight',
      'blk.0.attn_k.weight': 'model.layers.0.self_attn.k_proj.weight',
      'blk.0.attn_v.weight': 'model.layers.0.self_attn.v_proj.weight',
      'blk.0.attn_output.weight': 'model.layers.0.self_attn.o_proj.weight',
      'blk.0.ffn_norm.weight': 'model.layers.0.post_attention_layernorm.weight',
      'blk.0.ffn_gate.weight': 'model.layers.0.mlp.gate_proj.weight',
      'blk.0.ffn_up.weight': 'model.layers.0.mlp.up_proj.weight',
      'blk.0.ffn_down.weight': 'model.layers.0.mlp.down_proj.weight',
      'output_norm.weight': 'model.norm.weight',
      'output.weight': 'lm_head.weight',
    };
    assert.deepEqual(Object.keys(read).sort(), Object.keys(slots).sort());
    for (const [slot, name] of Object.entries(slots)) assert.deepEqual(read[slot], values[name], slot);
    assert.deepEqual(file.tensors.find(({ name }) => name === 'blk.0.attn_k.weight')?.shape, [16, 32]);
  });

  test('GPT-2’s linear layers are transposed', async () => {
    const folder = join(GOLDENS, 'gpt2');
    const path = join(folder, 'config.json');
    const file = await openModelFile({ weights: join(folder, 'model.safetensors'), config: path });
    await file.close();
    const config = JSON.parse(await readFile(path, 'utf8'));
    const turned = file.tensors.filter(({ transpose }) => transpose).map(({ name }) => name);
    assert.deepEqual(turned.filter((name) => name.startsWith('blk.0.')).sort(),
      ['attn_output', 'attn_qkv', 'ffn_down', 'ffn_up'].map((name) => `blk.0.${name}.weight`));
    const up = file.tensors.find(({ name }) => name === 'blk.0.ffn_up.weight');
    assert.deepEqual(up?.shape, [config.n_inner ?? 4 * config.n_embd, config.n_embd]);
    assert.ok(!file.tensors.some(({ name }) => name === 'output.weight'), 'the head is the embedding');
  });

  for (const worker of [false, true]) {
    test(`a whole model loads, and weights without config.json are refused, worker: ${worker}`, async () => {
      const { weights, config } = tinySafetensors();
      const model = await load({ weights, config }, { worker });
      try {
        assert.equal(model.info.architecture, 'llama');
        const logits = await model.forward([1, 2, 3]);
        assert.ok(logits.length > 0 && logits.every(Number.isFinite));
      } finally {
        model.dispose();
      }
      await rejects(load(weights, { worker }), 'bad-source', /config\.json/);
    });
  }

  test('an error names the missing files', async () => {
    const { weights } = tinySafetensors();
    await rejects(openModelFile(weights), 'bad-source', /config\.json/);
    await rejects(openModelFile({ weights }), 'bad-source', /config\.json/);
    await rejects(openModelFile({ weights: [weights] }), 'bad-source', /config\.json/);
  });

  test('a tokenizer with more tokens than the model', async () => {
    const { weights, config } = tinySafetensors();
    const vocab = Object.fromEntries(Array.from({ length: 13 }, (_, id) => [`t${id}`, id]));
    const tokenizer = { model: { type: 'BPE', vocab, merges: [] }, decoder: { type: 'ByteLevel' } };
    await rejects(openModelFile({ weights, config, tokenizer }), 'bad-tokenizer', /13 tokens.*12/s);
    delete vocab.t12;
    const file = await openModelFile({ weights, config, tokenizer: new Blob([JSON.stringify(tokenizer)]) });
    assert.equal(file.tokenizer?.size, 12);
    await rejects(openModelFile({ weights, config, tokenizer: new Blob(['{']) }), 'bad-file', /tokenizer\.json/);
    await rejects(openModelFile({ weights, config: new Blob(['no']) }), 'bad-file', /config\.json/);
  });

  test('one added token that the model does not know is left out', async () => {
    const { weights, config } = tinySafetensors();
    const vocab = Object.fromEntries(Array.from({ length: 12 }, (_, id) => [`t${id}`, id]));
    const added = [{ id: 3, content: 't3', special: true }, { id: 12, content: '<image>', special: true }];
    const open = async (/** @type {object} */ model, /** @type {object} */ more = {}) =>
      (await openModelFile({ weights, config, tokenizer: { added_tokens: added, ...more, model } })).tokenizer;
    const bytes = { decoder: { type: 'ByteLevel' }, pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false } };
    for (const more of [{}, { '<image>': 12 }]) { // Gemma 3, BART-large-CNN
      const tokenizer = await open({ type: 'BPE', vocab: { ...vocab, ...more }, merges: [] }, bytes);
      assert.equal(tokenizer?.size, 12);
      assert.deepEqual([...tokenizer?.encode('t3<image>') ?? []], [3]);
      assert.deepEqual(tokenizer?.control, ['t3']);
    }
    const pieces = [...Object.keys(vocab).map((piece) => [piece, -1]), ['<image>', 0]];
    const unigram = { type: 'Unigram', vocab: pieces, unk_id: 0 };
    assert.equal((await open(unigram, { decoder: { type: 'Metaspace' } }))?.size, 12);
    added.push({ id: 13, content: '<audio>', special: true });
    await rejects(open({ type: 'BPE', vocab, merges: [] }, bytes), 'bad-tokenizer', /14 tokens.*12/s);
    added.pop();
    const one = { ...vocab, other: 13 };
    await rejects(open({ type: 'BPE', vocab: one, merges: [] }, bytes), 'bad-tokenizer', /14 tokens.*12/s);
  });

  test('GGUF accepts a tokenizer.json', async () => {
    const tokenizer = { model: { type: 'BPE', vocab: { x: 0 }, merges: [] }, decoder: { type: 'ByteLevel' } };
    const file = await openModelFile({ weights: await tinyGguf(), tokenizer });
    assert.equal(file.tokenizer?.token(0), 'x');
  });
});

describe('config.json', () => {
  const LLAMA3 = {
    rope_type: 'llama3', factor: 8, low_freq_factor: 1, high_freq_factor: 4, original_max_position_embeddings: 8192,
  };

  const WINDOWS = { model_type: 'qwen2', use_sliding_window: true };

  test('Llama, with the defaults of its class', async () => {
    const { num_key_value_heads: _, rms_norm_eps: __, rope_theta: ___, ...rest } = CONFIG;
    const { config } = await openModelFile({ weights: tinySafetensors().weights, config: rest });
    assert.deepEqual(config, {
      layers: 1, heads: 2, kv_heads: 2, d_model: 32, d_head: 16, d_ff: 64, vocabulary: 12, context_length: 24,
      norm: 'rmsnorm', norm_eps: 1e-6, position: 'rope_halves', rope_theta: 10000, rope_dims: 16, rope_scale: 1,
      window: 0, activation: 'silu', gated: 'yes',
    });
  });

  test('Mistral’s window, and Qwen2’s conditions for a window', async () => {
    const mistral = { model_type: 'mistral', sliding_window: 7 };
    assert.equal((await open(mistral)).config.window, 7);
    assert.equal((await open({ ...mistral, sliding_window: null })).config.window, 0);
    assert.equal((await open({ ...mistral, sliding_window: 4096 })).config.window, 0);
    const qwen = { model_type: 'qwen2', sliding_window: 7, max_window_layers: 0 };
    assert.equal((await open({ ...qwen, use_sliding_window: false })).config.window, 0);
    assert.equal((await open({ ...qwen, use_sliding_window: true })).config.window, 7);
    assert.equal((await open({ ...qwen, use_sliding_window: true, max_window_layers: 1 })).config.window, 0);
  });

  test('RoPE: linear, partial, sizes of heads', async () => {
    assert.equal((await open({ rope_scaling: { type: 'linear', factor: 2.5 } })).config.rope_scale, 2.5);
    assert.equal((await open({ rope_scaling: null })).config.rope_scale, 1);
    assert.equal((await open({ partial_rotary_factor: 0.5 })).config.rope_dims, 8);
    assert.equal((await open({ head_dim: 64 })).config.d_head, 64);
    const parameters = { rope_parameters: { rope_type: 'default', rope_theta: 5e5 }, rope_theta: undefined };
    assert.equal((await open(parameters)).config.rope_theta, 5e5);
  });

  test('Llama 3’s scaling becomes divisors of the frequencies', async () => {
    const file = await open({ rope_scaling: LLAMA3, rope_theta: 500000, head_dim: 128 });
    const entry = file.tensors.at(-1);
    assert.deepEqual([entry?.name, entry?.dtype, entry?.shape], ['rope_freqs.weight', 0, [64]]);
    const divisors = (await weightsOf(file))['rope_freqs.weight'];
    divisors.forEach((divisor, i) => {
      const frequency = 500000 ** (-i / 64);
      const turns = (8192 * frequency) / (2 * Math.PI); // in the original context
      const kept = Math.min(Math.max((turns - 1) / (4 - 1), 0), 1);
      const scaled = kept * frequency + ((1 - kept) * frequency) / 8;
      assert.ok(Math.abs(divisor * scaled - frequency) < 1e-6 * frequency, `${i}: ${divisor}`);
    });
    assert.ok(divisors[0] === 1 && divisors[63] === 8 && divisors.some((divisor) => divisor > 1 && divisor < 8));
  });

  /** @type {[string, object, string, RegExp][]} */
  const cases = [
    ['an unknown type', { model_type: 'mamba' }, 'unsupported', /‘mamba’.*gpt2, llama, mistral, qwen2/],
    ['no type', { model_type: undefined }, 'bad-config', /has no model_type/],
    ['a type that objects have', { model_type: 'toString' }, 'unsupported', /toString/],
    ['an unknown activation', { hidden_act: 'mish' }, 'unsupported', /‘mish’.*silu/],
    ['unknown scaling', { rope_scaling: { rope_type: 'ntk', factor: 4 } }, 'unsupported', /‘ntk’/],
    ['scaling without a factor', { rope_scaling: { type: 'linear' } }, 'bad-config', /factor/],
    ['scaling that is a list', { rope_scaling: [] }, 'unsupported', /RoPE scaling/],
    ['invalid settings of llama3', { rope_scaling: { ...LLAMA3, low_freq_factor: 9 } }, 'bad-config', /llama3/],
    ['windows in some layers', { ...WINDOWS, num_hidden_layers: 4, max_window_layers: 2 },
      'unsupported', /some layers/],
    ['quantized weights', { quantization_config: { quant_method: 'awq', bits: 4 } }, 'unsupported', /quantized/],
    ['RoPE on adjacent pairs', { rope_interleaved: true }, 'unsupported', /rope_interleaved/],
    ['text for a number', { hidden_size: '32' }, 'bad-config', /hidden_size/],
    ['a missing number', { hidden_size: undefined }, 'bad-config', /hidden_size.*got nothing/],
    ['a number for a truth value', { tie_word_embeddings: 1 }, 'bad-config', /tie_word_embeddings/],
    ['zero heads', { num_attention_heads: 0 }, 'bad-config', /heads/],
    ['heads that do not divide', { num_attention_heads: 3 }, 'bad-config', /3 heads/],
    ['key/value heads that cannot be shared', { num_key_value_heads: 3 }, 'bad-config', /not a multiple of 3/],
    ['a negative width', { hidden_size: -32 }, 'bad-config', /d_model|heads/],
    ['half a layer', { num_hidden_layers: 0.5 }, 'bad-config', /layers/],
    ['an endless context', { max_position_embeddings: 1e300 }, 'bad-config', /context_length/],
    ['an epsilon of 0', { rms_norm_eps: 0 }, 'bad-config', /epsilon/],
    ['an epsilon of 2', { rms_norm_eps: 2 }, 'bad-config', /epsilon/],
    ['odd RoPE', { head_dim: 15 }, 'bad-config', /rotated elements .* not 15/],
    ['GPT-2 that scales by layer', { model_type: 'gpt2', scale_attn_by_inverse_layer_idx: true },
      'unsupported', /inverse/],
  ];
  for (const [what, change, code, says] of cases) test(what, () => rejects(open(change), code, says));

  test('values that are not objects', async () => {
    const { weights } = tinySafetensors();
    for (const config of [null, [], 5]) {
      await rejects(openModelFile({ weights, config: /** @type {any} */ (config) }), 'bad-config', /config\.json/);
    }
  });
});

describe('shards', () => {
  /** @type {string} */ let folder;
  const names = Object.keys(tinySafetensors().values);
  const first = tinySafetensors({ only: names.slice(0, 5) });
  const second = tinySafetensors({ only: names.slice(5) });
  const index = {
    metadata: { total_size: 1 },
    weight_map: Object.fromEntries(names.map((name, i) => [name, i < 5 ? 'a.safetensors' : 'b.safetensors'])),
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heed-shards-'));
    await writeFile(join(folder, 'a.safetensors'), first.weights);
    await writeFile(join(folder, 'b.safetensors'), second.weights);
    await writeFile(join(folder, 'index.json'), JSON.stringify(index));
  });
  after(() => rm(folder, { recursive: true }));

  test('all shards with their index, or the index alone', async () => {
    const { weights, config } = tinySafetensors();
    const whole = await weightsOf(await openModelFile({ weights, config }));
    const files = ['a.safetensors', 'b.safetensors', 'index.json'].map((name) => join(folder, name));
    const sets = [
      files.slice(0, 2),
      files,
      [first.weights, new Blob([second.weights]), new Blob([JSON.stringify(index)])],
      [files[2]],
      files[2],
      pathToFileURL(files[2]),
    ];
    for (const weights of sets) {
      assert.deepEqual(await weightsOf(await openModelFile({ weights, config })), whole);
    }
  });

  test('progress counts the bytes of all shards', async () => {
    /** @type {{ loadedBytes: number, totalBytes: number | null }[]} */
    const seen = [];
    const file = await openModelFile({ weights: [first.weights, second.weights], config: CONFIG },
      { onProgress: (progress) => seen.push(progress) });
    await weightsOf(file);
    assert.equal(file.fileBytes, first.weights.length + second.weights.length);
    assert.deepEqual(seen.map(({ loadedBytes }) => loadedBytes), [first.weights.length, file.fileBytes]);
    assert.ok(seen.every(({ totalBytes }) => totalBytes === file.fileBytes));
  });

  test('a missing shard, a duplicate shard, and an invalid index', async () => {
    const indexBlob = new Blob([JSON.stringify(index)]);
    const given = (/** @type {any} */ ...weights) => openModelFile({ weights, config: CONFIG });
    await rejects(given(indexBlob), 'bad-source', /‘a\.safetensors’/);
    await rejects(given(indexBlob, first.weights), 'bad-tensor', /‘b\.safetensors’/);
    await rejects(given(first.weights, first.weights, second.weights), 'bad-tensor', /twice/);
    await rejects(given(indexBlob, indexBlob), 'bad-source', /two index/);
    await rejects(given(), 'bad-source', /weights/);
    for (const path of ['../a.safetensors', '/etc/passwd', 'http://127.0.0.1:1/x']) {
      const file = join(folder, 'hostile.json');
      await writeFile(file, JSON.stringify({ weight_map: { x: path } }));
      await rejects(given(file), 'bad-source', /which is not given/);
    }
    for (const map of [null, [1], { x: 5 }, undefined]) {
      await rejects(given(new Blob([JSON.stringify({ weight_map: map })])), 'bad-file', /weight_map/);
    }
  });

  test('a shard that changed between its header and its weights', async () => {
    const path = join(folder, 'changing.safetensors');
    await writeFile(path, second.weights);
    const file = await openModelFile({ weights: [first.weights, path], config: CONFIG });
    await writeFile(path, Buffer.from(second.weights).toString('latin1').replace('lm_head', 'lm_haed'), 'latin1');
    await rejects(weightsOf(file), 'unavailable', /changed/);
  });
});
