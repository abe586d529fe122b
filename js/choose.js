import { HeedError, quoted } from './errors.js';

/** @typedef {import('./wasm.js').Engine} Engine */

/** Ids of one call into the engine: enough to reuse each weight, few enough that nobody waits long for the thread. */
export const BATCH = 64;
/** What a session takes without being asked: a context of 131,072 positions would take all there is. */
const SESSION_BYTES = 2 ** 30;

/** What runs, and why.
 *  @param {import('./load.js').LoadOptions} options @returns {import('./model.js').ModelInfo['engine']}
 *  @throws {HeedError} 'bad-argument', 'unsupported' */
export function chooseEngine({ engine = 'auto', threads = 'auto', quantize = 'keep' }) {
  if (!['auto', 'scalar', 'simd128', 'relaxed'].includes(engine)) {
    throw new HeedError(
      'bad-argument',
      `There is no engine ${quoted(engine)}; ‘auto’, ‘scalar’ and ‘simd128’ there are.`,
    );
  }
  if (engine === 'relaxed') {
    throw new HeedError('unsupported', 'This version has no binary with relaxed SIMD. Take ‘auto’ or ‘simd128’.');
  }
  if (threads !== 'auto' && !(Number.isInteger(threads) && threads >= 1)) {
    throw new HeedError('bad-argument', `threads is ${quoted(threads)}; it must be ‘auto’ or a whole number from 1.`);
  }
  if (quantize !== 'keep') {
    throw new HeedError(
      'unsupported',
      `quantize: ${quoted(quantize)} is not there yet: weights run in the type of their file.`,
    );
  }
  const binary = engine === 'scalar' ? 'scalar' : 'simd128';
  const why = engine === 'auto' ? 'simd128 is the fastest that this version has' : `${engine} was asked for`;
  const alone =
    threads === 'auto' || threads === 1
      ? 'one thread'
      : `one thread, though ${threads} were asked for: this version has no more`;
  return { binary, threads: 1, why: `${why}; ${alone}` };
}

/** The positions of a session: as asked, or as many as the model has and memory allows.
 *  @param {Engine} engine @param {number} model @param {boolean} maps
 *  @param {import('./config.js').Config} config @param {number} [wanted] */
export function chooseContext(engine, model, maps, config, wanted) {
  if (wanted !== undefined) {
    if (!Number.isInteger(wanted) || wanted < 1 || wanted > config.context_length) {
      throw new HeedError(
        'bad-argument',
        `contextLength is ${quoted(wanted)}; this model takes 1 to ${config.context_length}.`,
      );
    }
    return wanted;
  }
  const fits = (/** @type {number} */ context) => {
    try {
      return engine.call('heed_session_bytes', model, context, BATCH, Number(maps)) <= SESSION_BYTES;
    } catch {
      return false;
    }
  };
  let low = 1;
  let high = config.context_length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
