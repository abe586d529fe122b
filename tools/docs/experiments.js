/**
 * The experiments of docs/insight/experiments.md: each gives its finding as a sentence, and a figure.
 *
 *     node tools/docs/experiments.js      writes the figures, and prints the findings
 *
 * Runs are strict, so figures and findings are the same on every machine.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { load } from '../../js/index.js';
import { ablationSweep, headScores, patchSweep } from '../../js/insight/index.js';
import { lab as openLab } from '../../js/lab/index.js';
import { encode, textBatch } from '../../js/train/models/classifier.js';
import { openModel } from '../../js/train/models/index.js';
import { wordsOf } from '../../js/train/models/words.js';
import { tokenLabel } from '../../web/draw/token.js';
import { fixed, lineFigure, tableFigure } from './experiment-figures.js';

/** @typedef {import('../../js/index.js').Model} Model */
/** @typedef {import('../../js/index.js').Edit} Edit */
/** @typedef {{ name: string, finding: string, svg: string }} Experiment */

const ROOT = new URL('../../', import.meta.url);
const FOLDER = new URL('docs/insight/', ROOT);

/** Tokens of a text that occurs twice. */
const HALF = 40;
/** An induction head has at least this score. */
const LEAST = 0.5;

const numbers = (/** @type {number} */ count) => Array.from({ length: count }, (_, i) => String(i));
const meanOf = (/** @type {number[]} */ values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const indexOfLargest = (/** @type {ArrayLike<number>} */ values) =>
  Array.from(values).reduce((best, value, i) => (value > values[best] ? i : best), 0);
/** @param {string[]} texts */
const listed = (texts) => `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;

/** The id of a word that is one token. @param {Model} model @param {string} word */
const tokenOf = async (model, word) => Number((await model.encode(word)).at(-1));

/** Removes the output of a head. @param {number} layer @param {number} head @returns {Edit} */
const cut = (layer, head) => ({ hook: `blocks.${layer}.attn.hook_z`, head, scale: 0 });

/** Induction scores of all heads. @param {Model} model @param {Int32Array} twice @param {Edit[]} [edits] */
async function inductionOf(model, twice, edits = []) {
  const { data, axes } = await headScores(model, twice, { edits });
  const size = model.info.layers * model.info.heads;
  return data.subarray(axes.score.indexOf('induction') * size).subarray(0, size);
}

/** @param {Model} model @returns {Promise<Experiment>} */
async function findInduction(model) {
  const { layers, heads } = model.info;
  const { ids: [twice] } = await headScores(model, { repeated: HALF, texts: 1 });
  const scores = await inductionOf(model, twice);
  const found = [...scores.keys()].filter((i) => scores[i] >= LEAST);
  const next = Math.max(...scores.filter((score) => score < LEAST));
  return { name: 'induction',
    finding: `Heads ${listed(found.map((i) => `${Math.floor(i / heads)}.${i % heads}`))} have scores from ${
      fixed(Math.min(...found.map((i) => scores[i])))} to ${fixed(Math.max(...found.map((i) => scores[i])))}. The ` +
      `next head has ${fixed(next)}.`,
    svg: tableFigure(scores, { title: `Induction scores on ${HALF} random tokens, twice`, axes: ['layer', 'head'],
      rows: numbers(layers), columns: numbers(heads), max: 1 }) };
}

/** @param {Model} model @returns {Promise<Experiment>} */
async function knockOut(model) {
  const { heads } = model.info;
  const { ids: [twice] } = await headScores(model, { repeated: HALF, texts: 1 });
  const of = { crossEntropy: twice.map((_, i) =>
    (i >= twice.length - HALF && i + 1 < twice.length ? twice[i + 1] : -1)) };
  /** @type {[name: string, edits: Edit[]][]} */
  const runs = [['nothing', []], ['2.2', [cut(2, 2)]], ['2.4', [cut(2, 4)]], ['2.2 and 2.4', [cut(2, 2), cut(2, 4)]],
    ['2.0 and 2.1', [cut(2, 0), cut(2, 1)]]];
  const all = [];
  for (const [, edits] of runs) all.push(await inductionOf(model, twice, edits));
  const found = [...all[0].keys()].filter((i) => all[0][i] >= LEAST);
  const means = all.map((scores) => meanOf(found.map((i) => scores[i])));
  const { values: losses } = await model.sweep(twice, runs.map(([, edits]) => edits), { of });
  return { name: 'previous-token',
    finding: `The mean score falls from ${fixed(means[0])} to ${fixed(means[1])} without 2.2, to ${fixed(means[2])} ` +
      `without 2.4, and to ${fixed(means[3])} without both. The control, 2.0 and 2.1, leaves ${fixed(means[4])}. The ` +
      `cross-entropy of the second copy is ${fixed(losses[0])}, ${fixed(losses[1])}, ${fixed(losses[2])}, ${
        fixed(losses[3])} and ${fixed(losses[4])} nats a token.`,
    svg: tableFigure(all.flatMap((scores) => found.map((i) => scores[i])), { title: 'Induction scores after cuts',
      axes: ['cut', 'head'], rows: runs.map(([name]) => name), max: 1,
      columns: found.map((i) => `${Math.floor(i / heads)}.${i % heads}`) }) };
}

const GIRL = 'Lily was a little girl. One day,';
const BOY = 'Tom was a little boy. One day,';

/** @param {Model} model @returns {Promise<{ logitDifference: [number, number] }>} she minus he */
const sheMinusHe = async (model) =>
  ({ logitDifference: [await tokenOf(model, ' she'), await tokenOf(model, ' he')] });

/** @param {Model} model @returns {Promise<Experiment>} */
async function cutEachHead(model) {
  const { layers, heads } = model.info;
  const { data, clean } = await ablationSweep(model, GIRL, { of: await sheMinusHe(model) });
  const most = indexOfLargest(data.map((change) => -change));
  return { name: 'she',
    finding: `The logit of “she” is ${fixed(clean)} above that of “he”. The strongest cut, head ${
      Math.floor(most / heads)}.${most % heads}, leaves ${fixed(clean + data[most])}. No single head carries “she”.`,
    svg: tableFigure(data, { title: `Change of she − he without each head: “${GIRL}”`, axes: ['layer', 'head'],
      rows: numbers(layers), columns: numbers(heads), scale: 'signed' }) };
}

/** @param {Model} model @returns {Promise<Experiment>} */
async function patchName(model) {
  const { layers } = model.info;
  const { data, ids } = await patchSweep(model, GIRL, { of: await sheMinusHe(model), corrupted: BOY });
  const stream = data.subarray(0, layers * ids.length);
  const tokens = (await model.tokens(ids)).map((token) => tokenLabel(token, 8));
  const at = (/** @type {number} */ layer, /** @type {number} */ position) =>
    fixed(stream[layer * ids.length + position]);
  const name = tokens.findIndex((token) => token.trim() === 'Lily');
  const noun = tokens.findIndex((token) => token.trim() === 'girl');
  const last = ids.length - 1;
  return { name: 'patch',
    finding: `Before layer 0, the name returns ${at(0, name)} of the answer and the noun ${at(0, noun)}. The last ` +
      `token returns ${at(3, last)} before layer 3, ${at(4, last)} before layer 4 and ${at(5, last)} before layer 5.`,
    svg: tableFigure(stream, { title: `Part of she − he that returns: “${GIRL}” patched into “${BOY}”`,
      axes: ['before layer', 'token'], rows: numbers(layers), columns: tokens, scale: 'signed', max: 1 }) };
}

const STREAM = 'blocks.3.hook_resid_post';
const HAPPY = ['The girl was very happy.', 'He was so happy and glad.', 'She laughed and smiled.'];
const SAD = ['The girl was very sad.', 'He was so sad and upset.', 'She cried and wept.'];
const LOST = 'Lily lost her doll. She was very';

/** Mean of the stream over the tokens of some sentences, except the first of each.
 *  @param {Model} model @param {string[]} sentences @returns {Promise<Float64Array>} [d_model] */
async function meanStream(model, sentences) {
  const { dModel } = model.info;
  const sum = new Float64Array(dModel);
  let count = 0;
  for (const sentence of sentences) {
    const ids = await model.encode(sentence);
    const { data } = (await model.runWithCache(ids, [STREAM])).cache[STREAM];
    for (let i = dModel; i < data.length; i++) sum[i % dModel] += data[i];
    count += ids.length - 1;
  }
  return sum.map((x) => x / count);
}

/** @param {Model} model @returns {Promise<Experiment>} */
async function steer(model) {
  const happy = await meanStream(model, HAPPY);
  const sad = await meanStream(model, SAD);
  const direction = Array.from(happy, (x, i) => x - sad[i]);
  const xs = Array.from({ length: 17 }, (_, i) => (i - 8) / 2);
  const edits = xs.map((coefficient) => [{ hook: STREAM, values: direction, coefficient }]);
  const ids = await model.encode(LOST);
  const lines = [];
  for (const name of ['happy', 'sad']) {
    const { values } = await model.sweep(ids, edits, { of: { logprob: await tokenOf(model, ` ${name}`) } });
    lines.push({ name, ys: values.map(Math.exp) });
  }
  const percent = (/** @type {number} */ line, /** @type {number} */ c) =>
    `${Math.round(100 * lines[line].ys[xs.indexOf(c)])} %`;
  return { name: 'steer',
    finding: `Without steering, “happy” has ${percent(0, 0)} and “sad” ${percent(1, 0)}. At c = 1 they have ${
      percent(0, 1)} and ${percent(1, 1)}, at c = \u22121 ${percent(0, -1)} and ${percent(1, -1)}, and at c = 4 ${
      percent(0, 4)} and ${percent(1, 4)}.`,
    svg: lineFigure({ title: `Probability of the next word after “${LOST}”`, axes: ['c', 'probability'], xs, lines,
      most: 0.8 }) };
}

const NEGATIONS = [['The food was not good.', 'good'], ['The film is not boring.', 'boring'],
  ['The film is not funny.', 'funny']];
/** Edges to cut, from the attending word to the attended word.
 *  @type {[name: string, isCut: (from: string, to: string, adjective: string) => boolean][]} */
const EDGES = [['nothing', () => false],
  ['adjective → not', (from, to, adjective) => from === adjective && to === 'not'],
  ['not → adjective', (from, to, adjective) => from === 'not' && to === adjective],
  ['both', (from, to, adjective) => from !== to && [from, to].every((word) => ['not', adjective].includes(word))],
  ['others → adjective', (from, to, adjective) => to === adjective && from !== to]];

/** The sentiment model of lesson 11. @returns {Promise<Experiment>} */
async function negation() {
  const lab = await openLab({ strict: true });
  const { weights, config } = await openModel(lab, new Uint8Array(await readFile(
    new URL('models/sentiment.safetensors', ROOT))));
  const praise = EDGES.flatMap(([, isCut]) => NEGATIONS.map(([text, adjective]) => lab.evaluate(() => {
    const words = wordsOf(text);
    const edges = words.flatMap((from) => words.map((to) => (isCut(from, to, adjective) ? -Infinity : 0)));
    const mask = lab.tensor(edges, { query: words.length, key: words.length });
    const x = lab.slice(encode(lab, weights, config, textBatch([words], config), { mask }).x, 'batch', 0);
    const { output } = lab.attention(weights.query, x, x);
    return lab.softmax(lab.linear(output, weights['head.weight'], weights['head.bias'])).data[1];
  })));
  lab.dispose();
  const of = (/** @type {number} */ run) => listed(praise.slice(3 * run, 3 * run + 3).map((p) => fixed(p)));
  return { name: 'negation',
    finding: `Without cuts, p(praise) is ${of(0)}. Without the edge from the adjective to “not” it is ${of(1)}. Only ` +
      `if no other word may attend to the adjective does it become ${of(4)}.`,
    svg: tableFigure(praise, { title: 'p(praise) after cuts of attention', axes: ['cut', 'sentence'], max: 1,
      rows: EDGES.map(([name]) => name), columns: NEGATIONS.map(([text]) => text) }) };
}

/** Runs every experiment. @returns {Promise<Experiment[]>} */
export async function runExperiments() {
  const model = await load(fileURLToPath(new URL('models/stories.gguf', ROOT)), { strict: true });
  try {
    const made = [];
    for (const run of [findInduction, knockOut, cutEachHead, patchName, steer]) made.push(await run(model));
    return [...made, await negation()];
  } finally {
    model.dispose();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { name, finding, svg } of await runExperiments()) {
    await writeFile(new URL(`${name}.svg`, FOLDER), svg);
    console.log(`${name}: ${finding}`);
  }
}
