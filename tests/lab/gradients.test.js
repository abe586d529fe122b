// Gradients against finite differences: every operation, view, copy and score, and whole blocks.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { lab, normal, randomFrom } from '../../js/lab/index.js';

let l;
before(async () => { l = await lab({ seed: 3 }); });
after(() => l.dispose());

/** Functions of tensors with these shapes. x is spread over the curved range of each function. */
const CASES = {
  'rope of halves': [{ x: [2, 5, 12] }, (t) => l.rope(t.x, { heads: 2, first: 3 })],
  'rope of pairs, half of each head': [{ x: [2, 5, 16] }, (t) => l.rope(t.x, { heads: 2, dims: 4, kind: 'adjacent' })],
  'add, repeated over rows': [{ a: [2, 3, 4], b: [3, 4] }, (t) => l.add(t.a, t.b)],
  'add, an axis of one between others': [{ a: [2, 3, 4], b: [2, 1, 4] }, (t) => l.add(t.a, t.b)],
  'mul, both repeated': [{ a: [2, 1, 4], b: [3, 1] }, (t) => l.mul(t.a, t.b)],
  'add, one column': [{ a: [2, 3, 4], b: [2, 3, 1] }, (t) => l.add(t.a, t.b)],
  'mul, alike': [{ a: [3, 5], b: [3, 5] }, (t) => l.mul(t.a, t.b)],
  'mul, repeated': [{ a: [2, 3, 5], b: [3, 5] }, (t) => l.mul(t.a, t.b)],
  'mul, one column': [{ a: [2, 3, 5], b: [2, 3, 1] }, (t) => l.mul(t.a, t.b)],
  'mul with itself': [{ a: [3, 5] }, (t) => l.mul(t.a, t.a)],
  'scale and sub': [{ a: [3, 5], b: [3, 5] }, (t) => l.sub(l.scale(t.a, -1.5, 2), t.b)],
  'matmul': [{ a: [3, 5], b: [5, 4] }, (t) => l.matmul(t.a, t.b)],
  'matmul, a transposed': [{ a: [5, 3], b: [5, 4] }, (t) => l.matmul(t.a, t.b, { transposeA: true })],
  'matmul, b transposed': [{ a: [3, 5], b: [4, 5] }, (t) => l.matmul(t.a, t.b, { transposeB: true })],
  'matmul, both transposed': [{ a: [5, 3], b: [4, 5] }, (t) =>
    l.matmul(t.a, t.b, { transposeA: true, transposeB: true })],
  'gather, with repeated and empty rows': [{ x: [4, 3] }, (t) => l.gather(t.x, [2, -1, 0, 2, 3])],
  'slices of every axis': [{ x: [3, 4, 6] }, (t) => l.concat([
    l.reshape(l.slice(t.x, 0, 1), [24]), l.reshape(l.slice(t.x, 1, -1), [18]), l.reshape(l.slice(t.x, 2, 2), [12]),
    l.reshape(l.slice(t.x, 1, 1, 3), [36]), l.reshape(l.slice(t.x, 2, 2, 5), [36])], 0)],
  'concat along each axis': [{ a: [2, 3, 4], b: [2, 3, 4] }, (t) => l.concat([0, 1, 2].map((axis) =>
    l.reshape(l.concat([t.a, t.b, t.a], axis), [72])), 0)],
  'stack': [{ a: [2, 4], b: [2, 4] }, (t) => l.stack([t.b, t.a, t.b])],
  'permute': [{ x: [2, 3, 4, 5] }, (t) => l.permute(t.x, [2, 0, 1, 3])],
  'sums and means': [{ x: [2, 3, 4, 5] }, (t) => l.concat([
    l.reshape(l.sum(t.x), [1]), l.reshape(l.mean(t.x), [1]), ...[0, 1, 2, 3].map((axis) => {
      const sum = l.mean(t.x, axis);
      return l.reshape(sum, [120 / [2, 3, 4, 5][axis]]);
    })], 0)],
  'dropout': [{ x: [6, 7] }, (t, fresh) => { fresh(); return l.dropout(t.x, 0.4); }],
  'attention without axes of heads': [{ q: [3, 4], k: [5, 4], v: [5, 2] }, (t) => l.attention(t.q, t.k, t.v).output],
  'multi-head with rope and grouped heads': [
    { x: [2, 4, 8], q_proj_weight: [8, 8], k_proj_weight: [4, 8], v_proj_weight: [4, 8], 'out_proj.weight': [8, 8] },
    (t) => l.multiHead(t.x, t.x, t.x, t, { heads: 4, kvHeads: 2, rope: {}, causal: true }).output],
  'multi-head of different widths': [
    { x: [2, 4, 6], q_proj_weight: [8, 6], k_proj_weight: [8, 6], v_proj_weight: [7, 6], 'out_proj.weight': [6, 7] },
    (t) => l.multiHead(t.x, t.x, t.x, t, { heads: 2, valueWidths: [2, 5] }).output],
  'multi-head of slices': [
    { x: [2, 4, 6], q_proj_weight: [8, 3], k_proj_weight: [8, 3], v_proj_weight: [10, 3], 'out_proj.weight': [6, 10] },
    (t) => l.multiHeadOfPieces(t.x, t, { heads: 2 }).output],
  'multi-head, pooled': [
    { x: [2, 4, 6], q_proj_weight: [8, 6], k_proj_weight: [8, 6], v_proj_weight: [12, 6] },
    (t) => l.multiHeadPooled(t.x, t, { heads: 2, causal: true }).output],
  'activations': [{ x: [4, 6] }, (t) => l.concat([
    l.gelu(t.x), l.geluTanh(t.x), l.silu(t.x), l.tanh(t.x), l.sigmoid(t.x)], 0)],
  // cubed, because finite differences are wrong at the kink of relu at 0
  'relu': [{ x: [4, 6] }, (t) => { const y = l.relu(t.x); return l.mul(l.mul(y, y), y); }],
  'linear': [{ x: [2, 3, 5], w: [4, 5], b: [4] }, (t) => l.linear(t.x, t.w, t.b)],
  'embedding, repeated ids': [{ table: [5, 3] }, (t) => l.embedding(t.table, [3, 0, 3, 1, 3, 4])],
  'norms': [{ x: [3, 7], w: [7], b: [7] }, (t) => l.concat([l.layerNorm(t.x, t.w, t.b), l.rmsNorm(t.x, t.w)], 0)],
  'softmax': [{ x: [3, 4, 5] }, (t) => l.softmax(t.x)],
  'cross-entropy, one target ignored, labels smoothed': [{ x: [5, 7] }, (t) =>
    l.reshape(l.crossEntropy(t.x, [2, 6, -100, 0, 2], { smoothing: 0.1 }), [1])],
  'additive score': [{ q: [2, 3, 4], k: [2, 5, 6], v: [2, 5, 2], W_q: [7, 4], W_k: [7, 6], w_a: [7] }, (t) =>
    l.attention(t.q, t.k, t.v, { score: 'additive', weights: { W_q: t.W_q, W_k: t.W_k, w_a: t.w_a } }).output],
  'bilinear score': [{ q: [2, 3, 4], k: [2, 5, 6], v: [2, 5, 2], W: [4, 6] }, (t) =>
    l.attention(t.q, t.k, t.v, { score: 'bilinear', weights: { W: t.W } }).output],
  'concat score': [{ q: [2, 3, 4], k: [2, 5, 6], v: [2, 5, 2], W_a: [7, 10], v_a: [7] }, (t) =>
    l.attention(t.q, t.k, t.v, { score: 'concat', weights: { W_a: t.W_a, v_a: t.v_a } }).output],
  'dot score, capped': [{ q: [2, 3, 4], k: [2, 5, 4], v: [2, 5, 2] }, (t) =>
    l.attention(t.q, t.k, t.v, { score: 'dot', softcap: 2 }).output],
  'causal with keys of a past, and lengths': [{ q: [2, 1, 3, 4], k: [2, 1, 5, 4], v: [2, 1, 5, 2] }, (t) =>
    l.attention(t.q, t.k, t.v, { causal: true, past: 2, lengths: [5, 3] }).output],
  'a cell of a GRU': [{ x: [3, 4], h: [3, 5], weight_ih: [15, 4], weight_hh: [15, 5], bias_ih: [15], bias_hh: [15] },
    (t) => l.gruCell(t.x, t.h, t)],
  'a GRU both ways, with lengths': [{ x: [2, 4, 3], ...Object.fromEntries(['l0', 'l0_reverse'].flatMap((part) => [
    [`weight_ih_${part}`, [12, 3]], [`weight_hh_${part}`, [12, 4]], [`bias_ih_${part}`, [12]],
    [`bias_hh_${part}`, [12]]])) },
  (t) => l.gru(t.x, t, { bidirectional: true, lengths: [4, 2] }).output],
  'the pattern itself': [{ q: [2, 3, 4], k: [2, 5, 4], v: [2, 5, 2] }, (t) => l.attention(t.q, t.k, t.v).pattern],
};

