/** The translator of dates with the concat score of Luong et al. */
import { datesRecipe } from './dates-rnn.js';

export default datesRecipe({
  name: 'dates-luong-concat',
  summary: 'dates to ISO 8601 by a GRU and the concat score (Luong et al. 2015)',
  attention: 'luong',
  score: 'concat',
  embedding: 32,
  hidden: 96,
  steps: 1500,
  minutes: 5,
  rate: 3e-3,
});
