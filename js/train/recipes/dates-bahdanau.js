/** The translator of dates with the additive attention of Bahdanau et al. */
import { datesRecipe } from './dates-rnn.js';

export default datesRecipe({
  name: 'dates-bahdanau',
  summary: 'dates to ISO 8601 by a bidirectional GRU and additive attention (Bahdanau et al. 2015)',
  attention: 'bahdanau',
  score: 'additive',
  embedding: 32,
  hidden: 64,
  steps: 1000,
  minutes: 3,
  rate: 3e-3,
});
