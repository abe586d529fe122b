// Every operation and block of heed/lab against PyTorch: values and gradients, in both sets of kernels.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { lab, under } from '../../js/lab/index.js';
import { close, golden, weigh } from '../support/lab.js';

const seen = new Set();

/** The computation of each case of tools/goldens/lab.py: from its tensors to y and other named outputs. */
const attentions = {
  'attention-dot': { score: 'dot' },
  'attention-scaled-dot': { causal: true, past: 2 },
  'attention-additive': { score: 'additive' },
  'attention-bilinear': { score: 'bilinear' },
  'attention-concat': { score: 'concat' },
  'attention-softcap': { softcap: 1.5, causal: true },
  'attention-mask': {},
  'attention-mask-heads': {},
  'attention-hidden': { maskKind: 'boolean' },
};
const functions = ['relu', 'gelu', 'geluTanh', 'silu', 'tanh', 'sigmoid', 'softmax'];
const ids = (stored) => stored && Int32Array.from(stored.data);

const CASES = {
  ...Object.fromEntries(Object.entries(attentions).map(([name, options]) => [name, (l, t, stored) => {
    const { q, k, v, mask, lengths: _, ...weights } = t;
    const { output, pattern, scores } = l.attention(q, k, v,
      { ...options, weights, mask, lengths: ids(stored.lengths) });
    return { y: output, pattern, scores };
  }])),
  'multi-head': (l, t, stored) => {
    const { output, pattern } = l.multiHead(t.q, t.k, t.v, t, { heads: 3, lengths: ids(stored.lengths) });
    return { y: output, pattern };
  },
  ...Object.fromEntries(['post', 'pre'].flatMap((norm) => ['relu', 'gelu'].map((activation) =>
    [`encoder-${norm}-${activation}`, (l, t, stored) =>
      ({ y: l.encoderBlock(t.x, t, { heads: 3, norm, activation, lengths: ids(stored.lengths) }).output })]))),
  ...Object.fromEntries(['post', 'pre'].map((norm) => [`decoder-${norm}`, (l, t, stored) =>
    ({ y: l.decoderBlock(t.x, t.memory, t, { heads: 3, norm, memoryLengths: ids(stored.lengths) }).output })])),
  ...Object.fromEntries([false, true].map((bidirectional) => [bidirectional ? 'gru-both' : 'gru', (l, t, stored) => {
    const { output, state } = l.gru(t.x, t, { bidirectional, lengths: ids(stored.lengths) });
    return { y: output, state };
  }])),
  ...Object.fromEntries([false, true].map((bidirectional) => [bidirectional ? 'gru-deep-both' : 'gru-deep',
    (l, t, stored) => {
      const { output, state } = l.gru(t.x, t, { bidirectional, state: t.h0, lengths: ids(stored.lengths) });
      return { y: output, state };
    }])),
  'gru-cell': (l, t) => ({ y: l.gruCell(t.x, t.h, t) }),
  'layer-norm': (l, t) => ({ y: l.layerNorm(t.x, t.weight, t.bias, { eps: 1e-3 }) }),
  'rms-norm': (l, t) => ({ y: l.rmsNorm(t.x, t.weight, { eps: 1e-3 }) }),
  ...Object.fromEntries(functions.map((name) => [`f-${name}`, (l, t) => ({ y: l[name](t.x) })])),
  'rope-halves': (l, t) => ({ y: l.rope(t.x) }),
  'rope-adjacent': (l, t) => ({ y: l.rope(t.x, { kind: 'adjacent', heads: 2, dims: 6, first: 5, theta: 500 }) }),
  linear: (l, t) => ({ y: l.linear(t.x, t.weight, t.bias) }),
  embedding: (l, t, stored) => ({ y: l.embedding(t.table, ids(stored.ids), [2, 3]) }),
  ...Object.fromEntries(Object.entries({ mean: {}, sum: { reduction: 'sum' }, smooth: { smoothing: 0.1 } }).map(
    ([name, options]) => [`cross-entropy-${name}`, (l, t, stored) =>
      ({ y: l.reshape(l.crossEntropy(t.x, ids(stored.targets), options), [1]) })])),
};

