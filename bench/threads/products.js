// One of the threads that multiply a row by weights together, for bench/threads.js.
import { workerData } from 'node:worker_threads';
import { serveTurns } from '../../js/cli/thread-team.js';
import { Kernels } from '../../tests/support/kernels.js';

/** @type {{ engine: import('../../tests/support/engines.js').Engine, threads: number }} */
const { engine, threads } = workerData;
const { binaries: { [engine]: binary } } = await Kernels.open(['scalar', engine]);

/** The matrices of a token of SmolLM2-135M: outputs and columns. */
const LAYERS = 30;
const D = 576;
const KV = 192;
const F = 1536;
const V = 49152;
const LAYER = [[D, D], [KV, D], [KV, D], [D, D], [F, D], [F, D], [D, F]];
const MATRICES = [...Array.from({ length: LAYERS }, () => LAYER).flat(), [V, D]];
const PANEL_ROWS = 8;
const BYTES_OF_32 = 36;
const PAGE = 65536;

// This thread has the same number of rows of every matrix as the others.
const y = binary.base;
const x = binary.base + 4 * V;
let at = x + 2 * F;
const products = MATRICES.map(([O, K]) => {
  const rows = Math.floor(O / PANEL_ROWS / threads) * PANEL_ROWS, w = at;
  at += (rows * K * BYTES_OF_32) / 32;
  return [y, rows, x, w, 1, rows, K];
});
binary.memory.grow(Math.ceil((at - x) / PAGE));
// Unwritten pages would all map to one physical page.  As floats, these bytes are 0.01.
new Uint8Array(binary.memory.buffer, x, at - x).fill(0x3c);

const kernel = binary.kernel(engine, 'matmul_q8_0');
function multiply() {
  for (const product of products) kernel(...product);
}
for (let i = 0; i < 30; i++) multiply(); // until V8 has compiled the optimized code
serveTurns(multiply, at - x - 2 * F);
