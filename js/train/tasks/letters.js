/** Tasks on letters as texts that a causal model continues: `cab→bac` reverses, `cab→abc` sorts. */

/** Letters of one sequence. */
export const LENGTH = 8;
const LETTERS = 'abcdefghijklmnop';
/** Tokens by id. The last one, an arrow, ends the sequence and precedes the answer. */
export const TOKENS = [...LETTERS, '→'];
const ARROW = LETTERS.length;

/** Correct answers by task, from the ids of the letters. @type {Record<string, (ids: number[]) => number[]>} */
export const TASKS = {
  copy: (ids) => ids,
  reverse: (ids) => ids.toReversed(),
  sort: (ids) => ids.toSorted((a, b) => a - b),
};

/** Whether a sequence is held out: one in sixteen, by a hash of its letters. @param {number[]} ids */
export const isHeldOut = (ids) => ids.reduce((sum, id, i) => Math.imul(sum ^ (id + 1), 0x01000193 + 2 * i), 0x811c9dc5)
  >>> 28 === 0;

/**
 * @param {() => number} random in [0, 1)
 * @param {boolean} heldOut whether to draw a held-out sequence
 * @returns {number[]} [LENGTH] ids
 */
export function sequence(random, heldOut) {
  for (;;) {
    const ids = Array.from({ length: LENGTH }, () => Math.floor(random() * LETTERS.length));
    if (isHeldOut(ids) === heldOut) return ids;
  }
}

/** Target without a loss: the next letter of a random sequence is unpredictable. */
const IGNORED = -100;

/**
 * One text, and the correct next token at each position.
 * @param {number[]} letters ids @param {number[]} answer
 * @returns {{ ids: number[], targets: number[] }} both [2·LENGTH]; the ids lack the last letter of the answer
 */
export const example = (letters, answer) => ({
  ids: [...letters, ARROW, ...answer.slice(0, -1)],
  targets: [...letters.map(() => IGNORED), ...answer],
});

/** Prompt of a task. @param {number[]} letters ids @returns {number[]} */
export const question = (letters) => [...letters, ARROW];
