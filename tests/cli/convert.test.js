// heed convert: folders to GGUF as llama.cpp reads them, GGUF back to the same numbers, refusals.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, test } from 'node:test';
import { array, string, uint32 } from '../../js/files/gguf/writer.js';
import { load } from '../../js/index.js';
import { readSafetensors } from '../../js/cli/convert/safetensors.js';
import { configFromHuggingFace } from '../../js/files/safetensors/config.js';
import { readHeader } from '../../js/files/gguf/header.js';
import { openSource } from '../../js/files/source.js';
import { StreamReader } from '../../js/files/stream.js';
import { writeSafetensors } from '../../js/files/safetensors/writer.js';
import { DENSE } from '../support/embeddings.js';
import { CONTEXT, FAMILIES, IDS, ggufOf, huggingFaceOf } from '../support/families.js';
import { goldens, temporaryFolder } from '../support/goldens.js';
import { STORIES, collect } from '../support/model.js';
import { ENCODERS } from '../support/encoders.js';
import { BYTE_LEVEL, splitGguf, tinyGguf } from '../support/tiny-gguf.js';
import { writeTinyFolder } from '../support/tiny-folder.js';

const CLI = fileURLToPath(new URL('../../js/cli.js', import.meta.url));
const folder = await temporaryFolder(after);
/** Families that both formats have. */
const ROWS = [...FAMILIES.filter(({ gguf }) => gguf !== false),
  ...ENCODERS.filter(({ name }) => name === 'gemma-embedding')];

/** Logits, or vectors of a model without a head.  @param {import('../../js/index.js').Model} model */
async function numbersOf(model) {
  if (model.info.head !== 'none') return model.forward(IDS);
  const last = model.hooks[model.hooks.length - 1];
  return (await model.runWithCache(IDS, [last])).cache[last].data;
}

/** @param {string[]} args @returns {{ status: number | null, stdout: string, stderr: string }} */
const convert = (...args) => spawnSync(process.execPath, [CLI, 'convert', ...args], { encoding: 'utf8', cwd: folder });

/** @param {import('../support/families.js').Row} row @param {string} name @param {object} [changes] of config.json */
async function writeFolder(row, name, changes) {
  const path = join(folder, name);
  const { weights, config } = huggingFaceOf(row, changes);
  await mkdir(path);
  await writeFile(join(path, 'config.json'), JSON.stringify(config));
  await writeFile(join(path, 'model.safetensors'), weights);
  return path;
}

/** Shapes of tensors, and settings of the architecture. @param {Uint8Array} bytes */
async function headerOf(bytes) {
  const reader = new StreamReader(openSource(bytes).stream(), { name: 'file' });
  const { metadata, tensors } = await readHeader(reader, 'file');
  return { shapes: Object.fromEntries(tensors.map(({ name, dims }) => [name, dims])),
    settings: Object.fromEntries(Object.entries(metadata).filter(([key]) => !/^(general|tokenizer)\./.test(key))) };
}

/** @param {string[]} args */
function done(...args) {
  const { status, stdout, stderr } = convert(...args);
  assert.equal(status, 0, stderr);
  return stdout;
}

test('converted files are the files that llama.cpp opened, with its tokens and its greedy text', async () => {
  const golden = JSON.parse(await readFile(new URL('../goldens/llama-cpp/converted.json', import.meta.url), 'utf8'));
  for (const [dtype, { sha256, prompt, greedy }] of Object.entries(golden.files)) {
    await writeTinyFolder(join(folder, 'tiny'), /** @type {any} */ (dtype));
    done('tiny', `${dtype}.gguf`);
    const bytes = await readFile(join(folder, `${dtype}.gguf`));
    assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256, dtype);
    const model = await load(bytes, { strict: true });
    assert.deepEqual([...await model.encode(golden.text)], prompt, dtype);
    const { summary } = await collect(model.generate(prompt, { maxTokens: 8, temperature: 0 }));
    assert.deepEqual([...summary.ids], greedy.slice(0, 8), dtype);
    model.dispose();
  }
});

