/** The written-out sums of the anatomy equal the numbers of real runs. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { blockBoxes, checkInfo, firstBoxes, lastBoxes, weightShape } from '../../web/draw/anatomy-boxes.js';
import { layOutBlock } from '../../web/draw/anatomy-layout.js';
import { Missing, sumOf } from '../../web/draw/anatomy-sums.js';
import { stageSentence } from '../../web/elements/anatomy-stages.js';
import { tinyEncoderDecoder } from '../support/encoder-decoders.js';
import { ENCODERS } from '../support/encoders.js';
import { FAMILIES, ggufOf, huggingFaceOf, referenceOf } from '../support/families.js';
import { STORIES } from '../support/model.js';
import { tinyGguf } from '../support/tiny-gguf.js';

const TOKENS = 9;
/** Sums of float32 values, without quantized weights. */
const EXACT = ['ln1', 'rot_q', 'rot_k', 'scores', 'pattern', 'z', 'resid_mid', 'ln2', 'post', 'resid_post', 'ln_final',
  'probabilities'];

/**
 * Runs a model with all activations, and reads weights on demand.
 * @param {any} model
 * @param {number} layer
 * @param {number} head
 */
async function runOf(model, layer, head) {
  const info = checkInfo(model.info, 'info');
  const ids = Int32Array.from({ length: TOKENS }, (_, at) => (3 + 5 * at) % info.vocabulary);
  const { cache, logits } = await model.runWithCache(ids);
  /** @type {Record<string, any>} */
  const known = { ...cache, logits: { data: logits, shape: [info.vocabulary] } };
  const boxes = [...firstBoxes(info, TOKENS), ...blockBoxes(info, layer, TOKENS), ...lastBoxes(info, TOKENS)];
  const run = { info, boxes, tokens: await model.tokens(ids), layer, head, position: TOKENS - 1, word: String,
    get: (/** @type {string} */ name) => known[name] };
  /** @param {any} box @param {{ row: number, column: number }} cell */
  const written = async (box, cell) => {
    for (;;) {
      try {
        return sumOf(run, box, cell);
      } catch (error) {
        if (!(error instanceof Missing)) throw error;
        for (const name of error.names) {
          assert.ok(!(name in known), `${name} is read once`);
          known[name] = await model.weight(name);
          if (known[name]) assert.deepEqual(known[name].shape, weightShape(info, name), name);
        }
      }
    }
  };
  return { info, cache, boxes, written };
}

/** @type {[string, () => any, string[] | null][]} */
const MODELS = [
  ['the stories model (Q8_0, grouped heads, rotary)', () => STORIES, EXACT],
  ...['llama', 'qwen2', 'gpt2'].map((architecture) => /** @type {[string, () => any, null]} */ ([
    `a tiny ${architecture} of floats`,
    () => tinyGguf({ architecture: /** @type {any} */ (architecture), type: 'f32', layers: 2 }), null])),
  ...FAMILIES.map((row) => /** @type {[string, () => any, null]} */ ([`the family ${row.name}`,
    () => (row.gguf === false ? huggingFaceOf(row) : ggufOf(row)), null])),
];

for (const [name, source, exact] of MODELS) {
  describe(name, () => {
    for (const which of ['first', 'last']) {
      test(`${which} block: every kind of number, in the first and last head`, async () => {
        const model = await load(await source(), { contextLength: 24, cache: 'f32' });
        const { experts, layers } = model.info;
        const layer = which === 'first' ? 0 : layers - 1;
        for (const head of [0, model.info.heads - 1]) {
          const { boxes, cache, written } = await runOf(model, layer, head);
          for (const box of boxes) {
            if (box.name !== 'logits') assert.deepEqual(cache[box.name].shape, box.shape, box.name);
            const columns = box.shape.at(-1) ?? 0;
            for (const row of box.kind === 'vocabulary' ? [0] : [0, 3, TOKENS - 1]) {
              for (const column of [0, 1, 5, columns - 1]) {
                const sum = await written(box, { row, column });
                if (sum.run === -Infinity) {
                  assert.match(sum.note, /mask/);
                  continue;
                }
                assert.doesNotMatch(sum.note, /not available/, box.id);
                const looked = ['embed', 'pos_embed', ...(layer ? ['resid_pre'] : []), ...(experts ? ['mlp_out'] : [])];
                assert.ok(sum.terms.length + sum.steps.length > 0 || looked.includes(box.id)
                  || /^The mask|^This is the embedding/.test(sum.note), `${box.id} is written out`);
                // Float32 sums: the error grows with the sizes of the terms.
                const size = sum.terms.reduce((total, { value }) => total + Math.abs(value), Math.abs(sum.run));
                const close = (exact === null || exact.includes(box.id) ? 2e-6 : 2e-2) * Math.max(1e-2, size);
                assert.ok(Math.abs(sum.result - sum.run) <= close,
                  `${box.id} ${row} ${column}: ${sum.result} ${sum.run}`);
              }
            }
          }
        }
        model.dispose();
      });
    }
  });
}

