// The encoder–decoder Transformer: against PyTorch, padding, causality, search, and the shipped models.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { floatFromHalf, halfFromFloat } from '../../js/files/half.js';
import { lab } from '../../js/lab/index.js';
import { penalty } from '../../js/model/beam.js';
import { decode, encode, transformerLoss, transformerWeights, translateAll } from
  '../../js/train/models/transformer-seq2seq.js';
import { openModel, openTranslator } from '../../js/train/models/index.js';
import { runToEnd } from '../../js/train/resumable.js';
import dates from '../../js/train/recipes/dates-transformer.js';
import bahdanau from '../../js/train/recipes/spa-eng-bahdanau.js';
import spanish from '../../js/train/recipes/spa-eng-transformer.js';
import { ARCHIVE, frequentWords, isHeldOut, readPairs } from '../../js/train/tasks/spa-eng.js';
import { UNITS } from '../../js/train/tasks/units.js';
import { BEGIN, PAD, padded, vocabulary } from '../../js/train/tasks/vocabulary.js';
import { unzip } from '../../js/files/zip.js';
import { close, golden, softmaxOf } from '../support/lab.js';
import { decodeF16 } from '../support/numbers.js';

let l;
before(async () => { l = await lab({ seed: 5, strict: true }); });
after(() => l.dispose());

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const ZIP = here('../../../shared/data/spa-eng.zip');
const absent = !existsSync(ZIP) && '../shared/data/spa-eng.zip is not there';

/** The tiny model of tools/goldens/seq2seq.py. */
const letters = (n) => vocabulary(Array.from({ length: n - 3 }, (_, i) => String.fromCharCode(97 + i)));
const TINY = { model: 'transformer-seq2seq', width: 8, heads: 2, hidden: 12, layers: 2, norm: 'post', dropout: 0,
  smoothing: 0.1, units: 'characters', source: letters(9), target: letters(7), longest: 5 };

/** Padded ids of a golden: [batch][time], 0 is padding. */
function ids({ data, shape: [batch, time] }) {
  const rows = Array.from({ length: batch }, (_, i) => Array.from(data.slice(i * time, (i + 1) * time)));
  return { ...padded(rows), lengths: Int32Array.from(rows, (row) => row.filter((id) => id !== PAD).length) };
}

for (const norm of ['post', 'pre']) {
  test(`loss, logits and gradients are nn.Transformer's, ${norm}-LN, with padding and smoothed labels`, async () => {
    const stored = await golden(norm, 'seq2seq');
    const config = { ...TINY, norm };
    const weights = transformerWeights(l, config);
    for (const [name, w] of Object.entries(weights)) w.data.set(stored[name].data);
    const batch = { source: ids(stored.source), input: ids(stored.target_in), wanted: ids(stored.target_out) };
    l.step(() => {
      const loss = transformerLoss(l, weights, config, batch);
      close([loss.item()], stored.loss.data, 'loss');
      const { logits } = decode(l, weights, config, encode(l, weights, config, batch.source), batch.input);
      const ours = l.reshape(logits, [3, 4, 7]).toArray();
      batch.input.lengths.forEach((length, b) => {
        const expected = stored.logits.data.slice(b * 28, b * 28 + 7 * length);
        close(ours[b].slice(0, length).flat(), expected, `logits of ${b}`);
      });
      l.backward(loss);
    });
    for (const [name, w] of Object.entries(weights)) close(w.grad, stored[`grad.${name}`].data, `gradient of ${name}`);
  });
}

