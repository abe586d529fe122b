// heed train --from: continues from a model file.
import { basename, join, resolve } from 'node:path';
import { quoted } from '../errors.js';
import { MAX_RANK } from '../files/adapter.js';
import { adapterToGguf } from '../train/tuning/gguf-adapter.js';
import { mergeAdapter } from '../train/tuning/merge.js';
import { Tuning } from '../train/tuning/tuning.js';
import { Checkpoints, writeWhole } from './checkpoints.js';
import { textOf } from './given-files.js';
import { figuresText, learn } from './learn.js';
import { sourceOf } from './model-options.js';
import { UsageError, interruptible, number, printJson, say, sizeText } from './terminal.js';

/** Names of the written files, by format. */
const FILES = {
  adapter: ['adapter_model.safetensors', 'adapter_config.json'],
  'adapter-gguf': ['adapter.gguf'],
  gguf: ['model.gguf'],
  safetensors: ['model.safetensors', 'config.json'],
};

/** Meaning of heldOut if no token is held out. */
const OF_TEXT = 'the loss of the text itself';

/** @type {NonNullable<import('node:util').ParseArgsConfig['options']>} */
export const tuneOptions = {
  from: { type: 'string' },
  text: { type: 'string' },
  config: { type: 'string' },
  tokenizer: { type: 'string' },
  rank: { type: 'string' },
  alpha: { type: 'string' },
  targets: { type: 'string' },
  full: { type: 'boolean' },
  rate: { type: 'string' },
  batch: { type: 'string' },
  context: { type: 'string' },
  format: { type: 'string' },
};

export const tuneHelp = `
With --from, a model of any weight type is trained on a text; the last tenth of the text is held out. In a text of less
than 20 tokens no part is held out, and heldOut is the loss of the text itself. Adapters of low rank learn, unless
--full. They are written in the layout of PEFT: adapter_model.safetensors and adapter_config.json.

  --from FILE           a GGUF or safetensors file
  --text FILE           the text
  --config FILE         config.json of a safetensors file; by default in the same folder
  --tokenizer FILE      tokenizer.json of a safetensors file; by default in the same folder
  --rank R              rank of the adapters, 8 by default
  --alpha A             scale of the adapters times R, 2·R by default
  --targets NAMES       matrices with adapters, such as q_proj,v_proj; all by default
  --full                train all weights instead; the file must have float weights
  --rate R              largest learning rate; 0.001 by default, 0.0001 with --full
  --batch N             windows of a step, 4 by default
  --context N           tokens of a window, 128 by default
  --format FORMAT       what is written: adapter, which is the default, adapter-gguf for llama.cpp, or the merged model
                        as gguf or safetensors
  --steps N             100 by default
  --out FOLDER          tuned by default
  --json                one object: { files, steps, seed, figures, tokens, memory }
`;

/** @param {import('./terminal.js').Values} values @returns {keyof typeof FILES} */
function formatOf(values) {
  const { format, full, from, type } = values;
  const chosen = format ?? (!full ? 'adapter' : /\.gguf$/i.test(from) ? 'gguf' : 'safetensors');
  if (!Object.hasOwn(FILES, chosen)) {
    throw new UsageError(`--format is ${Object.keys(FILES).join(', ')}, not ${quoted(chosen)}`);
  }
  if (type !== undefined && chosen.startsWith('adapter')) {
    throw new UsageError('--type is of a merged model: give --format gguf or safetensors, too');
  }
  if (full && chosen.startsWith('adapter')) {
    throw new UsageError('--full trains the weights, so there is no adapter to write');
  }
  const ofAdapters = full ? ['rank', 'alpha', 'targets'].filter((flag) => flag in values) : [];
  if (ofAdapters.length > 0) {
    throw new UsageError(`--${ofAdapters.join(' and --')} belong to adapters, and --full trains the weights ` +
      'themselves');
  }
  return /** @type {keyof typeof FILES} */ (chosen);
}

