/** The translator of dates whose decoder also reads its last attentional vector. */
import { datesRecipe } from './dates-rnn.js';

export default datesRecipe({
  name: 'dates-luong-feeding',
  summary: 'dates to ISO 8601 by a GRU and the general score with input feeding (Luong et al. 2015)',
  attention: 'luong',
  score: 'bilinear',
  inputFeeding: true,
  sourceEnds: true,
  embedding: 32,
  hidden: 96,
  steps: 1500,
  minutes: 5,
  rate: 3e-3,
  atLeast: 0.95,
  storage: 'F16',
});
