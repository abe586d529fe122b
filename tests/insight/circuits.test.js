/** The strongest pairs of a head's circuits are PyTorch's, among all pairs of the vocabulary. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { circuits } from '../../js/insight/index.js';
import { load } from '../../js/index.js';
import { rejects } from '../support/expect.js';
import { asGguf, temporaryFolder } from '../support/goldens.js';
import { expectedOf, hasAxes, MODELS, named, near, open } from '../support/insight.js';

const folder = await temporaryFolder(after);
const TOP = 50;

/** Mean over rows of the diagonal, in deviations of the row above its mean. @param {Float32Array} matrix */
function ownScoreOf(matrix) {
  const n = Math.sqrt(matrix.length);
  const scores = Array.from({ length: n }, (_, i) => {
    const row = Array.from(matrix.subarray(i * n, (i + 1) * n));
    const mean = row.reduce((sum, x) => sum + x, 0) / n;
    const deviation = Math.sqrt(row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / n);
    return (row[i] - mean) / deviation;
  });
  return scores.reduce((sum, x) => sum + x, 0) / n;
}

test('of the embedding only rows near the ids are read', async () => {
  const model = await open(named('gpt2'));
  const weight = model.weight.bind(model);
  /** @type {unknown[]} */
  const read = [];
  model.weight = (name, options) => {
    if (name === 'token_embd.weight') read.push(options?.range);
    return weight(name, options);
  };
  const { pairs } = await circuits(model, { layer: 0, head: 0 }, { vocabulary: [90, 3, 4, 3], top: 4 });
  assert.deepEqual(read, [[3, 5], [90, 91]]);
  assert.ok(pairs.every((id) => [3, 4, 90].includes(id)));
});

for (const golden of MODELS) {
  for (const worker of [false, true]) {
    test(`${golden.name}: pairs and strengths are PyTorch's${worker ? ', in a Worker' : ''}`, async () => {
      const model = await open(golden, { worker });
      const { heads, vocabulary } = model.info;
      const found = await circuits(model, { layer: 1, head: heads - 1 }, { top: TOP });
      hasAxes(found, { circuit: 2, rank: TOP });
      assert.deepEqual(found.axes.circuit, ['qk', 'ov']);
      for (const [i, circuit] of ['qk', 'ov'].entries()) {
        const { data } = await expectedOf(golden, `circuits/${circuit}`);
        const actual = found.data.subarray(i * TOP, (i + 1) * TOP);
        near(actual, Float32Array.from(data).sort((a, b) => b - a).slice(0, TOP), 1e-4, circuit);
        const pairs = found.pairs.subarray(2 * i * TOP, 2 * (i + 1) * TOP);
        near(actual, Array.from(actual, (_, rank) => data[pairs[2 * rank] * vocabulary + pairs[2 * rank + 1]]), 1e-4,
          'strengths of the pairs');
        assert.equal(new Set(Array.from(actual, (_, rank) => `${pairs[2 * rank]} ${pairs[2 * rank + 1]}`)).size, TOP);
        assert.ok(Math.abs(found.own[i] - ownScoreOf(data)) < 1e-4, `own ${found.own[i]}, not ${ownScoreOf(data)}`);
      }
      assert.deepEqual(found.texts, Array.from(found.pairs, (id) => `[${id}]`));
    });
  }
}

describe('circuits', async () => {
  const golden = named('llama');
  const model = await open(golden);
  const { heads, vocabulary } = model.info;

  test('in block 0, qk of a token with itself is the score of a text of this token', async () => {
    for (const id of [3, 47, 95]) {
      for (let head = 0; head < heads; head++) {
        const { data } = await circuits(model, { layer: 0, head }, { vocabulary: [id] });
        model.rewind(0);
        await model.forward([id]);
        near([data[0]], (await model.attention({ layer: 0, head, kind: 'scores' })).data, 1e-4, `head ${head}`);
      }
    }
  });

  test('vocabulary selects tokens', async () => {
    const ids = [90, 3, 51];
    const { data, pairs } = await circuits(model, { layer: 1, head: heads - 1 }, { vocabulary: ids, top: 9 });
    const { data: all } = await expectedOf(golden, 'circuits/ov');
    const expected = ids.flatMap((from) => ids.map((to) => all[from * vocabulary + to])).sort((a, b) => b - a);
    near(data.subarray(9), expected, 1e-4, 'all pairs');
    assert.deepEqual([...new Set(pairs)].sort((a, b) => a - b), [3, 51, 90]);
  });

  test('quantized weights give the circuits of dequantized weights', async () => {
    const path = await asGguf(golden, 'q4_0', folder);
    const kept = await load(path);
    const widened = await load(path, { quantize: 'f32' });
    after(() => (kept.dispose(), widened.dispose()));
    const place = { layer: 2, head: 0 };
    const actual = await circuits(kept, place);
    const expected = await circuits(widened, place);
    near(actual.data, expected.data, 1e-5, 'strengths');
    assert.deepEqual(actual.pairs, expected.pairs);
  });

  for (const worker of [false, true]) {
    test(`bad calls are refused, and the model then works${worker ? ', in a Worker' : ''}`, async () => {
      const model = await open(golden, { worker });
      const place = { layer: 0, head: 0 };
      const refuse = (/** @type {any} */ place, /** @type {any} */ options, /** @type {RegExp} */ why,
        code = 'bad-argument') => rejects(circuits(model, place, options), code, why);
      await rejects(circuits(/** @type {any} */ (null), place), 'bad-argument', /model of load/);
      await refuse(undefined, {}, /place: options are an object/);
      await refuse([1, 2], {}, /place/);
      await refuse({ layer: 3, head: 0 }, {}, /layer to be an integer from 0 to 2/);
      await refuse({ layer: 0, head: NaN }, {}, /head to be an integer from 0 to 3/);
      await refuse({ layer: 0 }, {}, /head to be/);
      await refuse({ ...place, block: 1 }, {}, /no option ‘block’/);
      await refuse(place, { top: 0 }, /top to be an integer from 1/);
      await refuse(place, { top: 5, vocabulary: [1, 2] }, /from 1 to 4/);
      await refuse(place, { top: NaN }, /top/);
      await refuse(place, { vocabulary: [] }, /at least one/);
      await refuse(place, { vocabulary: [96] }, /ids from 0 to 95/);
      await refuse(place, { heads: 1 }, /no option ‘heads’/);
      await refuse(place, { signal: AbortSignal.abort() }, /AbortSignal/, 'aborted');
      await refuse(place, { onProgress: () => { throw new Error('no'); } }, /threw/);
      const reports = /** @type {any[]} */ ([]);
      await circuits(model, place, { onProgress: (report) => reports.push(report) });
      assert.deepEqual(reports.at(-1), { done: 3 * 96, total: 3 * 96 });
      model.dispose();
      await refuse(place, {}, /disposed/, 'disposed');
    });
  }
});