/**
 * Compares the slope of Σ y·r along a direction with gradient·direction. The slope is a finite difference of fourth
 * order (error h⁴). y is float32 and its loss is summed in float64. A few roundings of each y give the slope an error
 * of about 1e-6·Σ|y·r| / h.
 */
const H = 0.02;
for (const [name, [shapes, compute]] of Object.entries(CASES)) {
  test(`${name}: the gradient equals the finite difference`, () => {
    const random = randomFrom(name.length * 31 + name.charCodeAt(0));
    const size = (shape) => shape.reduce((a, b) => a * b, 1);
    const draw = (deviation) => Object.fromEntries(Object.entries(shapes).map(([key, shape]) =>
      [key, normal(random, size(shape), deviation)]));
    const start = draw(0.7);
    const way = draw(1);
    const tensors = Object.fromEntries(Object.entries(shapes).map(([key, shape]) =>
      [key, l.tensor(start[key], shape, { requiresGrad: true })]));
    let r;
    /** Every run repeats the random numbers of dropout. */
    const fresh = () => { l.startDropoutAt(0); };
    const run = (h, learn) => {
      for (const [key, tensor] of Object.entries(tensors)) {
        tensor.data.set(start[key].map((x, i) => x + h * way[key][i]));
      }
      return l.step(() => {
        const y = compute(tensors, fresh);
        r ??= normal(random, y.data.length);
        if (learn) l.backward(l.sum(l.mul(y, l.tensor(r, y.shape))));
        return y.data.reduce((sum, value, i) => sum + value * r[i], 0);
      });
    };
    const reached = Math.abs(run(0, true));
    const slope = Object.entries(tensors).reduce((sum, [key, { grad }]) =>
      sum + grad.reduce((dot, g, i) => dot + g * way[key][i], 0), 0);
    const difference = (8 * (run(H) - run(-H)) - (run(2 * H) - run(-2 * H))) / (12 * H);
    const allowed = 5e-4 * Math.max(1, Math.abs(slope), reached);
    assert.ok(Math.abs(slope) > 20 * allowed || Math.abs(slope) > 0.01, `a slope of ${slope} is below the error`);
    assert.ok(Math.abs(slope - difference) <= allowed, `${slope}, by differences ${difference}`);
  });
}

