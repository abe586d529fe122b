// Functions that the commands share: numbers and prompts from options, printable text, JSON output, and Ctrl-C.
import { text as allOf } from 'node:stream/consumers';

/**
 * @typedef {Record<string, any>} Values  parsed options by name
 * @typedef {object} Command
 * @property {string} summary  description in one line
 * @property {string} help     text of --help
 * @property {import('node:util').ParseArgsConfig['options']} options
 * @property {number} positionals  largest number of positional arguments
 * @property {(values: Values, positionals: string[]) => Promise<number>} run  runs the command and returns the exit
 *   status
 */

/** An error in the arguments of a command. */
export class UsageError extends Error {
  /** The command that lists the options. */
  hint = 'heed --help';
}

/** Ctrl-C before there was a result. */
export class Interrupted extends Error {}

/** Text of a model or a file for a terminal, without control characters, which could change the terminal's state.
 *  @param {string} text */
export function printable(text) {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '\ufffd');
}

/** Text as one line: line breaks and tabs are visible, and direction overrides are replaced.
 *  @param {string} text */
export function oneLine(text) {
  const shown = text.replaceAll('\n', '↵').replaceAll('\t', '→');
  return printable(shown).replace(/[\u2028-\u202e\u2066-\u2069]/g, '\ufffd');
}

/** Writes a line to standard error. @param {string} text */
export const say = (text) => void process.stderr.write(`${text}\n`);

/** Writes the JSON object of `--json`.  Typed arrays become arrays; NaN and infinities become null.
 *  @param {object} value */
export function printJson(value) {
  const plain = (/** @type {string} */ _, /** @type {any} */ v) => {
    return ArrayBuffer.isView(v) ? Array.from(/** @type {any} */ (v)) : v;
  };
  process.stdout.write(`${JSON.stringify(value, plain)}\n`);
}

/** The number of an option, or undefined if it was not given.
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
    throw new UsageError(`--${name} ${text}: expected ${integer ? 'an integer' : 'a number'} ${range}`.trimEnd());
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
  return idsIn('ids', values.ids);
}

/** The ids of `1,2,3`. @param {string} option  its name, for errors  @param {string} text */
export function idsIn(option, text) {
  return Int32Array.from(text.split(','), (/** @type {any} */ digits) => {
    const id = Number(digits);
    if (!/^\s*\d+\s*$/.test(digits) || id > 0x7fffffff) {
      throw new UsageError(`--${option}: '${digits}' is not a token id`);
    }
    return id;
  });
}

/** The controller of the running work, which Ctrl-C aborts. @type {AbortController | null} */
let running = null;

/** The first Ctrl-C aborts the running work, which then finishes; the second ends the process.  Before work starts, the
 *  first Ctrl-C ends the process with the same status.  After the work, its exit status stays. */
function interrupt() {
  if (running) {
    process.off('SIGINT', interrupt);
    running.abort();
  } else if (process.exitCode === undefined) {
    process.stderr.write('heed: interrupted\n');
    process.exit(130);
  }
}

/** Installs the handler of Ctrl-C. */
export const hearInterrupts = () => void process.on('SIGINT', interrupt);

/** Runs work that Ctrl-C can abort.
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

/** A size as text, such as ‘2.76 MB’. @param {number} bytes */
export function sizeText(bytes) {
  const units = ['B', 'kB', 'MB', 'GB'];
  let unit = 0;
  while (bytes >= 1000 && unit < units.length - 1) {
    bytes /= 1000;
    unit++;
  }
  return `${unit === 0 ? bytes : bytes.toPrecision(3)} ${units[unit]}`;
}