for (const row of ROWS) {
  test(`${row.name}: the folder becomes the file that llama.cpp ran`, async () => {
    const isFalcon = row.config.model_type === 'falcon'; // its table leaves out the context
    const path = await writeFolder(row, row.name, isFalcon ? { max_position_embeddings: CONTEXT } : {});
    done(row.name, `${row.name}.gguf`);
    const written = await readFile(`${path}.gguf`);
    const expected = await ggufOf(row);
    const [actual, wanted] = await Promise.all([written, expected].map(headerOf));
    assert.deepEqual(actual.shapes, Object.fromEntries(Object.entries(wanted.shapes).flatMap(([name, dims]) => {
      if (!name.includes('attn_qkv') || 'attn_qkv' in row.names) return [[name, dims]];
      return ['q', 'k', 'v'].map((part) => [name.replace('qkv', part), dims.with(-1, dims.at(-1) / 3)]);
    })));
    for (const [key, value] of Object.entries(wanted.settings)) assert.deepEqual(actual.settings[key], value, key);
    const [first, second] = await Promise.all([written, expected].map((bytes) => load(bytes, { strict: true })));
    assert.deepEqual(await numbersOf(first), await numbersOf(second));
    first.dispose();
    second.dispose();
  });
}

test('a setting that GGUF cannot express is refused', async () => {
  const row = (/** @type {string} */ name) => /** @type {any} */ (FAMILIES.find((each) => each.name === name));
  /** @type {[string, object, RegExp][]} */
  const cases = [
    ['gemma2', { query_pre_attn_scalar: 3 }, /has attention_scale 0\.577\d*, but a GGUF file of architecture gemma2/],
    ['qwen3', { hidden_act: 'gelu_new' }, /has activation gelu_tanh, but .* would mean silu, because GGUF has no key/],
    ['qwen3moe', { norm_topk_prob: false }, /would mean yes, because GGUF has no key for it/],
    ['qwen2moe', { norm_topk_prob: true }, /has expert_norm yes/],
    ['smollm3', { no_rope_layers: [1, 1, 1, 1, 1] }, /has global_every 0, but .* would mean 4/],
    ['smollm3', { partial_rotary_factor: 0.5 }, /rotates a part of each head \(RoPE\)/],
    ['gptj', {}, /is a gptj model, which is not converted\. heed converts gpt2, llama,/],
  ];
  for (const [i, [name, changes, says]] of cases.entries()) {
    await writeFolder(row(name), `refused-${i}`, changes);
    const { status, stderr } = convert(`refused-${i}`, 'x.gguf');
    assert.equal(status, 1, `${name} ${JSON.stringify(changes)}`);
    assert.match(stderr, says);
  }
});

/** Fails unless two folders have the same tensors, settings and logits. @param {string} from @param {string} to */
async function sameFolders(from, to) {
  const [before, now] = await Promise.all([from, to].map((each) => readSafetensors(join(each, 'model.safetensors'))));
  assert.deepEqual(Object.keys(now).sort(), Object.keys(before).sort());
  for (const [tensor, { shape, load: values }] of Object.entries(now)) {
    assert.deepEqual(shape, before[tensor].shape, tensor);
    assert.deepEqual(values(), before[tensor].load(), tensor);
  }
  const [was, is] = await Promise.all([from, to].map(async (each) =>
    configFromHuggingFace(JSON.parse(await readFile(join(each, 'config.json'), 'utf8')), 'config.json')));
  for (const key of /** @type {const} */ (['config', 'layout', 'tied', 'rope'])) {
    assert.deepEqual(is[key], was[key], key);
  }
  await sameLogits(from, to);
}

/** Fails unless two models have the same logits. @param {string} from @param {string} to */
async function sameLogits(from, to) {
  const [first, second] = await Promise.all([from, to].map((each) => load(each, { strict: true })));
  assert.deepEqual(await numbersOf(second), await numbersOf(first));
  first.dispose();
  second.dispose();
}

