/** Log-probabilities of a text. */
import { HeedError, quoted, throwIfAborted } from '../errors.js';
import { needArray, needOptions } from '../options.js';
import { logSumExp } from '../softmax.js';
import { idsFrom } from '../text/ids.js';

/** @typedef {import('./load.js').LoadedModel} LoadedModel */
/** @typedef {import('./edits.js').Edit} Edit */

/**
 * The probability of a text.
 * @typedef {object} Score
 * @property {Int32Array} ids           ids of the text [ids]
 * @property {Float32Array} logprobs    natural logarithm of the probability of each id after the ids before it, from
 *   the second id on [ids − 1]
 * @property {number} perplexity        exponential of the negative mean of `logprobs`
 */

/** Ids whose logits are computed together, because each has a row of logits over the vocabulary. */
const BLOCK = 16;

/**
 * @param {LoadedModel} model
 * @param {string | ArrayLike<number>} text
 * @param {{ edits?: Edit[], signal?: AbortSignal,
 *   onProgress?: (progress: { done: number, total: number }) => void }} [options]
 * @returns {Promise<Score>}
 */
export async function score(model, text, options = {}) {
  needOptions('score', options, ['edits', 'signal', 'onProgress']);
  const { edits = [], signal, onProgress } = options;
  needArray('edits', edits, 'edits, such as { hook, head, scale }');
  const start = model.info.parts?.start ?? [];
  if (model.info.bidirectional) {
    throw new HeedError('unsupported', `${quoted(model.info.name)} is an encoder: it sees the words after a word, so ` +
      'a text has no probability.');
  }
  if (model.info.head !== 'words') {
    throw new HeedError('unsupported', `${quoted(model.info.name)} makes a vector of a text and predicts no words, ` +
      'so a text has no probability. Call embed.');
  }
  const { contextLength, modelContextLength, vocabulary, dModel } = model.info;
  const ids = typeof text === 'string' ? Int32Array.from([...start, ...await model.encode(text)])
    : idsFrom(text, vocabulary);
  if (ids.length < 2) {
    throw new HeedError('bad-argument', `A score needs at least two ids, because nothing comes before the first; got ` +
      `${ids.length}.`);
  }
  const total = ids.length - 1; // the last id is predicted, and not read
  if (total > contextLength) {
    throw new HeedError('context-full', `${ids.length} ids do not fit: the session holds ${contextLength} positions. ` +
      `Shorten the text${contextLength < modelContextLength ? ' or raise contextLength' : ''}.`);
  }
  const logprobs = new Float32Array(total);
  let sum = 0;
  // One call runs the whole text, so that no other call comes between its parts.
  const last = model.hooks[model.hooks.length - 1]; // the output matrix multiplies it
  const { cache } = await model.runWithCache(ids.subarray(0, total), [last], { edits, ...(signal && { signal }) });
  for (let first = 0; first < total; first += BLOCK) {
    const end = Math.min(first + BLOCK, total);
    throwIfAborted(signal);
    const logits = await model.unembed(cache[last].data.slice(first * dModel, end * dModel), { normalize: false });
    for (let i = 0; i < end - first; i++) {
      const row = logits.subarray(i * vocabulary, (i + 1) * vocabulary);
      const logprob = row[ids[first + i + 1]] - logSumExp(row);
      logprobs[first + i] = logprob;
      sum += logprob;
    }
    onProgress?.({ done: end, total });
  }
  return { ids, logprobs, perplexity: Math.exp(-sum / total) };
}
