// Whole repositories of a hub: which files are chosen, tokens, mirrors, and repositories that are kept.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { kept, load } from '../../js/index.js';
import { PRECISIONS, pickFiles } from '../../js/files/keep/pick.js';
import { filesIn } from '../../js/files/hub.js';
import { whyNotMemory64 } from '../../js/memory64.js';
import { rejects } from '../support/expect.js';
import { sha256Of, startHub } from '../support/hub.js';
import { splitGguf, tinyGguf } from '../support/tiny-gguf.js';
import { CONFIG, tinySafetensors } from '../support/tiny-safetensors.js';

const [Q4, Q8, F16] = await Promise.all(/** @type {const} */ (['q4_0', 'q8_0', 'f16'])
  .map((type) => tinyGguf({ type })));
const PARTS = await splitGguf(2, { layers: 2 });

/** A model of two shards with its index. @returns {Record<string, Uint8Array | string>} */
function shards() {
  const names = Object.keys(tinySafetensors().values);
  const parts = [names.slice(0, 6), names.slice(6)];
  const file = (/** @type {number} */ i) => `model-0000${i + 1}-of-00002.safetensors`;
  return {
    ...Object.fromEntries(parts.map((only, i) => [file(i), tinySafetensors({ only }).weights])),
    'model.safetensors.index.json': JSON.stringify({
      weight_map: Object.fromEntries(parts.flatMap((only, i) => only.map((name) => [name, file(i)]))),
    }),
    'config.json': JSON.stringify(CONFIG),
  };
}

const under = (/** @type {string} */ folder, /** @type {Record<string, any>} */ files) =>
  Object.fromEntries(Object.entries(files).map(([name, body]) => [`${folder}/${name}`, body]));

