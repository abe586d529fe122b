/** The translator to Spanish without attention: the whole sentence is one vector. */
import { spaEngRecipe } from './spa-eng-rnn.js';

export default spaEngRecipe({
  name: 'spa-eng-no-attention',
  summary: 'short English sentences to Spanish by a bidirectional GRU without attention (Cho et al. 2014)',
  attention: 'none',
  score: 'none',
  atMost: 2,
});
