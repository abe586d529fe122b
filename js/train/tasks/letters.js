/** Small tasks on letters, written as one text that a causal model continues: `cab→bac` reversed, `cab→abc` sorted. */

/** Letters of one sequence. */
export const LENGTH = 8;
const LETTERS = 'abcdefghijklmnop';
/** Ids are their places here; the last ends the sequence and asks for the answer. */
export const TOKENS = [...LETTERS, '→'];
const ARROW = LETTERS.length;

/** What the answer is, from the letters' ids in order.  @type {Record<string, (ids: number[]) => number[]>} */
export const TASKS = {
  copy: (ids) => ids,
  reverse: (ids) => ids.toReversed(),
  sort: (ids) => ids.toSorted((a, b) => a - b),
};

/** Whether a sequence is kept from training: one in sixteen, told by its letters. @param {number[]} ids */
export const isHeldOut = (ids) => ids.reduce((sum, id, i) => Math.imul(sum ^ (id + 1), 0x01000193 + 2 * i), 0x811c9dc5)
  >>> 28 === 0;

/**
 * @param {() => number} random in [0, 1)
 * @param {boolean} heldOut whether of those that training never sees
 * @returns {number[]} [LENGTH] ids
 */
export function sequence(random, heldOut) {
  for (;;) {
    const ids = Array.from({ length: LENGTH }, () => Math.floor(random() * LETTERS.length));
    if (isHeldOut(ids) === heldOut) return ids;
  }
}

/** What does not count: the next letter of a sequence cannot be known. */
const ANY = -100;

/**
 * One text, and what should come next at each place of it.
 * @param {number[]} letters ids @param {number[]} answer
 * @returns {{ ids: number[], targets: number[] }} [2·LENGTH], the answer but its last letter among the ids
 */
export const example = (letters, answer) => ({
  ids: [...letters, ARROW, ...answer.slice(0, -1)],
  targets: [...letters.map(() => ANY), ...answer],
});

/** @param {number[]} letters ids @returns {number[]} what a model is given, to continue */
export const question = (letters) => [...letters, ARROW];
