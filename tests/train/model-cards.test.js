// Every shipped model has a card, is small, and met the goal of its recipe.
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { lab } from '../../js/lab/index.js';
import { findRecipe, openModel } from '../../js/train/index.js';

const FOLDER = new URL('../../models/', import.meta.url);
const MOST_BYTES = 2e6;

const shipped = await readdir(FOLDER);
const card = await readFile(new URL('README.md', FOLDER), 'utf8');

test('every model has a heading in the card', () => {
  const headings = card.split('\n').filter((line) => line.startsWith('## ')).join('\n');
  for (const file of shipped.filter((name) => /\.(gguf|safetensors)$/.test(name))) {
    assert.ok(headings.includes(file.replace(/\.safetensors$/, '')), `no heading names ${file}`);
  }
});

for (const file of shipped.filter((name) => name.endsWith('.safetensors'))) {
  test(`${file} is small and met its goal`, async () => {
    const bytes = await readFile(new URL(file, FOLDER));
    assert.ok(bytes.length <= MOST_BYTES, `${bytes.length} bytes`);
    const l = await lab();
    const { recipe, figures, config } = await openModel(l, bytes);
    l.dispose();
    assert.equal(`${recipe}.safetensors`, file);
    const { goal, files, ...made } = await findRecipe(recipe);
    const { figure, atLeast = -Infinity, atMost = Infinity } = goal;
    assert.ok(figures[figure] >= atLeast && figures[figure] <= atMost, `${figure} ${figures[figure]}`);
    if (files) return; // the configuration depends on these files
    assert.deepEqual(config, made.config(await made.data({})));
  });
}
