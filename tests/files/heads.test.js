// Classes of transformers with other heads: they are refused by name, and encoders load without their heads.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openModelFile } from '../../js/files/model-file.js';
import { load } from '../../js/index.js';
import { assertSame } from '../support/compare.js';
import { ENCODERS } from '../support/encoders.js';
import { tinyEncoderDecoder } from '../support/encoder-decoders.js';
import { rejects } from '../support/expect.js';
import { IDS, huggingFaceOf } from '../support/families.js';
import { tinySafetensors } from '../support/tiny-safetensors.js';
import { tinyVit } from '../support/vit.js';

const LAST = 'blocks.1.hook_resid_post';

for (const row of ENCODERS.filter(({ head, config }) => head === 'labels' && config)) {
  const stem = /** @type {any} */ (row.config).architectures[0].replace(/For\w+$/, '');

  test(`${stem}: a class with another head is refused by name, and its encoder loads without the head`, async () => {
    const classifier = await load(huggingFaceOf(row));
    after(() => classifier.dispose());
    const { cache: expected } = await classifier.runWithCache(IDS, [LAST]);
    for (const [head, output] of [['TokenClassification', 'classifier'], ['QuestionAnswering', 'qa_outputs']]) {
      const other = { ...row, names: { ...row.names, output } };
      const name = `${stem}For${head}`;
      await rejects(load(huggingFaceOf(other, { architectures: [name] })), 'unsupported',
        new RegExp(`‘${name}’.*ForMaskedLM or ForSequenceClassification.*\\["${stem}Model"\\]`));
      const encoder = await load(huggingFaceOf(other, { architectures: [`${stem}Model`] }));
      after(() => encoder.dispose());
      assert.equal(encoder.info.head, 'none');
      assertSame((await encoder.runWithCache(IDS, [LAST])).cache[LAST].data, expected[LAST].data, name);
    }
  });
}

test('a decoder, an encoder–decoder and a model of pictures name the heads that heed runs', async () => {
  const llama = tinySafetensors();
  const named = (/** @type {{ weights: Uint8Array, config: object }} */ { weights, config },
    /** @type {string} */ name) => openModelFile({ weights, config: { ...config, architectures: [name] } });
  for (const [files, name, says] of /** @type {const} */ ([
    [llama, 'LlamaForSequenceClassification', /‘LlamaForSequenceClassification’.*ForCausalLM.*Choose a model/],
    [llama, 'LlamaForTokenClassification', /‘LlamaForTokenClassification’/],
    [llama, 'GPT2DoubleHeadsModel', /‘GPT2DoubleHeadsModel’.*LMHeadModel/],
    [tinyEncoderDecoder('bart'), 'BartForSequenceClassification', /ForConditionalGeneration or MTModel\. Choose/],
    [tinyVit(), 'ViTForMaskedImageModeling', /ForImageClassification\..*"ViTModel"/],
  ])) await rejects(named(files, name), 'unsupported', says);
  for (const name of ['LlamaForCausalLM', 'LlamaModel', 'Mine']) await (await named(llama, name)).close();
});

test('an encoder of pictures loads without the head of hidden patches', async () => {
  const decoded = tinyVit({ config: { architectures: ['ViTModel'] },
    rename: (name) => name.replace(/^classifier\./, 'decoder.0.') });
  const model = await load(decoded);
  after(() => model.dispose());
  assert.equal(model.info.head, 'none');
});
