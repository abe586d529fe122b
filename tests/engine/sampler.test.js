// Each draw of the sampler equals a second implementation in float64.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { load, SAMPLING } from '../../js/index.js';
import { float32, uint32 } from '../../js/files/gguf/writer.js';
import { collect, heedError, STORIES } from '../support/model.js';
import { tinyGguf } from '../support/tiny-gguf.js';

const PROMPT = [0, 382, 389, 259, 366, 12, 369, 279, 259, 333, 359, 415, 314, 14, 311, 411, 264];

/** @type {any} */ let model;
/** @type {Float32Array} */ let logits;

before(async () => {
  model = await load(STORIES);
  logits = await model.forward(PROMPT);
});
after(() => model.dispose());

/** SplitMix64 by its definition, in exact integers: uniform in [0, 1), 24 bits. */
function random(seed, counter) {
  const mask = (1n << 64n) - 1n;
  let z = (BigInt(seed) + (BigInt(counter) + 1n) * 0x9e3779b97f4a7c15n) & mask;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
  z ^= z >> 31n;
  return Number(z >> 40n) / 2 ** 24;
}

/** The rules of heed_sampling in src/heed.h. margin: distance of the draw from another token. */
function expected({ temperature: given, topK, topP, minP, repeatPenalty, samplerOrder, seed }) {
  const seen = new Set(PROMPT);
  const first = samplerOrder === 'transformers';
  const temperature = first ? 1 : given;
  const penalized = (logit, id) => (!seen.has(id) ? logit : logit > 0 ? logit / repeatPenalty : logit * repeatPenalty);
  const candidates = Array.from(logits, (logit, id) => ({
    id,
    logit: penalized(logit, id) / (first ? given : 1),
  })).sort((a, b) => b.logit - a.logit || a.id - b.id);
  const largest = candidates[0].logit;
  let kept = candidates.slice(0, topK || candidates.length);
  const sorted = topK > 0 || topP < 1 || minP > 0;
  if (topP < 1) {
    const total = kept.reduce((sum, { logit }) => sum + Math.exp(logit - largest), 0);
    let sum = 0;
    const count = kept.findIndex(({ logit }) => (sum += Math.exp(logit - largest)) >= topP * total) + 1;
    kept = kept.slice(0, count);
  }
  if (minP > 0) kept = kept.filter(({ logit }) => Math.exp(logit - largest) >= minP);
  // Without a cut the candidates are not sorted: ids from the last to the first.
  if (!sorted) kept.sort((a, b) => b.id - a.id);
  const weights = kept.map(({ logit }) => Math.exp((logit - largest) / temperature));
  const total = weights.reduce((sum, w) => sum + w, 0);
  let target = random(seed, PROMPT.length) * total;
  for (let i = 0; i < kept.length; i++) {
    const before = target;
    target -= weights[i];
    if (target < 0 || i === kept.length - 1)
      return { id: kept[i].id, margin: Math.min(before, Math.abs(target)) / total };
  }
  throw new Error('no token was drawn');
}

/** Settings without a cut; each test adds one setting. */
const UNCUT = { temperature: 0.8, topK: 0, topP: 1, minP: 0, repeatPenalty: 1, samplerOrder: 'llama.cpp' };
const SETTINGS = [
  {},
  { temperature: 1.7 },
  { topK: 1, temperature: 3 },
  { topK: 5, temperature: 2 },
  { topP: 0.9 },
  { topP: 0.5, temperature: 5 },
  { minP: 0.05, temperature: 4 },
  { topP: 0.7, minP: 0.1, temperature: 5 },
  { topK: 5, topP: 0.7, temperature: 5 },
  { topK: 40, topP: 0.95, minP: 0.01, temperature: 1.2, repeatPenalty: 1.3 },
  { repeatPenalty: 0.7, temperature: 1 },
];
SETTINGS.push(...SETTINGS.map((settings) => ({ ...settings, samplerOrder: 'transformers' })));

for (const settings of SETTINGS) {
  test(`the same draws as in float64: ${JSON.stringify(settings)}`, async () => {
    let compared = 0;
    const sampling = { ...UNCUT, ...settings };
    for (let seed = 0; seed < 150; seed++) {
      const want = expected({ ...sampling, seed });
      // Skip draws within the rounding error of float32 sums of up to 2,048 weights.
      if (want.margin < 2048 * 2 ** -23) continue;
      const { steps } = await collect(model.generate(PROMPT, { ...sampling, seed, maxTokens: 1 }));
      assert.equal(steps[0].id, want.id, `seed ${seed}`);
      compared++;
    }
    assert.ok(compared > 60, `only ${compared} compared draws`);
  });
}

test('temperature before truncation keeps other tokens than after it', async () => {
  const cut = { ...UNCUT, temperature: 3, topP: 0.5 };
  const drawn = async (samplerOrder) => {
    const ids = new Set();
    for (let seed = 0; seed < 200; seed++) {
      const { summary } = await collect(model.generate(PROMPT, { ...cut, samplerOrder, seed, maxTokens: 1 }));
      ids.add(summary.ids[0]);
    }
    return ids.size;
  };
  const last = await drawn('llama.cpp');
  const first = await drawn('transformers');
  assert.ok(first > 4 * last, `${last} tokens with temperature last, ${first} with temperature first`);
});

