// heed serve: serves the page on this machine.
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FOLDER_POLICY } from './policy.js';
import { startServer } from './server.js';
import { interruptible, number, UsageError } from './terminal.js';

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));

/** The folder of the package heed-models, if it is installed. @returns {string[]} */
function furtherModels() {
  try {
    return [dirname(createRequire(import.meta.url).resolve('heed-models/package.json'))];
  } catch {
    return [];
  }
}

/** @param {import('./terminal.js').Values} values  @param {string[]} positionals  @returns {Promise<number>} */
async function run(values, [folder]) {
  const root = folder === undefined ? join(PACKAGE, 'dist/site') : resolve(folder);
  const found = statSync(root, { throwIfNoEntry: false });
  if (!found) {
    throw new UsageError(folder === undefined ? 'the page is not built: run make site' : `${folder} does not exist`);
  }
  if (!found.isDirectory()) throw new UsageError(`${folder} is a file; expected a folder`);
  const server = await startServer({
    root,
    mounts: {
      '/models/': [join(PACKAGE, 'models'), ...furtherModels()],
      ...(folder === undefined && { // make docs builds the documentation; the npm package does not contain it
        '/docs/': [join(PACKAGE, 'dist/docs'), join(PACKAGE, 'js/cli/no-docs')],
      }),
      ...(folder === undefined && { '/': [join(PACKAGE, 'dist')] }), // the package contains each binary once
    },
    ...(folder === undefined ? { framed: '/' } // other sites may embed the page and its lessons
      : { policy: FOLDER_POLICY }),
    hosts: values.host,
    port: number(values, 'port', { min: 0, max: 65535, integer: true }) ?? 8000,
  });
  process.stdout.write(`${server.url}\n`);
  process.stderr.write('Ctrl-C stops the server\n');
  await interruptible((signal) => new Promise((done) => {
    signal.addEventListener('abort', done);
    process.once('SIGTERM', done);
  }));
  await server.close();
  return 0;
}

/** @type {import('./terminal.js').Command} */
export default {
  summary: 'serve the page on this machine',
  help: `usage: heed serve [FOLDER] [--port N] [--host NAME]

Serves the page, or a folder of static files, on 127.0.0.1 and prints its address. If the port (default 8000) is in
use, the next free port is used; 0 uses any. Hidden files, whose names start with a dot, are not served, except
node_modules/.pnpm. Other sites may embed heed's page and lessons, but not your folder. Pages of your folder may
contain scripts. They are cross-origin isolated, as threads need.

  --port N            first port to try
  --host NAME         also accept requests for this host, as behind a proxy; can be repeated.
                      localhost, 127.0.0.1 and [::1] are always accepted
  --help              print this text
`,
  options: { port: { type: 'string' }, host: { type: 'string', multiple: true } },
  positionals: 1,
  run,
};
