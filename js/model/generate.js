import { HeedError, quoted } from '../errors.js';
import { guarded } from '../guard.js';
import { CALLS, needOptions } from '../options.js';
import { idsFrom } from '../text/ids.js';
import { needTokenizer, StopFilter, tokenText } from '../text/text.js';
import { Utf8Stream } from '../text/utf8.js';
import { SAMPLER_ORDERS, SAMPLING, SAMPLING_RANGES } from './sampling.js';

/** @typedef {import('../text/tokenizer.js').Tokenizer} Tokenizer */

/**
 * The defaults of the five sampling settings are the model's (`model.info.sampling`): those that its file recommends,
 * else the ones below.  Temperature 0 takes the likeliest token, and then no recommendation of the file applies.
 * @typedef {object} GenerateOptions
 * @property {number} [maxTokens]      256 by default
 * @property {number} [temperature]    0.7 by default; 0 takes the likeliest token always
 * @property {number} [topK]           keeps the K likeliest tokens; 40 by default, 0 keeps all
 * @property {number} [topP]           keeps the smallest set with this probability (Holtzman et al. 2020); 0.95 by
 *   default, 1 keeps all
 * @property {number} [minP]           keeps tokens with this share of the likeliest's probability; 0, the default, all
 * @property {number} [repeatPenalty]  on tokens that the session holds (Keskar et al. 2019); 1, the default, is none
 * @property {import('./sampling.js').SamplerOrder} [samplerOrder]  'llama.cpp', the default: temperature after the
 *   cuts (topK, topP, minP); 'transformers': temperature before them
 * @property {number} [seed]           the same seed gives the same text; random by default, and said in the summary
 * @property {string[]} [stop]         the text ends before the first of these
 * @property {number} [top]            how many candidates each step lists
 * @property {boolean} [rows]          each step carries the rows of every head; false by default
 * @property {AbortSignal} [signal]
 */

/** @typedef {{ id: number, text: string, logprob: number }} Candidate */
/**
 * One token.  `logprob` is the model's own, before penalty, cuts and temperature; the texts of all steps make up the
 * summary's text: a step whose bytes end inside a character gives '', and the next gives the whole character.
 * `ms` is the time that the engine took for the step, in milliseconds.  `rows`, with the option of that name, are what
 * attentionRows gives for the token before this one: the token that the engine read to choose this one.
 * @typedef {Candidate & { position: number, top: Candidate[], ms: number,
 *   rows?: import('./model.js').AttentionRows }} Step
 */
/**
 * @typedef {object} Summary
 * @property {string} text
 * @property {Int32Array} ids        one a step
 * @property {Int32Array} promptIds
 * @property {'end' | 'stop' | 'length' | 'abort' | 'context'} reason
 * @property {number} seed
 * @property {number} prefillMs      the engine's time for the prompt
 * @property {number} decodeMs       the engine's time for all steps, without what the caller does between them
 */

/** @typedef {{ id: number, logprob: number }} Chosen */
/** @typedef {Chosen & { top: Chosen[] }} Choice */
/**
 * What generation asks of a model.
 * @typedef {object} Run
 * @property {Tokenizer | null} tokenizer
 * @property {number} contextLength
 * @property {number} vocabulary
 * @property {Readonly<import('./sampling.js').Sampling>} sampling  defaults of this model
 * @property {(ids: Int32Array, signal?: AbortSignal) => Promise<number>} begin  → epoch
 * @property {(sampling: Record<string, number>, top: number, epoch: number) => Choice} sample  after what has run
 * @property {(id: number, top: number, epoch: number) => Promise<Choice>} next  runs one id, and samples as before
 * @property {(epoch: number) => import('./model.js').AttentionRows} rows  of the token that ran last
 */

/** Candidates of one step: more than anybody looks at. */
const TOP_LIMIT = 1000;

/**
 * One Step a token, as soon as it exists; an end token is the last step, with no text of its own.
 * @param {Run} run
 * @param {string | ArrayLike<number>} prompt
 * @param {GenerateOptions} options
 * @returns {AsyncGenerator<Step, Summary, void>}
 */
