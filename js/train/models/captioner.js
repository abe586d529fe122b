/**
 * A picture in words. The encoder is a Vision Transformer: patches as tokens, learned positions and a class token
 * (Dosovitskiy et al. 2021, arXiv:2010.11929, equations 1 to 4). The decoder is Bahdanau's: it attends to the patches
 * for each word, as the soft attention of Xu et al. 2015 does (arXiv:1502.03044, section 4.2).
 */
import { HeedError } from '../../errors.js';
import { under } from '../../lab/index.js';
import { beamSearch } from '../beam.js';
import { BEGIN, END, PAD, padded } from '../tasks/vocabulary.js';
import { Attended } from './attended.js';
import * as bahdanau from './bahdanau.js';
import { stepping } from './rnn-seq2seq.js';

/**
 * @typedef {import('../../lab/index.js').Lab} Lab
 * @typedef {import('../../lab/index.js').Tensor} Tensor
 * @typedef {import('../../lab/index.js').Weights} Weights
 * @typedef {import('../tasks/vocabulary.js').Padded} Padded
 * @typedef {import('./rnn-seq2seq.js').Memory} Memory
 *
 * @typedef {object} CaptionerConfig
 * @property {'captioner'} model
 * @property {number} size        height and width of a picture in pixels
 * @property {number} channels
 * @property {number} patch       height and width of a patch in pixels
 * @property {number} width       features of the encoder
 * @property {number} heads       heads of each block
 * @property {number} feedForward hidden units of the feed-forward networks
 * @property {number} blocks      number of blocks
 * @property {number} embedding   features of a word in the decoder
 * @property {number} hidden      features of the decoder's state
 * @property {string[]} labels    labels of the class token, in the order of the logits
 * @property {string[]} target    vocabulary of the sentences
 * @property {number} longest     largest number of words
 *
 * @typedef {object} Encoded
 * @property {Memory} memory      what the decoder attends to
 * @property {Tensor} labels      logits of the class token [batch][label]
 * @property {{ pattern: Tensor, scores: Tensor }[]} maps  by block, [batch][head][query][key]; the class token is first
 */

/** Deviation of the initial class token and positions. */
const DEVIATION = 0.1;

/** Patches along one side. @param {CaptionerConfig} config */
const sideOf = ({ size, patch }) => size / patch;

/** @param {Lab} lab @param {CaptionerConfig} config @returns {Weights} initial weights */
export function captionerWeights(lab, config) {
  const { channels, patch, width, feedForward, blocks, embedding, hidden, labels, target } = config;
  const { init } = lab;
  return {
    ...init.linear('patches.', channels * patch * patch, width),
    class_token: init.normal('class_token', { token: 1, feature: width }, DEVIATION),
    positions: init.normal('positions', { token: 1 + sideOf(config) ** 2, feature: width }, DEVIATION),
    ...Object.assign({}, ...Array.from({ length: blocks }, (_, i) =>
      init.encoderBlock(`blocks.${i}.`, width, feedForward))),
    ...init.layerNorm('norm.', width),
    ...init.linear('head.', width, labels.length),
    ...init.linear('decoder.bridge.', width, hidden),
    ...init.embedding('decoder.embedding.', target.length, embedding),
    ...init.linear('attention.W_q.', hidden, hidden, { bias: false }),
    ...init.linear('attention.W_k.', width, hidden, { bias: false }),
    ...init.linear('attention.w_a.', hidden, 1, { bias: false }),
    ...init.gruCell('decoder.gru.', embedding + width, hidden),
    ...init.linear('decoder.output.', hidden + width + embedding, target.length),
  };
}

/**
 * Reads pictures.
 * @param {Lab} lab @param {Weights} w @param {CaptionerConfig} config
 * @param {Float32Array[]} pictures each [channel][y][x]
 * @returns {Encoded}
 */
