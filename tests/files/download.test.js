// Downloads: stalls, lost connections, ranges and resumption.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { openSource } from '../../js/files/source.js';
import { readAll } from '../../js/files/stream.js';
import { rejects } from '../support/expect.js';
import { randomFrom } from '../support/numbers.js';
import { tinyGguf } from '../support/tiny-gguf.js';

const random = randomFrom(17);
const BYTES = Uint8Array.from({ length: 300_000 }, () => random() * 256);
const OTHER = BYTES.map((byte) => byte ^ 1);
const CUT = 100_000;

/** @typedef {import('node:http').IncomingMessage} Request */
/** @typedef {import('node:http').ServerResponse} Response */
/** Behavior of the server for the first request, the second, …; the last entry repeats.
 *  @typedef {((response: Response, request: Request) => void)[]} Answers */

describe('a download', () => {
  /** @type {import('node:http').Server} */ let server;
  /** @type {string} */ let base;
  /** @type {Answers} */ let answers = [];
  /** @type {Request[]} */ const requests = [];

  before(async () => {
    server = createServer((request, response) => {
      requests.push(request);
      answers[Math.min(requests.length, answers.length) - 1](response, request);
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
    base = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
  });
  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** Downloads a file from a server with these answers. @param {Answers} script @param {object} [options] */
  async function download(script, { signal, ...options } = /** @type {any} */ ({})) {
    answers = script;
    requests.length = 0;
    const source = openSource(`${base}/model.bin`, { stallMs: 10_000, waitMs: 1, ...options });
    return readAll(source, 1 << 20, 'a test', signal);
  }

  const ETAG = { etag: '"one"' };
  const DATE = { 'last-modified': 'Sun, 22 Nov 2026 10:00:00 GMT' };
  const whole = (/** @type {object} */ headers = ETAG, bytes = BYTES) => (/** @type {Response} */ response) =>
    response.writeHead(200, { 'content-length': bytes.length, ...headers }).end(bytes);
  /** Sends the first bytes, then cuts the connection. */
  const cut = (/** @type {object} */ headers = ETAG, at = CUT) => (/** @type {Response} */ response) => {
    response.writeHead(200, { 'content-length': BYTES.length, ...headers });
    response.write(BYTES.subarray(0, at), () => setTimeout(() => response.destroy(), 20));
  };
  /** Sends the requested range. */
  const part = (/** @type {object} */ headers = ETAG, bytes = BYTES) =>
    (/** @type {Response} */ response, /** @type {Request} */ request) => {
      const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? NaN);
      assert.ok(from > 0, request.headers.range);
      const range = { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
      response.writeHead(206, { 'content-length': bytes.length - from, ...range, ...headers });
      response.end(bytes.subarray(from));
    };
  const later = (/** @type {Response} */ response) => response.writeHead(503).end();
  /** Sends some bytes, then stalls with an open connection. */
  const silent = (at = CUT) => (/** @type {Response} */ response) => {
    response.writeHead(200, { 'content-length': BYTES.length, ...ETAG }).write(BYTES.subarray(0, at));
  };

  test('a cut download continues at its last byte, by ETag or by date', async () => {
    for (const headers of [ETAG, DATE, { ...ETAG, ...DATE }]) {
      assert.deepEqual(await download([cut(headers), part(headers)]), BYTES);
      assert.equal(requests.length, 2);
      assert.equal(requests[0].headers.range, undefined);
      assert.equal(requests[1].headers.range, `bytes=${CUT}-`);
      assert.equal(requests[1].headers['if-range'], Object.values(headers)[0]);
    }
  });

  test('a range without ETag and date is accepted, because the request had If-Range', async () => {
    assert.deepEqual(await download([cut(DATE), part({})]), BYTES);
  });

  test('any number of cuts, if each connection sends enough bytes', async () => {
    const again = (/** @type {Response} */ response, /** @type {Request} */ request) => {
      const from = Number(/\d+/.exec(request.headers.range ?? '')?.[0]);
      response.writeHead(206, { 'content-range': `bytes ${from}-${BYTES.length - 1}/${BYTES.length}`, ...ETAG });
      response.write(BYTES.subarray(from, from + 50_000), () => setTimeout(() => response.destroy(), 20));
    };
    assert.deepEqual(await download([cut(), again, again, again, part()]), BYTES);
    await rejects(download([cut(), again, again, again, again]), 'unavailable', /broke after 300000 bytes/);
    assert.equal(requests.length, 5, 'connections with less than a megabyte count as failures');
  });

  test('a server without ranges sends the whole file again, and known bytes are skipped', async () => {
    assert.deepEqual(await download([cut(), whole()]), BYTES);
    assert.deepEqual(await download([cut(DATE), cut(DATE, 50_000), whole(DATE)]), BYTES);
  });

  test('a file that changed during the download is refused by name', async () => {
    const changed = /model\.bin.*broke after 100000 bytes.*another file/;
    const two = { etag: '"two"' };
    await rejects(download([cut(), whole(two, OTHER)]), 'unavailable', changed);
    await rejects(download([cut(), part(two, OTHER)]), 'unavailable', changed);
    const date = { 'last-modified': 'Sun, 22 Nov 2026 11:00:00 GMT' };
    await rejects(download([cut(DATE), part(date)]), 'unavailable', changed);
    await rejects(download([cut(), part({}, OTHER.subarray(0, 200_000))]), 'unavailable', changed);
    await rejects(download([cut(), whole({})]), 'unavailable', changed);
    const gone = (/** @type {Response} */ response) =>
      response.writeHead(416, { 'content-range': 'bytes */500' }).end();
    await rejects(download([cut(), gone]), 'unavailable', changed);
  });

  test('a range other than the requested range is refused', async () => {
    for (const range of ['bytes 0-299999/300000', 'bytes 100001-299999/300000', 'items 1-2/300000', '', null]) {
      const wrong = (/** @type {Response} */ response) => response
        .writeHead(206, { ...ETAG, ...(range !== null && { 'content-range': range }) }).end(BYTES.subarray(CUT));
      await rejects(download([cut(), wrong]), 'unavailable', /from byte 100000 on.*sent the range/);
    }
  });

  test('a file without a strong ETag and a date is not continued', async () => {
    for (const headers of [{}, { etag: 'W/"weak"' }]) {
      await rejects(download([cut(headers), part(headers)]), 'unavailable', /broke after 100000 bytes/);
      assert.equal(requests.length, 1);
    }
  });

  test('wrong lengths', async () => {
    const longer = (/** @type {Response} */ response) => response
      .writeHead(206, { ...ETAG, 'content-range': 'bytes 100000-299999/300000' })
      .end(new Uint8Array(BYTES.length)); // chunked, so no Content-Length contradicts it
    await rejects(download([cut(), longer]), 'unavailable', /sends more than the announced 300000 bytes/);
    const shorter = (/** @type {Response} */ response) => response
      .writeHead(206, { ...ETAG, 'content-range': 'bytes 100000-299999/300000' }).end(BYTES.subarray(CUT, CUT + 9));
    await rejects(download([cut(), shorter]), 'unavailable', /from byte 100009 on.*sent the range/);
    const past = (/** @type {Response} */ response) =>
      response.writeHead(416, { 'content-range': `bytes */${BYTES.length}` }).end();
    const all = (/** @type {Response} */ response) => {
      response.writeHead(200, ETAG).write(BYTES, () => setTimeout(() => response.destroy(), 20));
    };
    assert.deepEqual(await download([all, past]), BYTES, 'the cut came after the last byte');
  });

  test('a stalled connection is closed, and another connection gets the rest', async () => {
    assert.deepEqual(await download([silent(), part()], { stallMs: 1500 }), BYTES);
    const mute = () => {};
    assert.deepEqual(await download([mute, whole()], { stallMs: 1500 }), BYTES);
    const says = /does not send ‘model\.bin’ \(no data for 20 ms\)/;
    await rejects(download([mute], { stallMs: 20 }), 'unavailable', says);
    assert.equal(requests.length, 5);
  });

  test('a slow reader is not a stall of the server', async () => {
    answers = [whole()];
    requests.length = 0;
    for await (const chunk of openSource(`${base}/model.bin`, { stallMs: 1000, waitMs: 1 }).stream()) {
      assert.ok(chunk.length > 0);
      if (requests.length === 1) await new Promise((resolve) => setTimeout(resolve, 500));
    }
    assert.equal(requests.length, 1);
  });

  test('a busy server gets another request; a server without the file does not', async () => {
    assert.deepEqual(await download([later, later, whole()]), BYTES);
    assert.deepEqual(await download([cut(), later, part()]), BYTES);
    await rejects(download([later]), 'unavailable', /answered 503/);
    assert.equal(requests.length, 5);
    await rejects(download([(response) => response.writeHead(404).end()]), 'unavailable', /404 Not Found/);
    assert.equal(requests.length, 1);
    await rejects(download([cut(), (response) => response.writeHead(404).end()]), 'unavailable', /404 Not Found/);
  });

  test('an abort ends a download before the answer, in the middle, in a wait, and in the second range', async () => {
    const mute = () => {};
    /** @type {[string, Answers, number][]} */
    const cases = [
      ['before the answer', [mute], 1], ['in the middle', [silent()], 1],
      ['while it waits', [later], 1], ['in the second part', [cut(), mute], 2],
    ];
    for (const [where, script, count] of cases) {
      const controller = new AbortController();
      const reading = download(script, { signal: controller.signal, waitMs: where === 'while it waits' ? 1e6 : 1 });
      const timer = setInterval(() => {
        if (requests.length === count) setTimeout(() => controller.abort(), 50);
      }, 5);
      await rejects(reading, 'aborted');
      clearInterval(timer);
    }
  });

  test('a model loads over two connections, and progress counts each byte once', async () => {
    const model = await tinyGguf();
    const half = model.length >> 1;
    const range = { 'content-range': `bytes ${half}-${model.length - 1}/${model.length}` };
    answers = [
      (response) => response.writeHead(200, { ...ETAG, 'content-length': model.length })
        .write(model.subarray(0, half), () => setTimeout(() => response.destroy(), 20)),
      (response) => response.writeHead(206, { ...ETAG, ...range }).end(model.subarray(half)),
    ];
    requests.length = 0;
    /** @type {number[]} */
    const loaded = [];
    const onProgress = (/** @type {{ loadedBytes: number }} */ { loadedBytes }) => loaded.push(loadedBytes);
    const loadedModel = await load(`${base}/tiny.gguf`, { stallMs: 10_000, onProgress });
    assert.deepEqual(loaded, loaded.slice().sort((a, b) => a - b));
    assert.ok(/** @type {number} */ (loaded.at(-1)) <= model.length);
    assert.equal(requests.length, 2);
    loadedModel.dispose();
    for (const stallMs of [0, -1, NaN, '3', {}]) {
      await rejects(load(`${base}/tiny.gguf`, /** @type {any} */ ({ stallMs })), 'bad-argument', /stallMs/);
    }
  });
});
