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
 * @property {(text: string) => void} check  throws a HeedError for a text that is refused
 * @property {string} column     heading of the last column of the reader's table
 * @property {(translation: Translation, text: string) => string} judge  its cell
 */

/** Fresh texts of each length, and symbols of the longest text that is repeated. */
const [TEXTS, LONGEST] = [8, 40];
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
    check: (text) => {
      const foreign = [...text].find((symbol) => !SYMBOLS.includes(symbol));
      if (foreign === undefined && text.length <= LONGEST) return;
      throw new HeedError('bad-argument', `Write at most ${LONGEST} letters a to z and spaces.`);
    },
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
    check: (text) => {
      if (text.length > LONGEST_SENTENCE) {
        throw new HeedError('bad-argument', `Write at most ${LONGEST_SENTENCE} characters.`);
      }
    },
    column: 'probability',
    judge: ({ logprob }) => trimmed(Math.exp(logprob), 4),
  },
};
const COUNTS = { exact: 'texts without a mistake', right: 'right symbols or words' };
const TASK_NAMES = { repeat: 'repeat random letters', 'spa-eng': 'translate English to Spanish' };

/** @typedef {{ name: string, exact: number[], right: number[] }} Curve  fractions by length */

/** Adds the figure: the reader's own text, and the curves over length. */
export function addLengths() {
  const status = element('lengths-status');
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
  /** Number of jobs begun; a job ends when a newer one begins, or when it is canceled. */
  let jobs = 0;

  const say = (/** @type {string} */ text) => { status.textContent = text; };

  /** The models of a task, each in a Worker. They are fetched once. @param {keyof typeof TASKS} of */
  function open(of) {
    const opening = opened[of] ?? Promise.all(Object.keys(TASKS[of].models).map(async (name) =>
      RemoteTranslator.open(await fetchModel(name, say)))).catch((error) => {
      delete opened[of];
      throw error;
    });
    opened[of] = opening;
    return opening;
  }

  /** Runs a job, and says why it failed.
   *  @param {(models: RemoteTranslator[], current: () => boolean) => Promise<void>} run */
  async function start(run) {
    const mine = ++jobs;
    element('lengths-error').textContent = '';
    try {
      const models = await open(task);
      if (mine === jobs) await run(models, () => mine === jobs);
    } catch (error) {
      if (mine !== jobs) return;
      say('');
      element('lengths-error').textContent = error instanceof Error ? error.message : String(error);
      if (!(error instanceof HeedError)) throw error;
    }
  }

  const draw = () => plot.update(TASKS[task].lengths.slice(0, curves[0].exact.length), curves.map((curve) =>
    ({ name: curve.name, ys: curve[shown] })));

  /** @param {RemoteTranslator[]} models @param {() => boolean} current */
  async function measure(models, current) {
    const { lengths, at, count, items, models: named } = TASKS[task];
    const names = Object.values(named);
    curves = names.map((name) => ({ name, exact: [], right: [] }));
    for (const length of lengths) {
      const texts = items(length);
      for (const [i, model] of models.entries()) {
        let [exact, right] = [0, 0];
        for (const { text, check } of texts) {
          const found = check(await model.translate(text));
          if (!current()) return;
          exact += found.exact;
          right += found.right;
        }
        curves[i].exact.push(exact / texts.length);
        curves[i].right.push(right / texts.length);
        say(`Texts of length ${length}: ${names[i]}.`);
      }
      draw();
    }
    const index = lengths.indexOf(at);
    say(`Done: ${items(at).length} texts for each length. Length ${at}, ${COUNTS[count]}: ${curves.map((curve) =>
      `${curve.name} ${percent(curve[count][index], 0)}`).join(', ')}.`);
  }

  /** @param {RemoteTranslator[]} models @param {() => boolean} current */
  async function writeAgain(models, current) {
    const { check, column, judge, models: named } = TASKS[task];
    const text = input.value.toLowerCase().trim();
    check(text);
    const written = [];
    for (const model of models) written.push(await model.translate(text));
    if (!current()) return;
    say('');
    element('own-written').replaceChildren(h('table', { class: 'numbers' },
      h('caption', {}, task === 'repeat' ? 'The text, written again' : 'The sentence in Spanish'),
      h('thead', {}, h('tr', {}, ...['model', 'output', column].map((name) => h('th', { scope: 'col' }, name)))),
      h('tbody', {}, ...written.map((each, i) => h('tr', {}, h('th', { scope: 'row' }, Object.values(named)[i]),
        h('td', { class: 'text' }, each.text), h('td', {}, judge(each, text)))))));
  }

  /** @param {keyof typeof TASKS} next */
  function setTask(next) {
    jobs++;
    task = next;
    curves = [];
    plot.update(TASKS[task].lengths, []);
    say('');
    element('own-label').textContent = TASKS[task].own;
    input.value = TASKS[task].example;
    element('own-written').replaceChildren();
    counting.value = shown = TASKS[task].count;
  }

  addSelect(element('lengths-controls'), 'Task', TASK_NAMES, (value) =>
    setTask(/** @type {keyof typeof TASKS} */ (value)));
  addButton(element('own-controls'), 'Write it again', () => void start(writeAgain));
  addButton(element('lengths-controls'), 'Measure', () => void start(measure));
  addButton(element('lengths-controls'), 'Cancel', () => {
    jobs++;
    say('Canceled.');
  });
  const counting = addSelect(element('lengths-controls'), 'Count', COUNTS, (value) => {
    shown = /** @type {keyof Found} */ (value);
    if (curves[0]?.exact.length > 0) draw();
  });
}
