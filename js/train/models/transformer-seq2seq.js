/**
 * The encoder–decoder Transformer (Vaswani et al. 2017, arXiv:1706.03762), with the names of nn.Transformer.  Tokens
 * become √d·E[token] + PE.  The output layer shares the target's embedding table (section 3.4).  Both stacks end with a
 * norm, as in PyTorch.
 */
import { under } from '../../lab/index.js';
import { beamSearch } from '../../model/beam.js';
import { logSoftmax } from '../../softmax.js';
import { UNITS, symbolsOf } from '../tasks/units.js';
import { BEGIN, END, PAD, idsOf, padded } from '../tasks/vocabulary.js';
import { choose } from './batches.js';
import { cutting, needCuts } from './cuts.js';
import { Translation } from './translation.js';

/**
 * @typedef {import('../../lab/index.js').Lab} Lab
 * @typedef {import('../../lab/index.js').Tensor} Tensor
 * @typedef {import('../../lab/index.js').Weights} Weights
 * @typedef {import('../tasks/vocabulary.js').Padded} Padded
 * @typedef {import('../tasks/vocabulary.js').TranslationBatch} TranslationBatch
 * @typedef {import('./cuts.js').PatternEdit} PatternEdit
 * @typedef {{ pattern: Tensor, scores: Tensor }} Maps  of a layer, [batch][head][query][key]
 *
 * @typedef {object} TransformerConfig
 * @property {'transformer-seq2seq'} model
 * @property {number} width      width of the model, d
 * @property {number} heads
 * @property {number} hidden     number of hidden units of the feed-forward networks
 * @property {number} layers     number of layers of the encoder, and the same number of the decoder
 * @property {'post' | 'pre'} norm
 * @property {number} dropout
 * @property {number} smoothing  label smoothing in the training
 * @property {'characters' | 'words'} units  symbols of a text
 * @property {string[]} source   vocabulary: a symbol for each id
 * @property {string[]} target
 * @property {number} longest    longest target, in symbols
 *
 * @typedef {{ config: TransformerConfig, weights: Weights }} TransformerModel
 */

/** Default α of the length penalty (Wu et al. 2016). */
export const LENGTH_PENALTY = 0.6;

/** Attentions with maps. @type {import('./attended.js').Place[]} */
const PLACES = ['encoder.attn', 'decoder.attn', 'decoder.cross_attn'];

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
  const looked = lab.embedding(table, ids, shape);
  const width = table.place.columns;
  const x = lab.scale(looked, Math.sqrt(width));
  return lab.dropout(lab.add(x, lab.sinusoidal({ time: shape.time, feature: width })), dropout);
}

/** @param {Lab} lab @param {Tensor} x @param {Weights} w @param {'encoder' | 'decoder'} name */
const finalNorm = (lab, x, w, name) =>
  lab.layerNorm(x, w[`transformer.${name}.norm.weight`], w[`transformer.${name}.norm.bias`]);

/** The edit of one attention. @param {PatternEdit | undefined} edit @param {import('./attended.js').Place} of
 *  @param {number} layer @returns {((pattern: Tensor) => Tensor) | undefined} */
const editOf = (edit, of, layer) => edit && ((pattern) => edit(pattern, { of, layer, first: 0 }));

/**
 * Encodes the source. Padding is masked.
 * @param {Lab} lab @param {Weights} w @param {TransformerConfig} config @param {Padded} source
 * @param {PatternEdit} [edit] changes the patterns
 * @returns {{ memory: Tensor, lengths: Int32Array, maps: Maps[] }} memory [batch][time][feature]
 */
export function encode(lab, w, { layers, heads, norm, dropout }, source, edit) {
  let x = embed(lab, w['source.weight'], source, dropout);
  const maps = [];
  for (let i = 0; i < layers; i++) {
    const block = lab.encoderBlock(x, under(w, `transformer.encoder.layers.${i}.`),
      { heads, norm, dropout, lengths: source.lengths, edit: editOf(edit, 'encoder.attn', i) });
    x = block.output;
    maps.push(block);
  }
  return { memory: finalNorm(lab, x, w, 'encoder'), lengths: source.lengths, maps };
}

