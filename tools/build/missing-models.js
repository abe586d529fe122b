#!/usr/bin/env node
// Prints the files that `make models` must make, and reports times and missing data on the error stream.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findRecipe, recipeNames } from '../../js/train/recipes.js';
import { runTool } from '../cli.js';

/** @typedef {import('../../js/train/trainer.js').Recipe<any, any, any>} Recipe */

const CHECKPOINT = '.checkpoint.safetensors';
const minutesText = (/** @type {number} */ minutes) =>
  (minutes < 90 ? `${Math.ceil(minutes)} min` : `${Math.round(minutes / 60)} hours`);

/**
 * Plans the training of the models that a folder lacks.
 * @param {Recipe[]} recipes @param {{ out: string, data: string, checkpoints: string }} folders
 * @returns {{ files: string[], lines: string[], missing: string[] }} files to make, a report, and messages about
 *   missing data
 */
export function plan(recipes, { out, data, checkpoints }) {
  const wanted = recipes.filter((recipe) => !existsSync(join(out, fileOf(recipe))));
  const lines = [`${out}: ${recipes.length - wanted.length} of ${recipes.length} models exist`];
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
    lines.push(`  ${recipe.name.padEnd(20)} ${stopped ? 'continues from its checkpoint; in total ' : ''}about ` +
      minutesText(recipe.minutes));
    minutes += recipe.minutes;
  }
  if (files.length > 0) {
    lines.push(`about ${minutesText(minutes)} on one free core; Ctrl-C stops, the same command continues`);
  }
  return { files, lines, missing };
}

const fileOf = (/** @type {Recipe} */ { name, gguf }) => `${name}.${gguf ? 'gguf' : 'safetensors'}`;

await runTool(import.meta.url, {
  usage: `node tools/build/missing-models.js --out FOLDER --data FOLDER --checkpoints FOLDER

Prints the files of the models that --out lacks and whose data are in --data. If data are missing, reports all of them
and exits with 1.`,
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
