/** Random tokens, written twice: scores of all heads, and of the induction heads after a cut. */
import { addSelect } from './kit/controls.js';
import { fixed } from './kit/format.js';
import { MatrixTable } from './kit/matrix-table.js';
import { element, showValues } from './kit/page.js';

/** @typedef {import('../../js/index.js').Model} Model */
/** @typedef {import('../../js/index.js').Edit} Edit */
/** @typedef {import('./kit/turns.js').Turns} Turns */

const HALF = 40;
/** Tokens below this id are bytes and the most frequent pieces of words. */
const FIRST_ID = 300;
/** An induction head has at least this score. */
const LEAST = 0.5;

/** The key that each job looks at, for a query. @type {Record<string, (query: number) => number>} */
const JOBS = {
  'the token after the first copy': (query) => query - HALF + 1,
  'the token before': (query) => query - 1,
  'the same token': (query) => query - HALF,
  'the first token': () => 0,
};

/** Pairs of heads to cut. @type {Record<string, [number, number][]>} */
const CUTS = { nothing: [], 'head 2.2': [[2, 2]], 'head 2.4': [[2, 4]], 'heads 2.2 and 2.4': [[2, 2], [2, 4]],
  'heads 2.0 and 2.1': [[2, 0], [2, 1]] };

/** Random token ids from a fixed seed, so that every reader sees the same numbers (Park and Miller 1988).
 *  @param {number} count @param {number} vocabulary */
function randomIds(count, vocabulary) {
  let state = 1;
  return Array.from({ length: count }, () => {
    state = state * 16807 % 2147483647;
    return FIRST_ID + state % (vocabulary - FIRST_ID);
  });
}

/** @param {number} vocabulary */
function twoCopies(vocabulary) {
  const half = randomIds(HALF, vocabulary);
  return Int32Array.from([...half, ...half]);
}

/** The metric: mean cross-entropy of the second copy. @param {Int32Array} twice */
const secondCopy = (twice) => ({ crossEntropy: twice.map((_, i) =>
  (i >= HALF && i + 1 < twice.length ? twice[i + 1] : -1)) });

/**
 * Mean weight of every head at the key of a job, over the second copy.
 * @param {Model} model @param {(query: number) => number} job @param {Edit[]} edits
 * @returns {Promise<number[]>} [layer][head]
 */
async function scores(model, job, edits) {
  const { layers, heads, vocabulary } = model.info;
  const twice = twoCopies(vocabulary);
  const patterns = Array.from({ length: layers }, (_, layer) => `blocks.${layer}.attn.hook_pattern`);
  const { cache } = await model.runWithCache(twice, patterns, { edits });
  return patterns.flatMap((name) => Array.from({ length: heads }, (_, head) => {
    let sum = 0;
    for (let query = HALF; query < twice.length; query++) {
      sum += cache[name].data[(head * twice.length + query) * twice.length + job(query)];
    }
    return sum / HALF;
  }));
}

/** Scores of all heads for one job. @param {Model} model @param {Turns} turns */
export async function showJobs(model, turns) {
  const { layers, heads, vocabulary } = model.info;
  const numbers = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => String(i));
  const table = new MatrixTable(element('scores'), { caption: 'Mean weight of each head', axes: ['layer', 'head'],
    rows: numbers(layers), columns: numbers(heads), digits: 2, shade: 'weight', max: 1 });
  const show = turns.figure(async (/** @type {string} */ job) => {
    const all = await scores(model, JOBS[job], []);
    const best = all.indexOf(Math.max(...all));
    table.update(all);
    showValues({ best: `${Math.floor(best / heads)}.${best % heads}`, 'best-score': fixed(all[best], 2) });
  });
  const names = Object.fromEntries(Object.keys(JOBS).map((job) => [job, job]));
  addSelect(element('jobs'), 'The head looks at', names, (job) => void show(job));
  const twice = twoCopies(vocabulary);
  const { clean } = await model.sweep(twice, [], { of: secondCopy(twice) });
  showValues({ half: HALF, loss: fixed(clean, 2) });
  await show(Object.keys(JOBS)[0]);
}

/** Scores of the induction heads with heads of an earlier layer cut.
 *  @param {Model} model @param {Turns} turns @param {(which: [number, number]) => Edit} cut */
export async function showChain(model, turns, cut) {
  const { heads, vocabulary } = model.info;
  const induction = Object.values(JOBS)[0];
  const whole = await scores(model, induction, []);
  const found = whole.flatMap((score, i) => (score >= LEAST ? [i] : []));
  const columns = found.map((i) => `${Math.floor(i / heads)}.${i % heads}`);
  const table = new MatrixTable(element('induction'), { caption: 'Induction scores', axes: ['run', 'head'],
    rows: ['whole model', 'with the cut'], columns, digits: 2, shade: 'weight', max: 1 });
  const twice = twoCopies(vocabulary);
  const show = turns.figure(async (/** @type {string} */ name) => {
    const edits = CUTS[name].map(cut);
    const after = await scores(model, induction, edits);
    const { values: [loss] } = await model.sweep(twice, [edits], { of: secondCopy(twice) });
    table.update([...found.map((i) => whole[i]), ...found.map((i) => after[i])]);
    const mean = found.reduce((sum, i) => sum + after[i], 0) / found.length;
    showValues({ cut: name, left: fixed(mean, 2), 'cut-loss': fixed(loss, 2) });
  });
  const names = Object.fromEntries(Object.keys(CUTS).map((name) => [name, name]));
  addSelect(element('chain'), 'Cut', names, (name) => void show(name));
  await show(Object.keys(CUTS)[0]);
}
