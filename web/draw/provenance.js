/** Where a figure comes from, as the lines under it and as data in its file. */
import { checkObject, InputError } from './check.js';
import { VERSION } from './version.js';

/**
 * @typedef {object} Provenance what a page knows of the numbers; each part may be missing
 * @property {string} [model] its name
 * @property {string} [revision]
 * @property {string} [file] or address that it was loaded from
 * @property {string} [prompt] the text that the model was given
 * @property {string} [promptSource] where the prompt is from
 * @property {number} [seed] of the sampler
 * @property {string} [date] of the run, as 2026-11-22; default: of the file
 */

/** @type {readonly (keyof Provenance)[]} */
const PARTS = ['model', 'revision', 'file', 'prompt', 'promptSource', 'seed', 'date'];
/** Characters of a part that are shown; the data of the file has all. */
const SHOWN = 300;

/**
 * @param {any} given
 * @returns {Provenance}
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
 * All that a file says of its origin.
 * @param {Provenance} provenance
 * @param {Date} now
 */
export const provenanceData = (provenance, now) =>
  ({ ...provenance, date: provenance.date ?? now.toISOString().slice(0, 10), heed: VERSION });

/**
 * The same as lines under a figure.
 * @param {ReturnType<typeof provenanceData>} data
 * @returns {string[]}
 */
export function provenanceLines({ model, revision, file, prompt, promptSource, seed, date, heed }) {
  const short = (/** @type {string} */ text) => {
    const characters = Array.from(text.replace(/\s+/g, ' ').trim());
    return characters.length > SHOWN ? `${characters.slice(0, SHOWN - 1).join('')}…` : characters.join('');
  };
  const origin = [revision && `revision ${short(revision)}`, file && file !== model && `file ${short(file)}`];
  const from = origin.filter(Boolean).join(', ');
  const named = model ? `Model ${short(model)}${from && ` (${from})`}` : from && `Model ${from}`;
  const text = prompt !== undefined && `Prompt “${short(prompt)}”${promptSource ? ` (${short(promptSource)})` : ''}`;
  const run = [text, seed !== undefined && `seed ${seed}`].filter(Boolean).join(', ');
  return [named, run, `${date}, heed ${heed}`].filter((line) => typeof line === 'string' && line !== '').map(String);
}
