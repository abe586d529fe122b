/** The engine reads weights in the way that was faster in the first steps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseStreams } from '../../js/engine/streams.js';
import { Engine } from '../../js/engine/wasm.js';
import { load } from '../../js/index.js';
import { STORIES } from '../support/model.js';

const STEPS = 16;
/** Settings of the timed steps: many, few, few, many. */
const TURNS = Array.from({ length: STEPS }, (_, i) => [1, 0, 0, 1][i % 4]);

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
    const run = chooseStreams(engine);
    for (let i = 0; i < STEPS; i++) {
      assert.equal(run('step', () => (work(set.at(-1) === fast ? 0 : 3), i)), i);
    }
    assert.deepEqual(set, [...TURNS, fast]);
    assert.equal(engine.manyStreams, fast === 1);
    run('step', () => work(0));
    run('another', () => work(0));
    assert.equal(set.length, STEPS + 1, 'no more changes');
  });
}

test('a step that fails is repeated with the same streams', async () => {
  const { engine, set } = await recorded();
  const run = chooseStreams(engine);
  assert.throws(() => run('step', () => { throw new RangeError('a step'); }), RangeError);
  for (let i = 0; i < STEPS; i++) run('step', () => work(0));
  assert.deepEqual(set.slice(0, -1), [1, ...TURNS]);
});

test('only steps of one call are compared', async () => {
  const { engine, set } = await recorded();
  const run = chooseStreams(engine);
  for (let i = 0; i < STEPS; i++) run(`${i % 2}`, () => work(0));
  assert.deepEqual(set, Array(STEPS).fill(1), 'calls that alternate keep the default');
  set.length = 0;
  run('short', () => work(0));
  for (let i = 0; i < STEPS; i++) run('step', () => work(set.at(-1) ? 3 : 1));
  assert.deepEqual(set, [1, ...TURNS, 0], 'the time of the short call does not count');
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
  assert.deepEqual(set, TURNS.slice(0, 2));
  set.length = 0;
  for await (const { id } of model.generate('Once', { maxTokens: 30, temperature: 0 })) assert.ok(id >= 0);
  assert.deepEqual(set.slice(0, STEPS), TURNS);
  assert.equal(set.length, STEPS + 1);
});
