/** Beam search with a loaded model. */
import { HeedError, abortable, quoted, throwIfAborted } from '../errors.js';
import { needInteger, needOptions, refuse } from '../options.js';
import { logSoftmax } from '../softmax.js';
import { sourceOf } from '../sources.js';
import { needIds, promptIdsOf } from '../text/ids.js';
import { score, searching } from './beam.js';
import { begun } from './encoder-decoder.js';

/** @typedef {import('./local.js').LocalModel} LocalModel */
/**
 * @typedef {object} BeamOptions
 * @property {number} [beams]      number of texts that are continued at the same time, 1 to 256; default 4
 * @property {number} [maxTokens]  largest number of ids of a text; default 256, as far as the context allows
 * @property {number} [lengthPenalty]  α of Wu et al.: 0 compares log-probabilities, larger values favor longer texts;
 *   default 0.6
 * @property {AbortSignal} [signal]  aborts between two tokens
 *
 * A text that the search found.
 * @typedef {object} BeamText
 * @property {Int32Array} ids   ids after the prompt, without the end token
 * @property {string} text      empty without a tokenizer
 * @property {number} logprob   natural logarithm of its probability, with the end token if it has one
 * @property {number} score     log-probability divided by the length penalty
 * @property {boolean} ended    whether it ended before the largest length
 */

/** @typedef {'info' | 'encode' | 'decode' | 'forward' | 'rewind' | 'ids' | 'tokenBytes' | 'setInput'} Needed */
/** @typedef {Pick<LocalModel, Needed>} Model */
/** The last search of each model, for which the next one waits. @type {WeakMap<object, Promise<unknown>>} */
const searches = new WeakMap();

/**
 * @param {Model} model
 * @param {string | ArrayLike<number>} prompt
 * @param {BeamOptions} [options]
 * @returns {Promise<BeamText[]>}
 */
export function beamSearch(model, prompt, options) {
  const last = Promise.resolve(searches.get(model));
  const search = abortable(last, options?.signal).then(() => searchNow(model, prompt, options));
  searches.set(model, Promise.allSettled([last, search]));
  return search;
}

/** @param {Model} model @param {string | ArrayLike<number>} prompt @param {BeamOptions} [options]
 *  @returns {Promise<BeamText[]>} */
async function searchNow(model, prompt, options = {}) {
  needOptions('beamSearch', options, ['beams', 'maxTokens', 'lengthPenalty', 'signal']);
  const { beams = 4, maxTokens = 256, lengthPenalty = 0.6, signal } = options;
  const { contextLength, bidirectional, head, parts, tokenizer, name } = model.info;
  if (bidirectional || head !== 'words') {
    throw new HeedError('unsupported', `${quoted(name)} is an encoder, which writes no text.`);
  }
  needInteger('beams', beams, 1, 256);
  needInteger('maxTokens', maxTokens, 1, Number.MAX_SAFE_INTEGER);
  if (!(typeof lengthPenalty === 'number' && lengthPenalty >= 0 && lengthPenalty < 100)) {
    refuse('lengthPenalty', 'a number from 0, less than 100', lengthPenalty);
  }
  const { prefix, source } = await beginningOf(model, prompt);
  /** Ids that the last step left in the session. @type {ArrayLike<number>} */
  let held = [];
  const room = contextLength - prefix.length;
  if (room < 1) {
    throw new HeedError('context-full', `The prompt has ${prefix.length} ids; the session holds ${contextLength} ` +
      'positions, and a text needs one more.');
  }
  const end = tokenizer ? (await model.tokenBytes()).eos : [];
  const search = searching(1, { beam: beams, lengthPenalty, longest: Math.min(maxTokens, room), end,
    never: parts?.excluded ?? [], isOpen: true });
  let step = search.next();
  while (!step.done) {
    const logprobs = [];
    for (const { ids } of step.value) logprobs.push(await after([...prefix, ...ids]));
    step = search.next(logprobs);
  }
  const [found] = step.value;
  if (found[0].ids.length > 0) await after([...prefix, ...found[0].ids]); // maps are of the best text
  return Promise.all(found.map(async (hypothesis) => {
    const { ids, logprob, ended } = hypothesis;
    return { ids: Int32Array.from(ids), text: tokenizer ? await model.decode(ids) : '', logprob,
      score: score(hypothesis, lengthPenalty), ended };
  }));

  /** Log-probabilities after ids.  The session keeps the ids that they share with it. @param {number[]} ids */
  async function after(ids) {
    throwIfAborted(signal);
    needHeld();
    let shared = 0;
    while (shared < ids.length - 1 && held[shared] === ids[shared]) shared++;
    model.rewind(shared);
    const logits = await model.forward(ids.slice(shared), signal && { signal });
    held = ids;
    needHeld();
    return logSoftmax(logits);
  }

  /** @throws {HeedError} 'superseded' when another call has changed the session */
  function needHeld() {
    const { ids } = model;
    if (source === sourceOf(model) && ids.length === held.length && ids.every((id, i) => id === held[i])) return;
    throw new HeedError('superseded', 'Another call changed the session during this search. Wait for the search, or ' +
      'load the model twice.');
  }
}

/** Ids before every text, and the ids of the source. @param {Model} model @param {string | ArrayLike<number>} prompt
 *  @returns {Promise<{ prefix: number[], source: Int32Array }>} */
async function beginningOf(model, prompt) {
  if (model.info.parts) {
    const { prompt: start, given: source } = await begun(model, prompt, {});
    return { prefix: [...start], source };
  }
  const given = typeof prompt === 'string' ? await model.encode(prompt) : prompt;
  const ids = promptIdsOf(prompt, given, model.info.vocabulary);
  needIds(ids.length);
  model.rewind(0);
  return { prefix: [...ids], source: sourceOf(model) };
}
