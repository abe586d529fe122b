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
    test('an abort in the first report of progress is heard', async () => {
      const controller = new AbortController();
      const onProgress = () => controller.abort();
      await rejects(load(MODEL, { worker, onProgress, signal: controller.signal }), 'aborted');
    });

    test('a listener of progress that throws ends the load, and not the program', async () => {
      const onProgress = () => { throw new TypeError('my own mistake'); };
      await rejects(load(MODEL, { worker, onProgress }), 'bad-argument', /my own mistake/);
      const model = await load(MODEL, { worker });
      assert.equal((await model.forward([1])).length, model.info.vocabulary);
      model.dispose();
    });
  });
}

describe('a worker that dies', () => {
  test('rejects what waits for it, and what comes later', async () => {
    const model = new RemoteModel(await dying());
    const waiting = [model.encode('a'), model.forward([1]), model.attention({ layer: 0, head: 0 })];
    for (const call of waiting) await rejects(call, 'unavailable', /died: it ended with status 3\. Load the model/);
    await rejects(model.encode('b'), 'unavailable', /died/);
    await rejects(() => model.rewind(0), 'unavailable', /died/);
  });

  test('ends a training and a translator', async () => {
    await rejects(new RemoteTraining(await dying(), 'sort', {}).ended, 'unavailable', /status 3/);
    const translator = new RemoteTranslator(await dying());
    await rejects(translator.translate('a'), 'unavailable', /status 3/);
  });
});

test('a program ends though it never disposed of its model, and waits for what it asked', () => {
  const index = new URL('../../js/index.js', import.meta.url).href;
  const program = `
    import { load } from ${JSON.stringify(index)};
    const model = await load(new Uint8Array(JSON.parse(process.argv[1])), { worker: true });
    model.forward([1, 2]).then((logits) => console.log(logits.length));`;
  const args = ['--input-type=module', '--eval', program, JSON.stringify(Array.from(MODEL))];
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 120_000 });
  assert.deepEqual([status, signal, stdout], [0, null, '12\n'], stderr);
});

test('a listener of a training that throws ends the training, and not the program', async () => {
  const onBegan = () => { throw new RangeError('mine'); };
  await rejects((await RemoteTraining.start('sort', { steps: 2, onBegan })).ended, 'bad-argument', /onBegan.*mine/);
});

describe('text of strangers in sentences', () => {
  const MARKS = 'a\u202eb\u0000c\nd\u200fe\u2066f\u{e0041}g\u061ch\ud800i';

  test('is quoted, short, and shows every invisible character by its code', () => {
    assert.equal(quoted('a\u202eb\nc'), '‘a<U+202E>b<U+000A>c’');
    assert.doesNotMatch(quoted(MARKS), /[\p{Cc}\p{Cf}\p{Cs}]/u);
    assert.equal(quoted('x'.repeat(1000)).length, 63);
    assert.equal(quoted(new Float32Array(1e6)).length, 63);
    assert.equal(quoted([[1], [2]]), '‘1,2’');
  });

  test('of any value, without an error', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const value of [Symbol('x'), Object.create(null), proxy, [Symbol('y')], { toString: null }, 1n, undefined]) {
      assert.match(quoted(value), /^‘.*’$/);
    }
  });

  test('cannot hide in any sentence, and no sentence is endless', () => {
    assert.doesNotMatch(new HeedError('bad-file', `says ${MARKS}`).message, /[\p{Cc}\p{Cf}\p{Cs}]/u);
    assert.ok(new HeedError('bad-file', 'x'.repeat(1e6)).message.length < 3000);
  });
});
