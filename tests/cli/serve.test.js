// The server of `heed serve`: types, headers, and access to its folder only.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startServer } from '../../js/cli/server.js';

/** A request with the exact path; fetch would normalize it.
 *  @returns {Promise<{ status: number, headers: object, body: string }>} */
function get(url, path, method = 'GET', headers = {}) {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const sent = request({ hostname, port, path, method, headers }, async (response) => {
      let body = '';
      for await (const chunk of response.setEncoding('utf8')) body += chunk;
      resolve({ status: response.statusCode, headers: response.headers, body });
    });
    sent.on('error', reject).end();
  });
}

let folder;
let server;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heed-serve-'));
  await mkdir(join(folder, 'site/sub folder'), { recursive: true });
  await mkdir(join(folder, 'models'));
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await mkdir(join(folder, 'site-secret'));
  await writeFile(join(folder, 'site-secret/index.html'), 'secret');
  await writeFile(join(folder, 'site/index.html'), 'front');
  await writeFile(join(folder, 'site/sub folder/index.html'), 'sub');
  await writeFile(join(folder, 'site/a.js'), 'export {}');
  await writeFile(join(folder, 'site/heed.wasm'), 'x');
  await writeFile(join(folder, 'models/tiny.gguf'), 'GGUF');
  await symlink('../secret.txt', join(folder, 'site/link.txt'));
  server = await startServer({ root: join(folder, 'site'), mounts: { '/models/': [join(folder, 'models')] } });
});
after(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

test('files have their content types', async () => {
  for (const [path, type, body] of [
    ['/', 'text/html; charset=utf-8', 'front'],
    ['/index.html?x=1', 'text/html; charset=utf-8', 'front'],
    ['/a.js', 'text/javascript; charset=utf-8', 'export {}'],
    ['/heed.wasm', 'application/wasm', 'x'],
    ['/sub%20folder/', 'text/html; charset=utf-8', 'sub'],
    ['/models/tiny.gguf', 'application/octet-stream', 'GGUF'],
  ]) {
    const answer = await get(server.url, path);
    assert.equal(answer.status, 200, path);
    assert.equal(answer.headers['content-type'], type, path);
    assert.equal(answer.body, body, path);
  }
});

test('a cached file gets status 304 until it changes', async () => {
  const path = join(folder, 'site/changing.js');
  await writeFile(path, 'export const n = 1');
  const first = await get(server.url, '/changing.js');
  const again = (/** @type {string} */ method) =>
    get(server.url, '/changing.js', method, { 'if-none-match': first.headers.etag });
  for (const method of ['GET', 'HEAD']) {
    const { status, headers, body } = await again(method);
    assert.deepEqual([status, body, headers.etag], [304, '', first.headers.etag], method);
    assert.equal(headers['content-security-policy'], first.headers['content-security-policy']);
    assert.equal(headers['cache-control'], 'no-cache');
  }
  await writeFile(path, 'export const n = 22');
  const changed = await again('GET');
  assert.deepEqual([changed.status, changed.body], [200, 'export const n = 22']);
  assert.notEqual(changed.headers.etag, first.headers.etag);
});

test('every response has headers for isolation and the policy', async () => {
  for (const path of ['/', '/nothing']) {
    const { headers } = await get(server.url, path);
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
    assert.equal(headers['cross-origin-embedder-policy'], 'require-corp');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.match(headers['content-security-policy'], /^default-src 'none'; .*frame-ancestors 'none'$/);
    assert.doesNotMatch(headers['content-security-policy'], /unsafe-inline|'unsafe-eval'/);
  }
});

test('a course page of another origin may frame pages below the given path only', async (t) => {
  const framing = await startServer({ root: join(folder, 'site'), framed: '/sub folder/' });
  t.after(() => framing.close());
  const policy = async (/** @type {string} */ path) =>
    (await get(framing.url, path)).headers['content-security-policy'];
  assert.match(await policy('/'), /frame-ancestors 'none'/);
  const page = await get(framing.url, '/sub%20folder/');
  assert.equal(page.status, 200);
  assert.doesNotMatch(page.headers['content-security-policy'], /frame-ancestors/);
  assert.equal(page.headers['cross-origin-resource-policy'], 'cross-origin');
});

test('pages of an own folder may contain scripts, and the page of heed may not', { timeout: 60_000 }, async (t) => {
  /** Headers of the front page under `heed serve`. @param {string[]} place */
  const headersOf = async (...place) => {
    const cli = fileURLToPath(new URL('../../js/cli.js', import.meta.url));
    const running = spawn(process.execPath, [cli, 'serve', ...place, '--port', '0'],
      { stdio: ['ignore', 'pipe', 'ignore'] });
    t.after(() => running.kill());
    const url = String((await once(running.stdout, 'data'))[0]).trim();
    return (await get(url, '/')).headers;
  };
  const own = await headersOf(join(folder, 'site'));
  assert.equal(own['content-security-policy'], "frame-ancestors 'none'");
  assert.equal(own['cross-origin-opener-policy'], 'same-origin');
  assert.equal(own['cross-origin-embedder-policy'], 'require-corp');
  const page = await headersOf();
  assert.match(page['content-security-policy'], /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval';/);
});

test('files outside of the folder are not served', async () => {
  for (const path of [
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/sub%20folder/../../secret.txt',
    '/..%5csecret.txt',
    '/link.txt',
    '/../site-secret/',
    '/models/../../secret.txt',
    '/models/..%2fsecret.txt',
    `/${folder}/secret.txt`,
    '/%00',
    '/%zz',
    '/missing',
  ]) {
    const { status, body } = await get(server.url, path);
    assert.ok(status === 404 || status === 400, `${path}: ${status}`);
    assert.doesNotMatch(body, /^secret/, path);
  }
});

test('hidden files, and files in hidden folders, are not served', async () => {
  await mkdir(join(folder, 'site/.git'));
  await writeFile(join(folder, 'site/.git/config'), 'secret');
  await writeFile(join(folder, 'site/.env'), 'secret');
  await symlink('.env', join(folder, 'site/env.txt'));
  for (const path of ['/.git/config', '/.env', '/%2eenv', '/env.txt']) {
    const { status, body } = await get(server.url, path);
    assert.equal(status, 404, path);
    assert.doesNotMatch(body, /^secret/, path);
  }
});

test('packages of pnpm are served: links to node_modules/.pnpm, and no other hidden name', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'heed-pnpm-'));
  t.after(() => rm(root, { recursive: true }));
  const site = join(root, 'site');
  /** @param {string} path @param {string} text */
  const write = async (path, text) => {
    await mkdir(join(site, path, '..'), { recursive: true });
    await writeFile(join(site, path), text);
  };
  const store = 'node_modules/.pnpm';
  const own = `${store}/heed@0.1.0/node_modules`;
  await write(`${own}/heed/dist/heed.js`, 'heed');
  await write(`${own}/heed/.npmrc`, 'secret');
  await write(`${store}/@scope+part@1.0.0/node_modules/@scope/part/index.js`, 'part');
  await write(`${store}/.hidden/a.js`, 'secret');
  await write('node_modules/.modules.yaml', 'secret');
  await write('node_modules/.bin/heed', 'secret');
  await write('node_modules/.pnpm-lock/a.js', 'secret');
  await write('.pnpm/a.js', 'secret');
  await write('src/.pnpm/a.js', 'secret');
  await mkdir(join(root, 'store'));
  await writeFile(join(root, 'store/a.js'), 'secret');
  await mkdir(join(site, own, '@scope'));
  await symlink('../../../@scope+part@1.0.0/node_modules/@scope/part', join(site, own, '@scope/part'));
  await symlink('.pnpm/heed@0.1.0/node_modules/heed', join(site, 'node_modules/heed'));
  await symlink('.pnpm/.hidden', join(site, 'node_modules/hidden'));
  await symlink('../../store', join(site, 'node_modules/outside'));
  await symlink('../../../store', join(site, store, 'outside'));
  const pnpm = await startServer({ root: site });
  t.after(() => pnpm.close());
  for (const [path, text] of [['/node_modules/heed/dist/heed.js', 'heed'], [`/${own}/heed/dist/heed.js`, 'heed'],
    [`/${own}/@scope/part/index.js`, 'part']]) {
    const { status, body, headers } = await get(pnpm.url, path);
    assert.deepEqual([status, body, headers['content-type']], [200, text, 'text/javascript; charset=utf-8'], path);
  }
  for (const path of ['/node_modules/heed/.npmrc', '/node_modules/.modules.yaml', '/node_modules/.bin/heed',
    '/node_modules/.pnpm-lock/a.js', '/.pnpm/a.js', '/src/.pnpm/a.js', '/node_modules/hidden/a.js',
    `/${store}/.hidden/a.js`, '/node_modules/outside/a.js', `/${store}/outside/a.js`]) {
    const { status, body } = await get(pnpm.url, path);
    assert.deepEqual([status, body.includes('secret')], [404, false], path);
  }
});

