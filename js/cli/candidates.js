// The next token after a prompt: the likeliest candidates, and the divergence of two distributions.
import { logSumExp } from '../softmax.js';
import { oneLine } from './terminal.js';

/** @typedef {{ id: number, text: string, logit: number, logprob: number, probability: number }} Candidate */

/** Log-probabilities of a row of logits, in float64. @param {ArrayLike<number>} logits [vocabulary] */
export function logProbabilities(logits) {
  const normalizer = logSumExp(logits);
  return Float64Array.from(logits, (logit) => logit - normalizer);
}

/**
 * The likeliest tokens; of equal ones, the lowest id first.
 * @param {import('../index.js').Model} model  @param {ArrayLike<number>} logits [vocabulary]  @param {number} count
 * @returns {Promise<Candidate[]>}
 */
export async function likeliest(model, logits, count) {
  const logprobs = logProbabilities(logits);
  const ids = Array.from(logprobs.keys()).sort((a, b) => logprobs[b] - logprobs[a] || a - b).slice(0, count);
  const texts = await model.tokens(ids);
  return ids.map((id, i) => {
    return { id, text: texts[i], logit: logits[id], logprob: logprobs[id], probability: Math.exp(logprobs[id]) };
  });
}

/**
 * Kullback–Leibler divergence of two distributions of the next token, D(before ‖ after).
 * @param {Float64Array} before log-probabilities [vocabulary]  @param {Float64Array} after
 * @returns {number} nats
 */
export function divergence(before, after) {
  return before.reduce((sum, logprob, id) => {
    return logprob === -Infinity ? sum : sum + Math.exp(logprob) * (logprob - after[id]);
  }, 0);
}

/** A probability in seven columns. @param {number} probability */
export function percent(probability) {
  const hundredths = 100 * probability;
  return (hundredths < 0.01 ? '< 0.01' : hundredths.toFixed(2)).padStart(6) + ' %';
}

/** A token in quotes. @param {string} text */
export const named = (text) => `‘${oneLine(text)}’`;