describe('inputs that must not change a translation', () => {
  let model;
  before(() => { model = { config: TINY, weights: transformerWeights(l, TINY) }; });
  const run = (sources, inputs, read) => l.evaluate(() => {
    const { config, weights } = model;
    const { logits } = decode(l, weights, config, encode(l, weights, config, padded(sources)), padded(inputs));
    return read(logits.toArray());
  });

  test('padding: a sentence gives the same bits alone and beside longer sentences', () => {
    const alone = run([[3, 4]], [[BEGIN, 5]], ([first]) => first);
    const beside = run([[3, 4], [5, 6, 7, 8, 3]], [[BEGIN, 5], [BEGIN, 3, 4, 5]], ([first]) => first.slice(0, 2));
    assert.deepEqual(beside, alone);
  });

  test('causality: later symbols change no bit of a prediction', () => {
    const [a, b] = [[BEGIN, 3, 4, 5], [BEGIN, 3, 6, 6]].map((input) => run([[3, 4, 5]], [input], ([first]) => first));
    assert.deepEqual(a.slice(0, 2), b.slice(0, 2));
    assert.notDeepEqual(a[2], b[2]);
  });

  const STACKS = ['encoder.attn', 'decoder.attn', 'decoder.cross_attn'];

  test('maps: each layer has a name, patterns are the softmax of scores, the decoder is causal', () => {
    const { ids: out, source, target, cache } = translateAll(l, model, ['abcd'])[0];
    assert.deepEqual(source, [...'abcd']);
    const T = out.length;
    const S = 4;
    assert.equal(target.length, T);
    const shapes = { 'encoder.attn': [2, S, S], 'decoder.attn': [2, T, T], 'decoder.cross_attn': [2, T, S] };
    const names = Object.keys(shapes).map((name) => name.split('.')).flatMap(([stack, attention]) =>
      [0, 1].flatMap((layer) => ['hook_attn_scores', 'hook_pattern'].map((hook) =>
        `${stack}.${layer}.${attention}.${hook}`)));
    assert.deepEqual(Object.keys(cache), names);
    for (const [of, shape] of Object.entries(shapes)) {
      for (const layer of [0, 1]) {
        const [scores, pattern] = ['hook_attn_scores', 'hook_pattern'].map((hook) =>
          cache[`${of.replace('.', `.${layer}.`)}.${hook}`]);
        assert.deepEqual([scores.shape, pattern.shape], [shape, shape]);
        const keys = shape[2];
        softmaxOf(scores.data, keys).forEach((weight, i) => assert.ok(Math.abs(weight - pattern.data[i]) < 1e-6));
        const later = (i) => of === 'decoder.attn' && i % keys > Math.floor(i / keys) % T;
        pattern.data.forEach((weight, i) => assert.equal(weight === 0, later(i), `${of} ${layer} [${i}]`));
        scores.data.forEach((score, i) => assert.equal(score === -Infinity, later(i), `${of} ${layer} [${i}]`));
      }
    }
  });

  test('maps: equal to the patterns of a forward pass, in any batch', () => {
    const [, { ids: out, cache }] = translateAll(l, model, ['abcdef', 'ab', 'bc']);
    const { config, weights } = model;
    l.evaluate(() => {
      const memory = encode(l, weights, config, padded([[3, 4]]));
      const { self, cross } = decode(l, weights, config, memory, padded([[BEGIN, ...out.slice(0, -1)]]));
      for (const [of, layers] of Object.entries({ encoder: memory.maps, decoder: self, 'decoder.cross': cross })) {
        const [stack, attention] = of === 'decoder.cross' ? ['decoder', 'cross_attn'] : [of, 'attn'];
        for (const [layer, { pattern, scores }] of layers.entries()) {
          const at = `${stack}.${layer}.${attention}`;
          assert.deepEqual(cache[`${at}.hook_pattern`].data, pattern.data.slice(), at);
          assert.deepEqual(cache[`${at}.hook_attn_scores`].data, scores.data.slice(), at);
        }
      }
    });
  });

  test('maps: one head, some of its rows, or a whole stack, with the tokens of both axes', () => {
    const translation = translateAll(l, model, ['abcd'])[0];
    const { source, target, cache } = translation;
    const T = target.length;
    const S = source.length;
    const map = translation.attention({ layer: 1, head: 1 });
    const { data } = cache['decoder.1.cross_attn.hook_pattern'];
    assert.deepEqual(map, { data: data.slice(T * S), queries: T, keys: S, firstQuery: 0, layer: 1, head: 1,
      kind: 'pattern', tokens: source, queryTokens: target, causal: false });
    const some = translation.attention({ layer: 1, head: 0, kind: 'scores', queries: [1, 3] });
    assert.deepEqual([some.data, some.queries, some.firstQuery],
      [cache['decoder.1.cross_attn.hook_attn_scores'].data.slice(S, 3 * S), 2, 1]);
    const own = translation.attention({ of: 'decoder.attn', layer: 0, head: 0 });
    assert.deepEqual([own.tokens, own.causal], [['<begin>', ...target.slice(0, -1)], true]);
    for (const of of STACKS) {
      const rows = translation.attentionRows({ of, queries: [1, 2] });
      assert.deepEqual([rows.layers, rows.heads, rows.queries, rows.firstQuery], [2, 2, 1, 1]);
      const each = [0, 1].flatMap((layer) => [0, 1].flatMap((head) =>
        [...translation.attention({ of, layer, head, queries: [1, 2] }).data]));
      assert.deepEqual([...rows.data], each);
    }
    const refused = (at, message) =>
      assert.throws(() => translation.attention(at), { name: 'HeedError', code: 'bad-argument', message });
    refused({ layer: 2, head: 0 }, /no layer ‘2’, head ‘0’: decoder.cross_attn has 2 layers of 2 heads/);
    refused({ layer: 0 }, /head ‘undefined’/);
    refused(undefined, /layer ‘undefined’/);
    refused({ of: 'encoder', layer: 0, head: 0 }, /no maps of ‘encoder’\. It has maps of encoder.attn, decoder.attn, /);
    refused({ layer: 0, head: 0, kind: 'weights' }, /Unknown kind of map ‘weights’/);
    refused({ layer: 0, head: 0, queries: [0, T + 1] }, /queries is ‘0,/);
    refused({ layer: 0, head: 0, queries: 3 }, /expected \[from, to\]/);
    refused({ layers: 0, head: 0 }, /no option ‘layers’/);
  });
});