for (const row of ROWS) {
  test(`${row.name}: GGUF becomes the folder again, and another GGUF file: settings, tensors and logits`, async () => {
    const isFalcon = row.config.model_type === 'falcon';
    const path = await writeFolder(row, `${row.name}-from`, isFalcon ? { max_position_embeddings: CONTEXT } : {});
    done(path, `${path}.gguf`);
    done(`${path}.gguf`, `${path}-back`);
    // Granite 4.0 becomes the class of Granite 3, which names its tensors differently.
    const keepsClass = row.name !== 'granite-4';
    await (keepsClass ? sameFolders : sameLogits)(path, `${path}-back`);
    done(`${path}.gguf`, `${path}-again.gguf`, '--type', 'f32');
    const [file, again] = await Promise.all([`${path}.gguf`, `${path}-again.gguf`].map(async (one) =>
      headerOf(await readFile(one))));
    assert.deepEqual(again, file, 'the same tensors and settings in another GGUF file');
    await sameLogits(`${path}.gguf`, `${path}-again.gguf`);
    const { model_type: type, architectures } = JSON.parse(await readFile(`${path}-back/config.json`, 'utf8'));
    assert.equal(type, keepsClass ? row.config.model_type : 'granite');
    assert.match(architectures.join(), /^\w+(ForCausalLM|TextModel)$/);
  });
}

test('queries, keys and values become one matrix or three, as the class has them', async () => {
  const of = (/** @type {string} */ name) => /** @type {any} */ (FAMILIES.find((each) => each.name === name));
  for (const name of ['phi2', 'phi3']) { // llama.cpp's files of Phi-2 have one matrix, and the class has three
    await writeFile(join(folder, `${name}-one.gguf`), await ggufOf(of(name)));
    await writeFolder(of(name), `${name}-three`);
    done(`${name}-one.gguf`, `${name}-one`);
    await sameFolders(join(folder, `${name}-three`), join(folder, `${name}-one`));
  }
  const divided = await ggufOf(of('phi3'), {}, (tensors) => tensors.flatMap((tensor) => {
    if (!tensor.name.includes('attn_qkv')) return [tensor];
    const [rows, columns] = tensor.shape;
    return ['q', 'k', 'v'].map((part, i) => ({ ...tensor, name: tensor.name.replace('qkv', part),
      shape: [rows / 3, columns],
      data: /** @type {Float32Array} */ (tensor.data).slice(i * rows * columns / 3, (i + 1) * rows * columns / 3) }));
  }));
  await writeFile(join(folder, 'phi3-divided.gguf'), divided);
  done('phi3-divided.gguf', 'phi3-joined');
  await sameFolders(join(folder, 'phi3-three'), join(folder, 'phi3-joined'));
});

test('RoPE frequencies of Llama 3 become its settings; windows become the keys of their class', async () => {
  const scaling = { rope_type: 'llama3', factor: 32, low_freq_factor: 1, high_freq_factor: 4,
    original_max_position_embeddings: 8192 };
  const of = (/** @type {string} */ name) => /** @type {any} */ (FAMILIES.find((each) => each.name === name));
  /** @type {[string, object][]} */
  const cases = [
    ['granite', { rope_theta: 5e5, rope_scaling: scaling }],
    ['qwen3', { use_sliding_window: true, max_window_layers: 0, sliding_window: 5 }],
    ['mixtral', { sliding_window: 5 }],
    ['starcoder2', { sliding_window: 5 }],
    ['gemma2', { attn_logit_softcapping: null }],
    ['yarn', { rope_scaling: { rope_type: 'yarn', factor: 4, attention_factor: 1.5, beta_fast: 16,
      original_max_position_embeddings: 2048 } }],
    ['longrope', { rope_scaling: { type: 'longrope', long_factor: [1.5, 2, 4], short_factor: [1, 1, 2],
      attention_factor: 1.25 } }],
  ];
  for (const [i, [name, changes]] of cases.entries()) {
    const path = await writeFolder(of(name), `settings-${i}`, changes);
    done(path, `${path}.gguf`);
    done(`${path}.gguf`, `${path}-back`);
    await sameFolders(path, `${path}-back`);
  }
});

