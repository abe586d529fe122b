/** The translator of dates without attention: the whole source is one vector. */
import { datesRecipe } from './dates-rnn.js';

export default datesRecipe({
  name: 'dates-no-attention',
  summary: 'dates to ISO 8601 by a bidirectional GRU without attention (Cho et al. 2014)',
  attention: 'none',
  score: 'none',
  embedding: 32,
  hidden: 64,
  steps: 1000,
  minutes: 3,
  rate: 3e-3,
});
