/** A date, translated by the model that learned to align, and one step of it opened. */
import { countParameters, lab } from '../../js/lab/index.js';
import { decode, encode } from '../../js/train/models/bahdanau.js';
import { BEGIN, padded } from '../../js/train/tasks/vocabulary.js';
import { tokenLabel, tokenName } from '../draw/token.js';
import { slider } from './kit/controls.js';
import { Dates, largest, openModelOf } from './kit/dates.js';
import { Matrix } from './kit/matrix.js';
import { fixed, grouped, short } from './kit/numbers.js';
import { $, lesson, say } from './kit/page.js';

lesson(async () => {
  const l = await lab();
  const model = await openModelOf(l, 'dates-bahdanau');
  const { weights, config } = model;
  const { hidden } = config;
  /** @type {import('./kit/dates.js').Translation} */ let translation;
  /** The symbol whose step is opened, from 0. */
  let i = 0;

  const scores = new Matrix($('step'), { caption: 'a, scores of this step', axes: ['', 'input'], rows: ['a'], digits: 1,
    shade: 'signed' });
  const alphas = new Matrix($('step'), { caption: 'α, their softmax', axes: ['', 'input'], rows: ['α'], digits: 2,
    shade: 'weight', max: 1 });

  /** The step that writes symbol i, once more, from the state that has written those before. */
  function step() {
    const { source, target, ids, pattern: [map] } = translation;
    const read = padded([source.map((symbol) => config.source.indexOf(symbol))]);
    const before = padded([[BEGIN, ...ids].slice(0, i)]);
    l.evaluate(() => {
      const memory = encode(l, weights, config, read);
      const { state } = i === 0 ? memory : decode(l, weights, config, memory, memory.state, before);
      const s = l.reshape(state, [1, 1, 1, hidden]);
      const network = { W_q: weights['attention.W_q.weight'], W_k: null, w_a: weights['attention.w_a.weight'] };
      const aligned = l.attention(s, memory.keys, memory.values, { score: 'additive', weights: network });
      const alpha = aligned.pattern.data;
      const columns = source.map((symbol) => tokenLabel(symbol));
      scores.show(aligned.scores.data, { columns });
      alphas.show(alpha, { columns });
      const row = map.data.subarray(i * map.keys, (i + 1) * map.keys);
      const best = largest(alpha);
      say({ symbol: tokenName(target[i]), most: fixed(alpha[best], 2), where: tokenName(source[best]), at: best + 1,
        context: aligned.output.data.length, state: hidden,
        off: short(Math.max(...row.map((weight, j) => Math.abs(weight - alpha[j]))), 6) });
    });
  }

  const dates = new Dates((now) => {
    translation = now;
    const last = now.ids.length - 1;
    control.max = String(last + 1);
    open(Math.min(i, last));
  }, (query) => query !== i && open(query));
  const control = slider($('controls'), { label: 'i, the symbol that is written', min: 1, max: config.longest, step: 1,
    value: 1 }, (value) => {
    i = value - 1;
    step();
  });
  /** @param {number} at the symbol, from 0 */
  function open(at) {
    control.value = String(at + 1);
    control.dispatchEvent(new Event('input'));
  }

  dates.use(model);
  say({ weights: grouped(countParameters(weights)), exact: `${short(100 * model.figures.exact, 2)} %` });
});
