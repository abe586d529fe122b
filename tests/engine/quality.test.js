/**
 * The loss of quality by each weight type on every engine, measured on texts of the default model. It is the distance
 * of the next token's distribution from the F32 model. It is within bounds, and not larger than llama.cpp's with the
 * same file (tests/goldens/quants/quality.json, written by tools/goldens/quality.js).
 *
 * The reference is the model in F32 with the scalar kernels, which tests/engine/stages.test.js compares with float64.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { TAKEN } from '../support/engines.js';
import { STORIES } from '../support/model.js';
import { distance, logSoftmax, meanOf, qualityGolden, readDefaultModel, WEIGHT_TYPES, wideModel }
  from '../support/quality.js';

/**
 * Largest mean of the KL divergence in nats. Measured: about 1/6,000 nat for eight bits, 1/800 for six, 1/50 for four,
 * 2/5 for two. From six bits down, a bound is at most a third above the measured value.
 * @type {Record<import('../support/quality.js').WeightType, number>}
 */
const BOUNDS = {
  f32: 1e-6, f16: 1e-6, bf16: 2e-5, q8_0: 2e-4, q6_k: 1.3e-3, q5_k: 5e-3, q5_1: 5e-3, q5_0: 6e-3, q4_k: 0.022,
  q4_1: 0.022, q4_0: 0.022, iq4_xs: 0.02, iq4_nl: 0.02, q3_k: 0.083, q2_k: 0.42,
};
/** How much the share of positions with the same likeliest token may be below llama.cpp's: 1 % is under five of the
 *  positions. Near ties make it a coarse measure. The divergences of the same positions are the fine one. */
const LESS_AGREEMENT = 0.01;
/** Largest difference of a mean in standard errors; random differences exceed it once in a thousand. */
const CHANCE = 3;

const golden = qualityGolden();
const ids = golden.ids.flat();

/** Log-probabilities after every id of every text. @param {string | Uint8Array} source @param {any} options */
async function predict(source, options) {
  const model = await load(source, options);
  const V = model.info.vocabulary;
  const logits = new Float32Array(ids.length * V);
  let at = 0;
  for (const text of golden.ids) {
    model.rewind(0);
    logits.set(await model.forward(text, { all: true }), at);
    at += text.length * V;
  }
  const { engine } = model.info;
  model.dispose();
  return { engine, predictions: logSoftmax(logits, V), V };
}

describe('quality of every weight type', async () => {
  /** @type {Awaited<ReturnType<typeof readDefaultModel>>} */ let stories;
  /** @type {Float64Array} */ let reference;
  before(async () => {
    stories = await readDefaultModel();
    reference = (await predict(await wideModel(stories, 'f32'), { engine: 'scalar' })).predictions;
  });

  test('the golden has every type and a few hundred positions', () => {
    assert.deepEqual(Object.keys(golden.types).sort(), [...WEIGHT_TYPES].sort());
    assert.deepEqual(Object.keys(BOUNDS).sort(), [...WEIGHT_TYPES].sort());
    assert.ok(ids.length > 300);
    for (const { divergences } of Object.values(golden.types)) assert.equal(divergences.length, ids.length);
  });

  for (const type of WEIGHT_TYPES) {
    test(type, async (t) => {
      const file = await wideModel(stories, type);
      const llama = golden.types[type];
      assert.equal(createHash('sha256').update(file).digest('hex'), llama.sha256, 'the file that llama.cpp read');
      for (const wanted of TAKEN.filter((name) => name !== 'scalar')) {
        const { engine, predictions, V } = await predict(file, { engine: wanted });
        assert.equal(engine.binary, wanted);
        const { divergences, agreement } = distance(reference, predictions, V);
        const ours = meanOf(divergences);
        const theirs = meanOf(llama.divergences);
        const said = (/** @type {number} */ mean, /** @type {number} */ agreeing) =>
          `${mean.toExponential(2)} nats, ${(100 * agreeing).toFixed(1)} % agree`;
        t.diagnostic(`${type} on ${wanted}: ${said(ours.mean, agreement)}; ` +
          `llama.cpp ${said(theirs.mean, llama.agreement)}`);
        assert.ok(ours.mean <= BOUNDS[type], `${wanted}: ${ours.mean} nats`);
        assert.ok(agreement >= llama.agreement - LESS_AGREEMENT,
          `${wanted}: ${agreement} of the likeliest tokens agree, ${llama.agreement} in llama.cpp`);
        // Compared position by position, because both share the error of the weights.
        const more = meanOf(divergences.map((v, i) => v - llama.divergences[i]));
        assert.ok(more.mean <= CHANCE * more.error, `${wanted}: ${more.mean} ± ${more.error} more than llama.cpp's`);
      }
    });
  }

  test('the shipped default model equals the golden in Q8_0', async () => {
    const { predictions, V } = await predict(STORIES, { engine: 'simd128' });
    const { divergences, agreement } = distance(reference, predictions, V);
    assert.ok(meanOf(divergences).mean <= BOUNDS.q8_0);
    assert.ok(agreement >= golden.types.q8_0.agreement - LESS_AGREEMENT);
  });
});
