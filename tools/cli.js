/** Command-line handling of the tools: options, --help, errors on one line. */
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { realpathSync } from 'node:fs';

/**
 * Runs a tool if Node.js was started with its file; does nothing if the file was imported.
 * @param {string} url the tool's import.meta.url
 * @param {object} tool
 * @param {string} tool.usage text of --help
 * @param {NonNullable<import('node:util').ParseArgsConfig['options']>} tool.options
 * @param {number} tool.positionals number of required arguments
 * @param {(positionals: string[], options: Record<string, any>) => Promise<void>} tool.run
 */
export async function runTool(url, { usage, options, positionals: needed, run }) {
  if (!process.argv[1] || realpathSync(process.argv[1]) !== fileURLToPath(url)) return;
  try {
    const parsed = parseArgs({ options: { ...options, help: { type: 'boolean' } }, allowPositionals: true });
    if (parsed.values.help) {
      console.log(usage);
    } else if (parsed.positionals.length !== needed) {
      throw new Error(`${needed} arguments are needed, ${parsed.positionals.length} were given\n\n${usage}`);
    } else {
      await run(parsed.positionals, parsed.values);
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
