/** Weight counts computed from sizes equal the counts of files and papers. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { countWeights, load } from '../../js/index.js';
import { lab, countParameters } from '../../js/lab/index.js';
import { openModelFile } from '../../js/files/model-file.js';
import { NAMES, tinyEncoderDecoder } from '../support/encoder-decoders.js';
import { heedError, STORIES } from '../support/model.js';
import { tinyGguf } from '../support/tiny-gguf.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const golden = (name) => ({ weights: here(`../goldens/${name}/model.safetensors`),
  config: here(`../goldens/${name}/config.json`) });
const GPT2 = { layers: 12, heads: 12, dModel: 768, vocabulary: 50257, learnedPositions: 1024 };
const GPT3 = { layers: 96, heads: 96, dModel: 12288, vocabulary: 50257, learnedPositions: 2048 };

/** The files to load, and their differences from GPT-2. */
const LOADED = {
  'the stories model': [() => STORIES, { normBiases: false, gated: true, biases: 'none', learnedPositions: 0 }],
  'Shakespeare’s letters': [() => here('../../models/shakespeare.gguf'), { normBiases: true, learnedPositions: 64 }],
  'a GPT-2': [() => golden('gpt2'), { normBiases: true, gated: false, biases: 'all', tied: true }],
  'a Llama with its own head and grouped keys': [() => golden('llama'), { gated: true, biases: 'none', tied: false }],
  'a Llama whose head is its table': [() => golden('llama-tied'), { tied: true }],
  'a Llama 3, with scaled RoPE': [() => golden('llama3'), { learnedPositions: 0 }],
  'a Mistral': [() => golden('mistral'), { normBiases: false }],
  'a Qwen2': [() => golden('qwen2'), { biases: 'qkv' }],
  'a GGUF file': [tinyGguf, {}],
};
for (const [what, [source, traits]] of Object.entries(LOADED)) {
  test(`${what}: the table counts the loaded weights`, async () => {
    const model = await load(await source());
    const { total, parts } = countWeights(model.info);
    assert.equal(total, model.info.parameters);
    assert.equal(parts.reduce((sum, { weights }) => sum + weights, 0), total);
    for (const [trait, value] of Object.entries(traits)) assert.equal(model.info[trait], value, trait);
    model.dispose();
  });
}

for (const name of NAMES) {
  test(`${name}: the table counts the weights of encoder and decoder that its file has learned`, async () => {
    const source = tinyEncoderDecoder(name);
    const { weights } = source;
    const header = Number(new DataView(weights.buffer, weights.byteOffset).getBigUint64(0, true));
    const inFile = (weights.length - 8 - header) / Float32Array.BYTES_PER_ELEMENT;
    const model = await load(source);
    const { info, hooks } = model;
    model.dispose();
    // The first two positions of each part of BART are for padding, and heed does not load them.
    const unused = name === 'bart' ? 2 * 2 * info.dModel : 0;
    assert.equal(info.parameters, inFile - unused);
    assert.equal(countWeights(info).total, info.parameters);
    assert.deepEqual([info.encoderLayers, info.layers], [2, 3]);
    assert.equal(hooks.includes('hook_pos_embed'), !name.startsWith('t5'), 'sinusoids are added, too');
  });
}

test('marian: sinusoids in the file are not learned, either', async () => {
  const model = await load(tinyEncoderDecoder('marian', { more: { 'model.encoder.embed_positions.weight': [64, 32],
    'model.decoder.embed_positions.weight': [64, 32] } }));
  model.dispose();
  assert.equal(countWeights(model.info).total, model.info.parameters);
});

test('T5-small has 60,506,624 weights and BART-base 139,420,416, as in their releases', () => {
  const { total } = countWeights({ layers: 6, encoderLayers: 6, heads: 8, dModel: 512, dHead: 64, vocabulary: 32128,
    relativeBuckets: 32, biases: 'none', normBiases: false });
  assert.equal(total, 60_506_624);
  const bart = countWeights({ layers: 6, encoderLayers: 6, heads: 12, dModel: 768, vocabulary: 50265,
    learnedPositions: 1026, embeddingNorm: true, finalNorm: false });
  assert.equal(bart.total, 139_420_416);
});

test('parts have the shapes of the file', async () => {
  const file = await openModelFile(STORIES);
  await file.close();
  const model = await load(STORIES);
  const { parts } = countWeights(model.info);
  model.dispose();
  for (const [part, tensor] of /** @type {const} */ ([['W_K', 'attn_k'], ['W_O', 'attn_output'], ['W_1', 'ffn_up']])) {
    assert.deepEqual(parts.find(({ name }) => name === part)?.shape,
      file.tensors.find(({ name }) => name === `blk.0.${tensor}.weight`)?.shape);
  }
});

test('GPT-2 small has 124,439,808 weights, and the attention of GPT-3 58 billion of 175', () => {
  assert.equal(countWeights(GPT2).total, 124_439_808);
  const gpt3 = countWeights(GPT3);
  assert.equal(gpt3.attention, 4 * 96 * 12288 ** 2);
  assert.equal(Math.round(gpt3.attention / 1e9), 58);
  assert.equal(Math.round(gpt3.total / 1e9), 175);
});

test('Llama 2 has 6,738,415,616 weights, as its paper’s 7B', () => {
  const { total } = countWeights({ layers: 32, heads: 32, dModel: 4096, dFeedForward: 11008, vocabulary: 32000,
    normBiases: false, gated: true, biases: 'none', tied: false });
  assert.equal(total, 6_738_415_616);
});

test('an encoder block of the lab has the weights of one layer', async () => {
  const l = await lab();
  const { parts } = countWeights({ layers: 1, heads: 4, dModel: 32, dFeedForward: 64, vocabulary: 1 });
  const layer = parts.filter(({ kind }) => kind === 'attention' || kind === 'feed-forward')
    .reduce((sum, { weights }) => sum + weights, 0) + 4 * 32; // two norms
  assert.equal(countParameters(l.init.encoderBlock('', 32, 64)), layer);
  l.dispose();
});

test('impossible sizes are refused by name', () => {
  assert.throws(() => countWeights({ ...GPT2, heads: 7 }), heedError('bad-argument', /dHead .*got 109\.7/));
  assert.throws(() => countWeights(/** @type {any} */ ({ layers: 2 })),
    heedError('bad-argument', /heads .*got undefined/));
  const refused = (change, message) => assert.throws(() =>
    countWeights(/** @type {any} */ ({ ...GPT2, ...change })), heedError('bad-argument', message));
  refused({ learnedPosition: 3 }, /^countWeights: there is no option ‘learnedPosition’; .*learnedPositions/);
  refused({ learnedPositions: -1 }, /expected learnedPositions to be an integer from 0, got -1/);
  refused({ dFeedForward: 0.5 }, /dFeedForward .*got 0\.5/);
  refused({ biases: true }, /expected biases to be one of none, qkv, attention, .*, not qkv, not up; got ‘true’/);
  refused({ qkNorm: 'some' }, /expected qkNorm to be one of none, head, all; got ‘some’/);
  refused({ headLayer: 1 }, /expected headLayer to be one of none, dense, dense and norm; got ‘1’/);
  refused({ tied: 'no' }, /tied is ‘no’; it is true or false/);
  assert.throws(() => countWeights(/** @type {any} */ (undefined)), heedError('bad-argument', /are an object/));
});
