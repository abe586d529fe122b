// Prints the files that `make models` makes, one for each recipe of `heed train`.
import { recipeNames } from '../js/train/recipes.js';

console.log(recipeNames.map((name) => `models/${name}.safetensors`).join(' '));
