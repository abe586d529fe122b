/** The translator of dates that predicts the place of its window. */
import { datesRecipe } from './dates-rnn.js';

export default datesRecipe({
  name: 'dates-luong-local-p',
  summary: 'dates to ISO 8601 by a GRU and local-p attention (Luong et al. 2015)',
  attention: 'luong',
  score: 'bilinear',
  scope: 'local-p',
  window: 4,
  sourceEnds: true,
  embedding: 32,
  hidden: 96,
  steps: 1500,
  minutes: 3,
  rate: 3e-3,
  atLeast: 0.75,
  storage: 'F16',
});
