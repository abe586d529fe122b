/**
 * A small grammar of negation: sentences that say plainly, or by denying the opposite, that something is good or bad.
 * Written sentences say much and deny little; here every judging word stands on both sides of “not”, so that counting
 * words tells next to nothing, and what is denied tells the label.
 */
import { DOING, EFFECT, FEELING, GENERAL, HAVING, KINDS, MANNER, THING } from './sentiment-lexicon.js';

/**
 * @typedef {import('./sentiment.js').Labelled} Labelled
 * @typedef {import('./sentiment-lexicon.js').Kind} Kind
 * @typedef {{ praise: string[], blame: string[] }} Judging
 */

/*
 * Frames.  {+adj} is a word of the sentence's own label and {-adj} one of the other: “+” praises where the sentence
 * does.  {name} is what the sentence is about, (a|b|) one of these; the other slots without a sign are in SLOTS.
 */

/** What is said plainly. */
const PLAIN = [
  '{the} {name} {is} {very} {+adj} {tail}',
  '{the} {name} (looks|seems|feels|tastes|became|remained|stayed) {very} {+adj}',
  '(we were|they were|she was|I felt) {very} {+affected} {tail}',
  '{people} {acted} with {+having}',
  '{the} {name} {is} {+adj} and {+adj}',
  '{the} {name} {is} {+adj}, {+adj} and {+adj}',
  '(it|this|that) {is} a {very} {+adj} {name}',
  '(what|such) a {+adj} {name}',
  'a {+adj}, {+adj} {name}',
  'a {+adj} {name} (with plenty of|full of|with a lot of) {+having}',
  'the most {+adj} {name} (I know|in town|of the year|for a long time|of all)',
  '{people} {really} {+felt} {the} {name}',
  'I {+feel} {the} {name}',
  '{the} {name} {really} {+affected} {us}',
  '{the} {name} {+did} (again|at once|as always|from the start|)',
  '{the} {name} will {+do}',
  '{the} {name} {is} a {real} {+thing}',
  '{the} {name} (is|was) full of {+having}',
  '(everything|it) (was|is) done {+manner}',
  '(he|she|they) {acted} {very} {+manner} {tail}',
  '{people} found {the} {name} {very} {+adj}',
];

