/** Long use: memory does not grow over thousands of tokens and hundreds of loads. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { load } from '../../js/index.js';
import { openModelFile } from '../../js/files/model-file.js';
import { Model } from '../../js/model/model.js';
import { tinyGguf } from '../support/tiny-gguf.js';

setFlagsFromString('--expose-gc');
const collect = /** @type {() => void} */ (runInNewContext('gc'));

/** Bytes of reachable buffers and of the reachable heap. */
async function held() {
  for (let i = 0; i < 3; i++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 10)); // finalizers run between two tasks
  }
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}

const MODEL = await tinyGguf();

test('10,000 tokens with rewinds take no memory', async () => {
  /** @type {import('../../js/engine/wasm.js').Engine | undefined} */
  let engine;
  const model = await Model.load(openModelFile, MODEL, {}, (own) => (engine = own));
  const states = () => [engine?.mark, engine?.memory.buffer.byteLength];
  const round = async () => {
    model.rewind(0);
    await model.forward([1, 5, 6, 7]);
    for (let i = 0; i < 16; i++) await model.forward([5 + (i % 6)]);
    model.rewind(8);
    await model.forward([6, 7]);
    await model.runWithCache([1, 2, 3], ['blocks.0.attn.hook_pattern']);
    for await (const _ of model.generate([1, 5, 6], { maxTokens: 15, seed: 1 }));
  };
  for (let i = 0; i < 20; i++) await round();
  const before = states();
  const held0 = await held();
  for (let i = 0; i < 10_000 / 40; i++) await round();
  assert.deepEqual(states(), before, 'the engine’s memory');
  const more = (await held()) - held0;
  assert.ok(more < 1 << 20, `${more} more bytes in use`);
  model.dispose();
});

test('200 loads release their memory', async () => {
  const once = async () => {
    const model = await load(MODEL);
    await model.forward([1, 2]);
    model.dispose();
  };
  for (let i = 0; i < 20; i++) await once();
  const before = await held();
  for (let i = 0; i < 200; i++) await once();
  const more = (await held()) - before;
  assert.ok(more < 8 << 20, `${more} more bytes in use after 200 models`);
});