test('a named pipe is not served, and does not stop the server', { timeout: 60_000 }, async () => {
  execFileSync('mkfifo', [join(folder, 'site/pipe.gguf')]);
  // More requests than Node.js has threads for files, so blocking opens would stop all other requests.
  const answers = await Promise.all(Array.from({ length: 8 }, () => get(server.url, '/pipe.gguf')));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [404]);
  assert.equal((await get(server.url, '/a.js')).status, 200);
});

test('only requests for names of this machine and for given names are answered', async (t) => {
  const named = await startServer({ root: join(folder, 'site'), hosts: ['Heed.Example'] });
  t.after(() => named.close());
  const status = async (host) => (await get(named.url, '/', 'GET', { host })).status;
  for (const host of ['localhost', 'localhost:8000', '127.0.0.1:1', '[::1]:80', 'heed.example', 'HEED.example:443']) {
    assert.equal(await status(host), 200, host);
  }
  for (const host of ['attacker.example', 'localhost.attacker.example', '127.0.0.1.nip.example:8000']) {
    assert.equal(await status(host), 421, host);
  }
});

test('abandoned downloads close their files', { timeout: 60_000 }, async (t) => {
  await writeFile(join(folder, 'site/large.gguf'), new Uint8Array(4_000_000));
  const library = JSON.stringify(new URL('../../js/cli/server.js', import.meta.url).href);
  const script = `import { startServer } from ${library};
    console.log((await startServer({ root: ${JSON.stringify(join(folder, 'site'))} })).url);`;
  const limited = ['-c', 'ulimit -n 64 && exec "$0" --input-type=module -e "$1"', process.execPath, script];
  const running = spawn('bash', limited, { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => running.kill());
  const url = new URL(String((await once(running.stdout, 'data'))[0]).trim());
  for (let i = 0; i < 150; i++) {
    const socket = connect(Number(url.port), url.hostname);
    socket.write(`GET /large.gguf HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
    await once(socket, 'data');
    socket.destroy();
  }
  assert.equal((await get(url.href, '/a.js')).status, 200);
});

test('the address of a folder without a slash redirects to the folder', async () => {
  const { status, headers } = await get(server.url, '/sub%20folder');
  assert.equal(status, 301);
  assert.equal(headers.location, 'sub%20folder/');
});

test('missing files below the home path lead to it, and others are missing', async (t) => {
  const homed = await startServer({ root: join(folder, 'site'), home: '/docs/' });
  t.after(() => homed.close());
  const { status, headers } = await get(homed.url, '/docs/documents/None.html');
  assert.deepEqual([status, headers.location], [302, '/docs/']);
  for (const path of ['/docs/', '/none.html']) assert.equal((await get(homed.url, path)).status, 404, path);
});

test('only GET and HEAD are answered', async () => {
  assert.equal((await get(server.url, '/', 'POST')).status, 405);
  const head = await get(server.url, '/', 'HEAD');
  assert.deepEqual([head.status, head.headers['content-length'], head.body], [200, '5', '']);
});

test('a port in use is replaced by the next free port', async () => {
  const taken = createServer();
  await new Promise((listening) => taken.listen(0, '127.0.0.1', listening));
  const { port } = taken.address();
  const second = await startServer({ root: folder, port });
  assert.ok(second.port > port && second.port < port + 100);
  await second.close();
  taken.close();
});