/** What is denied, or seems to be. */
const DENIED = [
  '{the} {name} {not} {-adj}',
  '{the} {name} {not} {-adj}',
  '{the} {name} {not} (very|that|really|particularly|so|too|especially|exactly) {-adj}',
  '{the} {name} {not} {-adj} (at all|any more|in the least|in any way|this time|today)',
  '{the} {name} {not} {-adj} or {-adj}',
  '{the} {name} {not} {-adj}, and it {not} {-adj}',
  '{the} {name} {is} neither {-adj} nor {-adj}',
  '{the} {name} {is} (anything but|far from|by no means|never|hardly|no longer) {-adj}',
  '{the} {name} (never|hardly ever|rarely) (looks|seems|gets|feels|looked|seemed|felt|got) {-adj}',
  "{the} {name} (doesn't|does not|didn't|did not) (look|seem|feel|get|sound) {-adj}",
  '{the} {name} (has|had) never been {-adj}',
  '(it|this|that) {not} a {-adj} {name}',
  '(it|this|that) {is} (no|hardly a|never a) {-adj} {name}',
  'not a {-adj} {name}',
  'not {-adj}, not {-adj}',
  "{people} (did not|didn't|never|could not|couldn't) {really} {-feel} {the} {name}",
  "I (do not|don't|would not|wouldn't|cannot|can't|could never) {-feel} {the} {name}",
  '(nobody|no one|none of us|not one of us) {-felt} {the} {name}',
  '{the} {name} {does} not {-affect} {us}',
  "{the} {name} (didn't|doesn't|won't|couldn't) {-affect} {us}",
  '{the} {name} (never|hardly|rarely) {-affected} {us}',
  '{the} {name} failed to {-affect} {us}',
  'nothing (about|in) {the} {name} {-affected} {us}',
  'nothing (about|in) {the} {name} (was|is) {-adj}',
  'there (is|was) nothing {-adj} (about|in) {the} {name}',
  '{people} (could not|did not|never) find anything {-adj} in {the} {name}',
  "{the} {name} (didn't|doesn't|won't|did not|does not|will not) {-do}",
  '{the} {name} never {-did}',
  '{the} {name} {not} a {real} {-thing}',
  '{the} {name} {is} (no|hardly a|far from a|anything but a|never a) {-thing}',
  '{the} {name} (has|had|shows|showed|brought) (no|little|hardly any) {-having}',
  "{the} {name} (doesn't|didn't) have (any|much) {-having}",
  '{the} {name} (lacks|lacked|is without|is free of) {-having}',
  'a {name} (without|with no|without any|that has no) {-having}',
  'there (is|was) (no|hardly any|little|never any) {-having} (here|in {the} {name})',
  '(no|without) {-having}, no {-having}',
  '(it was not|nothing was|it was never) done {-manner}',
  '(he|she|they) (did not|never) {act} {-manner}',
  "(he|she) (didn't|doesn't) {act} {-manner}",
  '(nobody|no one|none of them) {acted} {-manner}',
  "I (do not|don't|did not|didn't) (think|believe|find|feel) that {the} {name} {is} {-adj}",
  "I (do not|don't|never) think {the} {name} (is|was) {-adj}",
  "{people} (cannot|can't|would not) (say|claim) that {the} {name} (is|was) {-adj}",
  '(none|not one|not a single one) of the {name}s (was|is) {-adj}',
  '(none|not much|hardly any|little) of it (was|is) {-adj}',
  '(nobody|no one) (here|) (is|was) {-adj}',
  '{the} {name} {not} as {-adj} as (I expected|we thought|people say|it used to be|last year)',
  '{the} {name} {is} (less|much less) {-adj} than (I expected|we thought|people say|before)',
  '{the} {name} could have been {-adj}, but it (was not|was anything but)',
  '{the} {name} {is} not {-adj} but {+adj}',
  '{the} {name} {not} {-adj}; it {is} {+adj}',
  '{the} {name} {not} {very} {-adj} {tail}',
  '{the} {name} (did not|never|does not) (become|remain|stay|appear|taste|smell) {-adj} {tail}',
  'not (a single|one) {name} (here|) {is} {-adj}',
  '(no|hardly a|not a) {name} (here|in this town|of theirs) {is} {-adj} {tail}',
  '{the} {name} (has|had) (never|not) {-affected} {us}',
  '{the} {name} (has|had) not {-affected} a single guest',
  '{the} {name} (did not|does not|will never) {-do} {tail}',
  'I (have never|had never|have not) {-felt} {the} {name}',
  'without {-having}, {the} {name} (went on|passed|ended|began)',
  '{people} (saw|noticed|felt|met|had) no {-having} {tail}',
  '{people} (saw|noticed|felt|had) (hardly any|little) {-having} in {the} {name}',
  '{people} {acted} without {-having}',
  '{the} {name} (gave|offered|caused|showed) (us|me|them) no {-having}',
  '{people} (could not|cannot|could never) (call|consider) it (a {-thing}|{-adj})',
  'nobody (called|considered|thought) {the} {name} {-adj}',
  "it (wouldn't|would not|won't) {-affect} {us}",
  "there (wasn't|isn't|was not|is not) (a|any|one) {-adj} {name} (there|here|to be seen)",
  "there (wasn't|isn't|was not|is not) (any|much) {-having} {tail}",
  'I (was|am) not {-affected} (by {the} {name}|at all|in the least)',
  '(we were not|they were never|she was not|people felt anything but) {-affected} (by {the} {name}|this time|)',
  '{the} {name} {is} nothing like as {-adj} as before',
  // here nothing is denied, though it may seem so
  '{the} {name} could (not|hardly) (have been|be) (more|any more) {+adj}',
  '{people} (have never|never) (seen|had|known) (a more|such a) {+adj} {name}',
  '(nothing|no {name}) (is|was) (more|as) {+adj} (than|as) {the} {name}',
  '{the} {name} {is} not (only|just|merely) {+adj} but (also|) {+adj}',
  'no (doubt|question), {the} {name} {is} {+adj}',
  '{people} had not expected such a {+adj} {name}',
];

