/** Checks of options: an unknown name or a wrong type is an error, because it would be ignored silently. */
import { HeedError, quoted } from './errors.js';
import { guarded } from './guard.js';

/** @typedef {{ is: (value: any) => boolean, what: string }} Type */

/** @type {Type} */
const SWITCH = { is: (value) => typeof value === 'boolean', what: 'true or false' };
/** @type {Type} */
const LISTENER = { is: (value) => typeof value === 'function', what: 'a function' };
/** Also from another window or realm. @type {Type} */
const SIGNAL = {
  is: (value) => typeof value?.addEventListener === 'function' && 'aborted' in value,
  what: 'an AbortSignal, such as new AbortController().signal',
};

/** @type {Type} */
const DURATION = { is: (value) => typeof value === 'number' && value > 0, what: 'a number of milliseconds above 0' };

/** Array.isArray throws for a revoked proxy. @param {unknown} value */
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

/** Types of options, the same in every call. @type {Record<string, Type>} */
const TYPES = {
  signal: SIGNAL,
  stallMs: DURATION,
  ...Object.fromEntries(['activations', 'all', 'bias', 'bidirectional', 'causal', 'full', 'gated', 'keep', 'maps',
    'mean', 'normBiases', 'normalize', 'offline', 'renormalize', 'requiresGrad', 'rows', 'special', 'strict', 'tied',
    'transposeA', 'transposeB', 'worker'].map((name) => [name, SWITCH])),
  ...Object.fromEntries(['decays', 'onBegan', 'onLearned', 'onProgress', 'token', 'warn']
    .map((name) => [name, LISTENER])),
};

/** Options of `generate` that restrict the text. */
const GUIDES = ['json', 'grammar', 'banned', 'logitBias'];

/** Options of calls that both Model and its client RemoteModel check. */
export const CALLS = {
  encode: ['special', 'disguise'],
  forward: ['all', 'signal'],
  generate: ['maxTokens', 'temperature', 'topK', 'topP', 'minP', 'repeatPenalty', 'samplerOrder', 'seed', 'stop', 'top',
    'promptLookup', 'rows', 'edits', 'signal', ...GUIDES],
  runWithCache: ['all', 'edits', 'signal'],
  runWithHooks: ['all', 'signal'],
  gradients: ['of', 'at', 'edits', 'activations', 'onProgress', 'signal'],
  sweep: ['of', 'names', 'onProgress', 'signal'],
  unembed: ['normalize', 'top'],
  weight: ['range'],
};

/**
 * Checks the names and types of options.
 * @param {string} call  name of the call, for messages
 * @param {unknown} options  may be undefined
 * @param {readonly string[]} known  names of the options of this call
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

/** Names of activations, or a pattern or a function that selects them.
 *  @typedef {string[] | RegExp | ((name: string) => unknown)} Names */

/** Names as given, or all names that a pattern or a function selects.  Without a match the list has the text of the
 *  pattern, so that the error of the run quotes it.
 *  @param {Names | undefined} names @param {string[]} all
 *  @returns {string[] | undefined} @throws {HeedError} 'bad-argument' when the function throws */
export const selected = guarded('names', selectedOf);

/** @param {Names | undefined} names @param {string[]} all @returns {string[] | undefined} */
function selectedOf(names, all) {
  const selects = names instanceof RegExp ? (/** @type {string} */ name) => name.search(names) >= 0 : names;
  if (typeof selects !== 'function') return selects;
  const found = all.filter((name) => selects(name));
  return found.length > 0 ? found : [String(names)];
}

/** Checks that an argument is an array.
 *  @param {string} name @param {unknown} value @param {string} items  what it contains, for messages
 *  @throws {HeedError} 'bad-argument' */
export function needArray(name, value, items) {
  if (isList(value)) return;
  throw new HeedError('bad-argument', `${name} is ${quoted(value)}; it is an array of ${items}.`);
}

/** Refuses an argument. The message says that ‘5’ of an input field of a page is a string.
 *  @param {string} name @param {string} expected @param {unknown} value @returns {never}
 *  @throws {HeedError} 'bad-argument' */
export function refuse(name, expected, value) {
  throw new HeedError('bad-argument', `Expected ${name} to be ${expected}, got ` +
    `${typeof value === 'string' && !isNaN(+value) ? 'the string ' : ''}${quoted(value)}.`);
}

/** Checks that an argument is an integer in a range, both ends included.
 *  @param {string} name @param {unknown} value @param {number} from @param {number} to
 *  @throws {HeedError} 'bad-argument' */
export function needInteger(name, value, from, to) {
  if (Number.isInteger(value) && Number(value) >= from && Number(value) <= to) return;
  refuse(name, `an integer from ${from} to ${to}`, value);
}

/** Whether options of `generate` restrict the text; false for options that cannot be read, which `generate` reports.
 *  @param {unknown} options */
export function isGuided(options) {
  try {
    return GUIDES.some((name) => Object(options)[name] !== undefined);
  } catch {
    return false;
  }
}
