/** The model in a GGUF file, by its family: configuration and weights. */
import { HeedError, quoted } from '../../errors.js';
import { checkWeights, llama } from '../families.js';
import { architectureOf, configFromGguf } from './config.js';

/**
 * The facts of a file that a family needs.
 * @typedef {object} Question
 * @property {import('./header.js').Metadata} metadata  without the tokenizer
 * @property {import('../weights.js').PlacedTensor[]} placed
 * @property {string} name  of the file
 */
/**
 * @typedef {object} Description
 * @property {import('../config.js').Config} config
 * @property {import('../weights.js').PlacedTensor[]} placed  with the engine's names
 * @property {{ name: string, values: Float32Array, longer?: boolean }[]} [computed]  weights that are not in the file
 * @property {(file: import('../model-file.js').ModelFile) => import('../model-file.js').ModelFile} [finish]  adds the
 *   parts of an encoder–decoder, or Dense layers
 * @property {number} [shortContext]  the positions of the longest session that is not `longer`
 */
/** Describes models of families that are not part of every page.
 *  @typedef {(question: Question) => Promise<Description>} Describe */

/** Settings of most Llamas.  js/files/families knows the others. */
const USUAL = new RegExp('^llama\\.(block_count|(context|embedding|feed_forward)_length|vocab_size|' +
  'rope\\.(dimension_count|freq_base)|' +
  'attention\\.(head_count(_kv)?|key_length|layer_norm_rms_epsilon|sliding_window))$');

/**
 * @param {Question} question
 * @param {import('../families.js').Family} family
 * @param {Parameters<typeof configFromGguf>[4]} [special]
 * @param {Pick<import('../families.js').Expected, 'lacks' | 'nameOf'>} [parts]  of an encoder–decoder
 * @returns {Description}
 */
export function describeAs({ metadata, placed, name }, family, special, parts) {
  const vocabulary = placed.find(({ entry }) => entry.name === 'token_embd.weight')?.entry.shape[0];
  if (vocabulary === undefined) {
    throw new HeedError('bad-tensor', `${quoted(name)} has no ‘token_embd.weight’, so it is not a language model.`);
  }
  const config = configFromGguf(metadata, vocabulary, name, family, special);
  checkWeights(placed.map(({ entry }) => entry.name), { family, layers: config.layers, name, ...parts });
  return { config, placed };
}

/**
 * @param {Question} question
 * @param {Describe} more
 * @returns {Promise<Description>}
 */
export async function describeGguf(question, more) {
  const architecture = architectureOf(question.metadata, question.name);
  const isPlain = architecture === 'llama' &&
    Object.keys(question.metadata).every((key) => !key.startsWith('llama.') || USUAL.test(key));
  if (isPlain) return describeAs(question, llama);
  const settings = Object.entries(question.metadata).filter(([key]) => !key.startsWith('tokenizer.'));
  return more({ ...question, metadata: Object.fromEntries(settings) });
}
