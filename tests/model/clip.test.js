/** CLIP: both towers as by PyTorch, their vectors, maps and edits; in this thread and in a Worker. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { readPictureFormat } from '../../js/files/picture-format.js';
import { CLIP_PROCESSOR, clipTokenizer, PICTURE, SPACE, TEXT, tinyClip, WORDS } from '../support/clip.js';
import { assertClose } from '../support/compare.js';
import { rejects } from '../support/expect.js';
import { STORIES } from '../support/model.js';
import { tinyVit } from '../support/vit.js';

const GOLDENS = JSON.parse(await readFile(new URL('../goldens/clip.json', import.meta.url), 'utf8'));
/** @param {Float32Array} x @param {number[][]} rows */
const assertRows = (x, rows) => rows.forEach((row, i) =>
  assertClose(x.subarray(i * SPACE, (i + 1) * SPACE), row, 1e-4, `token ${i}`));
/** @param {number[]} x */
const unit = (x) => x.map((value) => value / Math.hypot(...x));

for (const worker of [false, true]) {
  describe(worker ? 'in a Worker' : 'in this thread', () => {
    /** @param {'text' | 'vision'} tower @param {Parameters<typeof tinyClip>[0]} [options] */
    async function open(tower, options) {
      const model = await load({ ...tinyClip(options), preprocessor: CLIP_PROCESSOR }, { worker, tower });
      after(() => model.dispose());
      return model;
    }

    test('the tower of texts has the vectors of PyTorch', async () => {
      const model = await open('text');
      const { architecture, head, outputs, vocabulary, pooling, activation, bidirectional } = model.info;
      assert.deepEqual([architecture, head, outputs, vocabulary, pooling, activation, bidirectional],
        ['clip-text', 'vector', SPACE, WORDS, 'last', 'quick_gelu', false]);
      assertRows(await model.forward(TEXT, { all: true }), GOLDENS.text);
      const map = await model.attention({ layer: 1, head: 3 });
      assert.deepEqual([map.queries, map.keys, map.data[1]], [TEXT.length, TEXT.length, 0], 'the map is causal');
    });

    test('the tower of pictures has the vectors of PyTorch', async () => {
      const model = await open('vision');
      const { architecture, head, outputs, pooling, picture, bidirectional } = model.info;
      assert.deepEqual([architecture, head, outputs, pooling, picture?.resize, bidirectional],
        ['clip-vision', 'vector', SPACE, 'cls', 32, true]);
      assertRows(await model.forward(await model.look(PICTURE), { all: true }), GOLDENS.vision);
      const vector = await model.embed(PICTURE);
      assertClose(vector, unit(GOLDENS.vision[0]), 1e-4, 'the class token, of length 1');
      const long = await model.embed(PICTURE, { normalize: false });
      assertClose(long, GOLDENS.vision[0], 1e-4, 'the class token');
      const ids = await model.look(PICTURE);
      const cut = await model.runWithHooks(ids, [{ hook: 'blocks.0.attn.hook_pattern', keys: [1, 17], scale: 0 }]);
      assert.notDeepEqual([...cut.subarray(0, 4)], [...long.subarray(0, 4)]);
    });

    test('gradients go through its activation', async () => {
      const model = await open('text');
      const weights = new Float32Array(TEXT.length * SPACE);
      weights[(TEXT.length - 1) * SPACE] = 1;
      const at = 'blocks.0.mlp.hook_pre';
      const { value, gradients } = await model.gradients(TEXT, { of: { weights }, at: [at] });
      assertClose([value], [GOLDENS.text.at(-1)[0]], 1e-4, 'the metric');
      const { data } = gradients[at];
      const most = data.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
      const step = 1e-2;
      for (const i of [0, 61, 130, data.length - 1]) {
        const D = data.length / TEXT.length;
        const position = Math.floor(i / (data.length / TEXT.length));
        const moved = async (/** @type {number} */ by) => {
          const add = new Float32Array(D);
          add[i % D] = by;
          const positions = /** @type {[number, number]} */ ([position, position + 1]);
          return (await model.runWithHooks(TEXT, [{ hook: at, positions, values: add }]))[0];
        };
        const slope = (await moved(step) - await moved(-step)) / (2 * step);
        assert.ok(Math.abs(slope - data[i]) <= 1e-2 * most, `element ${i}: ${slope} and ${data[i]}`);
      }
    });

    test('it writes nothing, and says what to call instead', async () => {
      const model = await open('text');
      await rejects(model.generate(TEXT).next(), 'unsupported', /is an encoder.*Call embed\.$/);
      await rejects(model.score(TEXT), 'unsupported', /predicts no words/);
      await rejects(model.beamSearch(TEXT), 'unsupported', /is an encoder/);
      await rejects(model.embed(/** @type {any} */ (PICTURE)), 'bad-argument', /get a text/);
    });
  });
}

