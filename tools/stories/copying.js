#!/usr/bin/env node
/** Measures whether a stories model copies names: each prompt continues with a name from its own text. */
import { load } from '../../js/index.js';
import { runTool } from '../cli.js';

/** Prompt and answer, with the placeholders {girl} and {boy}. */
const TEMPLATES = [
  ['{girl} had a ball. {boy} wanted to play too. {girl} gave the ball to', '{boy}'],
  ['{boy} and {girl} went to the park. {boy} gave a flower to', '{girl}'],
  ['{girl} and {boy} were friends. One day, {boy} made a cake. {boy} gave the cake to', '{girl}'],
  ['{boy} had two apples. He saw {girl}. He gave one apple to', '{girl}'],
  ['{girl} saw that {boy} was sad. "What is wrong,', '{boy}'],
  ['{boy} heard a knock on the door. It was {girl}. "Come in,', '{girl}'],
  ['Once upon a time, there was a little girl named {girl}. {girl} had a friend named {boy}. {girl} said, "Hello,',
    '{boy}'],
  ['Once upon a time, there was a boy named {boy}. {boy} had a sister named {girl}. {boy} said, "Good night,',
    '{girl}'],
  ['Once upon a time, there was a little girl named {girl}. One day, her mom said, "Good morning,', '{girl}'],
  ['Once upon a time, there was a little boy named {boy}. One day, his dad said, "Thank you,', '{boy}'],
  ['A dog named {boy} lived with a cat named {girl}. One day, {girl} was lost. {boy} called, "Where are you,',
    '{girl}'],
  ['{boy} lost his toy. {girl} found it under the bed. "Thank you,', '{girl}'],
  ['{girl} was stuck in a tree. {boy} ran to the tree. "I will help you,', '{girl}'],
  ['"My name is {boy}," said the boy. "Nice to meet you,', '{boy}'],
  ['"My name is {girl}," said the girl. "Hello,', '{girl}'],
  ['{boy} hid behind a tree. {girl} looked and looked. At last, {girl} said, "I see you,', '{boy}'],
  ['{girl} drew a picture of a bird. {boy} said, "I like it,', '{girl}'],
  ['One day, {boy} met a bear named {girl}. The bear was hungry. {boy} shared his lunch with', '{girl}'],
  ['{girl} and {boy} had a race. {boy} ran very fast. {boy} won the race. "Good job,', '{boy}'],
  ['There was a bunny named {boy} and a frog named {girl}. The bunny said, "Let us play,', '{girl}'],
  ['{girl} had a red kite. Her brother {boy} had a blue kite. One day, {girl} gave her kite to', '{boy}'],
  ['{boy} fell down and hurt his knee. {girl} ran to him. {girl} hugged', '{boy}'],
  ['{girl} wanted to go to the beach. She asked {boy}. "Yes," said', '{boy}'],
  ['"Where are you, {girl}?" asked Dad. "I am here," said', '{girl}'],
  ['"Look at the big fish, {boy}!" said Mom. "I see it," said', '{boy}'],
];
/** Pairs [girl, boy]: names that are frequent in the training data, and names that do not occur in it. */
const NAMES = {
  frequent: [['Lily', 'Tom'], ['Mia', 'Ben'], ['Lucy', 'Max'], ['Sue', 'Tim'], ['Anna', 'Sam']],
  unseen: [['Zinnia', 'Caspian'], ['Mireya', 'Dorian'], ['Tallulah', 'Rocco'], ['Cecily', 'Keegan'],
    ['Astrid', 'Dimitri']],
};

/** Fifty prompts: each template once with a frequent pair and once with an unseen pair. */
export const PROMPTS = Object.entries(NAMES).flatMap(([kind, pairs]) => TEMPLATES.map(([text, answer], i) => {
  const [girl, boy] = pairs[i % pairs.length];
  const fill = (/** @type {string} */ s) => s.replaceAll('{girl}', girl).replaceAll('{boy}', boy);
  return { kind, text: fill(text), answer: fill(answer), names: [girl, boy] };
}));

/**
 * Greedy continuation of each prompt.
 * @param {Awaited<ReturnType<typeof load>>} model
 * @returns {Promise<(typeof PROMPTS[number] & { said: string, isRight: boolean })[]>} isRight: whether the
 *   continuation starts with the answer
 */
export async function answers(model) {
  const all = [];
  for (const prompt of PROMPTS) {
    const run = model.generate(prompt.text, { temperature: 0, maxTokens: 8 });
    let next = await run.next();
    while (!next.done) next = await run.next();
    const said = next.value.text;
    const isRight = new RegExp(`^ ${prompt.answer}\\b`).test(said);
    all.push({ ...prompt, said, isRight });
  }
  return all;
}

await runTool(import.meta.url, {
  usage: `node tools/stories/copying.js MODEL.gguf

Counts correct answers to fifty prompts such as "Lily gave the ball to". The greedy continuation must start with a
name from the prompt. Half of the prompts have names that are frequent in the training data; the other half have names
that do not occur in it.`,
  positionals: 1,
  options: {},
  async run([path]) {
    const all = await answers(await load(path, { maps: false }));
    for (const { isRight, text, said, answer } of all) {
      console.log(`${isRight ? 'yes' : 'no '}  ${text} | ${JSON.stringify(said)}${isRight ? '' : `| ${answer}`}`);
    }
    for (const kind of Object.keys(NAMES)) {
      const some = all.filter((one) => one.kind === kind);
      console.log(`${kind} names: ${some.filter(({ isRight }) => isRight).length} of ${some.length}`);
    }
  },
});
