/** The repeater of letters with the additive attention of Bahdanau et al. */
import { repeatRecipe } from './repeat-text.js';

export default repeatRecipe({
  name: 'repeat-bahdanau',
  summary: 'repeats a text of random letters: a bidirectional GRU and additive attention (Bahdanau et al. 2015)',
  steps: 2000,
  minutes: 2,
  rate: 3e-3,
  atLeast: 0.98,
  sizes: { model: 'rnn-seq2seq', attention: 'bahdanau', score: 'additive', embedding: 16, hidden: 64 },
});
