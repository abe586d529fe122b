/** A toy GPT that counts letters: with weights set by hand, and with learned weights. */
import '../elements/define/attention-map.js';
import { quoted } from '../../js/errors.js';
import { lab, randomFrom } from '../../js/lab/index.js';
import { largest } from '../../js/train/models/choice.js';
import { openModel } from '../../js/train/models/index.js';
import { histogramByHand, identityByHand, toyGpt } from '../../js/train/models/toy-gpt.js';
import { BOS, LENGTH, TOKENS, counts, everySequence } from '../../js/train/tasks/histogram.js';
import { showExercise } from './12-thinking-like-transformers-exercise.js';
import { COUNTER } from './drawings/12-thinking-like-transformers.js';
import { addButton, addSelect } from './kit/controls.js';
import { Drawing } from './kit/drawing.js';
import { fetchModel } from './kit/fetch-model.js';
import { fixed, grouped, magnitude, percent } from './kit/format.js';
import { MatrixTable } from './kit/matrix-table.js';
import { element, lesson, showValues } from './kit/page.js';

/** @typedef {import('../../js/lab/index.js').Weights} Weights */
/** @typedef {import('../elements/index.js').HeedAttentionMap} HeedAttentionMap */

lesson(async () => {
  const drawing = new Drawing(element('drawing'), COUNTER);
  const l = await lab();
  const { weights: learned, config, figures } = await openModel(l, await fetchModel('histogram'));
  const byHand = { histogram: histogramByHand(l), identity: identityByHand(l) };
  /** @type {keyof typeof byHand} */
  let task = 'histogram';
  const input = /** @type {HTMLInputElement} */ (element('letters'));
  const shuffled = randomFrom(1);

  /** @param {Weights} weights @param {number[]} ids */
  const run = (weights, ids) => l.evaluate(() => {
    const { output, pattern } = toyGpt(l, weights, ids, { batch: 1, time: ids.length });
    return { output: output.data.slice(), pattern: pattern.data.slice() };
  });

  const answers = new MatrixTable(element('answers'), { caption: 'Output for each letter', axes: ['', 'letter'],
    rows: ['correct', 'set by hand', 'learned'], digits: 0,
    cellTitle: (row, column) => `${TOKENS[ids()[column]]}: ${['correct', 'set by hand', 'learned'][row]}` });
  const ids = () => [BOS, ...[...input.value.toLowerCase()].map((letter) => TOKENS.indexOf(letter))];

  for (const id of ['by-hand', 'by-learning']) /** @type {HeedAttentionMap} */ (element(id)).max = 1;

  /** @param {string} id @param {Float32Array} data [query][key] @param {number[]} sequence */
  function draw(id, data, sequence) {
    const count = sequence.length;
    const map = /** @type {HeedAttentionMap} */ (element(id));
    map.data = { data, queries: count, keys: count, firstQuery: 0, causal: false,
      tokens: sequence.map((token) => TOKENS[token]) };
  }

  function show() {
    const sequence = ids();
    const letters = sequence.length - 1;
    const foreign = [...input.value.toLowerCase()].find((letter) => !TOKENS.includes(letter));
    const refused = letters > LENGTH ? `This text has ${grouped(letters)} letters; the maximum is ${LENGTH}.` :
      letters === 0 ? 'Write at least one letter from a to d.' :
        foreign ? `${quoted(foreign)} is not a letter from a to d.` : '';
    element('refused').textContent = refused && `${refused} The figure still shows the sequence before.`;
    if (refused) return;
    const hand = run(byHand[task], sequence);
    const trained = run(learned, sequence);
    const wanted = task === 'histogram' ? counts(sequence) : sequence;
    const found = task === 'histogram' ? largest(trained.output, config.classes) : sequence.map(() => NaN);
    const rows = [wanted, hand.output, found].slice(0, task === 'histogram' ? 3 : 2);
    answers.update(rows.flatMap((row) => Array.from(row)), { rows: ['correct', 'set by hand', 'learned']
      .slice(0, rows.length), columns: sequence.map((id) => TOKENS[id]) });
    const column = { rows: sequence.map((id) => TOKENS[id]), columns: 1 };
    const oneHot = sequence.flatMap((id) => TOKENS.map((_, token) => Number(token === id)));
    const weightsOfStart = hand.pattern.filter((_, cell) => cell % sequence.length === 0);
    drawing.show({ x: { data: oneHot, rows: column.rows, columns: TOKENS, shade: 'weight' },
      z: { data: weightsOfStart, ...column, shade: 'weight' }, n: { data: hand.output, ...column } });
    draw('by-hand', hand.pattern, sequence);
    draw('by-learning', trained.pattern, sequence);
    const [last] = sequence.slice(-1);
    const n = counts(sequence)[sequence.length - 1];
    const row = trained.pattern.subarray(letters * sequence.length);
    const copies = row.reduce((sum, weight, s) => sum + (sequence[s] === last ? weight : 0), 0);
    const others = 1 - row[0] - copies;
    const off = Math.max(...hand.output.map((value, t) => Math.abs(value - wanted[t])));
    const right = Array.from(found).filter((value, t) => value === wanted[t]).length;
    showValues({
      last: TOKENS[last],
      n,
      share: fixed(hand.pattern[letters * sequence.length], 4),
      'learned-share': fixed(row[0], 4),
      'learned-copies': fixed(copies, 4),
      'learned-others': fixed(others, 4),
      'each-copy': fixed(copies / n, 4),
      'each-other': letters > n ? fixed(others / (letters - n), 4) : 'nothing (there is no other letter)',
      off: off === 0 ? '0' : `at most ${magnitude(off)}`,
      verdict: task === 'identity' ? 'not learned this task' : `${right} of ${sequence.length} right`
        + `${right === sequence.length || letters === LENGTH ? ''
          : `, because it has seen only sequences of ${LENGTH} letters`}`,
    });
  }

  addSelect(element('controls'), 'Weights set by hand for', { histogram: 'histogram', identity: 'identity' },
    (value) => {
    task = /** @type {keyof typeof byHand} */ (value);
    show();
  }).name = 'task';
  addButton(element('controls'), 'Shuffle the letters', () => {
    const order = [...input.value].map((letter) => ({ letter, at: shuffled() })).sort((a, b) => a.at - b.at);
    input.value = order.map(({ letter }) => letter).join('');
    show();
  });
  input.addEventListener('input', show);
  showValues({ sequences: grouped(everySequence().length), right: percent(figures.accuracy) });
  show();
  showExercise(l);
});
