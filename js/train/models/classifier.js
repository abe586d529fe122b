/** The Transformer encoder as a classifier: its outputs are pooled by attention with one learned query. */
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
 * @property {string[]} labels      in the order of the logits
 * @property {string[]} vocabulary
 * @property {number[]} pieces      lengths of the pieces of words
 * @property {number} buckets       that pieces are hashed into
 * @property {number} width
 * @property {number} heads
 * @property {number} hidden        of the feed-forward network
 * @property {number} blocks
 * @property {number} dropout
 * @property {'post' | 'pre'} [norm]    of the blocks; 'post' unless told
 * @property {number} [positions]  how large they are beside the words; 1 unless told, 0 for none
 *
 * @typedef {object} TextBatch      texts as numbers; -1 where there is nothing
 * @property {number} batch
 * @property {number} time          words of the longest
 * @property {number} piece         pieces of the word that has most
 * @property {number[]} lengths     words of each text
 * @property {Int32Array} words     [batch][time] in the vocabulary
 * @property {Int32Array} pieces    [batch][time][piece]
 * @property {Float32Array} shares  [batch][time][1] 1 / how many pieces the word has
 */

/** The longest text that is read. */
export const LONGEST_TEXT = 256;

/** Of embeddings as they begin, times 1/√d: words that were never learned say next to nothing. */
const FAINT = 0.02;

/** @param {Lab} lab @param {ClassifierConfig} config @returns {Weights} as they begin, by names of PyTorch */
export function classifierWeights(lab, { labels, vocabulary, buckets, width, hidden, blocks }) {
  const { init } = lab;
  const deviation = FAINT / Math.sqrt(width);
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

/** @param {string[]} vocabulary @returns {Map<string, number>} made once for each vocabulary */
function numbersOf(vocabulary) {
  const numbers = known.get(vocabulary) ?? new Map(vocabulary.map((word, i) => [word, i]));
  known.set(vocabulary, numbers);
  return numbers;
}

/**
 * Texts as numbers.
 * @param {string[][]} texts words of each
 * @param {ClassifierConfig} config
 * @param {(word: number) => number} [change] of a word's number: hides some while learning
 * @returns {TextBatch}
 */
export function textBatch(texts, { vocabulary, pieces, buckets }, change = (word) => word) {
  const numbers = numbersOf(vocabulary);
  const spelled = texts.map((words) => words.map(spelling));
  const parts = spelled.map((words) => words.map((word) => piecesOf(word, pieces, buckets)));
  const [batch, time] = [texts.length, Math.max(...texts.map((words) => words.length))];
  const piece = Math.max(1, ...parts.flat().map((all) => all.length));
  const [ids, pieceIds] = [new Int32Array(batch * time).fill(-1), new Int32Array(batch * time * piece).fill(-1)];
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
 * x = √d·(E[word] + mean of E[its pieces]) + p·PE(position)
 * @param {Lab} lab @param {Weights} w @param {ClassifierConfig} config @param {TextBatch} texts
 * @returns {Tensor} [batch][time][feature]
 */
function embed(lab, w, { width, dropout, positions = 1 }, { batch, time, piece, words, pieces, shares }) {
  const whole = lab.gather(w['words.weight'], words, { batch, time });
  const parts = lab.sum(lab.gather(w['pieces.weight'], pieces, { batch, time, piece }), 'piece');
  const x = lab.add(whole, lab.mul(parts, lab.tensor(shares, { batch, time, feature: 1 })));
  const scaled = lab.dropout(lab.scale(x, Math.sqrt(width)), dropout);
  return positions ? lab.add(scaled, lab.scale(lab.sinusoidal({ time, feature: width }), positions)) : scaled;
}

/**
 * Attention with a query that is a parameter: Σ_t softmax_t(q·x_t / √d)·x_t.
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
 * Words and the encoder blocks over them.
 * @param {Lab} lab @param {Weights} w @param {ClassifierConfig} config @param {TextBatch} texts
 * @param {{ mask?: Tensor | null }} [options] mask: of every block, as attention takes it
 * @returns {{ x: Tensor, maps: { pattern: Tensor, scores: Tensor }[] }} x [batch][time][feature]; maps
 *   [batch][head][query][key], of each block
 */
export function encode(lab, w, config, texts, { mask = null } = {}) {
  const { heads, norm, dropout } = config;
  let x = embed(lab, w, config, texts);
  const maps = [];
  for (let i = 0; i < config.blocks; i++) {
    const block = lab.encoderBlock(x, under(w, `blocks.${i}.`), { heads, norm, dropout, mask, lengths: texts.lengths });
    x = block.output;
    maps.push(block);
  }
  return { x, maps };
}

/**
 * The whole model: encoder, one query that gathers, logits.
 * @param {Lab} lab @param {Weights} w @param {ClassifierConfig} config @param {TextBatch} texts
 * @returns {{ logits: Tensor, pooled: Tensor, maps: ReturnType<typeof encode>['maps'] }} logits [batch][label], pooled
 *   [batch][time]: what the query gives each word; maps as of `encode`
 */
export function classifier(lab, w, config, texts) {
  const { x, maps } = encode(lab, w, config, texts);
  const { output, pattern } = pool(lab, w.query, x, texts.lengths);
  const logits = lab.linear(lab.dropout(output, config.dropout), w['head.weight'], w['head.bias']);
  return { logits, pooled: pattern, maps };
}

/** What a classifier says of a text, and where its encoder looked. */
export class Classification extends Attended {
  /** @param {{ label: string, probability: number, words: string[], weights: Float32Array }} said
   *  @param {ConstructorParameters<typeof Attended>} looked */
  constructor({ label, probability, words, weights }, ...looked) {
    super(...looked);
    this.label = label;
    /** Of this label. */
    this.probability = probability;
    /** As they stand in the text. */
    this.words = words;
    /** Of the learned query for each word; they sum to 1. */
    this.weights = weights;
  }
}

/**
 * What a trained classifier says of a text, and where it looked.
 * @param {Lab} lab
 * @param {{ weights: Weights, config: ClassifierConfig }} model
 * @param {string} text
 * @returns {Classification}
 * @throws {HeedError} 'bad-argument' where there are no words, or too many
 */
export function classify(lab, { weights, config }, text) {
  const words = wordsOf(text);
  if (words.length === 0) {
    throw new HeedError('bad-argument', 'There is no word in this text; the classifier needs at least one.');
  }
  if (words.length > LONGEST_TEXT) {
    throw new HeedError('bad-argument', `This text has ${words.length} words; the classifier reads at most ` +
      `${LONGEST_TEXT}. Give it a sentence or a paragraph.`);
  }
  return lab.evaluate(() => {
    const { logits, pooled, maps } = classifier(lab, weights, config, textBatch([words], config));
    const probabilities = lab.softmax(logits).data;
    const best = probabilities.indexOf(Math.max(...probabilities));
    const [label, probability] = [config.labels[best], probabilities[best]];
    return new Classification({ label, probability, words, weights: pooled.data.slice() },
      { 'blocks.attn': { layers: maps, keys: words } }, 0);
  });
}
