/**
 * Stage 2 of the default model. It continues from stories-base, whose data was sampled from another small model, and
 * adds real stories. The fraction of real stories grows while the learning rate falls.
 *
 * The data rewards copying. Most names are rare, and tools/stories/prepare.py draws new names for each copy of a story.
 * Some windows are repeated random tokens.
 */
import { randomFrom } from '../../lab/index.js';
import { fromGguf } from '../models/causal-lm-gguf.js';
import * as lm from '../models/causal-lm.js';
import base, { END, config, modelFile, readIds, startsOf } from './stories-base.js';

/** @typedef {import('../../lab/index.js').Lab} Lab */
/** @typedef {import('../../lab/index.js').Weights} Weights */
/** @typedef {{ ids: Uint16Array, starts: number[] }} Stories */
/** @typedef {{ tokenizer: import('./stories-base.js').TokenizerJson, bulk: Stories, real: Stories,
 *    validation: Uint16Array, validationReal: Uint16Array, start: Record<string, Float32Array> }} Data */
/** keys: for each query, the key that a guided head should attend to, [batch·time]
 *  @typedef {lm.Batch & { keys: Record<string, Int32Array> | null }} Batch */

const STEPS = 2600;
const WARM_UP = 40;
/** Length of the final phase, in which the learning rate falls to zero. One of EACH steps uses the full context. */
const DECAY = 1800;
const EACH = 10;
const RATE = 1e-3;
/** Tokens per step, and the lengths of short windows and of the full context. */
const TOKENS = 2048;
const WINDOW = 256;
const CONTEXT = 1024;
/** Validation windows of each kind of story. All windows would take as long as fifty steps. */
const VALIDATION_WINDOWS = 120;
/** Fractions by phase: real stories among the story windows, and repeated random tokens among all windows. */
const GUIDED = { real: 0.8, repeated: 0.25 };
const EARLY = { real: 0.8, repeated: 0.1 };
const FINAL = { real: 0.95, repeated: 0.04 };

/**
 * Number of first steps that also guide the attention of some heads, by a cross-entropy over the keys (Deshpande and
 * Narasimhan 2020). One head learns to attend to the previous token. Two heads learn, in windows of repeats, to attend
 * to the token after the last occurrence of the same token. Together they form an induction circuit (Elhage et al.
 * 2021), which emerges without guidance only in a much longer training. Later steps have the next-token loss alone.
 */
const GUIDED_STEPS = 240;
const GUIDES = [
  { layer: 2, head: 2, keys: 'previous' },
  { layer: 3, head: 3, keys: 'induction' },
  { layer: 3, head: 5, keys: 'induction' },
];
/** Target of an unguided query. */
const NO_KEY = -1;

/** Recommended in the file: without the penalty, stories of a model of this size repeat whole phrases. */
const SAMPLING = { repeatPenalty: 1.2 };

const PREPARED = 'tools/stories/prepare.py, which makes it from stories.txt.gz, stories-2.txt.gz and names.txt';

/** @param {number} step */
const isFalling = (step) => step >= STEPS - DECAY;

/** @param {() => number} random @param {number} below */
const draw = (random, below) => Math.floor(random() * below);

/**
 * Repeated random tokens: one block again and again, or a few phrases in random order. Only copying predicts them.
 * @param {() => number} random @param {number} vocabulary @param {number} length
 */
export function repeated(random, vocabulary, length) {
  const tokens = (/** @type {number} */ n) => Array.from({ length: n }, () => 1 + draw(random, vocabulary - 1));
  const isBlock = random() < 0.5;
  const phrases = isBlock ? [tokens(16 + draw(random, length / 3))]
    : Array.from({ length: 3 + draw(random, 6) }, () => tokens(3 + draw(random, 10)));
  const ids = [END];
  while (ids.length < length) ids.push(...phrases[draw(random, phrases.length)]);
  return Uint16Array.from(ids.slice(0, length));
}

/** Some tokens from the start of a story.
 *  @param {Stories} stories @param {() => number} random @param {number} length */
export function drawWindow({ ids, starts }, random, length) {
  for (;;) {
    const start = starts[draw(random, starts.length)];
    if (start + length <= ids.length) return ids.subarray(start, start + length);
  }
}

/** A batch of texts of time + 1 tokens. @param {Uint16Array[]} texts @param {number} time */
export function windowsOf(texts, time) {
  const joined = new Uint16Array(texts.length * (time + 1));
  texts.forEach((text, i) => joined.set(text, i * (time + 1)));
  return lm.windows(joined, texts.map((_, i) => i * (time + 1)), time);
}

/** Windows that start at a story, and windows of repeated tokens.
 *  @param {Data} data @param {() => number} random @param {number} step
 *  @returns {Batch} */
function batch({ tokenizer, bulk, real }, random, step) {
  const time = isFalling(step) && step % EACH === 0 ? CONTEXT : WINDOW;
  const isGuided = step < GUIDED_STEPS;
  const fractions = isGuided ? GUIDED : isFalling(step) ? FINAL : EARLY;
  const vocabulary = Object.keys(tokenizer.model.vocab).length;
  const isRepeated = Array.from({ length: TOKENS / time }, () => random() < fractions.repeated);
  const texts = isRepeated.map((repeats) => {
    if (repeats) return repeated(random, vocabulary, time + 1);
    return drawWindow(random() < fractions.real ? real : bulk, random, time + 1);
  });
  const windows = windowsOf(texts, time);
  return { ...windows, keys: isGuided ? guides(windows.inputs, isRepeated) : null };
}