describe('the tasks', () => {
  test('text is split into words and signs, and joined again', () => {
    const { split, join } = UNITS.words;
    assert.deepEqual(split('I don’t know, Tom!'), ['i', 'don\'t', 'know', ',', 'tom', '!']);
    assert.equal(join(split('¿Cómo estás, Tom? (Bien.)')), '¿cómo estás, tom? (bien.)');
    assert.throws(() => split('  '), { code: 'bad-argument' });
  });

  test('pairs are unique and short; vocabularies are sorted by frequency', () => {
    const text = 'Go.\tVe.\nGo.\tVe.\nGo.\tVaya.\nA b c d e f g h.\tNo.\nbroken line\n';
    assert.deepEqual(readPairs(text), [{ source: ['go', '.'], target: ['ve', '.'] },
      { source: ['go', '.'], target: ['vaya', '.'] }]);
    assert.deepEqual(frequentWords([['b', 'a', 'b'], ['c', 'a', 'b']], 6),
      vocabulary(['<unk>', 'a', 'b']));
  });

  test('one sentence in fifty is held out, always the same sentences', () => {
    const sentences = Array.from({ length: 20000 }, (_, i) => ['tom', String(i), '.']);
    const share = sentences.filter(isHeldOut).length / sentences.length;
    assert.ok(share > 0.016 && share < 0.024, `${share}`);
    assert.equal(isHeldOut(['i', 'am', 'here', '.']), isHeldOut('i am here .'.split(' ')));
  });
});

describe('a ZIP archive', () => {
  /** One file, deflated, then one stored. */
  const deflated = Uint8Array.from(deflateRawSync('hola '.repeat(50)));
  const archive = zip([['a/long.txt', deflated, 8], ['a/short.txt', new TextEncoder().encode('adiós'), 0]]);

  /** @param {[string, Uint8Array, number][]} files */
  function zip(files) {
    const parts = [];
    const entries = [];
    let at = 0;
    const record = (signature, size, fields) => {
      const view = new DataView(new ArrayBuffer(size));
      view.setUint32(0, signature, true);
      for (const [offset, value, bytes] of fields) view[bytes === 4 ? 'setUint32' : 'setUint16'](offset, value, true);
      return new Uint8Array(view.buffer);
    };
    for (const [name, data, method] of files) {
      const text = new TextEncoder().encode(name);
      entries.push(record(0x02014b50, 46, [[10, method, 2], [20, data.length, 4], [28, text.length, 2], [42, at, 4]]),
        text);
      parts.push(record(0x04034b50, 30, [[8, method, 2], [18, data.length, 4], [26, text.length, 2]]), text, data);
      at += 30 + text.length + data.length;
    }
    const end = record(0x06054b50, 22, [[10, files.length, 2], [16, at, 4]]);
    return Uint8Array.from(Buffer.concat([...parts, ...entries, end]));
  }

  test('returns its files, compressed or stored', async () => {
    assert.equal(new TextDecoder().decode(await unzip(archive, 'a/long.txt')), 'hola '.repeat(50));
    assert.equal(new TextDecoder().decode(await unzip(archive, 'a/short.txt')), 'adiós');
  });

  test('is an error if it is damaged, truncated or lacks the file', async () => {
    const damaged = archive.slice();
    damaged.fill(0xff, 40, 50);
    for (const [bytes, name] of [[archive, 'b.txt'], [archive.slice(0, 60), 'a/long.txt'], [damaged, 'a/long.txt'],
      [new Uint8Array(0), 'a/long.txt']]) {
      await assert.rejects(unzip(bytes, name), { code: 'bad-file' });
    }
  });
});

