/** Converters on small generated files: names, shards, vocabularies, broken files. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { tokenizerFromGguf, tokenizerFromJson } from '../../js/text/tokenizer.js';
import { convertHf } from '../../js/cli/convert/hf.js';
import { convertLlama2c } from '../../tools/convert/llama2c.js';
import { hfTokenizerMetadata } from '../../js/cli/convert/hf-tokenizer.js';
import { decode } from '../../js/files/gguf/quantize.js';
import { randomFrom } from '../support/numbers.js';
import { goldens, temporaryFolder } from '../support/goldens.js';
import { tinyTokenizer } from '../support/tiny-folder.js';

const folder = await temporaryFolder(after);
const all = await goldens();

/** @param {string} name */
function goldenNamed(name) {
  const golden = all.find((each) => each.name === name);
  assert.ok(golden, name);
  return golden;
}

/** @param {import('../../js/files/gguf/writer.js').GgufContent} content @param {string} name */
async function tensorOf(content, name) {
  const tensor = content.tensors.find((each) => each.name === name);
  assert.ok(tensor, `${name} is missing`);
  const data = typeof tensor.data === 'function' ? await tensor.data() : tensor.data;
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return { type: tensor.type, shape: tensor.shape, values: [...decode(bytes, /** @type {any} */ (tensor.type))] };
}

/** @param {Record<string, { dtype: string, shape: number[], bytes: Uint8Array }>} tensors */
function safetensorsBytes(tensors) {
  let offset = 0;
  const header = Object.entries(tensors).map(([name, { dtype, shape, bytes }]) => {
    offset += bytes.length;
    return [name, { dtype, shape, data_offsets: [offset - bytes.length, offset] }];
  });
  const text = Buffer.from(JSON.stringify(Object.fromEntries(header)));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, ...Object.values(tensors).map(({ bytes }) => bytes)]);
}

test('every golden converts to the tensors and metadata of GGUF', async () => {
  const gpt2 = await convertHf(goldenNamed('gpt2').folder, { type: 'q8_0', general: { license: 'mit' } });
  assert.deepEqual(gpt2.metadata['general.license'], { type: 'string', value: 'mit' });
  assert.deepEqual(gpt2.metadata['general.file_type'], { type: 'uint32', value: 7 });
  assert.deepEqual(gpt2.tensors.map(({ name, type, shape }) => `${name} ${type} ${shape}`).slice(0, 8), [
    'token_embd.weight q8_0 96,64', 'position_embd.weight f32 48,64', 'blk.0.attn_qkv.weight q8_0 192,64',
    'blk.0.attn_qkv.bias f32 192', 'blk.0.attn_output.weight q8_0 64,64', 'blk.0.attn_output.bias f32 64',
    'blk.0.ffn_up.weight q8_0 128,64', 'blk.0.ffn_up.bias f32 128',
  ]);
  const mistral = await convertHf(goldenNamed('mistral').folder, { type: 'f32' });
  assert.deepEqual(mistral.metadata['llama.attention.sliding_window'], { type: 'uint32', value: 5 });
  const awkward = await convertHf(goldenNamed('llama-awkward').folder, { type: 'q4_0' });
  assert.ok(awkward.tensors.every(({ type, shape }) => type === (shape.length === 1 ? 'f32' : 'f16')));
  assert.ok(!awkward.tensors.some(({ name }) => name === 'output.weight')); // tied
});

test('shards give the same model as one file', async () => {
  const { folder: from } = goldenNamed('llama-awkward');
  const to = join(folder, 'shards');
  await cp(from, to, { recursive: true });
  const file = await readFile(join(from, 'model.safetensors'));
  const length = Number(file.readBigUInt64LE(0));
  const { __metadata__: _, ...header } = JSON.parse(file.toString('utf8', 8, 8 + length));
  const entries = Object.entries(header).map(([name, { dtype, shape, data_offsets: [start, end] }]) =>
    /** @type {const} */ ([name, { dtype, shape, bytes: file.subarray(8 + length + start, 8 + length + end) }]));
  const shards = [entries.slice(0, 9), entries.slice(9)];
  const names = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'];
  for (const i of [0, 1]) await writeFile(join(to, names[i]), safetensorsBytes(Object.fromEntries(shards[i])));
  await rm(join(to, 'model.safetensors'));
  const weight_map = Object.fromEntries([0, 1].flatMap((i) => shards[i].map(([name]) => [name, names[i]])));
  await writeFile(join(to, 'model.safetensors.index.json'), JSON.stringify({ weight_map }));

  const [whole, sharded] = await Promise.all([from, to].map((path) => convertHf(path, { type: 'f32' })));
  assert.equal(sharded.tensors.length, whole.tensors.length);
  for (const { name } of whole.tensors) assert.deepEqual(await tensorOf(sharded, name), await tensorOf(whole, name));
});

/** @param {any} json @param {string} [pre] */
async function vocabularyOf(json, pre) {
  const to = await mkdtemp(join(tmpdir(), 'heed-vocabulary-'));
  await writeFile(join(to, 'tokenizer.json'), JSON.stringify(json));
  const config = { vocab_size: 266, eos_token_id: 0 };
  const metadata = await hfTokenizerMetadata(to, config, pre).finally(() => rm(to, { recursive: true }));
  return Object.fromEntries(Object.entries(metadata).map(([key, { value }]) => [key, value]));
}

