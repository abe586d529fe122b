// Search for the most probable sequence: in small enumerable languages, and in every kind of translator.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { lab, randomFrom } from '../../js/lab/index.js';
import { beamSearch, penalty, score } from '../../js/model/beam.js';
import * as rnn from '../../js/train/models/rnn-seq2seq.js';
import * as transformer from '../../js/train/models/transformer-seq2seq.js';
import { BEGIN, END, padded, vocabulary } from '../../js/train/tasks/vocabulary.js';

const ALPHAS = [0, 0.6, 1];

/** A small language: log probabilities after each sequence of ids 0 … 3, where 0 ends it. */
const language = (seed) => (ids) => {
  const random = randomFrom(ids.reduce((hash, id) => 5 * hash + id + 1, 0) * 1009 + seed);
  const weights = Array.from({ length: 4 }, () => random() ** 2);
  const sum = weights.reduce((all_, w) => all_ + w);
  return weights.map((w) => Math.log(w / sum));
};

/** Every sequence of 1 to `longest` of these symbols with its end. */
function* all(symbols, longest, logprobs, end, ids = [], logprob = 0) {
  const p = logprobs(ids);
  if (ids.length > 0) yield { ids, logprob: logprob + p[end], ended: true };
  if (ids.length === longest) return;
  for (const id of symbols) yield* all(symbols, longest, logprobs, end, [...ids, id], logprob + p[id]);
}
const bestOf = (sequences, alpha) => [...sequences].reduce((a, b) => (score(b, alpha) > score(a, alpha) ? b : a));

describe('enumerable languages', () => {
  const find = (seeds, options) => {
    const languages = seeds.map(language);
    return beamSearch(seeds.length, (rows) => rows.map(({ source, ids }) => languages[source](ids)),
      { longest: 4, end: 0, ...options });
  };
  const seeds = Array.from({ length: 40 }, (_, seed) => seed);

  test('a beam as wide as the language finds the best sequence', () => {
    for (const lengthPenalty of ALPHAS) {
      find(seeds, { beam: 200, lengthPenalty, longest: 3 }).forEach((found, seed) => {
        const best = bestOf(all([1, 2, 3], 3, language(seed), 0), lengthPenalty);
        assert.deepEqual(found.ids, best.ids);
        assert.ok(Math.abs(found.logprob - best.logprob) < 1e-12);
      });
    }
  });

  test('a beam of 1 is greedy search', () => {
    for (const [seed, { ids, logprob, ended }] of find(seeds, { beam: 1 }).entries()) {
      const greedy = [];
      const next = language(seed);
      let sum = 0;
      for (let last = -1; last !== 0;) {
        const p = next(greedy);
        const allowed = [0, 1, 2, 3].filter((id) => (id === 0 ? greedy.length > 0 : greedy.length < 4));
        last = allowed.reduce((a, b) => (p[b] > p[a] ? b : a));
        sum += p[last];
        if (last !== 0) greedy.push(last);
      }
      assert.deepEqual([ids, logprob, ended], [greedy, sum, true]);
    }
  });

  test('a wider beam never finds a worse sequence, and sometimes a better one', () => {
    for (const lengthPenalty of ALPHAS) {
      let better = 0;
      const widths = [1, 2, 3, 4, 5, 8, 16].map((beam) => find(seeds, { beam, lengthPenalty }));
      for (let i = 1; i < widths.length; i++) {
        widths[i].forEach((wide, seed) => {
          const now = score(wide, lengthPenalty);
          const before_ = score(widths[i - 1][seed], lengthPenalty);
          assert.ok(now >= before_, `language ${seed}, α = ${lengthPenalty}: ${now} after ${before_}`);
          better += Number(now > before_);
        });
      }
      assert.ok(better > 10, `${better}`);
    }
  });

  test('each source gives the same result alone and in a batch', () => {
    for (const beam of [1, 3]) {
      const together = find(seeds, { beam });
      seeds.forEach((seed) => assert.deepEqual(together[seed].ids, find([seed], { beam })[0].ids));
    }
  });

  test('each row has the index of the row that it continues', () => {
    let before_ = [[], []];
    beamSearch(2, (rows) => {
      rows.forEach(({ source, ids, from }) => {
        if (ids.length > 0) assert.deepEqual(ids.slice(0, -1), before_[from]);
        else assert.equal(from, source);
      });
      before_ = rows.map(({ ids }) => ids);
      return rows.map(({ source, ids }) => language(source)(ids));
    }, { beam: 3, longest: 4, end: 0 });
    assert.equal(before_[0].length, 4);
  });

  test('excluded ids are never chosen', () => {
    for (const { ids } of find(seeds, { beam: 3, never: [2] })) assert.ok(ids.length > 0 && !ids.includes(2));
  });

  test('the penalty of Wu et al. is 1 for a sequence of one symbol and grows with its length', () => {
    assert.equal(penalty(1, 0.6), 1);
    assert.equal(penalty(7, 1), 2);
    assert.equal(penalty(40, 0), 1);
  });

  test('a beam of 0 is an error', () => {
    assert.throws(() => find([1], { beam: 0 }), { code: 'bad-argument', message: /beam is 0; expected/ });
  });
});

