/** Numbers, errors and ends of a run in plain words. */

const UNITS = ['bytes', 'kB', 'MB', 'GB'];

/**
 * @param {number} bytes
 * @returns {string} with as many digits as mean something: 1.2 MB
 */
export function formatBytes(bytes) {
  let unit = 0;
  let value = bytes;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}

/**
 * @param {number} count
 * @returns {string} 2.6 million, 812 thousand, 640
 */
export function formatCount(count) {
  if (count >= 1e9) return `${(count / 1e9).toPrecision(2)} billion`;
  if (count >= 1e6) return `${(count / 1e6).toPrecision(count >= 1e8 ? 3 : 2)} million`;
  if (count >= 1e4) return `${Math.round(count / 1e3)} thousand`;
  return String(count);
}

/**
 * @param {number} count
 * @param {string} thing in the singular
 * @returns {string} 1 layer, 6 layers
 */
export const pluralize = (count, thing) => `${count.toLocaleString('en')} ${thing}${count === 1 ? '' : 's'}`;

/**
 * @param {string} phase what is being done, as the library names it
 * @param {number} loadedBytes
 * @param {number | null} totalBytes
 */
export function formatProgress(phase, loadedBytes, totalBytes) {
  const of = totalBytes ? ` of ${formatBytes(totalBytes)}` : '';
  return `${phase}: ${formatBytes(loadedBytes)}${of}`;
}

/**
 * @param {unknown} error
 * @returns {boolean} whether it only says that someone asked to stop
 */
export function isAbort(error) {
  return error instanceof Error && (error.name === 'AbortError' || /** @type {any} */ (error).code === 'aborted');
}

/**
 * @param {unknown} error
 */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** @type {Record<string, (summary: { count: number, contextLength: number }) => string>} */
const ENDS = {
  end: () => 'The model ended the text.',
  stop: () => 'Stopped at a stop word.',
  abort: () => 'Stopped.',
  length: () => '',
  context: ({ contextLength }) => `The text fills the model’s ${pluralize(contextLength, 'token')}.`,
};

/**
 * What a run did, and how fast the engine was: the first token was chosen when the prompt had been read.
 * @param {{ reason: string, count: number, decodeMs: number, contextLength: number }} run
 */
export function describeEnd({ reason, count, decodeMs, contextLength }) {
  const rate = Math.round(1000 * (count - 1) / decodeMs);
  const speed = count > 1 && decodeMs > 0 ? `${pluralize(count, 'token')}, ${rate} per second.` : '';
  return [ENDS[reason]?.({ count, contextLength }) ?? reason, speed].filter(Boolean).join(' ');
}
