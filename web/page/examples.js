/** Example prompts, each with a pattern to look for. */

/** @type {readonly { name: string, prompt: string, hint: string }[]} */
export const EXAMPLES = [
  {
    name: 'Names',
    prompt: 'One day, a girl named Lily and a boy named Tom went to the park. Lily had a red ball. Tom said, "Hi,',
    hint: 'Which heads attend from the end of the text back to the names?',
  },
  {
    name: 'A list',
    prompt: 'Ben likes to eat apples, pears, plums, and',
    hint: 'Which heads attend to the commas, and which to the fruit?',
  },
  {
    name: 'A quote',
    prompt: 'The little bird was sad. "What is wrong?" asked the frog. "I lost my',
    hint: 'Which heads attend to the opening quotation mark?',
  },
  {
    name: 'Repetition',
    prompt: 'The old man sat by the sea and sang. The old man sat by the',
    hint: 'Which heads attend to the token that followed these words the first time?',
  },
];
