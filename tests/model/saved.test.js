/** Saved sessions: the restored session gives the bits of the saved one; other and hostile files are refused. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { crc32 } from '../../js/files/checksum.js';
import { load } from '../../js/index.js';
import { NAMES, SOURCE, tinyEncoderDecoder } from '../support/encoder-decoders.js';
import { ENCODERS } from '../support/encoders.js';
import { FAMILIES, ggufOf, huggingFaceOf } from '../support/families.js';
import { collect, heedError, STORIES } from '../support/model.js';
import { whole } from '../fuzz/mutate.js';

/** @typedef {import('../../js/model/load.js').LoadedModel} LoadedModel */

const PROMPT = 'Once upon a time, there was a little girl named Lily. She';
const GREEDY = { maxTokens: 12, temperature: 0 };

/** @param {any} source @param {import('../../js/model/load.js').LoadOptions} [options]
 *  @returns {Promise<LoadedModel>} */
async function open(source, options) {
  const model = await load(source, options);
  after(() => model.dispose());
  return model;
}

/** The same bytes with a right checksum, after a change.
 *  @param {Uint8Array} saved @param {(view: DataView) => void} change */
function forged(saved, change) {
  const copy = saved.slice();
  const view = new DataView(copy.buffer);
  change(view);
  view.setUint32(16, crc32(copy.subarray(20)), true);
  return copy;
}

describe('a restored session', { timeout: 600_000 }, () => {
  for (const cache of /** @type {const} */ (['int16', 'f32'])) {
    test(`continues with the same bits on other threads, in a Worker, with another context: ${cache}`, async () => {
      const model = await open(STORIES, { cache });
      const { steps: made } = await collect(model.generate(PROMPT, { ...GREEDY, maxTokens: 40 }));
      const ids = model.ids;
      const saved = await model.saveSession();
      assert.deepEqual(await model.saveSession(), saved, 'the same session is the same file');
      const maps = await model.attentionRows();
      const logits = await model.forward([7, 8, 9], { all: true });
      for (const options of [{ threads: 2 }, { worker: true }, { worker: true, threads: 3, contextLength: 200 },
        { contextLength: ids.length + 3 }]) {
        const other = await open(STORIES, { cache, ...options });
        await other.forward([5, 4, 3]);
        await other.restoreSession(saved);
        assert.deepEqual(other.ids, ids);
        assert.equal(other.position, ids.length);
        assert.deepEqual(await other.attentionRows(), maps);
        assert.deepEqual(await other.saveSession(), saved);
        assert.deepEqual(await other.forward([7, 8, 9], { all: true }), logits);
        const { steps } = await collect(other.generate(ids.subarray(0, -9), { ...GREEDY, maxTokens: 9 }));
        assert.deepEqual(steps.map(({ id, logprob }) => [id, logprob]),
          made.slice(-10, -1).map(({ id, logprob }) => [id, logprob]));
      }
    });
  }

  test('of every family of decoders and encoders has the same maps and logits', async () => {
    for (const row of [...FAMILIES, ...ENCODERS]) {
      const source = huggingFaceOf(row);
      const model = await open(source);
      const other = await open(source);
      const ids = Array.from({ length: 13 }, (_, i) => (7 * i + 3) % 30);
      const run = (/** @type {LoadedModel} */ on) => on.runWithCache(ids, []);
      await run(model);
      await other.restoreSession(await model.saveSession());
      assert.deepEqual(await other.attentionRows(), await model.attentionRows(), row.name);
      if (model.info.bidirectional) continue;
      assert.deepEqual(await other.forward([1, 2]), await model.forward([1, 2]), row.name);
    }
  });

  for (const worker of [false, true]) {
    test(`of an encoder–decoder keeps its source, worker ${worker}`, async () => {
      for (const name of NAMES) {
        const model = await open(tinyEncoderDecoder(name), { worker });
        const other = await open(tinyEncoderDecoder(name));
        const start = await model.read(SOURCE);
        const empty = await model.saveSession();
        await model.forward([...start, 5, 6]);
        await other.restoreSession(await model.saveSession());
        for (const of of /** @type {const} */ (['encoder', 'decoder', 'cross'])) {
          assert.deepEqual(await other.attentionRows({ of }), await model.attentionRows({ of }), `${name} ${of}`);
        }
        const logits = await model.forward([7]);
        assert.deepEqual(await other.forward([7]), logits, name);
        await other.restoreSession(empty);
        assert.equal(other.position, 0);
        await other.forward([...start, 5, 6]);
        assert.deepEqual(await other.forward([7]), logits, `${name}: a source that no text has read yet`);
      }
    });

    test(`is the text up to the last step that was read, worker ${worker}`, async () => {
      const model = await open(STORIES, { worker });
      const other = await open(STORIES);
      let saved;
      for await (const { position } of model.generate(PROMPT, GREEDY)) {
        saved = await model.saveSession();
        await other.restoreSession(saved);
        assert.equal(other.position, position);
      }
      assert.deepEqual(other.ids.slice(0, -1), model.ids.slice(0, other.position - 1));
    });

    test(`supersedes a generation, and ends edits, worker ${worker}`, async () => {
      const model = await open(STORIES, { worker });
      const ids = await model.encode(PROMPT);
      await model.forward(ids);
      const saved = await model.saveSession();
      const logits = await model.forward([9]);
      await model.runWithHooks(ids, [{ hook: 'blocks.0.attn.hook_pattern', head: 1, scale: 0 }]);
      await assert.rejects(model.saveSession(), heedError('unsupported', /edits of activations/));
      const generation = model.generate('The dog', GREEDY);
      await generation.next();
      await model.restoreSession(saved);
      await assert.rejects(collect(generation), heedError('superseded'));
      assert.deepEqual(await model.forward([9]), logits);
      model.rewind(0);
      await model.restoreSession(await model.saveSession());
      assert.equal(model.position, 0, 'an empty session');
    });
  }
});

