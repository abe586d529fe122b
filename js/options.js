/** Options that callers hand in: one that there is not, or of another type, would change nothing, in silence. */
import { HeedError, quoted } from './errors.js';

/** @typedef {{ is: (value: any) => boolean, what: string }} Type */

/** @type {Type} */
const SWITCH = { is: (value) => typeof value === 'boolean', what: 'true or false' };
/** @type {Type} */
const LISTENER = { is: (value) => typeof value === 'function', what: 'a function' };
/** Of another window or realm, too. @type {Type} */
const SIGNAL = {
  is: (value) => typeof value?.addEventListener === 'function' && 'aborted' in value,
  what: 'an AbortSignal, such as new AbortController().signal',
};

/** @type {Type} */
const DURATION = { is: (value) => typeof value === 'number' && value > 0, what: 'a number of milliseconds above 0' };

/** A proxy that was revoked throws whatever it is asked. @param {unknown} value */
function isList(value) {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** @param {Type} type @param {unknown} value */
function fits(type, value) {
  try {
    return type.is(value);
  } catch {
    return false;
  }
}

/** Options that mean the same in every call that has them. @type {Record<string, Type>} */
const TYPES = {
  signal: SIGNAL,
  stallMs: DURATION,
  ...Object.fromEntries(['all', 'bias', 'bidirectional', 'causal', 'gated', 'maps', 'normBiases', 'requiresGrad',
    'rows', 'strict', 'tied', 'transposeA', 'transposeB', 'worker'].map((name) => [name, SWITCH])),
  ...Object.fromEntries(['decays', 'onBegan', 'onLearned', 'onProgress', 'warn'].map((name) => [name, LISTENER])),
};

/** Of the calls that a model and its near end both answer. */
export const CALLS = {
  forward: ['all', 'signal'],
  generate: ['maxTokens', 'temperature', 'topK', 'topP', 'minP', 'repeatPenalty', 'samplerOrder', 'seed', 'stop', 'top',
    'rows', 'signal'],
  runWithCache: ['all', 'edits', 'signal'],
  runWithHooks: ['all', 'signal'],
};

/**
 * @param {string} call what they are options of, for the sentence
 * @param {unknown} options none where undefined
 * @param {readonly string[]} known
 * @throws {HeedError} 'bad-argument'
 */
export function needOptions(call, options, known) {
  if (options === undefined) return;
  if (typeof options !== 'object' || options === null || isList(options)) {
    throw new HeedError('bad-argument', `${call}: options are an object, { ${known[0]}: … }, not ${quoted(options)}.`);
  }
  for (const [name, value] of entriesOf(call, options)) {
    if (!known.includes(name)) {
      throw new HeedError('bad-argument', `${call}: there is no option ${quoted(name)}; there are ` +
        `${known.join(', ')}.`);
    }
    const type = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
    if (!type || value === undefined || value === null || fits(type, value)) continue;
    throw new HeedError('bad-argument', `${call}: ${name} is ${quoted(value)}; it is ${type.what}.`);
  }
}

/** @param {string} call @param {object} options @returns {[string, unknown][]} */
function entriesOf(call, options) {
  try {
    return Object.entries(options);
  } catch (cause) {
    throw new HeedError('bad-argument', `${call}: the options cannot be read.`, { cause });
  }
}

/** @param {string} name of the argument @param {unknown} value @param {string} items
 *  @throws {HeedError} 'bad-argument' */
export function needArray(name, value, items) {
  if (isList(value)) return;
  throw new HeedError('bad-argument', `${name} is ${quoted(value)}; it is an array of ${items}.`);
}

/** @param {string} name of the argument @param {unknown} value @param {number} from @param {number} to
 *  @throws {HeedError} 'bad-argument' */
export function needInteger(name, value, from, to) {
  if (Number.isInteger(value) && Number(value) >= from && Number(value) <= to) return;
  throw new HeedError('bad-argument', `Expected ${name} to be an integer from ${from} to ${to}, got ${quoted(value)}.`);
}
