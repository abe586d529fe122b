// The classifier with a learned query: against PyTorch, its properties, its data, and the figures of its card.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readData } from '../../js/cli/train.js';
import { lab, randomFrom } from '../../js/lab/index.js';
import { classifier, classifierWeights, classify, pool, textBatch } from '../../js/train/models/classifier.js';
import { openClassifier } from '../../js/train/models/index.js';
import { piecesOf, vocabularyOf, wordsOf } from '../../js/train/models/words.js';
import { beginAtLogOdds } from '../../js/train/models/log-odds.js';
import { runToEnd } from '../../js/train/resumable.js';
import recipe, { measure } from '../../js/train/recipes/sentiment.js';
import { readCorpora, readSst2, split } from '../../js/train/tasks/sentiment.js';
import { Trainer } from '../../js/train/trainer.js';
import { readSafetensors } from '../../js/cli/convert/safetensors.js';
import { close } from '../support/lab.js';
import { sameBits } from '../support/tolerance.js';

const MODEL = fileURLToPath(new URL('../../models/sentiment.safetensors', import.meta.url));
const DATA = fileURLToPath(new URL('../../data', import.meta.url));
const CARD = fileURLToPath(new URL('../../models/README.md', import.meta.url));
const SST2 = fileURLToPath(new URL('../../../shared/data/stsa.binary.test', import.meta.url));
const GOLDEN = fileURLToPath(new URL('../goldens/classifier/classifier.safetensors', import.meta.url));

const { sentences, negations, grammar } = await readData({ ...recipe, data: readCorpora }, DATA);

const TINY = {
  model: 'encoder-classifier',
  labels: ['no', 'yes'], vocabulary: ['a', 'bad', 'day', 'good', 'not'], pieces: [3], buckets: 16,
  width: 8, heads: 2, hidden: 12, blocks: 1, dropout: 0,
};

for (const engine of ['scalar', 'simd128']) {
  test(`PyTorch's values and gradients, ${engine}`, async () => {
    const entries = Object.entries(await readSafetensors(GOLDEN));
    const stored = Object.fromEntries(entries.map(([name, { shape, load }]) => [name, { shape, data: load() }]));
    const l = await lab({ engine });
    const learned = Object.keys(stored).filter((name) => `grad.${name}` in stored);
    const w = Object.fromEntries(learned.map((name) =>
      [name, l.parameter(stored[name].data, stored[name].shape, name)]));
    const [batch, time, piece] = stored.pieces.shape;
    const pieces = Int32Array.from(stored.pieces.data);
    const shares = Float32Array.from({ length: batch * time }, (_, i) =>
      1 / Math.max(1, pieces.subarray(i * piece, (i + 1) * piece).filter((p) => p >= 0).length));
    const config = { ...TINY, blocks: 2 };
    l.step(() => {
      const { logits, pooled, maps } = classifier(l, w, config, { batch, time, piece, pieces, shares,
        lengths: Array.from(stored.lengths.data), words: Int32Array.from(stored.words.data) });
      const loss = l.crossEntropy(logits, stored.targets.data);
      close(logits.data, stored.logits.data, 'logits');
      close(pooled.data, stored.pooled.data, 'pooled');
      // rows of padding are undefined
      maps.forEach(({ pattern: { data } }, i) =>
        close(data.subarray(0, 32), stored[`map${i}`].data.subarray(0, 32), `map ${i}`));
      close(loss.data, stored.loss.data, 'loss');
      l.backward(loss);
    });
    for (const name of learned) close(w[name].grad, stored[`grad.${name}`].data, name);
    l.dispose();
  });
}

test('initial weights have the names and shapes of PyTorch', async () => {
  const stored = await readSafetensors(GOLDEN);
  const l = await lab();
  const made = classifierWeights(l, { ...TINY, labels: ['a', 'b', 'c'], vocabulary: [...'abcdef'], buckets: 10,
    blocks: 2 });
  assert.deepEqual(Object.keys(made).sort(),
    Object.keys(stored).filter((name) => `grad.${name}` in stored).sort());
  for (const [name, { shape }] of Object.entries(made)) {
    assert.deepEqual(Object.values(shape), stored[name].shape, name);
  }
  l.dispose();
});

