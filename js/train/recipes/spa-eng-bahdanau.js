/** The translator to Spanish with the additive attention of Bahdanau et al. */
import { spaEngRecipe } from './spa-eng-rnn.js';

export default spaEngRecipe({
  name: 'spa-eng-bahdanau',
  summary: 'short English sentences to Spanish by a bidirectional GRU and additive attention (Bahdanau et al. 2015)',
  attention: 'bahdanau',
  score: 'additive',
  atMost: 1.6,
});
