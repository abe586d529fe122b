/** Models of pictures: preparation as by PIL, logits as by PyTorch, maps between patches; in this thread and in a
 *  Worker. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { readPictureFormat } from '../../js/files/picture-format.js';
import { patchesOf } from '../../js/model/picture.js';
import { resized } from '../../js/model/resize.js';
import { assertClose } from '../support/compare.js';
import { rejects } from '../support/expect.js';
import { STORIES } from '../support/model.js';
import { LABELS, PREPROCESSOR, RESIZES, tinyDeit, tinyVit, waves } from '../support/vit.js';

const GOLDENS = JSON.parse(await readFile(new URL('../goldens/pictures.json', import.meta.url), 'utf8'));
const PICTURE = waves(45, 61);

describe('resizing gives the bytes of PIL', () => {
  for (const [i, [fromWidth, fromHeight, width, height, filter]] of RESIZES.entries()) {
    test(`${fromWidth} × ${fromHeight} to ${width} × ${height}, ${filter}`, async () => {
      const { data } = waves(fromWidth, fromHeight);
      const pixels = { data: new Uint8Array(data), width: fromWidth, height: fromHeight };
      let pauses = 0;
      const image = await resized(pixels, width, height, filter, async () => void pauses++);
      assert.deepEqual([image.width, image.height], [width, height]);
      assert.deepEqual(image.data, new Uint8Array(Buffer.from(GOLDENS.resized[i], 'base64')));
      assert.equal(pauses > 0, filter !== 'nearest');
    });
  }
});

describe('preparation', () => {
  const format = (/** @type {object} */ json) => readPictureFormat({ vocabulary: 5, patch: 12 }, json, null);

  test('the shorter side gets a length, and the middle is cut out', async () => {
    const clip = await format({ size: { shortest_edge: 4 }, crop_size: 4, do_center_crop: true, do_normalize: false,
      do_rescale: false, resample: 0 });
    assert.equal(clip.resize, 4);
    const { data } = waves(8, 4);
    const patches = await patchesOf({ data: new Uint8Array(data), width: 8, height: 4 }, clip);
    assert.equal(patches.length, 5 * 12);
    assert.deepEqual([...patches.subarray(0, 12)], Array(12).fill(0), 'the class token');
    for (let row = 0; row < 4; row++) {
      for (let i = 0; i < 12; i++) {
        const c = Math.floor(i / 4);
        const y = Math.floor(row / 2) * 2 + Math.floor(i % 4 / 2);
        const x = row % 2 * 2 + i % 2;
        assert.equal(patches[12 * (row + 1) + i], data[3 * (y * 8 + x + 2) + c]);
      }
    }
  });

  test('a picture smaller than the cut has black around it', async () => {
    const small = await format({ do_resize: false, crop_size: 4, do_center_crop: true, do_normalize: false,
      do_rescale: false });
    const patches = await patchesOf({ data: new Uint8Array(12).fill(9), width: 2, height: 2 }, small);
    assert.equal(patches.reduce((sum, x) => sum + x, 0), 9 * 12);
    assert.equal(patches[12 + 3], 9, 'the last pixel of the first patch');
  });

  test('a picture of the wrong size is refused if the model does not resize', async () => {
    const exact = await format({ do_resize: false });
    const pixels = { data: new Uint8Array(75), width: 5, height: 5 };
    await rejects(patchesOf(pixels, exact), 'bad-argument', /4 × 4 pixels.*5 × 5/);
  });

  test('settings that cannot be are refused by name', async () => {
    for (const [json, code, about] of /** @type {[any, string, RegExp][]} */ ([
      [{ size: { height: 4, width: 5 } }, 'bad-config', /4 × 5 pixels, but the model reads 4 × 4/],
      [{ size: { height: 0, width: 4 } }, 'bad-config', /‘size’/],
      [{ size: { shortest_edge: 1e9 } }, 'bad-config', /8192/],
      [{ size: { shortest_edge: 4 } }, 'bad-config', /become 4 pixels/],
      [{ size: 'large' }, 'bad-config', /‘size’/],
      [{ resample: 1 }, 'unsupported', /2 \(bilinear\)/],
      [{ image_mean: [1, 2] }, 'bad-config', /three numbers at ‘image_mean’/],
      [{ image_std: [1, 0, 1] }, 'bad-config', /‘image_std’/],
      [{ rescale_factor: -1 }, 'bad-config', /‘rescale_factor’/],
      [{ do_resize: 'yes' }, 'bad-config', /‘do_resize’/],
      [{ do_center_crop: true, crop_size: 3 }, 'bad-config', /3 × 3 pixels/],
    ])) {
      await rejects(format(json), code, about);
    }
    await rejects(format(new Uint8Array([91, 93])), 'bad-config', /no JSON object/);
  });
});

