// Parses the options of a command, and reports errors in one sentence.
import { parseArgs } from 'node:util';
import { UsageError } from './terminal.js';

/**
 * Parses options with Node's parser and own messages.  A value may begin with one dash, as a negative number does.
 * @param {string[]} args  arguments after the name of the command
 * @param {NonNullable<import('node:util').ParseArgsConfig['options']>} options
 * @returns {{ values: import('./terminal.js').Values, positionals: string[] }}
 * @throws {UsageError}
 */
export function parseCommandLine(args, options) {
  /** @type {typeof options} */
  const known = { ...options, help: { type: 'boolean', short: 'h' } };
  const { values, positionals, tokens } = parseArgs({
    args, options: known, allowPositionals: true, strict: false, tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    if (!Object.hasOwn(known, name)) throw new UsageError(`there is no option '${rawName}'`);
    if (known[name].type === 'boolean') {
      if (value !== undefined) throw new UsageError(`${rawName} takes no value, got '${value}'`);
    } else if (value === undefined) {
      throw new UsageError(`${rawName} needs a value`);
    } else if (!inlineValue && value.startsWith('--')) {
      throw new UsageError(`${rawName} needs a value, got the option '${value}'; ` +
        `${rawName}=${value} makes it the value`);
    }
  }
  return { values, positionals };
}
