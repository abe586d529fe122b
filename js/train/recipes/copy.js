/** Letters once more: a head that looks a fixed way back. */
import { lettersRecipe } from './letters.js';

export default lettersRecipe('copy', {
  summary: 'writes eight letters once more: one layer, one head',
  layers: 1, heads: 1, steps: 200, rate: 0.005, atLeast: 0.99,
});
