/** Calls during other calls, aborted calls and refused calls: each call has the result that it has alone. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { rejects } from '../support/expect.js';
import { STORIES } from '../support/model.js';
import { tinyVit, waves } from '../support/vit.js';

/** @typedef {Awaited<ReturnType<typeof load>>} Model */

const EDITS = [{ hook: 'blocks.3.attn.hook_z', scale: 0 }, { hook: 'blocks.2.hook_mlp_out', scale: 0 }];
const PROMPT = 'Once upon a time';
const TEXTS = ['Lily and Tom had a ball. Lily gave the ball to Tom and he was very happy to play with it all day.',
  'Once upon a time there was a little cat who lived in a big house with a dog and a bird and a fish.'];
const OF = { logit: 5 };

for (const worker of [false, true]) {
  describe(worker ? 'in a Worker' : 'in this thread', () => {
    /** @type {Model} */ let model;
    /** @type {Int32Array} */ let ids;
    /** The metric and the logits without edits. @type {{ value: number, logits: Float32Array }} */ let clean;
    before(async () => {
      model = await load(STORIES, { worker, threads: 1 });
      ids = await model.encode('Lily and Tom had a ball. Lily gave the ball to');
      clean = { value: await valueNow(), logits: await logitsNow() };
    });
    after(() => model.dispose());

    const valueNow = async () => (await model.gradients(ids, { of: OF, at: [] })).value;

    async function logitsNow() {
      model.rewind(0);
      return model.forward(ids);
    }

    /** @param {string} what  happened before */
    async function hasNoEdits(what) {
      assert.equal(await valueNow(), clean.value, what);
      assert.deepEqual(await logitsNow(), clean.logits, what);
    }

    /** Greedy ids of a text. @param {{ edits?: typeof EDITS }} options @param {(step: number) => unknown} [between] */
    async function written(options, between) {
      /** @type {number[]} */
      const found = [];
      for await (const { id } of model.generate(PROMPT, { maxTokens: 12, temperature: 0, ...options })) {
        found.push(id);
        await between?.(found.length);
      }
      return found;
    }

    test('an edited generation that ends early leaves no edit behind', async () => {
      const long = Array.from({ length: 600 }, (_, i) => 5 + (i % 50)); // time for the abort
      for (const json of [undefined, /** @type {true} */ (true)]) {
        const here = new AbortController();
        const first = model.generate(long, { edits: EDITS, signal: here.signal, ...(json && { json }) }).next();
        setTimeout(() => here.abort(), 5);
        assert.equal((await first).done, true, 'the abort came during the prompt');
        await hasNoEdits(`aborted, ${json ? 'guided' : 'not guided'}`);
      }
      const guided = model.generate(PROMPT, { edits: EDITS, logitBias: { 0: 0 }, grammar: 'root ::= "\u{10ffff}"' });
      assert.equal((await guided.next()).done, false);
      await guided.return(/** @type {any} */ (undefined));
      await hasNoEdits('a guided text that its reader leaves');
      const texts = model.generate(PROMPT, { edits: EDITS, maxTokens: 12 });
      await texts.next();
      await model.forward([5]);
      await rejects((async () => { while (!(await texts.next()).done); })(), 'superseded');
      await hasNoEdits('superseded');
    });

    test('gradients and an edited generation do not see each other', async () => {
      const plain = await written({});
      const edited = await written({ edits: EDITS });
      assert.notDeepEqual(plain, edited);
      /** @type {number[]} */
      const values = [];
      assert.deepEqual(await written({ edits: EDITS }, async (step) => {
        if (step % 3 === 1) values.push(await valueNow());
      }), edited, 'the generation keeps its edits');
      assert.deepEqual(values, values.map(() => clean.value), 'the gradient has no edits');
      let isDone = false;
      const gradients = (async () => {
        while (!isDone) await model.gradients(ids, { of: OF, at: ['hook_embed'], edits: EDITS });
      })();
      const map = await mapOf(PROMPT);
      assert.deepEqual(await written({}, () => new Promise((resolve) => setTimeout(resolve))), plain);
      await model.forward(await model.encode(PROMPT)).catch(() => {});
      assert.deepEqual(await mapOf(PROMPT), map, 'maps have no edits of the gradient');
      isDone = true;
      await gradients;
    });

    /** @param {string} text */
    async function mapOf(text) {
      model.rewind(0);
      await model.forward(await model.encode(text));
      return (await model.attention({ layer: 3, head: 1 })).data;
    }

    test('edits of scores stay in maps of a generation after gradients, and end with it', async () => {
      const edits = [{ hook: 'blocks.0.attn.hook_pattern', head: 0, scale: 0.5 }];
      const total = async () => (await model.attention({ layer: 0, head: 0 })).data.slice(0, 1)[0];
      for await (const { position } of model.generate(PROMPT, { edits, maxTokens: 4 })) {
        await model.gradients(ids, { of: OF, at: [] });
        assert.equal(await total(), 0.5, `at position ${position}`);
      }
      assert.equal(await total(), 0.5, 'after the generation');
      model.rewind(0);
      await model.forward(ids);
      assert.equal(await total(), 1, 'in another text');
    });

    test('texts that are scored at the same time have their own probabilities', async () => {
      const alone = [await model.score(TEXTS[0]), await model.score(TEXTS[1])];
      assert.deepEqual(await Promise.all(TEXTS.map((text) => model.score(text))), alone);
      const others = [model.forward([5, 6, 7]), model.score(TEXTS[0]), model.forward([5, 6, 7])];
      assert.deepEqual((await Promise.all(others))[1], alone[0]);
      const edited = await model.score(TEXTS[0], { edits: EDITS });
      assert.deepEqual(await Promise.all([model.score(TEXTS[0], { edits: EDITS }), model.score(TEXTS[1])]),
        [edited, alone[1]]);
    });

    test('searches wait for each other, and end if another call changes their text', async () => {
      const options = { beams: 2, maxTokens: 4 };
      const alone = [await model.beamSearch(TEXTS[0], options), await model.beamSearch(TEXTS[1], options)];
      assert.deepEqual(await Promise.all(TEXTS.map((text) => model.beamSearch(text, options))), alone);
      for (const other of [() => model.rewind(0), () => model.runWithHooks([5, 6], EDITS).catch(() => {})]) {
        model.rewind(0);
        const search = model.beamSearch(TEXTS[0], { beams: 3, maxTokens: 60 });
        search.catch(() => {}); // reported below
        while (model.position === 0) await new Promise((resolve) => setTimeout(resolve));
        await other();
        await rejects(search, 'superseded', /changed the session/);
      }
      assert.deepEqual(await model.beamSearch(TEXTS[0], options), alone[0]);
    });

    test('pictures and texts that are embedded at the same time have their own vectors', async () => {
      const viewer = await load(tinyVit(), { worker, threads: 1 });
      after(() => viewer.dispose());
      const pictures = [waves(32, 32), waves(64, 32)];
      const vectors = [await viewer.embed(pictures[0]), await viewer.embed(pictures[1])];
      const labels = [await viewer.classify(pictures[0]), await viewer.classify(pictures[1])];
      assert.notDeepEqual(vectors[0], vectors[1]);
      assert.deepEqual(await Promise.all(pictures.map((each) => viewer.embed(each))), vectors);
      assert.deepEqual(await Promise.all(pictures.map((each) => viewer.classify(each))), labels);
      const [vector, label] = await Promise.all([viewer.embed(pictures[0]), viewer.classify(pictures[1])]);
      assert.deepEqual([vector, label], [vectors[0], labels[1]]);
    });

    test('a text that is dropped takes its edits along', async () => {
      await model.runWithHooks(ids, EDITS);
      await rejects(model.saveSession(), 'unsupported', /with edits/);
      model.rewind(0);
      await model.forward(ids);
      assert.ok((await model.saveSession()).length > 0);
    });

    test('a refused call keeps the session', async () => {
      model.rewind(0);
      await model.forward(ids);
      const wrong = [
        () => model.forward([]),
        () => model.forward(new Array(5000).fill(1)),
        () => model.sweep(ids, [[]], { of: { logit: 1e9 } }),
        () => model.sweep(ids, [[], [{ hook: 'hook_embed', scale: 0, positions: [0, 99] }]], { of: OF }),
        () => model.runWithCache(ids, ['blocks.2.hook_pattern']),
        () => model.runWithCache(new Array(5000).fill(1)),
        () => model.runWithHooks(ids, [{ hook: 'blocks.2.hook_pattern', scale: 0 }]),
        () => model.runWithHooks(ids, [{ hook: 'hook_embed', scale: 0, positions: [0, 99] }]),
        () => model.runWithHooks(ids, [{ hook: 'blocks.0.attn.hook_pattern', mean: true }]),
        () => model.generate(ids, { edits: [{ hook: 'hook_embed', scale: 0, positions: [5, 2] }] }).next(),
        () => model.generate(ids, { edits: [{ hook: 'hook_embed', mean: true, positions: [50, 60] }] }).next(),
      ];
      for (const call of wrong) {
        await assert.rejects(call(), { name: 'HeedError' });
        assert.deepEqual(model.ids, ids, String(call));
      }
      assert.ok((await model.saveSession()).length > 0, 'without edits');
    });
  });
}
