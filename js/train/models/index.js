/** Models that heed trained, opened from their files for use. */
import { HeedError, quoted } from '../../errors.js';
import { needOptions } from '../../options.js';
import { classify } from './classifier.js';
import * as rnn from './rnn-seq2seq.js';
import * as transformer from './transformer-seq2seq.js';

/**
 * @typedef {import('../../lab/index.js').Lab} Lab
 * @typedef {import('../../lab/index.js').Weights} Weights
 * @typedef {import('./translation.js').Translation} Translation
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
 * @param {import('../../lab/state.js').Bytes} file as `heed train` writes it
 * @returns {Promise<TrainedModel>}
 * @throws {HeedError} 'bad-file' where it is not, 'bad-config' where it is of no model
 */
export async function openModel(lab, file) {
  if (typeof lab?.load !== 'function') {
    throw new HeedError('bad-argument', 'A trained model is opened in a lab, and from a file: make one with await ' +
      'lab(), and hand it in first.');
  }
  const { weights, metadata } = await lab.load(file);
  const { recipe, config, figures } = parse(metadata.heed) ?? {};
  if (typeof config !== 'object' || config === null) {
    throw new HeedError('bad-file', 'The file does not say what model it is: heed train writes that beside the ' +
      'weights, under ‘heed’.');
  }
  const rules = Object.hasOwn(CONFIGS, kindOf(config)) ? CONFIGS[kindOf(config)] : {};
  const wrong = Object.entries(rules).find(([name, fits]) => !fits(config[name]));
  if (wrong) {
    throw new HeedError('bad-config', `The file says that its ${kindOf(config)} has the ${wrong[0]} ` +
      `${quoted(JSON.stringify(config[wrong[0]]))}, which none has.`);
  }
  return { recipe, config, figures, weights };
}

/** @param {any} config */
const kindOf = ({ model }) => String(model ?? 'model of letters');

const some = (/** @type {unknown} */ n) => Number.isInteger(n) && Number(n) > 0 && Number(n) <= 1000;
const texts = (/** @type {unknown} */ list) =>
  Array.isArray(list) && list.length > 0 && list.every((text) => typeof text === 'string');
const share = (/** @type {unknown} */ p) => p === undefined || (typeof p === 'number' && p >= 0 && p < 1);
const oneOf = (/** @type {unknown[]} */ ...known) => (/** @type {unknown} */ value) => known.includes(value);

/** What the configuration of each kind must hold for its code to run.
 *  @type {Record<string, Record<string, (value: unknown) => boolean>>} */
const CONFIGS = {
  'rnn-seq2seq': { source: texts, target: texts, longest: some, attention: oneOf('bahdanau', 'luong'),
    units: oneOf('characters', 'words', undefined), score: oneOf('additive', 'dot', 'bilinear', 'concat'),
    dropout: share },
  'transformer-seq2seq': { source: texts, target: texts, longest: some, layers: some, heads: some,
    units: oneOf('characters', 'words'), norm: oneOf('post', 'pre'), dropout: share },
  'encoder-classifier': { labels: texts, vocabulary: texts, blocks: some, heads: some,
    norm: oneOf('post', 'pre', undefined), dropout: share },
};

/** @param {string} call @param {unknown} list */
function needTexts(call, list) {
  if (texts(list)) return;
  throw new HeedError('bad-argument', `${call} takes texts, one or more, not ${quoted(JSON.stringify(list))}.`);
}

/** @param {string | undefined} text @returns {any} undefined where it is no JSON */
function parse(text) {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/**
 * @param {Lab} lab @param {import('../../lab/state.js').Bytes} file
 * @returns {Promise<TrainedModel & Translator>}
 * @throws {HeedError} 'bad-file', 'unsupported' where the model does not translate
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
    needOptions(call, options, ['beam', 'lengthPenalty']);
    return TRANSLATORS[kind](lab, model, list, options);
  };
  return {
    ...model,
    translate: (text, options) => all('translate', [text], options)[0],
    translateAll: (list, options) => all('translateAll', list, options),
  };
}

/**
 * @param {Lab} lab @param {import('../../lab/state.js').Bytes} file
 * @returns {Promise<TrainedModel & { classify: (text: string) => Classification }>}
 * @throws {HeedError} 'bad-file', 'unsupported' where the model does not classify
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
