/** Experiments on the stories model: heads found by their job, cut, patched and steered. */
import { load } from '../../js/index.js';
import { showChain, showJobs, twoCopies } from './14-find-out-why-induction.js';
import { showPatches } from './14-find-out-why-patch.js';
import { showSteering } from './14-find-out-why-steer.js';
import { addSelect } from './kit/controls.js';
import { Drawing } from './kit/drawing.js';
import { fixed, grouped } from './kit/format.js';
import { MatrixTable } from './kit/matrix-table.js';
import { element, lesson, showProgress, showValues } from './kit/page.js';
import { Turns } from './kit/turns.js';
import { PATCH } from './drawings/14-find-out-why.js';

/** @typedef {import('../../js/index.js').Model} Model */

const MODEL = new URL('../../models/stories.gguf', import.meta.url);

/** A text, and the two next words whose logits are compared. */
const QUESTIONS = {
  she: { text: 'Lily was a little girl. One day,', words: [' she', ' he'] },
  he: { text: 'Tom was a little boy. One day,', words: [' he', ' she'] },
  ball: { text: 'Lily and Tom had a ball. Lily gave the ball to', words: [' Tom', ' Lily'] },
};

/** Removes the output of a head. @param {[layer: number, head: number]} which */
const cut = ([layer, head]) => ({ hook: `blocks.${layer}.attn.hook_z`, head, scale: 0 });

/** The only token of a word. @param {Model} model @param {string} word */
const tokenOf = async (model, word) => Number((await model.encode(word)).at(-1));

/** @param {Model} model @param {Turns} turns @param {[number, number][]} heads */
async function showCuts(model, turns, heads) {
  const { layers, heads: perLayer } = model.info;
  const numbers = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => String(i));
  const table = new MatrixTable(element('cuts'), { caption: 'Change of m without each head', axes: ['layer', 'head'],
    rows: numbers(layers), columns: numbers(perLayer), digits: 2, shade: 'signed' });
  const show = turns.figure(async (/** @type {string} */ name) => {
    const { text, words } = QUESTIONS[/** @type {keyof typeof QUESTIONS} */ (name)];
    const ids = await model.encode(text);
    const [a, b] = await Promise.all(words.map((word) => tokenOf(model, word)));
    const of = { logitDifference: /** @type {[number, number]} */ ([a, b]) };
    const { clean, values } = await model.sweep(ids, heads.map((each) => [cut(each)]), { of });
    const changes = values.map((value) => value - clean);
    const strongest = changes.indexOf(Math.min(...changes));
    table.update(changes);
    showValues({ text, m: fixed(clean, 2), strongest: heads[strongest].join('.'),
      effect: fixed(changes[strongest], 2) });
  });
  addSelect(element('questions'), 'The next word', { she: 'she, not he', he: 'he, not she', ball: 'Tom, not Lily' },
    show).name = 'question';
  await show('she');
}

lesson(async () => {
  const drawing = new Drawing(element('drawing'), PATCH);
  showProgress('Loading the stories model.');
  const model = await load(MODEL);
  showProgress('Running the experiments.');
  const { layers, heads: perLayer, vocabulary } = model.info;
  const heads = Array.from({ length: layers * perLayer }, (_, i) =>
    /** @type {[number, number]} */ ([Math.floor(i / perLayer), i % perLayer]));
  showValues({ layers, heads: perLayer, vocabulary: grouped(vocabulary), guess: fixed(Math.log(vocabulary), 2) });
  const turns = new Turns();
  const twice = await twoCopies(model);
  await showJobs(model, turns, twice);
  await showChain(model, turns, twice, cut);
  await showCuts(model, turns, heads);
  await showPatches(model, turns, tokenOf, drawing);
  await showSteering(model, turns, tokenOf);
});
