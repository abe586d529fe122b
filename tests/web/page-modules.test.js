/** The parts of the page that need no browser: formatting, head scores, addresses, undo, files. */
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { describe, test } from 'node:test';
import { hubAddress } from '../../js/files/hub.js';
import { LESSONS } from '../../web/lessons/list.js';
import { readAddress, writeAddress } from '../../web/page/address.js';
import { sourceFromFiles } from '../../web/page/model-source.js';
import { HeadStats, describeScores, isSink } from '../../web/draw/head-stats.js';
import { TERMS } from '../../web/glossary.js';
import { describeHead } from '../../web/page/head-description.js';
import { OFFERS, isShipped } from '../../web/page/models.js';
import { hasSameIds, TextHistory } from '../../web/page/text-history.js';
import { formatBytes, formatInteger, pluralize, formatCount, describeEnd, isAbort, formatProgress } from
  '../../web/page/format.js';

describe('formatting', () => {
  test('numbers are rounded to their significant digits', () => {
    assert.deepEqual([0, 999, 1234, 12_345, 2_999_552, 1.25e9].map(formatBytes),
      ['0 bytes', '999 bytes', '1.2 kB', '12 kB', '3.0 MB', '1.3 GB']);
    assert.deepEqual([640, 12_345, 2_800_704, 124_439_808, 1.1e9].map(formatCount),
      ['640', '12 thousand', '2.8 million', '124 million', '1.1 billion']);
    const whole = [0, 7, 999, 1000, 12_345, 100_000, 1_234_567, 4_294_967_295];
    assert.deepEqual(whole.map(formatInteger), whole.map((number) => number.toLocaleString('en')));
    assert.deepEqual([pluralize(1, 'head'), pluralize(1024, 'token')], ['1 head', '1,024 tokens']);
    assert.equal(formatProgress('weights', 1.2e6, 3e6), 'weights: 1.2 MB of 3.0 MB');
    assert.equal(formatProgress('weights', 1.2e6, null), 'weights: 1.2 MB');
  });

  test('describeEnd gives the reason and the speed', () => {
    const run = { count: 24, decodeMs: 230, contextLength: 1024 };
    assert.equal(describeEnd({ ...run, reason: 'length' }), '24 tokens, 100 per second.');
    assert.equal(describeEnd({ ...run, reason: 'end' }), 'The model ended the text. 24 tokens, 100 per second.');
    assert.match(describeEnd({ ...run, reason: 'context' }), /^The text fills the context of 1,024 tokens\./);
    assert.equal(describeEnd({ ...run, count: 0, reason: 'abort' }), 'Stopped.');
  });

  test('isAbort accepts AbortError and the code aborted only', () => {
    assert.ok(isAbort(new DOMException('', 'AbortError')));
    assert.ok(isAbort(Object.assign(new Error(), { code: 'aborted' })));
    assert.ok(!isAbort(new Error('aborted')));
  });
});

