/** Changes of the run, without a browser: words, edits of the engine, addresses, comparison of logits. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { readAddress, writeAddress } from '../../web/page/address.js';
import { CHANGES_LIMIT, cutOf, describeChange, editsOf, fitsModel, headScales, readChanges, splitField, writeChanges,
  writeField } from '../../web/page/edits/change.js';
import { compareLogits, describeComparison, firstDifference } from '../../web/page/edits/comparison.js';
import { describeDifference } from '../../web/page/story.js';
import { SOURCE, TEXT, tinyEncoderDecoder } from '../support/encoder-decoders.js';
import { STORIES } from '../support/model.js';

/** @typedef {import('../../web/page/edits/change.js').Change} Change */

/** @type {Change} */
const CELLS = { kind: 'cells', layer: 2, head: 1, queries: [8, 10], keys: [4, 5], renormalize: true, on: true };
/** @type {Change[]} */
const ALL = [cutOf('head', 3, 5), { ...cutOf('head', 0, 1), scale: -0.5 }, { ...cutOf('heads', 4), on: false },
  cutOf('mlp', 2), { ...cutOf('neuron', 3, 511), scale: 0.5 }, { ...cutOf('layer', 1), scale: 2 }, CELLS,
  { ...CELLS, renormalize: false, on: false }];

describe('changes', () => {
  test('an address gives the same changes', async () => {
    const text = writeChanges(ALL);
    assert.equal(text, 'h3.5_h0.1*-0.5_-a4_m2_n3.511*0.5_l1*2_c2.1q8-10k4-5_-c2.1q8-10k4-5p');
    assert.deepEqual(readChanges(text), ALL);
    assert.deepEqual(readChanges(''), []);
    const { hash } = await writeAddress({ prompt: 'Lily', edits: text });
    assert.equal((await readAddress(hash)).address.edits, text);
  });

  test('an address can name the token whose prediction the changes are compared at', () => {
    for (const [changes, position] of /** @type {[Change[], number | null][]} */ ([[ALL, 13], [ALL, null], [[], 0]])) {
      const { changes: text, position: at } = splitField(writeField(changes, position));
      assert.deepEqual([readChanges(text), at], [changes, position]);
    }
    for (const text of ['h3.5@', 'h3.5@x', 'h3.5@-1', 'h3.5@1@2', 'h3.5@9999999']) {
      assert.equal(readChanges(splitField(text).changes), null, text);
    }
  });

  test('a long list is compressed', async () => {
    const many = Array.from({ length: CHANGES_LIMIT }, (_, at) => cutOf('head', at, at % 6));
    const edits = writeChanges([...many.slice(0, 40), ...Array(24).fill(CELLS)]);
    const { hash, left } = await writeAddress({ prompt: 'Lily', edits });
    assert.ok(hash.includes('packed-edits=') && hash.length < edits.length, hash);
    assert.deepEqual(left, []);
    assert.equal((await readAddress(hash)).address.edits, edits);
  });

  test('invalid texts are refused as a whole', () => {
    for (const text of ['h3', 'n3', 'm3.5', 'h3.5.1', 'l1.2', 'x3.5', 'h3.5_', '_', 'h3.5*3', 'h3.5*-2', 'h3.5*NaN',
      'h3.5*1e9',
      'h99999.1', 'c2.1q8-8k4-5', 'c2.1q8-10k5-4', 'c2.1q8-9999999k4-5', 'c2.1', '--h3.5', 'h3.5 ', '<script>',
      Array(CHANGES_LIMIT + 1).fill('h0.0').join('_'), 'h'.repeat(1e6)]) {
      assert.equal(readChanges(text), null, text.slice(0, 40));
    }
  });

  test('a truncated compressed list is an unread field, and the prompt stays', async () => {
    const { hash } = await writeAddress({ prompt: 'Lily', edits: writeChanges(Array(60).fill(CELLS)) });
    const { address, unread } = await readAddress(hash.slice(0, -9));
    assert.deepEqual([address.prompt, address.edits, unread], ['Lily', undefined, ['edits']]);
  });

  test('are described in words', () => {
    const tokens = ['<|endoftext|>', 'Lily', ' and', ' Tom', ' had', ' a', ' ball', '.', ' Lily', ' gave'];
    assert.deepEqual(ALL.map((change) => describeChange(change, tokens)), ['Head 3.5 cut', 'Head 0.1 times −0.5',
      'All heads of layer 4 cut', 'MLP of layer 2 cut', 'Neuron 3.511 times 0.5', 'Layer 1 times 2',
      'Map 2.1: ‘Lily’ to ‘gave’ may not look at ‘had’', 'Map 2.1: ‘Lily’ to ‘gave’ may not look at ‘had’']);
    assert.equal(describeChange({ ...cutOf('head', 1, 2), scale: -1 }, tokens), 'Head 1.2 reversed');
    assert.match(describeChange(CELLS, tokens.slice(0, 8)), /tokens 8 to 9, which this text does not have/);
  });

  test('fit a model or not', () => {
    const model = { layers: 6, heads: 6, dFeedForward: 512, contextLength: 1024 };
    assert.deepEqual([cutOf('head', 5, 5), cutOf('head', 6, 0), cutOf('head', 0, 6), cutOf('layer', 5), CELLS,
      { ...CELLS, queries: /** @type {[number, number]} */ ([8, 1025]) }, cutOf('neuron', 5, 511),
      cutOf('neuron', 5, 512)].map((change) => fitsModel(change, model)),
    [true, false, false, true, true, false, true, false]);
  });

  test('the factor of a head is the product of its changes', () => {
    assert.deepEqual(headScales([{ ...cutOf('head', 1, 0), scale: -1 }, { ...cutOf('layer', 1), scale: 0.5 },
      { ...cutOf('heads', 0), on: false }, cutOf('mlp', 0), cutOf('neuron', 0, 1), CELLS], 2),
    [{ layer: 1, head: 0, scale: -0.5 }, { layer: 1, head: 1, scale: 0.5 }]);
  });
});

