/** A date or a sentence, translated by a Transformer and by a recurrent model. The lesson shows the map of each head,
 *  beam search, and the loss of the whole output in one pass. */
import '../elements/define/attention-lines.js';
import { countParameters, lab } from '../../js/lab/index.js';
import { score } from '../../js/model/beam.js';
import { LENGTH_PENALTY, decode, encode } from '../../js/train/models/transformer-seq2seq.js';
import { BEGIN, END, padded } from '../../js/train/tasks/vocabulary.js';
import { headNumbers } from './10-encoder-decoder-numbers.js';
import { paddingFigure } from './10-encoder-decoder-padding.js';
import { stepsFigure } from './10-encoder-decoder-steps.js';
import { MODEL, PAIRS, WAITING } from './drawings/10-encoder-decoder.js';
import { addSelect } from './kit/controls.js';
import { TranslationCuts } from './kit/cuts.js';
import { Drawing } from './kit/drawing.js';
import { fixed, grouped, trimmed } from './kit/format.js';
import { addModelSelect } from './kit/model-select.js';
import { argmax } from './kit/numbers.js';
import { element, lesson, showValues } from './kit/page.js';
import { ONLY_HEAD, TranslationField, crossAttention, openTranslator } from './kit/translation.js';

/** @typedef {import('./kit/translation.js').Model} Model */
/** @typedef {import('./kit/translation.js').Translation} Translation */
/** @typedef {import('../../js/train/models/attended.js').Place} Place */
const TASKS = { 'dates': 'dates', 'spa-eng': 'English to Spanish' };
/** @type {Record<string, import('./kit/translation.js').Input>} */
const INPUTS = {
  'spa-eng': {
    label: 'A short English sentence',
    examples: ['She is reading a book.', 'Where is the train?', 'I am not happy.', 'Tom has a black dog.',
      'What time does the train leave?', 'The old man is tired.'],
    longest: 60,
  },
};
/** Names of the self-attentions, by their place in the model. @type {Record<string, string>} */
const SELF_ATTENTIONS = { 'decoder.attn': 'decoder to itself', 'encoder.attn': 'encoder to itself' };
const BEAMS = { 1: '1, greedy', 2: '2', 4: '4' };

/** The mean of the largest weights of the rows of a map.
 *  @param {import('../elements/attention-map.js').AttentionMapData} map */
function sharpness({ data, queries, keys }) {
  const largest = Array.from({ length: queries }, (_, i) => Math.max(...data.subarray(i * keys, (i + 1) * keys)));
  return largest.reduce((sum, weight) => sum + weight, 0) / queries;
}

/** Options 0, 1, 2 … of a select. @param {number} count */
const numbered = (count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [i, String(i)]));

