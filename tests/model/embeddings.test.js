/** Vectors of texts as llama.cpp computes them, and as modules of sentence-transformers say: pooling, Dense layers. */
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { encode } from '../../js/files/gguf/quantize.js';
import { load } from '../../js/index.js';
import { assertClose, scaleOf } from '../support/compare.js';
import { DENSE, EMBEDDERS, TEXT, embedderOf } from '../support/embeddings.js';
import { ENCODERS } from '../support/encoders.js';
import { rejects } from '../support/expect.js';
import { D, FAMILIES, huggingFaceOf } from '../support/families.js';
import { temporaryFolder } from '../support/goldens.js';
import { floats, randomFrom } from '../support/numbers.js';
import { WORD_PIECE } from '../support/word-piece.js';

/** llama.cpp takes GELU from a table in half precision. */
const GELU_TOLERANCE = 1e-3;
const TOLERANCE = 1e-5;
/** Vectors by llama.cpp. @type {Record<string, number[]>} */
const goldens = JSON.parse(await readFile(new URL('../goldens/embeddings.json', import.meta.url), 'utf8'));
const GEMMA = /** @type {(typeof EMBEDDERS)[number]} */ (EMBEDDERS.find(({ dense }) => dense));
const row = (/** @type {string} */ name) =>
  [...ENCODERS, ...FAMILIES].find((one) => one.name === name) ?? assert.fail(name);

/** @param {any} source @param {import('../../js/index.js').LoadOptions} [options] */
async function open(source, options) {
  const model = await load(source, options);
  after(() => model.dispose());
  return model;
}
const gguf = async (/** @type {Parameters<typeof embedderOf>} */ ...of) =>
  ({ weights: await embedderOf(...of), tokenizer: WORD_PIECE });

/** @param {ArrayLike<number>} x */
const normalized = (x) => Array.from(x, (value) => value / Math.hypot(...Array.from(x)));
/** y = activation(W·x + b) in float64. @param {ArrayLike<number>} x @param {ArrayLike<number>} W
 *  @param {ArrayLike<number>} [b] @param {(x: number) => number} [activation] */
const denseOf = (x, W, b, activation = (y) => y) => Array.from({ length: W.length / x.length }, (_, o) =>
  activation(Array.from(x).reduce((sum, value, i) => sum + W[o * x.length + i] * value, b?.[o] ?? 0)));

for (const of of EMBEDDERS) {
  for (const worker of [false, true]) {
    test(`${of.name}, ${of.pooling[1]}, ${worker ? 'in a Worker' : 'here'}: llama.cpp computes the same`, async () => {
      const model = await open(await gguf(of), { worker });
      assert.equal(model.info.pooling, of.pooling[1]);
      const expected = goldens[`${of.name} ${of.pooling[1]}`];
      const tolerance = /gelu/.test(row(of.name).means.variant?.activation ?? '') ? GELU_TOLERANCE : TOLERANCE;
      assertClose(await model.embed(TEXT, { normalize: false }), expected, tolerance * scaleOf(expected), 'vector');
      assertClose(await model.embed(TEXT), normalized(expected), tolerance, 'normalized');
    });
  }
}

