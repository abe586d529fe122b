/** The moving window of dates-luong-local-m with input feeding. */
import { datesRecipe } from './dates-rnn.js';

export default datesRecipe({
  name: 'dates-luong-local-m-feeding',
  summary: 'dates to ISO 8601 by a GRU and local-m attention with input feeding (Luong et al. 2015)',
  attention: 'luong',
  score: 'bilinear',
  scope: 'local-m',
  window: 4,
  inputFeeding: true,
  sourceEnds: true,
  embedding: 32,
  hidden: 96,
  steps: 1500,
  minutes: 6,
  rate: 3e-3,
  atLeast: 0.85,
  storage: 'F16',
});
