/** Lookup in five pairs, soft and, in the limit, hard. */
import { lab } from '../../js/lab/index.js';
import { choice, slider } from './kit/controls.js';
import { Matrix } from './kit/matrix-table.js';
import { fixed, short } from './kit/format.js';
import { $, lesson, say } from './kit/page.js';
import { Plot } from './kit/line-plot.js';

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
/** Of all keys. */
const LENGTH = Math.hypot(...PAIRS[0][2]);
/** Powers of ten: from where the lookup is hard in every bit to where all answers are nearly alike. */
const [COLDEST, HOTTEST] = [-2, 2];

lesson(async () => {
  const l = await lab();
  const q = l.parameter(PAIRS[0][2], { query: 1, feature: 4 });
  const K = l.parameter(PAIRS.flatMap(([, , features]) => features), { key: 5, feature: 4 });
  const V = l.parameter(VALUES.flatMap((_, i) => VALUES.map((__, j) => Number(i === j))), { key: 5, word: 5 });
  let [power, right] = [0, 1];

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

  const keys = new Matrix($('memory'), { caption: 'Keys', axes: ['key', 'feature'], rows: KEYS, columns: FEATURES,
    digits: 0 });
  const weights = new Matrix($('memory'), { caption: 'Weights α and what they bring', axes: ['value', ''],
    rows: VALUES, columns: ['α'], shade: 'weight', max: 1 });
  const query = new Matrix($('query'), { caption: 'Query', axes: ['', 'feature'], rows: ['q'], columns: FEATURES,
    edit: (data) => {
      q.data.set(data);
      showAll();
    } });
  const gradients = new Plot($('gradients'), { label: 'Gradients over the temperature', x: 'log₁₀ τ', y: 'length' });

  function show() {
    const temperature = 10 ** power;
    const now = lookup(temperature);
    query.show(q.data);
    keys.show(K.data);
    weights.show(now.pattern);
    const parts = VALUES.map((value, i) => ({ value, weight: now.output[i] })).filter(({ weight }) => weight >= 0.005)
      .sort((a, b) => b.weight - a.weight);
    say({
      temperature: short(temperature, 3),
      answer: parts.map(({ value, weight }) => `${fixed(weight, 2)} ${value}`).join(' + '),
      wanted: VALUES[right],
      'gradient-q': now.gradients[0].toPrecision(3),
      'gradient-K': now.gradients[1].toPrecision(3),
      'gradient-V': now.gradients[2].toPrecision(3),
    });
  }

  /** Every temperature, of which the slider is one. */
  function showGradients() {
    const powers = Array.from({ length: 81 }, (_, i) => COLDEST + i * (HOTTEST - COLDEST) / 80);
    const all = powers.map((each) => lookup(10 ** each).gradients);
    gradients.show(powers, [{ name: 'query', ys: all.map(([a]) => a) }, { name: 'keys', ys: all.map(([, b]) => b) }]);
  }

  function showAll() {
    show();
    showGradients();
  }

  slider($('controls'), { label: 'Temperature τ', min: COLDEST, max: HOTTEST, step: 0.05, value: power,
    words: (value) => short(10 ** value, 3) }, (value) => {
    power = value;
    show();
  });
  const names = (/** @type {string[]} */ list) => Object.fromEntries(list.map((name, i) => [i, name]));
  choice($('controls'), 'Query', names(KEYS), (value) => {
    q.data.set(PAIRS[Number(value)][2]);
    showAll();
  });
  choice($('controls'), 'The answer should be', names(VALUES), (value) => {
    right = Number(value);
    showAll();
  }).value = String(right);
  say({ length: fixed(LENGTH, 3) });
  showAll();
});
