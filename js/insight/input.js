/** Checks of the arguments that all analyses share. */
import { HeedError, quoted } from '../errors.js';
import { needArray, needInteger, needOptions } from '../options.js';

/** A model of load(), in this thread or in a Worker. @typedef {import('../model/load.js').LoadedModel} Model */
/** A text, or token ids. @typedef {string | ArrayLike<number>} Input */
/** @typedef {import('../model/edits.js').Edit} Edit */
/** Receives finished and all parts of the work.
 *  @typedef {(progress: { done: number, total: number }) => void} OnProgress */
/** @typedef {{ ids: Int32Array, tokens: string[] }} Prompt */

/** Options that every analysis takes. */
const COMMON = ['onProgress', 'signal'];

/**
 * Checks the model and the options of an analysis.
 * @param {string} call  name of the analysis
 * @param {Model} model
 * @param {unknown} options
 * @param {string[]} known  names of its own options
 * @throws {HeedError} 'bad-argument'
 */
export function needCall(call, model, options, known) {
  if (typeof model?.runWithCache !== 'function' || typeof model.unembed !== 'function') {
    throw new HeedError('bad-argument', `${call}: expected a model of load(), got ${quoted(model)}.`);
  }
  needOptions(call, options, [...known, ...COMMON]);
}

/**
 * Refuses encoders and encoder–decoders.
 * @param {string} call  name of the analysis
 * @param {Model['info']} info
 * @param {string} instead  sentence that names another call
 * @throws {HeedError} 'unsupported'
 */
export function needDecoder(call, { bidirectional, parts }, instead) {
  if (!bidirectional && !parts) return;
  throw new HeedError('unsupported', `${call} is defined for decoders. This model is an encoder` +
    `${parts ? '–decoder, whose decoder also reads the source' : ', whose norms and head mix the parts'}. ${instead}`);
}

/**
 * Refuses encoder–decoders, whose activations have names of three parts.
 * @param {string} call  name of the analysis
 * @param {Model['info']} info
 * @throws {HeedError} 'unsupported'
 */
export function needOneStack(call, { parts }) {
  if (!parts) return;
  throw new HeedError('unsupported', `${call} reads one stack of blocks, and this model is an encoder–decoder. Read ` +
    'its activations by model.runWithCache, or its maps by model.attention({ of }).');
}

/**
 * Ids of the input, and a readable text of each.
 * @param {string} call  name of the analysis
 * @param {Model} model
 * @param {Input} input
 * @returns {Promise<Prompt>}
 * @throws {HeedError} 'bad-argument', 'no-tokenizer', 'disposed'
 */
export async function promptOf(call, model, input) {
  if (typeof input !== 'string' && !Number.isInteger(input?.length)) {
    throw new HeedError('bad-argument', `${call}: expected a text or token ids, got ${quoted(input)}.`);
  }
  const ids = typeof input === 'string' ? await model.encode(input) : input;
  if (ids.length === 0) throw new HeedError('bad-argument', `${call}: expected at least one token id.`);
  const tokens = await model.tokens(ids); // checks the ids
  return { ids: Int32Array.from(ids), tokens };
}

/**
 * Ids of the source of an encoder–decoder, and a readable text of each.
 * @param {string} call  name of the analysis
 * @param {Model} model
 * @param {Input} source
 * @returns {Promise<Prompt>}
 * @throws {HeedError} 'bad-argument', 'no-tokenizer', 'disposed'; 'unsupported' for other models
 */
export async function promptOfSource(call, model, source) {
  if (model.info.parts) return promptOf(`${call}: source`, model, source);
  throw new HeedError('unsupported', `${call}: ${quoted(model.info.name)} has no source, because it is not an ` +
    'encoder–decoder. Omit ‘source’.');
}

/**
 * A checked list of layers or heads.
 * @param {string} name  of the option
 * @param {unknown} list  default: all, from `first`
 * @param {number} count  number of layers or heads
 * @param {number} [first]  smallest number
 * @returns {number[]}
 * @throws {HeedError} 'bad-argument'
 */
export function numbersOf(name, list, count, first = 0) {
  if (list === undefined) return Array.from({ length: count - first }, (_, i) => first + i);
  needArray(name, list, 'numbers');
  const numbers = Array.from(/** @type {number[]} */ (list));
  if (numbers.length === 0) throw new HeedError('bad-argument', `Expected ${name} to have at least one number.`);
  for (const number of numbers) needInteger(`each of ${name}`, number, first, count - 1);
  return numbers;
}