test('a vocabulary in GGUF encodes like its tokenizer.json', async () => {
  const json = tinyTokenizer();
  const plain = await vocabularyOf(json);
  assert.equal(plain['tokenizer.ggml.pre'], 'gpt-2');
  assert.equal(plain['tokenizer.ggml.add_bos_token'], true);
  assert.equal(plain['tokenizer.ggml.bos_token_id'], 0);
  const tokens = /** @type {string[]} */ (plain['tokenizer.ggml.tokens']);
  assert.equal(tokens[265], '[PAD265]'); // the model has more rows than tokens
  const ours = tokenizerFromGguf(/** @type {any} */ (plain), 'tiny.gguf');
  const theirs = tokenizerFromJson(json, { vocab_size: 266, eos_token_id: 0 }, 'tokenizer.json');
  for (const text of ['the cat on the mat', 'Émile 1212\n\n  ate', '']) {
    assert.deepEqual(ours?.encode(text), theirs.encode(text), text);
  }
});

test('pre-tokenizers are recognized by their regular expressions', async () => {
  const expression = (/** @type {string} */ digits) =>
    `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}${digits}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*` +
    '|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+';
  const split = (/** @type {string} */ digits) => ({
    type: 'Sequence',
    pretokenizers: [{ type: 'Split', pattern: { Regex: expression(digits) } }, { type: 'ByteLevel', use_regex: false }],
  });
  const single = { type: 'Digits', individual_digits: true };
  const digits = { type: 'Sequence', pretokenizers: [single, { type: 'ByteLevel' }] };
  const json = tinyTokenizer();
  for (const [pre_tokenizer, name, ignore_merges] of /** @type {const} */ ([[split('{1,3}'), 'llama-bpe', true],
    [split('{1,3}'), 'dbrx', false], [split(''), 'qwen2', false], [digits, 'smollm', false]])) {
    const model = { ...json.model, ignore_merges };
    assert.equal((await vocabularyOf({ ...json, model, pre_tokenizer }))['tokenizer.ggml.pre'], name);
  }
  const unknown = { ...json, pre_tokenizer: { type: 'Whitespace' } };
  await assert.rejects(vocabularyOf(unknown), /has no known name in GGUF\. Give its name with --pre/);
  assert.equal((await vocabularyOf(unknown, 'mine'))['tokenizer.ggml.pre'], 'mine');
  await assert.rejects(vocabularyOf({ ...json, model: { type: 'Unigram', vocab: [] } }), /is not a BPE/);
});

/** A tokenizer.json with the merges that SentencePiece's tokens become. @param {string[]} pieces  in order of scores
 *  @param {object} normalizer */
function pieceTokenizer(pieces, normalizer) {
  const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
  const tokens = ['<unk>', '<s>', '</s>', ...bytes, ...'abcdehnt▁', ...pieces];
  const merges = pieces.flatMap((piece) => Array.from({ length: piece.length - 1 }, (_, i) =>
    [piece.slice(0, i + 1), piece.slice(i + 1)])
    .filter((pair) => pair.every((part) => tokens.includes(part))));
  return {
    added_tokens: ['<unk>', '<s>', '</s>'].map((content, id) => ({ id, content, special: true })),
    normalizer,
    post_processor: { type: 'TemplateProcessing', special_tokens: { '<s>': { ids: [1] } },
      single: [{ SpecialToken: { id: '<s>', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }] },
    decoder: { type: 'Sequence', decoders: [{ type: 'Replace', pattern: { String: '▁' }, content: ' ' },
      { type: 'ByteFallback' }, { type: 'Fuse' }] },
    model: { type: 'BPE', byte_fallback: true, unk_token: '<unk>', fuse_unk: true, merges,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])) },
  };
}

test('SentencePiece in GGUF encodes like its tokenizer.json, with and without a space before the text', async () => {
  const spaces = { type: 'Replace', pattern: { String: ' ' }, content: '▁' };
  const prefix = { type: 'Sequence', normalizers: [{ type: 'Prepend', prepend: '▁' }, spaces] };
  const pieces = ['▁t', 'he', 'an', '▁the', 'nd', '▁a', 'and', '▁and', 'bc', 'ab', 'abc', 'at', '▁▁', 'cat', '▁cat'];
  const next = randomFrom(7);
  for (const normalizer of [prefix, spaces]) {
    const json = pieceTokenizer(pieces, normalizer);
    const metadata = await vocabularyOf(json);
    assert.equal(metadata['tokenizer.ggml.add_space_prefix'], normalizer === prefix);
    const ours = tokenizerFromGguf(/** @type {any} */ (metadata), 'tiny.gguf');
    const theirs = tokenizerFromJson(json, { vocab_size: 266, eos_token_id: 2 }, 'tokenizer.json');
    for (let i = 0; i < 300; i++) {
      const text = Array.from({ length: i % 40 }, () => 'abcdehnt   thecatandé\n'[Math.floor(next() * 22)]).join('');
      assert.deepEqual(ours?.encode(text), theirs.encode(text), JSON.stringify(text));
    }
  }
  const json = pieceTokenizer(pieces, spaces);
  json.model.merges = json.model.merges.filter((pair) => pair.join(' ') !== 'a bc');
  await assert.rejects(vocabularyOf(json), /does not merge ‘a’ and ‘bc’, although ‘abc’ is a token/);
  await assert.rejects(vocabularyOf(pieceTokenizer(pieces, { type: 'NFC' })), /does not write spaces as ‘▁’/);
});

