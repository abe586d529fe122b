/** Steering: a direction of the residual stream, added while the model writes. */
import { addSelect, addSlider } from './kit/controls.js';
import { fixed, percent } from './kit/format.js';
import { LinePlot } from './kit/line-plot.js';
import { element, showValues } from './kit/page.js';

/** @typedef {import('../../js/index.js').Model} Model */
/** @typedef {import('../../js/index.js').Edit} Edit */

const STREAM = 'blocks.3.hook_resid_post';
const HAPPY = ['The girl was very happy.', 'He was so happy and glad.', 'She laughed and smiled.'];
const SAD = ['The girl was very sad.', 'He was so sad and upset.', 'She cried and wept.'];
const PROMPTS = ['Lily lost her doll. She was very', 'Lily got a new doll. She was very', 'One day, Tom was'];
const LEAST = -4;
const MOST = 4;
const STEP = 0.5;
const LENGTH = 24;

/** A probability in whole percent; two significant digits below 1 %; 0 % below a billionth. @param {number} p */
const chance = (p) => percent(p, p > 1e-9 && p < 0.01 ? 1 - Math.floor(Math.log10(100 * p)) : 0);

/** Mean of the stream over all tokens of some sentences, except the first of each.
 *  @param {Model} model @param {string[]} sentences @returns {Promise<Float64Array>} [d_model] */
async function meanStream(model, sentences) {
  const { dModel } = model.info;
  const sum = new Float64Array(dModel);
  let count = 0;
  for (const sentence of sentences) {
    const ids = await model.encode(sentence);
    const { data } = (await model.runWithCache(ids, [STREAM])).cache[STREAM];
    for (let i = dModel; i < data.length; i++) sum[i % dModel] += data[i];
    count += ids.length - 1;
  }
  return sum.map((x) => x / count);
}

/** @param {Model} model @param {import('./kit/turns.js').Turns} turns
 *  @param {(model: Model, word: string) => Promise<number>} tokenOf */
export async function showSteering(model, turns, tokenOf) {
  const happy = await meanStream(model, HAPPY);
  const sad = await meanStream(model, SAD);
  const direction = Array.from(happy, (x, i) => x - sad[i]);
  /** @type {(c: number) => Edit[]} */
  const steer = (c) => (c === 0 ? [] : [{ hook: STREAM, values: direction.map((x) => c * x) }]);
  const words = await Promise.all([' happy', ' sad'].map((word) => tokenOf(model, word)));
  const strengths = Array.from({ length: (MOST - LEAST) / STEP + 1 }, (_, i) => LEAST + i * STEP);
  const plot = new LinePlot(element('sweep'), { label: 'Probability of two next words by the strength of steering',
    x: 'c', y: 'p', digits: 6 });
  const format = (/** @type {number} */ value) => fixed(value, 1);
  let prompt = PROMPTS[0];
  let strength = 0;

  const show = turns.figure(async () => {
    const ids = await model.encode(prompt);
    const [ofHappy, ofSad] = await Promise.all(words.map(async (logprob) =>
      (await model.sweep(ids, strengths.map(steer), { of: { logprob } })).values.map(Math.exp)));
    let continued = '';
    const edits = steer(strength);
    for await (const { text } of model.generate(ids, { maxTokens: LENGTH, temperature: 0, edits })) continued += text;
    plot.update(strengths, [{ name: 'happy', ys: ofHappy }, { name: 'sad', ys: ofSad }]);
    const at = strengths.indexOf(strength);
    showValues({ prompt, continued, c: format(strength), happy: chance(ofHappy[at]), sad: chance(ofSad[at]) });
  });

  addSelect(element('steering'), 'Text', Object.fromEntries(PROMPTS.map((text) => [text, text])), (text) => {
    prompt = text;
    return show();
  }).name = 'prompt';
  const range = { min: LEAST, max: MOST, step: STEP, value: strength };
  addSlider(element('steering'), { label: 'c', ...range, format }, (value) => {
    strength = value;
    return show();
  });
  await show();
}
