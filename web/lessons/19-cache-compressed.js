/** Keys and values that are computed from one short vector of each token, in two orders of multiplication. */
import { normal, randomFrom } from '../../js/lab/index.js';
import { addDraws, addSlider } from './kit/controls.js';
import { magnitude } from './kit/format.js';
import { MatrixTable } from './kit/matrix-table.js';
import { largestDifference } from './kit/numbers.js';
import { element, showValues } from './kit/page.js';

/** @typedef {import('../../js/lab/index.js').Lab} Lab */

const TOKENS = ['she', 'gave', 'him', 'the', 'blue', 'book'];
const N = TOKENS.length;
/** Widths of a token, a head and a short vector. */
const D = 16;
const WIDTH = 8;
const LATENT = 6;
const MOST_HEADS = 16;

/** @param {Lab} l @param {import('./kit/drawing.js').Drawing} drawing */
export function showCompressed(l, drawing) {
  const table = new MatrixTable(element('compressed-maps'), { caption: 'Pattern of head 1', axes: ['query', 'key'],
    rows: TOKENS, columns: TOKENS, digits: 2, shade: 'weight', max: 1 });
  const shorts = new MatrixTable(element('compressed-maps'), { caption: 'C, which the cache keeps',
    axes: ['token', 'feature'], rows: TOKENS, digits: 2, shade: 'signed' });
  let heads = 4;
  let seed = 1;
  const scale = 1 / Math.sqrt(WIDTH);

  const show = () => l.evaluate(() => {
    const random = randomFrom(seed);
    const weights = (/** @type {number} */ rows, /** @type {number} */ columns) =>
      l.tensor(normal(random, rows * columns).map((weight) => weight / Math.sqrt(columns)), [rows, columns]);
    const X = l.tensor(normal(random, N * D), { time: N, feature: D });
    const C = l.linear(X, weights(LATENT, D));
    const all = Array.from({ length: heads }, () => {
      const W_K = weights(WIDTH, LATENT);
      const W_V = weights(WIDTH, LATENT);
      const q = l.linear(X, weights(WIDTH, D));
      const formed = l.attention(q, l.linear(C, W_K), l.linear(C, W_V), { score: 'dot', scale });
      const short = l.attention(l.matmul(q, W_K), C, C, { score: 'dot', scale });
      const output = l.linear(short.output, W_V);
      return { q, output, pattern: short.pattern, orderOff: largestDifference(formed.pattern.data, short.pattern.data),
        outputOff: largestDifference(formed.output.data, output.data) };
    });
    const [{ q, output, pattern }] = all;
    table.update(pattern.data);
    shorts.update(C.data);
    drawing.show({ C: { data: C.data.slice(), rows: TOKENS, columns: LATENT },
      q: { data: q.data.slice(), rows: TOKENS, columns: WIDTH },
      head: { data: output.data.slice(), rows: TOKENS, columns: WIDTH } });
    showValues({ many: heads, separate: 2 * heads * WIDTH, kept: LATENT,
      'order-off': magnitude(Math.max(...all.map(({ orderOff }) => orderOff))),
      'output-off': magnitude(Math.max(...all.map(({ outputOff }) => outputOff))) });
  });

  addSlider(element('compressing'), { label: 'Heads', min: 1, max: MOST_HEADS, step: 1, value: heads }, (value) => {
    heads = value;
    show();
  }).name = 'heads';
  addDraws(element('compressing'), 'Other weights', (presses) => {
    seed = 1 + presses;
    show();
  });
  show();
}
