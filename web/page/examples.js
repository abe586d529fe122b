/** Prompts that show something, each with the thing to look for. */

/** @type {readonly { name: string, prompt: string, look: string }[]} */
export const EXAMPLES = [
  {
    name: 'A name returns',
    prompt: 'One day, a girl named Lily and a boy named Tom went to the park. Lily had a red ball. Tom said, "Hi,',
    look: 'Which heads look from the end of the text back to the names?',
  },
  {
    name: 'A list',
    prompt: 'Ben likes to eat apples, pears, plums, and',
    look: 'Which heads look at the commas, and which at the fruit?',
  },
  {
    name: 'A quote',
    prompt: 'The little bird was sad. "What is wrong?" asked the frog. "I lost my',
    look: 'Which heads look back to the quotation mark that opened?',
  },
  {
    name: 'Words twice',
    prompt: 'The old man sat by the sea and sang. The old man sat by the',
    look: 'Which heads look at the token that followed these words the first time?',
  },
];
