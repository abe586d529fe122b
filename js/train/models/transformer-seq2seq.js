/**
 * The encoder–decoder Transformer (Vaswani et al. 2017, arXiv:1706.03762), with the names of nn.Transformer: tokens
 * become √d·E[token] + PE, the output layer is the target's table once more (section 3.4), and both stacks end with a
 * norm, as PyTorch's do.
 */
import { under } from '../../lab/index.js';
import { BEGIN, END, PAD, idsOf } from '../tasks/vocabulary.js';
import { UNITS, symbolsOf } from '../tasks/units.js';
import { beamSearch, logSoftmax } from '../beam.js';

/**
 * @typedef {import('../../lab/index.js').Lab} Lab
 * @typedef {import('../../lab/index.js').Tensor} Tensor
 * @typedef {import('../../lab/index.js').Weights} Weights
 * @typedef {import('../tasks/vocabulary.js').Padded} Padded
 * @typedef {import('../tasks/vocabulary.js').TranslationBatch} TranslationBatch
 *
 * @typedef {object} TransformerConfig
 * @property {'transformer-seq2seq'} model
 * @property {number} width      d
 * @property {number} heads
 * @property {number} hidden     of the feed-forward networks
 * @property {number} layers     of the encoder, and as many of the decoder
 * @property {'post' | 'pre'} norm
 * @property {number} dropout
 * @property {number} smoothing  of the labels, while learning
 * @property {'characters' | 'words'} units  that text is taken apart into
 * @property {string[]} source   vocabulary: a symbol for each id
 * @property {string[]} target
 * @property {number} longest    target, in symbols
 *
 * @typedef {{ config: TransformerConfig, weights: Weights }} TransformerModel
 *
 * @typedef {object} Maps  of one layer: [head][query][key]
 * @property {Float32Array} data
 * @property {number} heads
 * @property {number} queries
 * @property {number} keys
 *
 * @typedef {object} Translation
 * @property {string} text
 * @property {number[]} ids       of the target, without its end
 * @property {string[]} source    symbols, as the model reads them
 * @property {string[]} target
 * @property {Maps[]} pattern     cross-attention, a layer each: row i is where the model looked to write target[i]
 * @property {{ encoder: Maps[], decoder: Maps[] }} maps  self-attention; the decoder's tokens are its inputs: the mark
 *   of the beginning, then the target without its last symbol
 * @property {number} logprob     of the whole target with its end
 */

/** Embeddings N(0, 1/d): times √d they are as large as positions, and logits begin with variance 1.
 *  @param {Lab} lab @param {TransformerConfig} config @returns {Weights} */
export function transformerWeights({ init }, { width, hidden, layers, source, target }) {
  const stack = (/** @type {'encoder' | 'decoder'} */ name) => Object.assign({}, ...Array.from({ length: layers },
    (_, i) => init[`${name}Block`](`transformer.${name}.layers.${i}.`, width, hidden)),
  init.layerNorm(`transformer.${name}.norm.`, width));
  const deviation = width ** -0.5;
  return {
    ...init.embedding('source.', source.length, width, { deviation }),
    ...init.embedding('target.', target.length, width, { deviation }),
    ...stack('encoder'),
    ...stack('decoder'),
  };
}

/** √d·E[ids] + PE. @param {Lab} lab @param {Tensor} table @param {Padded} tokens @param {number} dropout */
function embed(lab, table, { ids, shape }, dropout) {
  const width = table.place.columns;
  const x = lab.scale(lab.embedding(table, ids, shape), Math.sqrt(width));
  return lab.dropout(lab.add(x, lab.sinusoidal({ time: shape.time, feature: width })), dropout);
}

/** @param {Lab} lab @param {Tensor} x @param {Weights} w @param {'encoder' | 'decoder'} name */
const finalNorm = (lab, x, w, name) =>
  lab.layerNorm(x, w[`transformer.${name}.norm.weight`], w[`transformer.${name}.norm.bias`]);

/**
 * Memory of the source; padding is seen by nobody.
 * @param {Lab} lab @param {Weights} w @param {TransformerConfig} config @param {Padded} source
 * @returns {{ memory: Tensor, lengths: Int32Array, maps: Tensor[] }} memory [batch][time][feature]; maps a layer:
 *   [batch][head][query][key]
 */
export function encode(lab, w, { layers, heads, norm, dropout }, source) {
  let x = embed(lab, w['source.weight'], source, dropout);
  const maps = [];
  for (let i = 0; i < layers; i++) {
    const block = lab.encoderBlock(x, under(w, `transformer.encoder.layers.${i}.`),
      { heads, norm, dropout, lengths: source.lengths });
    x = block.output;
    maps.push(block.pattern);
  }
  return { memory: finalNorm(lab, x, w, 'encoder'), lengths: source.lengths, maps };
}