export async function* generate(run, prompt, options) {
  const settings = guarded('generate', checked)(options, run);
  const { maxTokens, top, rows, signal, seed } = settings;
  const promptIds = guarded('generate', promptIdsOf)(run, prompt);
  if (typeof prompt !== 'string' && settings.stop.length > 0) needTokenizer(run.tokenizer);
  const ends = new Set(run.tokenizer?.eos ?? []);
  const utf8 = new Utf8Stream();
  const filter = new StopFilter(settings.stop);
  /** @type {number[]} */
  const ids = [];
  let text = '';
  /** @type {Summary['reason'] | null} where nothing else ends it, an abort did */
  let reason = maxTokens === 0 ? 'length' : null;
  /** @type {Choice | null} */
  let choice = null;

  const began = performance.now();
  let epoch = 0;
  try {
    epoch = await run.begin(promptIds, signal);
    if (reason === null) choice = run.sample(settings.sampling, top, epoch);
  } catch (error) {
    if (!(error instanceof HeedError && error.code === 'aborted')) throw error;
  }
  const prefillMs = performance.now() - began;
  let decodeMs = 0;
  let resumed = performance.now();

  while (choice !== null && !signal?.aborted) {
    const position = promptIds.length + ids.length;
    const { id, logprob, top: likeliest } = choice;
    ids.push(id);
    if (ends.has(id)) reason = 'end';
    else if (ids.length === maxTokens) reason = 'length';
    else if (position + 1 > run.contextLength) reason = 'context';

    let piece = filter.push(run.tokenizer ? utf8.push(run.tokenizer.bytes(id)) : '');
    if (filter.stopped) reason = 'stop';
    else if (reason !== null) piece += filter.push(utf8.end()) + filter.end();
    text += piece;
    const candidates = likeliest.map((c) => ({ id: c.id, text: tokenText(run.tokenizer, c.id), logprob: c.logprob }));
    const step = { id, text: piece, logprob, position, top: candidates, ...(rows && { rows: run.rows(epoch) }) };
    const ms = performance.now() - resumed;
    decodeMs += ms;
    yield { ...step, ms };
    resumed = performance.now();
    choice = reason === null && !signal?.aborted ? await run.next(id, top, epoch) : null;
  }
  return {
    text,
    ids: Int32Array.from(ids),
    promptIds,
    reason: reason ?? 'abort',
    seed,
    prefillMs,
    decodeMs,
  };
}

/** What a generation ends with when another call has taken its session. */
export const superseded = () =>
  new HeedError(
    'superseded',
    'Another call changed the session while this text was read or generated. One model has one session: ' +
      'stop the generation first, or load the model twice.',
  );

/** @param {Run} run @param {string | ArrayLike<number>} prompt */
function promptIdsOf({ tokenizer, vocabulary }, prompt) {
  if (typeof prompt === 'string') {
    const ids = needTokenizer(tokenizer).encode(prompt);
    if (ids.length > 0) return ids;
    throw new HeedError(
      'bad-argument',
      'The prompt is empty, and this model has no start token to begin with. Write something.',
    );
  }
  if (prompt === null || typeof prompt !== 'object' || !Number.isInteger(prompt.length)) {
    throw new HeedError('bad-argument', `A prompt is a text or an array of ids; ${quoted(prompt)} is neither.`);
  }
  if (prompt.length === 0) throw new HeedError('bad-argument', 'The prompt has no ids. Give at least one.');
  return idsFrom(prompt, vocabulary);
}

/** @param {GenerateOptions} options @param {Run} run */
function checked(options, { vocabulary, sampling: ofModel }) {
  needOptions('generate', options, CALLS.generate);
  const defaults = options.temperature === 0 ? SAMPLING : ofModel;
  const {
    maxTokens = 256,
    temperature = defaults.temperature,
    topK = defaults.topK,
    topP = defaults.topP,
    minP = defaults.minP,
    repeatPenalty = defaults.repeatPenalty,
    samplerOrder = defaults.samplerOrder,
    stop = [],
    top = 0,
    signal,
  } = options;
  const seed = options.seed ?? Math.floor(Math.random() * 2 ** 32);
  const whole = (/** @type {string} */ name, /** @type {number} */ value) =>
    Number.isSafeInteger(value) && value >= 0 ? value : refuse(name, value, 'a whole number from 0');
  const number = (/** @type {string} */ name, /** @type {number} */ value) => {
    const [low, high] = SAMPLING_RANGES[name];
    const isValid = typeof value === 'number' && value >= low && value <= high;
    return isValid ? value : refuse(name, value, `a number from ${low} to ${high}`);
  };
  if (!Array.isArray(stop) || stop.some((s) => typeof s !== 'string' || s === '')) {
    refuse('stop', stop, 'an array of texts, none of them empty');
  }
  whole('seed', seed);
  if (!SAMPLER_ORDERS.includes(samplerOrder)) refuse('samplerOrder', samplerOrder, SAMPLER_ORDERS.join(' or '));
  return {
    maxTokens: maxTokens === Infinity ? Infinity : whole('maxTokens', maxTokens),
    top: Math.min(whole('top', top), vocabulary, TOP_LIMIT),
    rows: options.rows ?? false,
    stop,
    signal,
    seed,
    sampling: {
      temperature: number('temperature', temperature),
      top_k: Math.min(whole('topK', topK), vocabulary),
      top_p: number('topP', topP),
      min_p: number('minP', minP),
      order: SAMPLER_ORDERS.indexOf(samplerOrder),
      repeat_penalty: number('repeatPenalty', repeatPenalty),
      seed_low: seed % 2 ** 32,
      seed_high: Math.floor(seed / 2 ** 32),
    },
  };
}

/** @param {string} name @param {unknown} value @param {string} wanted @returns {never} */
function refuse(name, value, wanted) {
  throw new HeedError('bad-argument', `${name} is ${quoted(value)}; it must be ${wanted}.`);
}
