/**
 * Cost of a gradient over a forward pass of the same ids, and of a sweep over heads over single edited runs. Both run
 * at once on two copies of the model, in turns of some milliseconds, so other programs slow both alike. Times are of
 * the processor, in calls of the engine.
 *
 *     node bench/analyses.js --model FILE
 *
 *     --tokens N     default 64
 *     --rounds N     gradients, default 15
 *     --heads N      every Nth head of a layer is in the sweep, default 1: all
 *     --engine SET   default simd128
 *     --every        the metric is the cross-entropy of all ids; default: a logit difference at the last position
 */
import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { Engine } from '../js/engine/wasm.js';
import { load } from '../js/index.js';

const { values } = parseArgs({ options: {
  model: { type: 'string' },
  tokens: { type: 'string', default: '64' },
  rounds: { type: 'string', default: '15' },
  heads: { type: 'string', default: '1' },
  engine: { type: 'string', default: 'simd128' },
  every: { type: 'boolean', default: false },
} });
if (!values.model) throw new Error('--model FILE is missing');
const tokens = Number(values.tokens);

/** Processor time of each engine, ms. @type {Map<Engine, number>} */
const spent = new Map();
const clock = () => process.cpuUsage().user / 1000;
const { call } = Engine.prototype;
Engine.prototype.call = function counted(name, ...parameters) {
  const began = clock();
  try {
    return call.call(this, name, ...parameters);
  } finally {
    spent.set(this, (spent.get(this) ?? 0) + clock() - began);
  }
};

/** @param {string} path */
async function open(path) {
  const before = new Set(spent.keys());
  const model = await load(path, { engine: /** @type {'simd128'} */ (values.engine), threads: 1,
    contextLength: Math.max(128, tokens) });
  const [engine] = [...spent.keys()].filter((each) => !before.has(each));
  return { model, time: () => spent.get(engine) ?? 0 };
}

/** @param {number[]} numbers @param {number} share */
const quantile = (numbers, share) => [...numbers].sort((a, b) => a - b)[Math.round(share * (numbers.length - 1))];

const single = await open(values.model);
const analysis = await open(values.model);
const { vocabulary, layers, heads } = analysis.model.info;
const ids = Int32Array.from({ length: tokens }, (_, i) => (i * 7919 + 11) % Math.min(vocabulary, 4000));
const of = values.every ? { crossEntropy: [...ids.subarray(1), -1] }
  : { logitDifference: /** @type {[number, number]} */ ([11, 300]) };

/**
 * Runs single passes while an analysis runs.
 * @param {() => Promise<unknown>} work @param {(i: number) => Promise<unknown>} pass
 * @returns {Promise<{ work: number, pass: number }>} ms of the analysis, and of one pass
 */
async function atOnce(work, pass) {
  const before = analysis.time();
  const began = single.time();
  let done = false;
  let passes = 0;
  const result = work().finally(() => { done = true; });
  while (!done) await pass(passes++);
  await result;
  return { work: analysis.time() - before, pass: (single.time() - began) / passes };
}

/** @type {number[]} */
const ratios = [];
for (let round = 0; round <= Number(values.rounds); round++) {
  const gradients = () => analysis.model.gradients(ids, { of, at: ['blocks.0.hook_resid_pre'] });
  const { work, pass } = await atOnce(gradients, () => {
    single.model.rewind(0);
    return single.model.forward(ids, { all: values.every });
  });
  if (round > 0) ratios.push(work / pass); // the first compiles
}

const every = Number(values.heads);
const variants = Array.from({ length: layers * heads }, (_, i) => ({ layer: Math.floor(i / heads), head: i % heads }))
  .filter(({ layer, head }) => (layer + head) % every === 0)
  .map(({ layer, head }) => [{ hook: `blocks.${layer}.attn.hook_z`, head, scale: 0 }]);
const swept = await atOnce(() => analysis.model.sweep(ids, variants, { of }), (i) =>
  single.model.runWithHooks(ids, variants[i % variants.length], { all: values.every }));
// A sweep has one run without edits for any number of variants.
const sweep = (swept.work / swept.pass - 1) / variants.length + 1 / (layers * heads);

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: import.meta.dirname }).toString().trim();
console.log(`${cpus()[0].model}, load ${loadavg()[0].toFixed(1)}, commit ${commit}, Node.js ${process.versions.node}, ${
  values.engine}, ${analysis.model.info.name}, ${tokens} tokens`);
console.log(`  gradient over forward pass: ${[0.5, 0.25, 0.75].map((share) => quantile(ratios, share).toFixed(2))
  .join(', ')} (median, quartiles of ${ratios.length})`);
console.log(`  sweep over ${layers * heads} heads, from ${variants.length}: ${sweep.toFixed(3)} of single runs of ${
  swept.pass.toFixed(0)} ms`);
process.exit();
