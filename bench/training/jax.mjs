/** Steps of the same model in jax-js: node jax.mjs FOLDER STEPS, FOLDER with @jax-js/jax installed. */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { BATCH, measure, MODEL } from './model.mjs';

const [folder, steps] = process.argv.slice(2);
const require = createRequire(join(resolve(folder), 'package.json'));
const { defaultDevice, init, jit, nn, numpy: np, random, tree, valueAndGrad } = require('@jax-js/jax');
await init('wasm');
defaultDevice('wasm');

const { layers, heads, width, hidden, context, vocabulary } = MODEL;
let key = 0;
const matrix = (rows, columns) => random.normal(random.key(key++), [rows, columns]).mul(0.02);
const norm = () => ({ gain: np.ones([width]), bias: np.zeros([width]) });
let parameters = {
  wte: matrix(vocabulary, width), wpe: matrix(context, width), lnF: norm(),
  blocks: Array.from({ length: layers }, () => ({
    ln_1: norm(), q: matrix(width, width), k: matrix(width, width), v: matrix(width, width), proj: matrix(width, width),
    ln_2: norm(), up: matrix(width, hidden), down: matrix(hidden, width),
  })),
};
const hide = () => np.triu(np.ones([context, context]), 1).mul(-1e9);

const layerNorm = (x, { gain, bias }) => nn.standardize(x, -1, { epsilon: 1e-5 }).mul(gain).add(bias);
const apart = (x) => x.reshape([BATCH, context, heads, width / heads]).transpose([0, 2, 1, 3]);

/** jax-js consumes every argument. */
function loss({ wte, wpe, lnF, blocks }, inputs, targets) {
  let x = np.matmul(nn.oneHot(inputs, vocabulary), wte.ref).reshape([BATCH, context, width]).add(wpe)
    .reshape([BATCH * context, width]);
  for (const { ln_1, q, k, v, proj, ln_2, up, down } of blocks) {
    const a = layerNorm(x.ref, ln_1);
    const qs = apart(np.matmul(a.ref, q));
    const ks = apart(np.matmul(a.ref, k)).transpose([0, 1, 3, 2]);
    const vs = apart(np.matmul(a, v));
    const pattern = nn.softmax(np.matmul(qs, ks).mul(1 / Math.sqrt(width / heads)).add(hide()), -1);
    const z = np.matmul(pattern, vs).transpose([0, 2, 1, 3]).reshape([BATCH * context, width]);
    x = x.add(np.matmul(z, proj));
    x = x.ref.add(np.matmul(nn.gelu(np.matmul(layerNorm(x, ln_2), up)), down));
  }
  const scores = nn.logSoftmax(np.matmul(layerNorm(x, lnF), wte.transpose()), -1);
  return scores.mul(nn.oneHot(targets, vocabulary)).sum().mul(-1 / (BATCH * context));
}

/** Adam without bias correction, which takes negligible time. */
const step = jit((weights, m, v, inputs, targets) => {
  const [value, slopes] = valueAndGrad(loss)(tree.ref(weights), inputs, targets);
  const first = tree.map((a, g) => a.mul(0.9).add(g.mul(0.1)), m, tree.ref(slopes));
  const second = tree.map((a, g) => a.mul(0.99).add(g.ref.mul(g).mul(0.01)), v, slopes);
  const next = tree.map((w, a, b) => w.sub(a.mul(1e-3).div(np.sqrt(b).add(1e-8))), weights, tree.ref(first),
    tree.ref(second));
  return [value, next, first, second];
});

let m = tree.map((w) => np.zerosLike(w), tree.ref(parameters));
let v = tree.map((w) => np.zerosLike(w), tree.ref(parameters));
const ids = () => np.array(Int32Array.from({ length: BATCH * context }, () => Math.floor(Math.random() * vocabulary)));
await measure(Number(steps), async () => {
  const [value, ...rest] = step(parameters, m, v, ids(), ids());
  [parameters, m, v] = rest;
  return (await value.data())[0];
});
process.exit(0);