test('a tower must be named for CLIP, and only there', async () => {
  await rejects(load(tinyClip()), 'bad-argument', /two models.*tower: 'text' or 'vision'/);
  await rejects(load(tinyClip(), { tower: /** @type {any} */ ('left') }), 'bad-argument', /got ‘left’/);
  await rejects(load(tinyVit(), { tower: 'vision' }), 'bad-argument', /tower is for CLIP.*‘vit’/);
  await rejects(load(STORIES, { tower: 'text' }), 'bad-argument', /GGUF file has one model/);
});

test('files of one tower load without the option', async () => {
  const { config } = tinyClip();
  const own = (/** @type {'text' | 'vision'} */ tower, /** @type {string} */ name) => ({
    weights: tinyClip({
      rename: (each) => (each.startsWith(tower === 'text' ? 'text' : 'visi') ? each : null),
    }).weights,
    config: { ...config[`${tower}_config`], architectures: [name], projection_dim: SPACE },
  });
  const projected = await load(own('text', 'CLIPTextModelWithProjection'));
  assert.equal(projected.info.head, 'vector');
  projected.dispose();
  const bare = await load(own('vision', 'CLIPVisionModel'));
  assert.deepEqual([bare.info.head, (await bare.embed(PICTURE)).length], ['none', 48]);
  bare.dispose();
});

test('a missing tensor and settings that do not fit are refused by name', async () => {
  const lacks = (/** @type {string} */ name) =>
    ({ rename: (/** @type {string} */ each) => (each === name ? null : each) });
  for (const [tower, name] of /** @type {['text' | 'vision', string][]} */ ([
    ['vision', 'vision_model.pre_layrnorm.weight'], ['vision', 'visual_projection.weight'],
    ['text', 'text_model.encoder.layers.1.mlp.fc1.bias'], ['text', 'text_projection.weight'],
  ])) {
    await rejects(load(tinyClip(lacks(name)), { tower }), 'bad-tensor', new RegExp(name.replaceAll('.', '\\.')));
  }
  const text_config = { ...tinyClip().config.text_config, hidden_act: 'mish' };
  await rejects(load(tinyClip({ config: { text_config } }), { tower: 'text' }), 'unsupported', /‘mish’.*quick_gelu/);
  await rejects(load(tinyClip({ config: { vision_config: { image_size: 30, patch_size: 8 } } }), { tower: 'vision' }),
    'unsupported', /30 pixels into patches of 8/);
});

test('without a file, pictures are prepared by the defaults of CLIPImageProcessor', async () => {
  const format = await readPictureFormat({ vocabulary: 50, patch: 3 * 32 * 32 }, undefined, null, 'clip');
  assert.deepEqual([format.side, format.resize, format.crop, format.filter, format.mean[0]],
    [224, 224, true, 'bicubic', 0.48145466]);
});

test('its tokenizer marks ends of words; embed takes the end of the text', async () => {
  const model = await load({ ...tinyClip(), tokenizer: clipTokenizer() }, { tower: 'text' });
  const ids = await model.encode('A  CAT!1');
  assert.deepEqual([...ids], [58, 5, 10, 8, 7, 59]);
  assert.equal(await model.decode(ids), 'a cat ! 1 ');
  const vector = await model.embed('A  CAT!1', { normalize: false });
  const rows = await model.forward((model.rewind(0), ids), { all: true });
  assert.deepEqual(vector, rows.slice(-SPACE));
  await rejects(model.embed('cat '.repeat(40)), 'context-full', /20/);
  model.dispose();
});
