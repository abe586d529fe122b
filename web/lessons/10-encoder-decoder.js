/** A date, translated by a Transformer: the map of each head across, and a pass over the whole output at once. */
import { countParameters, lab } from '../../js/lab/index.js';
import { decode, encode } from '../../js/train/models/transformer-seq2seq.js';
import { BEGIN, END, padded } from '../../js/train/tasks/vocabulary.js';
import { choice } from './kit/controls.js';
import { Dates, largest, openModelOf } from './kit/dates.js';
import { grouped, short } from './kit/numbers.js';
import { $, lesson, say } from './kit/page.js';

/** Names of so many things, by index. @param {number} count */
const numbered = (count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [i, String(i)]));

lesson(async () => {
  const l = await lab();
  const model = await openModelOf(l, 'dates-transformer');
  const { weights, config } = model;
  const looked = { layer: config.layers - 1, head: 0 };

  /** What the decoder expects after each symbol of its own translation.
   *  @param {import('./kit/dates.js').Translation} of */
  function atOnce({ source, ids, text }) {
    const read = source.map((symbol) => config.source.indexOf(symbol));
    l.evaluate(() => {
      const encoded = encode(l, weights, config, padded([read]));
      const { logits } = decode(l, weights, config, encoded, padded([[BEGIN, ...ids]]));
      const loss = l.crossEntropy(logits, [...ids, END]);
      const symbols = config.target.length;
      const expected = Array.from({ length: ids.length + 1 }, (_, i) =>
        config.target[largest(logits.data.subarray(i * symbols, (i + 1) * symbols))]);
      say({ input: config.target[BEGIN] + text, expected: expected.join(''), loss: short(loss.item(), 5) });
    });
  }

  const dates = new Dates(atOnce, () => {});
  function look() {
    dates.look(looked.layer, looked.head);
    say(looked);
  }
  for (const [part, count] of /** @type {const} */ ([['layer', config.layers], ['head', config.heads]])) {
    choice($('controls'), part === 'layer' ? 'Layer' : 'Head', numbered(count), (value) => {
      looked[part] = Number(value);
      look();
    }).value = String(looked[part]);
  }
  look();
  dates.use(model);
  say({ weights: grouped(countParameters(weights)), layers: config.layers, heads: config.heads });
});
