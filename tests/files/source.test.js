// Sources of a model: paths, addresses, Blobs, streams, functions and folders.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createWriteStream, readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chunksOf } from '../../js/files/chunks.js';
import { openModelFile } from '../../js/files/model-file.js';
import { neighbor, openSource } from '../../js/files/source.js';
import { StreamReader, readAll } from '../../js/files/stream.js';
import { rejects } from '../support/expect.js';
import { randomFrom } from '../support/numbers.js';
import { tinyGguf } from '../support/tiny-gguf.js';

const next = randomFrom(7);
const BYTES = Uint8Array.from({ length: 100_000 }, () => next() * 256);

/** @param {any} source @param {AbortSignal} [signal] */
const readSource = (source, signal) => readAll(openSource(source), 1 << 20, 'a test', signal);

describe('sources', () => {
  /** @type {string} */ let folder;
  /** @type {import('node:http').Server} */ let server;
  /** @type {string} */ let base;
  /** @type {string[]} */ const requests = [];

  /** Behavior of the server for each path.
   *  @type {Record<string, (response: import('node:http').ServerResponse) => void>} */
  const answers = {
    '/bytes.bin': (response) => response.writeHead(200, { 'content-length': BYTES.length }).end(BYTES),
    '/no-length.bin': (response) => response.writeHead(200).write(BYTES, () => response.end()),
    '/zipped.bin': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(BYTES)),
    '/page.gguf': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>hello'),
    '/masked-page.gguf': (response) => response.writeHead(200).end('<!DOCTYPE html><html><p>hello'),
    '/stalled.bin': (response) => void response.writeHead(200).write(BYTES.subarray(0, 5000)),
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heed-source-'));
    await writeFile(join(folder, 'some file.bin'), BYTES);
    server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url} ${request.headers.range ?? ''}`.trim());
      const answer = answers[request.url ?? ''];
      if (answer) answer(response);
      else response.writeHead(404, 'Not Found').end('nothing here');
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
    base = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
  });
  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });

  test('an abort takes effect between two reads of a file', async () => {
    const path = join(folder, 'long.bin');
    await writeFile(path, new Uint8Array(8 << 20));
    const controller = new AbortController();
    let chunks = 0;
    await rejects((async () => {
      for await (const chunk of openSource(path).stream(controller.signal)) {
        assert.equal(chunk.byteLength, 1 << 20);
        if (chunks++ === 0) setTimeout(() => controller.abort(), 0);
        for (const start = performance.now(); performance.now() - start < 20;); // longer than a read
      }
    })(), 'aborted', /./);
    assert.ok(chunks <= 2, `${chunks} of 8`); // the timer may fire just after the first pause
  });

  test('a file is closed at its end, after an early return, and after a failed read', async () => {
    const path = join(folder, 'to close.bin');
    await writeFile(path, new Uint8Array(3 << 20));
    const open = () => readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return [path, folder].includes(readlinkSync(`/proc/self/fd/${fd}`));
      } catch {
        return false; // the descriptor of readdirSync, already closed
      }
    }).length;
    const read = async (/** @type {number} */ bytes, from = path) => {
      const reader = new StreamReader(openSource(from).stream());
      await reader.readInto(new Uint8Array(bytes));
      assert.equal(open(), 1);
      return reader;
    };
    await (await read(2 << 20)).close();
    assert.equal(open(), 0);
    assert.equal((await (await read(3 << 20)).peek(1)).byteLength, 0);
    assert.equal(open(), 0);
    await rejects(read((3 << 20) + 1), 'truncated', /ends after 3145728 bytes/);
    assert.equal(open(), 0);
    await rejects(read(1, folder), 'bad-source', /directory/);
    assert.equal(open(), 0);
  });

  test('data of a pipe is read on arrival and blocks no other read', async () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    const read = readSource(path);
    const pipe = createWriteStream(path);
    pipe.write(BYTES.subarray(0, 1000));
    setTimeout(() => pipe.end(BYTES.subarray(1000)), 50);
    assert.deepEqual(await read, BYTES);
  });

  test('every kind gives the same bytes', async () => {
    const path = join(folder, 'some file.bin');
    const padded = new Uint8Array(BYTES.length + 20);
    padded.set(BYTES, 10);
    const sources = {
      path,
      'file URL': pathToFileURL(path),
      'file URL as text': pathToFileURL(path).href,
      'http URL': new URL('/bytes.bin', base),
      'http URL as text': `${base}/bytes.bin`,
      'no Content-Length': `${base}/no-length.bin`,
      'Content-Encoding gzip': `${base}/zipped.bin`,
      'data URL': `data:application/octet-stream;base64,${Buffer.from(BYTES).toString('base64')}`,
      Blob: new Blob([BYTES]),
      File: new File([BYTES], 'model.gguf'),
      ArrayBuffer: BYTES.buffer,
      Uint8Array: BYTES,
      'a part of a buffer': padded.subarray(10, 10 + BYTES.length),
      DataView: new DataView(padded.buffer, 10, BYTES.length),
    };
    for (const [kind, source] of Object.entries(sources)) {
      assert.deepEqual(await readSource(source), BYTES, kind);
    }
  });

  test('names and sizes', async () => {
    assert.equal(openSource(join(folder, 'some file.bin')).name, 'some file.bin');
    assert.equal(openSource(pathToFileURL(join(folder, 'some file.bin'))).name, 'some file.bin');
    assert.equal(openSource(`${base}/a/model%20b.gguf?download=true`).name, 'model b.gguf');
    assert.equal(openSource(new File([BYTES], 'x.gguf')).name, 'x.gguf');
    assert.equal(openSource(new File([BYTES], 'x.gguf')).size, BYTES.length);
    const zipped = openSource(`${base}/zipped.bin`);
    await readAll(zipped, 1 << 20, 'a test');
    assert.equal(zipped.size, null, 'the size on the wire is not the size of the file');
  });

  test('values that are not sources', async () => {
    for (const source of [undefined, null, 5, {}, [], Symbol.iterator, '']) {
      await rejects(() => openSource(/** @type {any} */ (source)), 'bad-source');
    }
    await rejects(readSource(folder), 'bad-source', /directory/);
  });

  test('missing files', async () => {
    await rejects(readSource(join(folder, 'absent.gguf')), 'unavailable', /absent\.gguf.*Check the path/s);
    await rejects(readSource(`${base}/absent.gguf`), 'unavailable', /absent\.gguf.*404 Not Found/);
    await rejects(readSource(`${base}/page.gguf`), 'unavailable', /web page/);
    await rejects(openModelFile(`${base}/masked-page.gguf`), 'bad-file', /web page/);
    await rejects(readSource('http://127.0.0.1:1/model.gguf'), 'unavailable', /127\.0\.0\.1:1/);
  });

  test('a connection that breaks', async () => {
    let cut = () => {};
    answers['/broken.bin'] = (response) => {
      cut = () => void response.destroy();
      response.writeHead(200, { 'content-length': BYTES.length }).write(BYTES.subarray(0, 5000));
    };
    const reading = (async () => {
      let received = 0;
      for await (const chunk of openSource(`${base}/broken.bin`).stream()) {
        received += chunk.length;
        if (received === 5000) cut();
      }
    })();
    await rejects(reading, 'unavailable', /broke after 5000 bytes/);
  });

  test('an AbortSignal stops every kind, before and in the middle', async () => {
    for (const source of [BYTES, new Blob([BYTES]), `${base}/bytes.bin`, join(folder, 'some file.bin')]) {
      await rejects(readSource(source, AbortSignal.abort()), 'aborted');
    }
    const controller = new AbortController();
    const stalled = readSource(`${base}/stalled.bin`, controller.signal);
    setTimeout(() => controller.abort(), 50);
    await rejects(stalled, 'aborted');

    const endless = new Blob([BYTES]);
    endless.stream = () => new ReadableStream({ pull: () => new Promise(() => {}) });
    const other = new AbortController();
    setTimeout(() => other.abort(), 20);
    await rejects(readSource(endless, other.signal), 'aborted');
  });

  test('an abort between two chunks leaves no unhandled rejection', async () => {
    /** @type {((signal: AbortSignal) => Promise<any>)[]} */
    const streams = [
      async (signal) => (await fetch(`${base}/stalled.bin`, { signal })).body,
      async () => new ReadableStream({
        start: (controller) => controller.enqueue(BYTES),
        pull: () => new Promise((_, reject) => setImmediate(reject, new Error('the disk failed'))),
      }),
    ];
    for (const open of streams) {
      const controller = new AbortController();
      const chunks = chunksOf(await open(controller.signal), controller.signal);
      assert.equal((await chunks.next()).done, false);
      controller.abort();
      await rejects(chunks.next(), 'aborted');
      // The runner fails a test with an unhandled rejection, which arrives after the current turn.
      for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
  });

  test('a file beyond its size limit is not read to its end', async () => {
    let chunks = 0;
    const large = new Blob([]);
    large.stream = () => new ReadableStream({
      pull(controller) {
        chunks++;
        controller.enqueue(new Uint8Array(1000));
      },
    });
    await rejects(readAll(openSource(large), 10_000, 'a test'), 'too-large', /10000/);
    assert.ok(chunks < 20, `${chunks} chunks`);
  });

  test('a model is one request, without ranges, in order', async () => {
    const model = await tinyGguf();
    answers['/tiny.gguf'] = (response) => response.writeHead(200).end(model);
    requests.length = 0;
    const file = await openModelFile(`${base}/tiny.gguf`);
    for await (const [entry, reader] of file.weights()) await reader.skip(entry.bytes);
    assert.deepEqual(requests, ['GET /tiny.gguf']);
  });

  test('an early return stops the download', async () => {
    let closed = false;
    const model = await tinyGguf({ type: 'f32' });
    answers['/slow.gguf'] = (response) => {
      response.on('close', () => (closed = true));
      response.writeHead(200).write(model.subarray(0, -1000));
    };
    const file = await openModelFile(`${base}/slow.gguf`);
    for await (const [entry, reader] of file.weights()) {
      await reader.skip(entry.bytes);
      break;
    }
    while (!closed) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  test('neighbors are plain names in the folder of the file', () => {
    assert.equal(neighbor(openSource('/models/x/index.json'), 'part-1.bin')?.address, '/models/x/part-1.bin');
    assert.equal(neighbor(openSource(`${base}/x/index.json?a=b`), 'p.bin')?.address, `${base}/x/p.bin`);
    for (const name of ['../secret', '/etc/passwd', 'http://elsewhere/x', '..', '', 'a/b', '.hidden', 'a\\b']) {
      assert.equal(neighbor(openSource('/models/x/index.json'), name), null, name);
    }
    assert.equal(neighbor(openSource(BYTES), 'p.bin'), null);
  });
});

describe('StreamReader', () => {
  /** Chunks of random sizes, all in one reused buffer, as the contract allows.
   *  @param {() => number} next */
  async function* chunks(next) {
    const buffer = new Uint8Array(700);
    for (let at = 0; at < BYTES.length; ) {
      const n = Math.min(Math.floor(next() ** 3 * 700), BYTES.length - at);
      buffer.fill(0xee);
      buffer.set(BYTES.subarray(at, at + n));
      yield buffer.subarray(0, n);
      at += n;
    }
  }

  /** The same bytes of a source that also fills a given buffer: at once or later, any number of bytes.
   *  @param {() => number} next @returns {AsyncIterable<Uint8Array>} */
  function filling(next) {
    let at = 0;
    const fill = (/** @type {Uint8Array} */ into) => {
      const n = Math.min(Math.ceil(next() * into.byteLength), BYTES.length - at);
      into.set(BYTES.subarray(at, at + n));
      at += n;
      return next() < 0.5 ? n : Promise.resolve(n);
    };
    const buffer = new Uint8Array(700);
    const chunk = async () => {
      const n = await fill(buffer);
      return n === 0 ? { done: true, value: undefined } : { done: false, value: buffer.subarray(0, n) };
    };
    return { [Symbol.asyncIterator]: () => /** @type {any} */ ({ next: chunk, fill }) };
  }

  test('any sequence of peeks, skips and reads gives the bytes in order', async () => {
    for (let seed = 0; seed < 100; seed++) {
      const next = randomFrom(seed);
      const reader = new StreamReader(seed % 2 ? filling(next) : chunks(next));
      for (let at = 0; at < BYTES.length; ) {
        assert.equal(reader.position, at);
        const n = Math.min(Math.floor(next() ** 4 * 40_000), BYTES.length - at);
        const step = next();
        if (step < 0.3) {
          assert.deepEqual((await reader.peek(n)).slice(0, n), BYTES.slice(at, at + n));
        } else if (step < 0.6) {
          await reader.skip(n);
          at += n;
        } else {
          const target = new Uint8Array(n);
          await reader.readInto(target);
          assert.deepEqual(target, BYTES.slice(at, at + n));
          at += n;
        }
      }
      assert.equal((await reader.peek(1)).byteLength, 0);
    }
  });

  test('a premature end', async () => {
    for (const source of [chunks, filling]) {
      const reader = new StreamReader(source(randomFrom(1)), { name: 'the file' });
      await reader.skip(BYTES.length - 10);
      assert.equal((await reader.peek(100)).length, 10);
      await rejects(reader.readInto(new Uint8Array(11), 'tensor x'), 'truncated',
        /100000 bytes.*tensor x: 1 bytes are missing/);
    }
    const reader = new StreamReader(filling(randomFrom(1)), { name: 'the file' });
    const target = new Uint8Array(BYTES.length + 7);
    await rejects(reader.readInto(target, 'tensor x'), 'truncated', /100000 bytes.*tensor x: 7 bytes are missing/);
    assert.deepEqual(target.subarray(0, BYTES.length), BYTES);
  });

  test('closing releases the source', async () => {
    let left = false;
    const reader = new StreamReader((async function* () {
      try {
        for (;;) yield new Uint8Array(10);
      } finally {
        left = true;
      }
    })());
    await reader.skip(5);
    await reader.close();
    assert.ok(left);
    await rejects(reader.skip(1), 'truncated');
  });
});
