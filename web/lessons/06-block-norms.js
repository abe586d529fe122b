/** The norms and the activation functions of a block. */
import { fixed, magnitude } from './kit/format.js';
import { LinePlot } from './kit/line-plot.js';
import { MatrixTable } from './kit/matrix-table.js';
import { largestDifference } from './kit/numbers.js';
import { element, showValues } from './kit/page.js';

/** @typedef {import('../../js/lab/index.js').Lab} Lab */

const X = [4, -1, 0.5, 2, 3, -2, 1, 0.5];
const FEATURES = X.map((_, i) => String(i + 1));

/** @param {ArrayLike<number>} x */
const meanOf = (x) => Array.from(x).reduce((sum, value) => sum + value, 0) / x.length;

/** Population variance. @param {ArrayLike<number>} x */
const varianceOf = (x) => meanOf(Array.from(x, (value) => (value - meanOf(x)) ** 2));

/** @param {Lab} l */
export function showNorms(l) {
  const x = l.tensor(X, { token: 1, feature: X.length });
  const ones = l.tensor(new Array(X.length).fill(1), { feature: X.length });
  const gamma = ones;
  const beta = l.tensor(new Array(X.length).fill(0), { feature: X.length });
  const row = { axes: /** @type {[string, string]} */ (['', 'feature']), columns: FEATURES };
  const given = new MatrixTable(element('norms'), { ...row, caption: 'x, one token', rows: ['x'], onEdit: (data) => {
    x.data.set(data);
    show();
  } });
  const found = new MatrixTable(element('norms'), { ...row, caption: 'The same, normalized', rows: ['LayerNorm',
    'RMSNorm'],
    digits: 2, shade: 'signed' });

  function show() {
    l.evaluate(() => {
      const layer = l.layerNorm(x, gamma, beta).data;
      const root = l.rmsNorm(x, gamma).data;
      given.update(x.data);
      found.update([...layer, ...root]);
      showValues({ mean: fixed(meanOf(x.data), 3), variance: fixed(varianceOf(x.data), 3),
        'layer-mean': fixed(meanOf(layer), 3), 'layer-variance': fixed(varianceOf(layer), 3),
        root: fixed(Math.sqrt(meanOf(x.data.map((value) => value ** 2))), 3), 'root-mean': fixed(meanOf(root), 3),
        'root-square': fixed(meanOf(root.map((value) => value ** 2)), 3) });
    });
  }
  show();
}

/** @param {Lab} l */
export function showActivations(l) {
  const xs = Array.from({ length: 121 }, (_, i) => (i - 60) / 15);
  const curves = new LinePlot(element('activations'), { label: 'Activation functions', x: 'x', y: 'f(x)' });
  l.evaluate(() => {
    const x = l.tensor(xs, { point: xs.length });
    const [relu, gelu, silu, tanh] = [l.relu(x), l.gelu(x), l.silu(x), l.geluTanh(x)].map(({ data }) => data.slice());
    curves.update(xs, [{ name: 'ReLU', ys: relu }, { name: 'GELU', ys: gelu }, { name: 'SiLU', ys: silu }]);
    showValues({ 'tanh-off': magnitude(largestDifference(gelu, tanh)) });
  });
}
