/** Tensors of over 4 GB, more than WebAssembly can address, are quantized while they stream in. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uint32 } from '../../js/files/gguf/writer.js';
import { halfFromFloat } from '../../js/files/half.js';
import { load } from '../../js/index.js';
import { needMemory, planWeights, placeWeights } from '../../js/model/place.js';
import { Engine } from '../../js/engine/wasm.js';
import { FAMILIES, ggufOf, V as FAMILY_WORDS } from '../support/families.js';

const V = 2 ** 20 + 8;
const D = 1024;
const F = 32;
const BLOCK_BYTES = 18; // of Q4_0, for 32 weights

/** A file generated on the fly: zeros, and ones in the last row of the embedding.
 *  @param {number} vocabulary */
function largeFile(vocabulary) {
  const shapes = {
    'output_norm.weight': [D], 'blk.0.attn_norm.weight': [D], 'blk.0.attn_q.weight': [32, D],
    'blk.0.attn_k.weight': [32, D], 'blk.0.attn_v.weight': [32, D], 'blk.0.attn_output.weight': [D, 32],
    'blk.0.ffn_norm.weight': [D], 'blk.0.ffn_gate.weight': [F, D], 'blk.0.ffn_up.weight': [F, D],
    'blk.0.ffn_down.weight': [D, F], 'token_embd.weight': [vocabulary, D],
  };
  const tensors = Object.entries(shapes).map(([name, shape]) =>
    ({ name, shape, dtype: 0, bytes: 4 * shape.reduce((a, b) => a * b) }));
  const config = {
    layers: 1, heads: 1, kv_heads: 1, d_model: D, d_head: 32, d_ff: F, vocabulary, context_length: 8, norm: 'rmsnorm',
    norm_eps: 1e-5, position: 'rope_halves', rope_theta: 10000, rope_dims: 32, rope_scale: 1, window: 0,
    activation: 'silu', gated: 'yes',
  };
  /** @type {Record<string, number>} */
  const read = {};
  async function* weights() {
    for (const entry of tensors) {
      read[entry.name] = 0;
      yield [entry, { readInto(/** @type {Uint8Array} */ target) {
        const end = (read[entry.name] += target.length);
        const ones = entry.name === 'token_embd.weight' && end === entry.bytes;
        if (!ones && read[entry.name] > target.length) return; // the buffer holds zeros already
        target.fill(0);
        if (ones) new Float32Array(target.buffer, target.byteOffset + target.length - 4 * D, D).fill(1);
      } }];
    }
  }
  return { file: /** @type {any} */ ({ name: 'large', config, tensors, weights }), tensors, read };
}

test('an embedding of 4.3 GB is loaded as Q4_0, to its last row', async (t) => {
  const { file, tensors, read } = largeFile(V);
  assert.ok(tensors.at(-1).bytes > 2 ** 32);
  const engine = await Engine.create('simd128', 1);
  t.after(() => engine.close());
  const plan = planWeights(engine, file, 'q4_0');
  assert.ok(plan.info.weightsBytes > (V * D / 32) * BLOCK_BYTES);
  assert.ok(plan.info.weightsBytes < (V * D / 32) * BLOCK_BYTES + 2 ** 20);
  const model = await placeWeights(engine, file, plan, engine.kernels('simd128'));
  for (const { name, bytes } of tensors) assert.equal(read[name], bytes, name);
  // The embedding is the last weight: eight rows are a panel.
  const panel = 8 * (D / 32) * BLOCK_BYTES;
  const end = Buffer.from(engine.u8(model + plan.bytes - 2 * panel, 2 * panel));
  const before = Buffer.from(engine.u8(model + plan.bytes - 3 * panel, panel));
  assert.equal(Buffer.compare(end.subarray(0, panel), before), 0);
  assert.notEqual(Buffer.compare(end.subarray(0, panel), end.subarray(panel)), 0, 'the last row is not zero');
});

