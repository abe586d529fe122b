// heed serve: serves the page on this machine.
import { existsSync, statSync } from 'node:fs';
import { cp, mkdir, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FOLDER_POLICY } from './policy.js';
import { startServer } from './server.js';
import { interruptible, number, UsageError } from './terminal.js';

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));
/** The site of the documentation, which `make docs` builds, and a page for the npm package, which has only Markdown. */
const DOCS = [join(PACKAGE, 'dist/docs'), join(PACKAGE, 'js/cli/no-docs')];

/** The folder of the package heed-models, if it is installed. @returns {string[]} */
function furtherModels() {
  try {
    return [dirname(createRequire(import.meta.url).resolve('heed-models/package.json'))];
  } catch {
    return [];
  }
}

/** Writes the page as files for any web server.  The package has its binaries and models in other folders.
 *  @param {string} target  a new or empty folder @returns {Promise<number>} */
async function write(target) {
  const site = join(PACKAGE, 'dist/site');
  if (!existsSync(site)) throw new UsageError('the page is not built: run make site');
  await mkdir(target, { recursive: true });
  if ((await readdir(target)).length > 0) throw new UsageError(`${target} is not empty`);
  await cp(site, target, { recursive: true });
  await copyFiles(join(PACKAGE, 'dist'), target, /\.wasm$/);
  const [docs, noDocs] = DOCS;
  await cp(existsSync(docs) ? docs : noDocs, join(target, 'docs'), { recursive: true });
  for (const folder of [join(PACKAGE, 'models'), ...furtherModels()]) {
    await copyFiles(folder, join(target, 'models'), /\.(gguf|safetensors)$/);
  }
  process.stdout.write(`${join(target, 'index.html')}\n`);
  return 0;
}

/** @param {string} from @param {string} to @param {RegExp} kind */
async function copyFiles(from, to, kind) {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) if (kind.test(name)) await cp(join(from, name), join(to, name));
}

/** @param {import('./terminal.js').Values} values  @param {string[]} positionals  @returns {Promise<number>} */
async function run(values, [folder]) {
  if (values.write !== undefined) {
    if (folder !== undefined) throw new UsageError(`--write writes heed’s page; leave ${folder} out`);
    return write(resolve(values.write));
  }
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
      ...(folder === undefined && { '/docs/': DOCS, '/': [join(PACKAGE, 'dist')] }), // each binary is there once
    },
    ...(folder === undefined && { home: '/docs/' }),
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
       heed serve --write FOLDER

Serves the page, or a folder of static files, on 127.0.0.1 and prints its address. If the port (default 8000) is in
use, the next free port is used; 0 uses any. Hidden files, whose names start with a dot, are not served, except
node_modules/.pnpm. Other sites may embed heed's page and lessons, but not your folder. Pages of your folder may
contain scripts. They are cross-origin isolated, as threads need.

  --port N            first port to try
  --host NAME         also accept requests for this host, as behind a proxy; can be repeated.
                      localhost, 127.0.0.1 and [::1] are always accepted
  --write FOLDER      write the page with its binaries and models into a new folder, for a static host, and end
  --help              print this text
`,
  options: { port: { type: 'string' }, host: { type: 'string', multiple: true }, write: { type: 'string' } },
  positionals: 1,
  run,
};