describe('head scores', () => {
  /** Rows of three heads: a previous-token, a first-token and a self-attending head.
   *  @param {number} from @param {number} to */
  function rows(from, to) {
    const queries = to - from;
    const keys = to;
    const data = new Float32Array(3 * queries * keys);
    for (let i = 0; i < queries; i++) {
      const query = from + i;
      data[i * keys + Math.max(0, query - 1)] = 1;
      data[(queries + i) * keys] = 1;
      data[(2 * queries + i) * keys + query] = 1;
    }
    return { data, queries, keys, firstQuery: from };
  }

  test('do not depend on how the rows are split', () => {
    const stats = new HeadStats({ layers: 1, heads: 3 });
    const unmeasured = { duplicate: null, induction: null };
    stats.add(rows(0, 3));
    assert.equal(stats.of(0, 0), null, 'the text is too short');
    for (const [from, to] of [[3, 4], [4, 9], [9, 10]]) stats.add(rows(from, to));
    assert.deepEqual(stats.of(0, 0), { previous: 1, first: 0, self: 0, ...unmeasured });
    assert.deepEqual(stats.of(0, 1), { previous: 0, first: 1, self: 0, ...unmeasured });
    assert.deepEqual(stats.of(0, 2), { previous: 0, first: 0, self: 1, ...unmeasured });
    assert.deepEqual(stats.strongestPreviousTokenHead(), { layer: 0, head: 0 });
    stats.truncate(3);
    assert.equal(stats.of(0, 0), null);
  });

  test('include repeats if the tokens are known, also after truncate', () => {
    const tokens = [...'abcdabcdabcd'];
    /** Head 0 is a duplicate-token head, head 1 an induction head, head 2 a previous-token head. */
    const repeating = (/** @type {number} */ from, /** @type {number} */ to) => {
      const queries = to - from;
      const keys = to;
      const data = new Float32Array(3 * queries * keys);
      for (let i = 0; i < queries; i++) {
        const query = from + i;
        data[i * keys + Math.max(0, query - 4)] = 1;
        data[(queries + i) * keys + Math.max(0, query - 3)] = 1;
        data[(2 * queries + i) * keys + Math.max(0, query - 1)] = 1;
      }
      return { data, queries, keys, firstQuery: from };
    };
    const stats = new HeadStats({ layers: 1, heads: 3 });
    stats.add(repeating(0, 11), tokens.slice(0, 11));
    assert.equal(stats.of(0, 0)?.duplicate, null, 'seven repeats are too few');
    stats.add(repeating(11, 12), ['a']);
    stats.truncate(6);
    stats.add(repeating(6, 12), tokens.slice(6));
    const [duplicate, induction, previous] = [0, 1, 2].map((head) => stats.of(0, head));
    assert.deepEqual([duplicate?.duplicate, duplicate?.induction], [1, 0]);
    assert.deepEqual([induction?.duplicate, induction?.induction], [0, 1]);
    assert.deepEqual([previous?.previous, previous?.duplicate], [1, 0]);
    assert.equal(describeScores(induction), 'the token after an earlier occurrence (induction) 100\u00a0%');
    assert.equal(isSink(stats.of(0, 0)), false);
    assert.equal(isSink({ previous: 0, first: 0.6, self: 0, duplicate: null, induction: null }), true);
  });

  test('describeHead names the highest score', () => {
    const said = (/** @type {any} */ scores) => describeHead(1, 2, scores);
    const back = said({ previous: 0.84, first: 0.1, self: 0 });
    assert.match(back.text, /^Layer 1, head 2 attends mostly to the previous token \(84\u00a0% on average\)/);
    assert.match(said({ previous: 0.3, first: 0.6, self: 0 }).text, /gives 60\u00a0% of its attention to the first/);
    assert.equal(said({ previous: 0.3, first: 0.6, self: 0 }).lesson?.name, '14-find-out-why');
    assert.match(said({ previous: 0.1, first: 0, self: 0.5 }).text, /to the token itself \(50\u00a0% on average\)/);
    assert.match(said({ previous: 0.1, first: 0.1, self: 0.1 }).text, /no dominant pattern/);
    assert.match(describeHead(1, 2, /** @type {any} */ ({ previous: 0.1 }), false).text, /pattern here\. Dark columns/);
    assert.match(said(null).text, /^Layer 1, head 2/);
    assert.ok(LESSONS.some(({ name }) => name === back.lesson?.name), 'the lesson exists');
  });
});

describe('the first minute', () => {
  const page = readFileSync(new URL('../../web/index.html', import.meta.url), 'utf8');

  test('every term has an explanation', () => {
    const words = [...page.matchAll(/data-term="([^"]+)"/g)].map(([, term]) => term);
    assert.ok(words.length >= 10);
    for (const term of words) assert.ok(Object.hasOwn(TERMS, term), term);
  });

  test('the models beside the page are shipped and have the stated size', () => {
    const shipped = OFFERS.filter(isShipped);
    assert.ok(shipped.length >= 2);
    for (const { name, source, bytes } of shipped) {
      const { size } = statSync(new URL(`../../${source}`, import.meta.url));
      assert.equal(formatBytes(size), formatBytes(bytes), name);
    }
    for (const { source } of OFFERS.filter((offer) => !isShipped(offer))) {
      const isFile = source.endsWith('.gguf'); // else a repository, whose files load chooses
      const address = hubAddress(isFile ? source : `${source}/config.json`);
      assert.match(address, /^https:\/\/huggingface\.co\/[^/]+\/[^/]+\/./);
    }
  });
});

