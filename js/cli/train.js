// heed train: trains one of the project's models, or continues from a model file.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HeedError, quoted } from '../errors.js';
import { lab as openLab } from '../lab/index.js';
import { findRecipe, recipeNames } from '../train/recipes.js';
import { Trainer } from '../train/trainer.js';
import { Checkpoints, writeWhole } from './checkpoints.js';
import { figuresText, learn } from './learn.js';
import { UsageError, interruptible, number, printJson, say, sizeText } from './terminal.js';
import { tune, tuneHelp, tuneOptions } from './tune.js';

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

/** @param {string} type @returns {'f32' | 'f16' | 'q8_0'} */
function typeOf(type) {
  if (type === 'f32' || type === 'f16' || type === 'q8_0') return type;
  throw new UsageError(`--type is f32, f16 or q8_0, not ${quoted(type)}`);
}

/** @param {import('./terminal.js').Values} values @param {string[]} positionals @returns {Promise<number>} */
async function run(values, [name]) {
  if (values.from !== undefined) {
    if (name) throw new UsageError(`--from names a model file, and ‘${name}’ is a recipe: expected one of the two`);
    return tune(values);
  }
  if (!name) throw new UsageError(`which model? one of ${recipeNames.join(', ')}`);
  const recipe = await findRecipe(name);
  const steps = number(values, 'steps', { min: 1, integer: true });
  const seed = number(values, 'seed', { min: 0, max: 0xffffffff, integer: true }) ?? 1;
  const threads = number(values, 'threads', { min: 1, max: 16, integer: true }) ?? 1;
  const type = typeOf(values.type ?? 'q8_0');
  const out = join(values.out ?? '.', `${name}.${recipe.gguf ? 'gguf' : 'safetensors'}`);
  const folder = values.checkpoints ?? values.out ?? '.';
  const saved = new Checkpoints(join(folder, `${name}.checkpoint.safetensors`));

  return interruptible(async (signal) => {
    const data = await readData(recipe, values.data ?? '.');
    const lab = await openLab({ seed, threads });
    const trainer = new Trainer(lab, recipe, data, { steps });
    const write = async () => {
      const file = await trainer.gguf(type) ?? trainer.save();
      await writeWhole(out, file);
      return file.byteLength;
    };
    const bytes = await learn(trainer, { name, saved, fresh: values.fresh, places: [out], write, signal });
    lab.dispose();
    if (bytes === null) return 130;
    const { figures, meetsGoal } = trainer;
    say(`${out}: ${sizeText(bytes)}, ${figuresText(figures)}`);
    if (!meetsGoal) say(`${name} misses its goal: ${JSON.stringify(recipe.goal)}`);
    if (values.json) printJson({ name, file: out, steps: trainer.steps, seed, figures, meetsGoal });
    return meetsGoal || steps !== undefined ? 0 : 1;
  });
}

/** @type {import('./terminal.js').Command} */
export default {
  summary: 'train one of the project’s models, or continue from a model',
  help: `usage: heed train NAME [OPTIONS]
       heed train --from MODEL --text FILE [OPTIONS]

Trains a model by its recipe and writes NAME.safetensors, or NAME.gguf of a language model. Ctrl-C stops after the
current step, or within a validation. The same command continues from there, with the same result as without the
stop. NAME is one of
${recipeNames.map((name) => `  ${name}\n`).join('')}
  --out FOLDER          folder of the model; the current folder by default
  --checkpoints FOLDER  folder for the state of a stopped training; the same folder by default
  --data FOLDER         folder of data that the project does not contain; the current folder by default
  --steps N             instead of the recipe's
  --seed S              of the first weights and of the batches; 1 by default
  --threads N           1 by default
  --type TYPE           of a language model's matrices: f32, f16 or q8_0, which is the default
  --fresh               begin anew even where there is a checkpoint
  --json                one object: { name, file, steps, seed, figures, meetsGoal }
${tuneHelp}`,
  options: {
    ...tuneOptions,
    out: { type: 'string' },
    checkpoints: { type: 'string' },
    data: { type: 'string' },
    steps: { type: 'string' },
    seed: { type: 'string' },
    threads: { type: 'string' },
    type: { type: 'string' },
    fresh: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  positionals: 1,
  run,
};
