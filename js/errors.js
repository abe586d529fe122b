/**
 * Codes of all errors, with their meanings.  Codes are stable; messages may change.  They include the codes of the
 * engine (src/heed.h, HEED_ERROR_CODES).
 */
export const ERROR_CODES = Object.freeze({
  'aborted': 'the AbortSignal of the caller fired',
  'bad-argument': 'an argument of the wrong type, or out of range',
  'bad-config': 'a model configuration that is inconsistent or out of range',
  'bad-file': 'a file that does not follow its format',
  'bad-shape': 'tensors whose shapes do not match each other or the operation',
  'bad-source': 'a value that is not a source of a model',
  'bad-tensor': 'a weight that is missing, duplicate, or of the wrong shape or type',
  'bad-tokenizer': 'a tokenizer that is inconsistent, or that does not match the model',
  'context-full': 'more tokens than the session has positions',
  'disposed': 'a call after dispose()',
  'needs-memory': 'gradients that need more than the 4 GB of 32-bit memory; load with memory64: true',
  'no-tokenizer': 'a call that needs text, on a model without a tokenizer',
  'not-finite': 'a result that is NaN or infinite',
  'out-of-memory': 'more memory than is available or allowed',
  'superseded': 'a generation or translation that a later call replaced',
  'too-large': 'a file, header, text or result beyond a limit',
  'truncated': 'a file that ends too early',
  'unavailable': 'a file, worker or engine that could not be read or started',
  'unsupported': 'a file, setting or call that heed does not support',
});

/** A code of HeedError. @typedef {keyof typeof ERROR_CODES} ErrorCode */

/** The error of every call of the library.  Its message says what is wrong, where, and what to do. */
export class HeedError extends Error {
  /** Stable code. @type {ErrorCode} */ code;

  /**
   * @param {ErrorCode | string} code  key of ERROR_CODES
   * @param {string} message  one or more sentences
   * @param {{ cause?: unknown }} [options]  the underlying error
   */
  constructor(code, message, options) {
    super(shown(message), options);
    this.name = 'HeedError';
    this.code = /** @type {ErrorCode} */ (code);
  }
}

/**
 * The error of an aborted call.
 * @param {unknown} reason  reason of the signal
 * @returns {HeedError} 'aborted'
 */
export function aborted(reason) {
  return new HeedError('aborted', 'Stopped: the caller’s AbortSignal fired.', { cause: reason });
}

/**
 * Throws if the signal has fired.
 * @param {AbortSignal | null | undefined} signal
 * @throws {HeedError} 'aborted'
 */
export function throwIfAborted(signal) {
  if (signal?.aborted) throw aborted(signal.reason);
}

/**
 * The error of a failed read: the HeedError of the source itself, 'aborted', or a new 'unavailable'.
 * @param {unknown} error
 * @param {AbortSignal | null | undefined} signal
 * @param {string} what  what failed
 * @param {string} advice  what to do
 * @returns {HeedError}
 */
export function unavailable(error, signal, what, advice) {
  if (error instanceof HeedError) return error;
  if (signal?.aborted) return aborted(error);
  const reason = error instanceof Error ? error.message : String(error);
  return new HeedError('unavailable', `${what} (${reason}). ${advice}`, { cause: error });
}

/**
 * A promise that also rejects when the signal fires.  Some sources do not support signals.
 * @template T
 * @param {Promise<T>} promise
 * @param {AbortSignal | null | undefined} signal
 * @returns {Promise<T>}
 */
export async function abortable(promise, signal) {
  if (!signal) return promise;
  if (signal.aborted) promise.catch(() => {}); // it has no other handler
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
 * An error as plain data for a message; `revived` is the inverse.
 * @param {any} error
 * @returns {{ name: string, code?: string, message: string, stack?: string }}
 */
export const posted = ({ name, code, message, stack }) => ({ name, code, message, stack });

/**
 * The error that a message carried.
 * @param {ReturnType<typeof posted>} error
 * @returns {Error}
 */
export function revived({ name, code, message, stack }) {
  const cause = new Error(message);
  if (stack) cause.stack = stack; // the stack inside the worker
  return name === 'HeedError' ? new HeedError(code ?? 'bad-argument', message, { cause }) : cause;
}

/** Control characters, line ends, and invisible characters such as direction overrides. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** Largest number of characters of a message. */
const MAX_SENTENCE = 2000;

/** A message without invisible characters, because text of a file could hide or reorder parts of it.
 *  @param {string} sentence */
function shown(sentence) {
  const cut = sentence.length > MAX_SENTENCE ? `${sentence.slice(0, MAX_SENTENCE)}…` : sentence;
  return cut.replace(INVISIBLE, (character) => `<U+${codeOf(character)}>`);
}

/** @param {string} character */
const codeOf = (character) =>
  /** @type {number} */ (character.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0');

/**
 * Text of a file or a value of a caller, for an error message.  It is quoted, short and on one line, with codes for
 * invisible characters (`<U+202E>`).  It never throws.
 * @param {unknown} value
 * @param {number} [limit]  largest number of characters
 */
export function quoted(value, limit = 60) {
  const text = textOf(value, limit);
  return `‘${shown(text.length > limit ? `${text.slice(0, limit)}…` : text)}’`;
}

/** @param {unknown} value @param {number} limit  number of characters that the caller uses @returns {string} */
function textOf(value, limit) {
  try {
    const isList = Array.isArray(value) || (ArrayBuffer.isView(value) && 'length' in value);
    // Converts only the part of a long array that is shown.
    return isList ? Array.from(/** @type {any} */ (value).slice(0, limit + 1), String).join() : String(value);
  } catch {
    return `${typeof value} without a text`;
  }
}