test('weights that do not fit are planned with their size in memory, and refused', async (t) => {
  const engine = await Engine.create('simd128', 1);
  t.after(() => engine.close());
  const plan = (/** @type {number} */ vocabulary, /** @type {any} */ quantize) => () =>
    needMemory(engine, 'The model', planWeights(engine, largeFile(vocabulary).file, quantize).bytes);
  const refuses = (/** @type {() => void} */ work, /** @type {RegExp} */ message) =>
    assert.throws(work, { name: 'HeedError', code: 'needs-memory', message });
  refuses(plan(V, 'keep'), /^The model needs 4\.0 GB of memory\.$/);
  refuses(plan(2 ** 22, 'f32'), /needs 16\.0 GB/);
  refuses(plan(2 ** 22, 'q8_0'), /needs 4\.[0-9] GB/);
});

test('a bias for every word of a large vocabulary is loaded, in all types and by several threads', async () => {
  const words = 70_001; // in f32, eight of these rows exceed a piece of the file
  const phi2 = FAMILIES.find(({ name }) => name === 'phi2');
  assert.ok(phi2);
  const bias = Float32Array.from({ length: words }, (_, i) => (i % 97) / 32); // exact in halves, too
  const file = (/** @type {'f32' | 'f16'} */ type) => ggufOf(phi2, { vocab_size: uint32(words) }, (tensors) =>
    tensors.map((tensor) => {
      const { name, shape: [rows, ...columns] } = tensor;
      if (name === 'output.bias') {
        return { name, type, shape: [words], data: type === 'f32' ? bias : Uint16Array.from(bias, halfFromFloat) };
      }
      if (rows !== FAMILY_WORDS) return tensor;
      const shape = [words, ...columns];
      return { name, type: 'f32', shape, data: new Float32Array(shape.reduce((a, b) => a * b)) };
    }));
  for (const type of /** @type {const} */ (['f32', 'f16'])) {
    for (const threads of [1, 3]) {
      const model = await load(await file(type), { threads });
      assert.deepEqual((await model.weight('output.bias')).data, bias, `${type}, ${threads} threads`);
      model.dispose();
    }
  }
});

test('weights of patches that are wider than all others are converted within the memory of the loader', async (t) => {
  const patch = 12288;
  const engine = await Engine.create('simd128', 1);
  t.after(() => engine.close());
  const config = engine.reserve(engine.structBytes('config'), 'the configuration');
  engine.writeStruct('config', config, {
    layers: 1, heads: 1, kv_heads: 1, d_model: 32, d_head: 32, d_ff: 32, vocabulary: 17, context_length: 17,
    norm: 'layernorm', norm_eps: 1e-5, position: 'learned', window: 0, activation: 'gelu_erf', gated: 'no',
    bidirectional: 'yes', patch,
  });
  const bytes = engine.call('heed_model_bytes', config) + 2 ** 20;
  const model = engine.call('heed_model_create', engine.reserve(bytes, 'the model'), bytes, config);
  const memory = engine.reserve(engine.ask('heed_loader_bytes', model, 0), 'a loader');
  const after = engine.reserve(2 ** 20, 'memory after it');
  engine.u8(after, 2 ** 20).fill(0xab);
  const loader = engine.ask('heed_loader_create', memory, model, engine.kernels('simd128'), 0);
  const size = engine.reserve(4, 'a size');
  const f32 = 0;
  const q8 = 8;
  engine.call('heed_loader_begin', loader, -1, engine.abi.slots.indexOf('patch_embd.weight'), f32, q8, 32, patch, 0);
  for (let at; (at = engine.call('heed_loader_next', loader, size)) !== 0;) {
    engine.f32(at, engine.i32(size, 1)[0] / 4).fill(1.5);
  }
  assert.ok(engine.u8(after, 2 ** 20).every((byte) => byte === 0xab));
});