for (const worker of [false, true]) {
  describe(worker ? 'in a Worker' : 'in this thread', () => {
    /** @param {Parameters<typeof tinyVit>[0]} [options] @param {object} [more] */
    async function open(options, more = {}) {
      const model = await load({ ...tinyVit(options), preprocessor: PREPROCESSOR }, { worker, ...more });
      after(() => model.dispose());
      return model;
    }

    test('logits are PyTorch’s', async () => {
      const model = await open();
      assert.equal(model.info.architecture, 'vit');
      assert.deepEqual([model.info.head, model.info.outputs, model.info.vocabulary], ['labels', LABELS, 17]);
      assert.equal(model.info.picture?.columns, 4);
      const ids = await model.look(PICTURE);
      assert.deepEqual([...ids], Array.from({ length: 17 }, (_, i) => i));
      const logits = await model.forward(ids, { all: true });
      GOLDENS.logits.forEach((/** @type {number[]} */ row, /** @type {number} */ i) =>
        assertClose(logits.subarray(i * LABELS, (i + 1) * LABELS), row, 1e-4, `token ${i}`));
    });

    test('classify gives the label of a picture; pixels may have a fourth byte', async () => {
      const model = await open();
      const found = await model.classify(PICTURE);
      const first = GOLDENS.logits[0];
      const best = first.indexOf(Math.max(...first));
      assert.equal(found[0].label, `label ${best}`);
      assertClose([found[0].logit], [first[best]], 1e-4, 'logit');
      const rgba = waves(45, 61, 4);
      assert.deepEqual(await model.classify(rgba), found);
      assert.notDeepEqual(await model.classify(waves(32, 32)), found);
      assert.deepEqual(await model.classify(PICTURE), found, 'the next picture replaces the one before');
    });

    test('maps, activations, edits and gradients are of patches', async () => {
      const model = await open();
      const ids = await model.look(PICTURE);
      const plain = await model.forward(ids, { all: true });
      const map = await model.attention({ layer: 1, head: 2 });
      assert.deepEqual([map.queries, map.keys], [17, 17]);
      assert.deepEqual(map.tokens.slice(0, 7), ['[class]', '0,0', '0,1', '0,2', '0,3', '1,0', '1,1']);
      assertClose([map.data.subarray(0, 17).reduce((sum, x) => sum + x, 0)], [1], 1e-5, 'a row');
      const { cache } = await model.runWithCache(ids, ['hook_embed', 'blocks.1.attn.hook_pattern']);
      assert.deepEqual(cache.hook_embed.shape, [17, 32]);
      assert.deepEqual(cache['blocks.1.attn.hook_pattern'].data.slice(2 * 289, 3 * 289), map.data);
      const cut = await model.runWithHooks(ids, [{ hook: 'blocks.0.attn.hook_z', head: 1, scale: 0 }], { all: true });
      assert.notDeepEqual(cut, plain);
      const weights = new Float32Array(17 * LABELS);
      weights[3] = 1;
      const { value, gradients } = await model.gradients(ids, { of: { weights }, at: ['hook_embed'] });
      assertClose([value], [plain[3]], 1e-5, 'metric');
      const { hook_embed: gradient } = gradients;
      // The derivative in the direction of the gradient, by two edited runs.
      const at = async (/** @type {number} */ step) => (await model.runWithHooks(ids,
        [{ hook: 'hook_embed', values: gradient.data.map((x) => step * x) }], { all: true }))[3];
      const wanted = gradient.data.reduce((sum, x) => sum + x * x, 0);
      assertClose([(await at(1e-2) - await at(-1e-2)) / 2e-2], [wanted], 2e-2, 'derivative');
    });

    test('embed gives the vector of the class token', async () => {
      const model = await open({ classifies: false });
      assert.deepEqual([model.info.head, model.info.pooling], ['none', 'cls']);
      const [one, two] = await model.embed([PICTURE, waves(20, 30)]);
      assert.deepEqual(one, await model.embed(PICTURE));
      assert.notDeepEqual(one, two);
      assertClose([one.reduce((sum, x) => sum + x * x, 0)], [1], 1e-5, 'length');
      await rejects(model.classify(PICTURE), 'unsupported', /no labels/);
    });

    test('other values are refused, and the model works afterwards', async () => {
      const model = await open();
      await rejects(model.forward([0, 1, 2]), 'bad-argument', /no picture; give it one first, by look/);
      for (const wrong of [null, undefined, 'a cat', 7, {}, [], { data: [1, 2, 3], width: 1, height: 1 },
        { data: new Uint8Array(5), width: 1, height: 1 }, { data: new Uint8Array(0), width: 0, height: 0 },
        { data: new Uint8Array(3), width: 0.5, height: 2 }, { data: new Uint8Array(3), width: -1, height: -1 }]) {
        await rejects(model.look(/** @type {any} */ (wrong)), 'bad-argument', /picture/);
      }
      const huge = { data: new Uint8Array(3), width: 1e6, height: 1e6 };
      await rejects(model.look(huge), 'bad-argument', /3 bytes/);
      await rejects(model.forward([17]), 'bad-argument', /17/);
      await rejects(model.generate([0]).next(), 'unsupported', /encoder/);
      assert.equal((await model.classify(PICTURE)).length, LABELS);
    });

    test('a model of texts reads no pictures', async () => {
      const model = await load(STORIES, { worker });
      after(() => model.dispose());
      await rejects(model.look(PICTURE), 'unsupported', /reads texts/);
    });
  });
}