describe('Dense layers in GGUF', () => {
  const [first, second] = Object.values(DENSE).map(({ data }) => data);

  test('follow any pooling but none; quantized layers have their decoded values', async () => {
    const model = await open(await gguf(GEMMA));
    const each = await model.embed(TEXT, { pooling: 'none' });
    assert.equal(each.length % D, 0);
    const expected = denseOf(denseOf(each.subarray(-D), first), second);
    assertClose(await model.embed(TEXT, { pooling: 'last', normalize: false }), expected, 1e-6 * scaleOf(expected),
      'last');
    const type = /** @type {const} */ ('q8_0');
    const rounded = await open(await gguf(GEMMA, {}, (all) => all.map((tensor) => (!tensor.name.startsWith('dense')
      ? tensor : { ...tensor, type, data: encode(/** @type {Float32Array} */ (tensor.data), type) }))));
    const [exact, close] = await Promise.all([model, rounded].map((one) => one.embed(TEXT)));
    assertClose(close, exact, 0.02, 'Q8_0');
    assert.notDeepEqual(close, exact);
    assert.equal(model.info.parameters, rounded.info.parameters);
  });

  test('that are missing, of another type or of another width are named', async () => {
    const without = await open(await gguf(GEMMA, {}, (all) => all.filter(({ name }) => !name.startsWith('dense'))));
    await rejects(without.embed(TEXT), 'unsupported', /makes its vectors by Dense layers that its file lacks, which/);
    assert.equal((await without.embed(TEXT, { pooling: 'mean' })).length, D);
    const { weights, tokenizer } = await gguf(GEMMA, {}, (all) => all.map((tensor) => (tensor.name !== 'dense_3.weight'
      ? tensor : { ...tensor, type: /** @type {const} */ ('q4_0'), data: new Uint8Array(D * 2 * 18) })));
    const name = new TextEncoder().encode('dense_3.weight');
    weights[Buffer.from(weights).indexOf(name) + name.length + 4 + 2 * 8] = 20; // IQ4_NL has as many bytes
    const typed = await open({ weights, tokenizer });
    await rejects(typed.embed(TEXT), 'unsupported', /by the tensor ‘dense_3\.weight’ of the type IQ4_NL, which/);
    assert.equal((await typed.embed(TEXT, { pooling: 'mean' })).length, D);
    const half = gguf(GEMMA, {}, (all) => all.filter((tensor) => tensor.name !== 'dense_2.weight'));
    await rejects(half.then(load), 'bad-tensor',
      /‘dense_3\.weight’ of .* has the shape \[32\]\[64\]; the vectors before it have 32 numbers/);
  });
});

