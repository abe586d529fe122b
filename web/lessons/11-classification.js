/** A sentence, the attention of the classifier's learned query, and the contribution of each word. */
import '../elements/define/attention-map.js';
import { lab } from '../../js/lab/index.js';
import { encode, textBatch } from '../../js/train/models/classifier.js';
import { cutting } from '../../js/train/models/cuts.js';
import { openModel } from '../../js/train/models/index.js';
import { wordsOf } from '../../js/train/models/words.js';
import { tokenLabel } from '../draw/token.js';
import { h } from '../elements/dom.js';
import { CLASSIFIER } from './drawings/11-classification.js';
import { addSelect } from './kit/controls.js';
import { Cuts } from './kit/cuts.js';
import { Drawing } from './kit/drawing.js';
import { fetchModel } from './kit/fetch-model.js';
import { fixed, grouped, percent } from './kit/format.js';
import { MatrixTable } from './kit/matrix-table.js';
import { element, lesson, showValues } from './kit/page.js';

/** Characters of the longest accepted sentence; the training sentences were shorter. */
const LONGEST = 120;

const DENIED = 'The food was not good.';
const EXAMPLES = [
  'A charming little hotel with a beautiful garden.',
  'The story is thin, but the actors are wonderful.',
  'The waiter was friendly, but the food was terrible.',
  'The food was good.',
  DENIED,
  'The film is not boring.',
  'The film is not funny.',
  'They lost my suitcase and nobody apologised.', // words: allow (the spelling of the training data)
];
/** Sentences with a negation, and the negated adjective. */
const NEGATIONS = [{ text: DENIED, adjective: 'good' }, { text: 'The film is not boring.', adjective: 'boring' },
  { text: 'The film is not funny.', adjective: 'funny' }];
/** Edges of attention to cut, from the attending word to the attended word.
 *  @type {[name: string, cut: (from: string, to: string, adjective: string) => boolean][]} */
const CUTS = [
  ['nothing', () => false],
  ['adjective → not', (from, to, adjective) => from === adjective && to === 'not'],
  ['not → adjective', (from, to, adjective) => from === 'not' && to === adjective],
  ['both', (from, to, adjective) => [from, to].every((word) => ['not', adjective].includes(word)) && from !== to],
  ['others → adjective', (from, to, adjective) => to === adjective && from !== to],
];

/** Labels of an axis, shortened. @param {string[]} words */
const labelsOf = (words) => words.map((word) => tokenLabel(word, 16));
/** @type {import('./kit/cuts.js').Options} */
const NO_CUTS = { cuts: [], renormalize: false };
const NOTHING_CUT = 'No weight is cut.';
const names = (/** @type {string[]} */ list) => Object.fromEntries(list.map((name, i) => [i, name]));