describe('words', () => {
  test('are split as in the Penn Treebank', () => {
    assert.deepEqual(wordsOf("I don’t think it's bad, can't you?"),
      ['I', 'do', 'n’t', 'think', 'it', "'s", 'bad', ',', 'ca', "n't", 'you', '?']);
    assert.deepEqual(wordsOf("does n't , it 's -- «Ünique» 9/10"),
      ['does', "n't", ',', 'it', "'s", 'Ünique', '9', '10']);
    assert.deepEqual(wordsOf(' -- '), []);
  });
  test('have pieces between boundary marks, the same in every text', () => {
    assert.equal(piecesOf('good', [3], 100).length, 4);
    assert.equal(piecesOf('good', [3, 4], 100).length, 7);
    assert.deepEqual(piecesOf('.', [3], 100), []);
    const before_ = piecesOf('enjoy', [4], 1 << 20);
    const longer = piecesOf('enjoyed', [4], 1 << 20);
    assert.deepEqual(longer.slice(0, 3), before_.slice(0, 3)); // ‹enj, enjo, njoy
  });
  test('are in the vocabulary once, in lower case', () => {
    assert.deepEqual(vocabularyOf(['Good day', 'a good one']), ['a', 'day', 'good', 'one']);
    assert.deepEqual(vocabularyOf(['Good day', 'a good one'], 2), ['good']);
  });
});

describe('the model', () => {
  let l;
  let w;
  before(async () => {
    l = await lab({ seed: 3 });
    w = classifierWeights(l, TINY);
    w.query.data.forEach((q, i) => { w.query.data[i] = 3 * q; }); // a larger query for sharper weights
  });
  after(() => l.dispose());
  const run = (texts, config = TINY) => l.evaluate(() => {
    const { logits, pooled } = classifier(l, w, config, textBatch(texts.map(wordsOf), config));
    return { logits: logits.toArray(), pooled: pooled.toArray() };
  });
  const near = (actual, expected) => actual.forEach((x, i) =>
    assert.ok(Math.abs(x - expected[i]) < 2e-6, `[${i}] is ${x}, not ${expected[i]}`));

  test('pooled weights sum to 1, and padding has weight 0', () => {
    const { pooled } = run(['not a bad day', 'good', 'a good']);
    for (const row of pooled) assert.ok(Math.abs(row.reduce((a, b) => a + b) - 1) < 1e-6);
    assert.deepEqual(pooled[1].slice(1), [0, 0, 0]);
    assert.deepEqual(pooled[2].slice(2), [0, 0]);
    assert.ok(Math.max(...pooled[0]) > 1.2 / 4, 'the query distinguishes words');
  });

  test('a text gives the same result alone and beside a longer text', () => {
    const alone = run(['a good']).logits[0];
    near(run(['not a bad day', 'a good']).logits[1], alone);
  });

  test('the query is a parameter: pooling is softmax of its products with the words', () => {
    const x = l.tensor([[[1, 0], [0, 2], [9, 9]]], { batch: 1, time: 3, feature: 2 });
    const q = l.tensor([[0, 1]], { query: 1, feature: 2 });
    const { output, pattern } = pool(l, q, x, [2]);
    const share = 1 / (1 + Math.exp(2 / Math.SQRT2));
    near(Array.from(pattern.data), [share, 1 - share, 0]);
    near(Array.from(output.data), [share, 2 * (1 - share)]);
  });

  test('the order of words matters only with positions', () => {
    const bag = { ...TINY, positions: 0 };
    const one = run(['not a bad day'], bag);
    const other = run(['day bad a not'], bag);
    near(one.logits[0], other.logits[0]);
    near(one.pooled[0], other.pooled[0].toReversed());
    const told = run(['not a bad day']);
    const reversed = run(['day bad a not']);
    assert.ok(Math.abs(told.logits[0][0] - reversed.logits[0][0]) > 1e-4);
  });

  test('an unknown word is encoded by its pieces', () => {
    const [unknown, other] = run(['goodness', 'daylight']).logits;
    assert.ok(Math.abs(unknown[0] - other[0]) > 1e-6);
  });

  test('classify gives label, probability, words, weights and maps', () => {
    const said = classify(l, { weights: w, config: TINY }, 'Not a BAD day');
    const { label, probability, words, weights, cache } = said;
    assert.ok(TINY.labels.includes(label));
    assert.ok(probability >= 0.5 && probability <= 1);
    assert.deepEqual(words, ['Not', 'a', 'BAD', 'day']);
    assert.equal(weights.length, 4);
    assert.deepEqual(Object.keys(cache), ['blocks.0.attn.hook_attn_scores', 'blocks.0.attn.hook_pattern']);
    const { data, shape } = cache['blocks.0.attn.hook_pattern'];
    assert.deepEqual(shape, [2, 4, 4]);
    assert.deepEqual(said.attention({ layer: 0, head: 1 }).data, data.slice(16));
    for (let row = 0; row < 2 * 4; row++) {
      const sum = data.subarray(row * 4, (row + 1) * 4).reduce((a, b) => a + b);
      assert.ok(Math.abs(sum - 1) < 1e-6);
    }
  });

  test('an unreadable text is an error with a reason', () => {
    const model = { weights: w, config: TINY };
    assert.throws(() => classify(l, model, ' -- '), { code: 'bad-argument', message: /no word/ });
    assert.throws(() => classify(l, model, 'good '.repeat(300)), { code: 'bad-argument', message: /300 words.*256/ });
  });
});

