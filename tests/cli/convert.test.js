// heed convert: folders to GGUF as llama.cpp reads them, GGUF back to the same numbers, refusals.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, test } from 'node:test';
import { load } from '../../js/index.js';
import { readSafetensors } from '../../js/cli/convert/safetensors.js';
import { goldens, temporaryFolder } from '../support/goldens.js';
import { STORIES, collect } from '../support/model.js';
import { splitGguf, tinyGguf } from '../support/tiny-gguf.js';
import { writeTinyFolder } from '../support/tiny-folder.js';

const CLI = fileURLToPath(new URL('../../js/cli.js', import.meta.url));
const folder = await temporaryFolder(after);

/** @param {string[]} args @returns {{ status: number | null, stdout: string, stderr: string }} */
const convert = (...args) => spawnSync(process.execPath, [CLI, 'convert', ...args], { encoding: 'utf8', cwd: folder });

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
    [['tiny', 'x.gguf', '--type', 'q9'], 2, /--type q9: expected one of f32, f16, q4_0, q8_0, bf16 for GGUF/],
    [[STORIES, 'x', '--type', 'q8_0'], 2, /expected one of f32, f16 for safetensors/],
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
