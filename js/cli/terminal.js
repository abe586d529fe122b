// What the commands share: reading options, a terminal's text, one JSON object, and Ctrl-C.
import { text as allOf } from 'node:stream/consumers';

/**
 * @typedef {Record<string, any>} Values  parsed options by name
 * @typedef {object} Command
 * @property {string} summary  one line
 * @property {string} help     the whole usage
 * @property {import('node:util').ParseArgsConfig['options']} options
 * @property {number} positionals  how many may be given
 * @property {(values: Values, positionals: string[]) => Promise<number>} run  gives the exit status
 */

/** The command line was not understood. */
export class UsageError extends Error {
  /** The command that lists what is possible. */
  hint = 'heed --help';
}

/** Ctrl-C, before there was anything to show. */
export class Interrupted extends Error {}

/** Text of a model or a file for a terminal: control characters, which could steer it, become a visible sign.
 *  @param {string} text */
export function printable(text) {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '\ufffd');
}

/** One line of it: breaks and tabs are shown, and nothing changes the direction of writing.
 *  @param {string} text */
export function oneLine(text) {
  const shown = text.replaceAll('\n', '↵').replaceAll('\t', '→');
  return printable(shown).replace(/[\u2028-\u202e\u2066-\u2069]/g, '\ufffd');
}

/** @param {string} text */
export const say = (text) => void process.stderr.write(`${text}\n`);

/** Writes the one JSON object of `--json`. Typed arrays become arrays; what JSON has no number for becomes null.
 *  @param {object} value */
export function printJson(value) {
  const plain = (/** @type {string} */ _, /** @type {any} */ v) => {
    return ArrayBuffer.isView(v) ? Array.from(/** @type {any} */ (v)) : v;
  };
  process.stdout.write(`${JSON.stringify(value, plain)}\n`);
}

/** A number from an option, or undefined where it was not given.
 *  @param {Values} values  @param {string} name
 *  @param {{ min?: number, max?: number, integer?: boolean, needed?: boolean }} [limits] */
export function number(values, name, { min = -Infinity, max = Infinity, integer = false, needed = false } = {}) {
  const text = values[name];
  if (text === undefined) {
    if (needed) throw new UsageError(`--${name} is missing`);
    return undefined;
  }
  const value = Number(text);
  const fits = text.trim() !== '' && Number.isFinite(value) && value >= min && value <= max;
  if (!fits || (integer && !Number.isSafeInteger(value))) {
    const range = max < Infinity ? `from ${min} to ${max}` : min > -Infinity ? `of at least ${min}` : '';
    throw new UsageError(`--${name} ${text}: expected a${integer ? ' whole' : ''} number ${range}`.trimEnd());
  }
  return value;
}

/** The ids of `--ids 1,2,3` or the text of `--prompt` (`-` reads standard input); exactly one of the two.
 *  @param {Values} values  @returns {Promise<string | Int32Array>} */
export async function promptOf(values) {
  if ((values.prompt === undefined) === (values.ids === undefined)) {
    throw new UsageError('expected either --prompt TEXT or --ids 1,2,3');
  }
  if (values.ids === undefined) return values.prompt === '-' ? allOf(process.stdin) : values.prompt;
  return Int32Array.from(values.ids.split(','), (/** @type {string} */ digits) => {
    const id = Number(digits);
    if (!/^\s*\d+\s*$/.test(digits) || id > 0x7fffffff) throw new UsageError(`--ids: '${digits}' is not a token id`);
    return id;
  });
}

/** The work that Ctrl-C ends early. @type {AbortController | null} */
let running = null;

/** Ctrl-C ends what runs, which then finishes; a second one ends the process, whatever it does.  Where nothing runs
 *  yet, as when modules load, the first one ends it, with the same status; when all is done, its status stands. */
function interrupt() {
  if (running) {
    process.off('SIGINT', interrupt);
    running.abort();
  } else if (process.exitCode === undefined) {
    process.stderr.write('heed: interrupted\n');
    process.exit(130);
  }
}

/** From here on Ctrl-C has a defined outcome. */
export const hearInterrupts = () => void process.on('SIGINT', interrupt);

/** Runs work that Ctrl-C may end early.
 *  @template T
 *  @param {(signal: AbortSignal) => Promise<T>} work
 *  @returns {Promise<T>} */
export async function interruptible(work) {
  const controller = running = new AbortController();
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? new Interrupted('interrupted', { cause: error }) : error;
  } finally {
    running = null;
  }
}

/** @param {number} bytes */
export function sizeText(bytes) {
  const units = ['B', 'kB', 'MB', 'GB'];
  let unit = 0;
  while (bytes >= 1000 && unit < units.length - 1) {
    bytes /= 1000;
    unit++;
  }
  return `${unit === 0 ? bytes : bytes.toPrecision(3)} ${units[unit]}`;
}
