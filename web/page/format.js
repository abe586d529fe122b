/** Formats numbers, progress and the end of a run. */

const UNITS = ['bytes', 'kB', 'MB', 'GB'];

/**
 * A size such as 1.2 MB.
 * @param {number} bytes
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
 * A rounded number: 2.6 million, 812 thousand, 640.
 * @param {number} count
 */
export function formatCount(count) {
  if (count >= 1e9) return `${(count / 1e9).toPrecision(2)} billion`;
  if (count >= 1e6) return `${(count / 1e6).toPrecision(count >= 1e8 ? 3 : 2)} million`;
  if (count >= 1e4) return `${Math.round(count / 1e3)} thousand`;
  return String(count);
}

/**
 * A whole number with commas: 1,024. The first call of `toLocaleString` takes 10 ms, before the first token.
 * @param {number} count
 */
export const formatInteger = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/**
 * A number with a noun: 1 layer, 6 layers.
 * @param {number} count
 * @param {string} noun in the singular
 */
export const pluralize = (count, noun) => `${formatInteger(count)} ${noun}${count === 1 ? '' : 's'}`;

/**
 * The progress of loading.
 * @param {string} phase as the library names it
 * @param {number} loadedBytes
 * @param {number | null} totalBytes null if unknown
 */
export function formatProgress(phase, loadedBytes, totalBytes) {
  const of = totalBytes ? ` of ${formatBytes(totalBytes)}` : '';
  return `${phase}: ${formatBytes(loadedBytes)}${of}`;
}

/**
 * True for the error of an aborted call.
 * @param {unknown} error
 */
export function isAbort(error) {
  return error instanceof Error && (error.name === 'AbortError' || /** @type {any} */ (error).code === 'aborted');
}

/** @type {Record<string, (summary: { count: number, contextLength: number }) => string>} */
const ENDS = {
  end: () => 'The model ended the text.',
  stop: () => 'Stopped at a stop word.',
  abort: () => 'Stopped.',
  length: () => '',
  context: ({ contextLength }) => `The text fills the context of ${pluralize(contextLength, 'token')}.`,
};

/**
 * The reason of the end of a run, and its speed. The prompt is not included, because the first token follows it.
 * @param {{ reason: string, count: number, decodeMs: number, contextLength: number }} run
 */
export function describeEnd({ reason, count, decodeMs, contextLength }) {
  const rate = Math.round(1000 * (count - 1) / decodeMs);
  const speed = count > 1 && decodeMs > 0 ? `${pluralize(count, 'token')}, ${rate} per second.` : '';
  return [ENDS[reason]?.({ count, contextLength }) ?? reason, speed].filter(Boolean).join(' ');
}
