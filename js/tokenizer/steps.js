/**
 * The steps that a tokenizer.json is made of, and what of them is let in.  They come from a stranger and run over every
 * prompt: a replacement that makes text longer, or a regular expression that goes back over it again and again, would
 * stop the machine.
 */

/** Steps of one kind; real files have up to five. */
const MAX_STEPS = 8;
/** Characters that take the place of a match; real files have one.  With the steps it bounds how text can grow. */
const MAX_CONTENT = 4;
/** Characters of a regular expression; the longest known has 500. */
const MAX_PATTERN = 4096;

/** Where the steps of a sequence stand. */
const LISTS = Object.freeze({ normalizer: 'normalizers', pre_tokenizer: 'pretokenizers', decoder: 'decoders' });

/**
 * A step of the tokenizer, or those of a sequence.
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
 * @param {any} json a parsed tokenizer.json
 * @returns {string | null} what is wrong with its steps
 */
export function problemOfSteps(json) {
  for (const kind of /** @type {(keyof typeof LISTS)[]} */ (Object.keys(LISTS))) {
    const steps = stepsOf(json, kind);
    if (steps.length > MAX_STEPS) return `its ${kind} has ${steps.length} steps; at most ${MAX_STEPS} are run`;
    for (const step of steps) {
      const problem = problemOfStep(step);
      if (problem) return `a step of its ${kind} ${problem}`;
    }
  }
  return null;
}

/** @param {any} step */
function problemOfStep({ type, pattern, content, prepend, replacement, str_rep }) {
  if (type === 'Sequence') return 'is a sequence in a sequence';
  if (![content, prepend, replacement, str_rep].every(isShort)) return `puts in more than ${MAX_CONTENT} characters`;
  if (type !== 'Split' && type !== 'Replace') return null;
  const text = pattern?.Regex ?? pattern?.String;
  if (typeof text !== 'string' || text === '') return 'has no pattern';
  if (text.length > MAX_PATTERN) return `has a pattern of ${text.length} characters`;
  if (pattern.Regex !== undefined && repeatsRepetition(text)) return 'has a pattern that may never end';
  return null;
}

/** @param {unknown} text */
const isShort = (text) => text === undefined || (typeof text === 'string' && text.length <= MAX_CONTENT);

/**
 * Whether a regular expression repeats, without bound, a group that itself repeats or chooses: the form whose matching
 * can take exponential time.
 * @param {string} pattern
 */
function repeatsRepetition(pattern) {
  const bare = pattern.replace(/\\[pPxu]\{[^}]*\}|\\./gsu, 'x').replace(/\[(?:[^[\]]|\[[^\]]*\])*\]/g, 'x');
  /** @type {boolean[]} whether each open group repeats or chooses */
  const groups = [];
  for (let at = 0; at < bare.length; at++) {
    const repeats = /^(?:[*+]|\{\d*,\})/.test(bare.slice(at, at + 8));
    if (bare[at] === '(') {
      groups.push(false);
    } else if (bare[at] === ')') {
      const inner = groups.pop() ?? false;
      if (inner && /^(?:[*+]|\{\d*,\})/.test(bare.slice(at + 1, at + 9))) return true;
      if (inner && groups.length > 0) groups[groups.length - 1] = true;
    } else if ((repeats || bare[at] === '|') && groups.length > 0) {
      groups[groups.length - 1] = true;
    }
  }
  return false;
}