for (const engine of ['scalar', 'simd128']) {
  describe(engine, () => {
    let l;
    before(async () => { l = await lab({ engine }); });
    after(() => l.dispose());

    for (const [name, compute] of Object.entries(CASES)) {
      test(`${name}: values and gradients`, async () => {
        const stored = await golden(name);
        seen.add(name);
        const inputs = Object.entries(stored).filter(([key]) => !/^(out\.|grad\.|r$)/.test(key));
        const tensors = Object.fromEntries(inputs.map(([key, { shape, data }]) =>
          [key, l.tensor(data, shape, { requiresGrad: `grad.${key}` in stored })]));
        l.step(() => {
          const { y, ...others } = compute(l, tensors, stored);
          close(y.data, stored['out.y'].data, 'y');
          assert.deepEqual(y.shape, stored['out.y'].shape);
          for (const [key, tensor] of Object.entries(others)) {
            close(tensor.data, stored[`out.${key}`].data, key);
            assert.deepEqual(tensor.shape, stored[`out.${key}`].shape);
          }
          l.backward(weigh(l, y, stored.r.data));
        });
        const gradients = Object.keys(stored).filter((key) => key.startsWith('grad.'));
        assert.ok(gradients.length > 0);
        for (const key of gradients) close(tensors[key.slice(5)].grad, stored[key].data, key);
      });
    }

    for (const [name, make] of Object.entries({
      'adamw': (w) => l.adamW([w], { rate: 0.05, betas: [0.8, 0.95], weightDecay: 0.1 }),
      'sgd': (w) => l.sgd([w], { rate: 0.05 }),
      'sgd-momentum': (w) => l.sgd([w], { rate: 0.02, momentum: 0.9, weightDecay: 0.1 }),
    })) {
      test(`${name}: five steps, two of them clipped`, async () => {
        const file = `optimiser-${name}`; // spelled as the golden; words: allow
        const stored = await golden(file);
        seen.add(file);
        const w = l.parameter(stored.w.data, stored.w.shape, 'w');
        const target = l.tensor(stored.target.data, stored.target.shape);
        const optimizer = make(w);
        for (let step = 0; step < 5; step++) {
          l.step(() => {
            const d = l.sub(w, target);
            l.backward(l.sum(l.mul(d, d)));
            close([l.clipGradients([w], step < 2 ? 1 : 1e9)], stored[`out.norm${step}`].data, `norm ${step}`);
            optimizer.step();
          });
          close(w.data, stored[`out.${step}`].data, `w after step ${step}`);
        }
      });
    }
  });
}

test('every golden file was compared', async () => {
  const files = await readdir(new URL('../goldens/lab', import.meta.url));
  assert.deepEqual(files.map((file) => file.replace('.safetensors', '')).sort(), [...seen].sort());
});

test('weights have PyTorch’s names', async () => {
  const l = await lab();
  const stored = await golden('decoder-post');
  const names = Object.keys(stored).filter((key) => `grad.${key}` in stored && !['x', 'memory'].includes(key));
  const made = under(l.init.decoderBlock('layers.0.', 12, 20), 'layers.0.');
  assert.deepEqual(Object.keys(made).sort(), names.sort());
  for (const name of names) assert.deepEqual(made[name].shape, stored[name].shape, name);
  const both = await golden('gru-both');
  const gru = l.init.gru('', 5, 7, { bidirectional: true });
  for (const [name, tensor] of Object.entries(gru)) assert.deepEqual(tensor.shape, both[name].shape, name);
  const deep = await golden('gru-deep-both');
  const layers = l.init.gru('', 5, 7, { bidirectional: true, layers: 3 });
  assert.deepEqual(Object.keys(layers).sort(), Object.keys(deep).filter((key) => /^(weight|bias)_/.test(key)).sort());
  for (const [name, tensor] of Object.entries(layers)) assert.deepEqual(tensor.shape, deep[name].shape, name);
  l.dispose();
});
