/**
 * The lessons, in the order of reading: pages `NAME.html` beside this file. One line a lesson; numbers are those of
 * the names.
 * @type {readonly { name: string, title: string, idea: string }[]}
 */
export const LESSONS = [
  { name: '01-soft-lookup', title: 'Soft lookup', idea: 'A dictionary that can be differentiated.' },
  { name: '02-scores', title: 'Scores', idea: 'How well a query and a key match, and what became of the question.' },
  { name: '03-masks', title: 'Masks', idea: 'What a query may not see, the softmax never hears of.' },
  { name: '04-heads', title: 'Heads', idea: 'Several lookups side by side, each asking its own question.' },
  { name: '05-positions', title: 'Positions',
    idea: 'A block does not know the order of its tokens, so the order is written into them.' },
  { name: '06-block', title: 'The block',
    idea: 'Attention and a small network, each with a shortcut and a norm; blind to order until it is told.' },
  { name: '07-weights', title: 'Counting weights', idea: 'How many numbers a transformer learns, up to GPT-3.' },
  { name: '08-bahdanau', title: 'Bahdanau', idea: 'A context of its own for every symbol that is written.' },
  { name: '09-luong', title: 'Luong', idea: 'First the state goes on, then it looks.' },
  { name: '10-encoder-decoder', title: 'Encoder–decoder',
    idea: 'Translation without recurrence: every layer asks what was read.' },
  { name: '11-classification', title: 'One learned query', idea: 'Which words say whether a sentence praises?' },
  {
    name: '12-thinking-like-transformers',
    title: 'Thinking like Transformers',
    idea: 'One head that counts: written by hand, and learned.',
  },
  { name: '13-train-one-here', title: 'Train one here', idea: 'Watch a head form, and go back to see when.' },
];

/** What a lesson is called by: its number and title. @param {{ name: string, title: string }} lesson */
export const titleOf = ({ name, title }) => `${Number(name.slice(0, 2))} · ${title}`;
