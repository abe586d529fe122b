/** Models with and without attention, over the length of their texts: figure 2 of Bahdanau et al., computed in the
 *  page. They repeat random letters, or translate English sentences. */
import { HeedError } from '../../js/errors.js';
import { RemoteTranslator } from '../../js/train/translator-remote.js';
import { SYMBOLS, randomText, symbolsRight } from '../../js/train/tasks/repeat.js';
import { agreement } from '../../js/train/tasks/spa-eng-scores.js';
import { UNITS } from '../../js/train/tasks/units.js';
import { h } from '../elements/dom.js';
import { SENTENCES } from './08-spa-eng-sentences.js';
import { addButton, addSelect } from './kit/controls.js';
import { fetchModel } from './kit/fetch-model.js';
import { percent, trimmed } from './kit/format.js';
import { LinePlot } from './kit/line-plot.js';
import { element } from './kit/page.js';
import { lengthProblem } from './kit/text-field.js';

/** @typedef {import('../../js/train/models/translation.js').Translation} Translation */
/** @typedef {{ exact: number, right: number }} Found  exact: 1 or 0; right: the share of right symbols or words */

/**
 * A text that every model writes again, or translates.
 * @typedef {object} Item
 * @property {string} text
 * @property {(translation: Translation) => Found} check
 */

/**
 * @typedef {object} Task
 * @property {Record<string, string>} models names in the figure by names of files
 * @property {number[]} lengths of the texts
 * @property {number} at         the length that the status names at the end
 * @property {keyof Found} count  what is counted at first
 * @property {(length: number) => Item[]} items
 * @property {string} own        label of the field for the reader's text
 * @property {string} example    the text in it at first
 * @property {(text: string) => string} problem  why a text is refused; empty if it is accepted
 * @property {string} column     heading of the last column of the reader's table
 * @property {(translation: Translation, text: string) => string} judge  its cell
 */

/** Fresh texts of each length, and symbols of the longest text that is repeated. */
const TEXTS = 8;
const LONGEST = 40;
/** Characters of the longest sentence that is translated. */
const LONGEST_SENTENCE = 60;

/** @type {Record<'repeat' | 'spa-eng', Task>} */
const TASKS = {
  repeat: {
    models: { 'repeat-no-attention': 'no attention', 'repeat-bahdanau': 'Bahdanau', 'repeat-luong': 'Luong',
      'repeat-transformer': 'Transformer' },
    lengths: [4, 6, 8, 10, 12, 16, 20, 24],
    at: 12,
    count: 'exact',
    items: (length) => Array.from({ length: TEXTS }, () => {
      const text = randomText(Math.random, length, true);
      return { text, check: ({ text: written }) =>
        ({ exact: Number(written === text), right: symbolsRight(text, written) / length }) };
    }),
    own: `Your own text: at most ${LONGEST} letters a to z and spaces`,
    example: 'attention is all you',
    problem: (text) => ([...text].every((symbol) => SYMBOLS.includes(symbol)) ? lengthProblem(text, LONGEST, 'text')
      : 'Write only letters a to z and spaces.'),
    column: 'symbols right',
    judge: ({ text: written }, text) => `${symbolsRight(text, written)} of ${text.length}`,
  },
  'spa-eng': {
    models: { 'spa-eng-no-attention': 'no attention', 'spa-eng-bahdanau': 'Bahdanau',
      'spa-eng-transformer': 'Transformer' },
    lengths: [3, 4, 5, 6, 7],
    at: 7,
    count: 'right',
    items: (length) => SENTENCES
      .map((texts) => ({ text: texts[0], words: texts.map((each) => UNITS.words.split(each)) }))
      .filter(({ words: [source] }) => source.length === length)
      .map(({ text, words: [, ...references] }) => ({ text, check: ({ target }) => {
        const { exact, words } = agreement(target, references);
        return { exact, right: words };
      } })),
    own: 'Your own English sentence: short, in simple words',
    example: 'She is reading a book about her father.',
    problem: (text) => lengthProblem(text, LONGEST_SENTENCE, 'sentence'),
    column: 'probability',
    judge: ({ logprob }) => trimmed(Math.exp(logprob), 4),
  },
};
const COUNTS = { exact: 'texts without a mistake', right: 'right symbols or words' };
const TASK_NAMES = { repeat: 'repeat random letters', 'spa-eng': 'translate English to Spanish' };

/** @typedef {{ name: string, exact: number[], right: number[] }} Curve  fractions by length */

/**
 * Jobs of one figure, which says what they do and why they failed. A new job ends the job before.
 * @param {string} id  `id-status` and `id-error` are the elements that say it
 * @param {(running: boolean) => void} [onChange] called when a job begins or ends
 */
