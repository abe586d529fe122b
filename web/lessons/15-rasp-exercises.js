/** Exercises: the reader writes the program. */

/** The part of a task that an exercise has, its answer without RASP, a hint and a solution.
 *  @typedef {Omit<import('../../js/lab/rasp/tasks.js').RaspTask, 'source'> & { hint: string, solution: string,
 *    answer: (tokens: string[]) => (string | number)[] }} Exercise */

/** @type {Record<string, Exercise>} */
export const EXERCISES = {
  first: {
    title: 'Exercise 1: the first token', goal: 'Write the first token at each position: cab becomes ccc.',
    vocabulary: 'abc', length: 8, example: 'cab',
    hint: 'Which index does each position have to select?',
    solution: 'aggregate(select(indices, 0, ==), tokens);\n',
    answer: (tokens) => tokens.map(() => tokens[0]),
  },
  sofar: {
    title: 'Exercise 2: how often so far?',
    goal: 'Count how often the token of each position has occurred, up to this position: abaa becomes 1 1 2 3.',
    vocabulary: 'abc', length: 8, example: 'abaa',
    hint: 'The histogram counts in the whole input. Which second condition leaves out the positions that come later?',
    solution: 'same_token = select(tokens, tokens, ==);\nup_to_self = select(indices, indices, <=);\n'
      + 'selector_width(same_token and up_to_self);\n',
    answer: (tokens) => tokens.map((token, i) => tokens.slice(0, i + 1).filter((each) => each === token).length),
  },
  palindrome: {
    title: 'Exercise 3: palindromes',
    goal: 'Write "yes" at each position if the input is the same backwards, otherwise "no".',
    vocabulary: 'ab', length: 8, example: 'abba',
    hint: 'One head brings the opposite token to each position. Another head counts where the two differ.',
    solution: 'opposite = length - 1 - indices;\nreverse = aggregate(select(indices, opposite, ==), tokens);\n'
      + 'differs = reverse != tokens;\n"yes" if selector_width(select(differs, True, ==)) == 0 else "no";\n',
    answer: (tokens) => tokens.map(() => (tokens.join() === [...tokens].reverse().join() ? 'yes' : 'no')),
  },
};
