/** Beam search with loaded models: a wide beam finds the best text of all, and the session holds it. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { score } from '../../js/model/beam.js';
import { load } from '../../js/index.js';
import { assertClose } from '../support/compare.js';
import { SOURCE, tinyEncoderDecoder } from '../support/encoder-decoders.js';
import { rejects } from '../support/expect.js';
import { LETTERS } from '../support/letters.js';
import { STORIES } from '../support/model.js';

const V = 40;
/** Its tokens are single characters of its text. */
const SHAKESPEARE = fileURLToPath(new URL('../../models/shakespeare.gguf', import.meta.url));

/** @param {Float32Array} logits */
function logprobsOf(logits) {
  const most = Math.max(...logits);
  const sum = logits.reduce((total, x) => total + Math.exp(x - most), 0);
  return Array.from(logits, (x) => x - most - Math.log(sum));
}

for (const worker of [false, true]) {
  describe(worker ? 'in a Worker' : 'in this thread', () => {
    test('a beam as wide as the vocabulary finds the best text of two tokens', async () => {
      const model = await load({ ...tinyEncoderDecoder('t5 v1.1'), tokenizer: LETTERS }, { worker });
      after(() => model.dispose());
      const [start] = await model.read(SOURCE);
      const END = 1;
      const all = [];
      const first = logprobsOf(await model.forward([start]));
      for (let a = 0; a < V; a++) {
        if (a === END) continue; // a text has at least one token
        model.rewind(1);
        const second = logprobsOf(await model.forward([a]));
        for (let b = 0; b < V; b++) {
          const ended = b === END;
          all.push({ ids: ended ? [a] : [a, b], logprob: first[a] + second[b], ended });
        }
      }
      for (const lengthPenalty of [0, 0.6, 2]) {
        const best = all.reduce((x, y) => (score(y, lengthPenalty) > score(x, lengthPenalty) ? y : x));
        const found = await model.beamSearch(SOURCE, { beams: V, maxTokens: 2, lengthPenalty });
        assert.deepEqual([...found[0].ids], best.ids);
        assertClose([found[0].logprob, found[0].score], [best.logprob, score(best, lengthPenalty)], 1e-4, 'best');
        assert.equal(found[0].ended, best.ended);
        assert.equal(found[0].text, await model.decode(found[0].ids));
        assert.ok(found.every(({ score: one }, i) => i === 0 || one <= found[i - 1].score), 'best first');
        assert.deepEqual([...model.ids], [start, ...found[0].ids], 'the session holds the best text');
      }
    });

    test('one beam is greedy, and wider beams find nothing worse', async () => {
      const model = await load(STORIES, { worker });
      after(() => model.dispose());
      const prompt = 'Tom had a red';
      const greedy = [];
      for await (const { id } of model.generate(prompt, { temperature: 0, maxTokens: 6 })) greedy.push(id);
      const [one] = await model.beamSearch(prompt, { beams: 1, maxTokens: 6 });
      assert.deepEqual([...one.ids], greedy);
      const { logprobs, ids } = await model.score([...await model.encode(prompt), ...one.ids]);
      const of = logprobs.slice(ids.length - 1 - one.ids.length).reduce((sum, x) => sum + x, 0);
      assertClose([one.logprob], [of], 1e-3, 'log-probability');
      const [wide] = await model.beamSearch(prompt, { beams: 5, maxTokens: 6 });
      assert.ok(wide.score >= one.score);
      assert.equal((await model.attention({ layer: 0, head: 0 })).keys, (await model.encode(prompt)).length + 6);
    });

    test('wrong options are refused, an abort ends the search, and the model works afterwards', async () => {
      const model = await load(STORIES, { worker, contextLength: 16 });
      after(() => model.dispose());
      const wrong = (/** @type {any} */ options) => model.beamSearch('Once', options);
      await rejects(wrong({ beams: 0 }), 'bad-argument', /beams/);
      await rejects(wrong({ beams: 257 }), 'bad-argument', /256/);
      await rejects(wrong({ maxTokens: 0 }), 'bad-argument', /maxTokens/);
      await rejects(wrong({ lengthPenalty: NaN }), 'bad-argument', /lengthPenalty/);
      await rejects(wrong({ lengthPenalty: 100 }), 'bad-argument', /lengthPenalty .*less than 100, got ‘100’/);
      await rejects(wrong({ lengthPenalty: '1' }), 'bad-argument', /lengthPenalty .* got the string ‘1’/);
      await rejects(wrong({ width: 3 }), 'bad-argument', /width/);
      await rejects(model.beamSearch(/** @type {any} */ (null)), 'bad-argument', /as text or as an array of ids/);
      await rejects(model.beamSearch(Array(16).fill(3)), 'context-full', /16/);
      await rejects(wrong({ signal: AbortSignal.abort() }), 'aborted');
      const [{ ids, ended }] = await model.beamSearch('Once', { beams: 2 });
      assert.ok(ended || ids.length === 16 - (await model.encode('Once')).length, 'the context is full');
    });
  });
}

test('a prompt without ids, or without a token, has one message in all calls that write text', async () => {
  const model = await load(SHAKESPEARE);
  after(() => model.dispose());
  await model.forward([5, 6]);
  for (const [prompt, says] of /** @type {const} */ ([[[], /^Expected at least one token id, got no ids\.$/],
    ['é', /^The prompt has no token, and this model has no start token\. Give a character of its vocabulary\.$/]])) {
    await rejects(model.beamSearch(prompt), 'bad-argument', says);
    await rejects(model.generate(prompt).next(), 'bad-argument', says);
    await rejects(model.generate(prompt, { json: true }).next(), 'bad-argument', says);
  }
  assert.equal(model.position, 2, 'the session stays');
});

test('ids that no text has are excluded, and score reads texts of the source', async () => {
  const model = await load({ ...tinyEncoderDecoder('marian', { config: { eos_token_id: 1 } }), tokenizer: LETTERS });
  after(() => model.dispose());
  const found = await model.beamSearch(SOURCE, { beams: 30, maxTokens: 2 });
  assert.ok(found.every(({ ids }) => !ids.includes(39)));
  await model.read(SOURCE);
  const { ids, logprobs } = await model.score('ab');
  assert.deepEqual([...ids], [39, ...await model.encode('ab')]);
  assert.equal(logprobs.length, ids.length - 1);
});
