/** The exercise: set the queries, keys and values of the model that counts, and check them on random letters. */
import { randomFrom } from '../../js/lab/index.js';
import { histogramByHand, toyGpt } from '../../js/train/models/toy-gpt.js';
import { BOS, LENGTH, LETTERS, TOKENS, counts } from '../../js/train/tasks/histogram.js';
import { addButton } from './kit/controls.js';
import { fixed } from './kit/format.js';
import { MatrixTable } from './kit/matrix-table.js';
import { element, showValues } from './kit/page.js';
import { record } from './kit/progress.js';

/** Strings of one check. */
const STRINGS = 100;
/** Factor of queries and keys: a softmax of their products is sharp. */
const SHARP = 100;
const WIDTH = TOKENS.length;
const DIMENSIONS = Array.from({ length: WIDTH }, (_, i) => String(i + 1));
/** How far an output may be from the count. */
const CLOSE = 1e-3;

/** @typedef {'query' | 'key' | 'value'} Name */

/** One solution. Row: token; column: dimension. @type {Record<Name, (row: number, column: number) => number>} */
const SOLUTION = {
  query: (row, column) => Number(row === column),
  key: (row, column) => Number(row === column || row === BOS),
  value: (row) => Number(row === BOS),
};

/** Draws the tables and the buttons. @param {import('../../js/lab/index.js').Lab} l */
export function showExercise(l) {
  const weights = histogramByHand(l);
  const widths = { query: WIDTH, key: WIDTH, value: 1 };
  /** @type {Record<Name, Float32Array>} */
  const rows = { query: new Float32Array(WIDTH ** 2), key: new Float32Array(WIDTH ** 2),
    value: new Float32Array(WIDTH) };
  let seed = 1;

  /** Weights are stored [out][in], which is the transpose of the table. @param {Name} name */
  function set(name) {
    const width = widths[name];
    const factor = name === 'value' ? 1 : SHARP;
    weights[`block.attn.${name}.weight`].set(Array.from({ length: width * WIDTH }, (_, i) =>
      factor * rows[name][(i % WIDTH) * width + Math.floor(i / WIDTH)]));
  }

  /** @param {Name} name @param {string} caption */
  const tableOf = (name, caption) => new MatrixTable(element('matrices'), { caption, name, axes: ['token', 'dim'],
    rows: TOKENS, columns: DIMENSIONS.slice(0, widths[name]), onEdit: (data) => {
      rows[name] = data;
      set(name);
      showValues({ checked: 'not checked yet' });
    } });
  const tables = { query: tableOf('query', 'Query of each token'), key: tableOf('key', 'Key of each token'),
    value: tableOf('value', 'Value') };
  const names = /** @type {Name[]} */ (Object.keys(tables));

  function show() {
    for (const name of names) {
      tables[name].update(rows[name]);
      set(name);
    }
  }

  /** @param {boolean} own whether the weights are the reader's */
  function check(own) {
    const random = randomFrom(seed++);
    let right = 0;
    let wrong = '';
    for (let i = 0; i < STRINGS; i++) {
      const ids = [BOS, ...Array.from({ length: 1 + Math.floor(random() * LENGTH) }, () =>
        1 + Math.floor(random() * LETTERS))];
      const output = l.evaluate(() => toyGpt(l, weights, ids, { batch: 1, time: ids.length }).output.data.slice());
      const wanted = counts(ids);
      const at = wanted.findIndex((count, t) => !(Math.abs(output[t] - count) < CLOSE));
      if (at < 0) right++;
      else wrong ||= `. In ${ids.map((id) => TOKENS[id]).join('')} the output at position ${at} is ` +
        `${fixed(output[at], 3)} instead of ${wanted[at]}`;
    }
    showValues({ checked: `right on ${right} of ${STRINGS} random strings${wrong}` });
    solve.disabled = false;
    if (own) record('count-by-hand', right === STRINGS);
  }

  addButton(element('exercise'), `Check on ${STRINGS} random strings`, () => check(true)).id = 'check';
  const solve = addButton(element('exercise'), 'Show a solution', () => {
    for (const name of names) {
      rows[name] = Float32Array.from(rows[name], (_, i) =>
        SOLUTION[name](Math.floor(i / widths[name]), i % widths[name]));
    }
    show();
    check(false);
  });
  solve.id = 'solve';
  solve.disabled = true;
  show();
  showValues({ checked: 'not checked yet' });
}
