/** Masks: one row by hand, then causal and padding masks on a sentence. */
import { lab } from '../../js/lab/index.js';
import { modelMasks } from './03-masks-models.js';
import { MASKED } from './drawings/03-masks.js';
import { addCheckbox, addSlider } from './kit/controls.js';
import { Drawing } from './kit/drawing.js';
import { fixed, magnitude } from './kit/format.js';
import { MatrixTable } from './kit/matrix-table.js';
import { element, lesson, showValues } from './kit/page.js';

const TOKENS = ['the', 'cat', 'drank', 'milk', '‹pad›', '‹pad›'];
const WIDTH = 8;
const KEYS = ['1', '2', '3', '4'];

lesson(async () => {
  const drawing = new Drawing(element('drawing'), MASKED);
  const l = await lab({ seed: 5 });
  const X = l.init.normal('X', { time: TOKENS.length, feature: WIDTH });
  const E = l.tensor([2, 2, 1, 1], { row: 1, key: 4 });
  const M = l.tensor([0, 0, -Infinity, -Infinity], { row: 1, key: 4 });

  /** The softmax of one row of scores, as text. @param {number[]} scores */
  const softmaxOf = (scores) => l.evaluate(() => `(${[...l.softmax(l.tensor(scores, [1, scores.length])).data]
    .map((p) => fixed(p, 3)).join(', ')})`);
  showValues({ two: softmaxOf([2, 2, -Infinity]), three: softmaxOf([1, 1, 1, -Infinity]) });

  const given = new MatrixTable(element('row'), { caption: 'E, scores', axes: ['', 'key'], rows: ['e'], columns: KEYS,
    onEdit: (data) => {
      E.data.set(data);
      showRow();
    } });
  const masked = new MatrixTable(element('row'), { caption: 'E + M', axes: ['', 'key'], rows: ['e'], columns: KEYS,
    digits: 1 });
  const row = new MatrixTable(element('row'), { caption: 'softmax(E + M)', axes: ['', 'key'], rows: ['α'],
    columns: KEYS, shade: 'weight', max: 1 });

  function showRow() {
    l.evaluate(() => {
      const weights = l.softmax(l.add(E, M));
      given.update(E.data);
      masked.update(l.add(E, M).data);
      row.update(weights.data);
      showValues({ sum: fixed(l.sum(weights).item(), 3) });
    });
  }
  KEYS.forEach((key, i) => addCheckbox(element('seen'), `key ${key} is visible`, M.data[i] === 0, (visible) => {
    M.data[i] = visible ? 0 : -Infinity;
    showRow();
  }).name = `key-${key}`);

  let causal = true;
  let length = TOKENS.indexOf('‹pad›');
  const names = TOKENS.map((token, i) => `${token} ${i + 1}`);
  const maps = [
    new MatrixTable(element('maps'), { caption: 'Scores, masked', axes: ['query', 'key'], rows: names,
      columns: TOKENS, digits: 2, shade: 'signed' }),
    new MatrixTable(element('maps'), { caption: 'Pattern', axes: ['query', 'key'], rows: names, columns: TOKENS,
      digits: 2, shade: 'weight', max: 1 }),
  ];
  function showMaps() {
    l.evaluate(() => {
      const { pattern, scores } = l.attention(X, X, X, { causal, lengths: [length] });
      const hidden = scores.data.map((s) => Number(s === -Infinity));
      drawing.show({
        M: { data: hidden.map((each) => (each ? -Infinity : 0)), rows: names, columns: TOKENS },
        A: { data: pattern.data.slice(), rows: names, columns: TOKENS, shade: 'weight' },
      });
      maps[0].update(scores.data);
      maps[1].update(pattern.data, { masked: hidden });
      const sums = [...l.sum(pattern, -1).data].filter((_, i) => hidden.subarray(i * TOKENS.length).indexOf(0) >= 0);
      showValues({ hidden: hidden.reduce((a, b) => a + b, 0), cells: hidden.length,
        off: magnitude(Math.max(0, ...sums.map((sum) => Math.abs(sum - 1)))) });
    });
  }
  addCheckbox(element('controls'), 'causal', causal, (value) => {
    causal = value;
    showMaps();
  });
  addSlider(element('controls'), { label: 'Length without padding', min: 0, max: TOKENS.length, step: 1,
    value: length },
    (value) => {
      length = value;
      showMaps();
    }).name = 'length';
  showRow();
  showMaps();
  modelMasks(l);
});
