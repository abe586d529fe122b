/**
 * Which exercises the reader has tried and solved. The browser keeps it (localStorage), and a file can move it to
 * another machine. Without storage the progress lasts until the page is left.
 */
import { HeedError } from '../../../js/errors.js';
import { EXERCISES } from '../exercises/catalog.js';

/** @typedef {'tried' | 'solved'} State */

const KEY = 'heed.exercises';
/** The first property of a file, which tells what it is. */
const FORMAT = 'heed exercises';
const VERSION = 1;
/** Characters of the largest accepted file; all exercises together need a tenth of it. */
const LONGEST_FILE = 50_000;

const KNOWN = new Set(Object.values(EXERCISES).flatMap(({ ids }) => ids));

/** Progress that the browser does not keep. @type {Map<string, State>} */
const unsaved = new Map();
/** @type {Set<() => void>} */
const listeners = new Set();

/** @param {unknown} value @returns {value is State} */
const isState = (value) => value === 'tried' || value === 'solved';

/** The entries of known exercises; everything else is left out. @param {unknown} value @returns {[string, State][]} */
const entriesOf = (value) => (typeof value === 'object' && value !== null
  ? Object.entries(value).flatMap(([id, state]) => (KNOWN.has(id) && isState(state)
    ? [/** @type {[string, State]} */ ([id, state])] : []))
  : []);

/** @param {Map<string, State>} into @param {Iterable<[string, State]>} entries  a solved exercise stays solved */
function merge(into, entries) {
  for (const [id, state] of entries) if (into.get(id) !== 'solved') into.set(id, state);
  return into;
}

/** The state of each exercise that was tried. @returns {Map<string, State>} */
export function readProgress() {
  const all = new Map(unsaved);
  try {
    return merge(all, entriesOf(JSON.parse(localStorage.getItem(KEY) ?? '{}')));
  } catch {
    return all; // no storage, or not JSON
  }
}

/** @param {Iterable<[string, State]>} entries @returns {boolean} whether the browser keeps them */
function keep(entries) {
  const all = merge(readProgress(), entries);
  let kept = true;
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(all)));
    unsaved.clear();
  } catch {
    kept = false; // no storage, or a full one
    merge(unsaved, all);
  }
  for (const listener of listeners) listener();
  return kept;
}

/**
 * Notes a try.
 * @param {string} id of an exercise
 * @param {boolean} solved
 * @returns {boolean} whether the browser keeps it
 */
export const record = (id, solved) => keep([[id, solved ? 'solved' : 'tried']]);

/** Calls a function now, and after each change, also of another tab. @param {() => void} listener */
export function onProgress(listener) {
  listeners.add(listener);
  addEventListener('storage', listener);
  addEventListener('pageshow', listener); // a page that comes back from the cache of the browser
  listener();
}

/** The progress as the text of a file. */
export const exportProgress = () => `${JSON.stringify({ format: FORMAT, version: VERSION,
  exercises: Object.fromEntries(readProgress()) }, null, 2)}\n`;

/**
 * Adds the progress of a file to the progress here. An exercise that is solved in one of them is solved.
 * @param {string} text of the file
 * @returns {{ kept: boolean, read: number, unknown: number }} whether the browser keeps it; how many exercises of the
 *   file these lessons have, and how many they do not have
 * @throws {HeedError} 'bad-file' for another file, which changes nothing
 */
export function importProgress(text) {
  if (text.length > LONGEST_FILE) {
    throw new HeedError('bad-file', 'The file is too large to hold progress. Choose a file that this page has saved.');
  }
  let content;
  try {
    content = JSON.parse(text);
  } catch {
    throw new HeedError('bad-file', 'The file is not JSON. Choose a file that this page has saved.');
  }
  const { format, version, exercises } = content ?? {};
  if (format !== FORMAT || typeof exercises !== 'object' || exercises === null || Array.isArray(exercises)) {
    throw new HeedError('bad-file', 'The file does not hold the progress of these exercises. Choose a file that this '
      + 'page has saved.');
  }
  if (version !== VERSION) {
    throw new HeedError('bad-file', `The file has version ${JSON.stringify(version)?.slice(0, 20)}, and this page `
      + `reads version ${VERSION}. Save it again with a current page.`);
  }
  const wrong = Object.entries(exercises).find(([, state]) => !isState(state));
  if (wrong) {
    throw new HeedError('bad-file', `The file says ${JSON.stringify(wrong[1])?.slice(0, 20)} of the exercise `
      + `‘${wrong[0].slice(0, 40)}’. Expected "tried" or "solved".`);
  }
  const entries = entriesOf(exercises);
  return { kept: keep(entries), read: entries.length, unknown: Object.keys(exercises).length - entries.length };
}

/**
 * How many exercises of a lesson are solved, in words.
 * @param {string} lesson name
 * @returns {string} such as “2 of 3 solved”; empty for a lesson without exercises
 */
export function solvedOf(lesson) {
  const { ids = [] } = Object.hasOwn(EXERCISES, lesson) ? EXERCISES[lesson] : {};
  if (ids.length === 0) return '';
  const progress = readProgress();
  const tried = ids.some((id) => progress.has(id));
  const solved = ids.filter((id) => progress.get(id) === 'solved').length;
  return tried ? `${solved} of ${ids.length} exercises solved` : `${ids.length} exercises`;
}
