/** Several texts after one prompt, one after another: the session keeps the prompt, so it is computed once. */
import { HeedError } from '../errors.js';
import { needInteger } from '../options.js';

/** @typedef {import('./local.js').GuidedOptions} GuidedOptions */
/**
 * The size of a batch.
 * @typedef {object} BatchSize
 * @property {number} [count]  number of texts; default 2
 *
 * The place of a step in a batch.
 * @typedef {object} BatchPlace
 * @property {number} sequence  index of its text
 */
/** Options of `generate`, and the number of texts. @typedef {GuidedOptions & BatchSize} BatchOptions */
/** A step, and the index of its text. @typedef {import('./generate.js').Step & BatchPlace} BatchStep */
/** @typedef {import('./generate.js').Summary} Summary */

/** Largest number of texts. */
const MOST = 4096;

/**
 * @param {Pick<import('./local.js').LocalModel, 'generate'>} model
 * @param {string | ArrayLike<number>} prompt
 * @param {BatchOptions} [options]
 * @returns {AsyncGenerator<BatchStep, Summary[], void>}
 */
export async function* generateBatch(model, prompt, options = {}) {
  if (options === null || typeof options !== 'object') {
    throw new HeedError('bad-argument', 'generateBatch: options are an object, { count: … }.');
  }
  const { count = 2, seed = Math.floor(Math.random() * 2 ** 32), ...settings } = options;
  needInteger('count', count, 1, MOST);
  needInteger('seed', seed, 0, Number.MAX_SAFE_INTEGER - MOST);
  /** @type {Summary[]} */
  const summaries = [];
  while (summaries.length < count && !settings.signal?.aborted) {
    const sequence = summaries.length;
    const text = model.generate(prompt, { ...settings, seed: seed + sequence });
    let next = await text.next();
    try {
      for (; !next.done; next = await text.next()) yield { ...next.value, sequence };
    } finally {
      if (!next.done) await text.return(/** @type {any} */ (undefined)); // the reader stopped
    }
    summaries.push(next.value);
  }
  return summaries;
}
