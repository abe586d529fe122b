/** Calls of encoder–decoders: the source, and the ids that begin a text. */
import { HeedError, quoted } from '../errors.js';
import { idsFrom } from '../text/ids.js';

/** @typedef {import('./local.js').LocalModel} LocalModel */
/** Sources that models have read. @type {WeakMap<object, Int32Array>} */
const sources = new WeakMap();
const NONE = new Int32Array(0);
/** The source of a model; empty without one. @param {object} model */
export const sourceOf = (model) => sources.get(model) ?? NONE;

/** A model, with its internal calls. @typedef {Pick<LocalModel, 'info' | 'encode' | 'setInput'>} Model */

/**
 * @param {Model} model
 * @param {string | ArrayLike<number>} source
 * @returns {Promise<Int32Array>}
 */
export async function read(model, source) {
  const { name, parts, vocabulary } = model.info;
  if (!parts) {
    throw new HeedError('unsupported', `${quoted(name)} has no encoder beside its decoder, so it reads no source. ` +
      'Call generate or forward.');
  }
  if (typeof source !== 'string' && !Number.isInteger(source?.length)) {
    throw new HeedError('bad-argument', `Expected a source as text or as an array of ids, got ${quoted(source)}.`);
  }
  const ids = typeof source === 'string' ? await model.encode(source) : idsFrom(source, vocabulary);
  await model.setInput('source', ids);
  sources.set(model, ids);
  return idsFrom(parts.start, vocabulary);
}

/**
 * The prompt and options of a generation: the source is read, and ids that no text has are excluded.
 * @param {Model} model
 * @param {string | ArrayLike<number>} source
 * @param {import('./local.js').GuidedOptions} options
 * @returns {Promise<{ prompt: Int32Array, options: import('./local.js').GuidedOptions }>}
 */
export async function begun(model, source, options) {
  const prompt = await read(model, source);
  const excluded = (model.info.parts?.excluded ?? []).map((id) => [id, -Infinity]);
  if (excluded.length === 0 || !model.info.tokenizer) return { prompt, options };
  return { prompt, options: { ...options, logitBias: { ...Object.fromEntries(excluded), ...options?.logitBias } } };
}
