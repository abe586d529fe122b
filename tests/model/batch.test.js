/** Several texts from one prompt: each is the text of generate with its seed, and the prompt is computed once. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { LocalModel } from '../../js/model/local.js';
import { openModelFile } from '../../js/files/model-file.js';
import { NAMES, SOURCE, tinyEncoderDecoder } from '../support/encoder-decoders.js';
import { collect, heedError, STORIES } from '../support/model.js';

const PROMPT = 'Once upon a time, there was a little girl named Lily. She';
const OPTIONS = { maxTokens: 9, temperature: 1, top: 2, seed: 40 };

/** A step without its time. @param {any} step */
const untimed = ({ ms: _, sequence: __, ...step }) => step;

for (const worker of [false, true]) {
  describe(worker ? 'in a Worker' : 'in this thread', () => {
    /** @param {any} source */
    async function open(source) {
      const model = await load(source, { worker });
      after(() => model.dispose());
      return model;
    }

    test('text i is the text of generate with the seed seed + i', async () => {
      const model = await open(STORIES);
      const other = await open(STORIES);
      for (const more of [{}, { promptLookup: 3 }, { banned: ['the'] },
        { edits: [{ hook: 'blocks.1.attn.hook_z', head: 2, scale: 0 }] }]) {
        const { steps, summary } = await collect(model.generateBatch(PROMPT, { ...OPTIONS, ...more, count: 3 }));
        assert.equal(summary.length, 3);
        assert.equal(new Set(summary.map(({ text }) => text)).size, 3, 'three seeds, three texts');
        for (let i = 0; i < 3; i++) {
          other.rewind(0);
          const alone = await collect(other.generate(PROMPT, { ...OPTIONS, ...more, seed: OPTIONS.seed + i }));
          assert.deepEqual(steps.filter(({ sequence }) => sequence === i).map(untimed), alone.steps.map(untimed));
          const { prefillMs: _, decodeMs: __, ...expected } = alone.summary;
          const { prefillMs: ___, decodeMs: ____, ...found } = summary[i];
          assert.deepEqual(found, expected);
        }
      }
    });

    test('of an encoder–decoder, too', async () => {
      const model = await open(tinyEncoderDecoder(NAMES[0]));
      const other = await open(tinyEncoderDecoder(NAMES[0]));
      const { summary } = await collect(model.generateBatch(SOURCE, { ...OPTIONS, count: 2 }));
      for (const { ids, seed } of summary) {
        const alone = await collect(other.generate(SOURCE, { ...OPTIONS, seed }));
        assert.deepEqual(ids, alone.summary.ids);
      }
    });

    test('a break ends all texts at the last step, and an abort ends the last one', async () => {
      const model = await open(STORIES);
      let position = 0;
      for await (const step of model.generateBatch(PROMPT, { ...OPTIONS, count: 3 })) {
        position = step.position;
        if (step.sequence === 1) break;
      }
      assert.equal(model.position, position);
      const stop = new AbortController();
      const batch = model.generateBatch(PROMPT, { ...OPTIONS, count: 3, signal: stop.signal });
      let next = await batch.next();
      for (; !next.done; next = await batch.next()) if (next.value.sequence === 1) stop.abort();
      assert.deepEqual(next.value.map(({ reason }) => reason), ['length', 'abort']);
      const random = await collect(model.generateBatch(PROMPT, { maxTokens: 1 }));
      assert.equal(random.summary[1].seed, random.summary[0].seed + 1);
    });

    test('bad options are refused', async () => {
      const model = await open(STORIES);
      for (const count of [0, -1, 1.5, 5000, '2', NaN]) {
        await assert.rejects(collect(model.generateBatch(PROMPT, /** @type {any} */ ({ count }))),
          heedError('bad-argument', /count/));
      }
      await assert.rejects(collect(model.generateBatch(PROMPT, /** @type {any} */ (null))), heedError('bad-argument'));
      await assert.rejects(collect(model.generateBatch(PROMPT, { seed: -1 })), heedError('bad-argument', /seed/));
      await assert.rejects(collect(model.generateBatch('', { top: -1 })), heedError('bad-argument', /top/));
    });
  });
}

test('the prompt is computed once: later texts run only its last id', async () => {
  /** @type {any} */ let engine;
  const model = await LocalModel.load(openModelFile, STORIES, {}, (made) => { engine = made; });
  after(() => model.dispose());
  const call = engine.call.bind(engine);
  /** @type {number[]} */
  const runs = [];
  engine.call = (/** @type {string} */ name, /** @type {number[]} */ ...values) => {
    if (name === 'heed_forward' || name === 'heed_forward_begin') runs.push(values[2]);
    return call(name, ...values);
  };
  const ids = await model.encode(PROMPT);
  await collect(model.generateBatch(PROMPT, { ...OPTIONS, count: 4 }));
  assert.deepEqual(runs, [ids.length, 1, 1, 1]);
});
