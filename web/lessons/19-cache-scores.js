/** Two changes of the scores: a sink beside them, and a bound. */
import { addSlider } from './kit/controls.js';
import { fixed } from './kit/format.js';
import { LinePlot } from './kit/line-plot.js';
import { MatrixTable } from './kit/matrix-table.js';
import { element, showValues } from './kit/page.js';

/** @typedef {import('../../js/lab/index.js').Lab} Lab */

const KEYS = 5;
/** Scores of the plot. */
const LARGEST = 100;
const STEPS = 81;

/** @param {Lab} l */
export function showSinks(l) {
  const columns = Array.from({ length: KEYS }, (_, j) => `key ${j + 1}`);
  const table = new MatrixTable(element('sink-rows'), { caption: 'Weights of a row', axes: ['row', 'key'],
    rows: ['scores', 'softmax', 'with a sink'], columns: ['sink', ...columns], digits: 3, shade: 'none' });
  let best = 0;
  let b = 2;

  const show = () => l.evaluate(() => {
    const sink = l.tensor([b], { query: 1, key: 1 });
    const scores = l.tensor([0, best, 0, 0, 0], { query: 1, key: KEYS });
    const plain = l.softmax(scores);
    const withSink = l.softmax(l.concat([sink, scores], 'key'));
    table.update([b, ...scores.data, 0, ...plain.data, ...withSink.data],
      { masked: Array.from({ length: 3 * (KEYS + 1) }, (_, i) => Number(i === KEYS + 1)) });
    const sum = fixed(withSink.data.slice(1).reduce((total, weight) => total + weight, 0), 3);
    showValues({ 'sink-sum': sum, 'sink-sum-again': sum });
  });

  addSlider(element('sinking'), { label: 'Score of key 2', min: 0, max: 8, step: 0.5, value: best,
    format: (value) => fixed(value, 1) }, (value) => {
    best = value;
    show();
  }).name = 'best';
  addSlider(element('sinking'), { label: 'b, score of the sink', min: -4, max: 8, step: 0.5, value: b,
    format: (value) => fixed(value, 1) }, (value) => {
    b = value;
    show();
  }).name = 'sink';
  show();
}

/** @param {Lab} l */
export function showCaps(l) {
  const plot = new LinePlot(element('capped'), { label: 'Scores after the soft cap', x: 'score', y: 'with the cap',
    digits: 2 });
  const xs = Array.from({ length: STEPS }, (_, i) => LARGEST * (2 * i / (STEPS - 1) - 1));
  const show = (/** @type {number} */ softcap) => l.evaluate(() => {
    const q = l.tensor(xs, { query: STEPS, dim: 1 });
    const k = l.tensor([1], { key: 1, dim: 1 });
    const { scores } = l.attention(q, k, k, { score: 'dot', softcap });
    plot.update(xs, [{ name: 'plain', ys: xs }, { name: `bound ${softcap}`, ys: scores.data.slice() }]);
    showValues({ 'cap-from': LARGEST, 'cap-to': fixed(scores.data[STEPS - 1], 1) });
  });
  addSlider(element('capping'), { label: 'a, the bound', min: 10, max: 100, step: 10, value: 50 }, show).name = 'bound';
  show(50);
}
