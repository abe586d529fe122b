/** A date or a sentence, translated by a Transformer and beside it by a recurrent model: the map of each head across,
 *  the beam that both follow, and a pass over the whole output at once. */
import { countParameters, lab } from '../../js/lab/index.js';
import { score } from '../../js/train/beam.js';
import { LENGTH_PENALTY, decode, encode } from '../../js/train/models/transformer-seq2seq.js';
import { BEGIN, END, padded } from '../../js/train/tasks/vocabulary.js';
import { choice } from './kit/controls.js';
import { Dates, across, largest, openModelOf } from './kit/translation.js';
import { modelChoice } from './kit/model-select.js';
import { fixed, grouped, short } from './kit/format.js';
import { $, lesson, say } from './kit/page.js';
import { paddingFigure } from './10-encoder-decoder-padding.js';

/** @typedef {import('./kit/translation.js').Model} Model */
/** @typedef {import('./kit/translation.js').Translation} Translation */
/** @typedef {import('../../js/train/models/attended.js').Place} Place */
const TASKS = { 'dates': 'dates', 'spa-eng': 'English to Spanish' };
/** @type {Record<string, import('./kit/translation.js').Asked>} */
const ASKED = {
  'spa-eng': {
    label: 'A short English sentence',
    examples: ['She is reading a book.', 'Where is the train?', 'I am not happy.', 'Tom has a black dog.',
      'What time does the train leave?', 'The old man is tired.'],
    longest: 60,
  },
};
/** Whose queries and whose keys. @type {Record<string, string>} */
const ATTENTIONS = { 'decoder.cross_attn': 'decoder to encoder', 'decoder.attn': 'decoder to itself',
  'encoder.attn': 'encoder to itself' };
const BEAMS = { 1: '1, greedy', 2: '2', 4: '4' };

/** Names of so many things, by index. @param {number} count */
const numbered = (count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [i, String(i)]));

lesson(async () => {
  const l = await lab();
  /** @type {Model} */ let model;
  /** The recurrent one. @type {Model} */ let beside;
  let beam = 1;
  /** The map that is looked at. @type {{ of: Place, layer: number, head: number }} */
  const looked = { of: 'decoder.cross_attn', layer: 0, head: 0 };
  const showPadding = paddingFigure(l);

  /** What the decoder expects after each symbol of its own translation.
   *  @param {Translation} of */
  function atOnce({ source, ids, target }) {
    const { weights, config } = model;
    const read = source.map((symbol) => config.source.indexOf(symbol));
    showPadding(model, read);
    const between = config.units === 'words' ? ' ' : '';
    l.evaluate(() => {
      const encoded = encode(l, weights, config, padded([read]));
      const { logits } = decode(l, weights, config, encoded, padded([[BEGIN, ...ids]]));
      const loss = l.crossEntropy(logits, [...ids, END]);
      const symbols = config.target.length;
      const expected = Array.from({ length: ids.length + 1 }, (_, i) =>
        config.target[largest(logits.data.subarray(i * symbols, (i + 1) * symbols))]);
      say({ input: [config.target[BEGIN], ...target].join(between), expected: expected.join(between),
        loss: loss.item().toPrecision(2), 'T': ids.length, 'T-bar': read.length });
    });
  }

  /** @param {string} text */
  async function translateBeside(text) {
    const asked = beside;
    const recurrent = await beside.translate(text, { beam });
    if (asked !== beside) return; // another task was chosen meanwhile
    /** @type {import('./kit/translation.js').AttentionMap} */ ($('recurrent-map')).data = across(recurrent);
    say({ recurrent: recurrent.text, 'recurrent-probability': short(Math.exp(recurrent.logprob), 4) });
  }

  /** @param {Translation} translation @param {string} text */
  function translated(translation, text) {
    atOnce(translation);
    const ended = translation.ids.length < model.config.longest;
    say({ beam, alpha: LENGTH_PENALTY, score: fixed(score({ ...translation, ended }, LENGTH_PENALTY), 3) });
    return translateBeside(text);
  }

  const dates = new Dates(translated, () => {});
  choice($('beams'), 'Beam', BEAMS, (value) => {
    beam = Number(value);
    dates.follow(beam);
  });
  const open = (/** @type {string} */ task, /** @type {(words: string) => void} */ tell) =>
    Promise.all(['transformer', 'bahdanau'].map((kind) => openModelOf(l, `${task}-${kind}`, tell)));
  await modelChoice($('models'), 'Translates', TASKS, open, ([transformer, recurrent], task) => {
    [model, beside] = [transformer, recurrent];
    const { weights, config: { layers, heads } } = model;
    say({ weights: grouped(countParameters(weights)), layers, heads,
      'recurrent-weights': grouped(countParameters(beside.weights)) });
    $('controls').replaceChildren();
    Object.assign(looked, { layer: layers - 1, head: 0 });
    /** @param {'of' | 'layer' | 'head'} part @param {string} label @param {Record<string, string>} names */
    const look = (part, label, names) => {
      choice($('controls'), label, names, (value) => {
        Object.assign(looked, { [part]: part === 'of' ? value : Number(value) });
        dates.look();
        say({ layer: looked.layer, head: looked.head });
      }).value = String(looked[part]);
    };
    look('of', 'Attention', ATTENTIONS);
    look('layer', 'Layer', numbered(layers));
    look('head', 'Head', numbered(heads));
    say({ layer: looked.layer, head: looked.head });
    return dates.use(model, ASKED[task], (translation) => translation.attention(looked));
  });
});
