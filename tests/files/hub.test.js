// Files of a hub by their names: addresses, invalid names, and errors of the hub.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { load } from '../../js/index.js';
import { hubAddress } from '../../js/files/hub.js';
import { heedError } from '../support/model.js';

const STORIES = new URL('../../models/stories.gguf', import.meta.url);

let server;
let hub;
/** @type {string[]} */
const asked = [];
before(async () => {
  const file = await readFile(STORIES);
  const answers = {
    '/heed/stories/resolve/main/stories.gguf': (response) => response.writeHead(200).end(file),
    '/mirror/heed/stories/resolve/v1.0/q8/stories.gguf': (response) =>
      response.writeHead(302, { location: '/elsewhere/3f' }).end(),
    '/elsewhere/3f': (response) => response.writeHead(200).end(file),
    '/gated/model/resolve/main/model.gguf': (response) => response.writeHead(401, 'Unauthorized').end(),
    '/gated/other/resolve/main/model.gguf': (response) => response.writeHead(403, 'Forbidden').end(),
  };
  server = createServer(({ url, headers }, response) => {
    assert.equal(headers.authorization ?? headers.cookie, undefined);
    asked.push(url);
    if (answers[url]) answers[url](response);
    else response.writeHead(404, 'Not Found').end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  hub = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

test('a name becomes the address of its file, of the main revision by default', () => {
  assert.equal(hubAddress('hf:owner/name/file.gguf'), 'https://huggingface.co/owner/name/resolve/main/file.gguf');
  assert.equal(hubAddress('hf:Qwen/Qwen2.5-0.5B@refs-pr.1/gguf/q8_0.gguf'),
    'https://huggingface.co/Qwen/Qwen2.5-0.5B/resolve/refs-pr.1/gguf/q8_0.gguf');
  assert.equal(hubAddress('hf:a/b/c.gguf', 'http://localhost:8000/mirror/'),
    'http://localhost:8000/mirror/a/b/resolve/main/c.gguf');
});

test('a model loads by its name, in this thread and in a Worker, from a mirror and through a redirect', async () => {
  for (const [worker, id, at] of [[false, 'hf:heed/stories/stories.gguf', hub],
    [true, new URL('hf:heed/stories/stories.gguf'), hub],
    [false, { weights: 'hf:heed/stories@v1.0/q8/stories.gguf' }, `${hub}/mirror/`]]) {
    const model = await load(id, { worker, hub: at });
    assert.equal(model.info.file, 'stories.gguf');
    assert.equal(model.info.layers, 6);
    model.dispose();
  }
});

test('invalid names are refused without a request', async () => {
  asked.length = 0;
  for (const id of ['hf:', 'hf:owner', 'hf:owner/name:', 'hf:owner/name:Q4/file.gguf', 'hf:owner/name/',
    'hf:owner/../../file.gguf',
    'hf:../name/file.gguf', 'hf:owner/name/../file.gguf', 'hf:owner/name/a..b.gguf', 'hf:owner/name@/file.gguf',
    'hf:owner/name@../file.gguf', 'hf:owner/name@a@b/file.gguf', 'hf://other.example/name/file.gguf',
    'hf:user@other.example/name/file.gguf', 'hf:owner/name/%2e%2e/file.gguf', 'hf:owner/name/file.gguf?x=1',
    'hf:owner/name/file.gguf#x', 'hf:owner\\name/a/f.gguf', 'hf:owner/name/.hidden', 'hf:owner/name//file.gguf',
    'hf:owner/name/a b.gguf', 'hf:owner/name/file.gguf\n']) {
    await assert.rejects(load(id, { hub }),
      heedError('bad-source', /Expected hf:owner\/name\/file/), id);
  }
  for (const at of ['', 'huggingface.co', 'ftp://a.b', 'http://user:secret@a.b', 'http://a.b?c', 3, null]) {
    await assert.rejects(load('hf:heed/stories/stories.gguf', { hub: at }),
      heedError('bad-argument', /^Expected hub to be /), `${at}`);
  }
  assert.deepEqual(asked, []);
});

test('a page of the hub, and a name without hf:, are refused with the name to write', async () => {
  for (const rest of ['', '/tree/main']) {
    await assert.rejects(load(`https://huggingface.co/Qwen/Qwen2.5-0.5B${rest}`),
      heedError('bad-source', /page about a repository\. Write ‘hf:Qwen\/Qwen2\.5-0\.5B’/));
  }
  await assert.rejects(load('Qwen/Qwen2.5-0.5B-GGUF'),
    heedError('unavailable', /no file or folder .*repository of the hub, write ‘hf:Qwen\/Qwen2.5-0.5B-GGUF’/));
  await assert.rejects(load('Qwen/model.gguf'), heedError('unavailable', /ENOENT.*Check the path/));
});

test('the path of a packaged model that is not in this folder is refused with its path in the package', async () => {
  const project = await mkdtemp(join(tmpdir(), 'heed-project-'));
  const before = process.cwd();
  const packaged = 'node_modules/heed/models/stories.gguf';
  await mkdir(join(project, dirname(packaged)), { recursive: true });
  await copyFile(STORIES, join(project, packaged));
  process.chdir(project);
  try {
    await assert.rejects(load('models/stories.gguf'), { code: 'unavailable', message: 'There is no file or folder ' +
      `‘models/stories.gguf’. The package has this model: write ‘${packaged}’.` });
    (await load(packaged)).dispose();
    await assert.rejects(load('models/other.gguf'), heedError('unavailable', /ENOENT/));
  } finally {
    process.chdir(before);
    await rm(project, { recursive: true });
  }
});

test('a hub that does not answer: the error names the repository and the cause', async () => {
  const gone = createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (gone.address());
  await new Promise((resolve) => gone.close(resolve));
  const folder = await mkdtemp(join(tmpdir(), 'heed-hub-'));
  process.env.HEED_CACHE = folder;
  try {
    for (const keep of [false, true]) {
      await assert.rejects(load('hf:foo/bar', { hub: `http://127.0.0.1:${port}`, keep }), heedError('unavailable',
        /^‘hf:foo\/bar’ could not be fetched from 127\.0\.0\.1:\d+ \(connect ECONNREFUSED [\d.:]+\)\. Check/));
    }
  } finally {
    delete process.env.HEED_CACHE;
    await rm(folder, { recursive: true });
  }
});

test('an error of the hub becomes an error with advice', async () => {
  for (const name of ['model', 'other']) {
    await assert.rejects(load(`hf:gated/${name}/model.gguf`, { hub }), heedError('unavailable',
      /‘model\.gguf’ is private, gated or missing: 127\.0\.0\.1:\d+ answered 40[13] .*download the file/));
  }
  await assert.rejects(load('hf:heed/stories/absent.gguf', { hub }),
    heedError('unavailable', /‘absent\.gguf’ could not be downloaded: .*404 Not Found.*Check the address/));
});
