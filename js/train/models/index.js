/** Opens trained models from their files. */
import { HeedError, quoted } from '../../errors.js';
import { needInRange } from '../../lab/arguments.js';
import { needOptions } from '../../options.js';
import { captionAll } from './captioner.js';
import { classify } from './classifier.js';
import * as rnn from './rnn-seq2seq.js';
import * as transformer from './transformer-seq2seq.js';

/**
 * @typedef {import('../../lab/index.js').Lab} Lab
 * @typedef {import('../../lab/index.js').Weights} Weights
 * @typedef {import('./translation.js').Translation} Translation
 * @typedef {import('./classifier.js').Classification} Classification
 * @typedef {import('./captioner.js').Caption} Caption
 */

/**
 * A trained model.
 * @typedef {object} TrainedModel
 * @property {string} recipe   name of its recipe
 * @property {any} config      configuration: sizes, vocabularies, and the kind of model in `model`
 * @property {Record<string, number>} figures  figures of the last validation
 * @property {Weights} weights  weights by PyTorch's names
 */

/**
 * Options of a translation.
 * @typedef {object} TranslateOptions
 * @property {number} [beam]           number of hypotheses, 1 to 256; default 1, which is greedy search
 * @property {number} [lengthPenalty]  α of Wu et al. 2016 (arXiv:1609.08144); default 0.6 for the Transformer, 0 for
 *   recurrent models
 * @property {import('./cuts.js').Cut[]} [cuts]  attention weights that are set to 0; default none
 * @property {boolean} [renormalize]   whether the remaining weights of a row with a cut grow to the sum that the row
 *   had; default false
 */

/**
 * Methods of a translator.
 * @typedef {object} Translator
 * @property {(text: string, options?: TranslateOptions) => Translation} translate  translates one text
 * @property {(texts: string[], options?: TranslateOptions) => Translation[]} translateAll  translates texts as one
 *   batch, with the same results as one by one
 */

/**
 * Methods of a model that describes pictures, each [channel][y][x] from 0 to 1. They throw 'bad-argument' for a picture
 * of another size.
 * @typedef {object} Captioner
 * @property {(picture: Float32Array, options?: { beam?: number }) => Caption} caption  describes one picture
 * @property {(pictures: Float32Array[], options?: { beam?: number }) => Caption[]} captionAll  describes pictures as
 *   one batch, with the same results as one by one
 */

/** Translation functions by kind of model.
 *  @type {Record<string, (lab: Lab, model: any, texts: string[], options?: TranslateOptions) => Translation[]>} */
const TRANSLATORS = { 'rnn-seq2seq': rnn.translateAll, 'transformer-seq2seq': transformer.translateAll };

/**
 * Opens a trained model of any kind.
 * @param {Lab} lab  lab for its weights
 * @param {import('../../lab/state.js').Bytes} file  safetensors file that `heed train` or `Trainer.save` wrote
 * @returns {Promise<TrainedModel>} recipe, configuration, figures and weights
 * @throws {HeedError} 'bad-file' for another file, 'bad-config' for an invalid configuration, 'bad-argument'; and the
 *   errors of `lab.load`
 */
export async function openModel(lab, file) {
  if (typeof lab?.load !== 'function') {
    throw new HeedError('bad-argument', 'The first argument must be a lab: make one with await lab(), and pass it ' +
      'before the file.');
  }
  const { weights, metadata } = await lab.load(file);
  const { recipe, config, figures } = parse(metadata.heed) ?? {};
  if (typeof config !== 'object' || config === null) {
    throw new HeedError('bad-file', 'The file has no configuration: expected one under ‘heed’ in its metadata, ' +
      'as heed train writes it.');
  }
  const rules = Object.hasOwn(CONFIGS, kindOf(config)) ? CONFIGS[kindOf(config)] : {};
  const wrong = Object.entries(rules).find(([name, fits]) => !fits(config[name]));
  if (wrong) {
    throw new HeedError('bad-config', `The configuration of the ${kindOf(config)} has an invalid ${wrong[0]}: ` +
      `${quoted(JSON.stringify(config[wrong[0]]))}.`);
  }
  return { recipe, config, figures, weights };
}

/** @param {any} config */
const kindOf = ({ model }) => String(model ?? 'model of letters');

const count = (/** @type {unknown} */ n) => Number.isInteger(n) && Number(n) > 0 && Number(n) <= 1000;
const optionalCount = (/** @type {unknown} */ n) => n === undefined || count(n);
const texts = (/** @type {unknown} */ list) =>
  Array.isArray(list) && list.length > 0 && list.every((text) => typeof text === 'string');
const probability = (/** @type {unknown} */ p) => p === undefined || (typeof p === 'number' && p >= 0 && p < 1);
const oneOf = (/** @type {unknown[]} */ ...known) => (/** @type {unknown} */ value) => known.includes(value);

/** Checks of the configuration by kind of model.
 *  @type {Record<string, Record<string, (value: unknown) => boolean>>} */
