// GGUF models in several files: bytes, folders, addresses, and parts that do not belong together.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { load } from '../../js/index.js';
import { rejects } from '../support/expect.js';
import { startHub } from '../support/hub.js';
import { splitGguf, tinyGguf } from '../support/tiny-gguf.js';

const PARTS = await splitGguf(3, { layers: 2 });
const IDS = [1, 5, 6, 7];
const nameOf = (/** @type {number} */ i) => `tiny-Q8_0-0000${i + 1}-of-00003.gguf`;

/** @type {string} */ let folder;
/** @type {Awaited<ReturnType<typeof startHub>>} */ let hub;
/** @type {Float32Array} */ let expected;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heed-split-'));
  await mkdir(join(folder, 'model'));
  for (const [i, part] of PARTS.entries()) await writeFile(join(folder, 'model', nameOf(i)), part);
  hub = await startHub(Object.fromEntries(PARTS.map((part, i) => [`files/${nameOf(i)}`, part])));
  expected = await logits(await tinyGguf({ layers: 2 }));
});
after(async () => {
  await rm(folder, { recursive: true });
  await hub.close();
});

/** @param {any} source @param {object} [options] */
async function logits(source, options) {
  const model = await load(source, options);
  try {
    return await model.forward(IDS);
  } finally {
    model.dispose();
  }
}

test('a model in three parts has the logits of the model in one file, from every kind of source', async () => {
  const blobs = PARTS.map((part, i) => new File([part], nameOf(i)));
  const path = join(folder, 'model');
  const [first, , last] = [0, 1, 2].map((i) => join(path, nameOf(i)));
  for (const [what, source, options] of /** @type {[string, any, object?][]} */ ([
    ['bytes', PARTS], ['bytes in another order', [PARTS[2], PARTS[0], PARTS[1]]], ['files', { weights: blobs }],
    ['files in a worker', blobs, { worker: true }], ['a folder', path], ['a folder’s URL', pathToFileURL(`${path}/`)],
    ['a path', first], ['the path of the last part', last], ['weights of a set', { weights: first }],
    ['an address', `${hub.url}/files/${nameOf(0)}`],
    ['an address in a worker', new URL(`${hub.url}/files/${nameOf(1)}`), { worker: true }]])) {
    assert.deepEqual(await logits(source, options), expected, what);
  }
});

test('parts that are missing, given twice or of another model are refused by name', async () => {
  const other = await splitGguf(3);
  const two = await splitGguf(2);
  const whole = await tinyGguf();
  for (const [parts, says] of /** @type {[Uint8Array[], RegExp][]} */ ([
    [[PARTS[0]], /has 3 parts, and only the first 1 are given/],
    [[PARTS[1]], /has 3 parts, and part 1 is missing; the next is/],
    [[PARTS[0], PARTS[2]], /part 2 is missing/],
    [[PARTS[0], PARTS[1], PARTS[1]], /part 2 is given twice/],
    [[...PARTS, PARTS[2]], /part 3 is given twice/],
    [[other[0], PARTS[1], PARTS[2]], /belong to different models/],
    [[two[0], PARTS[1], PARTS[2]], /belong to different models/],
    [[whole, PARTS[1]], /is not a part of a split model/],
    [[], /at least one file of weights/],
  ])) await rejects(load(parts), 'bad-source', says);
  await rejects(load(PARTS[0]), 'bad-source', /is one part of a split model\. Give all parts: load\(\[part, …\]\)/);
  assert.deepEqual(await logits([whole]), await logits(whole), 'an array may have one whole model');
});

test('a part that is not there, and numbers of parts beyond a limit', async () => {
  await rejects(load(`${hub.url}/files/tiny-Q8_0-00001-of-00004.gguf`), 'unavailable', /00001-of-00004.* 404/);
  await rejects(load(`${hub.url}/files/tiny-00001-of-99999.gguf`), 'too-large', /has 99999 parts; at most 512/);
  await rm(join(folder, 'model', nameOf(2)));
  await rejects(load(join(folder, 'model')), 'unavailable', /has 2 of the 3 parts of ‘tiny-Q8_0\.gguf’/);
  await rejects(load(join(folder, 'model', nameOf(0))), 'unavailable', /00003-of-00003\.gguf.* could not be read/);
});