lesson(async () => {
  const drawing = new Drawing(element('drawing'), CLASSIFIER);
  const l = await lab();
  const model = await openModel(l, await fetchModel('sentiment'));
  const { weights: w, config } = model;
  let block = 0;
  let head = 0;
  /** @type {ReturnType<typeof read> | null} */
  let current = null;

  /** @param {string[]} words @param {(from: string, to: string) => boolean} [isCut] the edges to cut
   *  @param {import('./kit/cuts.js').Options} [own] the reader's cuts */
  const read = (words, isCut = () => false, { cuts, renormalize } = NO_CUTS) => l.evaluate(() => {
    const edges = words.flatMap((from) => words.map((to) => isCut(from, to)));
    const mask = l.tensor(edges.map((cut) => (cut ? -Infinity : 0)), { query: words.length, key: words.length });
    const edit = cutting(l, cuts, renormalize);
    const { x: batch, maps } = encode(l, w, config, textBatch([words], config), { mask, edit });
    const x = l.slice(batch, 'batch', 0);
    const { output, pattern } = l.attention(w.query, x, x);
    const p = l.softmax(l.linear(output, w['head.weight'], w['head.bias']));
    const parts = l.mul(l.linear(x, w['head.weight']), l.reshape(pattern, { time: words.length, label: 1 }));
    const [complaint, praise] = [0, 1].map((label) => l.slice(parts, -1, label));
    const contributions = l.sub(praise, complaint);
    const effects = l.matmul(l.linear(x, w['head.weight']), l.tensor([-1, 1], { label: 2, difference: 1 }));
    return { words, p: p.data.slice(), alpha: pattern.data.slice(), contributions: contributions.data.slice(),
      effects: effects.data.slice(), sum: l.sum(contributions).item(),
      maps: maps.map((map) => map.pattern.data.slice()) };
  });

  const weights = new MatrixTable(element('weights'), { caption: 'The query’s weights', axes: ['', 'word'], rows: ['α'],
    shade: 'weight', digits: 2, max: 1 });
  const added = new MatrixTable(element('weights'), { caption: 'Contribution of each word', axes: ['', 'word'],
    rows: ['praise − complaint'], shade: 'signed', digits: 2 });
  const map = /** @type {import('../elements/index.js').HeedAttentionMap} */ (element('map'));

  /** @type {() => import('./kit/cuts.js').At} */
  const shown = () => ({ of: 'blocks.attn', layer: block, head });
  const toldCuts = h('p', { role: 'status' }, NOTHING_CUT);
  /** Classifies the sentence with the reader's cuts. */
  const own = new Cuts(element('own-cuts'), (options) => {
    if (!current || options.cuts.length === 0) {
      toldCuts.textContent = NOTHING_CUT;
      return;
    }
    const { p } = read(current.words, () => false, options);
    toldCuts.textContent = `${own.summary}: ${config.labels[p.indexOf(Math.max(...p))]}, p(praise) is ${fixed(p[1], 3)
    }. Without cuts it is ${fixed(current.p[1], 3)}.`;
  });
  own.addMap(map, own.controls, shown,
    () => current && { queries: current.words.length, keys: current.words.length }, { heads: true });
  element('own-cuts').append(toldCuts);

  function showMap() {
    if (!current) return;
    const { words } = current;
    const count = words.length;
    const data = current.maps[block].subarray(head * count ** 2, (head + 1) * count ** 2);
    map.data = { data, queries: count, keys: count, firstQuery: 0, tokens: words, layer: block, head, causal: false };
    own.mark();
    showValues({ largest: fixed(data.reduce((most, weight) => Math.max(most, weight), 0), 2), even: fixed(1 / count,
      2) });
  }

  /** @param {string} text */
  function show(text) {
    const characters = [...text].length;
    const words = characters > LONGEST ? [] : wordsOf(text);
    const refused = characters > LONGEST
      ? `This text has ${grouped(characters)} characters; the maximum is ${LONGEST}.` : 'This text has no words.';
    element('refused').textContent = words.length > 0 ? '' : `${refused} The figure still shows the sentence before.`;
    if (words.length === 0) return;
    current = read(words);
    const { alpha, contributions, p, sum } = current;
    const best = p.indexOf(Math.max(...p));
    const [no, yes] = w['head.bias'].data;
    weights.update(alpha, { columns: labelsOf(words) });
    added.update(contributions, { columns: labelsOf(words) });
    drawing.show({ alpha: { data: alpha, rows: ['α'], columns: labelsOf(words), shade: 'weight' },
      p: { data: p, rows: ['p'], columns: config.labels, shade: 'weight' } });
    showMap();
    void own.changed();
    showValues({
      label: config.labels[best],
      probability: fixed(p[best], 2),
      most: `“${words[alpha.indexOf(Math.max(...alpha))]}”`,
      sum: fixed(sum, 2),
      bias: fixed(yes - no, 2),
    });
  }

  const input = /** @type {HTMLInputElement} */ (element('text'));
  addSelect(element('controls'), 'A sentence', names(EXAMPLES), (value) => {
    input.value = EXAMPLES[Number(value)];
    show(input.value);
  }).name = 'sentence';
  const numbered = (/** @type {number} */ length) => names(Array.from({ length }, (_, i) => String(i)));
  addSelect(element('heads'), 'Block', numbered(config.blocks), (value) => {
    block = Number(value);
    showMap();
  });
  addSelect(element('heads'), 'Head', numbered(config.heads), (value) => {
    head = Number(value);
    showMap();
  });
  input.addEventListener('input', () => show(input.value));
  const { words, alpha, effects, maps: [first] } = read(wordsOf(DENIED));
  const denied = words.indexOf('good');
  const not = words.indexOf('not');
  const given = Array.from({ length: config.heads }, (_, i) => first[(i * words.length + denied) * words.length + not]);
  const most = Math.max(...given);
  const cuts = CUTS.map(([, cut]) => NEGATIONS.map(({ text, adjective }) => {
    const found = read(wordsOf(text), (from, to) => cut(from, to, adjective));
    return { praise: found.p[1], not: found.effects[found.words.indexOf('not')] };
  }));
  const tables = { axes: /** @type {[string, string]} */ (['cut', 'sentence']), rows: CUTS.map(([name]) => name),
    columns: NEGATIONS.map(({ adjective }) => `not ${adjective}`) };
  new MatrixTable(element('cuts'), { ...tables, caption: 'p(praise)', shade: 'weight', max: 1 })
    .update(cuts.flat().map(({ praise }) => praise));
  new MatrixTable(element('cuts'), { ...tables, caption: 'Wx of “not”', shade: 'signed', digits: 2 })
    .update(cuts.flat().map((found) => found.not));
  showValues({
    whole: fixed(cuts[0][0].praise, 3),
    'edge-cut': fixed(cuts[1][0].praise, 3),
    'adjective-says': fixed(effects[denied], 2),
    'adjective-alpha': fixed(alpha[denied], 2),
    'not-alpha': fixed(alpha[not], 2),
    'not-good': fixed(cuts[0][0].not, 2),
    'not-boring': fixed(cuts[0][1].not, 2),
    blocks: String(config.blocks),
    denied: DENIED,
    seeker: String(given.indexOf(most)),
    given: fixed(most, 2),
    negations: percent(model.figures.negations, 0),
    accuracy: percent(model.figures.accuracy, 0),
  });
  input.value = EXAMPLES[0];
  show(input.value);
});
