/** The parts of a program, and the parts of a transformer that run them. */

/** @type {import('../kit/drawing-description.js').Description} */
export const COMPILED = {
  title: 'One step of a program as one layer',
  note: 'Only select and aggregate move values between positions. The compiler stacks such layers, one for each step '
    + 'that needs an earlier result.',
  parts: {
    k: { symbol: 'k_j', is: 'a sequence of the program as keys: tokens, indices, or an earlier result' },
    q: { symbol: 'q_i', lane: 1, is: 'a sequence as queries' },
    v: { symbol: 'v_j', lane: 2, is: 'the sequence whose values are moved' },
    select: { label: 'select', lane: 0.5, is: 'compares every key with every query: the queries and keys of a head' },
    S: { symbol: 'S_{ij}', also: ['S'], lane: 0.5, is: 'which keys each query selects: the pattern of the head',
      shape: ['query', 'key'], live: true },
    aggregate: { label: 'aggregate', also: ['\\operatorname{aggregate}'], lane: 1,
      is: 'the mean of the selected values: the output of the head' },
    moved: { label: 'sequence', kind: 'data', lane: 1, is: 'one value for each position', shape: ['position'] },
    each: { label: '+, ==, if, …', name: 'a function of each position', lane: 1,
      is: 'computes at each position separately: the feed-forward network' },
    result: { label: 'result', kind: 'data', lane: 1, is: 'the output, or the input of the next layer',
      shape: ['position'] },
  },
  arrows: ['k → select → S → aggregate → moved → each → result', 'q → select', 'v → aggregate'],
};