describe('changes of encoder–decoders', () => {
  const parts = /** @type {const} */ (['encoder', 'decoder', 'cross']);
  /** @type {Change[]} */
  const changes = [...parts.map((part) => cutOf('head', 1, 2, part)), { ...cutOf('heads', 0, 0, 'cross'), scale: -1 },
    cutOf('mlp', 1, 0, 'cross'), cutOf('layer', 2, 0, 'decoder'), cutOf('layer', 0, 0, 'encoder'),
    ...parts.map((part) => ({ ...CELLS, part, layer: 1, queries: /** @type {[number, number]} */ ([3, 5]) }))];

  test('have the part in their address and in words', () => {
    const text = writeChanges(changes);
    assert.equal(text, 'eh1.2_dh1.2_xh1.2_xa0*-1_dm1_dl2_el0_ec1.1q3-5k4-5_dc1.1q3-5k4-5_xc1.1q3-5k4-5');
    assert.deepEqual(readChanges(text), changes);
    assert.equal(readChanges('yh1.2'), null);
    const tokens = ['_', 'a', 'b', 'c', 'd', 'e'];
    const source = ['_', 'K', 'L', 'M', 'N', 'O', 'P'];
    assert.deepEqual(changes.map((change) => describeChange(change, tokens, source)), ['Head 1.2 of the encoder cut',
      'Head 1.2 of the decoder cut', 'Head 1.2 of cross-attention cut',
      'All heads of layer 0 of cross-attention reversed', 'MLP of layer 1 of the decoder cut',
      'Layer 2 of the decoder cut', 'Layer 0 of the encoder cut',
      'Map 1.1 of the encoder: ‘M’ to ‘N’ may not look at ‘N’',
      'Map 1.1 of the decoder: ‘c’ to ‘d’ may not look at ‘d’',
      'Map 1.1 of cross-attention: ‘c’ to ‘d’ may not look at ‘N’']);
    assert.match(describeChange(changes[9], tokens, source.slice(0, 4)), /tokens 4 to 4, which this source does not/);
  });

  test('fit only a model with the part', () => {
    const model = { layers: 3, heads: 4, dFeedForward: 48, contextLength: 64,
      parts: { encoder: { layers: 2 }, decoder: { layers: 3 }, cross: { layers: 3 } } };
    const { parts: _, ...decoder } = model;
    assert.deepEqual([cutOf('head', 2, 0, 'encoder'), cutOf('head', 2, 0, 'cross'), cutOf('head', 0, 0)].map((change) =>
      [fitsModel(change, model), fitsModel(change, decoder)]), [[false, false], [true, false], [false, true]]);
  });

  test('a grid shows the factors of its own part; a layer of the decoder has both attentions', () => {
    const all = [changes[2], changes[5]];
    const heads = (/** @type {number[]} */ layers) => layers.flatMap((layer) => [0, 1].map((head) =>
      ({ layer, head, scale: 0 })));
    assert.deepEqual(headScales(all, 2, 'decoder'), heads([2]));
    assert.deepEqual(headScales(all, 2, 'cross'), [{ layer: 1, head: 2, scale: 0 }, ...heads([2])]);
    assert.deepEqual(headScales(all, 2, 'encoder'), []);
  });

  test('run in their part, and silenced cells have no weight', async () => {
    const seq = await load(tinyEncoderDecoder('t5 v1.1'));
    await seq.read(SOURCE);
    const clean = await seq.runWithHooks(TEXT, []);
    for (const change of changes) {
      const edits = editsOf([change], TEXT.length, SOURCE.length);
      assert.notDeepEqual(await seq.runWithHooks(TEXT, edits), clean, describeChange(change, []));
      if (change.kind !== 'cells' || !change.part) continue;
      const { data, keys } = await seq.attention({ of: change.part, layer: 1, head: 1 });
      assert.deepEqual([3, 4].map((query) => data[query * keys + 4]), [0, 0], change.part);
    }
    assert.deepEqual(editsOf([changes[9]], TEXT.length, 4), [], 'the source has no such token');
    seq.dispose();
  });
});

