/** Edits equal their definitions, computed by hand in a float64 pass, in every call. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { load, storableEdits } from '../../js/index.js';
import { rejects } from '../support/expect.js';
import { asGguf, goldens, temporaryFolder } from '../support/goldens.js';
import { near } from '../support/insight.js';
import { collect } from '../support/model.js';
import { forward, readModel } from '../support/reference.js';

/** @typedef {import('../../js/index.js').Edit} Edit */
/** @typedef {import('../support/reference.js').Stage} Stage */
/** Position of a number in a stage; `column` is the key in scores and patterns.
 *  @typedef {{ position: number, head: number, column: number }} Cell */
/** A stage of the clean run, by cell. @typedef {(hook: string) => (cell: Cell) => number} Clean */
/** Edits of a case, and their effect on each number x of a hook.
 *  @typedef {{ name: string, edits: Edit[], hand: Record<string, (cell: Cell, x: number) => number>,
 *    renormalized?: (cell: Cell) => boolean }} Case */

const folder = await temporaryFolder(after);
const all = await goldens();

/** @param {Stage} stage @param {number} i @returns {Cell} */
function cellOf({ shape }, i) {
  const width = shape[shape.length - 1];
  const [slow, middle] = shape.length < 3 ? [Math.floor(i / width), 0]
    : [Math.floor(i / width / shape[1]), Math.floor(i / width) % shape[1]];
  const isMap = shape.length === 3 && shape[1] === width;
  return { position: isMap ? middle : slow, head: isMap ? slow : middle, column: i % width };
}

/** @param {Stage} stage @param {Cell} cell */
function at({ shape, data }, { position, head, column }) {
  const width = shape[shape.length - 1];
  if (shape.length < 3) return data[position * width + column];
  const isMap = shape[1] === width;
  return data[((isMap ? head : position) * shape[1] + (isMap ? position : head)) * width + column];
}

/** @param {Stage} stage @param {(cell: Cell, x: number) => number} change @returns {Stage} */
const edited = (stage, change) =>
  ({ shape: stage.shape, data: Float64Array.from(stage.data, (x, i) => change(cellOf(stage, i), x)) });

/** @param {import('../support/reference.js').ReferenceModel} model @param {ArrayLike<number>} ids */
function stagesOf(model, ids) {
  /** @type {Record<string, Stage>} */
  const stages = {};
  forward(model, ids, { tap: (hook, stage) => (stages[hook] = stage) });
  return stages;
}

/** Divides rows of a pattern by their sums over the keys up to the query.
 *  @param {Stage} stage @param {(cell: Cell) => boolean} isEdited */
function renormalized(stage, isEdited) {
  return edited(stage, (cell, x) => {
    if (!isEdited(cell)) return x;
    let sum = 0;
    for (let column = 0; column <= cell.position; column++) sum += at(stage, { ...cell, column });
    return x / sum;
  });
}

/** @param {number} n @param {number} seed */
const wave = (n, seed) => Float32Array.from({ length: n }, (_, i) => Math.sin(seed + 1.7 * i));

