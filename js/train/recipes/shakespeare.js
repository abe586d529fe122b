/**
 * A character model of Shakespeare's plays. The first steps follow nanoGPT's setting for a CPU (karpathy/nanoGPT,
 * config/train_shakespeare_char.py as its README runs it without a GPU) at three times its learning rate. A second
 * phase of about twenty minutes follows.
 */
import { HeedError, quoted } from '../../errors.js';
import { schedules } from '../../lab/index.js';
import { characterTokenizer, toGguf } from '../models/causal-lm-gguf.js';
import * as lm from '../models/causal-lm.js';

/** @typedef {{ characters: string[], train: Uint8Array, validation: Uint8Array }} Data ids of characters */

/** Steps of nanoGPT's schedule (a complete training with --steps 2000), and of the full training. */
const FIRST = 2000;
const STEPS = 12500;
/** Length of the final phase, in which the learning rate falls to zero. */
const DECAY = 3000;
const BATCH = 12;
const CONTEXT = 64;
const FILE = 'tinyshakespeare.txt';

const first = schedules.cosine({ rate: 3e-3, warmup: 100, total: FIRST, floor: 1e-4 });
/** A warm restart (Loshchilov and Hutter 2017) whose rate stays high until the final phase. @param {number} step */
const second = (step) => 2e-3 * Math.min(1, (step - FIRST + 1) / 100, (STEPS - step) / DECAY);

/** Characters in the order of their codes, and the text as ids. The first nine tenths are for training.
 *  @param {string} text @returns {Data} */
export function charactersOf(text) {
  const characters = [...new Set(text)].sort();
  const ids = new Map(characters.map((character, id) => [character, id]));
  const tokens = Uint8Array.from(text, (character) => ids.get(character) ?? 0);
  const end = Math.floor(0.9 * tokens.length);
  return { characters, train: tokens.subarray(0, end), validation: tokens.subarray(end) };
}

/** Decodes the file and checks that it is long enough and that GGUF can store its vocabulary.
 *  @param {Uint8Array} file @returns {string} @throws {HeedError} 'bad-file', 'unsupported' */
function textOf(file) {
  const text = new TextDecoder().decode(file);
  const least = 20 * CONTEXT; // the held-out tenth must be longer than a window
  if (text.length < least) {
    throw new HeedError('bad-file', `${FILE} has ${text.length} characters; expected ${least} ` +
      'or more.');
  }
  const [wide] = /[^\0-\x7f]/u.exec(text) ?? [];
  if (wide === undefined) return text;
  throw new HeedError('unsupported', `${FILE} has the character ${quoted(wide)}, which takes several bytes in ` +
    'UTF-8; a character vocabulary in GGUF has single bytes. Convert the text with iconv -t ascii//TRANSLIT.');
}

/** @type {import('../trainer.js').Recipe<Data, lm.Batch, lm.Config & { characters: string[] }>} */
export default {
  name: 'shakespeare',
  summary: 'a character model of Shakespeare’s plays',
  steps: STEPS,
  minutes: 25,
  files: [{ name: FILE, what: 'Shakespeare’s plays',
    from: 'https://github.com/karpathy/char-rnn, data/tinyshakespeare/input.txt' }],
  data: (files) => charactersOf(textOf(files[FILE])),
  config: ({ characters }) => ({
    form: 'gpt2', layers: 4, heads: 4, width: 128, hidden: 512, context: CONTEXT, vocabulary: characters.length,
    characters,
  }),
  weights: lm.weights,
  batch({ train }, random) {
    const starts = Array.from({ length: BATCH }, () => Math.floor(random() * (train.length - CONTEXT)));
    return lm.windows(train, starts, CONTEXT);
  },
  loss: lm.loss,
  rate: (step) => (step < FIRST ? first(step) : second(step)),
  adamW: { betas: [0.9, 0.99], weightDecay: 0.1, decays: ({ axes }) => axes.sizes.length > 1 },
  clip: 1,
  every: 500,
  *validate(lab, weights, config, { validation }) {
    return { loss: yield* lm.textLoss(lab, weights, config, validation) };
  },
  goal: { figure: 'loss', atMost: 1.55 },
  gguf: (weights, config, type) => toGguf(weights, config, {
    type,
    tokenizer: characterTokenizer(config.characters),
    general: { name: 'heed shakespeare', license: 'mit', description: 'Shakespeare’s plays, letter by letter' },
  }),
};
