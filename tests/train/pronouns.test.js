// The encoder that names the noun of “it”: its data, its quality on held-out sentences, and its maps.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { lab, randomFrom } from '../../js/lab/index.js';
import { openModel } from '../../js/train/models/index.js';
import { resolvePronoun } from '../../js/train/models/pronoun-encoder.js';
import recipe, { drawTwins } from '../../js/train/recipes/it.js';
import { NOUNS, WORDS } from '../../js/train/tasks/pronouns.js';
import { Trainer } from '../../js/train/trainer.js';

/** Pairs of held-out sentences that the recipe's validation does not use. */
const PAIRS = 300;

describe('sentences with “it”', () => {
  test('the two sentences of a pair differ only in their last word and their noun', () => {
    const examples = drawTwins(randomFrom(1), 200, false);
    for (let i = 0; i < examples.length; i += 2) {
      const a = examples[i];
      const b = examples[i + 1];
      const [one, other] = [a, b].map(({ text }) => text.split(' '));
      assert.deepEqual(one.slice(0, -1), other.slice(0, -1));
      assert.notEqual(one.at(-1), other.at(-1));
      assert.notEqual(a.noun, b.noun);
      for (const { text, noun } of [a, b]) {
        assert.ok(text.split(' ').includes(noun) && NOUNS.includes(noun));
        assert.ok(text.split(' ').every((word) => WORDS.includes(word)), text);
      }
    }
  });

  test('no held-out sentence is in the training data', () => {
    const trained = new Set(drawTwins(randomFrom(2), 20_000, false).map(({ text }) => text));
    for (const { text } of drawTwins(randomFrom(3), 500, true)) assert.ok(!trained.has(text), text);
  });
});

describe('the shipped model', () => {
  let l;
  let model;
  before(async () => {
    l = await lab({ engine: 'simd128' });
    model = await openModel(l, await readFile(new URL('../../models/it.safetensors', import.meta.url)));
  });
  after(() => l.dispose());

  test('names the noun of held-out sentences', () => {
    const right = drawTwins(randomFrom(20), PAIRS, true).filter(({ text, noun }) =>
      resolvePronoun(l, model, text).nouns[0].noun === noun);
    assert.ok(right.length >= 0.98 * 2 * PAIRS, `${right.length} of ${2 * PAIRS}`);
  });

  test('a causal mask gives both sentences of a pair the same noun', () => {
    const [hungry, sweet] = ['hungry', 'sweet'].map((last) =>
      resolvePronoun(l, model, `The cat ate the fish because it was ${last}.`, { causal: true }).nouns);
    assert.deepEqual(hungry, sweet);
  });

  test('its maps are of the words, and a cut edge has weight 0', () => {
    const read = resolvePronoun(l, model, 'The animal didn’t cross the street because it was too tired.');
    assert.deepEqual(read.words.slice(0, 5), ['the', 'animal', 'did', 'not', 'cross']);
    assert.deepEqual([read.at, read.words[read.at]], [8, 'it']);
    const tired = read.words.length - 1;
    const cut = resolvePronoun(l, model, read.words.join(' '), { cut: (from, to) => from === read.at && to === tired });
    for (let layer = 0; layer < model.config.blocks; layer++) {
      for (let head = 0; head < model.config.heads; head++) {
        const at = { layer, head, queries: /** @type {[number, number]} */ ([read.at, read.at + 1]) };
        assert.ok(Math.abs(read.attention(at).data.reduce((sum, weight) => sum + weight) - 1) < 1e-5);
        assert.equal(cut.attention(at).data[tired], 0);
      }
    }
  });

  test('an unreadable text is an error', () => {
    const refused = (text, message) => assert.throws(() => resolvePronoun(l, model, text),
      { code: 'bad-argument', message });
    refused('the cat ate the zebra because it was hungry', /does not know ‘zebra’/);
    refused('the cat ate the fish', /needs the word “it”/);
    refused(`it ${'the '.repeat(40)}`, /maximum is 32/);
  });
});

test('the recipe learns, and a resumed training has the same bits', async () => {
  const start = async () => new Trainer(await lab({ seed: 1 }), recipe, recipe.data({}), { steps: 60 });
  const whole = await start();
  const losses = [];
  for await (const { loss } of whole.run()) losses.push(loss);
  assert.ok(losses.at(-1) < 0.8 * losses[0], `${losses[0]} → ${losses.at(-1)}`);
  const first = await start();
  for await (const { step } of first.run()) if (step === 15) break;
  const second = await start();
  await second.restore(first.checkpoint());
  for await (const _ of second.run());
  assert.deepEqual(second.save(), whole.save());
  for (const trainer of [whole, first, second]) trainer.lab.dispose();
});
