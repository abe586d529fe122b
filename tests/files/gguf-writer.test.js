// The GGUF writer: Hugging Face's parser and heed read its files.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gguf } from '@huggingface/gguf';
import { array, bool, float32, string, uint32, writeGguf } from '../../js/files/gguf/writer.js';
import { writeGgufFile } from '../../js/cli/convert/gguf-file.js';
import { bfloatFromFloat, byteLength, decode, encode } from '../../js/files/gguf/quantize.js';
import { floatFromHalf, halfFromFloat } from '../../js/files/half.js';
import { quantGolden } from '../support/goldens.js';

const ones = new Float32Array(64).fill(1);
const content = {
  metadata: {
    'general.architecture': string('llama'),
    'llama.block_count': uint32(3),
    'llama.rope.freq_base': float32(1e4),
    'tokenizer.ggml.add_bos_token': bool(true),
    'tokenizer.ggml.tokens': array('string', ['<s>', 'Ġé', '']),
    'tokenizer.ggml.scores': array('float32', [0, -1.5, 2]),
    'general.count': /** @type {const} */ ({ type: 'int64', value: -5n }),
  },
  tensors: [
    { name: 'a', type: /** @type {const} */ ('f32'), shape: [5], data: Float32Array.of(1, 2, 3, 4, 5) },
    { name: 'b', type: /** @type {const} */ ('q8_0'), shape: [2, 32], data: () => encode(ones, 'q8_0') },
    { name: 'c', type: /** @type {const} */ ('f16'), shape: [1, 3], data: Uint16Array.of(0x3c00, 0, 0) },
  ],
};

for (const version of /** @type {const} */ ([2, 3])) {
  test(`the Hub's parser reads a version ${version} file as written`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'heed-gguf-'));
    t.after(() => rm(folder, { recursive: true }));
    const path = join(folder, 'x.gguf');
    const size = await writeGgufFile(path, { ...content, version });
    const { metadata: parsed, tensorInfos, tensorDataOffset } = await gguf(path, { allowLocalFile: true });
    const metadata = /** @type {Record<string, unknown>} */ (parsed);
    assert.equal(metadata.version, version);
    assert.deepEqual(metadata['tokenizer.ggml.tokens'], ['<s>', 'Ġé', '']);
    assert.deepEqual(metadata['tokenizer.ggml.scores'], [0, -1.5, 2]);
    assert.equal(metadata['llama.block_count'], 3);
    assert.equal(metadata['tokenizer.ggml.add_bos_token'], true);
    assert.equal(metadata['general.count'], -5n);
    assert.deepEqual(tensorInfos.map((x) => [x.name, x.shape, x.dtype, x.offset]), [
      ['a', [5n], 0, 0n], ['b', [32n, 2n], 8, 32n], ['c', [3n, 1n], 1, 128n],
    ]);
    const file = await readFile(path);
    const data = file.subarray(Number(tensorDataOffset));
    assert.equal(size, file.length);
    assert.equal(data.length, 128 + 32);
    assert.deepEqual([...decode(data.subarray(0, 20), 'f32')], [1, 2, 3, 4, 5]);
    assert.deepEqual(decode(data.subarray(32, 32 + byteLength('q8_0', [2, 32])), 'q8_0'),
      new Float32Array(64).fill(127 * floatFromHalf(halfFromFloat(1 / 127))));
    assert.deepEqual(Buffer.from(await writeGguf({ ...content, version })), file);
  });
}

test('data with a length that contradicts type and shape are refused', async () => {
  const tensors = [{ name: 'a', type: /** @type {const} */ ('f32'), shape: [4], data: new Float32Array(5) }];
  await assert.rejects(writeGguf({ metadata: {}, tensors }), /a: expected 16 bytes by type and shape, got 20/);
  assert.throws(() => byteLength('q4_0', [2, 48]), /rows of 48 numbers are not a multiple of 32/);
});

test('half precision: every finite half survives, ties go to even, overflow and underflow are correct', () => {
  for (let bits = 0; bits < 0x10000; bits++) {
    const x = floatFromHalf(bits);
    if (!Number.isNaN(x)) assert.equal(halfFromFloat(x), bits);
  }
  assert.equal(halfFromFloat(NaN) & 0x7fff, 0x7e00);
  assert.equal(floatFromHalf(0x7c01), NaN);
  for (const [x, bits] of [
    [65519.99, 0x7bff], [65520, 0x7c00], [2 ** -25, 0], [3 * 2 ** -25, 2],
    [1 + 2 ** -11, 0x3c00], [1 + 3 * 2 ** -11, 0x3c02], [2047.9999, 0x6800], [-1e-9, 0x8000],
  ]) {
    assert.equal(halfFromFloat(x), bits, String(x));
  }
});

test('bfloat16: nearest, ties to even', () => {
  const ulp = 2 ** -7;
  const cases = [[1, 0x3f80], [1 + ulp / 2, 0x3f80], [1 + 1.5 * ulp, 0x3f82], [-2, 0xc000], [Infinity, 0x7f80]];
  for (const [x, bits] of cases) assert.equal(bfloatFromFloat(x), bits, String(x));
  assert.ok((bfloatFromFloat(NaN) & 0x7fff) > 0x7f80);
});

test('q8_0 and q4_0 give the blocks of ggml\'s reference', () => {
  const x = Float32Array.from({ length: 32 }, (_, i) => i - 15.5); // -15.5 … 15.5
  const q8 = encode(x, 'q8_0');
  assert.equal(q8[0] | q8[1] << 8, halfFromFloat(15.5 / 127));
  assert.deepEqual([...new Int8Array(q8.buffer, 2)].slice(0, 4), [-127, -119, -111, -102]);
  const q4 = encode(x, 'q4_0'); // the first of the largest magnitude, -15.5, becomes nibble 0 by d = 15.5 / 8
  assert.equal(q4[0] | q4[1] << 8, halfFromFloat(15.5 / 8));
  assert.equal(q4[2] & 15, 0);
  assert.equal(q4[2] >> 4, 8);
  assert.equal(q4[17] >> 4, 15); // +8 has no nibble
  assert.equal(encode(new Float32Array(32), 'q4_0')[2], 0x88);
});

for (const type of /** @type {const} */ (['q8_0', 'q4_0'])) {
  test(`${type} has the values of llama.cpp, and encoding the values gives the blocks of llama.cpp`, async () => {
    const { blocks, values } = await quantGolden(type);
    assert.deepEqual(decode(blocks, type), values);
    // The scale of a block survives, because the code of its largest number is 127 or -8.
    assert.deepEqual(encode(values, type), blocks);
  });
}
