// Kept models in Node: downloads across loads, checks, crashes, several processes, names of strangers.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { kept, load } from '../../js/index.js';
import { sha256 } from '../../js/files/keep/sha256.js';
import { sha256Of, startHub } from '../support/hub.js';
import { rejects } from '../support/expect.js';
import { STORIES } from '../support/model.js';
import { tinyGguf } from '../support/tiny-gguf.js';

const TINY = await tinyGguf();
const HALF = TINY.length >> 1;

describe('kept models in Node', () => {
  /** @type {Awaited<ReturnType<typeof startHub>>} */ let hub;
  /** @type {string} */ let folder;
  /** @type {string} */ let address;

  before(async () => {
    hub = await startHub({});
    address = `${hub.url}/tiny.gguf`;
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heed-keep-'));
    process.env.HEED_CACHE = folder;
    hub.put('tiny.gguf', TINY);
    hub.requests.length = 0;
  });
  after(async () => {
    delete process.env.HEED_CACHE;
    await hub.close();
  });

  /** Loads, disposes, and returns the info. @param {any} source @param {object} [options] */
  async function info(source, options = {}) {
    const model = await load(source, { keep: true, stallMs: 10_000, ...options });
    model.dispose();
    return model.info;
  }
  const place = (name = address) => join(folder, 'models', sha256(name));
  const count = () => hub.requests.length;

  test('a kept model opens without a request, is listed, measured and deleted', async () => {
    assert.deepEqual(await kept(), []);
    assert.equal(await kept.bytes(), 0);
    const first = await info(address);
    assert.match(first.kept.why, /^The model was downloaded and is kept in /);
    assert.equal(count(), 1);
    const second = await info(address);
    assert.deepEqual([second.kept.kept, second.file, count()], [true, 'tiny.gguf', 1]);
    assert.match(second.kept.why, /without a request/);
    assert.equal((await info(address, { keep: undefined, offline: true })).parameters, first.parameters);
    assert.equal((await info(address, { worker: true, offline: true })).file, 'tiny.gguf');
    assert.equal(count(), 1);
    const [model, ...others] = await kept();
    assert.deepEqual(others, []);
    const { date, ...rest } = model;
    assert.ok(Math.abs(Date.now() - Number(date)) < 600_000);
    assert.deepEqual(rest, { name: address, bytes: TINY.length, totalBytes: TINY.length, complete: true,
      etag: `"${sha256Of(TINY).slice(0, 16)}"` });
    assert.equal(await kept.bytes(), TINY.length);
    assert.equal(await kept.delete('another'), false);
    assert.equal(await kept.delete(address), true);
    assert.deepEqual([await kept(), await kept.bytes(), await readdir(join(folder, 'models'))], [[], 0, []]);
    await rejects(kept.delete(/** @type {any} */ (3)), 'bad-argument', /Expected the name of a kept model/);
  });

  test('offline: true without the model names the kept models', async () => {
    await rejects(load(address, { offline: true }), 'unavailable',
      /^‘http.*tiny\.gguf’ is not kept in .* No model is kept\./);
    await info(address);
    await rejects(load(`${hub.url}/other.gguf`, { offline: true }), 'unavailable',
      /^‘http.*other\.gguf’ is not kept in .*Kept are ‘http:.*tiny\.gguf’ \(\d+ kB\)\. Load it once with keep: true/);
    assert.equal(count(), 1);
    assert.equal((await info(STORIES, { offline: true })).layers, 6, 'a path is not an address');
    await rejects(load(address, /** @type {any} */ ({ keep: 1 })), 'bad-argument', /keep is ‘1’; it is true or false/);
  });

  test('a cut download continues in the next load, with If-Range', async () => {
    await cutInHalf();
    const [{ complete, bytes, totalBytes }] = await kept();
    assert.deepEqual([complete, bytes, totalBytes], [false, HALF, TINY.length]);
    await rejects(load(address, { offline: true }), 'unavailable', /is only kept in part/);
    /** @type {number[]} */ const loaded = [];
    await info(address, { onProgress: (/** @type {any} */ { phase, loadedBytes }) =>
      phase === 'download' && loaded.push(loadedBytes) });
    assert.equal(loaded.at(-1), TINY.length);
    assert.deepEqual(hub.requests.at(-1), { path: 'tiny.gguf', range: `bytes=${HALF}-`,
      ifRange: `"${sha256Of(TINY).slice(0, 16)}"` });
    assert.deepEqual(await readFile(join(place(), 'tiny.gguf')), Buffer.from(TINY));
    assert.deepEqual((await readdir(place())).sort(), ['tiny.gguf', 'whole.json']);
  });

  /** Leaves the first half in the store. */
  async function cutInHalf(more = {}) {
    hub.put('tiny.gguf', TINY, { cut: HALF, stall: true, ...more });
    const stop = new AbortController();
    const onProgress = (/** @type {any} */ { loadedBytes }) => loadedBytes === HALF && stop.abort();
    await rejects(info(address, { signal: stop.signal, onProgress }), 'aborted');
    assert.equal((await kept())[0].bytes, HALF);
    hub.requests.length = 0;
  }

  test('a server without ranges sends all again; a changed file is downloaded from its first byte', async () => {
    await cutInHalf({ cuts: 99 });
    hub.put('tiny.gguf', TINY, { ranges: false });
    await info(address);
    assert.deepEqual(await readFile(join(place(), 'tiny.gguf')), Buffer.from(TINY));
    await kept.delete(address);

    await cutInHalf({ cuts: 99 });
    const other = await tinyGguf({ layers: 2 });
    hub.put('tiny.gguf', other);
    assert.equal((await info(address)).layers, 2);
    assert.deepEqual(hub.requests.map(({ range }) => range), [`bytes=${HALF}-`, undefined]);
    assert.deepEqual(await readFile(join(place(), 'tiny.gguf')), Buffer.from(other));
  });

  test('a file without ETag and date is not continued', async () => {
    await cutInHalf({ cuts: 99, etag: null });
    hub.put('tiny.gguf', TINY);
    await info(address);
    assert.deepEqual(hub.requests.map(({ range }) => range), [undefined]);
  });

  test('the announced SHA-256 and length are checked, and a wrong file is not kept', async () => {
    const wrong = { headers: { 'x-linked-etag': `"${'0'.repeat(64)}"` } };
    hub.put('tiny.gguf', TINY, wrong);
    await rejects(info(address), 'unavailable', /‘tiny\.gguf’ was not kept, because its SHA-256 is [0-9a-f]{64}, and/);
    assert.deepEqual(await kept(), []);
    await cutInHalf({ headers: { 'x-linked-etag': `"${sha256Of(TINY)}"` } });
    await info(address);
    assert.equal((await kept())[0].complete, true, 'the checksum includes the earlier half');
  });

  test('a half that was damaged on the disk is found by its checksum and downloaded again', async () => {
    await cutInHalf({ headers: { 'x-linked-etag': `"${sha256Of(TINY)}"` } });
    await writeFile(join(place(), 'tiny.gguf'), new Uint8Array(HALF));
    await info(address);
    assert.deepEqual(await readFile(join(place(), 'tiny.gguf')), Buffer.from(TINY));
  });

  test('every state that a crash can leave ends in the same kept file', async () => {
    await info(address);
    const whole = await readFile(join(place(), 'whole.json'), 'utf8');
    const part = { 'part.json': whole };
    /** @type {[string, Record<string, string | Uint8Array>, (string | undefined)[]][]} */
    const states = [
      ['after the folder', {}, [undefined]],
      ['after the note of the part', part, [undefined]],
      ['in the data', { ...part, 'tiny.gguf': TINY.subarray(0, 100) }, ['bytes=100-']],
      ['after the data', { ...part, 'tiny.gguf': TINY }, [`bytes=${TINY.length}-`]],
      ['in a note', { 'part.json': whole.slice(0, 50), 'tiny.gguf': TINY }, [undefined]],
      ['before the new name of a note', { ...part, 'tiny.gguf': TINY, 'whole.json.1234': whole },
        [`bytes=${TINY.length}-`]],
      ['after the whole note', { ...part, 'whole.json': whole, 'tiny.gguf': TINY }, []],
      ['data that became shorter', { 'whole.json': whole, 'tiny.gguf': TINY.subarray(0, 100) }, [undefined]],
      ['a note without data', { 'whole.json': whole }, [undefined]],
      ['more data than the file has', { ...part, 'tiny.gguf': new Uint8Array(TINY.length + 9) }, [
        `bytes=${TINY.length + 9}-`, undefined]],
    ];
    for (const [when, files, ranges] of states) {
      for (const name of await readdir(place())) await rm(join(place(), name));
      for (const [name, content] of Object.entries(files)) await writeFile(join(place(), name), content);
      hub.requests.length = 0;
      await info(address);
      assert.deepEqual(hub.requests.map(({ range }) => range), ranges, when);
      assert.deepEqual(await readFile(join(place(), 'tiny.gguf')), Buffer.from(TINY), when);
      assert.deepEqual((await kept()).map(({ complete }) => complete), [true], when);
    }
  });

  /** Starts a process that loads with keep. @param {string} source */
  const process2 = (source) => spawn(process.execPath, ['--input-type=module', '-e', `
    import { load } from '${new URL('../../js/index.js', import.meta.url).href}';
    const model = await load('${source}', { keep: true, onProgress: (now) => console.log(JSON.stringify(now)) });
    console.log(model.info.kept.why);
    model.dispose();`], { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, HEED_CACHE: folder } });

  test('a process that was killed in a download leaves a part, which the next load completes', async () => {
    hub.put('tiny.gguf', TINY, { cut: HALF, stall: true });
    const child = process2(address);
    await new Promise((resolve) => child.stdout.on('data', (text) => String(text).includes('download') && resolve(1)));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.on('exit', resolve));
    await info(address);
    assert.deepEqual(hub.requests.map(({ range }) => range), [undefined, `bytes=${HALF}-`]);
  });

  test('two processes and two calls that load the same file download it once', async () => {
    const child = process2(address);
    let said = '';
    child.stdout.on('data', (text) => (said += text));
    const ended = new Promise((resolve) => child.on('exit', resolve));
    await Promise.all([info(address), info(address), ended]);
    assert.match(said, /The model was/);
    assert.equal(count(), 1);
    assert.deepEqual((await readdir(join(folder, 'models'))), [sha256(address)]);
  });

  test('names of strangers never become other paths', async () => {
    for (const name of ['..%2f..%2fescape.gguf', '%2e%2e', 'con', 'NUL.gguf', 'part.json', 'whole.json', '.hidden',
      `${'a'.repeat(300)}.gguf`, 'a%00b.gguf', 'dot.', 'é.gguf']) {
      const path = decodeURIComponent(name).replace(/^\.\.$/, '');
      hub.put(path, TINY);
      const { kept: done } = await info(`${hub.url}/${name}`)
        .catch(({ message }) => ({ kept: { kept: false, why: message } }));
      assert.ok(done.kept || /404/.test(done.why), `${name}: ${done.why}`);
    }
    const keys = await readdir(join(folder, 'models'));
    assert.deepEqual(await readdir(folder), ['models']);
    for (const key of keys) {
      assert.match(key, /^[0-9a-f]{64}$/);
      assert.deepEqual((await readdir(join(folder, 'models', key))).sort(), ['file', 'whole.json']);
    }
  });

  test('a folder that cannot be written: the model loads without keeping, and says why', async () => {
    await writeFile(join(folder, 'models'), 'not a folder');
    const { kept: said, layers } = await info(address);
    assert.equal(layers, 1);
    assert.equal(said.kept, false);
    assert.match(said.why, /is not kept, because nothing can be stored in .*models/);
    process.env.HEED_CACHE = 'relative';
    await rejects(info(address), 'bad-argument', /name a folder from the root on, not relative/);
  });

  test('a file that cannot fit into memory is refused before it is downloaded', async () => {
    const huge = { headers: { 'content-length': String(20 * 2 ** 30) }, cut: 1000, stall: true };
    hub.put('huge.gguf', TINY, huge);
    await rejects(info(`${hub.url}/huge.gguf`), 'too-large',
      /need 20\.0 GB of memory; WebAssembly has at most (4|16) GB.*\. Nothing was downloaded\. Load a smaller model/);
    assert.deepEqual(await kept(), []);
  });
});
