/** The encoder–decoder of Vaswani et al. (figure 1). */

/** @typedef {import('../kit/drawing-description.js').Part} Part */

/** @param {string} is @param {number} [lane] @returns {Part} */
const norm = (is, lane = 0) => ({ label: 'add,\nnorm', name: 'add and norm', is, lane, link: './06-block.html' });
/** @param {string} of @param {number} [lane] @returns {Part} */
const embedding = (of, lane = 0) => ({ label: 'embed,\nposition', name: 'embedding and position', lane,
  link: './05-positions.html',
  is: `one vector for each symbol that ${of}, with its position added` });

/** @type {Record<string, Part>} */
const encoder = {
  attention: { label: 'self-\nattention', is: 'each symbol of the input attends to all symbols of the input' },
  norm: norm('the input of the sublayer is added, and the sum is normalized'),
  network: { label: 'FFN', is: 'a network that processes each symbol separately', link: './06-block.html' },
  norm2: norm('the same after the network'),
};
/** @type {Record<string, Part>} */
const decoder = {
  masked: { label: 'masked\nattention', name: 'masked self-attention', lane: 1,
    is: 'each written symbol attends to itself and to earlier ones',
    link: './03-masks.html' },
  norm3: norm('the input of the sublayer is added, and the sum is normalized', 1),
  Y: { symbol: 'Y', lane: 1, rank: 4, is: 'the symbols of the decoder', shape: ['query', 'feature'], live: true },
  Q: { symbol: 'Q', also: ['W_Q'], lane: 1, rank: 6, is: 'the queries of the decoder, compared with the keys',
    shape: ['query', 'dim'], live: true },
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
    + 'Keys and values come from the memory, queries from the decoder. The numbers are those of the head that is '
    + 'chosen below. Its models normalize before each sublayer, so Y is normalized.',
  parts: {
    read: embedding('was read'),
    ...encoder,
    memory: { symbol: '\\bar X', rank: 6, is: 'the memory: the output of the encoder, one row for each read symbol',
      shape: ['key', 'feature'], live: true },
    K: { symbol: 'K', also: ['W_K'], is: 'the keys, from the memory', shape: ['key', 'dim'], live: true },
    V: { symbol: 'V', also: ['W_V'], rank: 8, is: 'the values, from the memory', shape: ['key', 'value'],
      live: true },
    written: embedding('was written', 1),
    ...decoder,
    predict: { label: 'linear,\nsoftmax', name: 'linear and softmax', also: ['P'], lane: 1,
      is: 'the probability of each symbol of the vocabulary to come next', shape: ['query', 'symbol'], live: true },
  },
  arrows: [
    'read → attention → norm → network → norm2 → memory → K', 'read ↷ norm', 'norm ↷ norm2', 'memory ↷ V',
    'written → masked → norm3 → Y → Q → A → average → norm4 → network2 → norm5 → predict',
    'written ↶ norm3', 'Y ↶ norm4', 'norm4 ↶ norm5', 'K ⇢ A', 'V ⇢ average',
  ],
  groups: [{ label: 'encoder layers', parts: Object.keys(encoder), stack: true },
    { label: 'decoder layers', parts: Object.keys(decoder), stack: true }],
};

/** Symbols that the decoder reads, and the symbols that it must predict. */
const READ = ['begin', 'y₁', 'y₂'];
const WANTED = ['y₁', 'y₂', 'end'];
/** One box for each position of the target. @param {string[]} labels @param {string} id
 *  @param {(label: string, i: number) => Part} part @returns {Record<string, Part>} */
const positions = (labels, id, part) =>
  Object.fromEntries(labels.map((label, i) => [`${id}${i + 1}`, { ...part(label, i), lane: i + 1 }]));

/** @type {import('../kit/drawing-description.js').Description} */
export const PAIRS = {
  title: 'A pair of training',
  note: 'A target of two symbols. The decoder reads it shifted by one, so position i must predict what position '
    + 'i + 1 reads. The numbers are those of the first two symbols and the end of the translation above.',
  parts: {
    x: { symbol: 'x', is: 'the source: all its symbols' },
    ...positions(READ, 'read', (label, i) => ({ label, kind: 'data', rank: 0,
      also: i === 0 ? ['y_{\\lt i}'] : [], is: 'the target, shifted by one symbol: the input of the decoder' })),
    encoder: { label: 'encoder', rank: 1, is: 'reads the source once' },
    decoder: { label: 'masked\ndecoder', name: 'masked decoder', lane: 2, rank: 1,
      is: 'computes all positions in one pass; the mask hides later symbols', link: './03-masks.html' },
    ...positions(WANTED, 'p', (label, i) => ({ label: `p${'₁₂₃'[i]}`, kind: 'data', rank: 2, live: true,
      is: 'the probabilities of the next symbol; the number is that of the correct symbol' })),
    ...positions(WANTED, 'loss', (label, i) => ({ label: `−log\np${'₁₂₃'[i]}(${label})`,
      name: `−log p${'₁₂₃'[i]}(${label})`, rank: 3,
      also: i === 0 ? ['y_i'] : [], is: 'the loss of one position: how improbable the correct symbol was' })),
    mean: { kind: 'sum', name: 'mean', lane: 2, rank: 4, is: 'the losses of all positions are averaged' },
    L: { symbol: 'L', lane: 2, is: 'the loss of the pair', live: true },
  },
  arrows: ['x → encoder', 'encoder ⇢ decoder',
    ...READ.flatMap((_, i) => [`read${i + 1} → decoder`, `decoder → p${i + 1} → loss${i + 1} → mean`]), 'mean → L'],
};

const LENGTH = 3;
const steps = Array.from({ length: LENGTH }, (_, i) => i + 1);

/** @param {(i: number) => [string, Part]} part @returns {Record<string, Part>} */
const each = (part) => Object.fromEntries(steps.map(part));
const words = each((i) => [`word${i}`, { label: `${i}`, name: `word ${i}`, rank: i, is: `symbol ${i} of the text` }]);
const states = each((i) => [`state${i}`, { label: `state ${i}`, lane: 1, rank: i,
  is: i === 1 ? 'the first state' : `state ${i}, which waits for state ${i - 1}` }]);
const read = each((i) => [`read${i}`, { label: `${i}`, name: `word ${i}`, lane: 2, rank: i,
  is: `symbol ${i} of the same text` }]);
/** @type {Record<string, Part>} */
const attention = { attend: { label: 'atten-\ntion', name: 'attention', lane: 3, rank: (LENGTH + 1) / 2,
  is: 'all queries, all keys and all values at once', link: './02-scores.html' } };

/** @type {import('../kit/drawing-description.js').Description} */
export const WAITING = {
  title: 'One after another, or all at once',
  note: 'Each state of a recurrent network waits for the state before. Attention reads all symbols in one step, '
    + 'however many there are.',
  parts: { ...words, ...states, ...read, ...attention },
  arrows: [Object.keys(states).join(' → '), ...steps.map((i) => `word${i} ⇢ state${i}`),
    ...steps.map((i) => `read${i} ⇢ attend`)],
  groups: [{ label: `recurrent: ${LENGTH} steps`, parts: [...Object.keys(words), ...Object.keys(states)] },
    { label: 'attention: 1 step', parts: [...Object.keys(read), ...Object.keys(attention)] }],
};
