/** Senseless arguments: each is refused with a HeedError, or has no effect. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { HeedError } from '../../js/errors.js';
import { guarded } from '../../js/guard.js';
import { load } from '../../js/index.js';
import * as insight from '../../js/insight/index.js';
import { lab as openLab, schedules } from '../../js/lab/index.js';
import { tinyGguf } from '../support/tiny-gguf.js';

/** Values that break code that reads or prints them. @returns {Record<string, any>} */
function strangers() {
  const { proxy, revoke } = Proxy.revocable({}, {});
  const list = Proxy.revocable([], {});
  revoke();
  list.revoke();
  const detached = new Float32Array(4);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  /** @type {any[]} */
  let deep = [];
  for (let i = 0; i < 50_000; i++) deep = [deep];
  return {
    'a symbol': Symbol('x'), 'a big integer': 10n, 'an object without a prototype': Object.create(null),
    'a revoked proxy': proxy, 'a revoked proxy of a list': list.proxy, 'a detached view': detached,
    'a deep list': deep, 'a list with a symbol': [Symbol('x')], 'a function': () => {}, 'null': null,
    'an object that throws in toString': { toString() { throw new Error('no'); } },
    'a getter that throws': { get length() { throw new Error('no'); }, get sizes() { throw new Error('no'); } },
    'NaN': NaN, '-0.5': -0.5, '2^31': 2 ** 31, '2^53': 2 ** 53, '1e9': 1e9, '1e300': 1e300, 'Infinity': Infinity,
    'text with marks': 'a\u202eb\u0000\n\u200f', 'an empty text': '', 'a Date': new Date(NaN), 'an empty list': [],
  };
}

const lab = await openLab({ limitBytes: 1 << 22, warn: () => {} });
const model = await load(await tinyGguf());
after(() => {
  lab.dispose();
  model.dispose();
});

const x = lab.tensor([[1, 2], [3, 4]]);
const one = lab.tensor([1, 2]);
const heads = lab.tensor(new Float32Array(8), [2, 2, 2]);
const weights = { ...lab.init.encoderBlock('', 4, 4), ...lab.init.gru('', 2, 2) };
const wide = lab.tensor(new Float32Array(8), [2, 4]);