test('a score is q · k ÷ √d of the shown head and its key head', async () => {
  const model = await load(STORIES, { contextLength: 24, cache: 'f32' });
  const head = 4;
  const row = 7;
  const column = 2;
  const layer = 3;
  const { boxes, cache, info, written } = await runOf(model, layer, head);
  const sum = await written(boxes.find(({ id }) => id === 'scores'), { row, column });
  const [q, k, scores] = ['rot_q', 'rot_k', 'attn_scores'].map((hook) =>
    cache[`blocks.${layer}.attn.hook_${hook}`].data);
  let expected = 0;
  for (let i = 0; i < info.dHead; i++) {
    const terms = [q[(row * info.heads + head) * info.dHead + i], k[(column * info.kvHeads + 1) * info.dHead + i]];
    assert.deepEqual(sum.terms[i].factors, terms); // heads 3 to 5 read key head 1
    expected += terms[0] * terms[1] / Math.sqrt(info.dHead);
  }
  assert.ok(Math.abs(sum.result - expected) < 1e-9);
  assert.ok(Math.abs(sum.run - scores[(head * TOKENS + row) * TOKENS + column]) === 0);
  assert.ok(Math.abs(sum.result - sum.run) < 1e-5);
  assert.deepEqual(sum.inputs, [{ box: 'rot_q', rows: [row, row + 1], columns: [0, info.dHead] },
    { box: 'rot_k', rows: [column, column + 1], columns: [0, info.dHead] }]);
  model.dispose();
});

test('the numbers of a written softmax divide to its written weight', async () => {
  const model = await load(STORIES, { contextLength: 24, cache: 'f32' });
  const { boxes, written } = await runOf(model, 2, 2);
  let read = 0;
  for (let row = 0; row < TOKENS; row++) {
    for (let column = 0; column <= row; column++) {
      const { steps, result } = await written(boxes.find(({ id }) => id === 'pattern'), { row, column });
      const [, power, total] = /^([\d.]+) ÷ ([\d.]+) = [\d.]+$/.exec(steps[1]) ?? [];
      if (!power) continue; // below 0.0001 with fewer digits
      read++;
      assert.ok(Math.abs(Number(power) / Number(total) / result - 1) < 0.0011, steps[1]); // four digits each
    }
  }
  assert.ok(read > TOKENS);
  model.dispose();
});

test('the note of a rounded product gives the value of the run', async () => {
  const model = await load(STORIES, { contextLength: 24 });
  const { boxes, written } = await runOf(model, 1, 0);
  const sum = await written(boxes.find(({ id }) => id === 'q'), { row: 2, column: 3 });
  assert.match(sum.note, /^The run has −?[\d.]+, because it rounds the inputs of this sum\.$/);
  assert.ok(Math.abs(sum.result - sum.run) > 0);
  model.dispose();
});

test('the sentence of a stage ends a shortened title with one full stop', async () => {
  const model = await load(STORIES);
  const boxes = blockBoxes(checkInfo(model.info, 'info'), 0, TOKENS);
  model.dispose();
  const sentences = boxes.map((box) =>
    stageSentence({ box: box.id, layer: 0 }, { box, plane: null, tokens: ['a'], position: 0 }));
  assert.ok(sentences.some((sentence) => /^K rot\. Keys /.test(sentence)), sentences.join('\n'));
  for (const sentence of sentences) assert.doesNotMatch(sentence, /\.\./);
});

