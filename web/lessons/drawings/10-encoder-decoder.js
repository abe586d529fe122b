/** The encoder–decoder of Vaswani et al. (figure 1). */

/** @typedef {import('../kit/drawing-description.js').Part} Part */

/** @param {string} is @param {number} [lane] @returns {Part} */
const norm = (is, lane = 0) => ({ label: 'add,\nnorm', name: 'add and norm', is, lane, link: './06-block.html' });
/** @param {string} of @param {number} [lane] @returns {Part} */
const embedding = (of, lane = 0) => ({ label: 'embedding\n+ position', lane, link: './05-positions.html',
  is: `one vector for each symbol that ${of}, with its position added` });

/** @type {Record<string, Part>} */
const encoder = {
  attention: { label: 'self-\nattention', is: 'each symbol of the input attends to all symbols of the input' },
  norm: norm('the input of the layer is added, and the sum is normalized'),
  network: { label: 'FFN', is: 'a network that processes each symbol separately', link: './06-block.html' },
  norm2: norm('the same after the network'),
};
/** @type {Record<string, Part>} */
const decoder = {
  masked: { label: 'masked\nattention', name: 'masked self-attention', lane: 1,
    is: 'each written symbol attends to itself and to earlier ones',
    link: './03-masks.html' },
  norm3: norm('the input of the layer is added, and the sum is normalized', 1),
  Y: { symbol: 'Y', lane: 1, is: 'the symbols of the decoder', shape: ['query', 'feature'] },
  Q: { symbol: 'Q', also: ['W_Q'], lane: 1, rank: 6, is: 'the queries, from the decoder: what to look for in the input',
    shape: ['query', 'dim'] },
  A: { symbol: 'A', lane: 1, rank: 7, is: 'the weights of cross-attention: one row for each written symbol',
    shape: ['query', 'key'], live: true },
  average: { label: 'average\nof values', lane: 1, rank: 8,
    is: 'for each written symbol, a weighted average of the values' },
  norm4: norm('the input of cross-attention is added, and the sum is normalized', 1),
  network2: { label: 'FFN', lane: 1, is: 'a network that processes each symbol separately' },
  norm5: norm('the same after the network', 1),
};

/** @type {import('../kit/drawing-description.js').Description} */
export const MODEL = {
  title: 'The Transformer',
  note: 'The encoder runs once. The decoder runs once for each symbol that it writes, and reads its own output so far. '
    + 'Keys and values come from the memory, queries from the decoder.',
  parts: {
    read: embedding('was read'),
    ...encoder,
    memory: { symbol: '\\bar X', rank: 6, is: 'the memory: the output of the encoder, one row for each read symbol',
      shape: ['key', 'feature'] },
    K: { symbol: 'K', also: ['W_K'], is: 'the keys, from the memory', shape: ['key', 'dim'] },
    V: { symbol: 'V', also: ['W_V'], rank: 8, is: 'the values, from the memory', shape: ['key', 'value'] },
    written: embedding('was written', 1),
    ...decoder,
    predict: { label: 'linear,\nsoftmax', name: 'linear and softmax', lane: 1,
      is: 'the probability of each symbol of the vocabulary to come next' },
  },
  arrows: [
    'read → attention → norm → network → norm2 → memory → K', 'read ↷ norm', 'norm ↷ norm2', 'memory ↷ V',
    'written → masked → norm3 → Y → Q → A → average → norm4 → network2 → norm5 → predict',
    'written ↶ norm3', 'Y ↶ norm4', 'norm4 ↶ norm5', 'K ⇢ A', 'V ⇢ average',
  ],
  groups: [{ label: 'encoder layers', parts: Object.keys(encoder), stack: true },
    { label: 'decoder layers', parts: Object.keys(decoder), stack: true }],
};