/** Valid calls by name. The tests replace each argument in turn. @type {Record<string, [any, string, any[]]>} */
const CALLS = Object.fromEntries(/** @type {[any, string, any[]][]} */ ([
  [lab, 'tensor', [[1, 2], [2], { requiresGrad: false }]], [lab, 'parameter', [[1, 2], [2], 'name']],
  [lab, 'gelu', [x]], [lab, 'activation', [x, 'relu']], [lab, 'add', [x, x]], [lab, 'mul', [x, one]],
  [lab, 'sub', [x, x]], [lab, 'scale', [x, 2, 1]], [lab, 'linear', [x, x, one]],
  [lab, 'matmul', [x, x, { transposeA: true }]], [lab, 'softmax', [x, { axis: 0 }]],
  [lab, 'layerNorm', [x, one, one, { eps: 1e-5 }]], [lab, 'rmsNorm', [x, one, { eps: 1e-5 }]],
  [lab, 'embedding', [x, [0, 1]]], [lab, 'rope', [x, { theta: 10, first: 0, heads: 1, dims: 2, kind: 'halves' }]],
  [lab, 'dropout', [x, 0.5]], [lab, 'crossEntropy', [x, [0, 1]]], [lab, 'sinusoidal', [2, 2]],
  [lab, 'transpose', [x, 0, 1]], [lab, 'reshape', [x, [4]]], [lab, 'slice', [x, 0, 0, 1]], [lab, 'concat', [[x, x], 0]],
  [lab, 'sum', [x]], [lab, 'mean', [x]], [lab, 'attention', [heads, heads, heads, { causal: true, scale: 1, past: 0 }]],
  [lab, 'multiHead', [wide, wide, wide, weights, { heads: 2 }]],
  [lab, 'encoderBlock', [wide, weights, { heads: 2, norm: 'after', activation: 'relu' }]],
  [lab, 'gru', [heads, weights, { lengths: [1, 2] }]], [lab, 'backward', [x]], [lab, 'evaluate', [() => x]],
  [lab, 'step', [() => x]], [lab, 'load', [new Uint8Array(9)]], [lab, 'assign', [weights, new Uint8Array(9)]],
  [lab, 'save', [{ x }, { a: 'b' }, { dtype: 'F32' }]], [lab, 'adamW', [weights, { rate: 1, betas: [0.9, 0.99] }]],
  [lab, 'sgd', [weights, { rate: 1, momentum: 0 }]], [lab, 'clipGradients', [weights, 1]],
  [lab.init, 'uniform', ['a', [2], 1]], [lab.init, 'normal', ['a', [2], 1]], [lab.init, 'constant', ['a', [2], 1]],
  [lab.init, 'linear', ['a.', 2, 2, { bias: true }]], [lab.init, 'embedding', ['a.', 2, 2, { deviation: 1 }]],
  [lab.init, 'layerNorm', ['a.', 2]], [lab.init, 'multiHead', ['a.', 2]], [lab.init, 'encoderBlock', ['a.', 2, 2]],
  [lab.init, 'gru', ['a.', 2, 2, { layers: 1, bidirectional: false }]],
  [schedules, 'cosine', [{ rate: 1, warmup: 0, total: 9 }]], [schedules, 'noam', [{ width: 4, warmup: 2 }]],
  [{ openLab }, 'openLab', [{ seed: 1, threads: 1, limitBytes: 1 << 20, engine: 'auto', strict: false }]],
  [{ load }, 'load', [new Uint8Array(9), { contextLength: 8, threads: 1, engine: 'auto', strict: false,
    quantize: 'keep', maps: true, cache: 'auto', worker: false, hub: 'http://127.0.0.1:1', stallMs: 100 }]],
  [{ load }, 'load', [{ weights: new Uint8Array(9), config: {}, tokenizer: {} }]],
  [model, 'encode', ['text']], [model, 'decode', [[1, 2]]], [model, 'tokens', [[1, 2]]],
  [model, 'forward', [[1, 2], { all: true }]], [model, 'attention', [{ layer: 0, head: 0, kind: 'pattern',
    queries: [0, 1] }]],
  [model, 'attentionRows', [{ kind: 'pattern', queries: [0, 1] }]],
  [model, 'runWithCache', [[1, 2], ['hook_embed'], { all: false, edits: [] }]],
  [model, 'runWithHooks', [[1, 2], [{ hook: 'blocks.0.attn.hook_z', head: 0, scale: 0, positions: [0, 1] }]]],
  [model, 'rewind', [0]],
  [insight, 'logitLens', [model, [1, 2], { layers: [-1, 0], positions: [0, 1], top: 2, edits: [] }]],
  [insight, 'directLogitAttribution', [model, [1, 2], { of: { logit: 1 }, by: 'head', position: 1, edits: [] }]],
  [insight, 'directLogitAttribution', [model, [1, 2], { of: { logitDifference: [1, 2] }, by: 'source' }]],
  [insight, 'headScores', [model, [[1, 2], [3]], { edits: [] }]],
  [insight, 'headScores', [model, { repeated: 4, texts: 1, seed: 1 }]],
  [insight, 'valueNorms', [model, [1, 2], { layers: [0], edits: [] }]],
  [insight, 'rollout', [model, [1, 2], { residual: 0.5, edits: [] }]],
  [insight, 'circuits', [model, { layer: 0, head: 0 }, { top: 2, vocabulary: [1, 2] }]],
  [insight, 'toNpz', [{ x: new Float32Array(2) }, { batch: true }]],
  [insight, 'toSafetensors', [{ x: { data: new Float32Array(2), shape: [2] } }, { batch: true }]],
  [{ generate }, 'generate', [[1, 2], { maxTokens: 2, temperature: 1, topK: 2, topP: 0.5, minP: 0.1, seed: 1,
    repeatPenalty: 1, stop: ['x'], top: 2 }]],
]).filter(([on, name]) => typeof on[name] === 'function').map(([on, name, values], i) =>
  [`${name} (${i})`, [on, name, values]]));

/** @param {any} prompt @param {any} options */
async function generate(prompt, options) {
  let steps = 0;
  for await (const _ of model.generate(prompt, options)) if (++steps === 3) break;
}

/** The defect of a call's refusal, or null. @param {() => unknown} call */
async function problemOf(call) {
  try {
    /** @type {unknown} */
    let made;
    lab.evaluate(() => void (made = call()));
    await made;
  } catch (error) {
    if (!(error instanceof HeedError)) return String(error instanceof Error ? error.stack : error);
    const { message } = error;
    if (/[\p{Cc}\p{Cf}]/u.test(message)) return `marks in ${JSON.stringify(message)}`;
    if (message.length > 2000) return `a message of ${message.length} characters`;
  }
  return null;
}

describe('senseless arguments', () => {
  for (const [label, [on, name, values]] of Object.entries(CALLS)) {
    test(label, async () => {
      /** @type {Record<string, string>} */
      const problems = {};
      const check = async (/** @type {string} */ what, /** @type {any[]} */ damaged) => {
        const problem = await problemOf(() => on[name](...damaged));
        if (problem !== null) problems[what] = problem;
      };
      for (const [kind, value] of Object.entries(strangers())) {
        for (const [i, argument] of values.entries()) {
          const spoil = (/** @type {any} */ by) => values.map((other, j) => (i === j ? by : other));
          await check(`argument ${i}, ${kind}`, spoil(value));
          if (Object.getPrototypeOf(Object(argument)) !== Object.prototype) continue;
          for (const key of [...Object.keys(argument), 'no-such-option']) {
            await check(`${key}, ${kind}`, spoil({ ...argument, [key]: value }));
          }
        }
      }
      assert.deepEqual(problems, {});
    });
  }
});

test('an error inside heed does not blame the arguments alone, and keeps its cause', () => {
  const fault = new Error('17 of 18 bytes were read');
  assert.throws(() => guarded('load', () => { throw fault; })(), (/** @type {HeedError} */ { cause, message }) =>
    cause === fault && /^load: an argument threw an error, or heed has a fault \(17 of 18 bytes/.test(message));
});
