/** Checkpoints of other projects with known behavior, run through the converters and the engine. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from '../../js/index.js';
import { convertLlama2c } from '../../tools/convert/llama2c.js';
import { convertMinGpt } from '../../tools/convert/mingpt.js';
import { writeGgufFile } from '../../js/cli/convert/gguf-file.js';
import { assertClose, scaleOf } from '../support/compare.js';
import { ENGINES, on } from '../support/engines.js';
import { temporaryFolder } from '../support/goldens.js';
import { collect } from '../support/model.js';
import { forward, readModel } from '../support/reference.js';

const DATA = fileURLToPath(new URL('../../../shared/data/', import.meta.url));
const options = existsSync(DATA) ? {} : { skip: `${DATA} is missing` };
const folder = await temporaryFolder(after);

/** @param {string} checkpoint @param {import('../../js/files/gguf/quantize.js').TypeName} type */
async function stories260K(checkpoint, type) {
  const path = join(folder, `${checkpoint}-${type}.gguf`);
  await writeGgufFile(path, await convertLlama2c(join(DATA, checkpoint), join(DATA, 'tok512.bin'), type));
  return path;
}

/** Share of positions with the next token as the model's likeliest token.
 *  @param {string} path @param {ArrayLike<number>} ids */
async function agreement(path, ids) {
  const model = await load(path);
  const logits = await model.forward(ids, { all: true });
  const V = logits.length / ids.length;
  let same = 0;
  for (let t = 0; t + 1 < ids.length; t++) {
    const row = logits.subarray(t * V, (t + 1) * V);
    if (row.indexOf(row.reduce((a, b) => Math.max(a, b))) === ids[t + 1]) same++;
  }
  model.dispose();
  return same / (ids.length - 1);
}

for (const engine of ENGINES) {
  test(`stories260K writes the greedy story of its program, ${engine}`, { ...on(engine), ...options }, async () => {
    const expected = (await readFile(join(DATA, 'stories260K.greedy.txt'), 'utf8')).trimEnd();
    const model = await load(await stories260K('stories260K.bin', 'f32'), { engine });
    // llama2.c's own test: the start token alone, temperature 0, 200 steps.
    const { summary } = await collect(model.generate([1], { temperature: 0, maxTokens: 200 }));
    assert.equal(summary.text.trimStart(), expected);
    assert.equal(summary.reason, 'length');
    model.dispose();
  });

  test(`gpt-nano sorts all 729 inputs, ${engine}`, { ...on(engine), ...options }, async () => {
    const path = join(folder, `gpt-nano-${engine}.gguf`);
    await writeGgufFile(path, await convertMinGpt(join(DATA, 'gpt-nano-sort-model.json')));
    const model = await load(path, { engine });
    let sorted = 0;
    for (let n = 0; n < 3 ** 6; n++) {
      const digits = Array.from({ length: 6 }, (_, i) => Math.floor(n / 3 ** i) % 3);
      const { summary } = await collect(model.generate(digits, { temperature: 0, maxTokens: 6 }));
      if (summary.ids.join() === digits.toSorted().join()) sorted++;
    }
    assert.equal(sorted, 729);
    model.dispose();
  });

  test(`llama-2-tiny-random computes the reference's logits, ${engine}`, { ...on(engine), ...options }, async () => {
    const path = join(DATA, 'llama-2-tiny-random.gguf');
    const ids = [1, 15043, 3186, 29889, 2];
    const model = await load(path, { engine });
    const logits = await model.forward(ids, { all: true });
    assert.ok(logits.every(Number.isFinite));
    const expected = forward(await readModel(path), ids).data;
    assertClose(logits, expected, 1e-5 * scaleOf(expected), 'logits');
    model.dispose();
  });
}

test('stories260K: 8-bit forms agree with the float model on its own story', options, async () => {
  const model = await load(await stories260K('stories260K.bin', 'f32'));
  const { summary } = await collect(model.generate([1], { temperature: 0, maxTokens: 200 }));
  model.dispose();
  const story = [1, ...summary.ids];
  assert.equal(await agreement(await stories260K('stories260K.bin', 'f32'), story), 1);
  for (const path of [await stories260K('stories260K-q8.bin', 'f32'), await stories260K('stories260K.bin', 'q8_0')]) {
    const share = await agreement(path, story);
    assert.ok(share >= 0.95, `${path}: ${share}`); // measured: 0.99 twice
  }
});