test('GGUF files that no class can hold are refused', async () => {
  const of = (/** @type {string} */ name) => /** @type {any} */ (FAMILIES.find((each) => each.name === name));
  /** @type {[string, Record<string, any>, RegExp][]} */
  const cases = [
    ['olmo2', { 'attention.key_length': uint32(6), 'rope.dimension_count': uint32(4) }, /bad-tensor|unsupported/],
    ['starcoder2', { 'rope.dimension_count': uint32(4) },
      /has rope_dims 4, but config\.json of a starcoder2 model would mean 8, because its class has no key for it/],
    ['bloom', { 'attention.head_count_kv': uint32(2) }, /\[(bad-tensor|unsupported)\]/],
  ];
  for (const [name, changes, says] of cases) {
    await writeFile(join(folder, 'odd.gguf'), await ggufOf(of(name), changes));
    const { status, stderr } = convert('odd.gguf', 'odd');
    assert.equal(status, 1, name);
    assert.match(stderr, says);
  }
  const bert = /** @type {any} */ (ENCODERS.find(({ name }) => name === 'bert'));
  await writeFile(join(folder, 'bert.gguf'), await ggufOf(bert));
  assert.match(convert('bert.gguf', 'odd').stderr, /is a bert model, for which config\.json is not written\./);
  assert.match(convert('bert.gguf', 'odd.gguf').stderr, /is a bert model, whose weights heed does not write to GGUF/);
});

/** A tokenizer.json of digits, whose texts end with token 39. */
const DIGITS = {
  added_tokens: [{ id: 38, content: '<|end|>', special: true }, { id: 39, content: '<|last|>', special: true }],
  pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
  decoder: { type: 'ByteLevel' },
  post_processor: { type: 'Sequence', processors: [{ type: 'ByteLevel', trim_offsets: false },
    { type: 'TemplateProcessing', single: [{ Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '<|last|>', type_id: 0 } }], pair: [],
    special_tokens: { '<|last|>': { id: '<|last|>', ids: [39], tokens: ['<|last|>'] } } }] },
  model: { type: 'BPE', merges: [], vocab: Object.fromEntries(Array.from({ length: 38 }, (_, id) =>
    [id < 10 ? String(id) : String.fromCharCode(55 + id), id])) },
};

test('pooling, Dense layers and the token after a text convert both ways', async () => {
  const of = (/** @type {string} */ name) => /** @type {any} */ (ROWS.find((each) => each.name === name));
  const module = (/** @type {string} */ type, path = '') => ({ type: `sentence_transformers.models.${type}`, path });
  const dense = Object.values(DENSE).map(({ shape, data }, i) => ({
    [`${i + 2}_Dense/config.json`]: JSON.stringify({ in_features: shape[1], out_features: shape[0], bias: false,
      activation_function: 'torch.nn.modules.linear.Identity' }),
    [`${i + 2}_Dense/model.safetensors`]: writeSafetensors({ 'linear.weight': { dtype: 'F32', shape, data } }, {}),
  }));
  /** @type {[string, object, string[], Record<string, string | Uint8Array>][]} */
  const cases = [
    ['qwen3', { pooling_mode_lasttoken: true }, [], {}],
    ['gemma-embedding', { pooling_mode: 'mean' }, ['2_Dense', '3_Dense'], Object.assign({}, ...dense)],
  ];
  for (const [name, pooling, layers, more] of cases) {
    const path = await writeFolder(of(name), `${name}-embedding`, { eos_token_id: 38 });
    for (const place of ['1_Pooling', ...layers]) await mkdir(join(path, place));
    const modules = [module('Transformer'), module('Pooling', '1_Pooling'), ...layers.map((at) => module('Dense', at)),
      module('Normalize')];
    for (const [file, content] of Object.entries({ 'tokenizer.json': JSON.stringify(DIGITS), ...more,
      'modules.json': JSON.stringify(modules), '1_Pooling/config.json': JSON.stringify(pooling) })) {
      await writeFile(join(path, file), content);
    }
    done(path, `${path}.gguf`);
    done(`${path}.gguf`, `${path}-back`);
    done(`${path}.gguf`, `${path}-again.gguf`, '--type', 'f32');
    const models = await Promise.all([path, `${path}.gguf`, `${path}-back`, `${path}-again.gguf`].map((one) =>
      load(one, { strict: true })));
    const [first, ...others] = await Promise.all(models.map(async (model) =>
      ({ ids: await model.encode('12A'), vector: await model.embed('12A'), pooling: model.info.pooling })));
    assert.deepEqual([...first.ids], [1, 2, 10, 39]);
    for (const other of others) assert.deepEqual(other, first, name);
    const { 'tokenizer.ggml.eot_token_id': eot } = (await readHeader(new StreamReader(
      openSource(await readFile(`${path}.gguf`)).stream(), { name }), name)).metadata;
    assert.equal(eot, 38, 'another end token');
    for (const model of models) model.dispose();
  }
  await writeFile(join(folder, 'gemma-embedding-embedding/1_Pooling/config.json'), '{"pooling_mode":"max"}');
  assert.match(convert('gemma-embedding-embedding', 'x.gguf').stderr,
    /makes its vectors by ‘max’, for which GGUF files of architecture gemma-embedding have no key\. Remove modules/);
  const [[config, layer]] = dense.map(Object.entries);
  await mkdir(join(folder, 'qwen3-embedding/2_Dense'));
  for (const [file, content] of [config, layer]) await writeFile(join(folder, 'qwen3-embedding', file), content);
  await writeFile(join(folder, 'qwen3-embedding/modules.json'),
    JSON.stringify([module('Transformer'), module('Pooling', '1_Pooling'), module('Dense', '2_Dense')]));
  assert.match(convert('qwen3-embedding', 'x.gguf').stderr, /makes its vectors by Dense layers, for which GGUF files/);
});