for (const row of [null, ...FAMILIES]) {
  test(`titles of boxes fit above their rasters, and boxes into the figure: ${row?.name ?? 'stories'}`, async () => {
    const model = await load(row === null ? STORIES : row.gguf === false ? huggingFaceOf(row) : await ggufOf(row));
    const boxes = blockBoxes(checkInfo(model.info, 'info'), 0, TOKENS);
    model.dispose();
    for (const { from } of boxes) from.forEach((id) => assert.ok(boxes.some((box) => box.id === id), id));
    for (const width of [300, 330, 358, 560, 700, 848, 1120]) {
      const { placed } = layOutBlock(boxes, TOKENS, width);
      assert.equal(placed.length, boxes.length);
      for (const [at, { id, card, band }] of placed.entries()) {
        const { title } = boxes.find((box) => box.id === id) ?? assert.fail(id);
        assert.ok(card.width >= 6.5 * title.length, `${title} in ${card.width} of ${width}`);
        assert.ok(card.x + card.width <= width, `${title} ends at ${card.x + card.width} of ${width}`);
        const next = placed[at + 1];
        if (next?.band === band) assert.ok(next.card.x >= card.x + card.width, title);
      }
    }
  });
}

test('a rotation turns the pairs of the family by the angle of the position, partly or longer', async () => {
  for (const row of FAMILIES.filter(({ means }) => means.rope)) {
    const { dHead, rope, ropeDims, ropeScale, variant = {} } = referenceOf(row);
    const model = await load(row.gguf === false ? huggingFaceOf(row) : await ggufOf(row), { cache: 'f32' });
    const { boxes, written } = await runOf(model, 0, 1);
    const box = boxes.find(({ id }) => id === 'rot_q');
    const at = 3;
    const { terms, note } = await written(box, { row: at, column: 0 });
    const divisor = (variant.divisors ?? referenceOf(row).weights['rope_freqs.weight']?.data ?? [1])[0];
    const angle = variant.localBase ? at : at / ropeScale / divisor;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)].map((x) => (variant.magnitude ?? 1) * x);
    assert.match(note, new RegExp(`^Features 0 and ${rope === 'adjacent' ? 1 : ropeDims / 2} are turned`), row.name);
    assert.ok(Math.abs(terms[0].factors[1] - cos) < 1e-4, `${row.name}: ${terms[0].factors[1]} ${cos}`);
    assert.ok(Math.abs(terms[1].factors[1] + sin) < 1e-4, `${row.name}: ${terms[1].factors[1]} ${-sin}`);
    if (ropeDims < dHead) assert.match((await written(box, { row: at, column: dHead - 1 })).note, /^Only the first/);
    model.dispose();
  }
});

test('an expert\'s output has no terms, and a sentence says so', async () => {
  const model = await load(await ggufOf(FAMILIES.find(({ name }) => name === 'olmoe') ?? assert.fail()));
  const { boxes, written } = await runOf(model, 0, 0);
  assert.deepEqual(boxes.filter(({ name }) => name.includes('.mlp.')), []);
  const { terms, note } = await written(boxes.find(({ id }) => id === 'mlp_out'), { row: 1, column: 2 });
  assert.equal(terms.length, 0);
  assert.match(note, /weighted sum of the experts of this token, out of 6/);
  model.dispose();
});

test('encoders and encoder–decoders have no anatomy', async () => {
  for (const row of ENCODERS) {
    const model = await load(row.names['attn_output'] ? huggingFaceOf(row) : await ggufOf(row));
    assert.throws(() => checkInfo(model.info, 'info'), /The anatomy shows decoders. This model is an encoder, whose/);
    model.dispose();
  }
  const model = await load(tinyEncoderDecoder('t5'));
  assert.throws(() => checkInfo(model.info, 'info'), /This model is an encoder–decoder, whose decoder also/);
  model.dispose();
});
