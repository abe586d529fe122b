/** Recurrent encoder–decoders with attention: what those of Bahdanau and of Luong share. */
import { logSoftmax } from '../beam.js';
import * as bahdanau from './bahdanau.js';
import * as luong from './luong.js';
import { UNITS, symbolsOf } from '../tasks/units.js';
import { BEGIN, END, PAD, idsOf, padded } from '../tasks/vocabulary.js';

/**
 * @typedef {import('../../lab/index.js').Lab} Lab
 * @typedef {import('../../lab/index.js').Tensor} Tensor
 * @typedef {import('../../lab/index.js').Weights} Weights
 * @typedef {import('../tasks/vocabulary.js').Padded} Padded
 * @typedef {import('../tasks/vocabulary.js').TranslationBatch} TranslationBatch
 *
 * @typedef {object} RnnConfig
 * @property {'rnn-seq2seq'} model
 * @property {'bahdanau' | 'luong'} attention
 * @property {'additive' | 'dot' | 'bilinear' | 'concat'} score  additive is Bahdanau's, the others are Luong's
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
 * @property {Tensor} pattern    α [batch][time][source time]
 * @property {Tensor} state      [batch][hidden] after the last symbol
 *
 * @typedef {{ config: RnnConfig, weights: Weights }} RnnModel
 *
 * @typedef {object} Translation
 * @property {string} text
 * @property {number[]} ids      of the target, without its end
 * @property {string[]} source   symbols, with its end where the model reads one
 * @property {string[]} target   symbols
 * @property {{ data: Float32Array, heads: number, queries: number, keys: number }[]} pattern
 *   a layer: [head][target symbol][source symbol]
 * @property {number} logprob    of the whole target, with its end
 */

const KINDS = { bahdanau, luong };

/** Weights as they begin. @param {Lab} lab @param {RnnConfig} config @returns {Weights} */
export const rnnWeights = (lab, config) => KINDS[config.attention].weights(lab, config);

/** What the encoder reads. @param {Pick<RnnConfig, 'units' | 'source' | 'sourceEnds'>} config @param {string} text */
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
 * A target as far as it has been written.
 * @typedef {{ ids: number[], rows: Float32Array[], logprob: number, ended: boolean, place: number }} Hypothesis
 *   rows: of the pattern; place: in the batch that wrote it
 */

/** @param {number} place @returns {Hypothesis} */
const beginning = (place) => ({ ids: [], rows: [], logprob: 0, ended: false, place });

/**
 * Beam search: of all ways to go on, the most probable `beam` are kept; with one, the most probable symbol each time.
 * @param {Lab} lab @param {RnnModel} model @param {number[][]} sources @param {number} beam
 * @returns {Hypothesis[]} the most probable target of each source
 */
function search(lab, { config, weights }, sources, beam) {
  const { encode, decode } = KINDS[config.attention];
  return lab.evaluate(() => {
    const source = padded(sources.flatMap((ids) => new Array(beam).fill(ids)));
    const memory = encode(lab, weights, config, source);
    let { state } = memory;
    let beams = sources.map((_, i) => [beginning(i * beam)]);
    for (let i = 0; i <= config.longest && beams.some((kept) => kept.some(({ ended }) => !ended)); i++) {
      const allowed = (/** @type {number} */ id) => id === END || (id > END && i < config.longest);
      const last = new Int32Array(source.shape.batch).fill(END);
      for (const { place, ids } of beams.flat()) last[place] = ids.at(-1) ?? BEGIN;
      const step = decode(lab, weights, config, memory, state, padded(Array.from(last, (id) => [id])));
      const [logits, pattern] = [step.logits.data.slice(), step.pattern.data.slice()];
      beams = beams.map((kept) => kept
        .flatMap((hypothesis) => continuations(hypothesis, logits, pattern, source, allowed, beam))
        .sort((a, b) => b.logprob - a.logprob).slice(0, beam));
      const origins = new Int32Array(source.shape.batch);
      beams.forEach((kept, group) => kept.forEach((hypothesis, k) => {
        origins[group * beam + k] = hypothesis.place;
        hypothesis.place = group * beam + k;
      }));
      state = lab.gather(step.state, origins);
    }
    return beams.map(([best]) => best);
  });
}

/**
 * The most probable ways to go on.
 * @param {Hypothesis} hypothesis @param {Float32Array} logits [batch][symbol] @param {Float32Array} pattern
 *   [batch][source time] @param {Padded} source @param {(id: number) => boolean} allowed @param {number} beam
 * @returns {Hypothesis[]}
 */
function continuations(hypothesis, logits, pattern, { lengths, shape }, allowed, beam) {
  const { ids, rows, logprob, ended, place } = hypothesis;
  if (ended) return [hypothesis];
  const symbols = logits.length / shape.batch;
  const own = logSoftmax(logits.subarray(place * symbols, (place + 1) * symbols));
  const row = pattern.subarray(place * shape.time, place * shape.time + lengths[place]);
  return Array.from(own, (more, id) => ({ id, more })).filter(({ id }) => allowed(id))
    .sort((a, b) => b.more - a.more).slice(0, beam)
    .map(({ id, more }) => (id === END
      ? { ids, rows, logprob: logprob + more, ended: true, place }
      : { ids: [...ids, id], rows: [...rows, row], logprob: logprob + more, ended: false, place }));
}

/**
 * @param {Lab} lab @param {RnnModel} model @param {string} text symbols of the source vocabulary
 * @param {{ beam?: number }} [options] beam: how many targets are followed at once; 1 is greedy
 * @returns {Translation}
 * @throws {HeedError} 'bad-argument' where a text is empty or has a symbol that the model does not know
 */
export function translate(lab, model, text, options) {
  return translateAll(lab, model, [text], options)[0];
}

/** The same of many texts at once. @param {Lab} lab @param {RnnModel} model @param {string[]} texts
 *  @param {{ beam?: number }} [options] */
export function translateAll(lab, model, texts, { beam = 1 } = {}) {
  const { source: known, target: symbols, units = 'characters' } = model.config;
  const sources = texts.map((text) => sourceIds(model.config, text));
  return search(lab, model, sources, beam).map(({ ids, rows, logprob }, i) => {
    const keys = sources[i].length;
    const data = new Float32Array(rows.length * keys);
    rows.forEach((row, query) => data.set(row, query * keys));
    const target = ids.map((id) => symbols[id]);
    return { text: UNITS[units].join(target), ids, source: sources[i].map((id) => known[id]), target, logprob,
      pattern: [{ data, heads: 1, queries: rows.length, keys }] };
  });
}
