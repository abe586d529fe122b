// The plan of `make models`: it keeps existing models, and names all missing data before the first training.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findRecipe, recipeNames } from '../../js/train/recipes.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'heed-models-'));
after(() => rmSync(folder, { recursive: true }));

const recipes = await Promise.all(recipeNames.map(findRecipe));
/** Files that the project does not ship. */
const absentFiles = ({ files = [] }) => files.filter(({ shipped }) => !shipped);
const fileOf = ({ name, gguf }) => `${name}.${gguf ? 'gguf' : 'safetensors'}`;

/** A plan for new folders with files of these names. */
function plan(name, { out = [], data = [], checkpoints = [] }) {
  const there = Object.entries({ out, data, checkpoints }).flatMap(([what, files]) => {
    const path = join(folder, name, what);
    mkdirSync(path, { recursive: true });
    for (const file of files) writeFileSync(join(path, file), '');
    return [`--${what}`, path];
  });
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/build/missing-models.js', ...there],
    { cwd: ROOT, encoding: 'utf8' });
  return { status, files: stdout.trim().split(' ').filter(Boolean), told: stderr };
}

const needed = recipes.flatMap(absentFiles).map(({ name }) => name);

test('the plan lists every missing model with data, and prints its time', () => {
  const { status, files, told } = plan('all', { data: needed });
  assert.equal(status, 0, told);
  assert.deepEqual(files, recipes.map((recipe) => join(folder, 'all/out', fileOf(recipe))));
  for (const { name, minutes } of recipes) {
    assert.ok(minutes > 0, name);
    assert.match(told, new RegExp(`^  ${name} +about \\d+ (min|hours)$`, 'm'));
  }
  assert.match(told, /about \d+ hours on one free core/);
});

test('an existing model stays, and a stopped training continues', () => {
  const out = recipes.filter(({ name }) => name !== 'sort').map(fileOf);
  const { status, files, told } = plan('one', { out, checkpoints: ['sort.checkpoint.safetensors'] });
  assert.equal(status, 0, told);
  assert.deepEqual(files, [join(folder, 'one/out/sort.safetensors')]);
  assert.ok(told.includes(`${recipes.length - 1} of ${recipes.length} models exist`), told);
  assert.match(told, /^ {2}sort +continues from its checkpoint/m);
});

test('missing data of all models are named at once, and the other models are made', () => {
  const { status, files, told } = plan('missing', {});
  assert.equal(status, 1);
  assert.equal(files.length, recipes.filter((recipe) => absentFiles(recipe).length === 0).length);
  for (const recipe of recipes) {
    for (const { name: file, from } of absentFiles(recipe)) {
      assert.ok(told.includes(`left out: ${recipe.name} learns from`) && told.includes(`${file} is not in`) &&
        told.includes(from), `${recipe.name}, ${file}: ${told}`);
    }
  }
});
