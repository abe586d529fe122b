import { datesRecipe } from './dates-rnn.js';

export default datesRecipe({
  name: 'dates-luong-dot',
  summary: 'dates to ISO 8601 by a GRU and the dot score (Luong et al. 2015)',
  attention: 'luong',
  score: 'dot',
  sourceEnds: true,
  embedding: 32,
  hidden: 128,
  steps: 2000,
  minutes: 6,
  rate: 2e-3,
});
