/**
 * Every error that a user can meet has one of these codes; the codes are stable, the sentences are not.
 * The engine's own codes (src/heed.h, HEED_ERROR_CODES) are among them by name.
 */
export const ERROR_CODES = Object.freeze({
  'aborted': 'the caller’s AbortSignal fired',
  'bad-argument': 'an argument that has no meaning: an id, layer, head or range that does not exist',
  'bad-config': 'a configuration that no model can have',
  'bad-file': 'bytes that are not what their format says',
  'bad-shape': 'tensors whose axes do not fit each other, or an operation',
  'bad-source': 'something given as a source that is none',
  'bad-tensor': 'a weight of the wrong shape or type, twice there or missing',
  'bad-tokenizer': 'a vocabulary or tokenizer file that contradicts itself or the model',
  'context-full': 'more positions than the session holds',
  'disposed': 'a call on a model after dispose()',
  'no-tokenizer': 'text was asked of a model that was loaded without a tokenizer',
  'not-finite': 'a result that is no number',
  'out-of-memory': 'the memory given or allowed is too small',
  'superseded': 'another call took the session of a running generation, or the place of a text not yet translated',
  'too-large': 'a file, header or text past one of the named limits',
  'truncated': 'the bytes ended before what they announce',
  'unavailable': 'a source that could not be read: not found, refused, or lost on the way',
  'unsupported': 'well-formed, but a kind of model, type or tokenizer that heed does not run',
});

/** @typedef {keyof typeof ERROR_CODES} ErrorCode */

/** What every call of the library rejects with: a stable `code`, and a sentence of what, where and what to do. */
export class HeedError extends Error {
  /**
   * @param {ErrorCode | string} code
   * @param {string} message
   * @param {{ cause?: unknown }} [options]
   */
  constructor(code, message, options) {
    super(shown(message), options);
    this.name = 'HeedError';
    this.code = code;
  }
}

/**
 * @param {unknown} reason of the signal
 * @returns {HeedError} 'aborted'
 */
export function aborted(reason) {
  return new HeedError('aborted', 'Stopped: the caller’s AbortSignal fired.', { cause: reason });
}

/**
 * Rejects work that the caller no longer wants.
 * @param {AbortSignal | null | undefined} signal
 * @throws {HeedError} 'aborted'
 */
export function throwIfAborted(signal) {
  if (signal?.aborted) throw aborted(signal.reason);
}

/**
 * What is to be thrown where a source failed: its own error, or that nothing was to be had from it.
 * @param {unknown} error
 * @param {AbortSignal | null | undefined} signal
 * @param {string} what
 * @param {string} advice
 */
export function unavailable(error, signal, what, advice) {
  if (error instanceof HeedError) return error;
  if (signal?.aborted) return aborted(error);
  const reason = error instanceof Error ? error.message : String(error);
  return new HeedError('unavailable', `${what} (${reason}). ${advice}`, { cause: error });
}

/**
 * A promise that also ends when the signal fires, for sources that know no signals.
 * @template T
 * @param {Promise<T>} promise
 * @param {AbortSignal | null | undefined} signal
 * @returns {Promise<T>}
 */
export async function abortable(promise, signal) {
  if (!signal) return promise;
  throwIfAborted(signal);
  /** @type {(() => void) | undefined} */
  let onAbort;
  const stopped = new Promise((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return /** @type {T} */ (await Promise.race([promise, stopped]));
  } catch (error) {
    throwIfAborted(signal);
    throw error;
  } finally {
    signal.removeEventListener('abort', /** @type {() => void} */ (onAbort));
  }
}

/**
 * An error as a message can carry it: `revived` makes it one again.
 * @param {any} error
 * @returns {{ name: string, code?: string, message: string, stack?: string }}
 */
export const posted = ({ name, code, message, stack }) => ({ name, code, message, stack });

/**
 * An error that came in a message, as it was where it happened.
 * @param {ReturnType<typeof posted>} error
 * @returns {Error}
 */
export function revived({ name, code, message, stack }) {
  const cause = new Error(message);
  if (stack) cause.stack = stack; // where in the worker it happened
  return name === 'HeedError' ? new HeedError(code ?? 'bad-argument', message, { cause }) : cause;
}

/** Control characters, line ends, and invisible characters such as those that turn the direction of text. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** Characters of a sentence. */
const MAX_SENTENCE = 2000;

/** A sentence in which nothing that a stranger wrote can hide or rearrange text. @param {string} sentence */
function shown(sentence) {
  const cut = sentence.length > MAX_SENTENCE ? `${sentence.slice(0, MAX_SENTENCE)}…` : sentence;
  return cut.replace(INVISIBLE, (character) => `<U+${codeOf(character)}>`);
}

/** @param {string} character */
const codeOf = (character) =>
  /** @type {number} */ (character.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0');

/**
 * Text of a stranger's file, or a value of a caller, as it may stand in a sentence: in quotes, short, on one line,
 * invisible characters by their code (`<U+202E>`).  It never throws.
 * @param {unknown} value
 * @param {number} [limit] characters
 */
export function quoted(value, limit = 60) {
  const text = textOf(value, limit);
  return `‘${shown(text.length > limit ? `${text.slice(0, limit)}…` : text)}’`;
}

/** @param {unknown} value @param {number} limit of the characters that are needed @returns {string} */
function textOf(value, limit) {
  try {
    const isList = Array.isArray(value) || (ArrayBuffer.isView(value) && 'length' in value);
    // The whole text of a long list would only be cut.
    return isList ? Array.from(/** @type {any} */ (value).slice(0, limit + 1), String).join() : String(value);
  } catch {
    return `${typeof value} without a text`;
  }
}
