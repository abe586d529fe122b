/** Parts of the course, in the order in which the list shows them. */
export const GROUPS = /** @type {const} */ ({
  attention: 'Attention',
  transformer: 'The transformer',
  translators: 'Translators',
  understanding: 'Understanding',
  pictures: 'Pictures',
});

/**
 * A lesson is the page `NAME.html` beside this file. The number of a lesson is in its name.
 * @typedef {object} Lesson
 * @property {string} name
 * @property {string} title
 * @property {number} minutes  time to read it and to try its figures
 * @property {keyof typeof GROUPS} group
 * @property {readonly number[]} needs  numbers of the lessons that it builds on directly
 * @property {string} idea  one or two sentences
 */

/** The lessons in the order of their numbers. @type {readonly Lesson[]} */
export const LESSONS = [
  { name: '00-why-attention', title: 'Why attention', minutes: 8, group: 'attention', needs: [],
    idea: 'The meaning of a word depends on other words. Attention lets each word read the words that it needs.' },
  { name: '01-soft-lookup', title: 'Soft lookup', minutes: 6, group: 'attention', needs: [0],
    idea: 'A dictionary lookup that can be differentiated.' },
  { name: '02-scores', title: 'Scores', minutes: 15, group: 'attention', needs: [1],
    idea: 'Five ways to score a query against a key, and how attention grew from version 0 to 5.' },
  { name: '03-masks', title: 'Masks', minutes: 6, group: 'attention', needs: [2],
    idea: 'A mask gives chosen keys a weight of exactly 0.' },
  { name: '04-heads', title: 'Heads', minutes: 10, group: 'attention', needs: [2],
    idea: 'Several lookups side by side, each with a different question.' },
  { name: '05-positions', title: 'Positions', minutes: 14, group: 'attention', needs: [2],
    idea: 'A block does not know the order of its tokens, so each token gets a position vector.' },
  { name: '06-block', title: 'The block', minutes: 12, group: 'transformer', needs: [3, 4, 5],
    idea: 'Attention and a small network, each with a residual connection and a norm. Without positions, the block '
      + 'ignores order.' },
  { name: '07-weights', title: 'Counting weights', minutes: 12, group: 'transformer', needs: [6],
    idea: 'The number of weights in a transformer, the work of one token, and the limits of this machine.' },
  { name: '08-bahdanau', title: 'Bahdanau', minutes: 8, group: 'translators', needs: [2],
    idea: 'For each symbol it writes, the decoder computes a new weighted average of the encoder’s states.' },
  { name: '09-luong', title: 'Luong', minutes: 8, group: 'translators', needs: [8],
    idea: 'Luong updates the decoder’s state first and attends with the new state.' },
  { name: '10-encoder-decoder', title: 'Encoder–decoder', minutes: 14, group: 'translators', needs: [6, 8],
    idea: 'Translation without recurrence: every decoder layer attends to the input.' },
  { name: '11-classification', title: 'One learned query', minutes: 10, group: 'understanding', needs: [6],
    idea: 'A learned query weights the words of a sentence, and their average is classified.' },
  { name: '12-thinking-like-transformers', title: 'Thinking like Transformers', minutes: 10, group: 'understanding',
    needs: [6],
    idea: 'One head that counts: with weights set by hand, and with learned weights.' },
  { name: '13-train-one-here', title: 'Train one here', minutes: 10, group: 'understanding', needs: [6],
    idea: 'Train a head in this page, and go back to the step where it formed.' },
  { name: '14-find-out-why', title: 'Find out why', minutes: 15, group: 'understanding', needs: [13],
    idea: 'A map shows what a head attends to. An experiment shows whether the answer depends on it.' },
  { name: '15-rasp', title: 'Programs as transformers', minutes: 15, group: 'understanding', needs: [12],
    idea: 'A small language for attention, and a compiler that turns its programs into weights.' },
  { name: '16-pictures', title: 'Pictures', minutes: 8, group: 'pictures', needs: [6, 8],
    idea: 'A picture becomes a sequence of patches, and a transformer reads them as it reads words.' },
  { name: '17-tokens', title: 'Tokens and embeddings', minutes: 12, group: 'transformer', needs: [0],
    idea: 'A text becomes a list of numbers, and each number selects a row of a table of vectors.' },
  { name: '18-logits', title: 'From logits to text', minutes: 14, group: 'transformer', needs: [6, 17],
    idea: 'A model gives a number to every possible next token; a text is a sequence of choices.' },
  { name: '19-cache', title: 'Smaller caches', minutes: 14, group: 'transformer', needs: [4, 18],
    idea: 'Each new token reads the keys and values of all tokens before. Newer models make them fewer, smaller or '
      + 'nearer.' },
];

/** The number of a lesson. @param {{ name: string }} lesson */
export const numberOf = ({ name }) => Number(name.slice(0, 2));

/** The number and title of a lesson. @param {{ name: string, title: string }} lesson */
export const titleOf = (lesson) => `${numberOf(lesson)} · ${lesson.title}`;
