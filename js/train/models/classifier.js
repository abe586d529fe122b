/** A Transformer encoder as a classifier. Attention with one learned query pools its outputs. */
import { HeedError } from '../../errors.js';
import { under } from '../../lab/index.js';
import { Attended } from './attended.js';
import { piecesOf, spelling, wordsOf } from './words.js';

/**
 * @typedef {import('../../lab/index.js').Lab} Lab
 * @typedef {import('../../lab/index.js').Tensor} Tensor
 * @typedef {import('../../lab/index.js').Weights} Weights
 *
 * @typedef {object} ClassifierConfig
 * @property {'encoder-classifier'} model
 * @property {string[]} labels      labels in the order of the logits
 * @property {string[]} vocabulary  known words
 * @property {number[]} pieces      lengths of word pieces in characters
 * @property {number} buckets       number of hash buckets for pieces
 * @property {number} width         features of the model
 * @property {number} heads         heads of each block
 * @property {number} hidden        hidden units of the feed-forward networks
 * @property {number} blocks        number of blocks
 * @property {number} dropout       probability of dropout
 * @property {'post' | 'pre'} [norm]  place of the norms; default 'post'
 * @property {number} [positions]   scale of the positions relative to the words; default 1; 0 for none
 *
 * @typedef {object} TextBatch      texts as numbers, padded with -1
 * @property {number} batch         number of texts
 * @property {number} time          words of the longest text
 * @property {number} piece         largest number of pieces of a word
 * @property {number[]} lengths     words of each text
 * @property {Int32Array} words     indices in the vocabulary, [batch][time]
 * @property {Int32Array} pieces    buckets of the pieces, [batch][time][piece]
 * @property {Float32Array} shares  1 / number of pieces of each word, [batch][time][1]
 */

/** Longest text in words. */
const LONGEST_TEXT = 256;

/** Initial deviation of embeddings, times √d: small, so that untrained words have little effect. */
const INITIAL_DEVIATION = 0.02;

/** @param {Lab} lab @param {ClassifierConfig} config @returns {Weights} initial weights */
export function classifierWeights(lab, { labels, vocabulary, buckets, width, hidden, blocks }) {
  const { init } = lab;
  const deviation = INITIAL_DEVIATION / Math.sqrt(width);
  return {
    ...init.embedding('words.', vocabulary.length, width, { deviation }),
    ...init.embedding('pieces.', buckets, width, { deviation }),
    ...Object.assign({}, ...Array.from({ length: blocks }, (_, i) =>
      init.encoderBlock(`blocks.${i}.`, width, hidden))),
    query: init.normal('query', { query: 1, feature: width }),
    ...init.linear('head.', width, labels.length),
  };
}

/** @type {WeakMap<string[], Map<string, number>>} */
const known = new WeakMap();

/** @param {string[]} vocabulary @returns {Map<string, number>} indices by word, cached */
function numbersOf(vocabulary) {
  const numbers = known.get(vocabulary) ?? new Map(vocabulary.map((word, i) => [word, i]));
  known.set(vocabulary, numbers);
  return numbers;
}

/**
 * Converts texts to numbers.
 * @param {string[][]} texts words of each text
 * @param {ClassifierConfig} config
 * @param {(word: number) => number} [change] changes the index of a word: training hides some words
 * @returns {TextBatch}
 */
export function textBatch(texts, { vocabulary, pieces, buckets }, change = (word) => word) {
  const numbers = numbersOf(vocabulary);
  const spelled = texts.map((words) => words.map(spelling));
  const parts = spelled.map((words) => words.map((word) => piecesOf(word, pieces, buckets)));
  const batch = texts.length;
  const time = Math.max(...texts.map((words) => words.length));
  const piece = Math.max(1, ...parts.flat().map((all) => all.length));
  const ids = new Int32Array(batch * time).fill(-1);
  const pieceIds = new Int32Array(batch * time * piece).fill(-1);
  const shares = new Float32Array(batch * time);
  spelled.forEach((words, b) => words.forEach((word, t) => {
    const at = b * time + t;
    ids[at] = change(numbers.get(word) ?? -1);
    pieceIds.set(parts[b][t], at * piece);
    shares[at] = 1 / Math.max(1, parts[b][t].length);
  }));
  return { batch, time, piece, lengths: texts.map((words) => words.length), words: ids, pieces: pieceIds, shares };
}

/**
 * Embeddings: x = √d·(E[word] + mean of E[its pieces]) + p·PE(position)
 * @param {Lab} lab @param {Weights} w @param {ClassifierConfig} config @param {TextBatch} texts
 * @returns {Tensor} [batch][time][feature]
 */
