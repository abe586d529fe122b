/** A soft lookup in five pairs, and its hard limit. */
import { lab } from '../../js/lab/index.js';
import { LOOKUP } from './drawings/01-soft-lookup.js';
import { addSelect, addSlider } from './kit/controls.js';
import { Drawing } from './kit/drawing.js';
import { fixed, trimmed } from './kit/format.js';
import { LinePlot } from './kit/line-plot.js';
import { MatrixTable } from './kit/matrix-table.js';
import { element, lesson, showValues } from './kit/page.js';

/** @type {[key: string, value: string, features: number[]][]} */
const PAIRS = [
  ['Subject', 'Professor Perry', [2, 0, 2, 0]],
  ['Pronoun', 'He', [0, 2, 2, 0]],
  ['Object', 'Machine Learning', [2, 0, 0, 2]],
  ['Indirect Object', 'Them', [0, 2, 0, 2]],
  ['Verb', 'Taught', [-2, -2, 0, 0]],
];
const FEATURES = ['names', 'stands in', 'acts', 'is acted on'];
const KEYS = PAIRS.map(([key]) => key);
const VALUES = PAIRS.map(([, value]) => value);
/** Length of every key. */
const LENGTH = Math.hypot(...PAIRS[0][2]);
/** Powers of ten. At the lowest temperature the lookup is exactly hard, at the highest almost uniform. */
const COLDEST = -2;
const HOTTEST = 2;

lesson(async () => {
  const drawing = new Drawing(element('drawing'), LOOKUP);
  const l = await lab();
  const q = l.parameter(PAIRS[0][2], { query: 1, feature: 4 });
  const K = l.parameter(PAIRS.flatMap(([, , features]) => features), { key: 5, feature: 4 });
  const V = l.parameter(VALUES.flatMap((_, i) => VALUES.map((__, j) => Number(i === j))), { key: 5, word: 5 });
  let power = 0;
  let right = 1;

  /** One lookup and its gradients. @param {number} temperature */
  const lookup = (temperature) => l.step(() => {
    const wanted = VALUES.map((_, i) => Number(i === right));
    for (const tensor of [q, K, V]) tensor.grad?.fill(0);
    const { output, pattern } = l.attention(q, K, V, { score: 'dot', scale: 1 / temperature });
    const error = l.sub(output, l.tensor(wanted, { query: 1, word: 5 }));
    l.backward(l.sum(l.mul(error, error)));
    const gradients = [q, K, V].map(({ grad }) => Math.hypot(.../** @type {Float32Array} */ (grad)));
    return { pattern: pattern.data.slice(), output: output.data.slice(), gradients };
  });

  const keys = new MatrixTable(element('memory'), { caption: 'Keys', axes: ['key', 'feature'], rows: KEYS,
    columns: FEATURES, digits: 0 });
  const weights = new MatrixTable(element('memory'), { caption: 'Weights α of the values', axes: ['value', ''],
    rows: VALUES, columns: ['α'], shade: 'weight', max: 1 });
  const query = new MatrixTable(element('query'), { caption: 'Query', name: 'q', axes: ['', 'feature'], rows: ['q'],
    columns: FEATURES, onEdit: (data) => {
      q.data.set(data);
      showAll();
    } });
  const gradients = new LinePlot(element('gradients'), { label: 'Gradients over the temperature', x: 'log₁₀ τ',
    y: 'length' });

  function show() {
    const temperature = 10 ** power;
    const now = lookup(temperature);
    query.update(q.data);
    keys.update(K.data);
    weights.update(now.pattern);
    drawing.show({
      q: { data: q.data, rows: ['q'], columns: FEATURES },
      k: { data: K.data, rows: KEYS, columns: FEATURES },
      v: { data: V.data, rows: KEYS, columns: VALUES, shade: 'weight' },
      alpha: { data: now.pattern, rows: KEYS, columns: ['α'], shade: 'weight' },
      out: { data: now.output, rows: ['answer'], columns: VALUES, shade: 'weight' },
    });
    const parts = VALUES.map((value, i) => ({ value, weight: now.output[i] })).filter(({ weight }) => weight >= 0.005)
      .sort((a, b) => b.weight - a.weight);
    showValues({
      temperature: trimmed(temperature, 3),
      answer: parts.map(({ value, weight }) => `${fixed(weight, 2)} ${value}`).join(' + '),
      wanted: VALUES[right],
      'gradient-q': now.gradients[0].toPrecision(3),
      'gradient-K': now.gradients[1].toPrecision(3),
      'gradient-V': now.gradients[2].toPrecision(3),
    });
  }

  /** Plots the gradients at all temperatures of the slider. */
  function showGradients() {
    const powers = Array.from({ length: 81 }, (_, i) => COLDEST + i * (HOTTEST - COLDEST) / 80);
    const all = powers.map((each) => lookup(10 ** each).gradients);
    gradients.update(powers, [{ name: 'query', ys: all.map(([a]) => a) }, { name: 'keys', ys: all.map(([, b]) => b) }]);
  }

  function showAll() {
    show();
    showGradients();
  }

  addSlider(element('controls'), { label: 'Temperature τ', min: COLDEST, max: HOTTEST, step: 0.05, value: power,
    format: (value) => trimmed(10 ** value, 3) }, (value) => {
    power = value;
    show();
  }).name = 'tau';
  const names = (/** @type {string[]} */ list) => Object.fromEntries(list.map((name, i) => [i, name]));
  addSelect(element('controls'), 'Query', names(KEYS), (value) => {
    q.data.set(PAIRS[Number(value)][2]);
    showAll();
  });
  const wanted = addSelect(element('controls'), 'The answer should be', names(VALUES), (value) => {
    right = Number(value);
    showAll();
  });
  Object.assign(wanted, { name: 'answer', value: String(right) });
  showValues({ length: fixed(LENGTH, 3) });
  showAll();
});