describe('modules of sentence-transformers', async () => {
  const folder = await temporaryFolder(after);
  const next = randomFrom(5);
  const weight = floats(next, 8 * D, 0.5);
  const bias = floats(next, 8, 0.5);
  const type = (/** @type {string} */ name, path = '') => ({ type: `sentence_transformers.models.${name}`, path });
  const MODULES = [type('Transformer'), type('Pooling', '1_Pooling'), type('Dense', '2_Dense'), type('Normalize')];
  const CONFIG = { in_features: D, out_features: 8, bias: true,
    activation_function: 'torch.nn.modules.activation.Tanh' };

  /** A file of safetensors. @param {Record<string, { shape: number[], data: Float32Array }>} tensors */
  function safetensors(tensors) {
    let end = 0;
    const header = new TextEncoder().encode(JSON.stringify(Object.fromEntries(Object.entries(tensors)
      .map(([name, { shape, data }]) => [name, { dtype: 'F32', shape,
        data_offsets: [end, (end += data.byteLength)] }]))));
    return new Uint8Array(Buffer.concat([new Uint8Array(new BigUint64Array([BigInt(header.length)]).buffer), header,
      ...Object.values(tensors).map(({ data }) => new Uint8Array(data.buffer))]));
  }
  const BIAS = { 'linear.bias': { shape: [8], data: bias } };
  const WEIGHTS = { 'linear.weight': { shape: [8, D], data: weight }, ...BIAS };

  /** @param {object} config @param {any} tensors @param {unknown} [modules] @param {object} [more] */
  const opened = (config, tensors, modules = MODULES, more = {}) => open({ ...huggingFaceOf(row('bert')),
    tokenizer: WORD_PIECE, pooling: { pooling_mode: 'cls' }, modules, denseConfig: config,
    dense: safetensors(tensors), ...more });

  test('Dense layers follow the pooling, with their bias and activation', async () => {
    const bare = await open({ ...huggingFaceOf(row('bert')), tokenizer: WORD_PIECE });
    const x = await bare.embed(TEXT, { pooling: 'cls', normalize: false });
    const tanh = denseOf(x, weight, bias, Math.tanh);
    for (const config of [CONFIG, { ...CONFIG, activation_function: undefined }]) {
      const model = await opened(config, WEIGHTS);
      assertClose(await model.embed(TEXT, { normalize: false }), tanh, 1e-6, 'tanh');
      assertClose(await model.embed(TEXT), normalized(tanh), 1e-6, 'normalized');
    }
    const identity = { ...CONFIG, bias: false, activation_function: 'torch.nn.modules.linear.Identity' };
    const back = floats(next, 8 * D, 0.5);
    const two = await opened(identity, { 'linear.weight': WEIGHTS['linear.weight'] },
      [...MODULES.slice(0, 3), type('Dense', '3_Dense')], { secondDenseConfig: identity,
        secondDense: safetensors({ 'linear.weight': { shape: [D, 8], data: back } }) });
    const expected = denseOf(denseOf(x, weight), back);
    assertClose(await two.embed(TEXT, { normalize: false }), expected, 1e-6 * scaleOf(expected), 'two layers');
  });

  test('settings that heed does not compute are named, and pooling runs without the layers', async () => {
    const relu = 'torch.nn.modules.activation.ReLU';
    for (const [config, modules, about] of /** @type {[object, unknown, RegExp][]} */ ([
      [{ ...CONFIG, activation_function: relu }, MODULES, /by the activation ‘torch\.nn\.modules\.activation\.ReLU’/],
      [{ ...CONFIG, use_residual: true }, MODULES, /‘use_residual’/],
      [CONFIG, [...MODULES.slice(0, 2), type('Dense', '2_Dense_1024')], /‘Dense’ in ‘2_Dense_1024’, whose files/],
      [CONFIG, [...MODULES.slice(0, 2), type('Normalize'), MODULES[2]], /modules in the order ‘Transformer Pooling N/],
      [CONFIG, [...MODULES, type('WordWeights')], /by the module ‘WordWeights’/],
    ])) {
      const model = await opened(config, WEIGHTS, modules);
      await rejects(model.embed(TEXT), 'unsupported', about);
      assert.equal((await model.embed(TEXT, { pooling: 'cls' })).length, D);
    }
  });

  test('damaged layers are refused', async () => {
    const narrow = { 'linear.weight': { shape: [16, 16], data: weight }, ...BIAS };
    await rejects(opened(CONFIG, narrow), 'bad-tensor', /‘linear\.weight’ of .* the shape \[16\]\[16\]; .* 32 numbers/);
    await rejects(opened(CONFIG, BIAS), 'bad-tensor', /‘linear\.weight’/);
    await rejects(opened({ ...CONFIG, bias: false }, WEIGHTS), 'bad-tensor', /‘linear\.bias’/);
    await rejects(opened(CONFIG, { 'linear.weight': WEIGHTS['linear.weight'] }), 'bad-tensor', /‘linear\.bias’/);
    await rejects(opened(CONFIG, WEIGHTS, MODULES, { dense: new Uint8Array(4) }), 'truncated', /header/);
    await rejects(opened(CONFIG, WEIGHTS, MODULES, { denseConfig: new Uint8Array([49]) }), 'bad-file', /Dense/);
  });

  test('a folder has them in subfolders', async () => {
    const { weights, config } = huggingFaceOf(row('bert'));
    /** @type {Record<string, any>} */
    const files = { 'config.json': JSON.stringify(config), 'model.safetensors': weights,
      'tokenizer.json': JSON.stringify(WORD_PIECE), 'modules.json': JSON.stringify(MODULES),
      '1_Pooling/config.json': '{"pooling_mode_cls_token":true}', '2_Dense/config.json': JSON.stringify(CONFIG),
      '2_Dense/model.safetensors': safetensors(WEIGHTS) };
    for (const path of ['1_Pooling', '2_Dense']) await mkdir(join(folder, path));
    for (const [path, content] of Object.entries(files)) await writeFile(join(folder, path), content);
    const here = await open(folder);
    const given = await opened(CONFIG, WEIGHTS);
    assert.deepEqual(await here.embed(TEXT), await given.embed(TEXT));
  });
});
