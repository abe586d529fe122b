/** The repeater of letters with the bilinear score of Luong et al. */
import { repeatRecipe } from './repeat-text.js';

export default repeatRecipe({
  name: 'repeat-luong',
  summary: 'repeats a text of random letters: a GRU and the bilinear score (Luong et al. 2015)',
  steps: 2000,
  minutes: 2,
  rate: 3e-3,
  atLeast: 0.98,
  sizes: { model: 'rnn-seq2seq', attention: 'luong', score: 'bilinear', embedding: 16, hidden: 96 },
});
