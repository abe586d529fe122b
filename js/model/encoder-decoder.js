/** Calls of encoder–decoders: the source, and the ids that begin a text. */
import { HeedError, quoted } from '../errors.js';
import { sourceOf, sources } from '../sources.js';
import { idsFrom } from '../text/ids.js';
import { superseded } from './superseded.js';

/** @typedef {import('./local.js').LocalModel} LocalModel */
/** A model, with its internal calls. @typedef {Pick<LocalModel, 'info' | 'encode' | 'setInput'>} Model */

/**
 * @param {Model} model
 * @param {string | ArrayLike<number>} source
 * @returns {Promise<Int32Array>}
 */
export async function read(model, source) {
  await give(model, source);
  return startOf(model);
}

/** The ids that begin a text. @param {Model} model */
const startOf = ({ info: { parts, vocabulary } }) => idsFrom(parts?.start ?? [], vocabulary);

/** @param {Model} model @param {string | ArrayLike<number>} source @returns {Promise<Int32Array>} its ids */
async function give(model, source) {
  const { name, parts, vocabulary, contextLength } = model.info;
  if (!parts) {
    throw new HeedError('unsupported', `${quoted(name)} has no encoder beside its decoder, so it reads no source. ` +
      'Call generate or forward.');
  }
  if (typeof source !== 'string' && !Number.isInteger(source?.length)) {
    throw new HeedError('bad-argument', `Expected a source as text or as an array of ids, got ${quoted(source)}.`);
  }
  const ids = typeof source === 'string' ? await model.encode(source) : idsFrom(source, vocabulary);
  if (ids.length < 1 || ids.length > contextLength) {
    throw new HeedError(ids.length ? 'context-full' : 'bad-argument', `The source has ${ids.length} ids. Give at ` +
      `least one and at most ${contextLength}, the positions of the session.`);
  }
  sources.set(model, ids); // at once, so that a generation of another source does not show a step of this one
  await model.setInput('source', ids);
  return ids;
}

/**
 * The prompt and options of a generation: the source is read, and ids that no text has are excluded.
 * @param {Model} model
 * @param {string | ArrayLike<number>} source
 * @param {import('./local.js').GuidedOptions} options
 * @returns {Promise<{ given: Int32Array, prompt: Int32Array, options: import('./local.js').GuidedOptions }>}
 *   given: ids of the source
 */
export async function begun(model, source, options) {
  const given = await give(model, source);
  const prompt = startOf(model);
  const excluded = (model.info.parts?.excluded ?? []).map((id) => [id, -Infinity]);
  if (excluded.length === 0 || !model.info.tokenizer) return { given, prompt, options };
  const logitBias = { ...Object.fromEntries(excluded), ...options?.logitBias };
  return { given, prompt, options: { ...options, logitBias } };
}

/**
 * Generates the text of a source, while the model has this source.
 * @param {Model} model
 * @param {string | ArrayLike<number>} source
 * @param {import('./local.js').GuidedOptions} options
 * @param {LocalModel['generate']} write  generates a text from the ids that begin it
 * @returns {ReturnType<LocalModel['generate']>}
 * @throws {HeedError} 'superseded' when another call has given the model a source
 */
export async function* generateFrom(model, source, options, write) {
  const { given, prompt, options: own } = await begun(model, source, options);
  const needSource = () => {
    if (sourceOf(model) !== given) throw superseded();
  };
  const steps = write(prompt, own);
  try {
    for (;;) {
      needSource(); // before the first step, which would write into the session of the other source
      const { done, value } = await steps.next();
      if (done) return value;
      needSource();
      yield value;
    }
  } finally {
    await steps.return(/** @type {any} */ (undefined));
  }
}
