/** The generation loop, with a guide or without: options, steps of a session, stop strings and reasons to end. */
import { HeedError, quoted } from '../errors.js';
import { guarded } from '../guard.js';
import { needArray, refuse } from '../options.js';
import { promptIdsOf } from '../text/ids.js';
import { needTokenizer, StopFilter, tokenText } from '../text/text.js';
import { Utf8Stream } from '../text/utf8.js';
import { guess } from './lookup.js';
import { rowsBefore } from './maps.js';
import { SAMPLER_ORDERS, SAMPLING, SAMPLING_RANGES } from './sampling.js';

/** @typedef {import('../text/tokenizer.js').Tokenizer} Tokenizer */

/**
 * Settings of one text.  The defaults of the five sampling settings are the model's (`model.info.sampling`): the
 * recommendations of its file, else the values of `SAMPLING`.  Temperature 0 is greedy decoding; it ignores the
 * recommendations of the file.
 * @typedef {object} GenerateOptions
 * @property {number} [maxTokens]      largest number of tokens to generate; default 256
 * @property {number} [temperature]    divisor of the logits; default 0.7; 0 always takes the likeliest token
 * @property {number} [topK]           number of likeliest tokens to keep; default 40; 0 keeps all
 * @property {number} [topP]           probability of the smallest set of tokens to keep (nucleus sampling, Holtzman et
 *   al. 2020); default 0.95; 1 keeps all
 * @property {number} [minP]           smallest probability to keep, relative to the likeliest token's; default 0: all
 * @property {number} [repeatPenalty]  penalty on tokens of the session (Keskar et al. 2019): divides positive logits,
 *   multiplies negative ones; default 1: no penalty
 * @property {import('./sampling.js').SamplerOrder} [samplerOrder]  'llama.cpp' (default): temperature after the cuts
 *   topK, topP and minP; 'transformers': temperature before them
 * @property {number} [seed]           seed of the sampler; the same seed gives the same text; default: random, and
 *   reported in the summary
 * @property {string[]} [stop]         stop strings; the text ends before the first of them
 * @property {number} [top]            number of candidates listed per step; default 0
 * @property {number} [promptLookup]   largest number of tokens guessed per pass (prompt lookup decoding, Saxena 2023):
 *   the text after an earlier occurrence of the last two tokens.  The generated text stays the same.  It takes less
 *   time if it repeats its prompt, and more time if guesses are wrong.  Guided texts ignore it.  Inside the loop, the
 *   session of a model without Worker may be ahead of the step; `step.position` counts.  Default 0: one token per pass
 * @property {boolean} [rows]          whether each step carries the attention rows of all heads; default false
 * @property {import('./edits.js').Edit[]} [edits]  edits of activations during the whole text, prompt included;
 *   positions count from the start of the text, up to the context length
 * @property {AbortSignal} [signal]    signal that ends the text with reason 'abort'
 */

/**
 * A token that could come next.
 * @typedef {object} Candidate
 * @property {number} id        token id
 * @property {string} text      readable text of the token
 * @property {number} logprob   natural logarithm of the model's probability, before penalty, cuts and temperature
 */
/**
 * One generated token.
 * @typedef {object} Step
 * @property {number} id        token id
 * @property {string} text      text that this step completes.  A step that ends inside a UTF-8 character has '', and
 *   the next step has the whole character.  The texts of all steps joined are the text of the summary
 * @property {number} logprob   natural logarithm of the model's probability, before penalty, cuts and temperature
 * @property {number} position  position of the token in the session
 * @property {Candidate[]} top  likeliest tokens, likeliest first; as many as the option `top`
 * @property {number} ms        engine time of the step, in milliseconds
 * @property {import('./maps.js').AttentionRows} [rows]  attention rows of the previous token, from which this token
 *   was predicted, [layers][heads][1][keys]; only with the option `rows`
 */
/**
 * The generated text, and how it ended.
 * @typedef {object} Summary
 * @property {string} text           generated text, without the prompt
 * @property {Int32Array} ids        generated ids, one per step
 * @property {Int32Array} promptIds  ids of the prompt
 * @property {'end' | 'stop' | 'length' | 'abort' | 'context'} reason  'end': an end token; 'stop': a stop string;
 *   'length': maxTokens; 'abort': the signal; 'context': the session is full
 * @property {number} seed           seed of the sampler
 * @property {number} prefillMs      engine time of the prompt, in milliseconds
 * @property {number} decodeMs       engine time of all steps, in milliseconds, without the caller's time between steps
 */

/** @typedef {{ id: number, logprob: number }} Chosen */
/** @typedef {Chosen & { top: Chosen[] }} Choice  the sampled token, and the likeliest tokens */

/** Largest number of candidates of one step. */
const TOP_LIMIT = 1000;

/**
 * Generates one token per step.  An end token is the last step, with an empty text.
 * @param {import('./session.js').Session} session
 * @param {import('./info.js').ModelInfo} info
 * @param {Tokenizer | null} tokenizer
 * @param {string | ArrayLike<number>} prompt
 * @param {GenerateOptions} options
 * @returns {AsyncGenerator<Step, Summary, void>}
 */