/** Blocks with weights w, inputs x and the output of an encoder. */
const BLOCKS = {
  'an encoder block': ['encoderBlock', (w, x, memory, norm) =>
    l.encoderBlock(l.add(x, memory), w, { heads: 2, activation: 'gelu', norm })],
  'a decoder block': ['decoderBlock', (w, x, memory, norm) =>
    l.decoderBlock(x, memory, w, { heads: 2, activation: 'gelu', norm })],
};
for (const [name, [kind, run]] of Object.entries(BLOCKS)) {
  for (const norm of ['post', 'pre']) {
    test(`${name}, ${norm}-LN: gradients of single weights and inputs equal finite differences`, () => {
      const weights = l.init[kind]('', 6, 8);
      const x = l.parameter(normal(randomFrom(8), 24), [2, 2, 6], 'x');
      const memory = l.parameter(normal(randomFrom(10), 24), [2, 2, 6], 'memory');
      const r = normal(randomFrom(9), 24);
      const loss = () => l.evaluate(() => {
        const y = run(weights, x, memory, norm).output;
        return y.data.reduce((sum, value, i) => sum + value * r[i], 0);
      });
      l.step(() => {
        const y = run(weights, x, memory, norm).output;
        l.backward(l.sum(l.mul(y, l.tensor(r, [2, 2, 6]))));
      });
      for (const [part, tensor] of Object.entries({ ...weights, x, memory })) {
        for (const i of [0, tensor.data.length >> 1, tensor.data.length - 1]) {
          const at = tensor.data[i];
          const losses = [2, 1, -1, -2].map((h) => {
            tensor.data[i] = at + h * H;
            return loss();
          });
          tensor.data[i] = at;
          const slope = (8 * (losses[1] - losses[2]) - (losses[0] - losses[3])) / (12 * H);
          const told = `${part}[${i}]: ${tensor.grad[i]}, by differences ${slope}`;
          assert.ok(Math.abs(slope - tensor.grad[i]) < 2e-3, told);
        }
      }
    });
  }
}
