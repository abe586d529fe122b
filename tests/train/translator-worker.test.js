/** A translator in a Worker: the same translations, the newest text only, and the same errors. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { lab } from '../../js/lab/index.js';
import { openTranslator, RemoteTranslator } from '../../js/train/index.js';

/** @param {string} name */
const fileOf = (name) => readFile(new URL(`../../models/${name}.safetensors`, import.meta.url));
/** @type {RemoteTranslator} */ let remote;
/** @type {import('../../js/train/models/index.js').Translator} */ let here;

before(async () => {
  const file = await fileOf('dates-transformer');
  remote = await RemoteTranslator.open(file);
  here = await openTranslator(await lab(), file);
});
after(() => remote?.dispose());

test('gives the translations and maps of the same model in this thread', async () => {
  for (const beam of [1, 3]) {
    const far = await remote.translate('the 3rd of may 1979', { beam });
    const near = here.translate('the 3rd of may 1979', { beam });
    assert.deepEqual(far, near);
    const at = /** @type {const} */ ({ of: 'encoder.attn', layer: 1, head: 2 });
    assert.deepEqual(far.attention(at), near.attention(at));
    assert.deepEqual(far.attentionRows(), near.attentionRows());
  }
});

test('of concurrent texts the newest is translated, and the others fail with ‘superseded’', async () => {
  const all = ['1 may 1979', '2 may 1979', '3 may 1979', '4 may 1979'].map((text) => remote.translate(text));
  const ends = await Promise.allSettled(all);
  assert.deepEqual(ends.map((end) => (end.status === 'fulfilled' ? end.value.text : end.reason.code)),
    ['superseded', 'superseded', 'superseded', '1979-05-04']);
});

test('an invalid text is an error, and the next text is translated', async () => {
  await assert.rejects(remote.translate('1 März 1979'), { code: 'bad-argument', message: /never seen ‘ä’/ });
  await assert.rejects(remote.translate('', { beam: 0 }), { code: 'bad-argument' });
  assert.equal((await remote.translate('1 may 1979')).text, '1979-05-01');
});

test('options that postMessage cannot clone are refused, and the next text is translated', async () => {
  const options = /** @type {any} */ ({ beam: () => 1 });
  await assert.rejects(remote.translate('1 may 1979', options),
    { code: 'bad-argument', message: /cannot contain functions/ });
  assert.equal((await remote.translate('1 may 1979')).text, '1979-05-01');
});

test('a file of another model is refused, and its worker ends', async () => {
  await assert.rejects(RemoteTranslator.open(await fileOf('histogram')), { code: 'unsupported' });
  await assert.rejects(RemoteTranslator.open(new Uint8Array(3)), { name: 'HeedError' });
});

test('calls of a disposed translator are errors', async () => {
  const other = await RemoteTranslator.open(await fileOf('dates-bahdanau'));
  const waiting = other.translate('1 may 1979');
  other.dispose();
  await assert.rejects(waiting, { code: 'disposed' });
  await assert.rejects(other.translate('1 may 1979'), { code: 'disposed' });
});