function embed(lab, w, { width, dropout, positions = 1 }, { batch, time, piece, words, pieces, shares }) {
  const wordVectors = lab.gather(w['words.weight'], words, { batch, time });
  const parts = lab.sum(lab.gather(w['pieces.weight'], pieces, { batch, time, piece }), 'piece');
  const x = lab.add(wordVectors, lab.mul(parts, lab.tensor(shares, { batch, time, feature: 1 })));
  const scaled = lab.dropout(lab.scale(x, Math.sqrt(width)), dropout);
  return positions ? lab.add(scaled, lab.scale(lab.sinusoidal({ time, feature: width }), positions)) : scaled;
}

/**
 * Attention with a trainable query: Σ_t softmax_t(q·x_t / √d)·x_t.
 * @param {Lab} lab @param {Tensor} query [query: 1][feature] @param {Tensor} x [batch][time][feature]
 * @param {number[]} lengths
 * @returns {{ output: Tensor, pattern: Tensor }} [batch][feature], [batch][time]
 */
export function pool(lab, query, x, lengths) {
  const { batch, time, feature } = /** @type {Record<string, number>} */ (x.shape);
  const q = lab.embedding(query, new Int32Array(batch), { batch, head: 1, query: 1 });
  const keys = lab.reshape(x, { batch, head: 1, key: time, feature });
  const { output, pattern } = lab.attention(q, keys, keys, { lengths });
  return { output: lab.reshape(output, { batch, feature }), pattern: lab.reshape(pattern, { batch, time }) };
}

/**
 * Embeddings and encoder blocks.
 * @param {Lab} lab @param {Weights} w @param {ClassifierConfig} config @param {TextBatch} texts
 * @param {{ mask?: Tensor | null, edit?: import('./cuts.js').PatternEdit }} [options] mask: mask of every block; edit:
 *   changes the patterns
 * @returns {{ x: Tensor, maps: { pattern: Tensor, scores: Tensor }[] }} x [batch][time][feature]; maps
 *   by block, [batch][head][query][key]
 */
export function encode(lab, w, config, texts, { mask = null, edit } = {}) {
  const { heads, norm, dropout } = config;
  let x = embed(lab, w, config, texts);
  const maps = [];
  for (let i = 0; i < config.blocks; i++) {
    const block = lab.encoderBlock(x, under(w, `blocks.${i}.`), { heads, norm, dropout, mask, lengths: texts.lengths,
      ...(edit && { edit: (pattern) => edit(pattern, { of: 'blocks.attn', layer: i, first: 0 }) }) });
    x = block.output;
    maps.push(block);
  }
  return { x, maps };
}

/**
 * The model: encoder, pooling, logits.
 * @param {Lab} lab @param {Weights} w @param {ClassifierConfig} config @param {TextBatch} texts
 * @returns {{ logits: Tensor, pooled: Tensor, maps: ReturnType<typeof encode>['maps'] }} logits [batch][label];
 *   pooled [batch][time], the attention of the query; maps as in `encode`
 */
export function classifier(lab, w, config, texts) {
  const { x, maps } = encode(lab, w, config, texts);
  const { output, pattern } = pool(lab, w.query, x, texts.lengths);
  const logits = lab.linear(lab.dropout(output, config.dropout), w['head.weight'], w['head.bias']);
  return { logits, pooled: pattern, maps };
}

/** Label of a text with its probability and the attention maps of the encoder. */
export class Classification extends Attended {
  /** @param {{ label: string, probability: number, words: string[], weights: Float32Array }} result
   *  @param {ConstructorParameters<typeof Attended>} maps @internal */
  constructor({ label, probability, words, weights }, ...maps) {
    super(...maps);
    /** Most probable label. */
    this.label = label;
    /** Probability of the label. */
    this.probability = probability;
    /** Words of the text. */
    this.words = words;
    /** Attention of the learned query to each word; the sum is 1. */
    this.weights = weights;
  }
}

/**
 * Classifies a text.
 * @param {Lab} lab
 * @param {{ weights: Weights, config: ClassifierConfig }} model
 * @param {string} text
 * @returns {Classification}
 * @throws {HeedError} 'bad-argument' for a text without words, or with more than LONGEST_TEXT
 */
export function classify(lab, { weights, config }, text) {
  const words = wordsOf(text);
  if (words.length === 0) {
    throw new HeedError('bad-argument', 'The text has no word; the classifier needs at least one.');
  }
  if (words.length > LONGEST_TEXT) {
    throw new HeedError('bad-argument', `This text has ${words.length} words; the classifier reads at most ` +
      `${LONGEST_TEXT}. Give it a sentence or a paragraph.`);
  }
  return lab.evaluate(() => {
    const { logits, pooled, maps } = classifier(lab, weights, config, textBatch([words], config));
    const probabilities = lab.softmax(logits).data;
    const best = probabilities.indexOf(Math.max(...probabilities));
    const label = config.labels[best];
    const probability = probabilities[best];
    return new Classification({ label, probability, words, weights: pooled.data.slice() },
      { 'blocks.attn': { layers: maps, keys: words } }, 0);
  });
}
