/** An encoder whose lines show the words that “it” reads, and two models that repeat a text. */
import '../elements/define/attention-lines.js';
import { HeedError } from '../../js/errors.js';
import { countParameters, lab } from '../../js/lab/index.js';
import { openModel, openTranslator } from '../../js/train/models/index.js';
import { resolvePronoun } from '../../js/train/models/pronoun-encoder.js';
import { h } from '../elements/dom.js';
import { AVERAGE } from './drawings/00-why-attention.js';
import { addButton, addCheckbox, addSelect } from './kit/controls.js';
import { Drawing } from './kit/drawing.js';
import { fetchModel } from './kit/fetch-model.js';
import { fixed, grouped, percent } from './kit/format.js';
import { MatrixTable } from './kit/matrix-table.js';
import { element, lesson, showValues } from './kit/page.js';

/** Two sentences that differ in the last word, and the noun of each. */
const HUNGRY = { text: 'The cat ate the fish because it was hungry.', noun: 'cat' };
const DELICIOUS = { text: 'The cat ate the fish because it was delicious.', noun: 'fish' };
const EXAMPLES = [
  DELICIOUS.text,
  HUNGRY.text,
  'The animal did not cross the street because it was too tired.',
  'The animal did not cross the street because it was too wide.',
  'The trophy did not fit into the suitcase because it was too big.',
  'The trophy did not fit into the suitcase because it was too small.',
];
const LAST = HUNGRY.text.split(' ').length - 1;
/** Edges that are cut from “it”, by the position of the word that it may not read. */
const CUTS = [{ name: 'nothing', to: -1 }, { name: 'it → last word', to: LAST }, { name: 'it → cat', to: 1 },
  { name: 'it → fish', to: 4 }];
/** Texts that two models repeat. */
const TEXTS = ['hello', 'attention', 'attention is all you'];

/** @typedef {import('../../js/train/models/pronoun-encoder.js').Resolution} Resolution */
/** @typedef {import('../elements/index.js').HeedAttentionLines} HeedAttentionLines */

/** The strongest line from “it” in a block. @param {Resolution} read @param {number} block @param {number[]} heads */
function strongest(read, block, heads) {
  const { at, words } = read;
  const all = heads.flatMap((head) => Array.from(read.attention({ layer: block, head, queries: [at, at + 1] }).data,
    (weight, i) => ({ head, weight, word: words[i] })));
  return all.reduce((most, each) => (each.weight > most.weight ? each : most));
}

