/** The translator of dates with the dot score of Luong et al. */
import { datesRecipe } from './dates-rnn.js';

export default datesRecipe({
  name: 'dates-luong-dot',
  summary: 'dates to ISO 8601 by a GRU and the dot score (Luong et al. 2015)',
  attention: 'luong',
  score: 'dot',
  sourceEnds: true,
  embedding: 32,
  hidden: 96,
  steps: 1500,
  minutes: 4,
  rate: 2e-3,
  storage: 'F16',
});
