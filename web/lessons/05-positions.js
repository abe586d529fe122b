/** Sinusoidal positions: their lengths, distances and most informative elements. */
import { lab } from '../../js/lab/index.js';
import { showLearned } from './05-positions-learned.js';
import { showRotated } from './05-positions-rotated.js';
import { showUnique } from './05-positions-unique.js';
import { TWO_WAYS } from './drawings/05-positions.js';
import { addSlider } from './kit/controls.js';
import { Drawing } from './kit/drawing.js';
import { fixed, magnitude, percent } from './kit/format.js';
import { Heatmap } from './kit/heatmap.js';
import { LinePlot } from './kit/line-plot.js';
import { largestDifference } from './kit/numbers.js';
import { element, lesson, showValues } from './kit/page.js';

const POSITIONS = 50;
/** Fraction of the final variance. */
const ENOUGH = 0.99;
/** Number of elements for which the text gives the variance. */
const SOME = 50;

/** @param {number[]} list */
function varianceOf(list) {
  const mean = list.reduce((sum, value) => sum + value, 0) / list.length;
  return list.reduce((sum, value) => sum + (value - mean) ** 2, 0) / list.length;
}

lesson(async () => {
  const drawing = new Drawing(element('drawing'), TWO_WAYS);
  const l = await lab();
  let d = 128;
  let t = 20;
  const picture = new Heatmap(element('encoding'), element('cell'), { label: 'Encoding of each position',
    axes: ['position', 'element'], shade: 'signed', max: 1, scale: 5 });
  const inners = new LinePlot(element('inner'), { label: 'Inner product by distance', x: 'Δ', y: 'inner product' });
  const distances = new LinePlot(element('distances'), { label: 'Distance of the vectors by distance of the positions',
    x: 'Δ', y: 'distance' });
  const variances = new LinePlot(element('variance'), { label: 'Variance of the inner product by r', x: 'r',
    y: 'variance' });
  const steps = Array.from({ length: POSITIONS }, (_, k) => k);

  /** Inner products and distances of positions t, t + 1 … with position t. @param {number} first */
  const compare = (first) => l.evaluate(() => {
    const from = l.sinusoidal(POSITIONS, d, first);
    const at = l.sinusoidal(1, d, first);
    const inner = l.matmul(from, at, { transposeB: true });
    const difference = l.sub(from, l.reshape(at, { feature: d }));
    return { inner: [...inner.data], distance: [...l.sum(l.mul(difference, difference), -1).data].map(Math.sqrt) };
  });

  function showEncoding() {
    l.evaluate(() => {
      const P = l.sinusoidal({ time: POSITIONS, feature: d });
      const norms = [...l.sum(l.mul(P, P), 'feature').data].map(Math.sqrt);
      picture.update(P.data.slice(), d);
      showValues({ positions: POSITIONS, d, d2: d, root: fixed(Math.sqrt(d / 2), 4),
        'norm-least': fixed(Math.min(...norms), 4), 'norm-most': fixed(Math.max(...norms), 4) });
    });
  }

  function showDistances() {
    const here = compare(t);
    const start = compare(0);
    const series = (/** @type {'inner' | 'distance'} */ what) =>
      [{ name: `t = ${t}`, ys: here[what] }, { name: 't = 0', ys: start[what] }];
    inners.update(steps, series('inner'));
    distances.update(steps, series('distance'));
    showValues({ 'inner-off': magnitude(largestDifference(here.inner, start.inner)),
      'distance-off': magnitude(largestDifference(here.distance, start.distance)) });
  }

  /** The sums of the first 2, 4, … elements are products with a triangular matrix of ones. */
  function showVariance() {
    const pairs = Array.from({ length: d / 2 }, (_, i) => 2 * (i + 1));
    const upTo = new Float32Array(pairs.length * d);
    pairs.forEach((k, row) => upTo.fill(1, row * d, row * d + k));
    const found = l.evaluate(() => {
      const products = l.mul(l.sinusoidal(POSITIONS, d), l.reshape(l.sinusoidal(1, d), [d]));
      const sums = l.matmul(products, l.tensor(upTo, [pairs.length, d]), { transposeB: true }).data;
      return pairs.map((_, k) => varianceOf(steps.map((row) => sums[row * pairs.length + k])));
    });
    variances.update(pairs, [{ name: 'variance', ys: found }]);
    const last = found[found.length - 1];
    const settled = (/** @type {number} */ k) =>
      found.slice(k).every((value) => Math.abs(value - last) <= (1 - ENOUGH) * last);
    const some = Math.min(SOME, d);
    showValues({ enough: pairs[pairs.findIndex((_, k) => settled(k))], some,
      share: percent(found[some / 2 - 1] / last, 0) });
  }

  const showWaves = showUnique(l);

  function show() {
    showEncoding();
    showDistances();
    showVariance();
    showWaves(d);
  }
  addSlider(element('controls'), { label: 'd, features of a token', min: 16, max: 192, step: 16, value: d },
    (value) => {
    d = value;
    show();
  });
  addSlider(element('start'), { label: 't', min: 0, max: 200, step: 1, value: t }, (value) => {
    t = value;
    showDistances();
  });
  show();
  showRotated(l, drawing);
  await showLearned(l);
});
