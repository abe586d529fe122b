// docs/lab.md: its first program runs in the console of a page, its samples run, its tables are complete.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { Core } from '../../js/lab/core.js';
import * as exported from '../../js/lab/index.js';
import { Lab, lab, normal, randomFrom } from '../../js/lab/index.js';
import { Operations } from '../../js/lab/operations.js';
import { Init } from '../../js/lab/init.js';
import { plainServer } from '../support/browsers.js';
import { sameBits } from '../support/tolerance.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const DOCS = readFileSync(here('../../docs/lab.md'), 'utf8');
const [PROGRAM, VERSIONS, ...TRAINED] = [...DOCS.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code);

test('the first program has about forty lines of code', () => {
  const lines = PROGRAM.split('\n').filter((line) => !/^\s*(\/\/.*)?$/.test(line)).length;
  assert.ok(lines >= 35 && lines <= 45, `${lines}`);
});

describe('in the console of a lesson', () => {
  let server;
  let browser;
  let page;
  let session;
  /** Messages in the console: [type, text]. */
  const shown = [];
  before(async () => {
    server = await plainServer({ root: here('../../dist/site'), below: '/' });
    browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'] });
    page = await browser.newPage();
    page.on('console', (message) => shown.push([message.type(), message.text()]));
    await page.goto(`${server.url}lessons/06-block.html`);
    session = await page.context().newCDPSession(page);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  /** Evaluates code as developer tools do: with top-level await and persistent names. */
  async function paste(expression) {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate',
      { expression, replMode: true, awaitPromise: true, returnByValue: true });
    return exceptionDetails ? { error: exceptionDetails.exception.description ?? '' } : { value: result.value };
  }

  test('the program runs unchanged and learns to reverse letters', async () => {
    assert.equal((await paste(PROGRAM)).error, undefined);
    const losses = shown.filter(([type]) => type === 'log').map(([, text]) => text.split(' ').map(Number));
    assert.deepEqual(losses.map(([step]) => step), [20, 40, 60, 80, 100, 120, 140, 160, 180, 200]);
    assert.ok(losses[0][1] > 1.5 && losses[9][1] < 0.5, JSON.stringify(losses));
    assert.deepEqual(shown.filter(([type]) => type !== 'log'), []);
  });

  test('the block equals lab.encoderBlock', async () => {
    const { value, error } = await paste(`l.evaluate(() => {
      const data = Float32Array.from({ length: batch * time * dModel }, (_, i) => Math.sin(i));
      const x = l.tensor(data, { batch, time, feature: dModel });
      const ours = block(x).data;
      const expected = l.encoderBlock(x, w, { heads, norm: 'pre' }).output.data;
      return Math.max(...ours.map((y, i) => Math.abs(y - expected[i])));
    })`);
    assert.equal(error, undefined);
    assert.ok(value < 1e-5, `${value}`);
  });

  const mistakes = {
    'a name of an axis': ['l.mean(w["head.weight"], "tiem")', /mean: there is no axis ‘tiem’ in \[8, 32\]/],
    'a weight': ['linear(l.tensor([[1]]), "haed")', /linear: weight is undefined/],
    'another lab': ['l.add(w["head.bias"], (await (await import("/lab.js")).lab()).tensor([1]))',
      /add: the tensor \[1\] belongs to another lab/],
    'a tensor of a step that has ended': ['l.relu(l.step(() => l.tensor([1])))', /made in a step, which has ended/],
    'an id': ['l.embedding(w["token.weight"], [3, 8])', /embedding: id 8, number 1 of 2, is not in 0 \.\. 7/],
    'a tensor without numbers': ['l.tensor([])', /tensor: .*an empty list/],
    'a huge tensor': [`const one = l.tensor(new Float32Array(70000), [70000, 1]);
      l.matmul(one, one, { transposeB: true })`, /matmul: out of memory for \[70000, 70000\], 18692\.0 MB/],
    'not a number': [`const nan = l.tensor(new Float32Array(dModel).fill(NaN), [1, dModel]);
      l.step(() => l.backward(l.sum(linear(nan, 'head'))))`,
      /In step 202, the loss is not a number: NaN first appeared in linear/],
  };
  for (const [what, [code, said]] of Object.entries(mistakes)) {
    test(`the error names the mistake: ${what}`, async () => {
      const { error, value } = await paste(code);
      assert.match(error ?? `no error: ${value}`, said);
      assert.match(error, /^HeedError/);
    });
  }

  test('a loop without lab.step warns with its line', async () => {
    shown.length = 0;
    await paste('for (let i = 0; i < 1000; i++) l.relu(w["head.bias"]);');
    const warnings = shown.filter(([type]) => type === 'warning');
    assert.equal(warnings.length, 1);
    assert.match(warnings[0][1], /relu has made 1000 tensors \[8\] outside of a step.*Made at <anonymous>:1/);
  });
});

test('dist/lab.js works in a page without a build', async () => {
  const server = await plainServer({ root: here('../../dist'), below: '/its/', extra: {
    '/': (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>mine') } });
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    await page.goto(new URL('/', server.url).href);
    const pattern = await page.evaluate(async () => {
      const address = '/its/lab.js';
      const l = await (await import(address)).lab();
      const x = l.tensor([[2, -1, 0]]);
      return l.attention(x, l.tensor([[2, 1, -1], [0, 3, -1], [1, 1, 3]]), l.tensor([[1], [0], [0]]), { score: 'dot' })
        .output.item();
    });
    assert.ok(Math.abs(pattern - 0.879) < 5e-4, `${pattern}`);
  } finally {
    await browser.close();
    await server.close();
  }
});

test('the samples with trained models run unchanged as one program', () => {
  const told = 'console.log(JSON.stringify([translation.text, Object.keys(translation.cache).length]));';
  const { status, stdout, stderr } = spawnSync(process.execPath,
    ['--input-type=module', '-e', [...TRAINED, told].join('\n')], { cwd: here('../..'), encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const lines = stdout.trim().split('\n');
  assert.match(lines[0], /^positive 0\.\d+ \[ 'A', 'film'/);
  assert.ok(lines.some((line) => /a \w+ (square|circle|triangle)/.test(line)), stdout);
  assert.deepEqual(JSON.parse(lines.at(-1)), ['1979-05-03', 12]); // patterns and scores of six attention layers
});

test('the tables name calls that exist', () => {
  const section = (title) => DOCS.slice(DOCS.indexOf(`## ${title}`)).split(/\n## /)[0];
  const names = (text) => [...text.matchAll(/`(\w+)\(/g)].map(([, name]) => name);
  const tables = (text) => text.split('\n').filter((line) => line.startsWith('|')).map((line) => line.split('|')[1]);
  for (const name of tables(section('Parameters')).flatMap(names)) {
    assert.equal(typeof Init.prototype[name], 'function', name);
  }
  const operations = ['Operations', 'Blocks'].flatMap((title) => tables(section(title)).flatMap(names));
  assert.ok(operations.length > 25, `${operations.length}`);
  for (const name of operations) assert.equal(typeof Lab.prototype[name], 'function', name);
  for (const line of DOCS.matchAll(/\]\(([^):]+)\)/g)) assert.ok(existsSync(here(`../../docs/${line[1]}`)), line[1]);
});

test('every public call is mentioned', () => {
  const internal = new Set(['constructor', 'run', 'empty', 'needMemory', 'countedAs', 'numbers', 'write', 'update',
    'notFinite', 'reserveDraws', 'enumValue', 'causalLm',
    'squaredNorm', 'checkedSquaredNorm', 'HeedError', 'ERROR_CODES', 'Lab']);
  const calls = [Lab, Operations, Core].flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype));
  const names = [...calls, ...Object.keys(exported)].filter((name) => !internal.has(name));
  for (const name of names) assert.match(DOCS, new RegExp(`\\b${name}\\b`), name);
});

test('every field of lab.memory is explained', async () => {
  const l = await lab();
  for (const name of Object.keys(l.memory)) assert.ok(DOCS.includes(`\`${name}\``), name);
  l.dispose();
});

test('versions 0 to 5 are one call each and agree where they are equivalent', async () => {
  const l = await lab({ seed: 3 });
  const draw = (seed, ...shape) => l.tensor(normal(randomFrom(seed), shape[0] * (shape[1] ?? 1)), shape);
  const run = (given) => {
    const calls = VERSIONS.split('\n').filter((line) => line.startsWith('l.')).map((line) => line.split(';')[0]);
    assert.equal(calls.length, 6);
    const names = Object.keys(given);
    return calls.map((call) => new Function('l', ...names, `return ${call}`)(l, ...Object.values(given)));
  };
  const X = draw(1, 5, 4);
  const Q = draw(2, 3, 4);
  const q = l.slice(Q, 0, 1, 2);
  const identity = l.tensor(Array.from({ length: 4 }, (_, i) => Array.from({ length: 4 }, (__, j) => Number(i === j))));
  const weights = { W_q: draw(3, 8, 4), W_k: draw(4, 8, 4), w_a: draw(5, 8) };
  const found = run({ X, Q, q, weights, W_Q: identity, W_K: identity, W_V: identity });
  const bits = ({ output }, from = 0, to = output.data.length) => output.data.slice(from, to);
  assert.deepEqual(found.map(({ output }) => output.shape), [[1, 4], [1, 4], [1, 4], [3, 4], [3, 4], [5, 4]]);
  // 0: s_i = w_a·tanh(W_q·q + W_k·x_i), in float64
  const times = (W, x) => W.toArray().map((row) => row.reduce((sum, weight, i) => sum + weight * x[i], 0));
  const s = X.toArray().map((x) => times(weights.W_k, x).reduce((sum, h, i) =>
    sum + weights.w_a.data[i] * Math.tanh(h + times(weights.W_q, q.toArray()[0])[i]), 0));
  found[0].scores.data.forEach((score, i) => assert.ok(Math.abs(score - s[i]) < 1e-5));
  // 1 and 2: q·x_i, and divided by √4
  const dots = X.toArray().map((x) => x.reduce((sum, v, i) => sum + v * q.data[i], 0));
  found[1].scores.data.forEach((score, i) => assert.ok(Math.abs(score - dots[i]) < 1e-5));
  found[2].scores.data.forEach((score, i) => assert.ok(Math.abs(score - dots[i] / 2) < 1e-5));
  // With identity projections, 3 is 2 for each query, 4 is 3, and 5 is self-attention of X.
  sameBits(bits(found[3], 4, 8), bits(found[2]), 'version 3');
  sameBits(bits(found[4]), bits(found[3]), 'version 4');
  sameBits(bits(found[5]), bits(l.attention(X, X, X)), 'version 5');
  const other = run({ X, Q, q, weights, W_Q: draw(6, 4, 4), W_K: draw(7, 4, 4), W_V: draw(8, 4, 4) });
  assert.notDeepEqual(bits(other[4]), bits(found[4]));
  assert.notDeepEqual(bits(other[5]), bits(found[5]));
  l.dispose();
});
