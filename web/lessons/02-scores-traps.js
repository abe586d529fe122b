/** Two experiments: the softmax over the wrong axis, and attention without projections. */
import { addCheckbox } from './kit/controls.js';
import { fixed, trimmed } from './kit/format.js';
import { MatrixTable } from './kit/matrix-table.js';
import { element, showValues } from './kit/page.js';

/** @typedef {import('../../js/lab/index.js').Lab} Lab */
/** @typedef {import('../../js/lab/index.js').Tensor} Tensor */

/** Three tokens: three features say where a token stands, and one what it contains. */
const TOKENS = [3, 0, 0, 2, 0, 3, 0, 7, 0, 0, 3, 5];
/** [dim × feature], as l.linear reads them: the query asks for the place after its own, and 3 for the first. */
const ASK_NEXT = [0, 0, 2, 0, 2, 0, 0, 0, 0, 2, 0, 0];
const PLACE = [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0];
const CONTENT = [0, 0, 0, 1];
const NAMES = ['1', '2', '3'];
/** Sizes of the worked example. */
const QUERIES = 2;
const KEYS = 3;

/** @param {Float32Array} data @param {number} columns */
const rowSums = (data, columns) => Array.from({ length: data.length / columns }, (_, row) =>
  data.subarray(row * columns, (row + 1) * columns).reduce((sum, each) => sum + each, 0));

/** The worked example with a softmax over keys or over queries.
 *  @param {Lab} l @param {Record<'Q' | 'K' | 'V', Tensor>} given @returns {() => void} shows it with other numbers */
export function showAxis(l, { Q, K, V }) {
  const A = new MatrixTable(element('axis'), { caption: 'A, by the chosen axis', axes: ['query', 'key'], columns: NAMES,
    shade: 'weight', max: 1 });
  const Z = new MatrixTable(element('axis'), { caption: 'Z, by the chosen axis', axes: ['query', 'value'],
    columns: NAMES });
  let wrong = false;

  function show() {
    l.evaluate(() => {
      /** @param {Tensor} queries */
      const attend = (queries) => {
        const [down, across] = wrong ? [K, queries] : [queries, K];
        const pattern = l.softmax(l.matmul(down, across, { transposeB: true }));
        const output = l.matmul(pattern, V, { transposeA: wrong });
        return { pattern, output };
      };
      const both = attend(Q);
      const alone = attend(l.slice(Q, 'query', 0, 1)).output.data;
      const { data } = both.pattern;
      const rows = wrong ? data.map((_, at) => data[at % KEYS * QUERIES + Math.floor(at / KEYS)]) : data;
      A.update(rows);
      Z.update(both.output.data);
      showValues({ 'row-sums': rowSums(rows, KEYS).map((sum) => fixed(sum, 2)).join(' and '),
        'alone-off': trimmed(Math.max(...alone.map((z, i) => Math.abs(z - both.output.data[i]))), 3) });
    });
  }
  addCheckbox(element('wrong-axis'), 'Softmax over the queries (columns): wrong', false, (checked) => {
    wrong = checked;
    show();
  }).name = 'wrong-axis';
  return show;
}

/** Each token takes the content of the next one, if it has projections. @param {Lab} l */
export function showDecoupled(l) {
  const X = l.tensor(TOKENS, { token: 3, feature: 4 });
  const [W_Q, W_K] = [ASK_NEXT, PLACE].map((W) => l.tensor(W, { dim: 3, feature: 4 }));
  const W_V = l.tensor(CONTENT, { value: 1, feature: 4 });
  const input = new MatrixTable(element('decoupled'), { caption: 'X, tokens', axes: ['token', 'feature'], name: 'x',
    columns: ['place 1', 'place 2', 'place 3', 'content'], onEdit: (data) => {
      X.data.set(data);
      show();
    } });
  const options = { axes: /** @type {[string, string]} */ (['token', 'token']), columns: NAMES,
    shade: /** @type {const} */ ('weight'), max: 1 };
  const plain = new MatrixTable(element('decoupled'), { caption: 'A without projections', ...options });
  const projected = new MatrixTable(element('decoupled'), { caption: 'A with projections', ...options });
  const outputs = new MatrixTable(element('decoupled'), { caption: 'Z with projections', axes: ['token', 'value'],
    columns: ['content'], digits: 2 });

  function show() {
    l.evaluate(() => {
      const same = l.attention(X, X, X, { score: 'dot' });
      const decoupled = l.attention(l.linear(X, W_Q), l.linear(X, W_K), l.linear(X, W_V), { score: 'dot' });
      input.update(X.data);
      plain.update(same.pattern.data);
      projected.update(decoupled.pattern.data);
      outputs.update(decoupled.output.data);
      const { data } = same.scores;
      const asymmetry = Math.max(...data.map((e, at) => Math.abs(e - data[at % 3 * 3 + Math.floor(at / 3)])));
      const taken = [...decoupled.output.data].map((z) => fixed(z, 2)).join(', ');
      showValues({ asymmetry: trimmed(asymmetry, 3), taken });
    });
  }
  show();
}