describe('a file that is refused leaves the session as it was', { timeout: 600_000 }, () => {
  /** @param {LoadedModel} model @param {any} saved @param {string} code @param {RegExp} about */
  async function refuses(model, saved, code, about) {
    const before = await model.saveSession();
    await assert.rejects(model.restoreSession(saved), heedError(code, about));
    assert.deepEqual(await model.saveSession(), before);
  }

  test('a model with the same weights and another base of RoPE', async () => {
    const row = FAMILIES.find(({ name }) => name === 'qwen3') ?? assert.fail();
    const model = await open(huggingFaceOf(row));
    await model.forward([1, 2, 3]);
    await refuses(await open(huggingFaceOf(row, { rope_theta: 77 })), await model.saveSession(), 'unsupported',
      /another model/);
  });

  test('other models, cache types, maps, contexts and adapters', async () => {
    const model = await open(STORIES);
    await model.forward(await model.encode(PROMPT));
    const saved = await model.saveSession();
    const { position } = model;
    await refuses(await open(STORIES, { quantize: 'f32', cache: 'int16' }), saved, 'unsupported', /another model/);
    await refuses(await open(await ggufOf(FAMILIES[0])), saved, 'unsupported', /another model/);
    await refuses(await open(STORIES, { cache: 'f32' }), saved, 'unsupported', /cache: 'int16', maps: true/);
    await refuses(await open(STORIES, { maps: false }), saved, 'unsupported', /cache: 'int16', maps: true/);
    await refuses(await open(STORIES, { contextLength: position - 1 }), saved, 'context-full', /positions/);
    const without = await open(STORIES, { maps: false });
    await without.forward(await model.encode(PROMPT));
    const smaller = await without.saveSession();
    assert.ok(smaller.length < saved.length);
    await refuses(model, smaller, 'unsupported', /maps: false/);
    const again = await open(STORIES, { maps: false, worker: true });
    await again.restoreSession(smaller);
    assert.deepEqual(await again.forward([3]), await without.forward([3]));
  });

  test('damaged, cut and forged files', async () => {
    const model = await open(STORIES);
    await model.forward(await model.encode('A cat'));
    const saved = await model.saveSession();
    await model.forward([5]);
    const word = (/** @type {number} */ at, /** @type {number} */ value) =>
      forged(saved, (view) => view.setUint32(at, value, true));
    const start = 40 + 4 * (model.position - 1);
    await refuses(model, 'text', 'bad-argument', /bytes of saveSession/);
    await refuses(model, null, 'bad-argument', /bytes of saveSession/);
    await refuses(model, new Uint8Array(0), 'bad-file', /not a saved session/);
    await refuses(model, saved.slice(0, 30), 'truncated', /header/);
    await refuses(model, saved.slice(0, 44), 'truncated', /ids do not fit/);
    await refuses(model, saved.slice(0, -1), 'bad-file', /checksum/);
    await refuses(model, word(12, 2), 'unsupported', /version is 2/);
    await refuses(model, word(20, 1), 'unsupported', /another model/);
    await refuses(model, word(24, 9), 'unsupported', /another type/);
    await refuses(model, word(32, 0xffffffff), 'truncated', /ids do not fit/);
    await refuses(model, word(32, model.position - 2), 'bad-file', /positions take/);
    await refuses(model, word(36, 1), 'bad-file', /1 ids of a source/);
    await refuses(model, word(40, 2048), 'bad-file', /id 2048/);
    await refuses(model, word(40, -1), 'bad-file', /id -1/);
    await refuses(model, word(start, 0x7fc00000), 'bad-file', /no session computes/); // NaN as the scale of a key
    await refuses(model, word(start, 0xff800000), 'bad-file', /no session computes/); // -Infinity
    await refuses(model, word(start + 4, 0x1fff2000), 'bad-file', /no session computes/); // code 8192
    await refuses(model, forged(saved, () => {}).subarray(0, -2), 'bad-file', /checksum/);
    await model.restoreSession(word(start + 4, 0x1fff1fff)); // code 8191 exists
    await model.restoreSession(saved.slice().buffer);
    await model.restoreSession(Buffer.from(saved));
    const shifted = new Uint8Array(saved.length + 1);
    shifted.set(saved, 1);
    await model.restoreSession(shifted.subarray(1));
    assert.deepEqual(await model.saveSession(), saved);
  });

  test('random changes, with a right checksum: a HeedError, or a session that runs', async () => {
    const model = await open(STORIES);
    await model.forward(await model.encode('A cat'));
    const saved = await model.saveSession();
    let restored = 0;
    let seed = 1;
    const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
    for (let i = 0; i < 150; i++) {
      const cut = saved.slice(0, whole(random, 4) ? saved.length : Math.max(20, whole(random, 400)));
      const hostile = forged(cut, (view) => {
        for (let changes = whole(random, 4); changes >= 0; changes--) {
          const at = whole(random, Math.min(view.byteLength, whole(random, 2) ? 80 : Infinity));
          view.setUint8(at, random() < 0.5 ? whole(random, 256) : view.getUint8(at) ^ 1);
        }
      });
      try {
        await model.restoreSession(hostile);
        restored++;
        await model.attention({ layer: 5, head: 5 });
        await model.forward([1]);
      } catch (error) {
        assert.ok(/** @type {any} */ (error).name === 'HeedError', String(error));
      }
    }
    assert.ok(restored > 0 && restored < 150, `${restored}`);
  });
});
