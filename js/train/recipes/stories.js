/**
 * Stage 3 of the default model: short English stories for children. It continues from stories-real and learns to copy
 * more names. models/stories.gguf has 0.7 of the change (tools/stories/interpolate.js).
 *
 * Some windows are short exercises, whose names can only be copied (tools/stories/exercises.py). A name that occurred
 * before counts more in the loss than other tokens. One head is guided to attend to the last occurrence of a token.
 */
import * as lm from '../models/causal-lm.js';
import base, { END, readIds, startsOf } from './stories-base.js';
import storiesReal, { drawWindow, repeated, windowsOf } from './stories-real.js';

/** @typedef {import('../../lab/index.js').Lab} Lab */
/** @typedef {import('../../lab/index.js').Weights} Weights */
/** @typedef {import('./stories-real.js').Stories} Stories */
/** tokens: by id
 *  @typedef {import('./stories-real.js').Data & { exercises: Stories, tokens: string[] }} Data */
/** names: targets that are names from before, others NO_TARGET; keys: for each query, the key that the guided head
 *  should attend to, or NO_TARGET. Both are [batch·time].
 *  @typedef {lm.Batch & { names: Int32Array, keys: Int32Array, guide: number }} Batch */

const STEPS = 1800;
const WARM_UP = 50;
/** Length of the final phase, in which the learning rate falls to zero. */
const DECAY = 1400;
const RATE = 5e-4;
/** Tokens per step, and the lengths of short windows and of the full context. One of EACH steps uses the latter. */
const TOKENS = 2048;
const WINDOW = 256;
const CONTEXT = 1024;
const EACH = 10;

/** Fractions of exercises and of repeated random tokens among all windows, and of real stories among the others. */
const GUIDED = { exercises: 0.2, repeated: 0.15, real: 0.7 };
const LATER = { exercises: 0.12, repeated: 0.05, real: 0.7 };
/** Additional weight of the mean loss over names from before. */
const NAMES = 0.1;

/**
 * The head that learns to attend to the last occurrence of the same token (duplicate-token head; Wang et al. 2022). It
 * had no other job. Its queries are the tokens of repeats, and names that occurred before. The weight of the guide
 * falls after the first steps. It does not fall to zero, because the next-token loss alone does not keep the head.
 */
const GUIDE = { layer: 1, head: 4, steps: 300, first: 1, later: 0.05 };
const NO_TARGET = -1;

const LETTERS = /^Ġ?[A-Za-z]+$/;
const NAME = /^[A-Z][a-z]+$/;
/** Capitalized words that are not names, within a sentence. */
const NO_NAMES = new Set(['Mom', 'Mommy', 'Dad', 'Daddy', 'Mr', 'Mrs']);

/**
 * Which tokens belong to a name within a sentence that occurred before in the same story. A name within a sentence
 * follows a word in lower case or a comma. Its first token begins with a space, which byte-level BPE writes as Ġ.
 * @param {ArrayLike<number>} ids @param {string[]} tokens by id
 * @returns {boolean[]}
 */
export function namesFromBefore(ids, tokens) {
  const marks = new Array(ids.length).fill(false);
  const seen = new Set();
  let previous = '';
  for (let start = 0, end = 0; start < ids.length; start = end) {
    let word = tokens[ids[start]];
    end = start + 1;
    if (ids[start] === END) seen.clear();
    while (LETTERS.test(word) && end < ids.length && /^[A-Za-z]+$/.test(tokens[ids[end]])) word += tokens[ids[end++]];
    const name = word.replace('Ġ', '');
    if (NAME.test(name) && !NO_NAMES.has(name)) {
      if (word !== name && /([a-z]|,)$/.test(previous) && seen.has(name)) marks.fill(true, start, end);
      seen.add(name);
    }
    previous = word;
  }
  return marks;
}

/** Key of each query: the last earlier position of the same token in the same text.
 *  @param {ArrayLike<number>} ids @param {(position: number) => boolean} isQuery */
function lastOccurrences(ids, isQuery) {
  const last = new Map();
  return Array.from(ids, (id, t) => {
    if (id === END) last.clear();
    const key = isQuery(t) && last.has(id) ? last.get(id) : NO_TARGET;
    last.set(id, t);
    return key;
  });
}

