/** Example prompts, each with a pattern to look for. */

/** @type {readonly { name: string, prompt: string, hint: string }[]} */
export const EXAMPLES = [
  {
    name: 'Names',
    prompt: 'Once upon a time, there was a little girl named Mireya. Mireya had a friend named Dorian. '
      + 'Mireya said, "Hello,',
    hint: 'Which heads attend from the end of the text back to the name? In the model stories: layer 3, head 5.',
  },
  {
    name: 'A list',
    prompt: 'Tom had a red ball, a blue ball, a green ball, and a',
    hint: 'Which heads attend to the commas, and which to the balls?',
  },
  {
    name: 'A quote',
    prompt: '"I am hungry," said the bear. "Do you have any',
    hint: 'Which heads attend to the opening quotation mark?',
  },
  {
    name: 'Repetition',
    prompt: 'A tiny purple dragon lived in a cave. One day, the tiny purple',
    hint: 'Which heads attend to the token that followed these words the first time? '
      + 'In the model stories: layer 3, head 3.',
  },
];
