// Prints the files that `make models` makes, one for each recipe of `heed train`.
import { findRecipe, recipeNames } from '../js/train/recipes.js';

const recipes = await Promise.all(recipeNames.map(findRecipe));
console.log(recipes.map(({ name, gguf }) => `models/${name}.${gguf ? 'gguf' : 'safetensors'}`).join(' '));
