/** Log-probabilities of a text. */
import { HeedError, quoted } from '../errors.js';
import { needOptions } from '../options.js';

/**
 * The probability of a text.
 * @typedef {object} Score
 * @property {Int32Array} ids           ids of the text [ids]
 * @property {Float32Array} logprobs    natural logarithm of the probability of each id after the ids before it, from
 *   the second id on [ids − 1]
 * @property {number} perplexity        exponential of the negative mean of `logprobs`
 */

/** Ids of one forward pass, because each has a row of logits over the vocabulary. */
const BLOCK = 16;

/**
 * @param {import('./load.js').LoadedModel} model
 * @param {string | ArrayLike<number>} text
 * @param {{ signal?: AbortSignal, onProgress?: (progress: { done: number, total: number }) => void }} [options]
 * @returns {Promise<Score>}
 */
export async function score(model, text, options = {}) {
  needOptions('score', options, ['signal', 'onProgress']);
  const start = model.info.parts?.start ?? [];
  const ids = typeof text === 'string' ? Int32Array.from([...start, ...await model.encode(text)])
    : Int32Array.from(text);
  if (model.info.bidirectional) {
    throw new HeedError('unsupported', `${quoted(model.info.name)} is an encoder: it sees the words after a word, so ` +
      'a text has no probability.');
  }
  if (model.info.head !== 'words') {
    throw new HeedError('unsupported', `${quoted(model.info.name)} makes a vector of a text and predicts no words, ` +
      'so a text has no probability. Call embed.');
  }
  if (ids.length < 2) {
    throw new HeedError('bad-argument', `A score needs at least two ids, because nothing comes before the first; got ` +
      `${ids.length}.`);
  }
  const { contextLength, vocabulary } = model.info;
  if (ids.length > contextLength) {
    throw new HeedError('context-full', `${ids.length} ids do not fit: the session holds ${contextLength} positions.`);
  }
  const { signal, onProgress } = options;
  const total = ids.length - 1;
  const logprobs = new Float32Array(total);
  let sum = 0;
  model.rewind(0);
  for (let first = 0; first < total; first += BLOCK) {
    const block = ids.subarray(first, Math.min(first + BLOCK, total));
    const logits = await model.forward(block, { all: true, ...(signal && { signal }) });
    for (let i = 0; i < block.length; i++) {
      const row = logits.subarray(i * vocabulary, (i + 1) * vocabulary);
      const logprob = row[ids[first + i + 1]] - logSumExp(row);
      logprobs[first + i] = logprob;
      sum += logprob;
    }
    onProgress?.({ done: first + block.length, total });
  }
  return { ids, logprobs, perplexity: Math.exp(-sum / total) };
}

/** log Σ exp(x), in float64. @param {Float32Array} x */
function logSumExp(x) {
  const most = x.reduce((a, b) => Math.max(a, b), -Infinity);
  return most + Math.log(x.reduce((sum, value) => sum + Math.exp(value - most), 0));
}