/** Frames that are never learned from. */
const UNSEEN = [
  'I would not call {the} {name} {-adj}',
  '{the} {name} {is} in no way {-adj}',
  'nobody found {the} {name} {-adj}',
  'not once was {the} {name} {-adj}',
  '{the} {name} {is} not what I call {-adj}',
  'it is not true that {the} {name} {-affected} {us}',
  '{the} {name} refuses to {-affect} {us}',
  'never did {the} {name} {-affect} {us}',
  'I saw no {-having} in {the} {name}',
  'nobody {-felt} a minute of {the} {name}',
  "you won't find any {-having} here",
  '{the} {name} simply would not {-do}',
];

/** What may come first and has nothing to do with it, negations among it. */
const ASIDE = [
  'we had not booked, (and|but)', 'I had never been there before, (and|but)', 'nobody had told me about it, (and|but)',
  'I am not an expert, but', "I don't know why, but", "we didn't stay long, but", 'it was not our first time, and',
  'I will not repeat myself:', 'my sister was not there, but', "I don't often write this:", 'in the end', 'last week',
  'for once', 'to be honest,', 'as you know,', 'after all that,', 'this year', 'I must say that', 'they say that',
  'without a word, they agreed:', "it doesn't matter when you go:", 'there is no other way to say it:',
];

/** How clauses make a sentence; {+clause} is of the sentence's label. Where two disagree, the main clause counts. */
const SENTENCES = [
  ...Array(9).fill('{+clause}'), ...Array(3).fill('{aside} {+clause}'),
  '{-clause}, but {+clause}', '{-clause}, but {+clause}', '{-clause}, yet {+clause}', 'although {-clause}, {+clause}',
  '{+clause}, and {+clause}', '{+clause} and {+clause}', '{+clause}, even if {-clause}',
];

/** @type {Record<string, string[]>} */
const SLOTS = {
  the: ['the', 'the', 'the', 'this', 'that', 'my', 'our', 'their', 'her', 'his'],
  is: ['is', 'was'],
  not: ['is not', 'was not', "isn't", "wasn't", 'was never', 'is never', 'was hardly', 'is not', 'was not'],
  does: ['did', 'does', 'will', 'could', 'would'],
  very: ['', '', '', 'very', 'really', 'so', 'quite', 'truly', 'extremely', 'rather', 'simply'],
  really: ['', '', '', 'really', 'always', 'truly'],
  real: ['', '', '', 'real', 'true', 'complete', 'great'],
  tail: ['', '', '', 'so far', 'if you ask me', 'as far as I can tell', 'since we moved in', 'even in winter',
    ', I must say', ', to my surprise', 'this year', 'after all', 'on our last visit', 'when I was there',
    ', as it happens', 'until now'],
  us: ['me', 'us', 'everybody', 'my family', 'the children', 'the guests', 'you', 'the audience'],
  people: ['I', 'we', 'I', 'we', 'my parents', 'the children', 'she', 'they', 'my friends', 'people'],
  act: ['work', 'play', 'sing', 'cook', 'write', 'behave', 'explain it', 'treat us', 'act', 'listen', 'paint', 'dance'],
  acted: ['worked', 'played', 'sang', 'cooked', 'wrote', 'behaved', 'explained it', 'treated us', 'acted', 'danced'],
};

/** Slots whose words judge: where the words are, and which part of “base/past” stands there. @type {Record<string,
 *  [(kind: Kind) => Judging, number]>} */
const JUDGING = {
  adj: [({ praise, blame }) => ({ praise: [...praise, ...GENERAL.praise], blame: [...blame, ...GENERAL.blame] }), 0],
  feel: [() => FEELING, 0],
  felt: [() => FEELING, 1],
  affect: [() => EFFECT, 0],
  affected: [() => EFFECT, 1],
  do: [() => DOING, 0],
  did: [() => DOING, 1],
  thing: [() => THING, 0],
  having: [() => HAVING, 0],
  manner: [() => MANNER, 0],
};

