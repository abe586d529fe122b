/** Versions 0 to 5 of attention, one drawing each. */

/** @typedef {import('../kit/drawing-description.js').Description} Description */
/** @typedef {import('../kit/drawing-description.js').Part} Part */

/** The change of each version. */
const NOTES = [
  'A small network scores each input against one query. The softmax and the average stay in all later versions.',
  'New: a dot product replaces the network. It has no weights.',
  'New: the scores are divided by √dₖ, which keeps their variance near 1.',
  'New: all queries at once. Each vector of a query becomes a row of a matrix.',
  'New: keys and values are two projections of the inputs. This is cross-attention.',
  'New: the queries are a third projection of the same inputs. This is self-attention.',
];

/** @param {number} version @returns {Description} */
function versionOf(version) {
  const many = version >= 3;
  const projected = version >= 4;
  const self = version >= 5;
  const rows = self ? 'input' : 'query';
  /** @param {string} symbol @param {string} is @param {string[]} shape @param {number} lane @returns {Part} */
  const data = (symbol, is, shape, lane) => ({ symbol, is, shape, lane, live: true });
  /** @param {string} symbol @param {string} is @param {number} lane @param {string} to @returns {Part} */
  const weight = (symbol, is, lane, to) => ({ symbol, kind: 'weight', is, lane, shape: ['dim', to] });
  /** @type {Record<string, Part>} */
  const parts = {
    X: { ...data('X', projected ? 'the inputs' : 'the inputs: each is a key and a value', ['input', 'dim'], 1),
      also: ['\\mathbf{x}_j'], rank: 0 },
    ...(self ? { W_Q: weight('W_Q', 'projects an input to its query', 0, 'dim') } : {}),
    ...(projected ? { W_K: weight('W_K', 'projects an input to its key', 1, 'dim'),
      W_V: weight('W_V', 'projects an input to its value', 2, 'value') } : {}),
    Q: many ? data('Q', self ? 'the queries' : 'the queries, from elsewhere', [rows, 'dim'], 0)
      : data('\\mathbf{q}', 'the query', ['dim'], 0),
    ...(projected ? { K: data('K', 'the keys', ['input', 'dim'], 1), V: data('V', 'the values', ['input', 'value'], 2) }
      : {}),
    match: version === 0 ? { label: 'small\nnetwork', is: 'scores an input against the query', lane: 0.5 }
      : { label: 'dot\nproducts', is: 'each query times each key', lane: 0.5 },
    ...(version >= 2 ? { scale: { label: '÷ √dₖ', lane: 0.5, is: 'keeps the variance of the scores near 1' } } : {}),
    E: many ? data('E', 'the scores', [rows, 'input'], 0.5) : data('e_j', 'the scores', ['input'], 0.5),
    softmax: { label: 'softmax', also: ['\\operatorname{softmax}'], lane: 0.5, is: 'makes each row sum to 1' },
    A: many ? data('A', 'the weights', [rows, 'input'], 0.5)
      : { ...data('\\alpha_j', 'the weights', ['input'], 0.5), also: ['\\alpha'] },
    average: { label: 'weighted\naverage', lane: 1, is: projected ? 'of the values' : 'of the inputs themselves' },
    Z: many ? data('Z', 'the outputs, one for each query', [rows, projected ? 'value' : 'dim'], 1)
      : data('\\mathbf{z}', 'the output', ['dim'], 1),
  };
  if (self) parts.Q.rank = 2;
  else parts.Q.rank = projected ? 2 : 0;
  const scores = `match → ${version >= 2 ? 'scale → ' : ''}E → softmax → A → average → Z`;
  return { title: `Version ${version}`, note: NOTES[version], parts,
    arrows: [self ? 'X → W_Q → Q → match' : 'Q → match', projected ? 'X → W_K → K → match' : 'X → match', scores,
      projected ? 'X → W_V → V → average' : 'X ↶ average'] };
}

/** By version. */
export const VERSIONS = NOTES.map((_, version) => versionOf(version));
