/** A date or a sentence, translated by a Transformer: the map of each head across, and a pass over the whole output at
 *  once. */
import { countParameters, lab } from '../../js/lab/index.js';
import { decode, encode } from '../../js/train/models/transformer-seq2seq.js';
import { BEGIN, END, padded } from '../../js/train/tasks/vocabulary.js';
import { choice } from './kit/controls.js';
import { Dates, largest, openModelOf } from './kit/dates.js';
import { modelChoice } from './kit/model-choice.js';
import { grouped, short } from './kit/numbers.js';
import { $, lesson, say } from './kit/page.js';

/** @typedef {import('./kit/dates.js').Model} Model */
const MODELS = { 'dates-transformer': 'dates', 'spa-eng-transformer': 'English to Spanish' };
/** @type {Record<string, import('./kit/dates.js').Asked>} */
const ASKED = {
  'spa-eng-transformer': {
    label: 'A short English sentence',
    examples: ['She is reading a book.', 'Where is the train?', 'I am not happy.', 'Tom has a black dog.',
      'We are going home tomorrow.', 'The old man is tired.'],
    longest: 60,
  },
};

/** Names of so many things, by index. @param {number} count */
const numbered = (count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [i, String(i)]));

lesson(async () => {
  const l = await lab();
  /** @type {Model} */ let model;

  /** What the decoder expects after each symbol of its own translation.
   *  @param {import('./kit/dates.js').Translation} of */
  function atOnce({ source, ids, target }) {
    const { weights, config } = model;
    const read = source.map((symbol) => config.source.indexOf(symbol));
    const between = config.units === 'words' ? ' ' : '';
    l.evaluate(() => {
      const encoded = encode(l, weights, config, padded([read]));
      const { logits } = decode(l, weights, config, encoded, padded([[BEGIN, ...ids]]));
      const loss = l.crossEntropy(logits, [...ids, END]);
      const symbols = config.target.length;
      const expected = Array.from({ length: ids.length + 1 }, (_, i) =>
        config.target[largest(logits.data.subarray(i * symbols, (i + 1) * symbols))]);
      say({ input: [config.target[BEGIN], ...target].join(between), expected: expected.join(between),
        loss: short(loss.item(), 5) });
    });
  }

  const dates = new Dates(atOnce, () => {});
  const looked = { layer: 0, head: 0 };
  function look() {
    dates.look(looked.layer, looked.head);
    say(looked);
  }
  await modelChoice($('models'), 'Translates', MODELS, (name, tell) => openModelOf(l, name, tell), (next, name) => {
    model = next;
    const { weights, config: { layers, heads } } = model;
    say({ weights: grouped(countParameters(weights)), layers, heads });
    $('controls').replaceChildren();
    Object.assign(looked, { layer: layers - 1, head: 0 });
    for (const [part, count] of /** @type {const} */ ([['layer', layers], ['head', heads]])) {
      choice($('controls'), part === 'layer' ? 'Layer' : 'Head', numbered(count), (value) => {
        looked[part] = Number(value);
        look();
      }).value = String(looked[part]);
    }
    dates.use(model, ASKED[name]);
    look();
  });
});
