/** The weights and the time of each score at one width. The page measures the times in turns. */
import { countParameters } from '../../js/lab/index.js';
import { h } from '../elements/dom.js';
import { addButton } from './kit/controls.js';
import { grouped, trimmed } from './kit/format.js';
import { element } from './kit/page.js';

/** @typedef {import('../../js/lab/index.js').Lab} Lab */
/** @typedef {import('../../js/lab/index.js').Tensor} Tensor */

/** Width of the states, read and written symbols, positions of the location score: as in the models above. */
const WIDTH = 96;
const KEYS = 26;
const QUERIES = 10;
const POSITIONS = 50;
/** Turns; the median counts. */
const TURNS = 25;

/** Adds the table. @param {Lab} l */
export function addCosts(l) {
  const linear = (/** @type {number} */ inputs, /** @type {number} */ outputs) =>
    l.init.linear('', inputs, outputs, { bias: false });
  const [W, both, vector, byPosition] = [linear(WIDTH, WIDTH), linear(2 * WIDTH, WIDTH), linear(WIDTH, 1),
    linear(WIDTH, POSITIONS)].map(({ weight }) => weight);
  /** @type {Record<string, { weights: Tensor[], run: (s: Tensor, states: Tensor) => unknown }>} */
  const scores = {
    dot: { weights: [], run: (s, states) => l.attention(s, states, states, { score: 'dot' }) },
    general: { weights: [W], run: (s, states) =>
      l.attention(s, states, states, { score: 'bilinear', weights: { W } }) },
    concat: { weights: [both, vector], run: (s, states) =>
      l.attention(s, states, states, { score: 'concat', weights: { W_a: both, v_a: vector } }) },
    location: { weights: [byPosition], run: (s, states) => {
      const pattern = l.softmax(l.slice(l.linear(s, byPosition), 1, 0, KEYS));
      return l.matmul(pattern, states);
    } },
  };
  const times = Object.values(scores).map(() => h('td', {}, '–'));
  element('costs').append(h('table', { class: 'numbers' },
    h('caption', {}, `The scores at width ${WIDTH}`),
    h('thead', {}, h('tr', {}, ...['score', 'weights', 'time'].map((name) => h('th', { scope: 'col' }, name)))),
    h('tbody', {}, ...Object.entries(scores).map(([name, { weights }], i) => h('tr', {},
      h('th', { scope: 'row' }, name),
      h('td', {}, grouped(countParameters(Object.fromEntries(weights.map((each, k) => [k, each]))))), times[i])))));

  /** Milliseconds of one run. @param {(s: Tensor, states: Tensor) => unknown} run */
  const timed = (run) => l.evaluate(() => {
    const [s, states] = [QUERIES, KEYS].map((count) =>
      l.tensor(new Float32Array(count * WIDTH).fill(0.1), [count, WIDTH]));
    const start = performance.now();
    for (let i = 0; i < REPEATS; i++) run(s, states);
    return (performance.now() - start) / REPEATS;
  });
  addButton(element('costs-controls'), 'Time the scores here', () => {
    const all = Object.values(scores).map(() => /** @type {number[]} */ ([]));
    for (let turn = 0; turn < TURNS; turn++) {
      Object.values(scores).forEach(({ run }, i) => all[i].push(timed(run)));
    }
    all.forEach((each, i) => {
      const median = each.sort((a, b) => a - b)[TURNS >> 1];
      times[i].textContent = `${trimmed(1000 * median, 0)} µs`;
    });
  });
}

/** Runs of one measurement, because clocks of browsers are coarse. */
const REPEATS = 8;
