/** Exercises on the encoder–decoder. */
import { penalty } from '../../../js/model/beam.js';
import { openTranslator } from '../../../js/train/models/index.js';
import { decode, encode } from '../../../js/train/models/transformer-seq2seq.js';
import { normal } from '../../../js/lab/index.js';
import { BEGIN, padded } from '../../../js/train/tasks/vocabulary.js';
import { choice, code, number } from '../kit/answers.js';
import { fixed } from '../kit/format.js';

const DATE = 'the 3rd of may 1979';

/** @type {import('../kit/answers.js').Exercise[]} */
export default [
  {
    id: 'translate-shape', kind: 'choice', title: 'The shape of cross-attention',
    question: `The model reads “${DATE}”, which has ${DATE.length} symbols, and writes 1979-05-03, which has 10. `
      + `Which shape has one map of its cross-attention, [query × `
      + 'key]?',
    hints: ['Who asks: the text that is read, or the text that is written?', 'Rows are queries, columns are keys.'],
    async pose({ l, file }) {
      const { translate } = await openTranslator(l, await file('dates-transformer'));
      const { shape } = translate(DATE).cache['decoder.1.cross_attn.hook_pattern'];
      const [rows, columns] = shape.slice(-2);
      const read = DATE.length;
      return choice({
        options: [
          [`${read} × ${read}`, 'This is self-attention of the encoder.'],
          ['10 × 10', 'This is self-attention of the decoder.'],
          [`${read} × 10`, 'Then the input would ask and the output would answer. The decoder asks.'],
          [`10 × ${read}`, 'Each written symbol is a query with one row, and each row sums to 1 over the symbols that '
            + 'are read.'],
        ],
        right: rows === 10 ? (columns === read ? 3 : 1) : columns === read ? 0 : 2,
        solution: 'Queries come from the decoder, keys and values from the encoder. So a map has 10 rows and one '
          + 'column for each input symbol.',
      });
    },
  },
  {
    id: 'translate-sources', kind: 'code', title: 'Where queries, keys and values come from',
    question: 'Y has 3 vectors of the decoder, and memory has 5 vectors of the encoder. Complete cross-attention.',
    hints: ['The result must have one vector for each token of the decoder.',
      'What is averaged: what was read, or what was written?'],
    pose({ l, random }) {
      const data = { Y: normal(random, 12), memory: normal(random, 20) };
      const projections = [0, 1, 2].map(() => normal(random, 16));
      const options = ['Y', 'memory'];
      const wanted = 'Y memory memory';
      const run = (/** @type {string[]} */ chosen) => l.evaluate(() => {
        const [Q, K, V] = chosen.map((name, i) => {
          const of = /** @type {'Y' | 'memory'} */ (name);
          const x = l.tensor(data[of], { [i === 0 ? 'query' : 'key']: data[of].length / 4, feature: 4 });
          return l.linear(x, l.tensor(projections[i], [4, 4]));
        });
        const shapes = [Q, K, V].map((x) => x.axes.sizes[0]);
        if (shapes[1] !== shapes[2]) return { shapes, rows: 0, output: [] };
        const { output } = l.attention(Q, K, V);
        return { shapes, rows: output.axes.sizes[0], output: [...output.data] };
      });
      const right = run(wanted.split(' '));
      const gap = (/** @type {string} */ label) => ({ label, options });
      return code({
        parts: ['l.attention(l.linear(', gap('source of the queries'), ', W_Q), l.linear(', gap('source of the '
          + 'keys'), ', W_K), l.linear(',
          gap('source of the values'), ', W_V))'],
        run(chosen) {
          const { shapes, rows, output } = run(chosen);
          const same = output.length === right.output.length && output.every((value, i) => value === right.output[i]);
          return { correct: same, why: same ? 'The map is 3 × 5: each token of the decoder averages the memory.'
            : rows === 0 ? `There are ${shapes[1]} keys but ${shapes[2]} values. Each key needs its value, so both `
              + `come from one text.`
              : chosen[0] === chosen[1] ? `This is self-attention of ${chosen[0]}, with a map of ${shapes[0]} × `
                + `${shapes[1]}.`
                : `The result has ${rows} vectors. The decoder has 3 tokens and needs one for each.` };
        },
        right: ['Y', 'memory', 'memory'],
        wrong: [{ answer: ['Y', 'Y', 'Y'], why: 'self-attention of Y' }, { answer: ['memory', 'Y', 'Y'],
          why: 'The result has 5 vectors' },
          { answer: ['Y', 'memory', 'Y'], why: 'Each key needs its value' }],
        solution: 'Queries from Y, keys and values from memory.',
      });
    },
  },
  {
    id: 'translate-teacher', kind: 'predict', title: 'One pass, all predictions',
    question: 'In training the decoder reads ⟨begin⟩ 1 9 7 9 - 0 5 - 0, which are 10 symbols, and predicts 10 symbols '
      + 'in one pass. You replace the third input symbol, the 9. How many of the 10 predicted distributions change?',
    hints: ['The causal mask lets position i see the inputs 1 to i.',
      'The first input is ⟨begin⟩, and it predicts the first symbol.'],
    async pose({ l, file }) {
      const { weights, config, translate } = await openTranslator(l, await file('dates-transformer'));
      const { source, ids } = translate(DATE);
      const read = padded([source.map((symbol) => config.source.indexOf(symbol))]);
      const changed = (/** @type {number} */ at) => {
        const [before, after] = [0, 1].map((other) => l.evaluate(() => {
          const input = [BEGIN, ...ids].slice(0, 10)
            .map((id, i) => (other && i === at - 1 ? config.target.length - 1 - id % 2 : id));
          return decode(l, weights, config, encode(l, weights, config, read), padded([input])).logits.data.slice();
        }));
        const size = before.length / 10;
        return Array.from({ length: 10 }, (_, t) => t).filter((t) => before.subarray(t * size, (t + 1) * size)
          .some((value, i) => value !== after[t * size + i])).length;
      };
      return { ...number({
        label: 'Changed distributions', right: changed(3),
        why: 'Positions 3 to 10 see the third input. The first two do not, so one pass gives each position the same '
          + 'distribution as a pass of its own.',
        mistakes: [[10, 'Without the causal mask, yes. With it, positions 1 and 2 do not see the third input.'],
          [7, 'Count position 3 itself too: it sees the third input and predicts the symbol after it.'],
          [1, 'Later positions attend to the third input too.'], [2, 'These two stay the same.']],
        solution: 'Position i sees the inputs 1 to i. So the positions 3, 4, … 10 change: 8 distributions.',
      }), explore: { label: 'Replaced input', min: 2, max: 10, step: 1, value: 3,
        say: (at) => `Changed distributions: ${changed(at)} of 10.` } };
    },
  },
  {
    id: 'translate-penalty', kind: 'predict', title: 'Why long texts need help',
    question: 'A beam holds two complete translations. The short one has T = 1 and log p = −3. The long one has T = 7 '
      + 'and log p = −4. With λ = 1, by how much is the score log p / lp of the long one higher than the score of the '
      + 'short one?',
    hints: ['lp = ((5 + T)/6)^λ. For T = 1 it is 1.', 'For T = 7 it is 2.'],
    pose() {
      const gain = (/** @type {number} */ lambda) => -4 / penalty(7, lambda) + 3 / penalty(1, lambda);
      return { ...number({
        label: 'Difference of the scores', right: gain(1), tolerance: 0.01,
        why: 'The scores are −4/2 = −2 and −3/1 = −3. So the long text wins, although it is less probable.',
        mistakes: [[-1, 'Both are negative: −2 is higher than −3. Without the penalty the short one wins by 1.'],
          [-5, 'Divide each log p by its penalty before you subtract.'], [-2, 'This is the score of the long one.']],
        solution: 'lp(1) = 1 and lp(7) = 12/6 = 2. The scores are −3 and −2, so the long one is higher by 1.',
      }), explore: { label: 'λ', min: 0, max: 1.5, step: 0.1, value: 0, format: (value) => fixed(value, 1),
        say: (lambda) => `At λ = ${fixed(lambda, 1)} the long one has ${fixed(gain(lambda), 2)} `
          + `more${gain(lambda) < 0 ? ', so the short one wins' : ''}.` } };
    },
  },
];