/**
 * Logits of the symbol after each symbol of the input.
 * @param {Lab} lab @param {Weights} w @param {TransformerConfig} config
 * @param {{ memory: Tensor, lengths: Int32Array }} encoded @param {Padded} input
 * @param {PatternEdit} [edit] changes the patterns
 * @param {(layer: number, name: string, x: Tensor) => void} [onActivation] called with each activation of each layer
 * @returns {{ logits: Tensor, self: Maps[], cross: Maps[] }} logits [batch][time][symbol]
 */
export function decode(lab, w, { layers, heads, norm, dropout }, { memory, lengths }, input, edit,
  onActivation = () => {}) {
  let x = embed(lab, w['target.weight'], input, dropout);
  const maps = { self: /** @type {Maps[]} */ ([]), cross: /** @type {Maps[]} */ ([]) };
  for (let i = 0; i < layers; i++) {
    const { output, self, cross } = lab.decoderBlock(x, memory, under(w, `transformer.decoder.layers.${i}.`),
      { heads, norm, dropout, lengths: input.lengths, memoryLengths: lengths,
        edit: editOf(edit, 'decoder.attn', i), memoryEdit: editOf(edit, 'decoder.cross_attn', i),
        onActivation: (name, activation) => onActivation(i, name, activation) });
    x = output;
    maps.self.push(self);
    maps.cross.push(cross);
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

/**
 * @param {Lab} lab @param {TransformerModel} model @param {string[]} texts each is translated as if it were alone
 * @param {import('./index.js').TranslateOptions} [options] beam: number of hypotheses; 1 is greedy;
 *   lengthPenalty: of Wu et al., default 0.6
 * @returns {Translation[]}
 * @throws {HeedError} 'bad-argument' for an empty text or an unknown character
 */
export function translateAll(lab, { config, weights }, texts, { beam = 1, lengthPenalty = LENGTH_PENALTY, cuts = [],
  renormalize = false } = {}) {
  const { units, longest } = config;
  needCuts('translate', cuts, Object.fromEntries(PLACES.map((of) => [of, config])));
  const symbols = texts.map((text) => symbolsOf(units, config.source, text));
  const sources = symbols.map((each) => idsOf(config.source, each));
  return lab.evaluate(() => {
    const edit = cutting(lab, cuts, renormalize);
    const encoded = encode(lab, weights, config, padded(sources), edit);
    const next = (/** @type {import('../../model/beam.js').Row[]} */ rows) => lab.evaluate(() => {
      const chosen = rows.map(({ source }) => source);
      const memory = choose(lab, encoded.memory, chosen);
      const lengths = Int32Array.from(chosen, (source) => encoded.lengths[source]);
      const input = padded(rows.map(({ ids }) => [BEGIN, ...ids]));
      const last = lab.slice(decode(lab, weights, config, { memory, lengths }, input, edit).logits, 1, -1);
      return rows.map((_, i) => logSoftmax(lab.slice(last, 0, i).data));
    });
    const found = beamSearch(texts.length, next,
      { beam, lengthPenalty, longest, end: END, never: [PAD, BEGIN] });
    const written = padded(found.map(({ ids }) => [BEGIN, ...ids.slice(0, -1)]));
    const { self, cross } = decode(lab, weights, config, encoded, written, edit);
    return found.map(({ ids, logprob }, i) => {
      const target = ids.map((id) => config.target[id]);
      const source = symbols[i];
      return new Translation({ text: UNITS[units].join(target), ids, source, target, logprob }, {
        'encoder.attn': { layers: encoded.maps, keys: source },
        'decoder.attn': { layers: self, keys: [config.target[BEGIN], ...target.slice(0, -1)], causal: true },
        'decoder.cross_attn': { layers: cross, keys: source, queries: target },
      }, i);
    });
  });
}
