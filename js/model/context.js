/** The number of positions of a session, and of tokens in a forward pass. */
import { HeedError, quoted } from '../errors.js';

/** @typedef {import('../engine/wasm.js').Engine} Engine */

/** Tokens of a forward pass for each thread. A thread unpacks each weight once for these tokens. */
export const BATCH = 128;
/** Largest forward pass, as a multiple of BATCH. The activations of more tokens would take too much memory. */
const MOST_BATCHES = 4;
/** Largest number of positions of an encoder, which reads a text in one pass (src/session.c, MAX_BATCH). */
const ENCODER_POSITIONS = 4096;
/** Whether a model has an encoder. @param {import('../files/config.js').Config} config */
export const hasEncoder = (config) => config.bidirectional === 'yes' || Boolean(config.encoder_layers);
/** The most tokens in one forward pass of a session.
 *  @param {boolean} isEncoder @param {number} contextLength  positions of the session @param {number} threads */
export const batchOf = (isEncoder, contextLength, threads) =>
  (isEncoder ? contextLength : BATCH * Math.min(threads, MOST_BATCHES));
/** Largest default size of a session, in bytes.  A context of 131,072 positions could take all memory. */
const SESSION_BYTES = 2 ** 30;

/** The number of positions of a session: `wanted`, or the model's context as far as SESSION_BYTES allows.
 *  @param {Engine} engine @param {number} model @param {boolean} maps
 *  @param {number} cache  a heed_cache_type @param {number} threads
 *  @param {import('../files/config.js').Config} config @param {number} [wanted]
 *  @throws {HeedError} 'bad-argument' */
export function chooseContext(engine, model, maps, cache, threads, config, wanted) {
  const isEncoder = hasEncoder(config);
  const most = isEncoder ? Math.min(ENCODER_POSITIONS, config.context_length) : config.context_length;
  if (wanted !== undefined) {
    if (!Number.isInteger(wanted) || wanted < 1 || wanted > most) {
      throw new HeedError(
        'bad-argument',
        `Expected contextLength to be an integer from 1 to ${most}, got ${quoted(wanted)}.`,
      );
    }
    return wanted;
  }
  const fits = (/** @type {number} */ context) => {
    try {
      const batch = batchOf(isEncoder, context, threads);
      return engine.call('heed_session_bytes', model, context, batch, Number(maps), cache, threads) <= SESSION_BYTES;
    } catch {
      return false;
    }
  };
  let low = 1;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