describe('repositories of a hub', () => {
  /** @type {Awaited<ReturnType<typeof startHub>>} */ let hub;
  /** @type {string} */ let folder;
  before(async () => {
    hub = await startHub({
      ...under('me/gguf', { 'README.md': 'text', 'tiny-Q8_0.gguf': Q8, 'tiny-Q4_0.gguf': Q4, 'tiny.f16.gguf': F16,
        'mmproj-tiny-f16.gguf': F16, 'Q6_K/tiny-Q6_K-00001-of-00002.gguf': PARTS[0],
        'Q6_K/tiny-Q6_K-00002-of-00002.gguf': PARTS[1] }),
      ...under('me/shards', shards()),
      ...under('me/whole', { 'model.safetensors': tinySafetensors().weights, 'config.json': JSON.stringify(CONFIG),
        'adapter_model.safetensors': 'x' }),
      ...under('me/bare', { 'README.md': 'text' }),
      ...under('me/two', { 'a-Q4_0.gguf': Q4, 'b-Q4_0.gguf': Q4 }),
    });
    hub.put('me/private/tiny-Q8_0.gguf', Q8, { token: 'hf_secret' });
  });
  beforeEach(async () => {
    hub.requests.length = 0;
    folder = await mkdtemp(join(tmpdir(), 'heed-hub-'));
    process.env.HEED_CACHE = folder;
  });
  after(async () => {
    delete process.env.HEED_CACHE;
    await hub.close();
  });

  /** @param {any} source @param {object} [options] */
  async function info(source, options = {}) {
    const model = await load(source, { hub: hub.url, stallMs: 10_000, ...options });
    model.dispose();
    return model.info;
  }
  const asked = () => hub.requests.map(({ path }) => path.replace(/.*\//, ''));

  test('the file is chosen by precision: the wanted one, or the first of the documented order', async () => {
    assert.equal((await info('hf:me/gguf')).file, 'tiny-Q4_0.gguf');
    assert.deepEqual(asked(), ['main', 'tiny-Q4_0.gguf']);
    assert.equal((await info('hf:me/gguf:q8_0')).file, 'tiny-Q8_0.gguf');
    assert.equal((await info('hf:me/gguf@v1.0:F16', { worker: true })).file, 'tiny.f16.gguf');
    assert.deepEqual(hub.requests.at(-2)?.path, 'api/models/me/gguf/tree/v1.0');
    assert.deepEqual(hub.requests.at(-1)?.path, 'me/gguf/resolve/v1.0/tiny.f16.gguf');
    const split = await info('hf:me/gguf:Q6_K');
    assert.deepEqual([split.file, split.layers], ['tiny-Q6_K-00001-of-00002.gguf', 2]);
    await rejects(info('hf:me/gguf:Q5_K_M'), 'unavailable',
      /‘hf:me\/gguf:Q5_K_M’ has no GGUF file of Q5_K_M\. It has Q4_0, Q8_0, Q6_K, F16\./);
  });

  test('safetensors: one file, or shards with their index', async () => {
    const whole = await info('hf:me/whole');
    assert.deepEqual([whole.format, whole.file], ['safetensors', 'model.safetensors']);
    assert.equal((await info('hf:me/shards')).parameters, whole.parameters);
    await rejects(info('hf:me/whole:Q4_K_M'), 'unavailable', /has no GGUF file of Q4_K_M.*by quantize/);
  });

  test('repositories without a model, with two equal ones, or that do not exist', async () => {
    await rejects(info('hf:me/bare'), 'unavailable', /has no model that heed reads: no GGUF file, and no safetensors/);
    await rejects(info('hf:me/two'), 'bad-source',
      /has 2 GGUF files of Q4_0: ‘a-Q4_0\.gguf’, ‘b-Q4_0\.gguf’\. Name one: ‘hf:me\/two\/a-Q4_0\.gguf’\./);
    await rejects(info('hf:me/two:Q4_0'), 'bad-source', /Name one: ‘hf:me\/two\/a-Q4_0\.gguf’\./);
    await rejects(info('hf:me/absent'), 'unavailable', /404/);
    await rejects(info({ weights: 'hf:me/gguf' }), 'bad-source',
      /names a repository; here one of its files is expected/);
  });

  test('a kept repository opens offline: its list and all of its files are kept', async () => {
    for (const id of ['hf:me/shards', 'hf:me/gguf:Q6_K']) {
      const first = await info(id, { keep: true });
      const requests = hub.requests.length;
      const second = await info(id, { offline: true });
      assert.deepEqual([second.parameters, hub.requests.length], [first.parameters, requests]);
      const [model, ...others] = await kept();
      assert.deepEqual([model.name, model.complete, others.length], [id, true, 0]);
      assert.equal(await kept.delete(id), true);
      assert.deepEqual(await kept(), []);
    }
    const index = `${hub.url}/me/shards/resolve/main/model.safetensors.index.json`;
    const set = { weights: index, config: 'hf:me/shards/config.json' };
    await info(set, { keep: true });
    const requests = hub.requests.length;
    assert.equal((await info(set, { offline: true })).kept?.kept, true);
    assert.equal(hub.requests.length, requests);
    await rejects(info('hf:me/two', { offline: true }), 'unavailable',
      /^‘hf:me\/two’ is not kept.*Kept are ‘.*config\.json/);
  });

  test('the checksum of the list counts; a model that is too large is refused before its download', async () => {
    hub.put('me/gguf/tiny-Q4_0.gguf', Q4, { headers: { 'x-linked-etag': sha256Of(Q8) } });
    assert.equal((await info('hf:me/gguf', { keep: true })).kept?.kept, true, 'the list of the hub comes first');
    hub.put('me/gguf/tiny-Q4_0.gguf', Q4);
    const GB = 2 ** 30;
    const files = [['big-F16.gguf', 6 * GB], ['big-Q4_K_M.gguf', 2 * GB], ['big-Q8_0.gguf', 4.5 * GB]]
      .map(([path, bytes]) => ({ path: String(path), bytes: Number(bytes) }));
    const pick = (/** @type {any} */ wanted) =>
      pickFiles(files, { name: 'hf:a/b', memory64: false, ...wanted }).weights[0].path;
    assert.equal(pick({}), 'big-Q4_K_M.gguf');
    assert.equal(pick({ precision: 'F16', quantize: 'q4_0' }), 'big-F16.gguf');
    assert.throws(() => pick({ precision: 'F16' }),
      /need 6\.0 GB of memory; WebAssembly has at most 4 GB here, because memory64 is false.*‘:Q4_K_M’ instead \(2/);
    const large = () => pick({ precision: 'F16', memory64: undefined });
    if (whyNotMemory64()) assert.throws(large, /at most 4 GB here, because this WebAssembly engine has no 64-bit/);
    else assert.equal(large(), 'big-F16.gguf');
    assert.equal(pick({ memory64: undefined }), 'big-Q4_K_M.gguf', 'a file within 4 GB is preferred');
    const shards = [{ path: 'model.safetensors', bytes: 6 * GB }, { path: 'config.json', bytes: 1 }];
    assert.throws(() => pickFiles(shards, { name: 'hf:a/b', memory64: false }), /Load it with quantize: ‘q4_0’/);
    assert.equal(pickFiles(shards, { name: 'hf:a/b', quantize: 'q8_0' }).weights.length, 1);
    assert.throws(() => pickFiles([files[0], { path: 'x-F32.gguf', bytes: 99 * GB }], { name: 'x', memory64: false }),
      /need/);
    assert.equal(new Set(PRECISIONS).size, PRECISIONS.length);
  });

  test('the token goes to the hub only, and not to the host of a redirect', async () => {
    /** @type {(string | undefined)[]} */ const received = [];
    const elsewhere = createServer(({ headers }, response) => {
      received.push(headers.authorization);
      response.writeHead(200, { 'access-control-allow-origin': '*' }).end(Q8);
    });
    await new Promise((resolve) => elsewhere.listen(0, '127.0.0.1', () => resolve(undefined)));
    const { port } = /** @type {import('node:net').AddressInfo} */ (elsewhere.address());
    try {
      await rejects(info('hf:me/private'), 'unavailable', /private, gated or missing.*give load\(\) a token/);
      let calls = 0;
      const token = async () => (calls++, 'hf_secret');
      for (const options of [{}, { keep: true }, { worker: true }]) {
        assert.equal((await info('hf:me/private', { token, ...options })).layers, 1);
      }
      assert.equal(calls, 3, 'once per load');
      assert.ok(hub.requests.every(({ authorization }, i) => i < 2 || authorization === 'Bearer hf_secret'));
      hub.put('me/moved/tiny-Q8_0.gguf', Q8, { token: 'hf_secret', redirect: `http://localhost:${port}/tiny.gguf` });
      assert.equal((await info('hf:me/moved', { token, keep: true })).layers, 1);
      assert.equal((await info(`http://127.0.0.1:${port}/tiny.gguf`, { token })).layers, 1);
      assert.deepEqual(received, [undefined, undefined]);
      const unset = async () => undefined; // as process.env.HF_TOKEN may be
      await rejects(info('hf:me/private', { token: unset }), 'unavailable', /give load\(\) a token/);
      assert.equal(hub.requests.at(-1)?.authorization, undefined);
      for (const wrong of [() => 'two words', () => 'a\nb: c', () => '', () => null]) {
        await rejects(info('hf:me/private', { token: wrong }), 'bad-argument', /token to return a text of visible/);
      }
      await rejects(info('hf:me/private', { token: 'hf_secret' }), 'bad-argument',
        /token is ‘hf_secret’; it is a function/);
    } finally {
      elsewhere.closeAllConnections();
      elsewhere.close();
    }
  });

  test('a hub below /models has its list at ModelScope’s address, and HF_ENDPOINT names the default hub', async () => {
    const seen = /** @type {string[]} */ ([]);
    const server = createServer(({ url = '' }, response) => {
      seen.push(url);
      if (!url.startsWith('/api/')) return response.writeHead(200).end(Q8);
      const Files = [{ Path: 'tiny-Q8_0.gguf', Size: Q8.length, Type: 'blob', Sha256: sha256Of(Q8) },
        { Path: '../escape-Q4_0.gguf', Size: 1 }, { Path: 'a/./b-Q4_0.gguf', Size: 1 }, { Path: 3 }, null];
      return response.writeHead(200).end(JSON.stringify({ Data: { Files } }));
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    try {
      assert.equal((await info('hf:me/gguf', { hub: `http://127.0.0.1:${port}/models`, keep: true })).kept?.kept, true);
      assert.deepEqual(seen, ['/api/v1/models/me/gguf/repo/files?Revision=master&Recursive=true',
        '/models/me/gguf/resolve/master/tiny-Q8_0.gguf']);
      process.env.HF_ENDPOINT = hub.url;
      assert.equal((await info('hf:me/whole', { hub: undefined })).format, 'safetensors');
    } finally {
      delete process.env.HF_ENDPOINT;
      server.closeAllConnections();
      server.close();
    }
    assert.equal(filesIn({ error: 'x' }), null);
  });

  test('a folder of Node is chosen from like a repository', async () => {
    await mkdir(join(folder, 'model'));
    await rejects(info(join(folder, 'model')), 'unavailable', /has no model that heed reads/);
    for (const [name, body] of Object.entries(shards())) await writeFile(join(folder, 'model', name), body);
    assert.equal((await info(join(folder, 'model'))).format, 'safetensors');
    await mkdir(join(folder, 'model', '1_Pooling'));
    await writeFile(join(folder, 'model', '1_Pooling', 'config.json'), '{"pooling_mode_lasttoken":true}');
    assert.equal((await info(join(folder, 'model'))).pooling, 'last', 'a file in a subfolder');
    await writeFile(join(folder, 'model', 'tiny-Q8_0.gguf'), Q8);
    assert.equal((await info(join(folder, 'model'))).file, 'tiny-Q8_0.gguf');
    await rm(folder, { recursive: true });
  });
});
