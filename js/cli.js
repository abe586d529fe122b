#!/usr/bin/env node
// The command line: each command is a module of js/cli, loaded when it is asked for.
import { parseArgs } from 'node:util';
import { Interrupted, UsageError, hearInterrupts, printable } from './cli/terminal.js';

const COMMANDS = ['generate', 'attention', 'logits', 'inspect', 'train', 'bench', 'serve'];

/** @param {string} name  @returns {Promise<import('./cli/terminal.js').Command>} */
const command = async (name) => (await import(`./cli/${name}.js`)).default;

async function usage() {
  const lines = await Promise.all(
    COMMANDS.map(async (name) => `  ${name.padEnd(10)} ${(await command(name)).summary}`),
  );
  return [
    'heed: transformers that run in the browser on the CPU, fast, and show what they attend to',
    '',
    'usage: heed COMMAND [OPTIONS]',
    '',
    ...lines,
    '',
    'heed COMMAND --help says what a command takes.',
    '',
  ].join('\n');
}

/** @param {string[]} args  @returns {Promise<number>} the exit status */
async function main(args) {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(await usage());
    return name === undefined ? 2 : 0;
  }
  if (!COMMANDS.includes(name)) {
    throw new UsageError(`there is no command '${name}': one of ${COMMANDS.join(', ')}`, 'heed --help');
  }
  const { options, positionals, help, run } = await command(name);
  let parsed;
  try {
    parsed = parseArgs({
      args: rest,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    throw new UsageError(/** @type {Error} */ (error).message, `heed ${name} --help`);
  }
  if (parsed.values.help) {
    process.stdout.write(help);
    return 0;
  }
  if (parsed.positionals.length > positionals) {
    throw new UsageError(`'${parsed.positionals[positionals]}' is not expected here`, `heed ${name} --help`);
  }
  return run(parsed.values, parsed.positionals);
}

hearInterrupts();

// A reader that has seen enough (`heed generate … | head`) is no error of ours, but the work was not done.
process.stdout.on('error', (error) => {
  if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPIPE') throw error;
  process.exit(1);
});

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const { message, code } = /** @type {Error & { code?: string }} */ (error);
  if (error instanceof UsageError) {
    process.stderr.write(`heed: ${printable(message)}\n${error.hint} says what is possible\n`);
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
