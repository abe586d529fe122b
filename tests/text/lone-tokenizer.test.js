/** loadTokenizer gives the ids and texts of the model, and does not read its weights. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { load, loadTokenizer } from '../../js/index.js';
import { clipTokenizer, tinyClip } from '../support/clip.js';
import { rejects } from '../support/expect.js';
import { STORIES } from '../support/model.js';

const TEXT = 'Once upon a time: <|endoftext|> é';

test('it gives the same ids, texts and tokens as the model', async () => {
  const [model, tokenizer] = await Promise.all([load(STORIES), loadTokenizer(STORIES)]);
  const ids = await model.encode(TEXT);
  assert.deepEqual(tokenizer.encode(TEXT), ids);
  assert.deepEqual(tokenizer.encode(TEXT, { special: false }), await model.encode(TEXT, { special: false }));
  assert.equal(tokenizer.decode(ids), await model.decode(ids));
  assert.deepEqual(tokenizer.tokens(ids), await model.tokens(ids));
  assert.equal(tokenizer.size, model.info.vocabulary);
  assert.ok(tokenizer.eos.every(Number.isInteger));
  model.dispose();
});

test('weights are not read', async () => {
  const bytes = await readFile(STORIES);
  const file = new Blob([bytes]);
  const stream = () => new ReadableStream({
    start: (to) => to.enqueue(new Uint8Array(bytes.subarray(0, 300_000))),
    pull: (to) => to.error(new Error('the weights were read')),
  }, { highWaterMark: 0 });
  Object.defineProperty(file, 'stream', { value: stream });
  await rejects(load(file), 'unavailable', /weights were read/);
  assert.equal((await loadTokenizer(file)).size, 2048);
});

test('a CLIP file has the tokenizer of its tower of texts', async () => {
  const files = { ...tinyClip(), tokenizer: clipTokenizer() };
  await rejects(loadTokenizer(files), 'bad-argument', /the option tower/);
  const options = /** @type {const} */ ({ tower: 'text' });
  const [model, tokenizer] = await Promise.all([load(files, options), loadTokenizer(files, options)]);
  assert.deepEqual(tokenizer.encode('a cat'), await model.encode('a cat'));
  model.dispose();
});

test('tokenizer.json needs no model', async () => {
  const json = { model: { type: 'BPE', vocab: { a: 0, b: 1, ab: 2 }, merges: ['a b'] }, added_tokens: [],
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false }, decoder: { type: 'ByteLevel' } };
  const tokenizer = await loadTokenizer({ tokenizer: json });
  assert.deepEqual([...tokenizer.encode('ab')], [2]);
  assert.equal(tokenizer.bos, null);
});

test('wrong arguments are named', async () => {
  const tokenizer = await loadTokenizer(STORIES);
  await rejects(() => tokenizer.encode(/** @type {any} */ (7)), 'bad-argument', /expected a string, got ‘7’/);
  await rejects(() => tokenizer.decode(/** @type {any} */ ('ab')), 'bad-argument', /array of token ids/);
  await rejects(() => tokenizer.tokens([1e6]), 'bad-argument', /ids from 0 to/);
  await rejects(loadTokenizer(STORIES, /** @type {any} */ ({ threads: 1 })), 'bad-argument', /no option ‘threads’/);
});
