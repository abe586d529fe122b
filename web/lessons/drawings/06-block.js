/** The block by its tokens, with the norm after each sum, and with the norm before each sublayer. */

/** @typedef {import('../kit/drawing-description.js').Description} Description */
/** @typedef {import('../kit/drawing-description.js').Part} Part */

const tokens = ['token', 'feature'];

/** @param {string} is @returns {Part} */
const norm = (is) => ({ label: 'Layer\nNorm', name: 'LayerNorm', also: ['\\operatorname{LayerNorm}'], is });
/** @param {string} is @returns {Part} */
const network = (is) => ({ label: 'FFN', also: ['\\operatorname{FFN}'], is });
/** @type {Part} */
const W_O = { symbol: 'W_O', kind: 'weight', is: 'the projection from the heads back to tokens',
  shape: ['value', 'feature'] };

/** @type {Record<string, Part>} */
const post = {
  X: { symbol: 'X', is: 'the tokens, one in each row', shape: tokens, live: true },
  attention: { label: 'self-\nattention', is: 'all heads: each token reads the others', link: './04-heads.html' },
  Z: { symbol: 'Z', is: 'the outputs of all heads, one after the other', shape: tokens, live: true },
  W_O,
  sum: { kind: 'sum', is: 'residual connection: the input of the sublayer is added to its output' },
  norm: norm('the norm after the sum, one token at a time'),
  U: { symbol: 'U', is: 'the tokens after attention', shape: tokens, live: true },
  network: network('a network that processes each token separately'),
  sum2: { kind: 'sum', is: 'residual connection around the network' },
  norm2: norm('the norm after the second sum'),
  out: { symbol: "X'", is: 'the tokens after the block, the input of the next block', shape: tokens, live: true },
};

/** @type {Record<string, Part>} */
const pre = {
  preX: { symbol: 'X', is: 'the tokens, the input of a pre-LN block', shape: tokens, live: true },
  preNorm: norm('the norm before attention'),
  preAttention: { label: 'self-\nattention', is: 'all heads, on normalized tokens', link: './04-heads.html' },
  preZ: { symbol: 'Z', is: 'the outputs of all heads, from normalized tokens', shape: tokens, live: true },
  preW_O: W_O,
  preSum: { kind: 'sum', is: 'residual connection: X itself is added, not its norm' },
  preU: { symbol: 'U', is: 'the tokens after attention, not normalized', shape: tokens, live: true },
  preNorm2: norm('the norm before the network'),
  preNetwork: network('the network, on normalized tokens'),
  preSum2: { kind: 'sum', is: 'residual connection: U itself is added, not its norm' },
  preOut: { symbol: "X'", is: 'the tokens after a pre-LN block', shape: tokens, live: true },
};

/** @type {Description} */
export const BLOCK = {
  title: 'One block, two places for the norm',
  note: 'In a pre-LN block, a line without a norm leads from X to X′ through both sums: the residual stream.',
  parts: { ...post, ...Object.fromEntries(Object.entries(pre).map(([id, part]) => [id, { ...part, lane: 1 }])) },
  arrows: [
    'X → attention → Z → W_O → sum → norm → U → network → sum2 → norm2 → out', 'X ↷ sum', 'U ↷ sum2',
    'preX → preNorm → preAttention → preZ → preW_O → preSum → preU → preNorm2 → preNetwork → preSum2 → preOut',
    'preX ↷ preSum', 'preU ↷ preSum2',
  ],
  groups: [{ label: 'post-LN', parts: Object.keys(post) }, { label: 'pre-LN', parts: Object.keys(pre) }],
};

const lanes = [0, 1, 2];
/** One box for each token. @param {string} name @param {number} rank @param {(token: number) => Part} part
 *  @returns {Record<string, Part>} */
const each = (name, rank, part) =>
  Object.fromEntries(lanes.map((lane) => [name + lane, { lane, rank, ...part(lane + 1) }]));

/** @type {Description} */
export const BY_TOKENS = {
  title: 'Attention connects tokens, the network does not',
  note: 'The network of one token reads no other token. All tokens have the same network, with the same weights.',
  parts: {
    ...each('token', 0, (i) => ({ label: `token ${i}`, kind: 'data', is: `row ${i} of the input` })),
    exchange: { label: 'self-\nattention', lane: 1, rank: 1, is: 'each token attends to all tokens',
      link: './02-scores.html' },
    ...each('network', 2, (i) => ({ label: 'FFN', is: `the network, applied to token ${i} alone` })),
    ...each('out', 3, (i) => ({ label: `token ${i}`, kind: 'data', is: `row ${i} of the output` })),
  },
  arrows: lanes.flatMap((i) => [`token${i} → exchange`, `exchange → network${i}`, `network${i} → out${i}`]),
};
