// A small static server for this machine, with media types and the isolation headers that threads need.  It serves only
// regular files inside its folders.
import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { HEADER_POLICY, PAGE_POLICY } from './policy.js';

const HOST = '127.0.0.1';
/** Accepted values of Host.  Another value can come from a page whose name was pointed to this machine (DNS rebinding).
 * */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const PORTS_TRIED = 100;

/** @type {Record<string, string>} */
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.md': 'text/plain; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

const HEADERS = {
  'Content-Security-Policy': HEADER_POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};

/** Headers of files that other sites may embed. */
const FRAMED_HEADERS = {
  'Content-Security-Policy': PAGE_POLICY,
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Whether a path names a hidden file or a file in a hidden folder: `.git/config`, `.env`.  `node_modules/.pnpm` is
 *  not hidden, because pnpm keeps every package there and links to it.
 *  @param {string} path */
const isHidden = (path) => path.split(sep).some((name, at, names) =>
  name.startsWith('.') && !(name === '.pnpm' && names[at - 1] === 'node_modules'));

/** Opens the regular file of a path, or returns null.  Links are resolved before the path is checked, and the kind of
 * file
 *  is checked after it is open.  The caller closes it.
 *  @param {string} folder  @param {string} path  below the folder
 *  @returns {Promise<{ file: string, size: number, tag: string, handle: import('node:fs/promises').FileHandle } |
 *    null>} tag: for the header ETag; changes with the file */
async function openFile(folder, path) {
  /** @type {import('node:fs/promises').FileHandle | undefined} */
  let handle;
  try {
    const base = await realpath(folder);
    let file = await realpath(join(base, path));
    if (file !== base && !file.startsWith(base + sep)) return null;
    if ((await stat(file)).isDirectory()) file = await realpath(join(file, 'index.html'));
    if (!file.startsWith(base + sep) || isHidden(relative(base, file))) return null;
    handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK); // a pipe must not wait for a writer
    const status = await handle.stat();
    const tag = `"${status.size.toString(36)}-${status.mtimeMs.toString(36)}-${status.ino.toString(36)}"`;
    if (status.isFile()) return { file, size: status.size, tag, handle };
  } catch {
    // The file is missing or not readable.
  }
  await handle?.close();
  return null;
}

/** The name in a Host header, without its port. @param {string} host */
const hostName = (host) => host.replace(/:\d+$/, '').toLowerCase();

/** The decoded path of a request, or null if it is invalid.  ‘..’ is resolved here, and again by realpath.
 *  @param {string} target */
function pathOf(target) {
  try {
    const path = decodeURIComponent(new URL(target, 'http://localhost').pathname);
    return path.includes('\0') || path.includes('\\') ? null : path;
  } catch {
    return null;
  }
}

/** Serves `root`.  Paths below a mount that are missing in `root` are searched in the folders of the mount, in order.
 *  If `port` is in use, the next free port is used; 0 uses any.  Files have the Content-Security-Policy `policy`.
 *  Other sites may embed files below the path `framed`.  Missing files below the path `home` lead to it.
 *  Requests with another Host than this machine's names and `hosts` are rejected.
 *  @param {{ root: string, mounts?: Record<string, string[]>, port?: number, policy?: string, framed?: string,
 *    home?: string, hosts?: string[] }} options
 *  @returns {Promise<{ url: string, port: number, close: () => Promise<void> }>} */
export async function startServer({ root, mounts = {}, port = 0, policy = HEADER_POLICY, framed, home, hosts = [] }) {
  const names = new Set([...LOOPBACK, ...hosts.map(hostName)]);
  const server = createServer(async (request, response) => {
    /** @param {number} status  @param {string} text */
    const refuse = (status, text) => {
      response.writeHead(status, { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' });
      response.end(`${text}\n`);
    };
    /** @param {number} status  @param {string} to */
    const redirect = (status, to) => {
      response.writeHead(status, { ...HEADERS, Location: to });
      response.end();
    };
    if (!names.has(hostName(request.headers.host ?? ''))) return refuse(421, 'this server does not have that name');
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405, 'only GET and HEAD are answered');
    const path = pathOf(request.url ?? '/');
    if (path === null) return refuse(400, 'the path cannot be read');
    const mount = Object.keys(mounts).find((prefix) => path.startsWith(prefix));
    let found = await openFile(root, path);
    for (const folder of mount && !found ? mounts[mount] : []) {
      found ??= await openFile(folder, path.slice(/** @type {string} */ (mount).length));
    }
    if (!found && home && path.startsWith(home) && path !== home) return redirect(302, home);
    if (!found) return refuse(404, 'there is no such file');
    const { file, size, tag, handle } = found;
    try {
      if (!path.endsWith('/') && file.endsWith(`${sep}index.html`) && extname(path) === '') {
        return redirect(301, `${encodeURIComponent(path.slice(path.lastIndexOf('/') + 1))}/`);
      }
      const type = TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream';
      const isFramed = framed && path.startsWith(framed);
      const headers = { ...HEADERS, 'Content-Security-Policy': policy, ...(isFramed && FRAMED_HEADERS), ETag: tag };
      if (request.headers['if-none-match'] === tag) {
        response.writeHead(304, headers);
        response.end();
        return;
      }
      response.writeHead(200, { ...headers, 'Content-Type': type, 'Content-Length': size });
      if (request.method === 'HEAD' || size === 0) response.end();
      else await pipeline(handle.createReadStream({ end: size - 1, autoClose: false }), response);
    } catch {
      response.destroy(); // the client disconnected, or reading failed
    } finally {
      await handle.close();
    }
  });
  const bound = await listen(server, port);
  return {
    url: `http://${HOST}:${bound}/`,
    port: bound,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** Listens on the first free port from `port` on.
 *  @param {import('node:http').Server} server  @param {number} port  @returns {Promise<number>} */
async function listen(server, port) {
  for (let candidate = port; ; candidate++) {
    try {
      await new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(candidate, HOST, () => {
          server.off('error', reject);
          resolve(undefined);
        });
      });
      return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      if (code !== 'EADDRINUSE' || port === 0) throw error;
      if (candidate + 1 >= port + PORTS_TRIED || candidate >= 65535) {
        throw new Error(`no free port from ${port} to ${candidate}; choose another with --port`, { cause: error });
      }
    }
  }
}
