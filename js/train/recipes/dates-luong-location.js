/** The translator of dates whose attention reads only the state of the decoder. */
import { datesRecipe } from './dates-rnn.js';

export default datesRecipe({
  name: 'dates-luong-location',
  summary: 'dates to ISO 8601 by a GRU and the location score (Luong et al. 2015)',
  attention: 'luong',
  score: 'location',
  longestSource: 50,
  sourceEnds: true,
  embedding: 32,
  hidden: 96,
  steps: 1000,
  minutes: 3,
  rate: 3e-3,
  storage: 'F16',
});
