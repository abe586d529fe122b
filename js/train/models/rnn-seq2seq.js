/** Common part of the recurrent encoder–decoders: without attention, with Bahdanau's and with Luong's. */
import { beamSearch } from '../../model/beam.js';
import { logSoftmax } from '../../softmax.js';
import * as bahdanau from './bahdanau.js';
import { choose } from './batches.js';
import * as cho from './cho.js';
import { cutting, needCuts } from './cuts.js';
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
 * @typedef {import('../../model/beam.js').Row} Row
 *
 * @typedef {object} RnnConfig
 * @property {'rnn-seq2seq'} model
 * @property {'bahdanau' | 'luong' | 'none'} attention
 * @property {'additive' | 'dot' | 'bilinear' | 'concat' | 'location' | 'none'} score  additive is Bahdanau's, the next
 *   four are Luong's
 * @property {boolean} [inputFeeding]  whether Luong's decoder reads its last attention vector with the last symbol;
 *   default false
 * @property {'global' | 'local-m' | 'local-p'} [scope]  symbols that Luong's attention sees; default 'global'
 * @property {number} [window]   D of local attention: it sees symbols at most D from its center
 * @property {number} [longestSource]  longest source for which the location score has weights, in symbols
 * @property {number} embedding  width of a symbol
 * @property {number} hidden     number of hidden units of the GRU, in each direction
 * @property {number} [dropout]
 * @property {'characters' | 'words'} [units]  units of the text; default characters
 * @property {string[]} source   vocabulary: a symbol for each id
 * @property {boolean} [sourceEnds]  whether END is the last symbol of a source, as an encoder
 *   that reads only forwards needs
 * @property {string[]} target
 * @property {number} longest    longest target, in symbols
 *
 * @typedef {object} Memory      the encoded source
 * @property {Tensor} keys       [batch][1][time][feature]
 * @property {Tensor} values     h [batch][1][time][feature]
 * @property {ArrayLike<number>} lengths [batch]
 * @property {Tensor} state      state of the decoder before the first symbol, [batch][feature]
 *
 * @typedef {object} Decoded
 * @property {Tensor} logits     [batch][time][symbol]
 * @property {(() => { pattern: Tensor, scores: Tensor }) | null} maps  α, and what its softmax was given:
 *   [batch][time][source time]; null without attention
 * @property {Tensor} state      state after the last symbol, as in Memory
 * @property {() => Tensor} [centers]  center of each window of local attention, counted from 1, [batch][time]
 *
 * @typedef {object} DecodeOptions
 * @property {number} [past]     number of symbols written before; default 0
 * @property {import('./cuts.js').PatternEdit} [edit]  changes the pattern; default none
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
 * @param {(memory: Memory, state: Tensor, input: Padded, options: { past: number }) => Decoded} decode
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
    const { logits, state } = decode(own, before, last, { past: rows[0].ids.length });
    states = state.data.slice();
    return rows.map((_, i) => logSoftmax(lab.slice(logits, 0, i).data));
  });
}

/**
 * @param {Lab} lab @param {RnnModel} model @param {string[]} texts symbols of the source vocabulary; each is translated
 *   as if it were alone
 * @param {import('./index.js').TranslateOptions} [options] beam: number of hypotheses; 1 is greedy;
 *   lengthPenalty: of Wu et al., default 0: plain probabilities
 * @returns {Translation[]}
 * @throws {HeedError} 'bad-argument' for an empty text or an unknown symbol
 */
export function translateAll(lab, model, texts, { beam = 1, lengthPenalty = 0, cuts = [], renormalize = false } = {}) {
  const { config, weights } = model;
  const { source: known, target: symbols, units = 'characters', longest } = config;
  const sources = texts.map((text) => sourceIds(config, text));
  needCuts('translate', cuts, config.attention === 'none' ? {} : { 'decoder.cross_attn': { layers: 1, heads: 1 } });
  return lab.evaluate(() => {
    const { encode, decode: decoder } = KINDS[config.attention];
    const memory = encode(lab, weights, config, padded(sources));
    const edit = cutting(lab, cuts, renormalize);
    /** @param {Memory} own @param {Tensor} state @param {Padded} input @param {{ past: number }} options */
    const decode = (own, state, input, { past }) => decoder(lab, weights, config, own, state, input, { past, edit });
    const found = beamSearch(texts.length, stepping(lab, decode, memory),
      { beam, lengthPenalty, longest, end: END, never: [PAD, BEGIN] });
    const written = padded(found.map(({ ids }) => [BEGIN, ...ids.slice(0, -1)]));
    const maps = decode(memory, memory.state, written, { past: 0 }).maps?.();
    return found.map(({ ids, logprob }, i) => {
      const target = ids.map((id) => symbols[id]);
      const source = sources[i].map((id) => known[id]);
      return new Translation({ text: UNITS[units].join(target), ids, source, target, logprob },
        maps ? { 'decoder.cross_attn': { layers: [maps], keys: source, queries: target } } : {}, i);
    });
  });
}
