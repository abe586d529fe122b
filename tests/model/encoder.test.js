/** Calls of encoders with a tokenizer: vectors of texts, hidden words, labels; in this thread and in a Worker. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { assertClose } from '../support/compare.js';
import { ENCODERS } from '../support/encoders.js';
import { rejects } from '../support/expect.js';
import { FAMILIES, V, ggufOf, huggingFaceOf } from '../support/families.js';
import { CLS, MASK, SEP, TOKENS, WORD_PIECE } from '../support/word-piece.js';

const idsOf = (/** @type {string[]} */ ...tokens) => [CLS, ...tokens.map((token) => TOKENS.indexOf(token)), SEP];

for (const worker of [false, true]) {
  describe(worker ? 'in a Worker' : 'in this thread', () => {
    /** @param {string} name @param {object} [changes] of config.json */
    async function open(name, changes = {}) {
      const row = ENCODERS.find((one) => one.name === name) ?? assert.fail(name);
      const model = await load({ ...huggingFaceOf(row, changes), tokenizer: WORD_PIECE }, { worker });
      after(() => model.dispose());
      return model;
    }

    test('embed pools the vectors of all tokens, and normalizes them', async () => {
      const model = await open('bert');
      assert.equal(model.info.head, 'none');
      const ids = idsOf('the', 'cat', '##s', 'sat', '.');
      assert.deepEqual([...await model.encode('The Cáts sat.')], ids);
      const last = 'blocks.1.ln2.hook_normalized';
      const { cache: { [last]: { data, shape } } } = await model.runWithCache(ids, [last]);
      assert.deepEqual(shape, [ids.length, 32]);
      assert.deepEqual(await model.embed('The cats sat.', { pooling: 'none' }), data);
      assert.deepEqual(await model.embed('The cats sat.', { pooling: 'cls', normalize: false }), data.slice(0, 32));
      assert.deepEqual(await model.embed('The cats sat.', { pooling: 'last', normalize: false }), data.slice(-32));
      const mean = Float64Array.from({ length: 32 }, (_, i) =>
        ids.reduce((sum, __, t) => sum + data[t * 32 + i], 0) / ids.length);
      const length = Math.hypot(...mean);
      assertClose(await model.embed('The cats sat.'), mean.map((x) => x / length), 1e-6, 'mean');

      const [same, other, empty] = await model.embed(['the cats sat.', 'a dog', '']);
      const cosine = (/** @type {Float32Array} */ a, /** @type {Float32Array} */ b) =>
        a.reduce((sum, x, i) => sum + x * b[i], 0);
      assert.deepEqual(same, await model.embed('The cats sat.'));
      assert.ok(cosine(same, other) < 0.999 && Math.abs(cosine(empty, empty) - 1) < 1e-6);
      assert.deepEqual(await model.embed([]), []);
    });

    test('embed pools as the files of sentence-transformers say', async () => {
      const row = ENCODERS.find((one) => one.name === 'bert') ?? assert.fail();
      const opened = async (/** @type {object} */ pooling, /** @type {unknown} */ modules = undefined) => {
        const files = { ...huggingFaceOf(row), tokenizer: WORD_PIECE, pooling, ...(modules ? { modules } : {}) };
        const model = await load(/** @type {any} */ (files), { worker });
        after(() => model.dispose());
        return model;
      };
      const type = (/** @type {string} */ name) => ({ type: `sentence_transformers.models.${name}` });
      const usual = [type('Transformer'), type('Pooling'), type('Normalize')];
      for (const [flag, pooling] of /** @type {const} */ ([['mean_tokens', 'mean'], ['cls_token', 'cls'],
        ['lasttoken', 'last']])) {
        const newer = { embedding_dimension: 32, pooling_mode: flag.replace(/_tokens?$/, ''), include_prompt: true };
        for (const config of [{ word_embedding_dimension: 32, [`pooling_mode_${flag}`]: true,
          pooling_mode_max_tokens: false }, newer, { ...newer, pooling_mode: [newer.pooling_mode] }]) {
          const model = await opened(config, usual);
          assert.equal(model.info.pooling, pooling);
          assert.deepEqual(await model.embed('the cat'), await model.embed('the cat', { pooling }));
        }
      }
      for (const [config, modules, about] of /** @type {[object, unknown, RegExp][]} */ ([
        [{ pooling_mode_max_tokens: true }, usual, /by ‘pooling_mode_max_tokens’/],
        [{ pooling_mode_max_tokens: true, pooling_mode_cls_token: true }, usual, /‘pooling_mode_max_tokens’ and/],
        [{ pooling_mode: ['cls', 'max'] }, usual, /by ‘cls’ and ‘max’, which/],
        [{ pooling_mode: 'constructor' }, usual, /by ‘constructor’, which/],
        [{ pooling_mode_cls_token: true }, [...usual, type('Dense')], /the module ‘Dense’/],
      ])) {
        const model = await opened(config, modules);
        assert.equal(model.info.pooling, null);
        await rejects(model.embed('the cat'), 'unsupported', about);
        assert.equal((await model.embed('the cat', { pooling: 'cls' })).length, 32);
      }
      assert.equal((await opened({})).info.pooling, null);
      await rejects(opened(new Uint8Array([49])), 'bad-file', /1_Pooling/);
    });

    test('embed refuses numbers, texts that are too long, and unknown options', async () => {
      const model = await open('bert');
      await rejects(model.embed(/** @type {any} */ (7)), 'bad-argument', /text, got ‘7’/);
      await rejects(model.embed('a', /** @type {any} */ ({ pooling: 'max' })), 'bad-argument', /mean, cls, last, none/);
      await rejects(model.embed('a', /** @type {any} */ ({ pool: 'cls' })), 'bad-argument', /pool/);
      await rejects(model.embed('a '.repeat(100)), 'context-full', /102 ids/);
      await rejects(model.embed('a', { signal: AbortSignal.abort() }), 'aborted');
      assert.equal((await model.embed('a')).length, 32);
    });

    test('fillMask ranks the words at each mask', async () => {
      const model = await open('bert-words');
      assert.equal(model.info.mask, MASK);
      const filled = await model.fillMask('The [MASK] sat on the [MASK].', { top: 3 });
      assert.deepEqual(filled.map(({ position }) => position), [2, 6]);
      const ids = idsOf('the', '[MASK]', 'sat', 'on', 'the', '[MASK]', '.');
      assert.deepEqual([...model.ids], ids);
      model.rewind(0);
      const logits = await model.forward(ids, { all: true });
      for (const { position, candidates } of filled) {
        const row = Array.from(logits.subarray(position * V, (position + 1) * V));
        const sum = row.reduce((total, x) => total + Math.exp(x), 0);
        const best = row.map((x, id) => ({ id, probability: Math.exp(x) / sum }))
          .sort((a, b) => b.probability - a.probability).slice(0, 3);
        assert.deepEqual(candidates.map(({ id }) => id), best.map(({ id }) => id));
        assert.deepEqual(candidates.map(({ token }) => token), await model.tokens(best.map(({ id }) => id)));
        assertClose(candidates.map(({ probability }) => probability), best.map(({ probability }) => probability), 1e-6,
          'probabilities');
      }
      await rejects(model.forward(ids), 'bad-argument', /in one call; the session has 9 positions: rewind to 0/);
      await rejects((async () => model.rewind(3))(), 'bad-argument', /cannot be shortened; rewind to 0/);
      assert.equal(model.position, 9);
      await rejects(model.fillMask('no mask here'), 'bad-argument', /text with \[MASK\]/);
      await rejects(model.fillMask('[MASK]', { top: 41 }), 'bad-argument', /top/);
      await rejects(model.classify('a'), 'unsupported', /no labels/);
    });

    test('classify gives every label with its probability', async () => {
      const model = await open('bert-labels');
      assert.deepEqual(model.info.labels, ['label 0', 'label 1', 'label 2']);
      const found = await model.classify('a cat ran');
      const [first, second] = await model.classify(['a cat ran', 'the cat']);
      assert.deepEqual([first, second], [found, await model.classify('the cat')], 'an array of texts');
      assert.deepEqual(await model.classify([]), []);
      model.rewind(0);
      const logits = (await model.forward(idsOf('a', 'cat', 'ran'), { all: true })).slice(0, 3);
      const sum = logits.reduce((total, x) => total + Math.exp(x), 0);
      for (const { label, logit, probability } of found) {
        const i = Number(label.split(' ')[1]);
        assert.equal(logit, logits[i]);
        assertClose([probability], [Math.exp(logits[i]) / sum], 1e-6, label);
      }
      assert.deepEqual(found.map(({ logit }) => logit), Array.from(logits).sort((a, b) => b - a));
      await rejects(model.fillMask('[MASK]'), 'unsupported', /no head for words/);
    });

    test('a pair of texts has a separator, and segment 1 for the second text', async () => {
      const model = await open('bert-labels');
      const ids = await model.pair('the cat', 'a dog ran');
      const tokens = ['[CLS]', 'the', 'cat', '[SEP]', 'a', 'dog', 'ran', '[SEP]'];
      assert.deepEqual([...ids], tokens.map((token) => TOKENS.indexOf(token)));
      assert.equal(model.position, 0);
      const found = await model.classify('the cat', { pair: 'a dog ran' });
      const logits = await model.forward((model.rewind(0), ids), { all: true });
      assert.equal(found[0].logit, Math.max(...logits.subarray(0, 3)));
      const { cache } = await model.runWithCache(ids, ['blocks.0.hook_resid_pre']);

      const plain = await open('bert-labels');
      const { data } = await plain.weight('token_types.weight');
      const values = Float32Array.from({ length: 32 }, (_, i) => data[32 + i] - data[i]);
      const edits = [{ hook: 'hook_pos_embed', positions: [4, 8], values }];
      const moved = await plain.runWithCache(ids, ['blocks.0.hook_resid_pre'], { all: true, edits });
      assertClose(moved.logits, logits, 1e-5, 'logits');
      assertClose(moved.cache['blocks.0.hook_resid_pre'].data, cache['blocks.0.hook_resid_pre'].data, 1e-5, 'sums');
      const unpaired = await plain.forward((plain.rewind(0), ids), { all: true });
      assert.ok(logits.some((x, i) => Math.abs(x - unpaired[i]) > 1e-3), 'segments matter');

      model.rewind(0);
      const shorter = await model.forward(ids.subarray(0, 7), { all: true });
      assert.deepEqual(shorter, await plain.forward((plain.rewind(0), ids.subarray(0, 7)), { all: true }),
        'other ids have segment 0');
      await rejects(model.pair('a '.repeat(60), 'b '.repeat(60)), 'context-full', /123 ids/);
      await rejects(model.pair('a', /** @type {any} */ (undefined)), 'bad-argument', /text/);
      assert.equal((await model.classify('', { pair: '' })).length, 3);
    });

    test('RoBERTa separates a pair by two tokens, and DistilBERT has no segments', async () => {
      const row = ENCODERS.find((one) => one.name === 'xlm-roberta-labels') ?? assert.fail();
      const renamed = JSON.parse(JSON.stringify(WORD_PIECE).replaceAll('[CLS]', '<s>').replaceAll('[SEP]', '</s>'));
      const model = await load({ ...huggingFaceOf(row), tokenizer: renamed }, { worker });
      after(() => model.dispose());
      const ids = await model.pair('the cat', 'a');
      await model.forward(ids, { all: true });
      assert.deepEqual([...await model.pair('the cat', 'a')], [...ids]);
      assert.equal(model.position, 0, 'the session is empty');
      const without = { ...WORD_PIECE, post_processor: null };
      const bare = await load({ ...huggingFaceOf(row), tokenizer: without }, { worker });
      after(() => bare.dispose());
      await rejects(bare.pair('the cat', 'a dog'), 'unsupported', /adds no tokens between texts/);
      const texts = await model.tokens(ids);
      assert.deepEqual(texts.map((text) => text.trim()), ['<s>', 'the', 'cat', '</s>', '</s>', 'a', '</s>']);
      const small = await open('distilbert-labels');
      const single = await small.tokens(await small.pair('the cat', 'a'));
      assert.deepEqual(single.map((text) => text.trim()), ['[CLS]', 'the', 'cat', '[SEP]', 'a', '[SEP]']);
    });

    test('decoders compute vectors, and have no masks or labels', async () => {
      const row = FAMILIES.find(({ name }) => name === 'qwen3') ?? assert.fail();
      const model = await load(await ggufOf(row, { pooling_type: { type: 'uint32', value: 3 } }), { worker });
      after(() => model.dispose());
      assert.equal(model.info.pooling, 'last');
      const reranker = await load(await ggufOf(row, { pooling_type: { type: 'uint32', value: 4 } }), { worker });
      after(() => reranker.dispose());
      await rejects(reranker.embed('t1'), 'unsupported', /by ‘pooling_type’ 4, which heed does not compute/);
      await rejects(model.fillMask('t1'), 'unsupported', /is a decoder/);
      await rejects(model.classify('t1'), 'unsupported', /no labels/);
      await rejects(model.pair('t1', 't2'), 'unsupported', /not an encoder/);
    });
  });
}

