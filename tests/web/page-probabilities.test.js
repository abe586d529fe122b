/** The page and the engine agree on the sampler's probabilities. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { load } from '../../js/index.js';
import { topTokens, logprobOf, SamplerStages } from '../../web/page/sampler-stages.js';
import { collect, STORIES } from '../support/model.js';

const PROMPT = [0, 382, 389, 259, 366, 12, 369, 279, 259, 333, 359, 415, 314, 14, 311, 411, 264];
const DRAWS = 300;

/** @type {any} */ let model;
/** @type {Float32Array} */ let logits;

before(async () => {
  model = await load(STORIES);
  logits = await model.forward(PROMPT);
});
after(() => model.dispose());

const every = () => Array.from(logits, (_, id) => id);

for (const settings of [
  { temperature: 0.7, topK: 40, topP: 0.95, repeatPenalty: 1 },
  { temperature: 3, topK: 5, topP: 1, repeatPenalty: 1 },
  { temperature: 2, topK: 0, topP: 0.6, repeatPenalty: 1.3 },
  { temperature: 1.5, topK: 0, topP: 1, repeatPenalty: 0.8 },
  { temperature: 0, topK: 3, topP: 0.5, repeatPenalty: 1.1 },
]) {
  test(`the engine samples with these probabilities: ${JSON.stringify(settings)}`, async () => {
    const stages = new SamplerStages(logits, PROMPT).of(every(), settings);
    assert.ok(Math.abs(stages.reduce((sum, { chance }) => sum + chance, 0) - 1) < 1e-9);
    const drawn = new Map();
    for (let seed = 0; seed < DRAWS; seed++) {
      const { steps } = await collect(model.generate(PROMPT, { ...settings, seed, maxTokens: 1 }));
      drawn.set(steps[0].id, (drawn.get(steps[0].id) ?? 0) + 1);
    }
    for (const id of drawn.keys()) assert.ok(stages[id].chance > 0, `token ${id} was drawn with probability 0`);
    // Pearson's chi-squared. Tokens with an expected count below five share one cell.
    const groups = { often: 0, expected: 0, seen: 0 };
    let distance = 0;
    let cells = 0;
    stages.forEach(({ chance }, id) => {
      const wanted = chance * DRAWS;
      const seen = drawn.get(id) ?? 0;
      if (wanted >= 5) [distance, cells] = [distance + (seen - wanted) ** 2 / wanted, cells + 1];
      else Object.assign(groups, { expected: groups.expected + wanted, seen: groups.seen + seen });
    });
    if (groups.expected >= 5) distance += (groups.seen - groups.expected) ** 2 / groups.expected;
    assert.ok(distance < cells + 5 * Math.sqrt(2 * cells) + 5, `chi-squared ${distance} of ${cells} cells`);
  });
}

test('the kept tokens equal a float64 reference, and each cut has a reason', () => {
  const ids = every().sort((a, b) => logits[b] - logits[a] || a - b);
  const weights = ids.map((id) => Math.exp(logits[id] - logits[ids[0]]));
  const stages = new SamplerStages(logits).of(ids, { temperature: 2, topK: 40, topP: 0.8, repeatPenalty: 1 });
  const total = weights.slice(0, 40).reduce((a, b) => a + b);
  let sum = 0;
  let kept = 0;
  while (sum < 0.8 * total) sum += weights[kept++];
  assert.ok(kept > 1 && kept < 40);
  stages.forEach(({ cut, chance, logit, scaled }, place) => {
    assert.equal(cut, place < kept ? null : place < 40 ? 'top-p' : 'top-k');
    assert.equal(chance > 0, place < kept);
    assert.deepEqual([logit, scaled], [logits[ids[place]], logits[ids[place]] / 2]);
  });
  const hot = weights.slice(0, kept).map((weight) => Math.sqrt(weight)); // temperature 2
  const all = hot.reduce((a, b) => a + b);
  hot.forEach((weight, place) => assert.ok(Math.abs(stages[place].chance - weight / all) < 1e-12));
});

test('equal logits rank by id, with signs, zeros and infinities', () => {
  const some = Float32Array.of(-1.5, 0, 3, -0, -Infinity, 3, 0, -2, 1e-40, -1e-40, 3e38, -3e38);
  const ids = [...some.keys()];
  const order = [10, 2, 5, 8, 1, 3, 6, 9, 0, 7, 11, 4];
  assert.deepEqual(ids.toSorted((a, b) => some[b] - some[a] || a - b), order);
  const stages = new SamplerStages(some);
  for (const [place, id] of order.entries()) {
    const kept = stages.of(ids, { temperature: 1, topK: place + 1, topP: 1, repeatPenalty: 1 });
    assert.deepEqual(ids.filter((each) => kept[each].cut === null).toSorted(), order.slice(0, place + 1).toSorted(),
      `token ${id} at place ${place}`);
  }
});

test('topTokens gives the tokens and log probabilities of the engine', async () => {
  const { steps } = await collect(model.generate(PROMPT, { maxTokens: 1, top: 8, temperature: 0 }));
  const own = topTokens(logits, 8);
  assert.deepEqual(own.map(({ id }) => id), steps[0].top.map(({ id }) => id));
  own.forEach(({ id, logprob }, i) => {
    assert.ok(Math.abs(logprob - steps[0].top[i].logprob) < 1e-5);
    assert.equal(logprobOf(logits, id), logprob);
  });
});
