/** The cross-entropy of a sentence, token by token. */
import { BarTable } from './kit/bar-table.js';
import { addSlider, setSlider } from './kit/controls.js';
import { fixed, grouped, magnitude } from './kit/format.js';
import { softmax } from './kit/numbers.js';
import { element, showValues } from './kit/page.js';
import { connectField, lengthProblem } from './kit/text-field.js';

/** @typedef {import('../../js/index.js').Model} Model */

const SENTENCES = ['Lily was very happy because she got a new ball.', 'ball she new very a got because happy was Lily',
  'The bank approved the mortgage.', 'Once upon a time there was a little girl.'];
/** Characters of the longest sentence, and tokens of the distribution. */
const LONGEST = 120;
const SHOWN = 8;

/** @param {Model} model @param {import('./kit/turns.js').Turns} turns @param {(id: number) => string} textOf */
export async function showLoss(model, turns, textOf) {
  const { vocabulary } = model.info;
  const field = /** @type {HTMLInputElement} */ (element('sentence'));
  const ofTokens = new BarTable(element('losses'), { caption: 'Loss of each token', axis: 'token that came' });
  const ofNext = new BarTable(element('distribution'), { caption: 'What the model expected', axis: 'token' });
  /** @type {Int32Array} */ let ids = new Int32Array(2);
  /** @type {number[][]} */ let probabilities = [];
  let at = 0;

  const slider = addSlider(element('place'), { label: 'Token', min: 1, max: 4, step: 1, value: 3,
    format: (value) => `${value}, “${textOf(ids[value] ?? 0)}”` }, (value) => {
    at = value - 1;
    draw();
  });

  function draw() {
    const losses = Array.from(ids.subarray(1), (id, i) => -Math.log(probabilities[i][id]));
    const mean = losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
    const perplexity = Math.exp(mean);
    const lossColumn = { name: 'loss −ln p', max: Math.log(vocabulary),
      format: (/** @type {number} */ x) => fixed(x, 2) };
    ofTokens.update([{ name: 'p', max: 1 }, lossColumn],
      losses.map((loss, i) => ({ token: textOf(ids[i + 1]), values: [Math.exp(-loss), loss], marked: i === at })));
    const p = probabilities[at];
    const came = ids[at + 1];
    const likeliest = Array.from(p, (_, id) => id).sort((a, b) => p[b] - p[a]).slice(0, SHOWN);
    ofNext.update([{ name: 'p', max: 1 }, { name: 'truth o', max: 1, format: (x) => String(x) }],
      [...new Set([...likeliest, came])].map((id) => ({ token: textOf(id), marked: id === came,
        values: [p[id], Number(id === came)] })));
    showValues({ 'so-far': at === 0 ? 'the start of the text' : Array.from(ids.subarray(1, at + 1), textOf).join(''),
      came: textOf(came), 'p-came': fixed(p[came], 3), 'loss-came': fixed(losses[at], 2),
      'mean-loss': fixed(mean, 2), perplexity: fixed(perplexity, 1) });
    return mean;
  }

  const show = turns.figure(async (/** @type {Int32Array} */ newIds) => {
    model.rewind(0);
    const logits = await model.forward(newIds, { all: true });
    ids = newIds;
    probabilities = Array.from(ids, (_, i) => softmax(logits.subarray(i * vocabulary, (i + 1) * vocabulary)));
    const count = ids.length - 1;
    at = Math.min(at || 2, count - 1);
    slider.max = String(count);
    setSlider(slider, at + 1);
    const mean = draw();
    const { clean } = await model.sweep(ids, [], { of: { crossEntropy: [...ids.subarray(1), -1] } });
    showValues({ 'metric-off': magnitude(Math.abs(mean - clean)) });
  });

  async function read() {
    const refused = lengthProblem(field.value, LONGEST, 'sentence');
    element('refused-sentence').textContent = refused && `${refused} The figure still shows the sentence before.`;
    if (!refused) await show(await model.encode(field.value));
  }

  connectField(field, element('sentences'), SENTENCES, read);
  showValues({ ignorance: fixed(Math.log(vocabulary), 2), vocabulary: grouped(vocabulary) });
  await read();
}
