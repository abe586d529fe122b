/** Histograms learned: the toy GPT finds by itself what can be set by hand. */
import { schedules } from '../../lab/index.js';
import { largest } from '../models/choice.js';
import { initMicroGpt, toyGpt } from '../models/toy-gpt.js';
import { LENGTH, TOKENS, counts, everySequence } from '../tasks/histogram.js';

/**
 * @typedef {object} Data
 * @property {Int32Array[]} sequences [sequence][time] every one there is
 * @property {Int32Array[]} answers   [sequence][time]
 * @property {number[][]} holding     [count] sequences, by number, in which a letter occurs so often
 */

const TIME = LENGTH + 1;
const CLASSES = LENGTH + 1;
const BATCH = 32;
const STEPS = 10000;
/** Sequences that a validation runs at once. */
const AT_ONCE = 496;
/** What is watched while the model learns: 14 a, 9 b, 5 c and 2 d. */
const WATCHED = Int32Array.from([0, ...[14, 9, 5, 2].flatMap((count, i) => Array(count).fill(i + 1))]);

/** @param {Int32Array[]} list of equally long arrays */
const joined = (list) => Int32Array.from(list.flatMap((each) => Array.from(each)));

/** @type {import('../trainer.js').Recipe<Data, { ids: Int32Array, targets: Int32Array },
 *  Parameters<typeof initMicroGpt>[1]>} */
export default {
  name: 'histogram',
  summary: 'says of every letter how often it occurs: one layer, one head, no positions',
  steps: STEPS,
  minutes: 4,
  data() {
    const sequences = everySequence();
    const answers = sequences.map(counts);
    const holding = Array.from({ length: CLASSES }, (_, count) =>
      [...sequences.keys()].filter((s) => answers[s].includes(count)));
    return { sequences, answers, holding };
  },
  config: () => ({ channels: 32, keyChannels: 64, hidden: 128, classes: CLASSES }),
  weights: initMicroGpt,
  // Most sequences hold small counts: a count is drawn first, so that the large ones are met as often.
  batch({ sequences, answers, holding }, random) {
    const drawn = Array.from({ length: BATCH }, () => {
      const among = holding[1 + Math.floor(random() * LENGTH)];
      return among[Math.floor(random() * among.length)];
    });
    return { ids: joined(drawn.map((s) => sequences[s])), targets: joined(drawn.map((s) => answers[s])) };
  },
  loss: (lab, weights, _, { ids, targets }) =>
    lab.crossEntropy(toyGpt(lab, weights, ids, { batch: BATCH, time: TIME }).output, targets),
  rate: schedules.cosine({ rate: 0.005, warmup: 50, total: STEPS }),
  adamW: { weightDecay: 0 },
  clip: 1,
  *validate(lab, weights, _, { sequences, answers }) {
    let [tokens, whole] = [0, 0];
    for (let from = 0; from < sequences.length; from += AT_ONCE) {
      const batch = sequences.slice(from, from + AT_ONCE);
      const best = lab.evaluate(() =>
        largest(toyGpt(lab, weights, joined(batch), { batch: batch.length, time: TIME }).output.data, CLASSES));
      batch.forEach((_sequence, b) => {
        const right = answers[from + b].filter((count, t) => count === best[b * TIME + t]).length;
        tokens += right;
        whole += Number(right === TIME);
      });
      yield;
    }
    return { accuracy: tokens / (sequences.length * TIME), exact: whole / sequences.length };
  },
  goal: { figure: 'exact', atLeast: 1 },
  watch(lab, weights) {
    const { output, pattern } = toyGpt(lab, weights, WATCHED, { batch: 1, time: TIME });
    return {
      tokens: Array.from(WATCHED, (id) => TOKENS[id]),
      layers: 1,
      heads: 1,
      causal: false,
      data: pattern.data.slice(),
      answer: Array.from(largest(output.data, CLASSES), String),
      wanted: Array.from(counts(WATCHED), String),
    };
  },
};