/** Numbers in each weight of a llama2.c checkpoint: dim 4, hidden 6, one layer, two heads on one key head, 3 tokens. */
const SIZES = { tokens: 12, norm: 4, q: 16, k: 8, v: 8, o: 16, gate: 24, down: 24, up: 24, rope: 2 * 5 };

/** @param {number} vocabulary */
function headerInts(vocabulary) {
  return Buffer.from(Int32Array.of(4, 6, 1, 2, 1, vocabulary, 5).buffer);
}

async function tinyVocabulary() {
  const path = join(folder, 'tiny-tokenizer.bin');
  const parts = ['<unk>', '\n<s>\n', '\n</s>\n'].map((token) => {
    const part = Buffer.alloc(8);
    part.writeInt32LE(token.length, 4);
    return Buffer.concat([part, Buffer.from(token)]);
  });
  await writeFile(path, Buffer.concat([Buffer.from(Int32Array.of(6).buffer), ...parts]));
  return path;
}

test('llama2.c version 0: order of the weights, untied output matrix, no RoPE tables', async () => {
  const { tokens, norm, q, k, v, o, gate, down, up, rope } = SIZES;
  const total = tokens + norm + q + k + v + o + norm + gate + down + up + norm + rope + tokens;
  const path = join(folder, 'v0.bin');
  const numbers = Buffer.from(Float32Array.from({ length: total }, (_, i) => i).buffer);
  await writeFile(path, Buffer.concat([headerInts(-3), numbers]));
  const content = await convertLlama2c(path, await tinyVocabulary(), 'f32');
  const first = async (/** @type {string} */ name) => (await tensorOf(content, name)).values[0];
  assert.equal(await first('token_embd.weight'), 0);
  assert.equal(await first('blk.0.attn_norm.weight'), 12);
  assert.equal(await first('blk.0.attn_k.weight'), 32);
  assert.equal(await first('blk.0.ffn_norm.weight'), 64);
  assert.equal(await first('blk.0.ffn_gate.weight'), 68);
  assert.equal(await first('blk.0.ffn_down.weight'), 92);
  assert.equal(await first('blk.0.ffn_up.weight'), 116);
  assert.equal(await first('output_norm.weight'), 140);
  assert.equal(await first('output.weight'), 144 + rope);
  assert.equal(content.tensors.length, 12);
  assert.deepEqual(content.metadata['tokenizer.ggml.tokens'].value, ['<unk>', '<s>', '</s>']);
  await writeFile(path, Buffer.concat([headerInts(-3), numbers.subarray(4)]));
  await assert.rejects(convertLlama2c(path, await tinyVocabulary(), 'f32'), /has 688 bytes; its header requires 692/);
});

test('llama2.c version 2: norms first, then integers and scales of each group', async () => {
  const { tokens, norm, q, k, v, o, gate, down, up } = SIZES;
  const header = Buffer.alloc(256);
  header.write('24ka', 'latin1');
  header.writeInt32LE(2, 4);
  headerInts(3).copy(header, 8);
  header.writeUInt8(1, 36); // tied
  header.writeInt32LE(4, 37); // numbers a group
  const groups = [tokens, q, k, v, o, gate, down, up].map((size, n) => Buffer.concat([
    Buffer.from(Int8Array.from({ length: size }, (_, i) => i - 5)),
    Buffer.from(Float32Array.from({ length: size / 4 }, (_, i) => (n + 1) * (i + 1)).buffer),
  ]));
  const path = join(folder, 'v2.bin');
  const norms = Buffer.from(Float32Array.from({ length: 3 * norm }, (_, i) => i).buffer);
  const bytes = Buffer.concat([header, norms, ...groups]);
  await writeFile(path, bytes);
  const content = await convertLlama2c(path, await tinyVocabulary(), 'f32');
  assert.deepEqual((await tensorOf(content, 'output_norm.weight')).values, [8, 9, 10, 11]);
  assert.deepEqual((await tensorOf(content, 'token_embd.weight')).values.slice(0, 5), [-5, -4, -3, -2, -2]);
  assert.deepEqual((await tensorOf(content, 'blk.0.attn_k.weight')).values, [-15, -12, -9, -6, -6, 0, 6, 12]);
  assert.ok(!content.tensors.some(({ name }) => name === 'output.weight'));
  bytes.writeInt32LE(1, 4);
  await writeFile(path, bytes);
  await assert.rejects(convertLlama2c(path, await tinyVocabulary(), 'f32'), /version 1; only 0 and 2/);
});