for (const name of ['gpt2', 'llama', 'llama-awkward', 'mistral', 'qwen2']) {
  describe(name, async () => {
    const golden = all.find((one) => one.name === name) ?? assert.fail(name);
    const { ids } = golden;
    const path = await asGguf(golden, 'f32', folder);
    const reference = await readModel(path);
    const model = await load(path, { cache: 'f32' });
    after(() => model.dispose());
    const { dHead, dModel, layers } = model.info;
    const last = layers - 1;
    const T = ids.length;
    const other = ids.map((id) => (id + 5) % 60);
    const longer = [...ids, 7, 3, 9].map((id) => (3 * id + 1) % 60);
    /** The keys from … to that a query sees. @param {number} position @returns {[number, number]} */
    const seenBy = (position) => [position + 1 - reference.window, position + 1];
    const [clean, of, ofLonger] = [ids, other, longer].map((given) => stagesOf(reference, given));
    const activation = async (/** @type {number[]} */ given, /** @type {string} */ hook) =>
      (await model.runWithCache(given, [hook])).cache[hook];
    const mean = (/** @type {string} */ hook, /** @type {Cell} */ cell, /** @type {[number, number]} */ [from, to]) => {
      let sum = 0;
      for (let position = from; position < to; position++) sum += at(clean[hook], { ...cell, position });
      return sum / (to - from);
    };
    const within = (/** @type {number} */ x, /** @type {[number, number]} */ [from, to]) => x >= from && x < to;

    const z = 'blocks.0.attn.hook_z';
    const k = `blocks.${last}.attn.hook_k`;
    const post = `blocks.${last}.mlp.hook_post`;
    const residual = `blocks.${last}.hook_resid_pre`;
    const pattern = 'blocks.1.attn.hook_pattern';
    const some = /** @type {[number, number]} */ ([3, 9]);
    const permuted = [5, 8, 3, 4, 7, 6];
    const steering = wave(dModel, 1);
    await model.forward(other);
    const map = await model.attention({ layer: 1, head: 1 });
    const rows = await model.attention({ layer: 1, head: 0, queries: some });

    /** @type {Case[]} */
    const cases = [
      {
        name: 'the mean of a head',
        edits: [{ hook: z, head: 1, mean: true }],
        hand: { [z]: (cell, x) => (cell.head === 1 ? mean(z, cell, [0, T]) : x) },
      },
      {
        name: 'the mean over some positions, of all heads',
        edits: [{ hook: k, mean: true, positions: some }, { hook: residual, positions: some, mean: true, scale: 0.25,
          coefficient: 0.75 }],
        hand: {
          [residual]: (cell, x) => (within(cell.position, some) ? x / 4 + 0.75 * mean(residual, cell, some) : x),
          [k]: (cell, x) => (within(cell.position, some) ? mean(k, cell, some) : x),
        },
      },
      {
        name: 'neurons: the mean of some, without others',
        edits: [{ hook: post, columns: [4, 9], mean: true }, { hook: post, columns: [20, 21], scale: 0 }],
        hand: {
          [post]: (cell, x) => (within(cell.column, [4, 9]) ? mean(post, cell, [0, T]) : cell.column === 20 ? 0 : x),
        },
      },
      {
        name: 'columns of every head',
        edits: [{ hook: z, columns: [2, 5], scale: -1 },
          { hook: z, head: 1, columns: [dHead - 1, dHead], values: [3] }],
        hand: {
          [z]: ({ head, column }, x) => (within(column, [2, 5]) ? -x : head === 1 && column === dHead - 1 ? x + 3 : x),
        },
      },
      {
        name: 'resample: permuted positions of this run',
        edits: [{ hook: z, head: 0, positions: some, fromPositions: permuted, from: await activation(ids, z) }],
        hand: {
          [z]: (cell, x) => (cell.head === 0 && within(cell.position, some)
            ? at(clean[z], { ...cell, position: permuted[cell.position - 3] }) : x),
        },
      },
      {
        name: 'resample: a longer text',
        edits: [{ hook: residual, fromPositions: ids.map((_, i) => T + 2 - i),
          from: await activation(longer, residual) }],
        hand: { [residual]: (cell) => at(ofLonger[residual], { ...cell, position: T + 2 - cell.position }) },
      },
      {
        name: 'from: the first positions of a shorter run, and some of a longer one',
        edits: [{ hook: residual, from: await activation(other.slice(0, 4), residual) },
          { hook: z, positions: [10, 12], from: await activation(longer, z), coefficient: 2 }],
        hand: {
          [residual]: (cell, x) => (cell.position < 4 ? at(of[residual], cell) : x),
          [z]: (cell, x) => (within(cell.position, [10, 12]) ? 2 * at(ofLonger[z], cell) : x),
        },
      },
      {
        name: 'a frozen pattern',
        edits: [{ pattern: map }],
        hand: { [pattern]: (cell, x) => (cell.head === 1 ? at(of[pattern], cell) : x) },
      },
      {
        name: 'frozen rows, at another head, and frozen cells',
        edits: [{ pattern: rows, head: 1 },
          { pattern: map, head: 0, positions: [12, 14], keys: [9, 12] }],
        hand: {
          [pattern]: (cell, x) => (cell.head === 1 && within(cell.position, some)
            ? at(of[pattern], { ...cell, head: 0 })
            : cell.head === 0 && within(cell.position, [12, 14]) && within(cell.column, [9, 12])
              ? at(of[pattern], { ...cell, head: 1 }) : x),
        },
      },
      {
        name: 'a removed cell, whose row sums to 1 again',
        edits: [{ hook: pattern, head: 0, positions: some, keys: [2, 4], scale: 0, renormalize: true }],
        hand: {
          [pattern]: ({ head, position, column }, x) =>
            (head === 0 && within(position, some) && within(column, [2, 4]) ? 0 : x),
        },
        renormalized: ({ head, position }) => head === 0 && within(position, some),
      },
      {
        name: 'a weight of a cell for all heads, whose rows sum to 1 again',
        edits: [{ hook: pattern, positions: [7, 8], keys: [5, 6], scale: 0, values: [2.5], renormalize: true }],
        hand: { [pattern]: (cell, x) => (cell.position === 7 && cell.column === 5 ? 2.5 : x) },
        renormalized: ({ position }) => position === 7,
      },
      {
        name: 'steering with a coefficient',
        edits: [{ hook: residual, positions: [4, T], values: steering, coefficient: -1.5 }],
        hand: { [residual]: (cell, x) => (cell.position >= 4 ? x - 1.5 * steering[cell.column] : x) },
      },
      {
        name: 'four edits of one activation, in their order',
        edits: [{ hook: z, head: 1, scale: 2 }, { hook: z, values: [1], columns: [0, 1] }, { hook: z, scale: 0.5 },
          { hook: z, head: 0, positions: [2, 3], mean: true, scale: 1 }],
        hand: {
          [z]: (cell, x) => ((cell.head === 1 ? 2 : 1) * x + (cell.column === 0 ? 1 : 0)) / 2 +
            (cell.head === 0 && cell.position === 2 ? mean(z, cell, [2, 3]) : 0),
        },
      },
      {
        name: 'keys after the query and outside of its window do not change',
        edits: [{ hook: pattern, keys: [0, T], scale: 2, values: new Float32Array(T).fill(0.1) },
          { hook: 'blocks.0.attn.hook_attn_scores', keys: [6, 9], values: [1, 2, -Infinity] }],
        hand: {
          [pattern]: ({ position, column }, x) =>
            (within(column, seenBy(position)) ? 2 * x + Math.fround(0.1) : x),
          'blocks.0.attn.hook_attn_scores': ({ position, column }, x) =>
            (within(column, seenBy(position)) && within(column, [6, 9]) ? x + [1, 2, -Infinity][column - 6] : x),
        },
      },
    ];
    const plain = await model.runWithHooks(ids, []);

    for (const { name: what, edits, hand, renormalized: isDivided } of cases) {
      test(what, async () => {
        const logits = await model.runWithHooks(ids, edits, { all: true });
        const byHand = forward(reference, ids, { tap: (hook, stage) => {
          const changed = hand[hook] ? edited(stage, hand[hook]) : stage;
          return hook === pattern && isDivided ? renormalized(changed, isDivided) : changed;
        } });
        near(logits, byHand.data, 2e-5, 'logits');

        // The next run has no edits.
        const stored = JSON.parse(JSON.stringify(storableEdits(edits)));
        assert.deepEqual(await model.runWithHooks(ids, []), plain, 'the next run');
        assert.deepEqual(await model.runWithHooks(ids, stored, { all: true }), logits, 'after JSON');

        const { cache } = await model.runWithCache(ids, [pattern], { edits });
        for (const head of [0, 1]) {
          const shown = await model.attention({ layer: 1, head });
          assert.deepEqual(shown.data, cache[pattern].data.subarray(head * T * T, (head + 1) * T * T), 'maps');
        }

        const metric = { logitDifference: /** @type {[number, number]} */ ([ids[0], ids[2]]) };
        const lastRow = logits.subarray(-model.info.vocabulary);
        const difference = lastRow[ids[0]] - lastRow[ids[2]];
        const { clean: before, values } = await model.sweep(ids, [[], edits, []], { of: metric });
        assert.deepEqual([...values], [before, Math.fround(difference), before], 'sweep');
        const { value } = await model.gradients(ids, { of: metric, at: [], edits });
        near([value], [difference], 1e-4, 'gradients');

        const text = model.generate(ids, { maxTokens: 3, temperature: 0, edits });
        const { steps } = await collect(text);
        assert.equal(steps[0].id, lastRow.indexOf(Math.max(...lastRow)), 'generate');
        assert.deepEqual(await model.runWithHooks(ids, []), plain, 'the run after a generation');
      });
    }

    test('the same bits in a Worker and with two threads', async () => {
      for (const options of [{ worker: true }, { threads: 2 }, { threads: 2, worker: true }]) {
        const second = await load(path, { cache: 'f32', ...options });
        for (const { edits, name: what } of cases) {
          assert.deepEqual(await second.runWithHooks(ids, edits, { all: true }),
            await model.runWithHooks(ids, edits, { all: true }), what);
        }
        const all = cases.map(({ edits }) => edits);
        const of = { logit: 1 };
        assert.deepEqual(await second.sweep(ids, all, { of }), await model.sweep(ids, all, { of }));
        second.dispose();
      }
    });
  });
}

