/** Trains the toy GPT to count letters, a task that hand-set weights solve, too. */
import { schedules } from '../../lab/index.js';
import { largest } from '../models/choice.js';
import { initMicroGpt, toyGpt } from '../models/toy-gpt.js';
import { LENGTH, TOKENS, counts, everySequence } from '../tasks/histogram.js';

/**
 * @typedef {object} Data
 * @property {Int32Array[]} sequences  all sequences, [sequence][time]
 * @property {Int32Array[]} answers    counts, [sequence][time]
 * @property {number[][]} withCount    indices of the sequences in which a letter occurs `count` times, [count]
 */

const TIME = LENGTH + 1;
const CLASSES = LENGTH + 1;
const BATCH = 32;
const STEPS = 10000;
/** Batch size of the validation. */
const AT_ONCE = 496;
/** Example of `watch`: 14 a, 9 b, 5 c and 2 d. */
const WATCHED = Int32Array.from([0, ...[14, 9, 5, 2].flatMap((count, i) => Array(count).fill(i + 1))]);

/** Concatenates arrays. @param {Int32Array[]} list */
const joined = (list) => Int32Array.from(list.flatMap((each) => Array.from(each)));

/** @type {import('../trainer.js').Recipe<Data, { ids: Int32Array, targets: Int32Array },
 *  Parameters<typeof initMicroGpt>[1]>} */
export default {
  name: 'histogram',
  summary: 'counts how often each letter occurs: one layer, one head, no positions',
  steps: STEPS,
  minutes: 4,
  data() {
    const sequences = everySequence();
    const answers = sequences.map(counts);
    const withCount = Array.from({ length: CLASSES }, (_, count) =>
      [...sequences.keys()].filter((s) => answers[s].includes(count)));
    return { sequences, answers, withCount };
  },
  config: () => ({ channels: 32, keyChannels: 64, hidden: 128, classes: CLASSES }),
  weights: initMicroGpt,
  // Most sequences have small counts. Drawing the count first makes large counts as frequent.
  batch({ sequences, answers, withCount }, random) {
    const drawn = Array.from({ length: BATCH }, () => {
      const candidates = withCount[1 + Math.floor(random() * LENGTH)];
      return candidates[Math.floor(random() * candidates.length)];
    });
    return { ids: joined(drawn.map((s) => sequences[s])), targets: joined(drawn.map((s) => answers[s])) };
  },
  loss: (lab, weights, _, { ids, targets }) =>
    lab.crossEntropy(toyGpt(lab, weights, ids, { batch: BATCH, time: TIME }).output, targets),
  rate: schedules.cosine({ rate: 0.005, warmup: 50, total: STEPS }),
  adamW: { weightDecay: 0 },
  clip: 1,
  *validate(lab, weights, _, { sequences, answers }) {
    let tokens = 0;
    let exact = 0;
    for (let from = 0; from < sequences.length; from += AT_ONCE) {
      const batch = sequences.slice(from, from + AT_ONCE);
      const best = lab.evaluate(() =>
        largest(toyGpt(lab, weights, joined(batch), { batch: batch.length, time: TIME }).output.data, CLASSES));
      batch.forEach((_sequence, b) => {
        const right = answers[from + b].filter((count, t) => count === best[b * TIME + t]).length;
        tokens += right;
        exact += Number(right === TIME);
      });
      yield;
    }
    return { accuracy: tokens / (sequences.length * TIME), exact: exact / sequences.length };
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
