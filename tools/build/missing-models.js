#!/usr/bin/env node
// What `make models` is to do: prints the files that it makes, and tells on the error stream what that takes.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findRecipe, recipeNames } from '../../js/train/recipes.js';
import { runTool } from '../cli.js';

/** @typedef {import('../../js/train/trainer.js').Recipe<any, any, any>} Recipe */

const CHECKPOINT = '.checkpoint.safetensors';
const minutesText = (/** @type {number} */ minutes) =>
  (minutes < 90 ? `${Math.ceil(minutes)} min` : `${Math.round(minutes / 60)} hours`);

/**
 * What there is to do in a folder of models.
 * @param {Recipe[]} recipes @param {{ out: string, data: string, checkpoints: string }} folders
 * @returns {{ files: string[], lines: string[], missing: string[] }} files to be made, what to say of them, and
 *   which data all models together lack
 */
export function plan(recipes, { out, data, checkpoints }) {
  const wanted = recipes.filter((recipe) => !existsSync(join(out, fileOf(recipe))));
  const lines = [`${out}: ${recipes.length - wanted.length} of ${recipes.length} models are there`];
  /** @type {string[]} */
  const [files, missing] = [[], []].map((list) => /** @type {string[]} */ (list));
  let minutes = 0;
  for (const recipe of wanted) {
    const absent = (recipe.files ?? []).filter(({ name, shipped }) => !shipped && !existsSync(join(data, name)));
    missing.push(...absent.map(({ name, what, from }) =>
      `${recipe.name} learns from ${what}: ${name} is not in ${data}. It comes from ${from}.`));
    if (absent.length > 0) continue;
    const stopped = existsSync(join(checkpoints, recipe.name + CHECKPOINT));
    files.push(join(out, fileOf(recipe)));
    lines.push(`  ${recipe.name.padEnd(20)} ${stopped ? 'goes on where it was stopped; in all ' : ''}about ` +
      minutesText(recipe.minutes));
    minutes += recipe.minutes;
  }
  if (files.length > 0) {
    lines.push(`about ${minutesText(minutes)} on one core that is free; Ctrl-C stops, the same command goes on`);
  }
  return { files, lines, missing };
}

const fileOf = (/** @type {Recipe} */ { name, gguf }) => `${name}.${gguf ? 'gguf' : 'safetensors'}`;

await runTool(import.meta.url, {
  usage: `node tools/build/missing-models.js --out FOLDER --data FOLDER --checkpoints FOLDER

The files of the models that are not in --out and whose data are in --data.  What is missing is said of all models at
once, and the exit status is then 1.`,
  positionals: 0,
  options: {
    out: { type: 'string', default: 'models' },
    data: { type: 'string', default: '../shared/data' },
    checkpoints: { type: 'string', default: 'build/train' },
  },
  async run(_, folders) {
    const { files, lines, missing } = plan(await Promise.all(recipeNames.map(findRecipe)),
      /** @type {{ out: string, data: string, checkpoints: string }} */ (folders));
    console.error(lines.join('\n'));
    for (const line of missing) console.error(`  left out: ${line}`);
    console.log(files.join(' '));
    if (missing.length > 0) process.exitCode = 1;
  },
});
