/** The repeater of letters without attention, which forgets long texts. */
import { repeatRecipe } from './repeat-text.js';

export default repeatRecipe({
  name: 'repeat-no-attention',
  summary: 'repeats a text of random letters: a bidirectional GRU without attention (Cho et al. 2014)',
  steps: 2000,
  minutes: 2,
  rate: 3e-3,
  atLeast: 0.4,
  sizes: { model: 'rnn-seq2seq', attention: 'none', score: 'none', embedding: 16, hidden: 64 },
});
