/** The recipes by name. Each is imported when it is requested. */
import { HeedError, quoted } from '../errors.js';

/** @typedef {import('./trainer.js').Recipe} Recipe */

/** @type {Record<string, () => Promise<{ default: Recipe }>>} */
const RECIPES = {
  'dates-no-attention': () => import('./recipes/dates-no-attention.js'),
  'dates-bahdanau': () => import('./recipes/dates-bahdanau.js'),
  'dates-luong-dot': () => import('./recipes/dates-luong-dot.js'),
  'dates-luong-general': () => import('./recipes/dates-luong-general.js'),
  'dates-luong-concat': () => import('./recipes/dates-luong-concat.js'),
  'dates-luong-location': () => import('./recipes/dates-luong-location.js'),
  'dates-luong-feeding': () => import('./recipes/dates-luong-feeding.js'),
  'dates-luong-local-m': () => import('./recipes/dates-luong-local-m.js'),
  'dates-luong-local-m-feeding': () => import('./recipes/dates-luong-local-m-feeding.js'),
  'dates-luong-local-p': () => import('./recipes/dates-luong-local-p.js'),
  'dates-luong-local-p-feeding': () => import('./recipes/dates-luong-local-p-feeding.js'),
  'dates-transformer': () => import('./recipes/dates-transformer.js'),
  'spa-eng-no-attention': () => import('./recipes/spa-eng-no-attention.js'),
  'spa-eng-bahdanau': () => import('./recipes/spa-eng-bahdanau.js'),
  'spa-eng-transformer': () => import('./recipes/spa-eng-transformer.js'),
  'repeat-no-attention': () => import('./recipes/repeat-no-attention.js'),
  'repeat-bahdanau': () => import('./recipes/repeat-bahdanau.js'),
  'repeat-luong': () => import('./recipes/repeat-luong.js'),
  'repeat-transformer': () => import('./recipes/repeat-transformer.js'),
  shakespeare: () => import('./recipes/shakespeare.js'),
  'stories-base': () => import('./recipes/stories-base.js'),
  'stories-real': () => import('./recipes/stories-real.js'),
  stories: () => import('./recipes/stories.js'),
  sentiment: () => import('./recipes/sentiment.js'),
  it: () => import('./recipes/it.js'),
  shapes: () => import('./recipes/shapes.js'),
  'shapes-hard': () => import('./recipes/shapes-hard.js'),
  copy: () => import('./recipes/copy.js'),
  histogram: () => import('./recipes/histogram.js'),
  reverse: () => import('./recipes/reverse.js'),
  sort: () => import('./recipes/sort.js'),
};

/** Names of all recipes, as `heed train` takes them. @type {string[]} */
export const recipeNames = Object.keys(RECIPES);

/**
 * Loads a recipe by name.
 * @param {string} name  one of `recipeNames`
 * @returns {Promise<Recipe>} the recipe
 * @throws {HeedError} 'bad-argument' for an unknown name
 */
export async function findRecipe(name) {
  if (!Object.hasOwn(RECIPES, name)) {
    throw new HeedError('bad-argument', `Unknown recipe ${quoted(name)}; expected one of ${recipeNames.join(', ')}.`);
  }
  const { default: recipe } = await RECIPES[name]();
  if (!recipe.files) return recipe;
  return { ...recipe, data: (files) => {
    needFiles(recipe, files);
    return recipe.data(files);
  } };
}

/** Checks that all data files of a recipe are there.
 *  @param {Recipe} recipe @param {Record<string, Uint8Array>} files  contents by name
 *  @throws {HeedError} 'bad-argument' */
function needFiles({ name, files: needed = [] }, files) {
  const missing = needed.find((file) => !(files?.[file.name] instanceof Uint8Array));
  if (!missing) return;
  throw new HeedError('bad-argument', `The recipe ${quoted(name)} learns from ${missing.what}: pass the bytes of ` +
    `all its files, such as recipe.data({ '${missing.name}': bytes }). The file comes from ${missing.from}.`);
}
