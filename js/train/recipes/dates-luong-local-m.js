/** The translator of dates that attends to a window which moves one place a step. */
import { datesRecipe } from './dates-rnn.js';

export default datesRecipe({
  name: 'dates-luong-local-m',
  summary: 'dates to ISO 8601 by a GRU and local-m attention (Luong et al. 2015)',
  attention: 'luong',
  score: 'bilinear',
  scope: 'local-m',
  window: 4,
  sourceEnds: true,
  embedding: 32,
  hidden: 96,
  steps: 1500,
  minutes: 3,
  rate: 3e-3,
  atLeast: 0.9,
  storage: 'F16',
});
