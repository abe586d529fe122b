/** Letters in the order of the alphabet: heads attend by letter, not by position. */
import { lettersRecipe } from './letters.js';

export default lettersRecipe('sort', {
  summary: 'writes eight letters in the order of the alphabet: two layers of one head',
  layers: 2, heads: 1, steps: 1000, rate: 0.008, atLeast: 0.99,
});
