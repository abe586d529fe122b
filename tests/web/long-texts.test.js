/** Long texts on the page: how reading and drawing advance, and how they stop. The model is the real one. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { Generation } from '../../web/page/generation.js';
import { MapController } from '../../web/page/map-controller.js';
import { STORIES } from '../support/model.js';

/** About 900 tokens, of a context of 1,024. */
const PROMPT = 'a '.repeat(900);
const SETTINGS = { temperature: 0, topK: 0, topP: 1, seed: 1 };

/** @type {import('../../js/index.js').Model} */ let model;
/** @type {number} */ let length;

before(async () => {
  Object.assign(globalThis, { requestAnimationFrame: () => 0 });
  model = await load(STORIES, { worker: false });
  length = (await model.encode(PROMPT)).length;
  assert.ok(length > 512 && length < 1000, `${length} tokens`);
});
after(() => {
  Reflect.deleteProperty(globalThis, 'requestAnimationFrame');
  model.dispose();
});

/** @param {Partial<import('../../web/page/generation.js').GenerationEvents>} [events] */
const generationOf = (events) => new Generation(model, { onCut: () => {}, onTokens: () => {}, onReading: () => {},
  onRead: async () => {}, onRunning: () => {}, onEdited: async () => {}, ...events });

describe('a long prompt', () => {
  test('is read in pieces, and the text is that of one pass', async () => {
    /** @type {number[][]} */
    const read = [];
    const generation = generationOf({ onReading: (...counts) => read.push(counts) });
    await generation.begin(PROMPT, 3, SETTINGS);
    assert.deepEqual(read, [[0, length], [512, length]]);
    const expected = [];
    model.rewind(0);
    for await (const { id } of model.generate(PROMPT, { ...SETTINGS, maxTokens: 3 })) expected.push(id);
    assert.deepEqual(generation.ids.slice(length), expected);
  });

  test('stops between two pieces, and the next run reads the rest', async () => {
    model.rewind(0);
    /** @type {number[]} */
    const read = [];
    const generation = generationOf({ onReading: (count) => {
      read.push(count);
      if (count === 512) generation.stop();
    } });
    await assert.rejects(generation.begin(PROMPT, 3, SETTINGS), { code: 'aborted' });
    assert.equal(generation.ids.length, length);
    assert.equal(model.position, 512);
    read.length = 0;
    await assert.rejects(generation.begin(PROMPT, 3, SETTINGS), { code: 'aborted' });
    assert.deepEqual(read, [512]);
  });

  test('that fits into the model but not into its session is refused with both numbers', async () => {
    const { info } = model;
    const capped = { ...info, contextLength: 600, modelContextLength: 131_072 };
    for (const [cache, advice] of /** @type {const} */ ([['int16', /Shorten the prompt\.$/],
      ['f32', /or open a quantized file of the model, which has room for twice as many\.$/]])) {
      Object.defineProperty(model, 'info', { value: { ...capped, cache }, configurable: true });
      const refused = generationOf().begin(PROMPT, 3, SETTINGS);
      await assert.rejects(refused, /^RangeError: The prompt has \d+ tokens, but of the context of 131,072 only 600 /);
      await assert.rejects(refused, advice);
    }
    Object.defineProperty(model, 'info', { value: info, configurable: true });
  });
});

test('the result of a borrower does not wait until the model has read the text again', async () => {
  const generation = generationOf();
  await generation.begin(PROMPT, 3, SETTINGS);
  /** @type {string[]} */
  const order = [];
  const lent = generation.borrow(async () => {
    await model.forward([1, 2, 3]);
    order.push('borrowed');
  }).then(() => order.push('result'));
  const idle = lent.then(() => generation.idle()).then(() => order.push('idle'));
  await lent;
  assert.deepEqual(order, ['borrowed', 'result']);
  assert.notDeepEqual([...model.ids], generation.ids);
  await idle;
  assert.deepEqual([...model.ids], generation.ids);
  const refused = generation.borrow(async () => { throw new RangeError('no'); }, { refresh: true });
  await assert.rejects(refused, /^RangeError: no$/);
});

describe('the maps of a long text', () => {
  /** A grid and a map that count their rows. */
  function views() {
    const grid = { length: 0, stats: { of: () => null, strongestPreviousTokenHead: () => null },
      truncate: (/** @type {number} */ to) => { grid.length = Math.min(grid.length, to); },
      extend: (/** @type {{ queries: number }} */ { queries }) => { grid.length += queries; } };
    const map = { queryCount: 0, length: 0, setAttribute: () => {},
      truncate: (/** @type {number} */ to) => { map.length = map.queryCount = Math.min(map.length, to); },
      extend: (/** @type {string[]} */ tokens) => { map.length = map.queryCount += tokens.length; },
      set data({ tokens }) { map.length = map.queryCount = tokens.length; } };
    return /** @type {any} */ ({ grid, map, strip: { light: () => {} }, headLine: {} });
  }

  test('appear in few requests, and an abort ends the requests', async () => {
    const ids = await model.encode(`${PROMPT}${'a '.repeat(110)}`);
    model.rewind(0);
    await model.forward(ids);
    const tokens = await model.tokens(ids);
    const shown = views();
    const maps = new MapController(model, shown, null, async () => {});
    maps.cut(tokens, 0);
    const stop = new AbortController();
    /** @type {number[]} */
    const rows = [];
    await maps.follow([], { signal: stop.signal, onProgress: (count, all) => {
      assert.equal(all, ids.length);
      assert.equal(shown.map.queryCount, ids.length, 'the map has all rows, and requests those that it shows');
      rows.push(count);
      stop.abort();
    } });
    assert.deepEqual(rows, [0]);
    assert.ok(maps.isPartial && shown.grid.length > 100, `${shown.grid.length} rows`);

    rows.length = 0;
    await maps.follow([], { onProgress: (count) => rows.push(count) });
    assert.equal(shown.grid.length, ids.length);
    assert.equal(maps.isPartial, false);
    assert.ok(rows.length < 25, `${rows.length} requests of at most 2²⁰ weights`);
  });
});