const words = { source: vocabulary('abc'), target: vocabulary('xy'), longest: 3, units: 'characters' };
const recurrent = (attention, kind) => [`${attention}, ${kind}`, { ...words, model: 'rnn-seq2seq', attention,
  score: kind, embedding: 4, hidden: 6, sourceEnds: kind === 'dot' }, rnn.rnnWeights, rnn.rnnLoss, rnn.translateAll];
const TRANSLATORS = [
  recurrent('bahdanau', 'additive'),
  ...['dot', 'bilinear', 'concat'].map((kind) => recurrent('luong', kind)),
  ...['post', 'pre'].map((norm) => [`the Transformer, ${norm}-LN`, { ...words, model: 'transformer-seq2seq', width: 8,
    heads: 2, hidden: 12, layers: 2, norm, dropout: 0, smoothing: 0 }, transformer.transformerWeights,
  transformer.transformerLoss, transformer.translateAll]),
];

for (const [name, config, weights, loss, translateAll] of TRANSLATORS) {
  describe(name, () => {
    let l;
    let model;
    before(async () => {
      l = await lab({ seed: 5, strict: true });
      model = { config, weights: weights(l, config) };
      for (const tensor of Object.values(model.weights)) tensor.data.forEach((x, i, data) => { data[i] = 3 * x; });
    });
    after(() => l.dispose());

    const texts = ['ab', 'ccab', 'b', 'aabbcc', 'cab'];
    const translate = (text, options) => translateAll(l, model, [text], options)[0];
    const idsOf = (text) => [...[...text].map((symbol) => config.source.indexOf(symbol)),
      ...(config.sourceEnds ? [END] : [])];
    /** log p of these first symbols of a target, by teacher forcing. */
    const startOf = (text, ids) => l.evaluate(() => -ids.length * loss(l, model.weights, config,
      { source: padded([idsOf(text)]), input: padded([[BEGIN, ...ids.slice(0, -1)]]), wanted: padded([ids]) }).item());
    const logprobOf = (text, ids) => startOf(text, [...ids, END]);
    /** All targets, each with its probability. */
    const exhaustive = (text) => [...all([3, 4], 3, () => new Array(5).fill(0), END)].map(({ ids }) =>
      ({ ids, logprob: logprobOf(text, ids), ended: true }));

    test('a beam as wide as the tree finds the best target', () => {
      for (const lengthPenalty of ALPHAS) {
        for (const text of texts) {
          const best = bestOf(exhaustive(text), lengthPenalty);
          const found = translate(text, { beam: 16, lengthPenalty });
          assert.deepEqual(found.ids, best.ids);
          assert.ok(Math.abs(found.logprob - best.logprob) < 1e-5);
        }
      }
    });

    test('a beam of 1 is greedy, and its probability equals teacher forcing', () => {
      for (const text of texts) {
        const { ids, logprob } = translate(text, { beam: 1 });
        const written = [];
        for (let most = 0; most !== END;) {
          const allowed = [...(written.length > 0 ? [END] : []), ...(written.length < config.longest ? [3, 4] : [])];
          const p = Object.fromEntries(allowed.map((id) => [id, startOf(text, [...written, id])]));
          most = allowed.reduce((a, b) => (p[b] > p[a] ? b : a));
          if (most !== END) written.push(most);
        }
        assert.deepEqual(ids, written);
        assert.ok(Math.abs(logprob - logprobOf(text, ids)) < 1e-5);
      }
    });

    test('a wider beam never finds a worse target', () => {
      for (const lengthPenalty of ALPHAS) {
        const found = [1, 2, 3, 4, 8].map((beam) => translateAll(l, model, texts, { beam, lengthPenalty }));
        for (let i = 1; i < found.length; i++) {
          found[i].forEach((wide, text) => assert.ok(score({ ...wide, ended: true }, lengthPenalty) >=
            score({ ...found[i - 1][text], ended: true }, lengthPenalty)));
        }
      }
    });

    test('texts give the same bits alone and in a batch: targets, probabilities and maps', () => {
      for (const beam of [1, 3]) {
        const together = translateAll(l, model, texts, { beam });
        assert.deepEqual(together, texts.map((text) => translate(text, { beam })));
        for (const [i, { cache, ids }] of together.entries()) {
          const [, queries, keys] = cache['decoder.0.cross_attn.hook_pattern'].shape;
          assert.deepEqual([queries, keys], [ids.length, idsOf(texts[i]).length]);
        }
      }
    });
  });
}