/**
 * The key that each query of a guided head should attend to.
 * @param {Int32Array} inputs [batch·time] @param {boolean[]} isRepeated one per window
 */
function guides(inputs, isRepeated) {
  const time = inputs.length / isRepeated.length;
  const previous = inputs.map((_, i) => (i % time === 0 ? NO_KEY : i % time - 1));
  const induction = new Int32Array(inputs.length).fill(NO_KEY);
  isRepeated.forEach((repeats, window) => {
    const last = new Map();
    for (let t = 0; repeats && t < time; t++) {
      const id = inputs[window * time + t];
      induction[window * time + t] = last.has(id) ? last.get(id) + 1 : NO_KEY;
      last.set(id, t);
    }
  });
  return { previous, induction };
}

/** Next-token loss; guided steps add the loss of the guided heads. @param {Lab} lab @param {Weights} weights
 *  @param {lm.Config} sizes @param {Batch} batch */
function loss(lab, weights, sizes, { inputs, targets, batch: windows, keys }) {
  /** @type {import('../../lab/index.js').Tensor[]} */
  const scores = [];
  let sum = lab.crossEntropy(lm.logits(lab, weights, sizes, inputs, windows, keys && scores), targets);
  for (const { layer, head, keys: name } of keys ? GUIDES : []) {
    const wanted = /** @type {NonNullable<typeof keys>} */ (keys)[name];
    if (wanted.every((key) => key === NO_KEY)) continue;
    const row = lab.slice(scores[layer], 1, head, head + 1);
    sum = lab.add(sum, lab.crossEntropy(row, wanted, { ignore: NO_KEY }));
  }
  return sum;
}

/** Loss in nats per token on the second occurrence of random tokens. @param {Lab} lab @param {Weights} weights
 *  @param {lm.Config} config */
function copyLoss(lab, weights, config) {
  const texts = 8;
  const half = 64;
  const random = randomFrom(1);
  const block = () => Array.from({ length: half }, () => 1 + draw(random, config.vocabulary - 1));
  const ids = Array.from({ length: texts }, block).flatMap((tokens) => [END, ...tokens, ...tokens]);
  const { inputs, targets } = lm.windows(Uint16Array.from(ids), Array.from({ length: texts },
    (_, i) => i * (2 * half + 1)), 2 * half);
  const z = lab.slice(lm.logits(lab, weights, config, inputs, texts), 1, half + 1, 2 * half);
  const again = targets.filter((_, i) => i % (2 * half) > half);
  return lab.crossEntropy(z, again).item();
}

/** @type {import('../trainer.js').Recipe<Data, Batch, import('./stories-base.js').Config>} */
export default {
  name: 'stories-real',
  summary: 'stage 2 of the default model: real stories and rare names (hours)',
  steps: STEPS,
  minutes: 130,
  files: [
    { name: 'stories-base.gguf', what: 'the model to continue from', from: 'heed train stories-base' },
    { name: 'tokenizer.json', what: 'a vocabulary of stories', from: PREPARED },
    { name: 'bulk.npy', what: 'sampled stories as ids', from: PREPARED },
    { name: 'real.npy', what: 'real stories as ids', from: PREPARED },
    { name: 'validation.npy', what: 'held-out sampled stories', from: PREPARED },
    { name: 'validation-real.npy', what: 'held-out real stories', from: PREPARED },
  ],
  async data(files) {
    const read = (/** @type {string} */ name) => readIds(files[name], name);
    const [bulk, real] = ['bulk.npy', 'real.npy'].map(read).map((ids) => ({ ids, starts: startsOf(ids) }));
    const tokenizer = JSON.parse(new TextDecoder().decode(files['tokenizer.json']));
    return {
      tokenizer, bulk, real,
      validation: read('validation.npy'),
      validationReal: read('validation-real.npy'),
      start: await fromGguf(files['stories-base.gguf'], config({ tokenizer })),
    };
  },
  config,
  weights(lab, sizes, { start }) {
    const all = lm.weights(lab, sizes);
    for (const [name, weight] of Object.entries(all)) weight.set(start[name]);
    return all;
  },
  batch,
  loss,
  rate: (step) => RATE * Math.min(1, (step + 1) / WARM_UP, (STEPS - step) / DECAY),
  adamW: base.adamW,
  clip: base.clip,
  every: 600,
  *validate(lab, weights, sizes, { validation, validationReal }) {
    const copy = copyLoss(lab, weights, sizes);
    yield;
    const some = (/** @type {Uint16Array} */ ids) =>
      lm.textLoss(lab, weights, sizes, ids.subarray(0, VALIDATION_WINDOWS * WINDOW + 1), { time: WINDOW, batch: 8 });
    const real = yield* some(validationReal);
    const bulk = yield* some(validation);
    return { real, bulk, copy };
  },
  goal: { figure: 'real', atMost: 2.1405 },
  gguf: (weights, sizes, type) => modelFile(weights, sizes, type, SAMPLING),
};