describe('address', () => {
  /** @param {import('../../web/page/address.js').Address} address */
  const there = async (address) => (await writeAddress(address)).hash;

  test('readAddress returns what writeAddress wrote', async () => {
    const address = { prompt: 'a & b = c\n#é', text: [0, 1, 127, 128, 2047, 151_000], length: 60, temperature: 0.05,
      'top-k': 0, 'top-p': 0.95, 'repeat-penalty': 1.1, seed: 4_294_967_295, layer: 3, head: 0, scale: 'log',
      sink: false, model: 'hf:owner/name/file.gguf' };
    assert.deepEqual(await readAddress(await there(address)), { address, unread: [] });
    assert.deepEqual(await readAddress(''), { address: {}, unread: [] });
    assert.deepEqual((await readAddress('#prompt=Once&seed=7&layer=1&head=2')).address,
      { prompt: 'Once', seed: 7, layer: 1, head: 2 });
  });

  test('long prompts and texts are compressed and restored', async () => {
    const prompt = 'One day, the cat saw a big red ball — and they played. '.repeat(200);
    const text = Array.from({ length: 1000 }, (_, i) => (i * 7919) % 2048);
    const { hash, left } = await writeAddress({ prompt, text });
    assert.deepEqual(left, []);
    assert.ok(hash.length < 4000, `${hash.length} characters`);
    assert.deepEqual(await readAddress(hash), { address: { prompt, text }, unread: [] });
  });

  test('writeAddress names the fields that are too long', async () => {
    let seed = 1;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647);
    const prompt = Array.from({ length: 4000 }, () => String.fromCharCode(0x4e00 + random() % 20_000)).join('');
    const text = Array.from({ length: 6000 }, () => random() % 50_000);
    const short = await writeAddress({ prompt: 'x', text, seed: 1 });
    assert.deepEqual(short, { hash: '#prompt=x&seed=1', left: ['text'] });
    assert.deepEqual(await writeAddress({ prompt, text, seed: 1 }), { hash: '#seed=1', left: ['text', 'prompt'] });
  });

  test('readAddress names invalid fields and reads the others', async () => {
    const hash = await there({ prompt: 'a long prompt '.repeat(100), text: [5, 300] });
    const cut = hash.replace(/text=.*/, 'text=!').replace(/(packed-prompt=.{10})[^&]*/, '$1');
    assert.deepEqual(await readAddress(`${cut}&seed=7`), { address: { seed: 7 }, unread: ['prompt', 'text'] });
    assert.deepEqual(await readAddress('#seed=-1&layer=1e9&head=x'),
      { address: {}, unread: ['seed', 'layer', 'head'] });
    const bomb = await new Response(new Blob([new Uint8Array(5e6)]).stream()
      .pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer();
    const packed = Buffer.from(bomb).toString('base64url');
    assert.deepEqual(await readAddress(`#packed-prompt=${packed}`), { address: {}, unread: ['prompt'] });
  });
});

describe('undo and redo', () => {
  const text = (/** @type {number[]} */ ...ids) => ({ ids });

  test('go one text back or forward and keep all branches', () => {
    const past = new TextHistory(hasSameIds);
    assert.equal(past.step(-1), null);
    const a = text(1);
    const b = text(1, 2);
    const c = text(1, 3);
    const d = text(1, 4);
    for (const each of [a, b, c]) past.add(each);
    past.add(text(1, 3));
    assert.deepEqual([past.canUndo, past.canRedo], [true, false]);
    assert.deepEqual([past.step(-1), past.step(-1), past.step(-1)], [b, a, null]);
    assert.deepEqual([past.step(1), past.step(-1)], [b, a]);
    past.add(d);
    assert.deepEqual([past.step(-1), past.step(-1), past.step(-1), past.step(-1)], [a, c, b, a]);
    assert.deepEqual([past.canUndo, past.canRedo], [false, true]);
    past.clear();
    assert.deepEqual([past.canUndo, past.canRedo], [false, false]);
  });
});

describe('files', () => {
  const files = (/** @type {string[]} */ ...names) => names.map((name) => new File([], name));

  test('one file is a model, several are parts of one', () => {
    const [gguf] = files('a.gguf');
    assert.equal(sourceFromFiles([gguf]), gguf);
    const parts = files('tokenizer.json', 'model.safetensors', 'config.json', 'README.md');
    assert.deepEqual(sourceFromFiles(parts), { weights: parts[1], config: parts[2], tokenizer: parts[0] });
    const shards = files('model-1-of-2.safetensors', 'config.json', 'model-2-of-2.safetensors');
    assert.deepEqual(sourceFromFiles(shards).weights, [shards[0], shards[2]]);
  });

  test('files beside the weights are passed on by their names', () => {
    const [weights, ...rest] = files('model.safetensors', 'config.json', 'tokenizer.json', 'tokenizer_config.json',
      'generation_config.json', 'chat_template.jinja', 'preprocessor_config.json', 'modules.json');
    const [config, tokenizer, tokenizerConfig, generationConfig, chatTemplate, preprocessor, modules] = rest;
    assert.deepEqual(sourceFromFiles([...rest, weights]), { weights, config, tokenizer, tokenizerConfig,
      generationConfig, chatTemplate, preprocessor, modules });
    const { chatTemplate: found, ...others } = /** @type {any} */ (sourceFromFiles([weights, config, chatTemplate]));
    assert.equal(found, chatTemplate);
    assert.deepEqual(others, { weights, config });
  });

  test('files without weights are refused with a message', () => {
    for (const names of [['config.json'], ['config.json', 'tokenizer.json'], ['config.json', 'chat_template.jinja']]) {
      assert.throws(() => sourceFromFiles(files(...names)), /^RangeError: There are no weights in config\.json/);
    }
    assert.throws(() => sourceFromFiles(files('a.txt', 'b.png')),
      /^RangeError: There are no weights in a\.txt, b\.png\./);
    assert.throws(() => sourceFromFiles(files('adapter_model.safetensors', 'adapter_config.json')),
      /^RangeError: adapter_config\.json belongs to an adapter/);
    const [text] = files('a.txt');
    assert.equal(sourceFromFiles([text]), text, 'the engine says what the file is');
  });
});