/** Windows that start at a story or at an exercise, and windows of repeated tokens.
 *  @param {Data} data @param {() => number} random @param {number} step
 *  @returns {Batch} */
function batch({ tokens, bulk, real, exercises }, random, step) {
  const time = step % EACH === EACH - 1 ? CONTEXT : WINDOW;
  const isGuided = step < GUIDE.steps;
  const fractions = isGuided ? GUIDED : LATER;
  const texts = Array.from({ length: TOKENS / time }, () => {
    const kind = random();
    if (kind < fractions.repeated) return { ids: repeated(random, tokens.length, time + 1), repeats: true };
    const isExercise = kind < fractions.repeated + fractions.exercises;
    const stories = isExercise ? exercises : random() < fractions.real ? real : bulk;
    return { ids: drawWindow(stories, random, time + 1), repeats: false };
  });
  const windows = windowsOf(texts.map(({ ids }) => ids), time);
  const names = windows.targets.map(() => NO_TARGET);
  const keys = windows.targets.map(() => NO_TARGET);
  texts.forEach(({ ids, repeats }, i) => {
    const marks = namesFromBefore(ids, tokens);
    if (!repeats) {
      marks.slice(1).forEach((isName, t) => { if (isName) names[i * time + t] = windows.targets[i * time + t]; });
    }
    keys.set(lastOccurrences(ids.subarray(0, time), (t) => repeats || marks[t]), i * time);
  });
  return { ...windows, names, keys, guide: isGuided ? GUIDE.first : GUIDE.later };
}

/** Next-token loss, with the additional loss of names and of the guided head. @param {Lab} lab @param {Weights} weights
 *  @param {lm.Config} sizes @param {Batch} batch */
function loss(lab, weights, sizes, { inputs, targets, batch: windows, names, keys, guide }) {
  /** @type {import('../../lab/index.js').Tensor[]} */
  const scores = [];
  const z = lm.logits(lab, weights, sizes, inputs, windows, scores);
  let sum = lab.crossEntropy(z, targets);
  /** @param {import('../../lab/index.js').Tensor} rows @param {Int32Array} wanted @param {number} weight */
  const add = (rows, wanted, weight) => {
    if (wanted.every((target) => target === NO_TARGET)) return;
    sum = lab.add(sum, lab.scale(lab.crossEntropy(rows, wanted, { ignore: NO_TARGET }), weight));
  };
  add(z, names, NAMES);
  add(lab.slice(scores[GUIDE.layer], 1, GUIDE.head, GUIDE.head + 1), keys, guide);
  return sum;
}

const PREPARED = 'tools/stories/prepare.py, which makes it from names.txt';

/** @type {import('../trainer.js').Recipe<Data, Batch, import('./stories-base.js').Config>} */
export default {
  name: 'stories',
  summary: 'the default model: short English stories for children (an hour)',
  steps: STEPS,
  minutes: 60,
  files: [
    { name: 'stories-real.gguf', what: 'the model to continue from', from: 'heed train stories-real' },
    ...storiesReal.files?.filter(({ name }) => name !== 'stories-base.gguf') ?? [],
    { name: 'exercises.npy', what: 'exercises in copying names as ids', from: PREPARED },
  ],
  async data({ 'stories-real.gguf': start, ...files }) {
    const exercises = readIds(files['exercises.npy'], 'exercises.npy');
    const data = await storiesReal.data({ ...files, 'stories-base.gguf': start });
    const byId = Object.entries(data.tokenizer.model.vocab).sort(([, a], [, b]) => a - b);
    return { ...data, tokens: byId.map(([token]) => token),
      exercises: { ids: exercises, starts: startsOf(exercises) } };
  },
  config: storiesReal.config,
  weights: storiesReal.weights,
  batch,
  loss,
  rate: (step) => RATE * Math.min(1, (step + 1) / WARM_UP, (STEPS - step) / DECAY),
  adamW: base.adamW,
  clip: base.clip,
  every: STEPS,
  validate: storiesReal.validate,
  goal: { figure: 'real', atMost: 2.19 },
  gguf: storiesReal.gguf,
};