describe('DeiT with distillation', () => {
  /** @param {Parameters<typeof tinyDeit>[0]} [options] @param {import('../../js/index.js').LoadOptions} [more] */
  async function open(options, more) {
    const model = await load({ ...tinyDeit(options), preprocessor: PREPROCESSOR }, more);
    after(() => model.dispose());
    return model;
  }
  /** Logits of the labels in their order. @param {import('../../js/index.js').LoadedModel} model */
  const logitsOf = async (model) => {
    const found = await model.classify(PICTURE);
    return Array.from({ length: LABELS }, (_, i) => found.find(({ label }) => label === `label ${i}`)?.logit ?? NaN);
  };

  test('logits of both heads and their mean are PyTorch’s', async () => {
    const model = await open();
    const { architecture, outputs, labels, labelHeads, vocabulary, picture } = model.info;
    assert.deepEqual([architecture, outputs, labels?.length, labelHeads, vocabulary, picture?.columns,
      picture?.leading], ['deit', 2 * LABELS, LABELS, 2, 18, 4, 2]);
    const logits = await model.forward(await model.look(PICTURE), { all: true });
    assertClose(logits, GOLDENS.deit.flat(), 1e-4, 'logits');
    assertClose(await logitsOf(model), GOLDENS.deitLabels[0], 1e-4, 'mean');
  });

  test('in a Worker, and with quantized weights', async () => {
    assertClose(await logitsOf(await open({}, { worker: true })), GOLDENS.deitLabels[0], 1e-4, 'mean');
    const quantized = await open({}, { quantize: 'q8_0' });
    assertClose(await logitsOf(quantized), GOLDENS.deitLabels[0], 0.3, 'quantized');
  });

  test('the class with one head reads the class token', async () => {
    const model = await open({ hasTeacher: false });
    assert.deepEqual([model.info.labelHeads, model.info.outputs], [1, LABELS]);
    assertClose(await logitsOf(model), GOLDENS.deitLabels[1], 1e-4, 'logits');
  });

  test('the class without a head gives vectors', async () => {
    const model = await open({ classifies: false });
    assert.deepEqual([model.info.head, model.info.pooling], ['none', 'cls']);
    assertClose([(await model.embed(PICTURE)).reduce((sum, x) => sum + x * x, 0)], [1], 1e-5, 'length');
  });

  test('maps, hooks, edits and gradients have both tokens before the patches', async () => {
    const model = await open();
    const ids = await model.look(PICTURE);
    const plain = await model.forward(ids, { all: true });
    const map = await model.attention({ layer: 1, head: 2 });
    assert.deepEqual([map.queries, map.keys], [18, 18]);
    assert.deepEqual(map.tokens.slice(0, 7), ['[class]', '[distillation]', '0,0', '0,1', '0,2', '0,3', '1,0']);
    const { cache } = await model.runWithCache(ids, ['hook_embed', 'blocks.1.attn.hook_pattern']);
    assert.deepEqual(cache.hook_embed.shape, [18, 32]);
    assert.deepEqual(cache['blocks.1.attn.hook_pattern'].data.slice(2 * 324, 3 * 324), map.data);
    const cut = await model.runWithHooks(ids, [{ hook: 'blocks.0.attn.hook_pattern', keys: [1, 2], scale: 0 }],
      { all: true });
    assert.notDeepEqual(cut, plain);
    const weights = new Float32Array(18 * 2 * LABELS);
    weights[3] = weights[2 * LABELS + LABELS + 3] = 0.5; // label 3, by both heads
    const { value, gradients } = await model.gradients(ids, { of: { weights }, at: ['hook_embed'] });
    assertClose([value], [GOLDENS.deitLabels[0][3]], 1e-4, 'metric');
    const { hook_embed: gradient } = gradients;
    const at = async (/** @type {number} */ step) => {
      const logits = await model.runWithHooks(ids,
        [{ hook: 'hook_embed', values: gradient.data.map((x) => step * x) }], { all: true });
      return (logits[3] + logits[3 * LABELS + 3]) / 2;
    };
    const wanted = gradient.data.reduce((sum, x) => sum + x * x, 0);
    assertClose([(await at(1e-2) - await at(-1e-2)) / 2e-2], [wanted], 2e-2, 'derivative');
  });

  test('the defaults of its processor', async () => {
    const format = await readPictureFormat({ vocabulary: 2 + 14 ** 2, patch: 3 * 16 ** 2 }, undefined, null, 'deit');
    assert.deepEqual([format.side, format.resize, format.crop, format.filter, format.mean],
      [224, [256, 256], true, 'bicubic', [0.5, 0.5, 0.5]]);
  });

  test('files that do not fit are refused by name', async () => {
    /** @param {string} gone @param {RegExp} about */
    const without = (gone, about) => rejects(load(tinyDeit({ rename: (name) => (name === gone ? null : name) })),
      'bad-tensor', about);
    await without('deit.embeddings.distillation_token', /lacks the tensor ‘deit\.embeddings\.distillation_token’/);
    await without('distillation_classifier.bias', /lacks the tensor ‘distillation_classifier\.bias’/);
    const swapped = (/** @type {string} */ name) => ({ 'deit.layernorm.bias': 'cls_classifier.bias',
      'cls_classifier.bias': 'deit.layernorm.bias' })[name] ?? name;
    await rejects(load(tinyDeit({ rename: swapped })), 'bad-tensor',
      /‘output_dist\.bias’ has the shape \[20\]; expected the shape and the type of ‘output\.bias’/);
  });
});

