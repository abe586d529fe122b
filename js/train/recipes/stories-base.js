/**
 * Stage 1 of the default model. It learns short English stories that another small model sampled.
 * tools/stories/prepare.py makes the data: a vocabulary, and the stories as token ids. tools/stories/train.py trains
 * the same model in PyTorch, with the same learning rate over fewer steps.
 */
import { HeedError } from '../../errors.js';
import { byteLevelTokenizer, toGguf } from '../models/causal-lm-gguf.js';
import * as lm from '../models/causal-lm.js';

/** @typedef {Parameters<typeof byteLevelTokenizer>[0]} TokenizerJson */
/** @typedef {{ tokenizer: TokenizerJson, train: Uint16Array, validation: Uint16Array, starts: number[] }} Data */
/** @typedef {lm.Config & { tokenizer: TokenizerJson }} Config */

const STEPS = 6400;
const WARM_UP = 200;
/** Length of the final phase, in which the learning rate falls to zero. One of EACH steps in it uses the full context.
 *  The model thus learns late positions while the rate is still high, and the loss does not jump. */
const DECAY = 2400;
const EACH = 8;
const RATE = 2.5e-3;
/** Tokens per step, and the lengths of short windows and of the full context. */
const TOKENS = 3072;
const WINDOW = 256;
const CONTEXT = 1024;
/** Id of the token that begins and ends a text. */
export const END = 0;

const PREPARED = 'tools/stories/prepare.py, which makes it from stories.txt.gz';

/** @param {{ tokenizer: TokenizerJson }} data @returns {Config} */
export const config = ({ tokenizer }) => ({
  form: 'llama', layers: 6, heads: 6, kvHeads: 2, width: 192, hidden: 512, context: CONTEXT,
  vocabulary: Object.keys(tokenizer.model.vocab).length, tokenizer,
});

/** Reads a one-dimensional uint16 array from an .npy file (NEP 1, version 1).
 *  @param {Uint8Array} file @param {string} name */
export function readIds(file, name) {
  const header = String.fromCharCode(...file.subarray(0, 10 + file[8] + 256 * file[9]));
  if (!header.startsWith('\x93NUMPY\x01') || !header.includes("'descr': '<u2'")) {
    throw new HeedError('bad-file', `${name} is not an .npy file of uint16 ids. Make it with ${PREPARED}.`);
  }
  return new Uint16Array(file.slice(header.length).buffer);
}

/** Positions of the end token (id 0) before each story.
 *  @param {Uint16Array} ids */
export function startsOf(ids) {
  /** @type {number[]} */
  const starts = [];
  ids.forEach((id, at) => { if (id === END) starts.push(at); });
  return starts;
}

/** Whether a step uses windows of the full context. @param {number} step */
const isLong = (step) => step >= STEPS - DECAY && step % EACH === 0;

/** Windows that start at a story: position 0 is always the end token before it.
 *  @param {Data} data @param {() => number} random @param {number} step @returns {lm.Batch} */
function batch({ train, starts }, random, step) {
  const time = isLong(step) ? CONTEXT : WINDOW;
  const usable = starts.filter((start) => start < train.length - time - 1).length;
  const chosen = Array.from({ length: TOKENS / time }, () => starts[Math.floor(random() * usable)]);
  return lm.windows(train, chosen, time);
}

/**
 * The model as a GGUF file.
 * @param {import('../../lab/index.js').Weights} weights
 * @param {Config} sizes
 * @param {import('../../files/gguf/quantize.js').TypeName} type of the matrices
 * @param {Parameters<typeof toGguf>[2]['sampling']} [sampling] settings that the file recommends
 */
export const modelFile = (weights, sizes, type, sampling) => toGguf(weights, sizes, {
  type,
  tokenizer: byteLevelTokenizer(sizes.tokenizer),
  general: { name: 'heed stories', license: 'mit', description: 'Short English stories for children' },
  sampling,
});

/** @type {import('../trainer.js').Recipe<Data, lm.Batch, Config>} */
export default {
  name: 'stories-base',
  summary: 'the model that stories continues from: short English stories (hours)',
  steps: STEPS,
  minutes: 190,
  files: [
    { name: 'tokenizer.json', what: 'a vocabulary of stories', from: PREPARED },
    { name: 'train.npy', what: 'stories as ids', from: PREPARED },
    { name: 'validation.npy', what: 'held-out stories', from: PREPARED },
  ],
  data(files) {
    const [train, validation] = ['train.npy', 'validation.npy'].map((name) => readIds(files[name], name));
    /** @type {TokenizerJson} */
    const tokenizer = JSON.parse(new TextDecoder().decode(files['tokenizer.json']));
    return { tokenizer, train, validation, starts: startsOf(train) };
  },
  config,
  weights: lm.weights,
  batch,
  loss: lm.loss,
  rate: (step) => RATE * Math.min(1, (step + 1) / WARM_UP, (STEPS - step) / DECAY),
  adamW: { betas: [0.9, 0.95], weightDecay: 0.1, decays: ({ axes }) => axes.sizes.length > 1 },
  clip: 1,
  every: 500,
  *validate(lab, weights, config, { validation }) {
    return { loss: yield* lm.textLoss(lab, weights, config, validation, { time: WINDOW, batch: 8 }) };
  },
  goal: { figure: 'loss', atMost: 1.7505 },
  gguf: (weights, sizes, type) => modelFile(weights, sizes, type),
};