/** @param {import('./terminal.js').Values} values */
function settingsOf(values) {
  const count = (/** @type {string} */ name, max = Infinity) => number(values, name, { min: 1, max, integer: true });
  const given = {
    steps: count('steps'), rank: count('rank', MAX_RANK), batch: count('batch'), context: count('context'),
    threads: count('threads', 16), seed: number(values, 'seed', { min: 0, max: 0xffffffff, integer: true }),
    alpha: number(values, 'alpha', { min: 0 }), rate: number(values, 'rate', { min: 0 }),
    targets: values.targets?.split(','), full: values.full,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** @param {import('./terminal.js').Values} values @returns {Promise<number>} exit status */
export async function tune(values) {
  const source = sourceOf(values.from, values);
  const format = formatOf(values);
  const settings = settingsOf(values);
  const folder = values.out ?? 'tuned';
  const places = FILES[format].map((file) => join(folder, file));
  for (const taken of [values.from, values.text, values.config, values.tokenizer]) {
    if (taken !== undefined && places.some((place) => resolve(place) === resolve(taken))) {
      throw new UsageError(`--out ${folder} would overwrite ${taken}; choose another folder`);
    }
  }
  const name = basename(values.from);
  const saved = new Checkpoints(join(values.checkpoints ?? folder, `${name}.tuning.checkpoint.safetensors`));
  if (values.text === undefined) throw new UsageError('--text FILE is missing');
  const text = textOf('text', values.text);
  if (text.trim() === '') throw new UsageError(`--text ${values.text} is empty`);

  return interruptible(async (signal) => {
    const tuning = await Tuning.open(source, text, { ...settings, signal });
    const { memory, parameters, context, tokens, trainer } = tuning;
    say(`${name}: ${parameters.toLocaleString('en')} numbers learn, in windows of ${context} tokens. Memory: ` +
      `weights ${sizeText(memory.weightsBytes)}, learning ${sizeText(memory.learningBytes)}, ` +
      `steps at most ${sizeText(memory.stepBytes)}`);
    if (tokens.heldOut === 0) say(`${name}: the text is too short to hold a part out; heldOut is ${OF_TEXT}`);
    const write = async () => {
      const files = await filesOf(tuning, source, format, values.type, signal);
      for (const [file, bytes] of Object.entries(files)) await writeWhole(join(folder, file), bytes);
      return files;
    };
    try {
      if (!format.startsWith('adapter')) tuning.needFormat(writtenBy(format, values.type));
      const files = await learn(trainer, { name, saved, fresh: values.fresh, places, write, signal });
      if (files === null) return 130;
      for (const [file, { byteLength }] of Object.entries(files)) say(`${join(folder, file)}: ${sizeText(byteLength)}`);
      say(`${figuresText(trainer.figures)}${tokens.heldOut === 0 ? `, ${OF_TEXT}` : ''}`);
      if (values.json) {
        const { steps, seed, figures } = trainer;
        printJson({ files: places, steps, seed, figures, tokens, memory });
      }
      return 0;
    } finally {
      tuning.dispose();
    }
  });
}

/** @param {string} format @param {string | undefined} type
 *  @returns {import('../train/tuning/export.js').ModelFormat} */
const writtenBy = (format, type) => /** @type {any} */ ({ format, ...(type && { type }) });

/**
 * @param {Tuning} tuning @param {import('../index.js').Source | any} source @param {keyof typeof FILES} format
 * @param {'f32' | 'f16' | 'q8_0' | undefined} type @param {AbortSignal} signal
 * @returns {Promise<import('../train/tuning/export.js').Files>}
 */
async function filesOf(tuning, source, format, type, signal) {
  const adapter = tuning.adapter();
  if (adapter && format === 'adapter') {
    const config = new TextEncoder().encode(`${JSON.stringify(adapter.config, null, 2)}\n`);
    return { 'adapter_model.safetensors': adapter.weights, 'adapter_config.json': config };
  }
  if (adapter && format === 'adapter-gguf') return { 'adapter.gguf': await adapterToGguf(source, adapter, { signal }) };
  const options = writtenBy(format, type);
  if (adapter) return mergeAdapter(source, adapter, { ...options, signal });
  return /** @type {Promise<import('../train/tuning/export.js').Files>} */ (tuning.model(options));
}
