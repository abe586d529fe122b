/** A hub on this machine: repositories with files, ranges, checksums, and the faults of real servers. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

/**
 * The behavior of one file.
 * @typedef {object} Behavior
 * @property {number} [cut]       bytes of each answer until its connection breaks
 * @property {number} [cuts]      number of answers that break; default 1
 * @property {boolean} [stall]    keeps the connection open instead of breaking it
 * @property {string | null} [etag]  null: without
 * @property {boolean} [ranges]   false: every request gets the whole file
 * @property {Record<string, string>} [headers]
 * @property {string} [redirect]  address that has the file
 * @property {string} [token]     token that a request needs
 */

/** @param {Uint8Array} bytes */
export const sha256Of = (bytes) => createHash('sha256').update(bytes).digest('hex');

/**
 * Starts a hub.
 * @param {Record<string, Uint8Array | string>} files  by path, such as 'owner/name/file.gguf'
 */
export async function startHub(files) {
  /** @type {Map<string, { body: Buffer, behavior: Behavior, asked: number }>} */
  const entries = new Map();
  /** Requests: method, path, and the headers that tests look at.
   *  @type {{ path: string, range?: string, ifRange?: string, authorization?: string }[]} */
  const requests = [];
  /** @param {string} path @param {Uint8Array | string} body @param {Behavior} [behavior] */
  const put = (path, body, behavior = {}) => void entries.set(path, { body: Buffer.from(body), behavior, asked: 0 });
  for (const [path, body] of Object.entries(files)) put(path, body);
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://hub').pathname).slice(1);
    const { range, authorization } = request.headers;
    const ifRange = request.headers['if-range'];
    if (request.method === 'OPTIONS') {
      return response.writeHead(204, { ...CORS, 'access-control-allow-headers': 'authorization, range' }).end();
    }
    requests.push({ path, ...(range && { range }), ...(ifRange && { ifRange: String(ifRange) }),
      ...(authorization && { authorization }) });
    const [, repository] = /^api\/models\/([^/]+\/[^/]+)\/tree\//.exec(path) ?? [];
    if (repository) return list(response, repository);
    const entry = entries.get(path.replace(/\/resolve\/[^/]+\//, '/'));
    if (!entry) return response.writeHead(404, CORS).end();
    return answer(response, entry, request.headers);
  });

  /** @param {import('node:http').ServerResponse} response @param {string} repository */
  function list(response, repository) {
    const found = [...entries].filter(([path]) => path.startsWith(`${repository}/`)).map(([path, { body }]) => ({
      type: 'file', path: path.slice(repository.length + 1), size: body.length, oid: '0',
      ...(/\.(gguf|safetensors)$/.test(path) && { lfs: { oid: sha256Of(body), size: body.length } }),
    }));
    response.writeHead(found.length > 0 ? 200 : 404, { ...CORS, 'content-type': 'application/json' })
      .end(JSON.stringify(found));
  }

  /** @param {import('node:http').ServerResponse} response
   *  @param {{ body: Buffer, behavior: Behavior, asked: number }} entry
   *  @param {import('node:http').IncomingHttpHeaders} headers */
  function answer(response, entry, headers) {
    const { body, behavior } = entry;
    const { cut, cuts = 1, ranges = true, redirect, token, stall } = behavior;
    if (token && headers.authorization !== `Bearer ${token}`) return response.writeHead(401, CORS).end();
    if (redirect) return response.writeHead(302, { ...CORS, location: redirect }).end();
    const etag = behavior.etag === undefined ? `"${sha256Of(body).slice(0, 16)}"` : behavior.etag;
    const same = headers['if-range'] === undefined || headers['if-range'] === etag;
    const from = ranges && same ? Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0) : 0;
    const head = { ...CORS, ...(etag && { etag }), 'content-type': 'application/octet-stream', ...behavior.headers };
    if (from > 0 && from >= body.length) {
      return response.writeHead(416, { ...head, 'content-range': `bytes */${body.length}` }).end();
    }
    const range = from > 0 && { 'content-range': `bytes ${from}-${body.length - 1}/${body.length}` };
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': body.length - from, ...range, ...head });
    if (cut === undefined || entry.asked++ >= cuts) return response.end(body.subarray(from));
    response.write(body.subarray(from, from + cut), () => void (stall || setTimeout(() => response.destroy(), 20)));
  }

  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    put,
    close: () => new Promise((resolve) => {
      server.close(() => resolve(undefined));
      server.closeAllConnections();
    }),
  };
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag, content-range, x-linked-etag',
};