/** A file of weights with one number each. @param {string[]} names */
function shardOf(names) {
  const header = names.map((name, i) => [name, { dtype: 'F32', shape: [1], data_offsets: [4 * i, 4 * i + 4] }]);
  const text = new TextEncoder().encode(JSON.stringify(Object.fromEntries(header)));
  const length = new Uint8Array(new BigUint64Array([BigInt(text.length)]).buffer);
  return new Uint8Array(Buffer.concat([length, text, new Uint8Array(4 * names.length)]));
}

test('classes with labels ignore weights of other heads, such as the pooler of roberta-large-mnli', async () => {
  for (const [name, unused] of Object.entries({
    'xlm-roberta-labels': ['roberta.pooler.dense.weight', 'roberta.pooler.dense.bias', 'lm_head.bias'],
    'bert-labels': ['cls.predictions.bias', 'cls.seq_relationship.weight'],
    'distilbert-labels': ['vocab_transform.weight', 'vocab_projector.bias'],
    'modernbert-labels': ['decoder.bias'],
  })) {
    const { weights, config } = huggingFaceOf(ENCODERS.find((one) => one.name === name) ?? assert.fail(name));
    const logits = [];
    for (const files of [[weights], [weights, shardOf(unused)]]) {
      const model = await load({ weights: files, config });
      logits.push(await model.forward([1, 2, 3]));
      model.dispose();
    }
    assert.deepEqual(logits[1], logits[0], name);
  }
});

test('fillMask computes the logits of its masks only', async () => {
  const row = ENCODERS.find((one) => one.name === 'bert-words') ?? assert.fail();
  const model = await load({ ...huggingFaceOf(row), tokenizer: WORD_PIECE });
  after(() => model.dispose());
  const rows = [];
  const { unembed, runWithCache } = model;
  model.unembed = /** @type {any} */ ((/** @type {Float32Array} */ x, /** @type {any} */ options) => {
    rows.push(x.length / 32);
    return unembed.call(model, x, options);
  });
  model.runWithCache = (ids, names, options) => {
    assert.notEqual(options?.all, true, 'a real vocabulary has 250,000 logits for each of 512 ids');
    return runWithCache.call(model, ids, names, options);
  };
  await model.fillMask('The [MASK] sat on the [MASK].');
  assert.deepEqual(rows, [2]);
});