/**
 * What comes after each symbol of the input, given the ones before it and the memory.
 * @param {Lab} lab @param {Weights} w @param {TransformerConfig} config
 * @param {{ memory: Tensor, lengths: Int32Array }} encoded @param {Padded} input
 * @returns {{ logits: Tensor, self: Tensor[], cross: Tensor[] }} logits [batch][time][symbol]; maps a layer:
 *   [batch][head][query][key]
 */
export function decode(lab, w, { layers, heads, norm, dropout }, { memory, lengths }, input) {
  let x = embed(lab, w['target.weight'], input, dropout);
  const maps = { self: /** @type {Tensor[]} */ ([]), cross: /** @type {Tensor[]} */ ([]) };
  for (let i = 0; i < layers; i++) {
    const { output, self, cross } = lab.decoderBlock(x, memory, under(w, `transformer.decoder.layers.${i}.`),
      { heads, norm, dropout, lengths: input.lengths, memoryLengths: lengths });
    x = output;
    maps.self.push(self.pattern);
    maps.cross.push(cross.pattern);
  }
  return { logits: lab.linear(finalNorm(lab, x, w, 'decoder'), w['target.weight']), ...maps };
}

/**
 * -log p(target | source) with teacher forcing, the mean over symbols that are not padding.
 * @param {Lab} lab @param {Weights} w @param {TransformerConfig} config @param {TranslationBatch} batch
 * @param {{ smoothing?: number }} [options] default: that of the configuration
 */
export function transformerLoss(lab, w, config, { source, input, wanted }, { smoothing = config.smoothing } = {}) {
  const { logits } = decode(lab, w, config, encode(lab, w, config, source), input);
  return lab.crossEntropy(logits, wanted.ids, { ignore: PAD, smoothing });
}

/** One sequence as a batch. @param {number[]} ids @returns {Padded} */
const alone = (ids) => ({ ids: Int32Array.from(ids), lengths: Int32Array.of(ids.length),
  shape: { batch: 1, time: ids.length } });

/** @param {Tensor} pattern [1][head][query][key] @returns {Maps} */
function mapsOf({ data, axes: { sizes: [, heads, queries, keys] } }) {
  return { data: data.slice(), heads, queries, keys };
}

/**
 * Translates one text: the best of `beam` hypotheses (1: greedy), by log p / lp with Wu et al.'s length penalty.
 * @param {Lab} lab @param {TransformerModel} model @param {string} text
 * @param {{ beam?: number, lengthPenalty?: number }} [options]
 * @returns {Translation}
 * @throws {HeedError} 'bad-argument' where the text is empty or has a character the model never saw
 */
export function translate(lab, { config, weights }, text, { beam = 1, lengthPenalty = 0.6 } = {}) {
  const symbols = symbolsOf(config.units, config.source, text);
  const ids = idsOf(config.source, symbols);
  return lab.evaluate(() => {
    const encoded = encode(lab, weights, config, alone(ids));
    const { memory } = encoded;
    const next = (/** @type {number[][]} */ targets) => lab.evaluate(() => {
      const [batch, time] = [targets.length, targets[0].length + 1];
      const input = { ids: Int32Array.from(targets.flatMap((target) => [BEGIN, ...target])),
        lengths: new Int32Array(batch).fill(time), shape: { batch, time } };
      const repeated = { memory: repeat(lab, memory, batch), lengths: new Int32Array(batch).fill(ids.length) };
      const { logits } = decode(lab, weights, config, repeated, input);
      const last = lab.slice(logits, 1, -1);
      return targets.map((_, i) => logSoftmax(lab.slice(last, 0, i).data));
    });
    const best = beamSearch(next, { beam, lengthPenalty, longest: config.longest, end: END, never: [PAD, BEGIN] });
    const target = best.ids.map((id) => config.target[id]);
    const { self, cross } = decode(lab, weights, config, encoded, alone([BEGIN, ...best.ids.slice(0, -1)]));
    return {
      text: UNITS[config.units].join(target),
      ids: best.ids,
      source: symbols,
      target,
      pattern: cross.map(mapsOf),
      maps: { encoder: encoded.maps.map(mapsOf), decoder: self.map(mapsOf) },
      logprob: best.logprob,
    };
  });
}

/** [1][time][feature] for each of a batch. @param {Lab} lab @param {Tensor} x @param {number} batch */
const repeat = (lab, x, batch) => (batch === 1 ? x : lab.concat(Array.from({ length: batch }, () => x), 0));