describe('a text that continues', async () => {
  const golden = all.find((one) => one.name === 'llama') ?? assert.fail('llama');
  const { ids } = golden;
  const path = await asGguf(golden, 'q8_0', folder);
  const model = await load(path);
  after(() => model.dispose());
  const z = 'blocks.1.attn.hook_z';
  const pattern = 'blocks.1.attn.hook_pattern';
  const { cache: { [z]: clean } } = await model.runWithCache(ids, [z]);
  const [T, heads, dHead] = clean.shape;
  const mean = Float32Array.from({ length: dHead }, (_, i) => {
    let sum = 0;
    for (let p = 0; p < T; p++) sum += clean.data[(p * heads + 2) * dHead + i];
    return sum / T;
  });

  test('a generation uses the mean over its prompt for later tokens too', async () => {
    const greedy = { maxTokens: 6, temperature: 0, top: 3 };
    const given = await collect(model.generate(ids, { ...greedy, edits: [{ hook: z, head: 2, mean: true }] }));
    const again = await collect(model.generate(ids, { ...greedy, edits: [{ hook: z, head: 2, mean: true }] }));
    const same = [{ hook: z, head: 2, scale: 0, values: mean }];
    const values = await collect(model.generate(ids, { ...greedy, edits: same }));
    const plain = (/** @type {typeof given} */ { steps }) => steps.map(({ id, top }) => ({ id, top }));
    assert.deepEqual(plain(given), plain(again));
    assert.deepEqual(plain(given), plain(values));
    assert.notDeepEqual(plain(given), plain(await collect(model.generate(ids, greedy))));
    await rejects(collect(model.generate(ids, { edits: [{ hook: z, mean: true, positions: [T, T + 2] }] })),
      'bad-argument', /needs a position of the prompt, which has 16/);
  });

  test('numbers of another run cover their positions of a generated text', async () => {
    const greedy = { maxTokens: 4, temperature: 0 };
    await model.forward([1]); // the session holds a text without edits
    await model.runWithHooks(ids, []);
    const map = await model.attention({ layer: 1, head: 0 });
    for (const edit of [{ hook: z, from: clean }, { pattern: map }]) {
      const edited = await collect(model.generate(ids, { ...greedy, edits: [edit] }));
      const bare = await collect(model.generate(ids, greedy));
      assert.deepEqual(edited.summary.ids, bare.summary.ids, 'numbers of the same run change nothing');
    }
  });

  test('after rewind, maps of earlier rows are edited, and later rows are not edited', async () => {
    const keys = /** @type {[number, number]} */ ([0, 1]);
    const edits = [{ hook: pattern, head: 1, keys, scale: 0, renormalize: true }];
    const { cache } = await model.runWithCache(ids, [pattern], { edits });
    const edited = cache[pattern].data.subarray(T * T, 2 * T * T);
    model.rewind(10);
    await model.forward(ids.slice(10));
    const { data } = await model.attention({ layer: 1, head: 1 });
    assert.deepEqual(data.subarray(0, 10 * T), edited.subarray(0, 10 * T));
    for (let row = 10; row < T; row++) assert.ok(data[row * T] > 0, 'the first key has weight again');
    for (let row = 1; row < T; row++) {
      const sum = data.subarray(row * T, (row + 1) * T).reduce((total, x) => total + x, 0);
      assert.ok(Math.abs(sum - 1) < 1e-6, `row ${row}: ${sum}`);
    }
  });

  test('a prompt of several batches has one mean', async () => {
    const long = await load(path, { contextLength: 48 });
    const text = Int32Array.from({ length: 48 }, (_, i) => ids[(5 * i) % T]);
    const edits = [{ hook: z, mean: true }];
    const { logits, cache } = await long.runWithCache(text, [z], { edits });
    const width = heads * dHead;
    for (let p = 1; p < 48; p++) {
      assert.deepEqual(cache[z].data.subarray(p * width, (p + 1) * width), cache[z].data.subarray(0, width));
    }
    const first = await collect(long.generate(text.subarray(0, 40), { maxTokens: 1, temperature: 0, edits }));
    const { logits: same } = await long.runWithCache(text.subarray(0, 40), [], { edits });
    assert.equal(first.steps[0].id, same.indexOf(Math.max(...same)));
    assert.ok(logits.every(Number.isFinite));
    long.dispose();
  });

  test('an abort in the run of a mean leaves an empty session that works', async () => {
    const ending = new AbortController();
    const ended = model.runWithHooks(ids, [{ hook: z, mean: true }], { signal: ending.signal });
    ending.abort();
    await rejects(ended, 'aborted');
    assert.equal(model.position, 0);
    assert.equal((await model.forward(ids)).length, model.info.vocabulary);
  });
});

