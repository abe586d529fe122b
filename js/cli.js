#!/usr/bin/env node
// The command line.  Each command is a module of js/cli, which is imported when it runs.
import { readFileSync } from 'node:fs';
import { parseCommandLine } from './cli/arguments.js';
import { withFlags } from './cli/flags.js';
import { Interrupted, UsageError, hearInterrupts, printable } from './cli/terminal.js';
import { HeedError } from './errors.js';

const COMMANDS = ['generate', 'chat', 'attention', 'logits', 'hooks', 'edit', 'ablate', 'inspect', 'convert', 'kept',
  'train', 'bench', 'serve'];
/** Exit status of a command that a closed pipe ended, as in a shell: 128 + SIGPIPE. */
const CLOSED_PIPE = 141;

/** @param {string} name  @returns {Promise<import('./cli/terminal.js').Command>} */
const command = async (name) => (await import(`./cli/${name}.js`)).default;

async function usage() {
  const lines = await Promise.all(
    COMMANDS.map(async (name) => `  ${name.padEnd(10)} ${(await command(name)).summary}`),
  );
  return [
    'heed: transformers that run in the browser on the CPU, with their attention maps',
    '',
    'usage: heed COMMAND [OPTIONS]',
    '',
    ...lines,
    '',
    'heed COMMAND --help lists the options of a command; heed --version prints the version.',
    '',
  ].join('\n');
}

function version() {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}

/** @param {string[]} args  @returns {Promise<number>} the exit status */
async function main(args) {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(await usage());
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === '-v') {
    process.stdout.write(`heed ${version()}\n`);
    return 0;
  }
  if (!COMMANDS.includes(name)) throw new UsageError(`there is no command '${name}': one of ${COMMANDS.join(', ')}`);
  const { options = {}, positionals: expected, help, run } = await command(name);
  try {
    const { values, positionals } = parseCommandLine(rest, options);
    if (values.help) {
      process.stdout.write(help);
      return 0;
    }
    if (positionals.length > expected) throw new UsageError(`'${positionals[expected]}' is not expected here`);
    return await run(values, positionals);
  } catch (error) {
    if (error instanceof UsageError) error.hint = `heed ${name} --help`;
    if (error instanceof HeedError) error.message = withFlags(error.message, options);
    throw error;
  }
}

hearInterrupts();

process.stdout.on('error', (error) => {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
  if (code === 'EPIPE') process.exit(CLOSED_PIPE); // the reader closed the pipe, as in `heed generate … | head`
  process.stderr.write(`heed: standard output cannot be written: ${message}\n`);
  process.exit(1);
});

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const { message, code } = /** @type {Error & { code?: string }} */ (error);
  if (error instanceof UsageError) {
    process.stderr.write(`heed: ${printable(message)}\n${error.hint} lists the options\n`);
    process.exitCode = 2;
  } else if (error instanceof Interrupted) {
    process.stderr.write('heed: interrupted\n');
    process.exitCode = 130;
  } else {
    process.stderr.write(`heed: ${printable(message)}${code ? ` [${printable(code)}]` : ''}\n`);
    if (process.env.HEED_DEBUG) process.stderr.write(`${/** @type {Error} */ (error).stack}\n`);
    process.exitCode = 1;
  }
}
