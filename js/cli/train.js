// heed train: makes one of the project's models anew.
import { existsSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HeedError, quoted } from '../errors.js';
import { lab as openLab } from '../lab/index.js';
import { findRecipe, recipeNames } from '../train/recipes.js';
import { Trainer } from '../train/trainer.js';
import { Checkpoints, writeWhole } from './checkpoints.js';
import { UsageError, interruptible, number, printJson, say, sizeText } from './terminal.js';

/** Time between two checkpoints: what a power cut may cost. */
const CHECKPOINT_MS = 60_000;
/** Time between two lines of progress, in milliseconds. */
const LINE_MS = 2_000;

/** Data files of the package. */
const SHIPPED = fileURLToPath(new URL('../../data/', import.meta.url));

/** Reads the files of a recipe, from a folder or from the package, and makes the recipe's data from them.
 *  @param {import('../train/recipes.js').Recipe} recipe @param {string} folder @throws {HeedError} 'bad-file' */
export async function readData(recipe, folder) {
  const entries = (recipe.files ?? []).map(async ({ name, what, from, shipped }) => {
    try {
      const given = join(folder, name);
      const path = shipped && !existsSync(given) ? join(SHIPPED, name) : given;
      return [name, new Uint8Array(await readFile(path))];
    } catch (cause) {
      throw new HeedError('bad-file', `${recipe.name} learns from ${what}: put ${name} into ${folder}, or say where ` +
        `it is with --data FOLDER. It comes from ${from}.`, { cause });
    }
  });
  return recipe.data(Object.fromEntries(await Promise.all(entries)));
}

/** Checks before the training that its result can be written.
 *  @param {string} path of a file */
async function needPlace(path) {
  const there = await stat(path).catch(() => null);
  if (there && !there.isFile()) {
    throw new HeedError('unavailable', `${path} is not a file, so it cannot be written. Move it, or choose other ` +
      'folders with --out and --checkpoints.');
  }
  await writeWhole(`${path}.try`, new Uint8Array(1));
  await rm(`${path}.try`);
}

/** Writes the trained model, or keeps it as a checkpoint if that fails. @param {Trainer} trainer
 *  @param {'f32' | 'f16' | 'q8_0'} type @param {string} out @param {Checkpoints} saved
 *  @returns {Promise<number>} bytes */
async function writeModel(trainer, type, out, saved) {
  try {
    const file = await trainer.gguf(type) ?? trainer.save();
    await writeWhole(out, file);
    return file.byteLength;
  } catch (error) {
    await saved.write(trainer.checkpoint());
    say(`${trainer.recipe.name}: what it learned is in ${saved.path}; the same command writes the model from it`);
    throw error;
  }
}

/** @param {string | undefined} type @returns {'f32' | 'f16' | 'q8_0'} */
function typeOf(type) {
  if (type === 'f32' || type === 'f16' || type === 'q8_0') return type;
  throw new UsageError(`--type is f32, f16 or q8_0, not ${quoted(type)}`);
}

const figuresText = (/** @type {Record<string, number>} */ figures) =>
  Object.entries(figures).map(([name, value]) => `${name} ${Number(value.toPrecision(5))}`).join(', ');

/** @param {number} seconds */
const timeText = (seconds) =>
  (seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`);

/** @param {import('./terminal.js').Values} values @param {string[]} positionals @returns {Promise<number>} */
async function run(values, [name]) {
  if (!name) throw new UsageError(`which model? one of ${recipeNames.join(', ')}`);
  const recipe = await findRecipe(name);
  const steps = number(values, 'steps', { min: 1, integer: true });
  const seed = number(values, 'seed', { min: 0, max: 0xffffffff, integer: true }) ?? 1;
  const threads = number(values, 'threads', { min: 1, max: 16, integer: true }) ?? 1;
  const type = typeOf(values.type);
  const out = join(values.out ?? '.', `${name}.${recipe.gguf ? 'gguf' : 'safetensors'}`);
  const folder = values.checkpoints ?? values.out ?? '.';
  const saved = new Checkpoints(join(folder, `${name}.checkpoint.safetensors`));

  return interruptible(async (signal) => {
    const data = await readData(recipe, values.data ?? '.');
    const lab = await openLab({ seed, threads });
    const trainer = new Trainer(lab, recipe, data, { steps });
    if (!values.fresh) await saved.restore(trainer);
    await needPlace(out);
    await needPlace(saved.path);
    let written = performance.now();
    let shown = 0;
    for await (const progress of trainer.run({ signal })) {
      const now = performance.now();
      if (progress.figures || now - shown > LINE_MS) {
        const { step, loss, secondsLeft, figures } = progress;
        say(`${name}  step ${step} of ${trainer.steps}  loss ${loss.toFixed(4)}  ${timeText(secondsLeft)} left` +
          `${figures ? `  | ${figuresText(figures)}` : ''}`);
        shown = now;
      }
      if (now - written > CHECKPOINT_MS) {
        await saved.write(trainer.checkpoint())
          .catch(({ message }) => say(`${name}: ${message} The training goes on, and tries again in a minute.`));
        written = now;
      }
    }
    if (signal.aborted) {
      await saved.write(trainer.checkpoint());
      say(`stopped at step ${trainer.step}; the same command goes on from ${saved.path}`);
      lab.dispose();
      return 130;
    }
    const bytes = await writeModel(trainer, type, out, saved);
    await saved.remove();
    const { figures, meetsGoal } = trainer;
    lab.dispose();
    say(`${out}: ${sizeText(bytes)}, ${figuresText(figures)}`);
    if (!meetsGoal) say(`${name} falls short of its goal: ${JSON.stringify(recipe.goal)}`);
    if (values.json) printJson({ name, file: out, steps: trainer.steps, seed, figures, meetsGoal });
    return meetsGoal || steps !== undefined ? 0 : 1;
  });
}

/** @type {import('./terminal.js').Command} */
export default {
  summary: 'train one of the project’s models anew',
  help: `usage: heed train NAME [OPTIONS]

Trains a model by its recipe and writes NAME.safetensors, or NAME.gguf of a language model. Ctrl-C stops after the step
that runs, or within a validation; the same command goes on from there, with the same result as if it had not been
stopped. NAME is one of
${recipeNames.map((name) => `  ${name}\n`).join('')}
  --out FOLDER          where the model goes; the current folder by default
  --checkpoints FOLDER  where the state of a stopped training lies; the same folder by default
  --data FOLDER         where data lie that the project does not make itself; the current folder by default
  --steps N             instead of the recipe's
  --seed S              of the first weights and of the batches; 1 by default
  --threads N           1 by default
  --type TYPE           of a language model's matrices: f32, f16 or q8_0, which is the default
  --fresh               begin anew even where there is a checkpoint
  --json                one object: { name, file, steps, seed, figures, meetsGoal }
`,
  options: {
    out: { type: 'string' },
    checkpoints: { type: 'string' },
    data: { type: 'string' },
    steps: { type: 'string' },
    seed: { type: 'string' },
    threads: { type: 'string' },
    type: { type: 'string', default: 'q8_0' },
    fresh: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  positionals: 1,
  run,
};
