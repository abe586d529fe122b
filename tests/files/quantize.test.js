/** `quantize`: weights are converted to another type while they stream in. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { tinyEncoderDecoder } from '../support/encoder-decoders.js';
import { ENCODERS } from '../support/encoders.js';
import { FAMILIES, huggingFaceOf } from '../support/families.js';
import { asGguf, goldens, temporaryFolder } from '../support/goldens.js';
import { STORIES } from '../support/model.js';
import { sameBits } from '../support/tolerance.js';

const folder = await temporaryFolder(after);
const all = await goldens();
const golden = (/** @type {string} */ name) => {
  const found = all.find((one) => one.name === name);
  assert.ok(found, name);
  return found;
};

/** The files of a golden in Hugging Face's form. @param {string} name */
const safetensors = (name) => {
  const { folder: from } = golden(name);
  return { weights: join(from, 'model.safetensors'), config: join(from, 'config.json') };
};

/** Logits of the golden's text, and the info of the model.
 *  @param {any} source @param {ArrayLike<number>} ids
 *  @param {import('../../js/model/load.js').LoadOptions} [options] */
async function run(source, ids, options) {
  const model = await load(source, options);
  const logits = await model.forward(ids, { all: true });
  model.dispose();
  return { logits, info: model.info };
}

for (const engine of /** @type {const} */ (['scalar', 'simd128'])) {
  describe(`on ${engine}`, () => {
    for (const type of /** @type {const} */ (['q8_0', 'q4_0'])) {
      test(`a model quantized to ${type} while loading equals a file in ${type}`, async () => {
        for (const name of ['gpt2', 'llama', 'llama-tied', 'llama3', 'qwen2']) {
          const { ids } = golden(name);
          const file = await run(await asGguf(golden(name), type, folder), ids, { engine });
          const made = await run(await asGguf(golden(name), 'f32', folder), ids, { engine, quantize: type });
          sameBits(made.logits, file.logits, `${name}, from GGUF`);
          assert.deepEqual(made.info.types, file.info.types);
          assert.equal(made.info.weightsBytes, file.info.weightsBytes);
        }
      });
    }

    test('safetensors of GPT-2 too, with transposed matrices', async () => {
      for (const name of ['gpt2', 'qwen2']) {
        const { ids } = golden(name);
        for (const type of /** @type {const} */ (['q8_0', 'q4_0'])) {
          const file = await run(await asGguf(golden(name), type, folder), ids, { engine });
          const made = await run(safetensors(name), ids, { engine, quantize: type });
          sameBits(made.logits, file.logits, `${name} as ${type}`);
        }
      }
    });

    test('f32 uses the numbers of the file', async () => {
      for (const type of /** @type {const} */ (['f16', 'bf16', 'q8_0', 'q4_0'])) {
        const { ids } = golden('qwen2');
        const path = await asGguf(golden('qwen2'), type, folder);
        const { info } = await run(path, ids, { engine, quantize: 'f32' });
        assert.deepEqual(Object.keys(info.types), ['F32'], type);
        assert.equal(info.weightsBytes >= 4 * info.parameters, true);
      }
      const { ids } = golden('qwen2'); // 16-bit products are sums of f32, in the same order
      const path = await asGguf(golden('qwen2'), 'bf16', folder);
      const kept = await run(path, ids, { engine });
      const widened = await run(path, ids, { engine, quantize: 'f32' });
      const largest = kept.logits.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
      kept.logits.forEach((x, i) => assert.ok(Math.abs(x - widened.logits[i]) <= 1e-5 * largest, `logit ${i}`));
    });
  });
}

test('weights that cannot be quantized keep their type and are named', async () => {
  const { info } = await run(await asGguf(golden('llama-awkward'), 'f32', folder), [1, 2], { quantize: 'q8_0' });
  assert.deepEqual(Object.keys(info.types), ['F32']); // its rows have 36 and 50 numbers
  assert.ok(info.unquantized.includes('token_embd.weight') && info.unquantized.includes('blk.1.ffn_down.weight'));
  assert.ok(info.unquantized.every((name) => !name.includes('norm')), 'vectors are always f32');
  const gpt2 = await run(await asGguf(golden('gpt2'), 'f32', folder), [1, 2], { quantize: 'q8_0' });
  assert.deepEqual(gpt2.info.unquantized, ['position_embd.weight']);
});

test('positions, segments and routers of experts keep their type', async () => {
  const find = (/** @type {{ name: string }[]} */ rows, /** @type {string} */ name) =>
    /** @type {any} */ (rows.find((row) => row.name === name) ?? assert.fail(name));
  for (const [files, kept] of /** @type {[any, string[]][]} */ ([
    [huggingFaceOf(find(FAMILIES, 'qwen2moe')), ['blk.0.ffn_gate_inp.weight', 'blk.1.ffn_gate_inp.weight']],
    [huggingFaceOf(find(ENCODERS, 'bert')), ['position_embd.weight', 'token_types.weight']],
    [tinyEncoderDecoder('bart'), ['position_embd.weight', 'enc.position_embd.weight']],
  ])) {
    const model = await load(files, { quantize: 'q8_0' });
    for (const name of kept) assert.ok(model.info.unquantized.includes(name), `${name} is quantized`);
    model.dispose();
  }
});

test('without the option types do not change, and info names the types', async () => {
  const { info } = await run(STORIES, [1, 2]);
  assert.deepEqual(info.unquantized, []);
  assert.deepEqual(Object.keys(info.types).sort(), ['F32', 'Q8_0']);
  assert.equal(Object.values(info.types).reduce((sum, { bytes }) => sum + bytes, 0), info.weightsBytes);
  const kept = await run(STORIES, [1, 2], { quantize: 'keep' });
  assert.deepEqual(kept.info.types, info.types);
});

test('a Worker and a Blob give the same result', async () => {
  const ids = [1, 2, 3, 4];
  const here = await run(STORIES, ids, { quantize: 'q4_0' });
  const there = await run(new Blob([await readFile(STORIES)]), ids, { quantize: 'q4_0', worker: true });
  sameBits(there.logits, here.logits, 'logits');
  assert.deepEqual(there.info.types, here.info.types);
  assert.deepEqual(Object.keys(here.info.types).sort(), ['F32', 'Q4_0']);
  assert.ok(here.info.weightsBytes < (await run(STORIES, ids)).info.weightsBytes);
});