describe('the sentences', () => {
  test('are at least 1,000, balanced and unique', () => {
    assert.ok(sentences.length >= 1000, `${sentences.length}`);
    const everything = [...sentences, ...negations];
    assert.equal(everything.filter(({ label }) => label === 1).length, everything.length / 2);
    const bare = everything.map(({ text }) => wordsOf(text.toLowerCase()).join(' '));
    assert.equal(new Set(bare).size, everything.length);
    for (const { text } of everything) assert.match(text, /^\p{Lu}.*[.!?]$/u);
  });

  test('with negations are pairs of praise and complaint, and each has a negation', () => {
    assert.ok(negations.length >= 60);
    negations.forEach(({ text, label }, i) => {
      assert.equal(label, 1 - i % 2, text);
      assert.match(text, /\b(not?|never|nothing|nobody|none|neither|hardly|without|far from|anything but)\b|n't\b/i);
    });
  });

  test('are split into disjoint balanced parts that keep pairs together', () => {
    const { training, choosing, measuring, otherTopics } = split(sentences);
    assert.deepEqual(split(sentences), { training, choosing, measuring, otherTopics });
    const parts = [training, choosing, measuring, otherTopics];
    assert.deepEqual(parts.flat().map(({ text }) => text).sort(), sentences.map(({ text }) => text).sort());
    for (const part of parts) {
      assert.equal(part.filter(({ label }) => label === 1).length, part.length / 2);
      const here = new Set(part.map(({ text }) => text));
      sentences.forEach(({ text }, i) => assert.equal(here.has(text), here.has(sentences[i ^ 1].text)));
    }
    assert.ok(measuring.length >= 200, `${measuring.length}`);
    const topics = new Set(otherTopics.map(({ topic }) => topic));
    assert.equal(topics.size, 4);
    for (const { topic } of parts.slice(0, 3).flat()) assert.ok(!topics.has(topic), topic);
    for (const { topic } of parts.slice(1).flat()) assert.doesNotMatch(topic, / to learn from$/);
  });
});

describe('the grammar of negation', () => {
  const { lists } = grammar;
  const [praise, blame] = ['praise', 'blame'].map((side) => new Set(lists.flatMap((list) => list[side])));
  const many = (count, seed) => {
    const random = randomFrom(seed);
    return Array.from({ length: count }, () => grammar.sentence(random));
  };

  test('has words of praise and words of blame, without overlap', () => {
    assert.ok(praise.size > 300 && blame.size > 300);
    assert.deepEqual([...praise].filter((word) => blame.has(word)), []);
    for (const list of lists) {
      for (const words of [list.praise, list.blame]) assert.equal(new Set(words).size, words.length);
    }
  });

  test('labels a plain sentence by its word, and a negated sentence by the opposite', () => {
    const seen = { plain: 0, denied: 0 };
    const judged = /^(?:The|This|That|My|Our|Their|Her|His) \w+ (?:is|was) (not )?([\w-]+)\.$/;
    for (const { text, label } of many(20000, 3)) {
      const [, denied, word] = judged.exec(text) ?? [];
      if (!praise.has(word) && !blame.has(word)) continue;
      assert.equal(label, Number(praise.has(word) !== (denied !== undefined)), text);
      seen[denied ? 'denied' : 'plain']++;
    }
    assert.ok(seen.plain > 10 && seen.denied > 10, JSON.stringify(seen));
  });

  test('is balanced, reproducible from its seed, and makes well-formed sentences', () => {
    const some = many(2000, 1);
    assert.deepEqual(many(2000, 1), some);
    const share = some.filter(({ label }) => label === 1).length / some.length;
    assert.ok(Math.abs(share - 0.5) < 0.05, `${share}`);
    for (const { text } of [...some, ...grammar.plain(200, randomFrom(2))]) {
      assert.match(text, /^\p{Lu}[^{}()|/]*\.$/u);
      assert.doesNotMatch(text, /  | [,.;:]|undefined/);
    }
  });

  test('holds out some words and some frames from training', () => {
    const learned = many(20000, 4).map(({ text }) => text);
    const unseen = grammar.unseenDenials('frames', 200, randomFrom(5)).map(({ text }) => text);
    for (const frame of [/would not call/, /in no way/, /^Not once/, /what I call/, /not true/, /refuses to/]) {
      assert.ok(unseen.some((text) => frame.test(text)), `${frame}`);
      assert.deepEqual(learned.filter((text) => frame.test(text)), []);
    }
    const apart = grammar.unseenDenials('words', 2000, randomFrom(6)).flatMap(({ text }) =>
      /^\w+ \w+ (?:is|was) not ([\w-]+)\.$/.exec(text)?.[1] ?? []);
    assert.ok(apart.length > 3, `${apart.length}`);
    for (const word of apart) {
      assert.ok(learned.some((text) => text.includes(` ${word}`)), `${word} occurs without a negation`);
      assert.deepEqual(learned.filter((text) => new RegExp(` not ${word}\\b`).test(text)), []);
    }
  });
});

test('training reduces the loss, and a resumed run gives the same bits', async () => {
  const data = await readData(recipe, DATA);
  const small = { ...recipe, config: (d) => ({ ...recipe.config(d), width: 8, hidden: 8, buckets: 64 }),
    validate: () => ({ [recipe.goal.figure]: 0 }) };
  const train = async (steps, checkpoint) => {
    const l = await lab({ seed: 1 });
    const trainer = new Trainer(l, small, data, { steps: 40 });
    if (checkpoint) await trainer.restore(checkpoint);
    const losses = [];
    for await (const { loss, step } of trainer.run()) {
      losses.push(loss);
      if (step === steps) break;
    }
    const state = { losses, checkpoint: trainer.checkpoint() };
    l.dispose();
    return state;
  };
  const whole = await train(40);
  const mean = (list) => list.reduce((a, b) => a + b) / list.length;
  assert.ok(mean(whole.losses.slice(-10)) < mean(whole.losses.slice(0, 10)));
  const half = await train(20);
  const resumed = await train(40, half.checkpoint);
  sameBits(resumed.checkpoint, whole.checkpoint, 'weights and state of the optimizer');
});

test('initial words have their log odds, and the margin is linear in them as in naive Bayes', async () => {
  const l = await lab({ seed: 1 });
  const config = { ...TINY, vocabulary: ['day', 'fine', 'grim'], norm: 'pre', positions: 0 };
  const w = classifierWeights(l, config);
  for (const [name, { data }] of Object.entries(w)) if (/words|pieces|out_proj|linear2/.test(name)) data.fill(0);
  beginAtLogOdds(w, config, [{ text: 'fine fine day', label: 1 }, { text: 'A fine day', label: 1 },
    { text: 'grim day', label: 0 }]);
  const margin = (text) => l.evaluate(() => {
    const [no, yes] = classifier(l, w, config, textBatch([wordsOf(text)], config)).logits.data;
    return yes - no;
  });
  const odds = { day: Math.log(3 / 2), fine: Math.log(3), grim: Math.log(1 / 2) };
  const unit = margin('day') / odds.day; // pooling one word gives this word alone
  assert.ok(unit > 0);
  for (const [word, odd] of Object.entries(odds)) {
    assert.ok(Math.abs(margin(word) - unit * odd) < 1e-6, `${word}: ${margin(word)}, ${unit * odd}`);
  }
  l.dispose();
});

describe('the trained model', () => {
  let l;
  let model;
  before(async () => {
    l = await lab();
    model = await openClassifier(l, new Uint8Array(await readFile(MODEL)));
  });
  after(() => l.dispose());

  /** A figure of the card, as a fraction. */
  const figure = async (what) => {
    const card = (await readFile(CARD, 'utf8')).split('\n## ').find((part) => part.startsWith('sentiment.safetensors'));
    const [, percent] = new RegExp(`^\\| ${what} \\|.*?([0-9.]+) % \\|`, 'm').exec(card);
    return Number(percent) / 100;
  };
  const accuracy = (examples) => runToEnd(measure(l, model.weights, model.config, examples)).accuracy;

  test('is at most 2 MB, and meets its recipe’s goal', async () => {
    assert.ok((await readFile(MODEL)).byteLength <= 2e6);
    assert.ok(accuracy(split(sentences).measuring) >= recipe.goal.atLeast);
  });

  test('has the figures of its card on held-out sentences', async () => {
    const { measuring, otherTopics } = split(sentences);
    const named = { 'own sentences held out': measuring, 'own sentences on other topics': otherTopics,
      'sentences that turn on a negation': negations };
    for (const [name, part] of Object.entries(named)) {
      const measured = accuracy(part);
      const told = await figure(name);
      assert.ok(Math.abs(measured - told) < 0.0051, `${name}: ${measured}, the card says ${told}`);
    }
  });

  test('has the figures of its card on SST-2', { skip: !existsSync(SST2) && `${SST2} is absent` }, async () => {
    const measured = accuracy(readSst2(new Uint8Array(await readFile(SST2))));
    const told = await figure('SST-2, test');
    assert.ok(Math.abs(measured - told) < 0.0021, `${measured}, the card says ${told}`);
  });

  test('labels plain sentences correctly, and attends to the decisive words', () => {
    const plain = { 'The soup was delicious and the staff were friendly.': 'positive',
      'A boring, badly acted film.': 'negative' };
    for (const [text, label] of Object.entries(plain)) assert.equal(model.classify(text).label, label, text);
    const turned = { 'It was not bad at all.': 'positive', 'The museum was never dull.': 'positive',
      'The tea was not warm.': 'negative' };
    for (const [text, label] of Object.entries(turned)) assert.equal(model.classify(text).label, label, text);
    const { words, weights } = model.classify('The soup was delicious.');
    assert.ok(weights[words.indexOf('delicious')] > 1 / words.length);
  });

  test('a model of another kind is an error', async () => {
    const heed = { recipe: 'shakespeare', config: { model: 'gpt2' }, figures: {} };
    const other = l.save({}, { heed: JSON.stringify(heed) });
    await assert.rejects(openClassifier(l, other), { code: 'unsupported', message: /‘gpt2’, which does not classify/ });
  });
});