test('vocabularies become tokenizer.json, which gives the same ids; others are named', async () => {
  const text = 'Once upon a time, there was a 12 "cat".\n\n Łódź';
  done(STORIES, 'stories', '--type', 'f32');
  done('stories', 'stories-again.gguf');
  const models = await Promise.all([STORIES, join(folder, 'stories'), join(folder, 'stories-again.gguf')]
    .map((each) => load(each)));
  const [first, ...others] = await Promise.all(models.map(async (model) => [...await model.encode(text)]));
  for (const [i, ids] of others.entries()) assert.deepEqual(ids, first, ['folder', 'file'][i]);
  for (const model of models) model.dispose();

  const scored = { 'tokenizer.ggml.scores': array('float32', [0, 0, 0, 0, -3, -3, -3, -3, -2, -1.5, -1, -2.5]) };
  await writeFile(join(folder, 'pieces.gguf'), await tinyGguf({ metadata: scored }));
  done('pieces.gguf', 'pieces', '--type', 'f32');
  const { model, normalizer } = JSON.parse(await readFile(join(folder, 'pieces/tokenizer.json'), 'utf8'));
  assert.deepEqual(model.merges, ['▁ ab', '▁a b', '▁ a', 'a b', 'ab c'], 'the best piece first');
  assert.equal(normalizer.normalizers.length, 2, 'a space before the text');
  const [piece, back] = await Promise.all(['pieces.gguf', 'pieces'].map((name) => load(join(folder, name))));
  assert.deepEqual(await back.encode(' abc ab\nca'), await piece.encode(' abc ab\nca'));
  piece.dispose();
  back.dispose();

  await writeFile(join(folder, 'same.gguf'), await tinyGguf());
  assert.match(convert('same.gguf', 'same', '--type', 'f32').stderr,
    /The tokenizer is not converted: The pieces ‘ab’ and ‘abc’ have equal scores/);
  await writeFile(join(folder, 'odd.gguf'), await ggufOf(/** @type {any} */ (FAMILIES[0])));
  assert.match(convert('odd.gguf', 'odd').stderr, /not converted: .*the merge ‘t 1’ does not join two tokens/);
});

test('pre-tokenizers keep their name on the way to tokenizer.json and back', async () => {
  for (const pre of ['gpt-2', 'smollm', 'llama-bpe', 'dbrx', 'qwen2']) {
    const tokenizer = { ...BYTE_LEVEL, 'tokenizer.ggml.pre': string(pre) };
    await writeFile(join(folder, `${pre}.gguf`), await tinyGguf({ tokenizer, type: 'f32' }));
    done(`${pre}.gguf`, `${pre}-folder`);
    done(`${pre}-folder`, `${pre}-again.gguf`);
    const { metadata } = await readHeader(new StreamReader(openSource(join(folder, `${pre}-again.gguf`)).stream(),
      { name: pre }), pre);
    assert.equal(metadata['tokenizer.ggml.pre'], pre);
    for (const key of ['tokens', 'token_type', 'merges']) {
      const list = /** @type {any} */ (metadata[`tokenizer.ggml.${key}`]);
      const strings = Array.from(list, (_, i) => (list.at ? list.at(i) : list[i]));
      assert.deepEqual(strings, /** @type {any} */ (BYTE_LEVEL)[`tokenizer.ggml.${key}`].value, `${pre} ${key}`);
    }
  }
});