test('quantized weights, and the defaults of the processor', async () => {
  const { weights, config } = tinyVit();
  const model = await load({ weights, config }, { quantize: 'q8_0' });
  after(() => model.dispose());
  assert.ok(model.info.types.Q8_0?.tensors > 10);
  const { mean, deviation, filter } = model.info.picture ?? assert.fail();
  assert.deepEqual([mean, deviation, filter], [[0.5, 0.5, 0.5], [0.5, 0.5, 0.5], 'bilinear']);
  assert.equal((await model.classify(PICTURE)).length, LABELS);
});

test('files that do not fit are refused by name', async () => {
  const opened = (/** @type {Parameters<typeof tinyVit>[0]} */ options) => load(tinyVit(options));
  await rejects(opened({ config: { patch_size: 5 } }), 'unsupported', /patches of 5 pixels/);
  await rejects(opened({ config: { image_size: 6.4, patch_size: 1.6 } }), 'unsupported', /patches of 1.6 pixels/);
  await rejects(opened({ config: { num_channels: 1 } }), 'unsupported', /three colors/);
  await rejects(opened({ config: { image_size: 40 } }), 'bad-tensor', /position_embd.*\[17\]\[32\]/);
  await rejects(opened({ config: { qkv_bias: false } }), 'bad-tensor', /query\.bias.*qkv_bias/);
  await rejects(opened({ rename: (name) => (name === 'vit.embeddings.cls_token' ? null : name) }), 'bad-tensor',
    /lacks the tensor ‘vit\.embeddings\.cls_token’/);
  await rejects(opened({ rename: (name) => name.replace('layernorm_after.bias', 'layernorm_late.bias') }),
    'bad-tensor', /layernorm_late/);
  await rejects(load({ ...tinyVit(), preprocessor: { size: 31 } }), 'bad-config', /31 × 31/);
});
