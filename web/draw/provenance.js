/** The provenance of a figure: as data in a file, and as lines under the figure. */
import { checkObject, InputError } from './check.js';
import { VERSION } from './version.js';

/**
 * The origin of the numbers in a figure. Every field is optional.
 * @typedef {object} Provenance
 * @property {string} [model] name of the model
 * @property {string} [revision] revision of the model, for example a commit
 * @property {string} [file] file name or URL of the model
 * @property {string} [prompt]
 * @property {string} [promptSource] source of the prompt
 * @property {string} [subtractedPrompt] prompt whose numbers were subtracted
 * @property {number} [seed] seed of the sampler
 * @property {string} [changes] changes of the run, in words
 * @property {string} [date] date of the run as YYYY-MM-DD, default: the date of the file
 */

/** @type {readonly (keyof Provenance)[]} */
const PARTS = ['model', 'revision', 'file', 'prompt', 'promptSource', 'subtractedPrompt', 'seed', 'changes', 'date'];
/** Most characters of a field in the caption. The metadata of the file has all of them. */
const SHOWN = 300;

/**
 * Validates and copies a provenance.
 * @param {any} given
 * @returns {Provenance}
 * @throws {InputError} for a field of the wrong type
 */
export function checkProvenance(given) {
  checkObject(given, 'provenance', "{ model: 'stories', seed: 1 }");
  /** @type {Record<string, string | number>} */
  const provenance = {};
  for (const part of PARTS) {
    const value = given[part];
    if (value === undefined) continue;
    const wanted = part === 'seed' ? 'number' : 'string';
    if (typeof value !== wanted) throw new InputError(`provenance.${part} must be a ${wanted}.`);
    provenance[part] = value;
  }
  return provenance;
}

/**
 * The provenance with the date of the file and the version of heed.
 * @param {Provenance} provenance
 * @param {Date} now
 */
export const provenanceData = (provenance, now) =>
  ({ ...provenance, date: provenance.date ?? now.toISOString().slice(0, 10), heed: VERSION });

/**
 * The provenance as lines of a caption.
 * @param {ReturnType<typeof provenanceData>} data
 * @returns {string[]}
 */
export function provenanceLines(data) {
  const { model, revision, file, prompt, promptSource, subtractedPrompt, seed, changes, date, heed } = data;
  const short = (/** @type {string} */ text) => {
    const characters = Array.from(text.replace(/\s+/g, ' ').trim());
    return characters.length > SHOWN ? `${characters.slice(0, SHOWN - 1).join('')}…` : characters.join('');
  };
  const origin = [revision && `revision ${short(revision)}`, file && file !== model && `file ${short(file)}`];
  const from = origin.filter(Boolean).join(', ');
  const named = model ? `Model ${short(model)}${from && ` (${from})`}` : from && `Model ${from}`;
  const subtracted = subtractedPrompt === undefined ? '' : ` minus “${short(subtractedPrompt)}”`;
  const source = promptSource ? ` (${short(promptSource)})` : '';
  const text = prompt !== undefined && `Prompt “${short(prompt)}”${source}${subtracted}`;
  const run = [text, seed !== undefined && `seed ${seed}`].filter(Boolean).join(', ');
  const changed = changes && `Changed run: ${short(changes)}`;
  return [named, run, changed, `${date}, heed ${heed}`].filter((line) => typeof line === 'string' && line !== '')
    .map(String);
}