test('the library, the command line and the page have the same sampling defaults', async () => {
  const idsBy = async (options) =>
    (await collect(model.generate(PROMPT, { seed: 3, maxTokens: 24, ...options }))).summary.ids;
  assert.deepEqual(await idsBy({}), await idsBy({ ...model.info.sampling }));
  const help = (await import('../../js/cli/generate.js')).default.help;
  const page = readFileSync(new URL('../../web/index.html', import.meta.url), 'utf8');
  for (const [name, value] of Object.entries(SAMPLING)) {
    const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    assert.match(help, new RegExp(`--${flag} .*\\b${value} by default`), flag);
    const field = new RegExp(`id="${flag}"[^>]* value="([^"]*)"`).exec(page);
    if (field) assert.equal(Number(field[1]), value, `the page's ${flag}`);
  }
});

test('generate uses the sampling settings that a GGUF file recommends, unless the call sets others', async () => {
  const recommended = { temperature: 1.5, topK: 7, topP: 0.9, minP: 0.05, repeatPenalty: 3 };
  const bytes = await tinyGguf({ metadata: {
    'general.sampling.temp': float32(1.5),
    'general.sampling.top_k': uint32(7),
    'general.sampling.top_p': float32(0.9),
    'general.sampling.min_p': float32(0.05),
    'general.sampling.penalty_repeat': float32(3),
  } });
  const told = await load(bytes);
  const plain = await load(await tinyGguf());
  assert.deepEqual(told.info.sampling, { ...SAMPLING, ...recommended });
  assert.deepEqual(plain.info.sampling, SAMPLING);
  const idsOf = async (of, options) =>
    (await collect(of.generate([1, 5, 6], { seed: 1, maxTokens: 16, ...options }))).summary.ids;
  assert.deepEqual(await idsOf(told, {}), await idsOf(plain, recommended));
  assert.notDeepEqual(await idsOf(told, {}), await idsOf(plain, {}));
  assert.deepEqual(await idsOf(told, SAMPLING), await idsOf(plain, {}));
  assert.deepEqual(await idsOf(told, { temperature: 0 }), await idsOf(plain, { temperature: 0 }),
    'temperature 0 means the likeliest token, without a recommended penalty');
  told.dispose();
  plain.dispose();
});

for (const [key, value] of /** @type {const} */ ([['temp', -1], ['top_p', NaN], ['penalty_repeat', 0]])) {
  test(`a file that recommends ${key} ${value} is refused by the key's name`, async () => {
    const bytes = await tinyGguf({ metadata: { [`general.sampling.${key}`]: float32(value) } });
    await assert.rejects(load(bytes), heedError('bad-file', new RegExp(`general\\.sampling\\.${key}`)));
  });
}

test('temperature 0 takes the likeliest token; log-probabilities are the log softmax of the logits', async () => {
  const { steps } = await collect(model.generate(PROMPT, { temperature: 0, maxTokens: 1, top: 7 }));
  const order = Array.from(logits, (logit, id) => ({ id, logit })).sort((a, b) => b.logit - a.logit || a.id - b.id);
  const logSum =
    order[0].logit + Math.log(order.reduce((sum, { logit }) => sum + Math.exp(logit - order[0].logit), 0));
  assert.equal(steps[0].id, order[0].id);
  assert.deepEqual(
    steps[0].top.map(({ id }) => id),
    order.slice(0, 7).map(({ id }) => id),
  );
  // The difference of two float32 of magnitude |logit| + |log sum|, the sum of 2,048 exponentials in lanes.
  const bound = 2 ** -23 * (Math.abs(logSum) + Math.abs(order[6].logit) + 8);
  steps[0].top.forEach(({ logprob }, i) => assert.ok(Math.abs(logprob - (order[i].logit - logSum)) <= bound));
});

test('single steps, one generation and a rewind give the same text for a seed', async () => {
  const straight = await collect(model.generate(PROMPT, { seed: 7, temperature: 1, maxTokens: 12 }));
  const ids = [...PROMPT];
  for (let i = 0; i < 12; i++) {
    const { steps } = await collect(model.generate(ids, { seed: 7, temperature: 1, maxTokens: 1 }));
    ids.push(steps[0].id);
  }
  assert.deepEqual(ids.slice(PROMPT.length), [...straight.summary.ids]);
  const again = await collect(model.generate(PROMPT, { seed: 7, temperature: 1, maxTokens: 12 }));
  assert.deepEqual(again.summary.ids, straight.summary.ids);
  const other = await collect(model.generate(PROMPT, { seed: 8, temperature: 1, maxTokens: 12 }));
  assert.notDeepEqual(other.summary.ids, straight.summary.ids);
});

test('invalid settings are refused by name', async () => {
  for (const [settings, about] of [
    [{ temperature: -1 }, /temperature/],
    [{ temperature: NaN }, /temperature/],
    [{ topP: 0 }, /topP/],
    [{ topP: 1.5 }, /topP/],
    [{ minP: 2 }, /minP/],
    [{ topK: -1 }, /topK/],
    [{ topK: 1.5 }, /topK/],
    [{ repeatPenalty: 0 }, /repeatPenalty/],
    [{ samplerOrder: 'last' }, /Expected samplerOrder to be llama\.cpp or transformers, got ‘last’/],
    [{ maxTokens: -1 }, /maxTokens/],
    [{ seed: -1 }, /seed/],
    [{ stop: 'the' }, /stop/],
  ]) {
    await assert.rejects(collect(model.generate(PROMPT, settings)), heedError('bad-argument', about));
  }
});
