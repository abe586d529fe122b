/**
 * Prints the times of a model's kernels as a Markdown table, from the output of heed bench:
 *
 *     node js/cli.js bench --model MODEL --engine simd128 --context 640 --json | node bench/where.js
 *
 * The table is for one thread, even if heed bench measured more.
 */
import { text } from 'node:stream/consumers';

/** The last row adds up kernels below this part of both passes. */
const LEAST = 0.005;

/** @typedef {import('../js/cli/kernel-times.js').KernelTime & { part: number }} Time */

const { machine, date, commit, model, binary, limits, share, kernels } = JSON.parse(await text(process.stdin));
const percent = (/** @type {number} */ value, digits = 1) => `${(100 * value).toFixed(digits)} %`;
const giga = (/** @type {number} */ value) => (value / 1e9).toFixed(1);

/** The part of a pass, and for products the rate and its part of the limit.
 *  @param {Time | undefined} time @param {'operations' | 'bytes'} what */
function cells(time, what) {
  if (!time) return ['', '', ''];
  const { part, seconds, limitSeconds } = time;
  const product = limitSeconds > 0;
  return [percent(part), product ? giga(time[what] / seconds) : '', product ? percent(limitSeconds / seconds, 0) : ''];
}

const [prefill, decode] = [kernels.prefill, kernels.decode].map((/** @type {Time[]} */ times) =>
  new Map(times.map((time) => [time.kernel, time])));
const partOf = (/** @type {Map<string, Time>} */ pass, /** @type {string} */ name) => pass.get(name)?.part ?? 0;
const names = [...new Set([...prefill.keys(), ...decode.keys()])].filter((name) => name !== 'other');
const [shown, small] = [true, false].map((large) =>
  names.filter((name) => (Math.max(partOf(prefill, name), partOf(decode, name)) >= LEAST) === large));
const rest = (/** @type {Map<string, Time>} */ pass) =>
  percent([...small, 'other'].reduce((sum, name) => sum + partOf(pass, name), 0));

console.log([
  `\`heed bench\` on ${model}, one thread, ${binary}, ${date.slice(0, 10)} (commit ${commit}),`,
  `${machine}:`,
  `reading at most ${giga(limits.readBytesPerSecond)} GB/s, int8 products ${giga(limits.int8OpsPerSecond)} Gop/s, ` +
    `of narrower weights ${giga(limits.int7OpsPerSecond)} Gop/s, ` +
    `f32 ${giga(limits.f32FlopsPerSecond)} GFLOP/s.`,
  `At these limits the products would take ${percent(share.prefill, 0)} of the time of a prompt of 128 and ` +
    `${percent(share.decode, 0)} of that of a token after it.`,
  '',
  '| | part of prefill | Gop/s | of the limit | part of decoding | GB/s | of the limit |',
  '|---|---|---|---|---|---|---|',
  ...shown.map((name) =>
    `| ${[name, ...cells(prefill.get(name), 'operations'), ...cells(decode.get(name), 'bytes')].join(' | ')} |`),
  `| everything else | ${rest(prefill)} | | | ${rest(decode)} | | |`,
].join('\n'));
