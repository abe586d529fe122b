/** Random tokens, written twice: scores of all heads, and of the induction heads after a cut. */
import { headScores } from '../../js/insight/index.js';
import { addSelect } from './kit/controls.js';
import { fixed } from './kit/format.js';
import { MatrixTable } from './kit/matrix-table.js';
import { element, showValues } from './kit/page.js';

/** @typedef {import('../../js/index.js').Model} Model */
/** @typedef {import('../../js/index.js').Edit} Edit */
/** @typedef {import('./kit/turns.js').Turns} Turns */

const HALF = 40;
/** An induction head has at least this score. */
const LEAST = 0.5;

/** Scores of headScores(), in the words of the lesson. */
const JOBS = /** @type {const} */ ({
  induction: 'the token after the first copy',
  previous: 'the token before',
  duplicate: 'the same token',
  first: 'the first token',
});

/** Pairs of heads to cut. @type {Record<string, [number, number][]>} */
const CUTS = { nothing: [], 'head 2.2': [[2, 2]], 'head 2.4': [[2, 4]], 'heads 2.2 and 2.4': [[2, 2], [2, 4]],
  'heads 2.0 and 2.1': [[2, 0], [2, 1]] };

/** Random tokens, written twice, after the token that starts a text. @param {Model} model */
export async function twoCopies(model) {
  const { ids: [twice] } = await headScores(model, { repeated: HALF, texts: 1 });
  return twice;
}

/** The metric: mean cross-entropy of the second copy. @param {Int32Array} twice */
const secondCopy = (twice) => ({ crossEntropy: twice.map((_, i) =>
  (i >= twice.length - HALF && i + 1 < twice.length ? twice[i + 1] : -1)) });

/**
 * Mean weight of every head at the keys of a job.
 * @param {Model} model @param {Int32Array} twice @param {keyof typeof JOBS} job @param {Edit[]} edits
 * @returns {Promise<Float32Array>} [layer][head]
 */
async function scores(model, twice, job, edits) {
  const { data, axes } = await headScores(model, twice, { edits });
  const size = data.length / axes.score.length;
  return data.subarray(axes.score.indexOf(job) * size).subarray(0, size);
}

/** Scores of all heads for one job. @param {Model} model @param {Turns} turns @param {Int32Array} twice */
export async function showJobs(model, turns, twice) {
  const { layers, heads } = model.info;
  const numbers = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => String(i));
  const table = new MatrixTable(element('scores'), { caption: 'Mean weight of each head', axes: ['layer', 'head'],
    rows: numbers(layers), columns: numbers(heads), digits: 2, shade: 'weight', max: 1 });
  const show = turns.figure(async (/** @type {string} */ job) => {
    const all = await scores(model, twice, /** @type {keyof typeof JOBS} */ (job), []);
    const best = all.indexOf(Math.max(...all));
    table.update(all);
    showValues({ best: `${Math.floor(best / heads)}.${best % heads}`, 'best-score': fixed(all[best], 2) });
  });
  addSelect(element('jobs'), 'The head attends to', JOBS, show).name = 'job';
  const { clean } = await model.sweep(twice, [], { of: secondCopy(twice) });
  showValues({ half: HALF, loss: fixed(clean, 2) });
  await show('induction');
}

/** Scores of the induction heads with heads of an earlier layer cut.
 *  @param {Model} model @param {Turns} turns @param {Int32Array} twice
 *  @param {(which: [number, number]) => Edit} cut */
export async function showChain(model, turns, twice, cut) {
  const { heads } = model.info;
  const whole = await scores(model, twice, 'induction', []);
  const found = Array.from(whole).flatMap((score, i) => (score >= LEAST ? [i] : []));
  const columns = found.map((i) => `${Math.floor(i / heads)}.${i % heads}`);
  const table = new MatrixTable(element('induction'), { caption: 'Induction scores', axes: ['run', 'head'],
    rows: ['whole model', 'with the cut'], columns, digits: 2, shade: 'weight', max: 1 });
  const show = turns.figure(async (/** @type {string} */ name) => {
    const edits = CUTS[name].map(cut);
    const after = await scores(model, twice, 'induction', edits);
    const { values: [loss] } = await model.sweep(twice, [edits], { of: secondCopy(twice) });
    table.update([...found.map((i) => whole[i]), ...found.map((i) => after[i])]);
    const mean = found.reduce((sum, i) => sum + after[i], 0) / found.length;
    showValues({ cut: name, left: fixed(mean, 2), 'cut-loss': fixed(loss, 2) });
  });
  const names = Object.fromEntries(Object.keys(CUTS).map((name) => [name, name]));
  addSelect(element('chain'), 'Cut', names, show);
  await show(Object.keys(CUTS)[0]);
}
