/** The histogram, compiled and learned, at every length. */
import { lab, randomFrom } from '../../js/lab/index.js';
import { rasp } from '../../js/lab/rasp/index.js';
import { RASP_TASKS } from '../../js/lab/rasp/tasks.js';
import { largest } from '../../js/train/models/choice.js';
import { openModel } from '../../js/train/models/index.js';
import { toyGpt } from '../../js/train/models/toy-gpt.js';
import { BOS, LENGTH, TOKENS, counts } from '../../js/train/tasks/histogram.js';
import { fetchModel } from './kit/fetch-model.js';
import { percent } from './kit/format.js';
import { LinePlot } from './kit/line-plot.js';
import { element, showValues } from './kit/page.js';

const LETTERS = TOKENS.slice(BOS + 1);
/** Strings of each length. */
const STRINGS = 8;
const LENGTHS = Array.from({ length: LENGTH / 2 }, (_, i) => 2 * (i + 1));

/** Computes and draws the part of the letters that both models count correctly. */
export async function showLengths() {
  const l = await lab();
  const { weights, config } = await openModel(l, await fetchModel('histogram'));
  const compiled = rasp(RASP_TASKS.histogram.source).compile({ vocabulary: LETTERS, length: LENGTH });
  const model = compiled.open(l);
  const random = randomFrom(3);
  /** @type {Record<'compiled' | 'learned', number[]>} */
  const right = { compiled: [], learned: [] };
  for (const time of LENGTHS) {
    const total = { compiled: 0, learned: 0 };
    for (let i = 0; i < STRINGS; i++) {
      const ids = [BOS, ...Array.from({ length: time }, () => 1 + Math.floor(random() * LETTERS.length))];
      const wanted = counts(ids);
      const { output } = model.run(ids.slice(1).map((id) => TOKENS[id]));
      const learned = l.evaluate(() =>
        largest(toyGpt(l, weights, ids, { batch: 1, time: ids.length }).output.data, config.classes));
      for (let t = 1; t <= time; t++) {
        total.compiled += Number(output[t - 1] === wanted[t]);
        total.learned += Number(learned[t] === wanted[t]);
      }
    }
    for (const key of /** @type {const} */ (['compiled', 'learned'])) right[key].push(total[key] / time / STRINGS);
    await new Promise((done) => setTimeout(done));
  }
  l.dispose();
  new LinePlot(element('lengths'), { label: 'Part of the letters that each model counts correctly', x: 'length',
    y: 'correct', digits: 3 }).update(LENGTHS, [{ name: 'compiled', ys: right.compiled },
    { name: 'learned', ys: right.learned }]);
  const at = (/** @type {keyof typeof right} */ key, /** @type {number} */ length) =>
    percent(right[key][LENGTHS.indexOf(length)], 0);
  showValues({ 'compiled-30': at('compiled', 30), 'learned-30': at('learned', 30), 'compiled-10': at('compiled', 10),
    'learned-10': at('learned', 10) });
}
