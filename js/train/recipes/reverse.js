/** Letters from the last to the first: each output attends farther back than the previous output. */
import { lettersRecipe } from './letters.js';

export default lettersRecipe('reverse', {
  summary: 'writes eight letters backwards: one layer, one head',
  layers: 1, heads: 1, steps: 200, rate: 0.005, atLeast: 0.99,
});