lesson(async () => {
  const drawing = new Drawing(element('drawing'), AVERAGE);
  const l = await lab();
  const model = await openModel(l, await fetchModel('it'));
  const heads = Array.from({ length: model.config.heads }, (_, i) => i);
  const lines = /** @type {HeedAttentionLines} */ (element('lines'));
  const input = /** @type {HTMLInputElement} */ (element('text'));
  let block = 0;
  let causal = false;

  /** Shows the average of the vectors of the first, second and last word, and of all between, by one head.
   *  @param {Resolution} read @param {number} head */
  function showAverage(read, head) {
    const { words, at } = read;
    const vectors = words.map((word) => {
      const { width, words: known } = model.config;
      return model.weights['words.weight'].data.slice(known.indexOf(word) * width, (known.indexOf(word) + 1) * width);
    });
    const { data: weights } = read.attention({ layer: block, head, queries: [at, at + 1] });
    const columns = vectors[0].length;
    const z = vectors[0].map((_, i) => vectors.reduce((sum, vector, j) => sum + weights[j] * vector[i], 0));
    /** @type {Record<string, import('./kit/drawing-picture.js').Numbers>} */ const numbers = {};
    for (const [name, j] of /** @type {const} */ ([['1', 0], ['2', 1], ['n', words.length - 1]])) {
      numbers[`v${name}`] = { data: vectors[j], rows: [words[j]], columns };
      numbers[`a${name}`] = { data: [weights[j]], rows: ['it'], columns: [words[j]], shade: 'weight' };
    }
    drawing.show({ ...numbers, z: { data: z, rows: ['it'], columns } });
  }

  function show() {
    const text = input.value;
    element('refused').textContent = '';
    try {
      const read = resolvePronoun(l, model, text, { causal });
      if (read.words.length === 1) throw new HeedError('bad-argument', 'The sentence needs more words than “it”.');
      lines.data = heads.map((head) => read.attention({ layer: block, head }));
      lines.select({ side: 'query', at: read.at });
      const [{ noun, probability }, second] = read.nouns;
      const most = strongest(read, block, heads);
      showAverage(read, most.head);
      showValues({ noun, probability: fixed(probability, 3), second: second.noun,
        'second-probability': fixed(second.probability, 3), block, strongest: most.word,
        'strongest-weight': fixed(most.weight, 2), 'strongest-head': most.head });
    } catch (error) {
      if (!(error instanceof HeedError)) throw error;
      element('refused').textContent = `${error.message} The figure still shows the sentence before.`;
    }
  }

  input.addEventListener('input', show);
  for (const text of EXAMPLES) {
    addButton(element('examples'), text, () => {
      input.value = text;
      show();
    });
  }
  addSelect(element('controls'), 'Block', { 0: '0', 1: '1' }, (value) => {
    block = Number(value);
    show();
  });
  addCheckbox(element('controls'), 'Only earlier words', false, (checked) => {
    causal = checked;
    show();
  });
  lines.max = 1;
  element('known').textContent = model.config.words.slice(1).join(', ');
  input.value = HUNGRY.text;
  show();

  const of = (/** @type {Resolution} */ { nouns }, /** @type {string} */ wanted) =>
    nouns.find(({ noun }) => noun === wanted)?.probability ?? 0;
  const sentences = [HUNGRY, DELICIOUS];
  const resolved = resolvePronoun(l, model, HUNGRY.text);
  const runs = CUTS.map(({ to }) => sentences.map(({ text }) =>
    resolvePronoun(l, model, text, { cut: (from, key) => key === to && from === resolved.at })));
  new MatrixTable(element('cuts'), { caption: 'p(right noun)', axes: ['cut', 'last word'], rows: CUTS.map(({ name }) =>
    name), columns: ['hungry', 'delicious'], shade: 'weight', max: 1 })
    .update(runs.flatMap((row) => row.map((run, i) => of(run, sentences[i].noun))));
  const [hungry, delicious] = sentences.map(({ text }) => resolvePronoun(l, model, text, { causal: true }).nouns[0]);
  const steps = [0, 1].map((each) => strongest(resolved, each, heads));
  showValues({
    weights: grouped(countParameters(model.weights)),
    exact: percent(model.figures.exact, 0),
    'first-word': steps[0].word,
    'first-weight': fixed(steps[0].weight, 2),
    'second-word': steps[1].word,
    'second-weight': fixed(steps[1].weight, 2),
    'without-last': `“${runs[1][0].nouns[0].noun}”`,
    'without-noun': `“${runs[2][0].nouns[0].noun}”`,
    'causal-hungry': `“${hungry.noun}”`,
    'causal-hungry-p': fixed(hungry.probability, 3),
    'causal-delicious': `“${delicious.noun}”`,
    'causal-delicious-p': fixed(delicious.probability, 3),
  });

  const plain = await openTranslator(l, await fetchModel('repeat-no-attention'));
  const attending = await openTranslator(l, await fetchModel('repeat-bahdanau'));
  const rows = TEXTS.map((text) => [text, ...[plain, attending].map(({ translate }) => translate(text).text)]);
  element('repeated').append(h('table', { class: 'numbers' },
    h('caption', {}, 'A text, read and written again'),
    h('thead', {}, h('tr', {}, ...['text', 'one vector', 'with attention'].map((name) =>
      h('th', { scope: 'col' }, name)))),
    h('tbody', {}, ...rows.map(([text, ...written]) => h('tr', {}, h('th', { scope: 'row' }, text),
      ...written.map((each) => h('td', { class: 'text' }, each)))))));
  showValues({ memory: 2 * plain.config.hidden });
});