test('GGUF converts back to the same numbers, for every family', async () => {
  for (const { name, folder: from } of await goldens()) {
    const to = join(folder, `${name}-back`);
    done(from, `${name}.gguf`);
    const { status, stderr } = convert(`${name}.gguf`, to);
    if (name === 'llama3') { // its frequencies cannot be computed back into settings
      assert.match(stderr, /RoPE frequencies.*\[unsupported\]/);
      continue;
    }
    assert.equal(status, 0, `${name}: ${stderr}`);
    const [before, now] = await Promise.all([from, to].map((each) => readSafetensors(join(each, 'model.safetensors'))));
    for (const [tensor, { shape, load: values }] of Object.entries(now)) {
      assert.deepEqual(shape, before[tensor]?.shape, `${name} ${tensor}`);
      assert.deepEqual(values(), before[tensor].load(), `${name} ${tensor}`);
    }
    const [first, second] = await Promise.all([from, to].map((each) => load(each, { strict: true })));
    assert.deepEqual(await second.forward([1, 2, 3]), await first.forward([1, 2, 3]), name);
    first.dispose();
    second.dispose();
  }
});

test('quantized and split GGUF files: values as floats, one file from parts, JSON', async () => {
  await writeFile(join(folder, 'q8.gguf'), await tinyGguf());
  assert.match(convert('q8.gguf', 'none').stderr, /has the type Q8_0, which safetensors cannot hold\. --type f32/);
  const { files } = JSON.parse(done('q8.gguf', 'floats', '--type', 'f32', '--json'));
  assert.deepEqual(files.map((/** @type {any} */ { path }) => path),
    ['floats/model.safetensors', 'floats/config.json']);
  for (const [i, part] of (await splitGguf(2)).entries()) {
    await writeFile(join(folder, `part-0000${i + 1}-of-00002.gguf`), part);
  }
  done('part-00001-of-00002.gguf', 'whole.gguf', '--type', 'q8_0');
  const [joined, whole] = await Promise.all(['whole.gguf', 'q8.gguf'].map((name) => load(join(folder, name))));
  assert.deepEqual(await joined.forward([1, 5]), await whole.forward([1, 5]));
  joined.dispose();
  whole.dispose();
});

test('arguments and files that cannot be converted', async () => {
  /** @type {[string[], number, RegExp][]} */
  const cases = [
    [[], 2, /expected a model and a place: heed convert FROM TO/],
    [['tiny'], 2, /expected a model and a place/],
    [['tiny', 'x.gguf', '--type', 'q9'], 2,
      /--type q9: expected one of f32, f16, q4_0, q8_0, bf16 for a folder to GGUF/],
    [[STORIES, 'x.gguf', '--type', 'q4_0'], 2, /expected one of f32, f16, q8_0 for GGUF to GGUF/],
    [[STORIES, 'x', '--type', 'q8_0'], 2, /expected one of f32, f16 for GGUF to safetensors/],
    [['tiny', 'folder'], 2, /has safetensors already; name a file that ends in \.gguf/],
    [['absent', 'x.gguf'], 1, /\[unavailable\]/],
    [['cut', 'x.gguf'], 1, /is not a safetensors file, or it is cut.*\[truncated\]/],
  ];
  await writeTinyFolder(join(folder, 'cut'), 'F32');
  const path = join(folder, 'cut/model.safetensors');
  await writeFile(path, (await readFile(path)).subarray(0, -4));
  for (const [args, status, says] of cases) {
    const result = convert(...args);
    assert.equal(result.status, status, result.stderr);
    assert.match(result.stderr, says);
  }
  assert.deepEqual((await readdir(folder)).filter((name) => /part$|^x/.test(name)), [], 'nothing is left');
});