function jobsOf(id, onChange = () => {}) {
  const [status, failure] = ['status', 'error'].map((part) => element(`${id}-${part}`));
  let jobs = 0;
  const say = (/** @type {string} */ text) => { status.textContent = text; };

  /** Ends the job. @param {string} text */
  function end(text) {
    jobs++;
    say(text);
    failure.textContent = '';
    onChange(false);
  }

  /** @param {(current: () => boolean) => Promise<string>} run  returns what the figure says at the end */
  async function start(run) {
    end('The models are loading.');
    const mine = jobs;
    onChange(true);
    try {
      const text = await run(() => mine === jobs);
      if (mine === jobs) end(text);
    } catch (error) {
      if (mine !== jobs) return;
      end('');
      failure.textContent = error instanceof Error ? error.message : String(error);
      if (!(error instanceof HeedError)) throw error;
    }
  }

  return { say, start, end };
}

/** Adds the figures: the curves over length, and the reader's own text. */
export function addLengths() {
  const plot = new LinePlot(element('lengths-plot'), { label: 'Right texts over their length',
    x: 'symbols or words of the text', y: 'fraction', digits: 2, most: 1,
    empty: '“Measure” draws the curves.' });
  const input = /** @type {HTMLInputElement} */ (element('own'));
  let task = /** @type {keyof typeof TASKS} */ ('repeat');
  /** The models by task, opened once. @type {Partial<Record<keyof typeof TASKS, Promise<RemoteTranslator[]>>>} */
  const opened = {};
  /** @type {Curve[]} */ let curves = [];
  let shown = /** @type {keyof Found} */ ('exact');
  plot.update(TASKS[task].lengths, []);
  const measuring = jobsOf('lengths', (running) => cancel.setAttribute('aria-disabled', String(!running)));
  const writing = jobsOf('own');

  /** The models of the chosen task, each in a Worker. They are fetched once. @param {(text: string) => void} say */
  function open(say) {
    const of = task;
    const opening = opened[of] ?? Promise.all(Object.keys(TASKS[of].models).map(async (name) =>
      RemoteTranslator.open(await fetchModel(name, say)))).catch((error) => {
      delete opened[of];
      throw error;
    });
    opened[of] = opening;
    return opening;
  }

  const draw = () => plot.update(TASKS[task].lengths, curves.map((curve) => ({ name: curve.name, ys: curve[shown] })));

  /** @param {() => boolean} current */
  async function measure(current) {
    const { lengths, at, count, items, models: named } = TASKS[task];
    const models = await open(measuring.say);
    if (!current()) return '';
    const names = Object.values(named);
    curves = names.map((name) => ({ name, exact: [], right: [] }));
    for (const length of lengths) {
      const texts = items(length);
      for (const [i, model] of models.entries()) {
        let exact = 0;
        let right = 0;
        for (const { text, check } of texts) {
          const found = check(await model.translate(text));
          if (!current()) return '';
          exact += found.exact;
          right += found.right;
        }
        curves[i].exact.push(exact / texts.length);
        curves[i].right.push(right / texts.length);
        measuring.say(`Texts of length ${length}: ${names[i]}.`);
      }
      draw();
    }
    const index = lengths.indexOf(at);
    return `Done: ${items(at).length} texts for each length. Length ${at}, ${COUNTS[count]}: ${curves.map((curve) =>
      `${curve.name} ${percent(curve[count][index], 0)}`).join(', ')}.`;
  }

  /** @param {() => boolean} current */
  async function writeAgain(current) {
    const { problem, column, judge, models: named } = TASKS[task];
    const text = input.value.toLowerCase().trim();
    const refusal = problem(text);
    if (refusal) throw new HeedError('bad-argument', refusal);
    const written = [];
    for (const model of await open(writing.say)) written.push(await model.translate(text));
    if (!current()) return '';
    element('own-written').replaceChildren(h('table', { class: 'numbers' },
      h('caption', {}, task === 'repeat' ? 'The text, written again' : 'The sentence in Spanish'),
      h('thead', {}, h('tr', {}, ...['model', 'output', column].map((name) => h('th', { scope: 'col' }, name)))),
      h('tbody', {}, ...written.map((each, i) => h('tr', {}, h('th', { scope: 'row' }, Object.values(named)[i]),
        h('td', { class: 'text' }, each.text), h('td', {}, judge(each, text)))))));
    return '';
  }

  /** @param {keyof typeof TASKS} next */
  function setTask(next) {
    measuring.end('');
    writing.end('');
    task = next;
    curves = [];
    plot.update(TASKS[task].lengths, []);
    element('own-label').textContent = TASKS[task].own;
    input.value = TASKS[task].example;
    element('own-written').replaceChildren();
    counting.value = shown = TASKS[task].count;
  }

  addSelect(element('lengths-controls'), 'Task', TASK_NAMES, (value) =>
    setTask(/** @type {keyof typeof TASKS} */ (value)));
  addButton(element('own-controls'), 'Write it again', () => void writing.start(writeAgain));
  addButton(element('lengths-controls'), 'Measure', () => void measuring.start(measure));
  const cancel = addButton(element('lengths-controls'), 'Cancel', () => {
    if (cancel.getAttribute('aria-disabled') !== 'true') measuring.end('Canceled.');
  });
  cancel.setAttribute('aria-disabled', 'true');
  const counting = addSelect(element('lengths-controls'), 'Count', COUNTS, (value) => {
    shown = /** @type {keyof Found} */ (value);
    if (curves[0]?.exact.length > 0) draw();
  });
}