export async function* generate(session, info, tokenizer, prompt, options) {
  if (info.bidirectional || info.head !== 'words') {
    throw new HeedError('unsupported', `${quoted(info.name)} is an encoder, which reads a whole text and writes ` +
      `none. Call ${info.labels ? 'classify or ' : info.mask ? 'fillMask or ' : ''}embed.`);
  }
  const settings = guarded('generate', settingsOf)(options, info);
  const { maxTokens, top, rows, signal, seed } = settings;
  const most = Math.min(settings.promptLookup, session.stepLimit(top) - 1);
  const given = typeof prompt === 'string' ? needTokenizer(tokenizer).encode(prompt) : prompt;
  const promptIds = guarded('generate', promptIdsOf)(prompt, given, info.vocabulary);
  if (typeof prompt !== 'string' && settings.stop.length > 0) needTokenizer(tokenizer);
  const ends = new Set(tokenizer?.eos ?? []);
  const utf8 = new Utf8Stream();
  const filter = new StopFilter(settings.stop);
  /** @type {number[]} */
  const ids = [];
  let text = '';
  /** null until the text ends; an abort leaves it null. @type {Summary['reason'] | null} */
  let reason = maxTokens === 0 ? 'length' : null;
  /** Choices that no step has shown yet; null: a guided text has ended. @type {(Choice | null)[]} */
  let choices = [];

  let epoch = 0;
  let prefillMs = 0;
  let decodeMs = 0;
  let resumed = performance.now();
  try {
    try {
      epoch = await session.begin(promptIds, signal, settings.edits);
      if (reason === null) choices = [await session.sample(settings.sampling, top, epoch)];
    } catch (error) {
      if (!(error instanceof HeedError && error.code === 'aborted')) throw error;
    }
    prefillMs = performance.now() - resumed;
    resumed += prefillMs;
    for (;;) {
      const choice = choices.shift();
      if (!choice || signal?.aborted) break;
      const position = promptIds.length + ids.length;
      const { id, logprob, top: likeliest } = choice;
      ids.push(id);
      if (ends.has(id)) reason = 'end';
      else if (ids.length === maxTokens) reason = 'length';
      else if (position + 1 > info.contextLength) reason = 'context';

      let piece = filter.push(tokenizer ? utf8.push(tokenizer.bytes(id)) : '');
      if (filter.stopped) reason = 'stop';
      else if (reason !== null) piece += filter.push(utf8.end()) + filter.end();
      text += piece;
      const candidates = likeliest.map((c) => ({ id: c.id, text: tokenText(tokenizer, c.id), logprob: c.logprob }));
      const attended = rows && { rows: rowsBefore(session, info, position, epoch) };
      const step = { id, text: piece, logprob, position, top: candidates, ...attended };
      const ms = performance.now() - resumed;
      decodeMs += ms;
      yield { ...step, ms };
      resumed = performance.now();
      if (reason !== null || signal?.aborted) break;
      if (choices.length > 0) continue;
      const room = Math.min(most, maxTokens - ids.length - 1, info.contextLength - position - 1);
      const guessed = room > 0 ? guess([...promptIds, ...ids], room) : [];
      choices = await session.next([id, ...guessed], position, top, epoch);
    }
  } finally {
    session.endEdits(epoch);
    if (choices.length > 0 && ids.length > 0) session.dropGuess(promptIds.length + ids.length - 1, epoch);
  }
  return {
    text,
    ids: Int32Array.from(ids),
    promptIds,
    reason: reason ?? (signal?.aborted ? 'abort' : 'end'),
    seed,
    prefillMs,
    decodeMs,
  };
}

/** Options with defaults, checked. @param {GenerateOptions} options @param {import('./info.js').ModelInfo} info */
function settingsOf(options, { vocabulary, sampling: ofModel }) {
  const defaults = options.temperature === 0 ? SAMPLING : ofModel;
  const {
    maxTokens = 256,
    topK = defaults.topK,
    samplerOrder = defaults.samplerOrder,
    stop = [],
    top = 0,
    signal,
  } = options;
  const natural = (/** @type {string} */ name, /** @type {number} */ value) =>
    Number.isSafeInteger(value) && value >= 0 ? value : refuse(name, 'an integer from 0', value);
  const number = (/** @type {'temperature' | 'topP' | 'minP' | 'repeatPenalty'} */ name) => {
    const { [name]: value = defaults[name] } = options;
    const [low, high] = SAMPLING_RANGES[name];
    const isValid = typeof value === 'number' && value >= low && value <= high;
    return isValid ? value : refuse(name, `a number from ${low} to ${high}`, value);
  };
  if (!Array.isArray(stop) || stop.some((s) => typeof s !== 'string' || s === '')) {
    refuse('stop', 'an array of non-empty strings', stop);
  }
  needArray('edits', options.edits ?? [], 'edits, such as { hook, head, scale }');
  const seed = natural('seed', options.seed ?? Math.floor(Math.random() * 2 ** 32));
  if (!SAMPLER_ORDERS.includes(samplerOrder)) refuse('samplerOrder', SAMPLER_ORDERS.join(' or '), samplerOrder);
  return {
    maxTokens: maxTokens === Infinity ? Infinity : natural('maxTokens', maxTokens),
    promptLookup: natural('promptLookup', options.promptLookup ?? 0),
    top: Math.min(natural('top', top), vocabulary, TOP_LIMIT),
    rows: options.rows,
    edits: options.edits ?? [],
    stop,
    signal,
    seed,
    sampling: {
      temperature: number('temperature'),
      top_k: Math.min(natural('topK', topK), vocabulary),
      top_p: number('topP'),
      min_p: number('minP'),
      order: samplerOrder,
      repeat_penalty: number('repeatPenalty'),
      seed_low: seed % 2 ** 32,
      seed_high: Math.floor(seed / 2 ** 32),
    },
  };
}
