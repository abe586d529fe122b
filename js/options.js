/** Options that callers hand in, refused by name where there are none such. */
import { HeedError, quoted } from './errors.js';

/**
 * A misspelt option would change nothing, in silence.
 * @param {string} call what it is an option of, for the sentence
 * @param {unknown} options none where undefined or null
 * @param {readonly string[]} known
 * @throws {HeedError} 'bad-argument'
 */
export function needOptions(call, options, known) {
  if (options === undefined || options === null) return;
  if (typeof options !== 'object') {
    throw new HeedError('bad-argument', `${call}: options are an object, { ${known[0]}: … }, not ${quoted(options)}.`);
  }
  const strange = Object.keys(options).find((name) => !known.includes(name));
  if (strange === undefined) return;
  throw new HeedError('bad-argument', `${call}: there is no option ${quoted(strange)}; there are ${known.join(', ')}.`);
}
