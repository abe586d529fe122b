/** The engine reads weights in the way that was faster in the first steps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Streams } from '../../js/engine/streams.js';
import { Engine } from '../../js/engine/wasm.js';
import { load } from '../../js/index.js';
import { STORIES } from '../support/model.js';

const STEPS = 16;

/** An engine that records how often and to what it was set. */
async function recorded() {
  const engine = await Engine.create();
  /** @type {number[]} */
  const set = [];
  const ask = engine.ask.bind(engine);
  engine.ask = (name, ...parameters) => {
    if (name === 'heed_set_streams') set.push(parameters[0]);
    return ask(name, ...parameters);
  };
  return { engine, set };
}

/** @param {number} ms */
function work(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

for (const fast of [0, 1]) {
  test(`${fast ? 'many' : 'few'} streams remain if their steps are faster`, async () => {
    const { engine, set } = await recorded();
    const streams = new Streams(engine);
    for (let i = 0; i < STEPS; i++) {
      assert.equal(streams.run(() => (work(set.at(-1) === fast ? 0 : 3), i)), i);
    }
    assert.deepEqual(set, [...Array.from({ length: STEPS }, (_, i) => i % 2), fast]);
    streams.run(() => work(0));
    assert.equal(set.length, STEPS + 1, 'no more changes');
  });
}

test('a step that fails is repeated with the same streams', async () => {
  const { engine, set } = await recorded();
  const streams = new Streams(engine);
  assert.throws(() => streams.run(() => { throw new RangeError('a step'); }), RangeError);
  for (let i = 0; i < STEPS; i++) streams.run(() => work(0));
  assert.deepEqual(set.slice(0, -1), [0, ...Array.from({ length: STEPS }, (_, i) => i % 2)]);
});

test('a model counts the steps of one token, of forward and of generate', async (t) => {
  /** @type {number[]} */
  const set = [];
  const { ask } = Engine.prototype;
  t.mock.method(Engine.prototype, 'ask', /** @this {Engine} */ function (/** @type {any[]} */ ...call) {
    if (call[0] === 'heed_set_streams') set.push(call[1]);
    return ask.apply(this, /** @type {any} */ (call));
  });
  const model = await load(STORIES, { worker: false });
  t.after(() => model.dispose());
  await model.forward([1, 2, 3]);
  assert.deepEqual(set, [], 'a prompt');
  await model.forward([4]);
  await model.forward([5]);
  assert.deepEqual(set, [0, 1]);
  for await (const { id } of model.generate('Once', { maxTokens: 30, temperature: 0 })) assert.ok(id >= 0);
  assert.deepEqual(set.slice(0, STEPS), Array.from({ length: STEPS }, (_, i) => i % 2));
  assert.equal(set.length, STEPS + 1);
});