lesson(async () => {
  const drawing = new Drawing(element('drawing'), MODEL);
  const pairs = new Drawing(element('drawing-training'), PAIRS);
  new Drawing(element('drawing-waiting'), WAITING);
  const l = await lab();
  /** @type {Model} */ let model;
  /** The recurrent model. @type {Model} */ let recurrentModel;
  /** @type {import('./kit/translation.js').AttentionMap} */
  const recurrentMap = element('recurrent-map');
  let beam = 1;
  /** The map of cross-attention; null until the head with the sharpest rows is known.
   *  @type {{ of: Place, layer: number, head: number } | null} */
  let crossing = null;
  /** The map of self-attention. @type {{ of: Place, layer: number, head: number }} */
  const self = { of: 'decoder.attn', layer: 0, head: 0 };
  /** @type {import('./kit/translation.js').AttentionMap} */
  const selfMap = element('self-map');
  /** @type {import('../elements/attention-lines.js').HeedAttentionLines} */
  const lines = element('lines');
  /** @type {import('../elements/attention-lines.js').HeedAttentionLines} */
  const selfLines = element('self-lines');
  /** @type {Translation | null} */ let shown = null;
  const showPadding = paddingFigure(l);
  stepsFigure(l);

  /** Shows the symbol that the decoder predicts after each symbol of its own translation.
   *  @param {Translation} of */
  function showOnePass({ source, ids, target }) {
    const { weights, config } = model;
    const read = source.map((symbol) => config.source.indexOf(symbol));
    showPadding(model, read);
    const between = config.units === 'words' ? ' ' : '';
    l.evaluate(() => {
      const encoded = encode(l, weights, config, padded([read]));
      const { logits } = decode(l, weights, config, encoded, padded([[BEGIN, ...ids]]));
      const loss = l.crossEntropy(logits, [...ids, END]);
      const symbols = config.target.length;
      const wanted = [...ids, END];
      const probabilities = l.softmax(logits).data;
      const boxes = [0, 1, ids.length].map((at, i) => [`p${i + 1}`, { rows: [`p(${config.target[wanted[at]]})`],
        columns: ['correct'], data: [probabilities[at * symbols + wanted[at]]], shade: 'weight' }]);
      pairs.show({ ...Object.fromEntries(boxes), L: { data: [loss.item()], rows: ['loss'], columns: ['nats'] } });
      const expected = Array.from({ length: ids.length + 1 }, (_, i) =>
        config.target[argmax(logits.data.subarray(i * symbols, (i + 1) * symbols))]);
      showValues({ input: [config.target[BEGIN], ...target].join(between), expected: expected.join(between),
        loss: loss.item().toPrecision(2), 'T': ids.length, 'T-bar': read.length });
    });
  }

  /** @param {string} text */
  async function translateBeside(text) {
    const asked = recurrentModel;
    const recurrent = await recurrentModel.translate(text, { beam });
    if (asked !== recurrentModel) return; // the reader chose another task meanwhile
    recurrentMap.data = crossAttention(recurrent);
    showValues({ recurrent: recurrent.text, 'recurrent-probability': trimmed(Math.exp(recurrent.logprob), 4) });
  }

  /** A select for a part of the chosen map. @template {{ of: Place, layer: number, head: number }} C
   *  @param {string} id of the controls @param {C} choice @param {keyof C & string} part @param {string} label
   *  @param {Record<string, string>} names @param {() => void} redraw */
  function addMapSelect(id, choice, part, label, names, redraw) {
    const select = addSelect(element(id), label, names, (value) => {
      Object.assign(choice, { [part]: part === 'of' ? value : Number(value) });
      redraw();
    });
    Object.assign(select, { name: id === 'self' && part !== 'of' ? `self-${part}` : '', value: choice[part] });
  }

  /** The cross-attention of the chosen head, which the drawing shows too. @param {Translation} translation */
  function crossMap(translation) {
    const map = chosenMap(translation);
    lines.data = map;
    drawing.show({ ...headNumbers(l, model, translation, map), A: { data: map.data,
      rows: map.queryTokens ?? map.queries, columns: map.tokens, shade: 'weight' } });
    return map;
  }

  /** With the first translation of a model it shows the size and the choices of this model, so that they change
   *  together with the map. At first it chooses the head with the sharpest rows. @param {Translation} translation */
  function chosenMap(translation) {
    if (crossing) return translation.attention(crossing);
    const { weights, config: { layers, heads } } = model;
    showValues({ weights: grouped(countParameters(weights)), layers, heads,
      'recurrent-weights': grouped(countParameters(recurrentModel.weights)) });
    Object.assign(self, { layer: 0, head: 0 });
    addMapSelect('self', self, 'of', 'Attention', SELF_ATTENTIONS, showSelf);
    addMapSelect('self', self, 'layer', 'Layer of self-attention', numbered(layers), showSelf);
    addMapSelect('self', self, 'head', 'Head of self-attention', numbered(heads), showSelf);
    const all = Array.from({ length: layers * heads }, (_, i) =>
      ({ of: /** @type {Place} */ ('decoder.cross_attn'), layer: Math.floor(i / heads), head: i % heads }));
    const sharp = all.map((each) => sharpness(translation.attention(each)));
    const choice = all[argmax(sharp)];
    crossing = choice;
    const say = () => showValues({ layer: choice.layer, head: choice.head });
    const redraw = () => {
      field.redrawMap();
      say();
      void cuts.changed();
    };
    addMapSelect('cross', choice, 'layer', 'Layer', numbered(layers), redraw);
    addMapSelect('cross', choice, 'head', 'Head', numbered(heads), redraw);
    showValues({ sharpest: fixed(Math.max(...sharp), 2) });
    say();
    return translation.attention(choice);
  }

  function showSelf() {
    if (shown) selfMap.data = selfLines.data = shown.attention(self);
    cuts.mark();
  }

  /** @param {Translation} translation @param {string} text */
  function translated(translation, text) {
    shown = translation;
    showSelf();
    showOnePass(translation);
    const ended = translation.ids.length < model.config.longest;
    showValues({ beam, lambda: LENGTH_PENALTY, score: fixed(score({ ...translation, ended }, LENGTH_PENALTY), 3) });
    return translateBeside(text);
  }

  const field = new TranslationField(element('date'), element('map'), { onTranslate: translated });
  const crossed = () => crossing ?? ONLY_HEAD();
  const cuts = new TranslationCuts(element('cuts'), field, crossed);
  cuts.addMapOf(element('map'), crossed, { heads: true });
  cuts.addMapOf(selfMap, () => self, { heads: true, attention: 'self-attention', controls: element('self-cut') });
  addSelect(element('beams'), 'Beam', BEAMS, (value) => {
    beam = Number(value);
    return field.setBeam(beam);
  });
  const open = (/** @type {string} */ task, /** @type {(message: string) => void} */ onProgress) =>
    Promise.all(['transformer', 'bahdanau'].map((kind) => openTranslator(l, `${task}-${kind}`, onProgress)));
  await addModelSelect(element('models'), 'Translates', TASKS, open, ([transformer, recurrent], task) => {
    model = transformer;
    recurrentModel = recurrent;
    crossing = null;
    shown = null;
    cuts.clear();
    for (const id of ['cross', 'self']) element(id).replaceChildren();
    return field.setModel(model, INPUTS[task], crossMap);
  });
});