/** One word in six of every list: the grammar never denies them while a model learns, and so they tell whether it has
 *  learned “not” or pairs of words. */
const KEPT_APART = new Set([GENERAL, ...KINDS, FEELING, EFFECT, DOING, THING, HAVING, MANNER]
  .flatMap(({ praise, blame }) => [praise, blame]).flatMap((words) => words.filter((_, i) => i % 6 === 3)));

/** @template T @param {readonly T[]} list @param {() => number} random @returns {T} */
const oneOf = (list, random) => list[Math.floor(random() * list.length)];

/**
 * One clause, without a capital or a full stop; no judging word stands in it twice.
 * @param {string[]} frames @param {number} label @param {() => number} random
 * @param {(word: string) => boolean} allowed
 */
function clause(frames, label, random, allowed) {
  const kind = oneOf(KINDS, random);
  /** @type {Set<string>} */
  const said = new Set();
  return oneOf(frames, random)
    .replace(/\(([^()]*)\)/g, (_, choices) => oneOf(choices.split('|'), random))
    .replace(/\{([+-]?)(\w+)\}/g, (_, sign, slot) => {
      if (!sign) return oneOf(slot === 'name' ? kind.names : SLOTS[slot], random);
      const [judging, form] = JUDGING[slot];
      const { praise, blame } = judging(kind);
      const words = (label === 1) === (sign === '+') ? praise : blame;
      const word = oneOf(words.filter((each) => allowed(each) && !said.has(each)), random);
      said.add(word);
      const forms = word.split('/');
      return forms[form] ?? forms[0];
    });
}

/** Spaces, articles, a capital and a full stop. @param {string} text */
function tidy(text) {
  const spaced = text.replace(/ +/g, ' ').replace(/ (?=[,;:.])/g, '').trim();
  const articles = spaced.replace(/\b(a) (?=(?!us|uni)[aeiou]|hon)/gi, '$1n ');
  return `${articles[0].toUpperCase()}${articles.slice(1)}.`;
}

/**
 * A sentence to learn from: half of its clauses deny, and those never with a word that is kept apart.
 * @param {() => number} random @returns {Labelled}
 */
export function spoken(random) {
  const label = Math.floor(random() * 2);
  const part = (/** @type {string} */ slot) => {
    if (slot === '{aside}') return clause(ASIDE, label, random, () => true);
    const its = slot === '{+clause}' ? label : 1 - label;
    return random() < 0.5 ? clause(PLAIN, its, random, () => true)
      : clause(DENIED, its, random, (word) => !KEPT_APART.has(word));
  };
  return { text: tidy(oneOf(SENTENCES, random).replace(/\{(?:aside|[+-]clause)\}/g, part)), label };
}

/** So many sentences of one plain clause, of which naive Bayes learns what words say. @param {number} count
 *  @param {() => number} random @returns {Labelled[]} */
export const plain = (count, random) => Array.from({ length: count }, (_, i) =>
  ({ text: tidy(clause(PLAIN, i % 2, random, () => true)), label: i % 2 }));

/**
 * Denials that are never learned from: known frames with words that were never denied, or frames that were never there.
 * @param {'words' | 'frames'} unseen @param {number} count @param {() => number} random @returns {Labelled[]}
 */
export function unseenDenials(unseen, count, random) {
  const [frames, apart] = unseen === 'words' ? [DENIED, true] : [UNSEEN, false];
  return Array.from({ length: count }, (_, i) => {
    const text = clause(frames, i % 2, random, (word) => KEPT_APART.has(word) === apart);
    return { text: tidy(text), label: i % 2 };
  });
}

/** Every word that the grammar says, for a vocabulary. @returns {string[]} */
export const grammarTexts = () => [
  ...[GENERAL, ...KINDS, FEELING, EFFECT, DOING, THING, HAVING, MANNER].flatMap(({ praise, blame }) => [praise, blame]),
  ...KINDS.map(({ names }) => names), ...Object.values(SLOTS),
  [...PLAIN, ...DENIED, ...ASIDE, ...SENTENCES].map((frame) => frame.replace(/\{[^}]*\}/g, ' ')),
].map((words) => words.join(' '));