describe('half precision', () => {
  test('every half survives a round trip; other numbers round to nearest, ties to even', () => {
    for (let bits = 0; bits < 1 << 16; bits++) {
      assert.ok(Object.is(floatFromHalf(bits), decodeF16(bits)), `${bits}`);
      if (!Number.isNaN(floatFromHalf(bits))) assert.equal(halfFromFloat(floatFromHalf(bits)), bits);
    }
    for (let bits = 0; bits < 0x7bff; bits++) { // two adjacent numbers, positive and finite
      const low = floatFromHalf(bits);
      const high = floatFromHalf(bits + 1);
      const middle = (low + high) / 2;
      assert.equal(halfFromFloat(middle), bits % 2 ? bits + 1 : bits);
      assert.equal(halfFromFloat(middle - (high - low) / 64), bits);
      assert.equal(halfFromFloat(middle + (high - low) / 64), bits + 1);
    }
    assert.ok(Number.isNaN(floatFromHalf(halfFromFloat(NaN))));
    assert.deepEqual([65519, 65520, 1e30, -Infinity].map(halfFromFloat), [0x7bff, 0x7c00, 0x7c00, 0xfc00]);
  });

  test('a file of F16 weights has half the size, and loads', async () => {
    const w = l.parameter([0.5, -1.25, 1 / 3, 1e-8], [2, 2], 'w');
    const file = l.save({ w }, {}, { dtype: 'F16' });
    const { weights } = await l.load(file);
    assert.deepEqual([...weights.w.data], [0.5, -1.25, 0.333251953125, 0]);
    assert.equal(l.save({ w }).byteLength - file.byteLength, 8);
  });
});

describe('the shipped models', () => {
  test('dates-transformer translates held-out days', async () => {
    const file = await readFile(here('../../models/dates-transformer.safetensors'));
    const { config, weights, recipe } = await openModel(l, file);
    assert.equal(recipe, dates.name);
    const { exact } = runToEnd(dates.validate(l, weights, config, dates.data({})));
    assert.ok(exact >= 0.99, `${exact}`);
  });

  /** Rows of samples in a model's card: English, greedy, beam of 4, Tatoeba. */
  async function samples(name) {
    const card = (await readFile(here('../../models/README.md'), 'utf8')).split('\n## ')
      .find((section) => section.startsWith(`${name}.safetensors`));
    const rows = card.split('\n').filter((line) => /[.!?] \|$/.test(line))
      .map((line) => line.slice(2, -2).split(' | '));
    assert.ok(rows.length >= 8 && rows.every((row) => row.length === 4), `${name} has ${rows.length} samples`);
    return rows;
  }

  /** Data of both recipes, read once because reading is slow. */
  let pairs;

  for (const [recipe, alpha] of [[spanish, 0.6], [bahdanau, 0]]) {
    test(`${recipe.name} translates as its card says; a beam of 4 never finds a less probable target`, async () => {
      const model = await openTranslator(l, await readFile(here(`../../models/${recipe.name}.safetensors`)));
      for (const [english, greedy, wide] of await samples(recipe.name)) {
        const [first, best] = [1, 4].map((beam) => model.translate(english, { beam }));
        assert.equal(first.text, greedy);
        assert.equal(best.text, wide);
        const [a, b] = [best, first].map(({ ids: { length }, logprob }) => logprob / penalty(length + 1, alpha));
        assert.ok(a >= b - 1e-9, `${english}: ${a} and ${b}`);
      }
    });

    test(`${recipe.name} has its card's loss on held-out sentences`, { skip: absent }, async () => {
      const file = await readFile(here(`../../models/${recipe.name}.safetensors`));
      const { config, weights, figures } = await openModel(l, file);
      pairs ??= await recipe.data({ [ARCHIVE.name]: new Uint8Array(await readFile(ZIP)) });
      const { loss } = runToEnd(recipe.validate(l, weights, config, pairs));
      assert.ok(loss <= recipe.goal.atMost, `${loss}`);
      assert.ok(Math.abs(loss - figures.loss) < 0.01, `${loss} in half precision, ${figures.loss} before`);
    });
  }
});
