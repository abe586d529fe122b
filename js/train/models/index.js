/** Models that heed trained, opened from their files for use. */
import { HeedError, quoted } from '../../errors.js';
import { classify } from './classifier.js';
import * as rnn from './rnn-seq2seq.js';
import * as transformer from './transformer-seq2seq.js';

/**
 * @typedef {import('../../lab/index.js').Lab} Lab
 * @typedef {import('../../lab/index.js').Weights} Weights
 * @typedef {import('./rnn-seq2seq.js').Translation} Translation
 * @typedef {import('./classifier.js').Classification} Classification
 *
 * @typedef {object} TrainedModel
 * @property {string} recipe   that made it
 * @property {any} config      sizes and vocabularies; `model` says of what kind
 * @property {Record<string, number>} figures  of its last validation
 * @property {Weights} weights with PyTorch's names
 *
 * @typedef {object} TranslateOptions
 * @property {number} [beam]           targets that are followed at once; 1, greedy, unless told
 * @property {number} [lengthPenalty]  α of Wu et al. 2016; 0.6 for the Transformer, 0 for recurrent models unless told
 *
 * @typedef {object} Translator
 * @property {(text: string, options?: TranslateOptions) => Translation} translate
 * @property {(texts: string[], options?: TranslateOptions) => Translation[]} translateAll  as one batch, with the same
 *   result for each
 */

/** What translates, by kind of model.
 *  @type {Record<string, (lab: Lab, model: any, texts: string[], options?: TranslateOptions) => Translation[]>} */
const TRANSLATORS = { 'rnn-seq2seq': rnn.translateAll, 'transformer-seq2seq': transformer.translateAll };

/**
 * @param {Lab} lab
 * @param {Uint8Array} file as `heed train` writes it
 * @returns {Promise<TrainedModel>}
 * @throws {HeedError} 'bad-file' where it is not
 */
export async function openModel(lab, file) {
  const { weights, metadata } = await lab.load(file);
  if (!metadata.heed) {
    throw new HeedError('bad-file', 'The file does not say what model it is: heed train writes that beside the ' +
      'weights, under ‘heed’.');
  }
  const { recipe, config, figures } = JSON.parse(metadata.heed);
  return { recipe, config, figures, weights };
}

/**
 * @param {Lab} lab @param {Uint8Array} file
 * @returns {Promise<TrainedModel & Translator>}
 * @throws {HeedError} 'bad-file', 'unsupported' where the model does not translate
 */
export async function openTranslator(lab, file) {
  const model = await openModel(lab, file);
  const all = TRANSLATORS[model.config.model];
  if (!all) {
    throw new HeedError('unsupported', `${quoted(model.recipe)} is a ${quoted(model.config.model)}, which does not ` +
      `translate; ${Object.keys(TRANSLATORS).join(' and ')} do.`);
  }
  return {
    ...model,
    translate: (text, options) => all(lab, model, [text], options)[0],
    translateAll: (texts, options) => all(lab, model, texts, options),
  };
}

/**
 * @param {Lab} lab @param {Uint8Array} file
 * @returns {Promise<TrainedModel & { classify: (text: string) => Classification }>}
 * @throws {HeedError} 'bad-file', 'unsupported' where the model does not classify
 */
export async function openClassifier(lab, file) {
  const model = await openModel(lab, file);
  if (model.config.model !== 'encoder-classifier') {
    throw new HeedError('unsupported', `${quoted(model.recipe)} is a ${quoted(model.config.model)}, which does not ` +
      'classify; encoder-classifier does.');
  }
  return { ...model, classify: (text) => classify(lab, model, text) };
}