describe('gradients of edited runs', async () => {
  const golden = all.find((one) => one.name === 'qwen2') ?? assert.fail('qwen2');
  const { ids } = golden;
  const model = await load(await asGguf(golden, 'f32', folder), { cache: 'f32' });
  after(() => model.dispose());
  const of = { logitDifference: /** @type {[number, number]} */ ([ids[0], ids[2]]) };
  const pattern = 'blocks.1.attn.hook_pattern';
  const edits = [{ hook: pattern, head: 1, positions: /** @type {[number, number]} */ ([6, 12]),
    keys: /** @type {[number, number]} */ ([3, 5]), scale: 0.25, renormalize: true },
  { hook: 'blocks.0.hook_mlp_out', mean: true, positions: /** @type {[number, number]} */ ([2, 9]) }];

  test('a renormalized pattern passes the gradient of the division', async () => {
    const at = 'blocks.1.attn.hook_attn_scores';
    const { gradients: { [at]: { data, shape: [heads, T] } } } = await model.gradients(ids, { of, at: [at], edits });
    const seen = data.map((x, i) => (i % T <= Math.floor(i / T) % T ? x : 0));
    const length = seen.reduce((sum, x) => sum + x * x, 0);
    const step = 0.01 / Math.sqrt(length);
    const along = async (/** @type {number} */ by) => {
      const logits = await model.runWithHooks(ids, [...Array.from({ length: heads }, (_, head) => ({ hook: at, head,
        coefficient: by, values: seen.subarray(head * T * T, (head + 1) * T * T) })), ...edits]);
      return logits[ids[0]] - logits[ids[2]];
    };
    near([(await along(step) - await along(-step)) / (2 * step)], [length], 5e-3, 'derivative');
  });

  test('activations are read in the same run', async () => {
    const at = ['hook_embed', pattern, 'blocks.1.hook_mlp_out', 'blocks.1.attn.hook_attn_scores'];
    const { activations = {} } = await model.gradients(ids, { of, at, edits, activations: true });
    const { cache } = await model.runWithCache(ids, at, { edits });
    for (const name of at) {
      assert.deepEqual(activations[name].shape, cache[name].shape);
      const finite = (/** @type {Float32Array} */ data) => data.map((x) => (Number.isFinite(x) ? x : 0));
      near(finite(activations[name].data), finite(cache[name].data), 1e-5, name);
    }
  });
});

