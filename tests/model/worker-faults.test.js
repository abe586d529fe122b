/** Failures around a Worker: each call ends with a HeedError, and the program continues. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { HeedError, quoted } from '../../js/errors.js';
import { load } from '../../js/index.js';
import { startWorker } from '../../js/engine/port.js';
import { RemoteModel } from '../../js/model/remote.js';
import { RemoteTraining } from '../../js/train/remote.js';
import { RemoteTranslator } from '../../js/train/translator-remote.js';
import { rejects } from '../support/expect.js';
import { tinyGguf } from '../support/tiny-gguf.js';

const MODEL = await tinyGguf();
const dying = () => startWorker(/** @type {any} */ (null), '../../tests/support/dying-worker.js');

for (const worker of [false, true]) {
  describe(worker ? 'a model in a worker' : 'a model in this thread', () => {
    test('an abort in the first progress report ends the load', async () => {
      const controller = new AbortController();
      const onProgress = () => controller.abort();
      await rejects(load(MODEL, { worker, onProgress, signal: controller.signal }), 'aborted');
    });

    test('an error in a progress listener ends the load, and the program continues', async () => {
      const onProgress = () => { throw new TypeError('my own mistake'); };
      await rejects(load(MODEL, { worker, onProgress }), 'bad-argument', /my own mistake/);
      const model = await load(MODEL, { worker });
      assert.equal((await model.forward([1])).length, model.info.vocabulary);
      model.dispose();
    });
  });
}

describe('a worker that dies', () => {
  test('rejects pending and later calls', async () => {
    const model = new RemoteModel(await dying());
    const waiting = [model.encode('a'), model.forward([1]), model.attention({ layer: 0, head: 0 })];
    for (const call of waiting) await rejects(call, 'unavailable', /died: it ended with status 3\. Load the model/);
    await rejects(model.encode('b'), 'unavailable', /died/);
    await rejects(() => model.rewind(0), 'unavailable', /died/);
  });

  test('whose file a browser could not fetch is an error with this reason', async () => {
    const port = { post() {}, terminate() {}, ref() {}, unref() {},
      listen: (/** @type {any} */ _, /** @type {(event: object) => void} */ onError) => onError({ type: 'error' }) };
    await rejects(new RemoteModel(port).encode('a'), 'unavailable',
      /worker could not start or died: its file did not load\. Load the model again\.$/);
  });

  test('ends a training and a translator', async () => {
    await rejects(new RemoteTraining(await dying(), 'sort', {}).ended, 'unavailable', /status 3/);
    const translator = new RemoteTranslator(await dying());
    await rejects(translator.translate('a'), 'unavailable', /status 3/);
  });
});

test('a program without dispose() waits for its calls and then ends', () => {
  const index = new URL('../../js/index.js', import.meta.url).href;
  const program = `
    import { load } from ${JSON.stringify(index)};
    const model = await load(new Uint8Array(JSON.parse(process.argv[1])), { worker: true });
    model.forward([1, 2]).then((logits) => console.log(logits.length));`;
  const args = ['--input-type=module', '--eval', program, JSON.stringify(Array.from(MODEL))];
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 120_000 });
  assert.deepEqual([status, signal, stdout], [0, null, '12\n'], stderr);
});

test('an error in a training listener ends the training, and the program continues', async () => {
  const onBegan = () => { throw new RangeError('mine'); };
  await rejects((await RemoteTraining.start('sort', { steps: 2, onBegan })).ended, 'bad-argument', /onBegan.*mine/);
});

describe('untrusted text in messages', () => {
  const MARKS = 'a\u202eb\u0000c\nd\u200fe\u2066f\u{e0041}g\u061ch\ud800i';

  test('is quoted and shortened, and invisible characters appear as codes', () => {
    assert.equal(quoted('a\u202eb\nc'), '‘a<U+202E>b<U+000A>c’');
    assert.doesNotMatch(quoted(MARKS), /[\p{Cc}\p{Cf}\p{Cs}]/u);
    assert.equal(quoted('x'.repeat(1000)).length, 63);
    assert.equal(quoted(new Float32Array(1e6)).length, 63);
    assert.equal(quoted([[1], [2]]), '‘1,2’');
  });

  test('any value can be quoted', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const value of [Symbol('x'), Object.create(null), proxy, [Symbol('y')], { toString: null }, 1n, undefined]) {
      assert.match(quoted(value), /^‘.*’$/);
    }
  });

  test('messages have no invisible characters, and a limited length', () => {
    assert.doesNotMatch(new HeedError('bad-file', `says ${MARKS}`).message, /[\p{Cc}\p{Cf}\p{Cs}]/u);
    assert.ok(new HeedError('bad-file', 'x'.repeat(1e6)).message.length < 3000);
  });
});
