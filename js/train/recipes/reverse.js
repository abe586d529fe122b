/** Letters from the last to the first: a head that looks ever farther back. */
import { lettersRecipe } from './letters.js';

export default lettersRecipe('reverse', {
  summary: 'writes eight letters backwards: one layer, one head',
  layers: 1, heads: 1, steps: 200, rate: 0.005, atLeast: 0.99,
});
