/** Captures as .npz and safetensors: NumPy and PyTorch read back names, shapes and bits. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { unzip, zip } from '../../js/files/zip.js';
import { logitLens, toNpz, toSafetensors } from '../../js/insight/index.js';
import { rejects } from '../support/expect.js';
import { temporaryFolder } from '../support/goldens.js';
import { named, open } from '../support/insight.js';

const PYTHON = '/usr/bin/python3';
const noTorch = spawnSync(PYTHON, ['-c', 'import numpy, torch']).status !== 0 && 'NumPy or PyTorch is not installed';
const TORCH_TOOLS = fileURLToPath(new URL('../../tools/torch', import.meta.url));
const SCRIPT = fileURLToPath(new URL('../../docs/insight/read_capture.py', import.meta.url));
const folder = await temporaryFolder(after);

/** Prints name, type, shape and checksum of each array of a file, as NumPy or PyTorch read it. */
const READERS = {
  npz: 'import numpy, sys, zlib\nfor name, x in numpy.load(sys.argv[1]).items():\n' +
    '    print(name, x.dtype, list(x.shape), zlib.crc32(x.tobytes()))',
  // The package safetensors if it is installed; otherwise the reader in tools.
  safetensors: 'import sys, zlib\ntry:\n    from safetensors.torch import load_file\nexcept ImportError:\n' +
    '    from safetensors import read as load_file\nfor name, x in load_file(sys.argv[1]).items():\n' +
    '    print(name, str(x.dtype)[6:], list(x.shape), zlib.crc32(x.numpy().tobytes()))',
};

/** A folder with the module safetensors.torch: the reader in tools if the package is not installed. */
async function safetensorsOrReader() {
  if (spawnSync(PYTHON, ['-c', 'import safetensors.torch']).status === 0) return '';
  const reader = await readFile(join(TORCH_TOOLS, 'safetensors.py'), 'utf8');
  await mkdir(join(folder, 'safetensors'), { recursive: true });
  await writeFile(join(folder, 'safetensors', '__init__.py'), '');
  await writeFile(join(folder, 'safetensors', 'torch.py'), `${reader}\nload_file = read\n`);
  return folder;
}

/** @param {keyof typeof READERS} format @param {Uint8Array} file */
async function readBack(format, file) {
  const path = join(folder, `capture.${format}`);
  await writeFile(path, file);
  const env = { ...process.env, PYTHONPATH: TORCH_TOOLS };
  const { status, stdout, stderr } = spawnSync(PYTHON, ['-c', READERS[format], path], { encoding: 'utf8', env });
  assert.equal(status, 0, stderr);
  return stdout.trim().split('\n').sort();
}

/** @param {Record<string, { data: Float32Array | Int32Array, shape: number[] }>} tensors */
const described = (tensors) => Object.entries(tensors).map(([name, { data, shape }]) =>
  `${name} ${data instanceof Int32Array ? 'int32' : 'float32'} [${shape.join(', ')}] ` +
  `${crc32(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))}`).sort();

describe('captures', { skip: noTorch }, async () => {
  const golden = named('qwen2');
  const model = await open(golden);
  const { cache } = await model.runWithCache(golden.ids);
  const FORMATS = /** @type {const} */ ([['npz', toNpz], ['safetensors', toSafetensors]]);

  for (const [format, write] of FORMATS) {
    test(`${format}: every activation keeps name, shape and bits`, async () => {
      assert.deepEqual(await readBack(format, write(cache)), described(cache));
    });

    test(`${format}: the script of the guide reads a capture and finds z = pattern · v`, async () => {
      const names = ['pattern', 'v', 'z'].map((name) => `blocks.1.attn.hook_${name}`);
      const some = Object.fromEntries(names.map((name) => [name, cache[name]]));
      const path = join(folder, `script.${format}`);
      await writeFile(path, write(some));
      const env = { ...process.env, PYTHONPATH: await safetensorsOrReader() };
      const run = () => spawnSync(PYTHON, [SCRIPT, path], { encoding: 'utf8', env });
      const { status, stdout, stderr } = run();
      assert.equal(status, 0, stderr);
      for (const name of names) {
        assert.ok(stdout.includes(`${name.padEnd(40)} float32  [${some[name].shape.join(', ')}]`), stdout);
      }
      assert.ok(Number(/by at most (\S+)/.exec(stdout)?.[1]) < 1e-4, stdout);
      await writeFile(path, write(some, { batch: true }));
      assert.ok(Number(/by at most (\S+)/.exec(run().stdout)?.[1]) < 1e-4, 'with a first axis for the batch');
      await writeFile(path, write({ [names[0]]: some[names[0]] }));
      assert.match(run().stdout, /^blocks\.1\.attn\.hook_pattern +float32 +\[[\d, ]+\]\n$/, 'a pattern without values');
      const wrong = { ...some[names[2]], data: some[names[2]].data.map((x) => x + 0.5) };
      await writeFile(path, write({ ...some, [names[2]]: wrong }));
      assert.ok(Number(/by at most (\S+)/.exec(run().stdout)?.[1]) > 0.4);
    });

    test(`${format}: results, logits and ids, also with a first axis for the batch`, async () => {
      const lens = await logitLens(model, golden.ids, { top: 2 });
      const { candidates } = lens;
      const pattern = cache['blocks.0.attn.hook_pattern'];
      const shape = Object.values(lens.axes).map(({ length }) => length);
      const part = candidates.subarray(3, 7); // in the middle of a buffer
      const file = write({ lens, part, pattern }, { batch: true });
      assert.deepEqual(await readBack(format, file), described({ lens: { data: lens.data, shape: [1, ...shape] },
        part: { data: part, shape: [1, 4] }, pattern: { data: pattern.data, shape: [1, ...pattern.shape] } }));
      assert.deepEqual(write({ lens }), write({ lens }), 'the same capture gives the same bytes');
    });

    test(`${format}: invalid captures are refused`, async () => {
      const refuse = (/** @type {any} */ capture, /** @type {RegExp} */ why, /** @type {any} */ options) =>
        rejects(() => write(capture, options), 'bad-argument', why);
      await refuse(null, /activations by name/);
      await refuse(new Float32Array(3), /activations by name/);
      await refuse({ cache }, /‘cache’ is not an activation/);
      await refuse({ x: { data: new Float32Array(3), shape: [2] } }, /‘x’ is not an activation/);
      await refuse({ x: { data: new Float32Array(1), shape: [0.5, 2] } }, /‘x’ is not an activation/);
      await refuse({ x: { data: new Float32Array(1), shape: [-1, -1] } }, /‘x’ is not an activation/);
      await refuse({ x: { data: new Float32Array(1), shape: 1 } }, /‘x’ is not an activation/);
      await refuse({ x: [1, 2] }, /‘x’ is not an activation/);
      await refuse({ x: null }, /‘x’ is not an activation/);
      await refuse({ __metadata__: new Float32Array(1) }, /not an activation/);
      await refuse({}, /no option ‘batches’/, { batches: true });
      await refuse({}, /batch is true or false/, { batch: 1 });
    });
  }
});

test('zip writes archives that unzip reads', async () => {
  const first = 'a/b.txt';
  const second = 'größe.txt';
  const parts = [Uint8Array.of(1, 2), Uint8Array.of(3)];
  const archive = zip({ [first]: parts, [second]: [] });
  assert.deepEqual(await unzip(archive, first), Uint8Array.of(1, 2, 3));
  assert.deepEqual(await unzip(archive, second), new Uint8Array(0));
  await rejects(unzip(archive, 'c'), 'bad-file', /no file ‘c’/);
});