test('integers in any typed array are numbers of an edit', async (t) => {
  const golden = all.find((one) => one.name === 'llama') ?? assert.fail('llama');
  const model = await load(await asGguf(golden, 'f32', folder));
  t.after(() => model.dispose());
  const numbers = Array.from({ length: model.info.dModel }, (_, i) => (i % 5) - 2);
  const run = (/** @type {any} */ given) => model.runWithHooks(golden.ids,
    [{ hook: 'hook_embed', scale: 0, values: given }, { hook: 'blocks.1.hook_resid_pre', project: given }]);
  const expected = await run(numbers);
  for (const Type of [Int8Array, Int32Array, Float64Array]) assert.deepEqual(await run(Type.from(numbers)), expected);
});

describe('refusals', async () => {
  const golden = all.find((one) => one.name === 'llama') ?? assert.fail('llama');
  const { ids } = golden;
  const path = await asGguf(golden, 'f32', folder);
  for (const worker of [false, true]) {
    test(`invalid edits are refused${worker ? ', in a Worker' : ''}`, async () => {
      const model = await load(path, { worker });
      const { dModel } = model.info;
      const from = (await model.runWithCache(ids, ['hook_embed'])).cache.hook_embed;
      const map = await model.attention({ layer: 0, head: 0 });
      const scores = await model.attention({ layer: 0, head: 0, kind: 'scores' });
      const refuse = (/** @type {any} */ edit, /** @type {RegExp} */ why) =>
        rejects(model.runWithHooks(ids, [edit]), 'bad-argument', why);
      const pattern = 'blocks.0.attn.hook_pattern';
      await refuse({ hook: 'hook_embed', mean: 'yes' }, /mean is ‘yes’; it is true or false/);
      await refuse({ hook: pattern, mean: true }, /later keys/);
      await refuse({ hook: 'hook_embed', mean: true, values: [1] }, /both values and mean/);
      await refuse({ mean: true }, /no activation ‘undefined’/);
      await refuse({ hook: 'hook_embed', columns: [0, dModel + 1] }, /columns \[from, to\] of ‘hook_embed’/);
      await refuse({ hook: 'hook_embed', columns: 3 }, /columns is ‘3’/);
      for (const [axis, hook] of [['columns', 'hook_embed'], ['positions', 'hook_embed'], ['keys', pattern]]) {
        await refuse({ hook, scale: 0, [axis]: [0, 1, 2] },
          new RegExp(`Expected ${axis} \\[from, to\\] of ‘${hook}’ .*, got ‘0,1,2’`));
      }
      await refuse({ hook: 'blocks.0.attn.hook_z', head: 1 },
        /hook_z’ has no numbers. Give values, .*project, or scale/);
      await refuse({ hook: 'hook_embed', mean: false }, /has no numbers/);
      assert.ok(await model.runWithHooks(ids, [{ hook: 'hook_embed', scale: 1 }]), 'a factor that is given');
      await refuse({ hook: pattern, columns: [0, 1] }, /Name them ‘keys’/);
      await refuse({ hook: 'hook_embed', renormalize: true }, /Only attn.hook_pattern takes/);
      await refuse({ hook: pattern, renormalize: 1 }, /renormalize is ‘1’/);
      await refuse({ hook: 'hook_embed', coefficient: 2 }, /has no numbers.*, or scale or renormalize alone/);
      await refuse({ hook: 'hook_embed', values: [1], coefficient: NaN }, /coefficient of/);
      await refuse({ hook: 'hook_embed', project: new Float32Array(dModel), coefficient: 2 }, /has no coefficient/);
      for (const project of [new Float32Array(dModel), new Float32Array(dModel).fill(NaN, 3, 4)]) {
        await refuse({ hook: 'hook_embed', project }, /needs a finite direction, not 0/);
      }
      await refuse({ hook: 'hook_embed', values: { 0: 1, 1: 2 } }, /storableEdits/);
      await refuse({ hook: 'hook_embed', values: [null] }, /array of numbers/);
      await refuse({ hook: 'hook_embed', values: 'AAA' }, /base64 of float32/);
      await refuse({ hook: 'hook_embed', values: '%' }, /base64 of float32/);
      await refuse({ hook: 'hook_embed', values: '' }, /got 0/);
      await refuse({ hook: 'hook_embed', from: { data: from.data, shape: [4, 4] } }, /shape \[positions,64\], got/);
      await refuse({ hook: 'hook_embed', from: { data: from.data } }, /shape \[positions,64\], got/);
      await refuse({ hook: 'hook_embed', from: 5 }, /data of from/);
      await refuse({ hook: 'hook_embed', fromPositions: [1] }, /fromPositions and no from/);
      await refuse({ hook: 'hook_embed', from, fromPositions: [1], positions: [0, 2] }, /to have 2 positions, got 1/);
      await refuse({ hook: 'hook_embed', from, fromPositions: [16] }, /no position ‘16’ in from/);
      await refuse({ hook: 'hook_embed', from, fromPositions: [0.5] }, /no position ‘0.5’/);
      await refuse({ pattern: scores }, /kind pattern/);
      await refuse({ pattern: map, hook: 'hook_embed' }, /Only attn.hook_pattern takes/);
      await refuse({ pattern: map, positions: [0, 17] }, /positions \[from, to\]/);
      await refuse({ pattern: { ...map, data: map.data.slice(1) } }, /in 255 numbers/);
      await refuse({ pattern: { ...map, firstQuery: 3, queries: 2 }, positions: [0, 2] }, /queries ‘3’ to ‘5’/);
      await refuse({ pattern: true }, /data of pattern/);
      await refuse({ pattern: { data: [1] } }, /no activation/);
      await rejects(async () => storableEdits(/** @type {any} */ ([null])), 'bad-argument');
      await rejects(async () => storableEdits(/** @type {any} */ (3)), 'bad-argument', /array of edits/);
      assert.equal((await model.runWithHooks(ids, [])).length, model.info.vocabulary);
      model.dispose();
    });
  }
});
