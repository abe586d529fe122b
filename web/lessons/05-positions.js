/** Positions: sinusoidal ones, how long they are, how far apart, and which of their elements tell; then others. */
import { lab } from '../../js/lab/index.js';
import { showLearned } from './05-positions-learned.js';
import { showRotated } from './05-positions-rotated.js';
import { slider } from './kit/controls.js';
import { fixed, percent, rough } from './kit/format.js';
import { $, lesson, say } from './kit/page.js';
import { Plot } from './kit/line-plot.js';
import { Raster } from './kit/heatmap.js';

const POSITIONS = 50;
/** Of the variance that the first elements have. */
const ENOUGH = 0.99;
/** The elements that the note reads off its plot. */
const SOME = 50;

/** @param {number[]} list */
function varianceOf(list) {
  const mean = list.reduce((sum, value) => sum + value, 0) / list.length;
  return list.reduce((sum, value) => sum + (value - mean) ** 2, 0) / list.length;
}

/** @param {number[]} a @param {number[]} b */
const farthest = (a, b) => Math.max(...a.map((value, i) => Math.abs(value - b[i])));

lesson(async () => {
  const l = await lab();
  let d = 128;
  let t = 20;
  const picture = new Raster($('encoding'), $('cell'), { label: 'Encoding of each position',
    axes: ['position', 'element'], shade: 'signed', max: 1, scale: 5 });
  const inners = new Plot($('inner'), { label: 'Inner products over the distance', x: 'k', y: 'inner product' });
  const distances = new Plot($('distance'), { label: 'Distances of the encodings over the distance', x: 'k',
    y: 'distance' });
  const variances = new Plot($('variance'), { label: 'Variance of the inner product over k', x: 'k', y: 'variance' });
  const steps = Array.from({ length: POSITIONS }, (_, k) => k);

  /** Inner products and distances of t, t + 1 … with t. @param {number} first */
  const compare = (first) => l.evaluate(() => {
    const from = l.sinusoidal(POSITIONS, d, first);
    const at = l.sinusoidal(1, d, first);
    const inner = l.matmul(from, at, { transposeB: true });
    const apart = l.sub(from, l.reshape(at, { feature: d }));
    return { inner: [...inner.data], distance: [...l.sum(l.mul(apart, apart), -1).data].map(Math.sqrt) };
  });

  function showEncoding() {
    l.evaluate(() => {
      const P = l.sinusoidal({ time: POSITIONS, feature: d });
      const norms = [...l.sum(l.mul(P, P), 'feature').data].map(Math.sqrt);
      picture.show(P.data.slice(), d);
      say({ positions: POSITIONS, d, d2: d, root: fixed(Math.sqrt(d / 2), 4),
        'norm-least': fixed(Math.min(...norms), 4), 'norm-most': fixed(Math.max(...norms), 4) });
    });
  }

  function showDistances() {
    const [here, start] = [compare(t), compare(0)];
    const series = (/** @type {'inner' | 'distance'} */ what) =>
      [{ name: `t = ${t}`, ys: here[what] }, { name: 't = 0', ys: start[what] }];
    inners.show(steps, series('inner'));
    distances.show(steps, series('distance'));
    say({ 'inner-off': rough(farthest(here.inner, start.inner)),
      'distance-off': rough(farthest(here.distance, start.distance)) });
  }

  /** Sums of the first 2, 4, … elements are products with a matrix of ones above its diagonal. */
  function showVariance() {
    const pairs = Array.from({ length: d / 2 }, (_, i) => 2 * (i + 1));
    const upTo = new Float32Array(pairs.length * d);
    pairs.forEach((k, row) => upTo.fill(1, row * d, row * d + k));
    const found = l.evaluate(() => {
      const products = l.mul(l.sinusoidal(POSITIONS, d), l.reshape(l.sinusoidal(1, d), [d]));
      const sums = l.matmul(products, l.tensor(upTo, [pairs.length, d]), { transposeB: true }).data;
      return pairs.map((_, k) => varianceOf(steps.map((row) => sums[row * pairs.length + k])));
    });
    variances.show(pairs, [{ name: 'variance', ys: found }]);
    const last = found[found.length - 1];
    const settled = (/** @type {number} */ k) =>
      found.slice(k).every((value) => Math.abs(value - last) <= (1 - ENOUGH) * last);
    const some = Math.min(SOME, d);
    say({ enough: pairs[pairs.findIndex((_, k) => settled(k))], some,
      share: percent(found[some / 2 - 1] / last, 0) });
  }

  function show() {
    showEncoding();
    showDistances();
    showVariance();
  }
  slider($('controls'), { label: 'd, features of a token', min: 16, max: 192, step: 16, value: d }, (value) => {
    d = value;
    show();
  });
  slider($('start'), { label: 't', min: 0, max: 200, step: 1, value: t }, (value) => {
    t = value;
    showDistances();
  });
  show();
  showRotated(l);
  await showLearned(l);
});