const CONFIGS = {
  'rnn-seq2seq': { source: texts, target: texts, longest: count, attention: oneOf('bahdanau', 'luong', 'none'),
    units: oneOf('characters', 'words', undefined), dropout: probability,
    score: oneOf('additive', 'dot', 'bilinear', 'concat', 'location', 'none'),
    inputFeeding: oneOf(true, false, undefined), scope: oneOf('global', 'local-m', 'local-p', undefined),
    window: optionalCount, longestSource: optionalCount },
  'transformer-seq2seq': { source: texts, target: texts, longest: count, layers: count, heads: count,
    units: oneOf('characters', 'words'), norm: oneOf('post', 'pre'), dropout: probability },
  'pronoun-encoder': { words: texts, nouns: texts, blocks: count, heads: count },
  'encoder-classifier': { labels: texts, vocabulary: texts, blocks: count, heads: count,
    norm: oneOf('post', 'pre', undefined), dropout: probability },
  captioner: { size: count, channels: count, patch: count, width: count, heads: count,
    feedForward: count, blocks: count, embedding: count, hidden: count, longest: count, labels: texts, target: texts,
    attention: oneOf('soft', 'hard', undefined) },
};

/** @param {string} call @param {unknown} list */
function needTexts(call, list) {
  if (texts(list)) return;
  throw new HeedError('bad-argument', `${call}: expected at least one text, got ${quoted(JSON.stringify(list))}.`);
}

/** @param {string | undefined} text @returns {any} undefined if it is not JSON */
function parse(text) {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/**
 * Opens a trained translator.
 * @param {Lab} lab  lab for its weights
 * @param {import('../../lab/state.js').Bytes} file  safetensors file that `heed train` wrote
 * @returns {Promise<TrainedModel & Translator>} the model with `translate` and `translateAll`, which throw
 *   'bad-argument' for an empty text, an unknown symbol or an invalid beam
 * @throws {HeedError} 'unsupported' for a model that does not translate; and the errors of `openModel`
 */
export async function openTranslator(lab, file) {
  const model = await openModel(lab, file);
  const kind = kindOf(model.config);
  if (!Object.hasOwn(TRANSLATORS, kind)) {
    throw new HeedError('unsupported', `${quoted(model.recipe)} is a ${quoted(kind)}, which does not translate; ` +
      `${Object.keys(TRANSLATORS).join(' and ')} do.`);
  }
  /** @param {string} call @param {string[]} list @param {TranslateOptions} [options] */
  const all = (call, list, options = {}) => {
    needTexts(call, list);
    needOptions(call, options, ['beam', 'lengthPenalty', 'cuts', 'renormalize']);
    needInRange(call, { lengthPenalty: options.lengthPenalty }, { least: 0, below: 100 });
    return TRANSLATORS[kind](lab, model, list, options);
  };
  return {
    ...model,
    translate: (text, options) => all('translate', [text], options)[0],
    translateAll: (list, options) => all('translateAll', list, options),
  };
}

/**
 * Opens a trained classifier.
 * @param {Lab} lab  lab for its weights
 * @param {import('../../lab/state.js').Bytes} file  safetensors file that `heed train` wrote
 * @returns {Promise<TrainedModel & { classify: (text: string) => Classification }>} the model with `classify`, which
 *   throws 'bad-argument' for a text without words or with more than 256 words
 * @throws {HeedError} 'unsupported' for a model that does not classify; and the errors of `openModel`
 */
export async function openClassifier(lab, file) {
  const model = await openModel(lab, file);
  const kind = kindOf(model.config);
  if (kind !== 'encoder-classifier') {
    throw new HeedError('unsupported', `${quoted(model.recipe)} is a ${quoted(kind)}, which does not classify; ` +
      'encoder-classifier does.');
  }
  return {
    ...model,
    classify: (text) => {
      needTexts('classify', [text]);
      return classify(lab, model, text);
    },
  };
}

/**
 * Opens a trained model that describes pictures.
 * @param {Lab} lab  lab for its weights
 * @param {import('../../lab/state.js').Bytes} file  safetensors file that `heed train` wrote
 * @returns {Promise<TrainedModel & Captioner>} the model with `caption` and `captionAll`
 * @throws {HeedError} 'unsupported' for a model that does not describe pictures; and the errors of `openModel`
 */
export async function openCaptioner(lab, file) {
  const model = await openModel(lab, file);
  const kind = kindOf(model.config);
  if (kind !== 'captioner') {
    throw new HeedError('unsupported', `${quoted(model.recipe)} is a ${quoted(kind)}, which does not describe ` +
      'pictures; captioner does.');
  }
  /** @param {string} call @param {Float32Array[]} pictures @param {{ beam?: number }} [options] */
  const all = (call, pictures, options = {}) => {
    needOptions(call, options, ['beam']);
    if (!Array.isArray(pictures) || pictures.length === 0) {
      throw new HeedError('bad-argument', `${call}: expected at least one picture.`);
    }
    return captionAll(lab, model, pictures, options);
  };
  return {
    ...model,
    caption: (picture, options) => all('caption', [picture], options)[0],
    captionAll: (pictures, options) => all('captionAll', pictures, options),
  };
}
