/** Shakespeare, letter by letter: nanoGPT's small setting for a CPU (karpathy/nanoGPT, config/train_shakespeare_char.py
 *  as its README runs it without a GPU) at three times its learning rate, and then for some twenty minutes more. */
import { HeedError, quoted } from '../../errors.js';
import { schedules } from '../../lab/index.js';
import { characterTokenizer, toGguf } from '../models/causal-lm-gguf.js';
import * as lm from '../models/causal-lm.js';

/** @typedef {{ characters: string[], train: Uint8Array, validation: Uint8Array }} Data ids of characters */

/** Of nanoGPT's setting, which is a training of its own (--steps 2000), and of all. */
const FIRST = 2000;
const STEPS = 12500;
/** Last steps, over which the rate falls to zero. */
const DECAY = 3000;
const BATCH = 12;
const CONTEXT = 64;
const FILE = 'tinyshakespeare.txt';

const first = schedules.cosine({ rate: 3e-3, warmup: 100, total: FIRST, floor: 1e-4 });
/** A warm restart (Loshchilov and Hutter 2017) that stays high until the end is near. @param {number} step */
const second = (step) => 2e-3 * Math.min(1, (step - FIRST + 1) / 100, (STEPS - step) / DECAY);

/** Characters in the order of their codes, and the text as ids: the first nine tenths to learn from.
 *  @param {string} text @returns {Data} */
export function charactersOf(text) {
  const characters = [...new Set(text)].sort();
  const ids = new Map(characters.map((character, id) => [character, id]));
  const tokens = Uint8Array.from(text, (character) => ids.get(character) ?? 0);
  const end = Math.floor(0.9 * tokens.length);
  return { characters, train: tokens.subarray(0, end), validation: tokens.subarray(end) };
}

/** A text that the recipe can learn from and whose vocabulary GGUF can hold, before anything is learned.
 *  @param {Uint8Array} file @returns {string} @throws {HeedError} 'bad-file', 'unsupported' */
function textOf(file) {
  const text = new TextDecoder().decode(file);
  const least = 20 * CONTEXT; // the tenth that is held back must be longer than a window
  if (text.length < least) {
    throw new HeedError('bad-file', `${FILE} has ${text.length} characters; a text to learn from has ${least} ` +
      'or more.');
  }
  const [wide] = /[^\0-\x7f]/u.exec(text) ?? [];
  if (wide === undefined) return text;
  throw new HeedError('unsupported', `${FILE} has the character ${quoted(wide)}, of several bytes in UTF-8; a ` +
    'vocabulary of characters in GGUF is one of bytes. Turn the text into ASCII: iconv -t ascii//TRANSLIT does.');
}

/** @type {import('../trainer.js').Recipe<Data, lm.Batch, lm.Config & { characters: string[] }>} */
export default {
  name: 'shakespeare',
  summary: 'a language model of Shakespeare’s plays, letter by letter',
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
