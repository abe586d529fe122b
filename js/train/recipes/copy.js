/** Copies letters: a head learns to attend a fixed distance back. */
import { lettersRecipe } from './letters.js';

export default lettersRecipe('copy', {
  summary: 'copies eight letters: one layer, one head',
  layers: 1, heads: 1, steps: 200, rate: 0.005, atLeast: 0.99,
});
