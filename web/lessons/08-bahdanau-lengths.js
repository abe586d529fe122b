/** Four models repeat texts of growing length: the comparison of Bahdanau et al., figure 2, computed in the page. */
import { HeedError } from '../../js/errors.js';
import { RemoteTranslator } from '../../js/train/translator-remote.js';
import { SYMBOLS, randomText, symbolsRight } from '../../js/train/tasks/repeat.js';
import { h } from '../elements/dom.js';
import { addButton, addSelect } from './kit/controls.js';
import { fetchModel } from './kit/fetch-model.js';
import { percent } from './kit/format.js';
import { LinePlot } from './kit/line-plot.js';
import { element } from './kit/page.js';

/** Models by the names that the figure shows. */
const MODELS = { 'repeat-no-attention': 'no attention', 'repeat-bahdanau': 'Bahdanau', 'repeat-luong': 'Luong',
  'repeat-transformer': 'Transformer' };
const NAMES = Object.values(MODELS);
const LENGTHS = [4, 6, 8, 10, 12, 16, 20, 24];
/** Fresh texts of each length. */
const TEXTS = 8;
const LONGEST = 40;

/** @typedef {{ name: string, exact: number[], right: number[] }} Curve  fractions by length */

/** Adds the figure: the reader's own text, and the curves over length. */
export function addLengths() {
  const status = element('lengths-status');
  const plot = new LinePlot(element('lengths-plot'), { label: 'Repeated texts over their length',
    x: 'symbols of the text', y: 'fraction', digits: 2 });
  const input = /** @type {HTMLInputElement} */ (element('own'));
  /** @type {Promise<RemoteTranslator[]> | null} */ let opened = null;
  /** @type {Curve[]} */ let curves = [];
  let shown = /** @type {'exact' | 'right'} */ ('exact');
  /** Number of jobs begun; a job ends when a newer one begins, or when it is canceled. */
  let jobs = 0;

  const say = (/** @type {string} */ text) => { status.textContent = text; };

  /** The four models, each in a Worker. They are fetched once. */
  function open() {
    opened ??= Promise.all(Object.keys(MODELS).map(async (name) =>
      RemoteTranslator.open(await fetchModel(name, say)))).catch((error) => {
      opened = null;
      throw error;
    });
    return opened;
  }

  /** Runs a job, and says why it failed.
   *  @param {(models: RemoteTranslator[], current: () => boolean) => Promise<void>} run */
  async function start(run) {
    const mine = ++jobs;
    element('lengths-error').textContent = '';
    try {
      const models = await open();
      if (mine === jobs) await run(models, () => mine === jobs);
    } catch (error) {
      if (mine !== jobs) return;
      say('');
      element('lengths-error').textContent = error instanceof Error ? error.message : String(error);
      if (!(error instanceof HeedError)) throw error;
    }
  }

  const draw = () => plot.update(LENGTHS.slice(0, curves[0].exact.length), curves.map((curve) =>
    ({ name: curve.name, ys: curve[shown] })));

  /** @param {RemoteTranslator[]} models @param {() => boolean} current */
  async function measure(models, current) {
    curves = NAMES.map((name) => ({ name, exact: [], right: [] }));
    for (const length of LENGTHS) {
      const texts = Array.from({ length: TEXTS }, () => randomText(Math.random, length, true));
      for (const [i, model] of models.entries()) {
        let [exact, right] = [0, 0];
        for (const text of texts) {
          const written = (await model.translate(text)).text;
          if (!current()) return;
          exact += Number(written === text);
          right += symbolsRight(text, written);
        }
        curves[i].exact.push(exact / TEXTS);
        curves[i].right.push(right / (TEXTS * length));
        say(`Texts of ${length} symbols: ${NAMES[i]}.`);
      }
      draw();
    }
    const at = LENGTHS.indexOf(12);
    say(`Done: ${TEXTS} texts for each length. With 12 symbols ${curves.map(({ name, exact }) =>
      `${name} repeats ${percent(exact[at], 0)} exactly`).join(', ')}.`);
  }

  /** @param {RemoteTranslator[]} models @param {() => boolean} current */
  async function repeat(models, current) {
    const text = input.value.toLowerCase().trim();
    const foreign = [...text].find((symbol) => !SYMBOLS.includes(symbol));
    if (foreign !== undefined || text.length > LONGEST) {
      throw new HeedError('bad-argument', `Write at most ${LONGEST} letters a to z and spaces.`);
    }
    const written = [];
    for (const model of models) written.push((await model.translate(text)).text);
    if (!current()) return;
    say('');
    element('own-written').replaceChildren(h('table', { class: 'numbers' },
      h('caption', {}, 'The text, written again'),
      h('thead', {}, h('tr', {}, ...['model', 'output', 'symbols right'].map((name) =>
        h('th', { scope: 'col' }, name)))),
      h('tbody', {}, ...written.map((each, i) => h('tr', {}, h('th', { scope: 'row' }, NAMES[i]),
        h('td', { class: 'text' }, each), h('td', {}, `${symbolsRight(text, each)} of ${text.length}`))))));
  }

  addButton(element('own-controls'), 'Write it again', () => void start(repeat));
  addButton(element('lengths-controls'), 'Measure on fresh texts', () => void start(measure));
  addButton(element('lengths-controls'), 'Cancel', () => {
    jobs++;
    say('Canceled.');
  });
  const counts = { exact: 'texts without a mistake', right: 'right symbols' };
  addSelect(element('lengths-controls'), 'Count', counts, (value) => {
    shown = /** @type {'exact' | 'right'} */ (value);
    if (curves[0]?.exact.length > 0) draw();
  });
}
