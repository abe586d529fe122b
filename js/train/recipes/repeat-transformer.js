/** The repeater of letters as a Transformer, to compare with recurrent ones. */
import { repeatRecipe } from './repeat-text.js';

export default repeatRecipe({
  name: 'repeat-transformer',
  summary: 'repeats a text of random letters: a Transformer with one encoder and one decoder layer',
  steps: 1500,
  minutes: 2,
  rate: 3e-3,
  atLeast: 0.98,
  sizes: { model: 'transformer-seq2seq', width: 48, heads: 4, hidden: 96, layers: 1, norm: 'pre', dropout: 0,
    smoothing: 0, units: 'characters' },
});
