/** The k-th growth of memory, read, write or message fails, for every k: the call throws a HeedError, and the next
 *  call works. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import promises, { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Checkpoints } from '../../js/cli/checkpoints.js';
import { HeedError } from '../../js/errors.js';
import { load } from '../../js/index.js';
import { lab as openLab } from '../../js/lab/index.js';
import { findRecipe } from '../../js/train/recipes.js';
import { Trainer } from '../../js/train/trainer.js';
import { tinyGguf } from '../support/tiny-gguf.js';
import { tinySafetensors } from '../support/tiny-safetensors.js';

const folder = await mkdtemp(join(tmpdir(), 'heed-faults-'));
after(() => rm(folder, { recursive: true }));
const path = join(folder, 'tiny.gguf');
const MODEL = await tinyGguf();
await writeFile(path, await tinyGguf({ layers: 150 })); // read in some pieces

/**
 * Runs `work` with a failing k-th call of a method, for k = 1, 2, … until `work` makes fewer than k calls.
 * @param {any} owner @param {string} method @param {() => Error} failure
 * @param {(failing: (call: () => any) => Promise<any>) => Promise<void>} work  calls inside `failing` may fail with a
 *   HeedError; other calls must succeed
 * @returns {Promise<number>} recorded calls
 */
async function failEach(owner, method, failure, work) {
  const original = owner[method];
  for (let k = 1; ; k++) {
    assert.ok(k < 500, `endless calls of ${method}`);
    let calls = 0;
    const failing = async (/** @type {() => any} */ call) => {
      owner[method] = /** @this {any} @param {any[]} values */ function (...values) {
        if (++calls === k) throw failure();
        return original.apply(this, values);
      };
      syncBuiltinESMExports();
      try {
        return await call();
      } catch (error) {
        assert.ok(error instanceof HeedError, `${method}, call ${k}: ${/** @type {Error} */ (error).stack}`);
        return null;
      } finally {
        owner[method] = original;
        syncBuiltinESMExports();
      }
    };
    await work(failing);
    if (calls < k) return k - 1;
  }
}

const noMemory = () => new RangeError('no memory');

/** Uses of a model. @param {import('../../js/model/load.js').LoadedModel} model */
async function use(model) {
  const logits = await model.forward([1, 2, 3]);
  await model.attention({ layer: 0, head: 0 });
  await model.runWithCache([1, 2], ['blocks.0.attn.hook_pattern']);
  for await (const _ of model.generate([1, 5], { maxTokens: 3 }));
  return logits;
}

test('a model when memory cannot grow', async () => {
  const calls = await failEach(WebAssembly.Memory.prototype, 'grow', noMemory, async (failing) => {
    const model = (await failing(() => load(MODEL))) ?? (await load(MODEL));
    await failing(() => use(model));
    model.rewind(0);
    assert.ok((await use(model)).every(Number.isFinite));
    model.dispose();
  });
  assert.ok(calls > 0);
});

test('a lab when memory cannot grow', async () => {
  const calls = await failEach(WebAssembly.Memory.prototype, 'grow', noMemory, async (failing) => {
    const lab = (await failing(() => openLab())) ?? (await openLab());
    const large = () => lab.tensor(new Float32Array(1 << 20), [1 << 10, 1 << 10]);
    await failing(() => { for (let i = 0; i < 4; i++) large(); });
    assert.equal(lab.tensor([1, 2]).data[1], 2);
    lab.dispose();
  });
  assert.ok(calls > 0);
});

test('a file with a failing read', async () => {
  const eio = () => Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
  const calls = await failEach(fs, 'readSync', eio, async (failing) => {
    (await failing(() => load(path)))?.dispose();
    (await load(path)).dispose();
  });
  assert.ok(calls > 1, `${calls} reads`);
});

test('a stream with an error after any number of bytes', async () => {
  const { weights, config } = tinySafetensors();
  for (const [bytes, files] of /** @type {[Uint8Array, (blob: Blob) => any][]} */ ([
    [MODEL, (blob) => blob], [weights, (blob) => ({ weights: blob, config })],
  ])) {
    for (let at = 0; at < bytes.length; at += 997) {
      const blob = new Blob([bytes]);
      blob.stream = () => new ReadableStream({
        start(controller) {
          controller.enqueue(bytes.slice(0, at));
          controller.error(new TypeError('the disk was taken out'));
        },
      });
      await assert.rejects(load(files(blob)), { name: 'HeedError' });
    }
  }
});

test('a checkpoint with a failing write', async () => {
  const lab = await openLab({ seed: 1 });
  const recipe = await findRecipe('sort');
  const trainer = new Trainer(lab, recipe, await recipe.data({}), { steps: 4 });
  const checkpoints = new Checkpoints(join(folder, 'sort.checkpoint.safetensors'));
  await checkpoints.write(trainer.checkpoint());
  for (const method of ['mkdir', 'open', 'rename']) {
    const denied = () => Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
    const calls = await failEach(promises, method, denied, async (failing) => {
      await failing(() => checkpoints.write(trainer.checkpoint()));
      assert.ok(await checkpoints.restore(trainer), `${method} failed, and no state is left`);
      await checkpoints.write(trainer.checkpoint());
    });
    assert.ok(calls > 0, method);
  }
  lab.dispose();
});

test('a message that postMessage cannot clone', async () => {
  const uncloneable = () => new DOMException('it could not be cloned', 'DataCloneError');
  const calls = await failEach(Worker.prototype, 'postMessage', uncloneable, async (failing) => {
    const loaded = await failing(() => load(MODEL, { worker: true }));
    const model = loaded ?? (await load(MODEL, { worker: true }));
    await failing(() => use(model));
    assert.ok((await use(model)).every(Number.isFinite));
    model.dispose();
  });
  assert.ok(calls > 5, `${calls} messages`);
});
