/** Five scores on the worked example, the effect of scaling, and versions 0 to 5 of attention. */
import { lab, normal, randomFrom } from '../../js/lab/index.js';
import { h } from '../elements/dom.js';
import { showGeneral, showVariance } from './02-scores-general.js';
import { showAxis, showDecoupled } from './02-scores-traps.js';
import { VERSIONS } from './drawings/02-scores.js';
import { addButton, addCheckbox, addSelect, addSlider } from './kit/controls.js';
import { Drawing } from './kit/drawing.js';
import { fixed, trimmed } from './kit/format.js';
import { LinePlot } from './kit/line-plot.js';
import { MatrixTable } from './kit/matrix-table.js';
import { largestDifference } from './kit/numbers.js';
import { element, lesson, showValues } from './kit/page.js';

const EXAMPLE = {
  Q: [2, -1, 0, -2, 1, 4],
  K: [2, 1, -1, 0, 3, -1, 1, 1, 3],
  V: [2, 3, 1, 2, -1, 0, 0, 5, 1],
};
const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];
/** Number of random queries and keys for the plot over widths. Means over fewer queries depend on the seed. */
const ROWS = 128;
const KEYS = 32;
const WIDTHS = [4, 16, 64, 256, 1024];

/** Mean over rows of -Σ p·log₂ p. @param {Float32Array} pattern @param {number} rows */
const entropy = (pattern, rows) =>
  pattern.reduce((sum, p) => (p > 0 ? sum - p * Math.log2(p) : sum), 0) / rows;

/** Mean over rows of Σ p·(1 - p), the derivatives of the weights by their own scores. @param {Float32Array} pattern
 *  @param {number} rows */
const derivatives = (pattern, rows) => pattern.reduce((sum, p) => sum + p * (1 - p), 0) / rows;

