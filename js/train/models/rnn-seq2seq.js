/** Common part of the recurrent encoder–decoders: without attention, with Bahdanau's and with Luong's. */
import { beamSearch, logSoftmax } from '../beam.js';
import * as bahdanau from './bahdanau.js';
import { choose } from './batches.js';
import * as cho from './cho.js';
import * as luong from './luong.js';
import { Translation } from './translation.js';
import { UNITS, symbolsOf } from '../tasks/units.js';
import { BEGIN, END, PAD, idsOf, padded } from '../tasks/vocabulary.js';

/**
 * @typedef {import('../../lab/index.js').Lab} Lab
 * @typedef {import('../../lab/index.js').Tensor} Tensor
 * @typedef {import('../../lab/index.js').Weights} Weights
 * @typedef {import('../tasks/vocabulary.js').Padded} Padded
 * @typedef {import('../tasks/vocabulary.js').TranslationBatch} TranslationBatch
 * @typedef {import('../beam.js').Row} Row
 *
 * @typedef {object} RnnConfig
 * @property {'rnn-seq2seq'} model
 * @property {'bahdanau' | 'luong' | 'none'} attention
 * @property {'additive' | 'dot' | 'bilinear' | 'concat' | 'none'} score  additive is Bahdanau's, the next three are
 *   Luong's
 * @property {number} embedding  width of a symbol
 * @property {number} hidden     of the GRU, in each direction
 * @property {number} [dropout]
 * @property {'characters' | 'words'} [units]  that text is taken apart into; default characters
 * @property {string[]} source   vocabulary: a symbol for each id
 * @property {boolean} [sourceEnds]  whether END is the last symbol of a source: an encoder that reads forwards only
 *   cannot know otherwise that the symbol before was the last
 * @property {string[]} target
 * @property {number} longest    target that is written, in symbols
 *
 * @typedef {object} Memory      what the encoder made of the source
 * @property {Tensor} keys       [batch][1][time][feature]
 * @property {Tensor} values     h [batch][1][time][feature]
 * @property {ArrayLike<number>} lengths [batch]
 * @property {Tensor} state      [batch][hidden] that the decoder begins with
 *
 * @typedef {object} Decoded
 * @property {Tensor} logits     [batch][time][symbol]
 * @property {(() => { pattern: Tensor, scores: Tensor }) | null} maps  α, and what its softmax was given:
 *   [batch][time][source time]; null without attention
 * @property {Tensor} state      [batch][hidden] after the last symbol
 *
 * @typedef {{ config: RnnConfig, weights: Weights }} RnnModel
 */

const KINDS = { bahdanau, luong, none: cho };

/** Initial weights. @param {Lab} lab @param {RnnConfig} config @returns {Weights} */
export const rnnWeights = (lab, config) => KINDS[config.attention].weights(lab, config);

/** Input ids of the encoder. @param {Pick<RnnConfig, 'units' | 'source' | 'sourceEnds'>} config @param {string} text */
export const sourceIds = ({ units = 'characters', source, sourceEnds }, text) =>
  [...idsOf(source, symbolsOf(units, source, text)), ...(sourceEnds ? [END] : [])];

/** -log p(target | source), the mean over symbols. @param {Lab} lab @param {Weights} weights @param {RnnConfig} config
 *  @param {TranslationBatch} batch @returns {Tensor} */
export function rnnLoss(lab, weights, config, { source, input, wanted }) {
  const { encode, decode } = KINDS[config.attention];
  const memory = encode(lab, weights, config, source);
  const { logits } = decode(lab, weights, config, memory, memory.state, input);
  return lab.crossEntropy(logits, wanted.ids, { ignore: PAD });
}

/**
 * Next-symbol function for beam search. Each call continues from the states of the previous one.
 * @param {Lab} lab
 * @param {(memory: Memory, state: Tensor, input: Padded) => Decoded} decode
 * @param {Memory} memory
 * @returns {(rows: Row[]) => Float64Array[]} log probabilities
 */
export function stepping(lab, decode, memory) {
  const hidden = memory.state.place.columns;
  let states = memory.state.data.slice();
  return (rows) => lab.evaluate(() => {
    const chosen = rows.map(({ source }) => source);
    const values = choose(lab, memory.values, chosen);
    const keys = memory.keys === memory.values ? values : choose(lab, memory.keys, chosen);
    const before = lab.gather(lab.tensor(states, [states.length / hidden, hidden]), rows.map(({ from }) => from));
    const own = { keys, values, lengths: chosen.map((source) => memory.lengths[source]), state: before };
    const last = padded(rows.map(({ ids }) => [ids.at(-1) ?? BEGIN]));
    const { logits, state } = decode(own, before, last);
    states = state.data.slice();
    return rows.map((_, i) => logSoftmax(lab.slice(logits, 0, i).data));
  });
}

/**
 * @param {Lab} lab @param {RnnModel} model @param {string[]} texts symbols of the source vocabulary; each is translated
 *   as if it were alone
 * @param {{ beam?: number, lengthPenalty?: number }} [options] beam: how many targets are followed at once; 1 is
 *   greedy; lengthPenalty: of Wu et al., 0 unless told: plain probabilities
 * @returns {Translation[]}
 * @throws {HeedError} 'bad-argument' where a text is empty or has a symbol that the model does not know
 */
export function translateAll(lab, model, texts, { beam = 1, lengthPenalty = 0 } = {}) {
  const { config, weights } = model;
  const { source: known, target: symbols, units = 'characters', longest } = config;
  const sources = texts.map((text) => sourceIds(config, text));
  return lab.evaluate(() => {
    const { encode, decode } = KINDS[config.attention];
    const memory = encode(lab, weights, config, padded(sources));
    const found = beamSearch(texts.length, stepping(lab, (...of) => decode(lab, weights, config, ...of), memory),
      { beam, lengthPenalty, longest, end: END, never: [PAD, BEGIN] });
    const written = padded(found.map(({ ids }) => [BEGIN, ...ids.slice(0, -1)]));
    const maps = decode(lab, weights, config, memory, memory.state, written).maps?.();
    return found.map(({ ids, logprob }, i) => {
      const target = ids.map((id) => symbols[id]);
      const source = sources[i].map((id) => known[id]);
      return new Translation({ text: UNITS[units].join(target), ids, source, target, logprob },
        maps ? { 'decoder.cross_attn': { layers: [maps], keys: source, queries: target } } : {}, i);
    });
  });
}
