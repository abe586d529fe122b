/**
 * A picture in words. The encoder is a Vision Transformer: patches as tokens, learned positions and a class token
 * (Dosovitskiy et al. 2021, arXiv:2010.11929, equations 1 to 4). The decoder is Bahdanau's: it attends to the patches
 * for each word, as the attention of Xu et al. 2015 does (arXiv:1502.03044, section 4).
 */
import { HeedError } from '../../errors.js';
import { under } from '../../lab/index.js';
import { beamSearch } from '../../model/beam.js';
import { BEGIN, END, PAD, padded } from '../tasks/vocabulary.js';
import { Attended } from './attended.js';
import * as bahdanau from './bahdanau.js';
import { choose } from './batches.js';
import { advantagesOf, choiceLoss, drawnBy, hardened, largestWeight } from './hard-attention.js';
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
 * @property {'soft' | 'hard'} [attention]  soft: the average of all patches; hard: one patch for each word; default
 *   soft
 *
 * @typedef {object} PictureBatch
 * @property {Float32Array[]} pictures  each [channel][y][x]
 * @property {Padded} input       words so far
 * @property {Padded} wanted      next words
 * @property {number[]} labels    labels of the class token, [batch]
 * @property {() => number} [random]  draws the patches of hard attention
 *
 * @typedef {object} Encoded
 * @property {Memory} memory      what the decoder attends to
 * @property {Tensor} labels      logits of the class token [batch][label]
 * @property {{ pattern: Tensor, scores: Tensor }[]} maps  maps of each block,
 *   [batch][head][query][key]; the class token is first
 */

/** Sentences drawn for each picture in the training of hard attention. */
const SAMPLES = 2;
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
  // White paper becomes 0, so an empty patch is its position and a bias.
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
 * @param {Lab} lab @param {Weights} w @param {CaptionerConfig} config @param {PictureBatch} batch
 */
export function captionerLoss(lab, w, config, { pictures, input, wanted, labels, random }) {
  const { memory, labels: guessed } = encode(lab, w, config, pictures);
  const words = config.attention === 'hard' && random ? hardLoss(lab, w, config, memory, { input, wanted, random })
    : softLoss(lab, w, config, memory, { input, wanted });
  return lab.add(words, lab.crossEntropy(guessed, labels));
}

/** @param {Lab} lab @param {Weights} w @param {CaptionerConfig} config @param {Memory} memory
 *  @param {{ input: Padded, wanted: Padded }} sentences */
function softLoss(lab, w, config, memory, { input, wanted }) {
  const { logits } = bahdanau.decode(lab, w, config, memory, memory.state, input);
  return lab.crossEntropy(logits, wanted.ids, { ignore: PAD });
}

/**
 * Mean cross-entropy of the words, with patches that are drawn. Its gradient is that of the expected cross-entropy: the
 * part of the choices is estimated from SAMPLES draws for each picture.
 * @param {Lab} lab @param {Weights} w @param {CaptionerConfig} config @param {Memory} memory
 * @param {{ input: Padded, wanted: Padded, random: () => number }} sentences
 */
function hardLoss(lab, w, config, { keys, values, lengths, state }, { input, wanted, random }) {
  const batch = input.shape.batch;
  const rows = Array.from({ length: SAMPLES * batch }, (_, i) => i % batch);
  const drawn = { keys: choose(lab, keys, rows), values: choose(lab, values, rows), state: choose(lab, state, rows),
    lengths: rows.map((row) => lengths[row]) };
  const inputs = repeated(input);
  const ids = repeated(wanted).ids;
  const { logits, maps } = bahdanau.decode(lab, w, config, drawn, drawn.state, inputs,
    { edit: hardened(lab, drawnBy(random)) });
  const { scores, pattern } = maps();
  const choices = choiceLoss(lab, scores, pattern, advantagesOf(logits, ids, PAD, SAMPLES));
  const count = ids.filter((id) => id !== PAD).length;
  return lab.add(lab.crossEntropy(logits, ids, { ignore: PAD }), lab.scale(choices, 1 / count));
}

/** SAMPLES copies of the sequences. @param {Padded} sequences @returns {Padded} */
function repeated({ ids, lengths, shape: { batch, time } }) {
  const copies = (/** @type {Int32Array} */ list) =>
    Int32Array.from({ length: SAMPLES * list.length }, (_, i) => list[i % list.length]);
  return { ids: copies(ids), lengths: copies(lengths), shape: { batch: SAMPLES * batch, time } };
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
 * @throws {HeedError} 'bad-argument' for a picture of another size, or with numbers outside of 0 to 1
 */
export function captionAll(lab, { weights, config }, pictures, { beam = 1 } = {}) {
  const { channels, size, labels, target, longest } = config;
  for (const picture of pictures) needPicture(picture, channels, size);
  return lab.evaluate(() => {
    const { memory, labels: logits, maps } = encode(lab, weights, config, pictures);
    const edit = config.attention === 'hard' ? hardened(lab, largestWeight) : undefined;
    /** @param {Memory} own @param {Tensor} state @param {Padded} input */
    const decode = (own, state, input) => bahdanau.decode(lab, weights, config, own, state, input, { edit });
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
}

/** @param {unknown} picture @param {number} channels @param {number} size */
function needPicture(picture, channels, size) {
  const numbers = channels * size * size;
  if (picture instanceof Float32Array && picture.length === numbers &&
      picture.every((x) => x >= 0 && x <= 1)) return;
  throw new HeedError('bad-argument', `A picture must be a Float32Array of ${numbers} finite numbers, ` +
    `[${channels} channels][${size} rows][${size} columns] from 0 to 1. Divide bytes by 255.`);
}
