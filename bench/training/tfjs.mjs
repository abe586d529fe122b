/** Steps of the same model in TensorFlow.js: node tfjs.mjs FOLDER wasm|cpu STEPS, FOLDER with its packages installed. */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { BATCH, measure, MODEL } from './model.mjs';

const [folder, backend, steps] = process.argv.slice(2);
const require = createRequire(join(resolve(folder), 'package.json'));
const tf = require('@tensorflow/tfjs');
if (backend === 'wasm') {
  const wasm = require('@tensorflow/tfjs-backend-wasm');
  wasm.setThreadsCount(1);
  wasm.setWasmPaths(join(resolve(folder), 'node_modules/@tensorflow/tfjs-backend-wasm/dist/'));
}
await tf.setBackend(backend);
await tf.ready();

const { layers, heads, width, hidden, context, vocabulary } = MODEL;
const matrix = (rows, columns) => tf.variable(tf.randomNormal([rows, columns], 0, 0.02));
const norm = () => ({ gain: tf.variable(tf.ones([width])), bias: tf.variable(tf.zeros([width])) });
const wte = matrix(vocabulary, width);
const wpe = matrix(context, width);
const blocks = Array.from({ length: layers }, () => ({
  ln_1: norm(), q: matrix(width, width), k: matrix(width, width), v: matrix(width, width), proj: matrix(width, width),
  ln_2: norm(), up: matrix(width, hidden), down: matrix(hidden, width),
}));
const lnF = norm();
const hide = tf.tensor2d(Array.from({ length: context }, (_, i) =>
  Array.from({ length: context }, (_, j) => (j > i ? -1e9 : 0))));

const layerNorm = (x, { gain, bias }) => {
  const centered = x.sub(x.mean(-1, true));
  return centered.mul(centered.square().mean(-1, true).add(1e-5).rsqrt()).mul(gain).add(bias);
};
const gelu = (x) => x.mul(0.5).mul(x.add(x.mul(x).mul(x).mul(0.044715)).mul(0.79788456).tanh().add(1));
const apart = (x) => x.reshape([BATCH, context, heads, width / heads]).transpose([0, 2, 1, 3]);

function loss(inputs, targets) {
  const positions = tf.tile(wpe, [BATCH, 1]);
  let x = tf.oneHot(inputs, vocabulary).toFloat().matMul(wte).add(positions);
  for (const { ln_1, q, k, v, proj, ln_2, up, down } of blocks) {
    const a = layerNorm(x, ln_1);
    const [qs, ks, vs] = [q, k, v].map((w) => apart(a.matMul(w)));
    const pattern = tf.softmax(tf.matMul(qs, ks, false, true).mul(1 / Math.sqrt(width / heads)).add(hide));
    const z = tf.matMul(pattern, vs).transpose([0, 2, 1, 3]).reshape([BATCH * context, width]);
    x = x.add(z.matMul(proj));
    x = x.add(gelu(layerNorm(x, ln_2).matMul(up)).matMul(down));
  }
  const logits = layerNorm(x, lnF).matMul(wte, false, true);
  return tf.losses.softmaxCrossEntropy(tf.oneHot(targets, vocabulary).toFloat(), logits);
}

const optimizer = tf.train.adam(1e-3, 0.9, 0.99);
const ids = () => tf.tensor1d(Int32Array.from({ length: BATCH * context }, () =>
  Math.floor(Math.random() * vocabulary)), 'int32');
await measure(Number(steps), () => {
  const inputs = ids();
  const targets = ids();
  const value = optimizer.minimize(() => loss(inputs, targets), true).dataSync()[0];
  return value;
});