describe('comparison', () => {
  const texts = [' Tom', ' her', ' the', ' a'];
  /** @param {number[]} from @param {number[]} to probabilities */
  const compared = (from, to) => compareLogits(Float32Array.from(from, Math.log), Float32Array.from(to, Math.log), 0)
    .map((each) => ({ ...each, text: texts[each.id] }));

  test('names the largest change, and the largest in the other direction', () => {
    assert.equal(describeComparison(compared([0.65, 0.05, 0.2, 0.1], [0.05, 0.5, 0.25, 0.2])),
      '‘Tom’ falls from 65\u00a0% to 5.0\u00a0%, and ‘her’ rises from 5.0\u00a0% to 50\u00a0%.');
    assert.equal(describeComparison(compared([0.97, 0.01, 0.01, 0.01], [0.95, 0.02, 0.02, 0.01])),
      '‘Tom’ falls from 97\u00a0% to 95\u00a0%.');
    assert.equal(describeComparison(compared([0.1, 0.6, 0.2, 0.1], [0.1, 0.601, 0.2, 0.099])),
      'The prediction hardly changes: ‘her’ stays at 60\u00a0%.');
    assert.equal(describeComparison([]), '');
  });

  test('lists the candidates of both runs and the token of the text', () => {
    const before = Float32Array.from({ length: 40 }, (_, id) => -id);
    const list = compareLogits(before, before.toReversed(), 20);
    assert.deepEqual(list.map(({ id }) => id), [0, 1, 2, 3, 4, 5, 6, 7, 39, 38, 37, 36, 20]);
    assert.ok(list.every(({ logprob, after: later }) => logprob < 0 && later < 0));
  });

  test('finds the first position where two texts differ', () => {
    assert.equal(firstDifference([1, 2, 3], [1, 2, 4]), 2);
    assert.equal(firstDifference([1, 2], [1, 2, 3]), 2);
    assert.equal(firstDifference([1, 2, 3], [1, 2]), 2);
    assert.equal(firstDifference([1, 2], [1, 2]), -1);
    assert.equal(firstDifference([], []), -1);
  });

  test('names the token, or the end, at which two texts part', () => {
    const sentence = (/** @type {string[]} */ a, /** @type {string[]} */ b) =>
      describeDifference(firstDifference(a.map(Number), b.map(Number)), [a, 'before'], [b, 'after']);
    assert.equal(sentence(['1', '2'], ['1', '3']), 'The texts differ from token 2: ‘2’ before, ‘3’ after.');
    assert.equal(sentence(['1', '2'], ['1']), 'The texts differ from token 2: ‘2’ before, the end after.');
    assert.equal(sentence([], ['4']), 'The texts differ from token 1: the end before, ‘4’ after.');
    assert.equal(sentence(['1'], ['1']), 'Both texts are the same.');
  });
});

describe('edits of the engine', () => {
  /** @type {import('../../js/index.js').Model} */ let model;
  /** @type {Int32Array} */ let ids;
  before(async () => {
    model = await load(STORIES);
    ids = await model.encode('Lily and Tom had a ball. Lily gave the ball to');
  });
  after(() => model.dispose());

  test('every change runs on the whole text, on its beginning and on a longer text', async () => {
    const changes = ALL.map((change) => ({ ...change, on: true }));
    for (const length of [1, 5, 9, ids.length]) {
      await model.runWithHooks(ids.slice(0, length), editsOf(changes, length));
    }
    const { contextLength } = model.info;
    for await (const _ of model.generate(ids, { maxTokens: 3, edits: editsOf(changes, contextLength) }));
    assert.ok(model.position > ids.length);
  });

  test('silenced cells have no weight, and the row sums to 1 or to less', async () => {
    for (const renormalize of [true, false]) {
      const clean = await model.runWithHooks(ids, []).then(() => model.attention({ layer: 2, head: 1 }));
      await model.runWithHooks(ids, editsOf([{ ...CELLS, renormalize }], ids.length));
      const { data, keys } = await model.attention({ layer: 2, head: 1 });
      for (const query of [8, 9]) {
        const row = data.subarray(query * keys, (query + 1) * keys);
        const sum = row.reduce((all, weight) => all + weight, 0);
        const lost = clean.data[query * keys + 4];
        assert.equal(row[4], 0);
        assert.ok(lost > 0 && Math.abs(sum - (renormalize ? 1 : 1 - lost)) < 1e-5, `${sum}, without ${lost}`);
      }
      assert.deepEqual(data.slice(0, 8 * keys), clean.data.slice(0, 8 * keys));
    }
  });

  test('the example of the page has the effect that its text states', async () => {
    const clean = await model.runWithHooks(ids, []);
    const cut = await model.runWithHooks(ids, editsOf([cutOf('head', 3, 5)], ids.length));
    const [tom] = (await model.encode(' Tom')).slice(-1);
    const [first] = compareLogits(clean, cut, tom);
    assert.equal(first.id, tom);
    assert.ok(Math.exp(first.logprob) > 0.5 && Math.exp(first.after) < 0.1);
  });
});