lesson(async () => {
  const drawing = new Drawing(element('drawing'), VERSIONS[0]);
  let version = 0;
  const l = await lab({ seed: 3 });
  const given = {
    Q: l.tensor(EXAMPLE.Q, { query: 2, dim: 3 }),
    K: l.tensor(EXAMPLE.K, { key: 3, dim: 3 }),
    V: l.tensor(EXAMPLE.V, { key: 3, value: 3 }),
  };
  const { Q, K, V } = given;
  /** Random parameters of the scores with parameters.
   *  @type {Record<string, Record<string, import('../../js/lab/index.js').Tensor>>} */
  const weights = {
    bilinear: { W: l.init.normal('W', [3, 3]) },
    additive: { W_q: l.init.normal('W_q', [4, 3]), W_k: l.init.normal('W_k', [4, 3]), w_a: l.init.normal('w_a', [4]) },
    concat: { W_a: l.init.normal('W_a', [4, 6]), v_a: l.init.normal('v_a', [4]) },
  };
  const projections = ['W_Q', 'W_K', 'W_V'].map((name) => l.init.normal(name, [3, 3]));
  const drawn = projections.map(({ data }) => data.slice());
  const [W_Q, W_K, W_V] = projections;
  /** @type {import('../../js/lab/attention.js').Score} */
  let score = 'dot';

  const inputs = Object.entries({ Q: 'queries', K: 'keys', V: 'values' }).map(([name, caption]) =>
    /** @type {const} */ ([name, new MatrixTable(element('given'), { caption: `${name}, ${caption}`,
      axes: [name === 'Q' ? 'query' : 'key', name === 'V' ? 'value' : 'dim'], columns: ['1', '2', '3'],
      onEdit: (data) => {
        given[/** @type {keyof typeof given} */ (name)].data.set(data);
        showAll();
      } })]));
  const keys = ['1', '2', '3'];
  const E = new MatrixTable(element('found'), { caption: 'E, scores', axes: ['query', 'key'], columns: keys,
    shade: 'signed' });
  const A = new MatrixTable(element('found'), { caption: 'A, pattern', axes: ['query', 'key'], columns: keys,
    shade: 'weight', max: 1 });
  const Z = new MatrixTable(element('found'), { caption: 'Z = AV, output', axes: ['query', 'value'], columns: keys });

  function showExample() {
    l.evaluate(() => {
      const { output, pattern, scores } = l.attention(Q, K, V, { score, weights: weights[score] });
      inputs.forEach(([name, matrix]) => matrix.update(given[/** @type {keyof typeof given} */ (name)].data));
      E.update(scores.data);
      A.update(pattern.data);
      Z.update(output.data);
      const first = pattern.data.slice(0, 3);
      const best = first.indexOf(Math.max(...first));
      showValues({ best: best + 1, 'best-weight': fixed(first[best], 3), entropy: fixed(entropy(first, 1), 3),
        'entropy-most': fixed(Math.log2(3), 3) });
    });
  }

  const versionControls = h('div', { class: 'controls' });
  element('drawing').prepend(versionControls);
  addSlider(versionControls, { label: 'Version', min: 0, max: 5, step: 1, value: version }, (value) => {
    version = value;
    drawing.describe(VERSIONS[version]);
    showVersions();
  });
  const captions = ['0', '1', '2', '3', '4', '5'];
  const tables = captions.map((name) => new MatrixTable(element('versions'), {
    caption: `Version ${name}: ${name < '3' ? 'α' : 'A'}`, axes: [name < '5' ? 'query' : 'input', 'input'],
    columns: keys, shade: 'weight', max: 1 }));

  function showVersions() {
    l.evaluate(() => {
      const X = K;
      const q = l.slice(Q, 'query', 0, 1);
      const versions = [
        l.attention(q, X, X, { score: 'additive', weights: weights.additive }),
        l.attention(q, X, X, { score: 'dot' }),
        l.attention(q, X, X),
        l.attention(Q, X, X),
        l.attention(Q, l.linear(X, W_K), l.linear(X, W_V)),
        l.attention(l.linear(X, W_Q), l.linear(X, W_K), l.linear(X, W_V)),
      ];
      const patterns = versions.map(({ pattern }) => pattern.data.slice());
      patterns.forEach((pattern, i) => tables[i].update(pattern));
      const { output: Z, pattern: A, scores: E } = versions[version];
      const inside = { 0: q, 1: q, 2: q, 3: Q, 4: Q, 5: l.linear(X, W_Q) }[version] ?? Q;
      const projected = version < 4 ? {} : { K: l.linear(X, W_K), V: l.linear(X, W_V) };
      const shown = Object.entries({ X, Q: inside, ...projected, E, A, Z }).map(([name, { data, place }]) =>
        [name, { data: data.slice(), rows: place.rows, columns: place.columns,
          shade: /** @type {'weight' | 'signed'} */ (name === 'A' ? 'weight' : 'signed') }]);
      drawing.show(Object.fromEntries(shown));
      const difference = (/** @type {Float32Array} */ one, /** @type {Float32Array} */ other) =>
        trimmed(largestDifference(one, other), 3);
      showValues({ v3: difference(patterns[2], patterns[3]), v4: difference(patterns[3], patterns[4]),
        v5: difference(l.attention(X, X, X).pattern.data, patterns[5]) });
    });
  }

  const showTrap = showAxis(l, given);

  function showAll() {
    showExample();
    showTrap();
    showVersions();
  }

  const widths = new LinePlot(element('widths'), { label: 'Entropy of the rows over the width', x: 'log₂ dₖ',
    y: 'bits' });
  const gradients = new LinePlot(element('gradients'), { label: 'Derivatives of the softmax over the width',
    x: 'log₂ dₖ', y: 'sum of derivatives', most: 1 });
  /** @param {number} seed */
  function showWidths(seed) {
    const random = randomFrom(seed);
    const found = WIDTHS.map((d) => l.evaluate(() => {
      const queries = l.tensor(normal(random, ROWS * d), { query: ROWS, dim: d });
      const all = l.tensor(normal(random, KEYS * d), { key: KEYS, dim: d });
      return (/** @type {const} */ (['dot', 'scaled-dot'])).map((kind) => {
        const { data } = l.attention(queries, all, all, { score: kind }).pattern;
        return { bits: entropy(data, ROWS), slope: derivatives(data, ROWS) };
      });
    }));
    for (const [plot, part] of /** @type {const} */ ([[widths, 'bits'], [gradients, 'slope']])) {
      plot.update(WIDTHS.map(Math.log2), [
        { name: 'scaled dot', ys: found.map(([, scaled]) => scaled[part]) },
        { name: 'dot', ys: found.map(([plain]) => plain[part]) },
      ]);
    }
    const [plain, scaled] = found[WIDTHS.length - 1];
    showValues({ rows: ROWS, keys: KEYS, widest: WIDTHS[WIDTHS.length - 1], plain: fixed(plain.bits, 2),
      scaled: fixed(scaled.bits, 2), 'plain-gradient': fixed(plain.slope, 2),
      'scaled-gradient': fixed(scaled.slope, 2) });
  }

  addSelect(element('controls'), 'Score', { dot: 'dot', 'scaled-dot': 'scaled dot', bilinear: 'bilinear',
    additive: 'additive', concat: 'concat' }, (value) => {
    score = /** @type {typeof score} */ (value);
    showExample();
  });
  addButton(element('controls'), 'Reset the numbers', () => {
    Q.data.set(EXAMPLE.Q);
    K.data.set(EXAMPLE.K);
    V.data.set(EXAMPLE.V);
    showAll();
  });
  addSlider(element('seed'), { label: 'Other random vectors', min: 1, max: 20, step: 1, value: 1 }, showWidths)
    .name = 'seed';
  addCheckbox(element('projections'), 'Projections are the identity', false, (identity) => {
    projections.forEach((W, i) => W.data.set(identity ? IDENTITY : drawn[i]));
    showVersions();
  }).name = 'identity';
  showAll();
  showGeneral(l);
  showDecoupled(l);
  showVariance();
  showWidths(1);
});
