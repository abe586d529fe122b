/** The translator of dates with the bilinear score of Luong et al. */
import { datesRecipe } from './dates-rnn.js';

export default datesRecipe({
  name: 'dates-luong-general',
  summary: 'dates to ISO 8601 by a GRU and the general score (Luong et al. 2015)',
  attention: 'luong',
  score: 'bilinear',
  sourceEnds: true,
  embedding: 32,
  hidden: 96,
  steps: 1500,
  minutes: 3,
  rate: 3e-3,
});