export function encode(lab, w, { size, channels, patch, width, heads, blocks }, pictures) {
  const batch = pictures.length;
  const pixels = new Float32Array(batch * channels * size * size);
  pictures.forEach((picture, i) => pixels.set(picture, i * picture.length));
  // White paper becomes 0. Otherwise all patches share a large vector, which hides their positions.
  const picture = lab.scale(lab.tensor(pixels, { batch, channel: channels, y: size, x: size }), -1, 1);
  const tokens = lab.linear(lab.patches(picture, patch), w['patches.weight'], w['patches.bias']);
  const first = lab.embedding(w.class_token, new Int32Array(batch), [batch, 1]);
  let x = lab.add(lab.concat([first, tokens], 1), w.positions);
  const maps = [];
  for (let i = 0; i < blocks; i++) {
    const block = lab.encoderBlock(x, under(w, `blocks.${i}.`), { heads, norm: 'pre', activation: 'gelu' });
    x = block.output;
    maps.push(block);
  }
  x = lab.layerNorm(x, w['norm.weight'], w['norm.bias']);
  const values = lab.slice(x, 1, 1, x.axes.sizes[1]);
  const state = lab.linear(lab.mean(values, 1), w['decoder.bridge.weight'], w['decoder.bridge.bias']);
  const memory = { keys: bahdanau.perHead(lab, lab.linear(values, w['attention.W_k.weight'])),
    values: bahdanau.perHead(lab, values), lengths: new Int32Array(batch).fill(values.axes.sizes[1]),
    state: lab.tanh(state) };
  const logits = lab.linear(lab.reshape(lab.slice(x, 1, 0), [batch, width]), w['head.weight'], w['head.bias']);
  return { memory, labels: logits, maps };
}

/**
 * Mean cross-entropy of the words, plus that of the labels.
 * @param {Lab} lab @param {Weights} w @param {CaptionerConfig} config
 * @param {{ pictures: Float32Array[], input: Padded, wanted: Padded, labels: number[] }} batch
 */
export function captionerLoss(lab, w, config, { pictures, input, wanted, labels }) {
  const { memory, labels: guessed } = encode(lab, w, config, pictures);
  const { logits } = bahdanau.decode(lab, w, config, memory, memory.state, input);
  return lab.add(lab.crossEntropy(logits, wanted.ids, { ignore: PAD }), lab.crossEntropy(guessed, labels));
}

/** A sentence about a picture, with the attention of each word to the patches and the maps of the encoder. */
export class Caption extends Attended {
  /** @param {{ words: string[], label: string, probability: number, logprob: number }} written
   *  @param {ConstructorParameters<typeof Attended>} maps @internal */
  constructor({ words, label, probability, logprob }, ...maps) {
    super(...maps);
    /** Words of the sentence. */
    this.words = words;
    /** The sentence. */
    this.text = words.join(' ');
    /** Log-probability of the sentence in nats, including its end. */
    this.logprob = logprob;
    /** Label of the class token. */
    this.label = label;
    /** Probability of the label. */
    this.probability = probability;
  }
}

/**
 * Describes pictures, each as if it were alone.
 * @param {Lab} lab
 * @param {{ weights: Weights, config: CaptionerConfig }} model
 * @param {Float32Array[]} pictures each [channel][y][x], 0 to 1
 * @param {{ beam?: number }} [options] beam: default 1, greedy
 * @returns {Caption[]}
 * @throws {HeedError} 'bad-argument' for a picture of another size, or with numbers that are not finite
 */
export function captionAll(lab, { weights, config }, pictures, { beam = 1 } = {}) {
  const { channels, size, labels, target, longest } = config;
  pictures.forEach(needPicture);
  return lab.evaluate(() => {
    const { memory, labels: logits, maps } = encode(lab, weights, config, pictures);
    /** @param {[Memory, Tensor, Padded]} of */
    const decode = (...of) => bahdanau.decode(lab, weights, config, ...of);
    const found = beamSearch(pictures.length, stepping(lab, decode, memory),
      { beam, longest, end: END, never: [PAD, BEGIN] });
    const written = padded(found.map(({ ids }) => [BEGIN, ...ids.slice(0, -1)]));
    const words = decode(memory, memory.state, written).maps();
    const probabilities = lab.softmax(logits).data;
    const side = sideOf(config);
    const patches = Array.from({ length: side * side }, (_, i) => `${Math.floor(i / side)},${i % side}`);
    return found.map(({ ids, logprob }, i) => {
      const own = probabilities.subarray(i * labels.length, (i + 1) * labels.length);
      const best = own.indexOf(Math.max(...own));
      const text = ids.map((id) => target[id]);
      return new Caption({ words: text, logprob, label: labels[best], probability: own[best] },
        { 'encoder.attn': { layers: maps, keys: ['[class]', ...patches] },
          'decoder.cross_attn': { layers: [words], keys: patches, queries: text } }, i);
    });
  });

  /** @param {unknown} picture */
  function needPicture(picture) {
    const numbers = channels * size * size;
    if (picture instanceof Float32Array && picture.length === numbers && picture.every(Number.isFinite)) return;
    throw new HeedError('bad-argument', `A picture must be a Float32Array of ${numbers} finite numbers, ` +
      `[${channels} channels][${size} rows][${size} columns] from 0 to 1.`);
  }
}
