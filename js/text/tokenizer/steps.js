/**
 * Limits of the steps of a tokenizer.json.  They come from an untrusted file and run over every prompt, so a
 * replacement that lengthens text could exhaust memory.  (linear-pattern.js bounds the time of patterns.)
 */
import { quoted } from '../../errors.js';
import { BEHAVIORS } from './cuts.js';

/** Largest number of steps of one kind; real files have up to five. */
const MAX_STEPS = 8;
/** Largest number of characters that replace a match; real files have one. */
const MAX_CONTENT = 4;
/** Largest factor by which all replacements lengthen a text. */
const MAX_GROWTH = 16;
/** Largest length of a regular expression; the longest known has 500 characters. */
const MAX_PATTERN = 4096;

/** The key of the steps of a sequence. */
const LISTS = Object.freeze({ normalizer: 'normalizers', pre_tokenizer: 'pretokenizers', decoder: 'decoders' });

/**
 * The steps of one kind: a single step, or the steps of a sequence.
 * @param {any} json
 * @param {keyof typeof LISTS} kind
 * @returns {any[]}
 */
export function stepsOf(json, kind) {
  const step = json[kind];
  if (typeof step !== 'object' || step === null) return [];
  if (step.type !== 'Sequence') return [step];
  const list = step[LISTS[kind]];
  return Array.isArray(list) ? list.filter((part) => typeof part === 'object' && part !== null) : [];
}

/**
 * Checks the steps.
 * @param {any} json  a parsed tokenizer.json
 * @returns {string | null} the problem, or null
 */
export function problemOfSteps(json) {
  for (const kind of /** @type {(keyof typeof LISTS)[]} */ (Object.keys(LISTS))) {
    const steps = stepsOf(json, kind);
    if (steps.length > MAX_STEPS) return `its ${kind} has ${steps.length} steps; the limit is ${MAX_STEPS}`;
    for (const step of steps) {
      const problem = problemOfStep(step);
      if (problem) return `a step of its ${kind} ${problem}`;
    }
    const growth = steps.reduce((product, { content }) => product * Math.max(1, content?.length ?? 1), 1);
    if (growth > MAX_GROWTH) return `its ${kind} makes text up to ${growth} times longer; the limit is ${MAX_GROWTH}`;
  }
  return null;
}

/** @param {any} step */
function problemOfStep({ type, pattern, content, prepend, replacement, str_rep, length, behavior = 'Isolated' }) {
  if (type === 'Sequence') return 'is a sequence in a sequence';
  if (type === 'FixedLength' && !(Number.isInteger(length) && length > 0)) return 'cuts text into pieces of no length';
  if (![content, prepend, replacement, str_rep].every(isShort)) return `inserts more than ${MAX_CONTENT} characters`;
  if (!BEHAVIORS.includes(behavior)) return `has the unknown behavior ${quoted(behavior)}`;
  if (type !== 'Split' && type !== 'Replace') return null;
  const text = pattern?.Regex ?? pattern?.String;
  if (typeof text !== 'string' || text === '') return 'has no pattern';
  if (text.length > MAX_PATTERN) return `has a pattern of ${text.length} characters`;
  return null;
}

/** @param {unknown} text */
const isShort = (text) => text === undefined || (typeof text === 'string' && text.length <= MAX_CONTENT);
