// Claims of the course notes about attention, blocks and positions, computed with the lab's operations.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { lab, normal, randomFrom, schedules, under } from '../../js/lab/index.js';
import { sameBits } from '../support/tolerance.js';

let l;
before(async () => { l = await lab({ seed: 5 }); });
after(() => l.dispose());

/** Asserts equality at the given number of decimals. */
const near = (actual, expected, decimals = 3) =>
  actual.flat(3).forEach((x, i) => assert.ok(Math.abs(x - expected.flat(3)[i]) <= 0.5 * 10 ** -decimals + 1e-7,
    `[${i}] is ${x}, not ${expected.flat(3)[i]}`));
const random = (seed, ...shape) => l.tensor(normal(randomFrom(seed), shape.reduce((a, b) => a * b, 1)), shape);

test('the worked example: scores, weights and values', () => {
  const [V, K, Q] = [[[2, 3, 1], [2, -1, 0], [0, 5, 1]], [[2, 1, -1], [0, 3, -1], [1, 1, 3]], [[2, -1, 0], [-2, 1, 4]]]
    .map((rows) => l.tensor(rows));
  const { output, pattern, scores } = l.attention(Q, K, V, { score: 'dot' });
  assert.deepEqual(scores.toArray(), [[3, -3, 1], [-7, -1, 11]]);
  near(pattern.toArray(), [[0.879, 0.002, 0.119], [0, 0, 1]]);
  near(output.toArray(), [[1.762, 3.229, 0.998], [0, 5, 1]]);
});

describe('masks', () => {
  const one = (scores, options) => {
    const q = l.tensor(scores.map((s) => [s]).flat(), [1, scores.length]);
    const k = l.tensor(Array.from({ length: scores.length ** 2 }, (_, i) =>
      Number(i % (scores.length + 1) === 0)), [scores.length, scores.length]);
    return Array.from(l.attention(q, k, k, { score: 'dot', ...options }).pattern.data);
  };
  test('a mask of -Infinity removes a key', () => {
    assert.deepEqual(one([2, 2, 2], { mask: l.tensor([[0, 0, -Infinity]]) }), [0.5, 0.5, 0]);
    near(one([1, 1, 1, 1], { mask: l.tensor([[1, 1, 1, 0]]), maskKind: 'boolean' }), [1 / 3, 1 / 3, 1 / 3, 0], 6);
    near(one([1, 1, 1, 1], { lengths: [3] }), [1 / 3, 1 / 3, 1 / 3, 0], 6);
    near(one([5, 1, 1], { causal: true }), [1, 0, 0], 6);
    near(one([5, 5, 1], { causal: true, past: 1 }), [0.5, 0.5, 0], 6);
  });
  test('a row without visible keys is zeros, and so are its gradients', () => {
    const [q, k, v] = [[1, 2, 4], [1, 3, 4], [1, 3, 2]].map((shape, i) =>
      l.tensor(normal(randomFrom(i), shape[1] * shape[2]), shape, { requiresGrad: true }));
    l.step(() => {
      const { output, pattern } = l.attention(q, k, v, { lengths: undefined,
        mask: l.tensor([[0, 0, 0], [1, 0, 1]]), maskKind: 'boolean' });
      assert.deepEqual(Array.from(pattern.data.subarray(0, 3)), [0, 0, 0]);
      assert.deepEqual(Array.from(output.data.subarray(0, 2)), [0, 0]);
      l.backward(l.sum(output));
    });
    assert.deepEqual(Array.from(q.grad.subarray(0, 4)), [0, 0, 0, 0]);
    for (const tensor of [q, k, v]) assert.ok(tensor.grad.every(Number.isFinite));
  });
});

describe('broadcasting', () => {
  /** NumPy's rule, element by element. @param {number[]} a @param {number[]} b */
  const numpy = (a, b) => {
    const length = Math.max(a.length, b.length);
    const pad = (/** @type {number[]} */ sizes) => [...Array(length - sizes.length).fill(1), ...sizes];
    const p = pad(a);
    const q = pad(b);
    const sizes = p.map((size, i) => Math.max(size, q[i]));
    const from = (/** @type {number[]} */ own, /** @type {number[]} */ index) =>
      index.reduce((at, j, i) => at * own[i] + (own[i] === 1 ? 0 : j), 0);
    const all = Array.from({ length: sizes.reduce((x, y) => x * y, 1) }, (_, at) =>
      sizes.map((size, i) => Math.floor(at / sizes.slice(i + 1).reduce((x, y) => x * y, 1)) % size));
    return { sizes, pairs: all.map((index) => [from(p, index), from(q, index)]) };
  };
  for (const [a, b] of [[[2, 3, 4], [3, 4]], [[3, 4], [2, 3, 4]], [[2, 3, 4], [2, 1, 4]], [[2, 1, 4], [3, 1]],
    [[3, 1], [1, 4]], [[4], [3, 1]], [[1, 3, 1], [2, 1, 4]], [[2, 3, 4], [1]], [[2, 2, 3], [2, 1, 3]], [[1], [1, 1]],
    [[2, 1, 1, 4], [3, 2, 1]]]) {
    test(`[${a}] and [${b}] align at the right`, () => {
      const x = random(1, ...a);
      const y = random(2, ...b);
      const { sizes, pairs } = numpy(a, b);
      for (const [name, f] of Object.entries({ add: (p, q) => p + q, sub: (p, q) => p - q, mul: (p, q) => p * q })) {
        const z = l[name](x, y);
        assert.deepEqual([...z.shape], sizes, name);
        assert.deepEqual(Array.from(z.data), pairs.map(([i, j]) => Math.fround(f(x.data[i], y.data[j]))), name);
      }
    });
  }
  test('a mask of three axes is [head][query][key], also if there are as many sequences as heads', () => {
    const q = random(3, 2, 2, 3, 4);
    const k = random(4, 2, 2, 5, 4);
    const mask = random(5, 2, 3, 5);
    const { scores } = l.attention(q, k, k);
    const expected = scores.data.map((s, i) => Math.fround(s + mask.data[i % 30]));
    assert.deepEqual(Array.from(l.attention(q, k, k, { mask }).scores.data), Array.from(expected));
    const each = l.reshape(mask, [2, 1, 3, 5]);
    const perSequence = scores.data.map((s, i) => Math.fround(s + mask.data[Math.floor(i / 30) * 15 + i % 15]));
    assert.deepEqual(Array.from(l.attention(q, k, k, { mask: each }).scores.data), Array.from(perSequence));
  });
  test('a mask with one key repeats over the keys, also in its gradient', () => {
    const q = random(3, 2, 2, 3, 4);
    const k = random(4, 2, 2, 5, 4);
    const open = l.tensor([1, 0], { head: 2, query: 1, key: 1 });
    const { pattern } = l.attention(q, k, k, { mask: open, maskKind: 'boolean' });
    const sums = Array.from({ length: 12 }, (_, row) => pattern.data.slice(row * 5, row * 5 + 5));
    near(sums.map((row) => row.reduce((a, b) => a + b)), [1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0], 6); // head 1 sees no key
    const rows = l.parameter(random(5, 6).data, [2, 1, 3, 1], 'rows');
    const { scores } = l.attention(q, k, k);
    l.step(() => {
      const masked = l.attention(q, k, k, { mask: rows }).scores;
      const row = (/** @type {number} */ i) => Math.floor(i / 30) * 3 + Math.floor(i / 5) % 3;
      const expected = scores.data.map((s, i) => Math.fround(s + rows.data[row(i)]));
      assert.deepEqual(Array.from(masked.data), Array.from(expected));
      l.backward(l.sum(masked));
    });
    assert.deepEqual(Array.from(/** @type {Float32Array} */ (rows.grad)), Array(6).fill(10)); // two heads, five keys
  });
});

test('causal: true gives the bits of the same mask as a tensor', () => {
  // more queries than one band, fewer queries than keys, and two heads that share keys
  const queries = 150;
  const past = 20;
  const heads = 4;
  const d = 8;
  const keys = queries + past;
  const learning = (/** @type {number} */ seed, /** @type {number[]} */ shape) =>
    l.tensor(normal(randomFrom(seed), shape.reduce((a, b) => a * b, 1)), shape, { requiresGrad: true });
  const given = l.tensor(Array.from({ length: queries * keys }, (_, i) =>
    Number(i % keys <= past + Math.floor(i / keys))), [queries, keys]);
  const run = (/** @type {any} */ options) => {
    const q = learning(1, [2, heads, queries, d]);
    const k = learning(2, [2, 2, keys, d]);
    const v = learning(3, [2, 2, keys, d]);
    return l.step(() => {
      const { output, pattern, scores } = l.attention(q, k, v, options);
      l.backward(l.sum(l.mul(output, l.tensor(normal(randomFrom(4), output.data.length), [...output.axes.sizes]))));
      return [output, pattern, scores].map(({ data }) => data.slice()).concat([q, k, v].map((x) => x.grad.slice()));
    });
  };
  for (const options of [{}, { score: 'dot', lengths: [keys, 90] }]) {
    const skipped = run({ ...options, causal: true, past });
    const masked = run({ ...options, mask: given, maskKind: 'boolean' });
    ['output', 'pattern', 'scores', 'dq', 'dk', 'dv'].forEach((name, i) => sameBits(skipped[i], masked[i], name));
  }
});

test('rows of a pattern sum to 1 with every score', () => {
  const q = random(1, 2, 3, 4, 6);
  const k = random(2, 2, 3, 5, 6);
  const v = random(3, 2, 3, 5, 2);
  const weights = { W: random(4, 6, 6), W_q: random(5, 8, 6), W_k: random(6, 8, 6), w_a: random(7, 8),
    W_a: random(8, 8, 12), v_a: random(9, 8) };
  for (const score of ['dot', 'scaled-dot', 'additive', 'bilinear', 'concat']) {
    const { pattern } = l.attention(q, k, v, { score, weights });
    assert.deepEqual(pattern.shape, [2, 3, 4, 5]);
    for (const row of pattern.toArray().flat(2)) near([row.reduce((a, b) => a + b)], [1], 6);
  }
});

test('the score concat is additive with the halves of W_a', () => {
  const q = random(1, 4, 6);
  const k = random(2, 5, 3);
  const v = random(3, 5, 2);
  const W = random(4, 8, 9);
  const w = random(5, 8);
  const concat = l.attention(q, k, v, { score: 'concat', weights: { W_a: W, v_a: w } });
  const halves = { W_q: l.copy(l.slice(W, 1, 0, 6)), W_k: l.copy(l.slice(W, 1, 6, 9)), w_a: w };
  const additive = l.attention(q, k, v, { score: 'additive', weights: halves });
  sameBits(concat.scores.data, additive.scores.data, 'scores');
});

test('scaling by 1/√d keeps the entropy of the rows; the plain product reduces it', () => {
  const entropy = (score, d) => {
    const { pattern } = l.attention(random(d, 64, d), random(d + 1, 64, d), random(d, 64, 1), { score });
    const sum = pattern.data.reduce((total, p) => (p > 0 ? total - p * Math.log(p) : total), 0);
    return sum / 64;
  };
  for (const d of [64, 256, 1024]) {
    assert.ok(entropy('scaled-dot', d) > 3.4, `d = ${d}`);
    assert.ok(entropy('dot', d) < 1.2, `d = ${d}`);
  }
});

describe('blocks', () => {
  const weights = (kind) => l.init[kind](`${kind}.`, 16, 32);
  const bare = (all) => Object.fromEntries(Object.entries(all).map(([name, w]) => [name.replace(/^\w+\./, ''), w]));

  test('an encoder block is equivariant under permutation of its rows', () => {
    const w = bare(weights('encoderBlock'));
    const x = random(11, 9, 16);
    const order = [4, 0, 8, 2, 7, 1, 3, 6, 5];
    for (const norm of ['post', 'pre']) {
      const whole = l.encoderBlock(x, w, { heads: 4, norm }).output;
      const moved = l.encoderBlock(l.gather(x, order), w, { heads: 4, norm }).output;
      const expected = l.gather(whole, order);
      moved.data.forEach((value, i) => assert.ok(Math.abs(value - expected.data[i]) < 2e-6, `${value}`));
    }
  });

  test('a causal block does not look ahead: a changed token changes no bit of earlier rows', () => {
    const w = bare(weights('decoderBlock'));
    const x = random(12, 1, 9, 16);
    const memory = random(13, 1, 5, 16);
    for (const norm of ['post', 'pre']) {
      const before = l.decoderBlock(x, memory, w, { heads: 4, norm }).output.data.slice();
      for (const t of [1, 4, 8]) {
        const changed = l.copy(x);
        changed.data.fill(7, t * 16, (t + 1) * 16);
        const after_ = l.decoderBlock(changed, memory, w, { heads: 4, norm }).output.data;
        sameBits(after_.slice(0, t * 16), before.slice(0, t * 16), `rows before ${t}`);
        assert.ok(after_.subarray(t * 16).some((value, i) => value !== before[t * 16 + i]));
      }
      // a shorter text gives the same first rows
      const shorter = l.decoderBlock(l.slice(x, 1, 0, 5), memory, w, { heads: 4, norm }).output.data;
      sameBits(shorter.slice(), before.slice(0, 5 * 16), 'a shorter text');
    }
  });

  test('padding after the end of a sequence has no effect', () => {
    const w = bare(weights('encoderBlock'));
    const x = random(14, 2, 6, 16);
    const before = l.encoderBlock(x, w, { heads: 4, lengths: [6, 3] }).output.data.slice();
    const changed = l.copy(x);
    changed.data.fill(100, (6 + 3) * 16);
    const after_ = l.encoderBlock(changed, w, { heads: 4, lengths: [6, 3] }).output.data;
    sameBits(after_.slice(0, 9 * 16), before.slice(0, 9 * 16), 'rows before the padding');
  });

  test('rows of LayerNorm have mean 0 and variance 1', () => {
    const y = l.layerNorm(l.scale(random(15, 5, 64), 3, 7), l.tensor(Array(64).fill(1)), null, { eps: 0 });
    for (const row of y.toArray()) {
      const mean = row.reduce((a, b) => a + b) / 64;
      near([mean, row.reduce((sum, v) => sum + (v - mean) ** 2, 0) / 64], [0, 1], 5);
    }
  });
});

describe('multi-head variants against their definition in float64', () => {
  const softmax = (row) => {
    const e = row.map((s) => Math.exp(s - Math.max(...row)));
    return e.map((x) => x / e.reduce((a, b) => a + b));
  };
  const times = (x, w) => x.map((row) => w.map((weights) => weights.reduce((sum, v, i) => sum + v * row[i], 0)));
  const head = (x, wq, wk, wv, memory = x) => {
    const q = times(x, wq);
    const k = times(memory, wk);
    const v = times(memory, wv);
    const p = times(q, k).map((row) => softmax(row.map((s) => s / Math.sqrt(q[0].length))));
    return p.map((row) => v[0].map((_, d) => row.reduce((sum, share, j) => sum + share * v[j][d], 0)));
  };
  const part = (rows, i, n) => rows.slice((i * rows.length) / n, ((i + 1) * rows.length) / n);

  test('multiHeadOfPieces: each head reads one slice of X', () => {
    const x = random(21, 5, 6);
    const wq = random(22, 8, 2);
    const wk = random(23, 8 - 2, 2);
    const wv = random(24, 9, 2);
    const wo = random(25, 6, 9);
    const q = l.tensor(wq.toArray().slice(0, 6));
    const { output, pattern } = l.multiHeadOfPieces(x, { q_proj_weight: q, k_proj_weight: wk, v_proj_weight: wv,
      'out_proj.weight': wo }, { heads: 3 });
    const heads = [0, 1, 2].map((i) => head(x.toArray().map((row) => row.slice(2 * i, 2 * i + 2)),
      part(q.toArray(), i, 3), part(wk.toArray(), i, 3), part(wv.toArray(), i, 3)));
    const z = heads[0].map((_, t) => heads.flatMap((h) => h[t]));
    near(output.toArray(), times(z, wo.toArray()), 5);
    assert.deepEqual(pattern.shape, [3, 5, 5]);
  });

  test('heads may have values of different widths', () => {
    const x = random(26, 5, 6);
    const memory = random(27, 4, 6);
    const wq = random(28, 6, 6);
    const wk = random(29, 6, 6);
    const wv = random(30, 9, 6);
    const wo = random(35, 6, 9);
    const widths = [2, 1, 6];
    const { output, pattern } = l.multiHead(x, memory, memory, { q_proj_weight: wq, k_proj_weight: wk,
      v_proj_weight: wv, 'out_proj.weight': wo }, { heads: 3, valueWidths: widths });
    const values = [wv.toArray().slice(0, 2), wv.toArray().slice(2, 3), wv.toArray().slice(3, 9)];
    const heads = values.map((value, i) => head(x.toArray(), part(wq.toArray(), i, 3), part(wk.toArray(), i, 3), value,
      memory.toArray()));
    near(output.toArray(), times(heads[0].map((_, t) => heads.flatMap((h) => h[t])), wo.toArray()), 5);
    assert.deepEqual(pattern.shape, [3, 5, 4]);
    const equal = { q_proj_weight: wq, k_proj_weight: wk, v_proj_weight: wv, 'out_proj.weight': wo };
    const [together, apart] = [undefined, [3, 3, 3]].map((valueWidths) =>
      l.multiHead(x, x, x, equal, { heads: 3, causal: true, valueWidths }));
    near(apart.output.toArray(), together.output.toArray(), 5);
    near(apart.pattern.toArray(), together.pattern.toArray(), 6);
    assert.throws(() => l.multiHead(x, x, x, equal, { heads: 3, valueWidths: [2, 2, 2] }),
      { code: 'bad-shape', message: /valueWidths \[2,2,2\] must have 3 numbers with the sum 9/ });
  });

  test('several heads refuse a score with weights', () => {
    const x = random(41, 5, 6);
    const w = l.init.multiHead('', 6);
    const weights = { W: random(42, 6, 6) };
    assert.deepEqual(l.multiHead(x, x, x, w, { heads: 1, score: 'bilinear', weights }).pattern.shape, [1, 5, 5]);
    assert.throws(() => l.multiHead(x, x, x, w, { heads: 2, score: 'bilinear', weights }),
      { code: 'bad-argument', message: /multiHead: score of several heads is .*bilinear.*; expected ‘scaled-dot’ or/ });
  });

  test('multiHeadPooled adds values of full width', () => {
    const x = random(31, 5, 6);
    const wq = random(32, 8, 6);
    const wk = random(33, 8, 6);
    const wv = random(34, 12, 6);
    const { output } = l.multiHeadPooled(x, { q_proj_weight: wq, k_proj_weight: wk, v_proj_weight: wv }, { heads: 2 });
    const heads = [0, 1].map((i) => head(x.toArray(), ...[wq, wk, wv].map((w) => part(w.toArray(), i, 2))));
    near(output.toArray(), heads[0].map((row, t) => row.map((v, d) => v + heads[1][t][d])), 5);
  });
});

describe('sinusoidal positions', () => {
  const d = 64;
  const rows = () => l.sinusoidal({ time: 60, feature: d }).toArray();
  const dot = (a, b) => a.reduce((sum, v, i) => sum + v * b[i], 0);
  test('each encoding has the norm √(d/2)', () => {
    for (const row of rows()) near([Math.sqrt(dot(row, row))], [Math.sqrt(d / 2)], 4);
  });
  test('distance and inner product of two encodings depend on t - t′ only', () => {
    const p = rows();
    for (const k of [1, 5, 20]) {
      const products = p.slice(0, 30).map((row, t) => dot(row, p[t + k]));
      for (const product of products) near([product], [products[0]], 4);
    }
  });
  test('a later first position continues the same table', () => {
    sameBits(l.sinusoidal(10, d, 20).data.slice(), Float32Array.from(rows().slice(20, 30).flat()), 'rows 20 to 29');
  });
});

describe('a memory of five pairs', () => {
  // Features of the roles: name, pronoun, agent, patient.
  const PAIRS = [
    ['Subject', 'Professor Perry', [2, 0, 2, 0]],
    ['Pronoun', 'He', [0, 2, 2, 0]],
    ['Object', 'Machine Learning', [2, 0, 0, 2]],
    ['Indirect Object', 'Them', [0, 2, 0, 2]],
    ['Verb', 'Taught', [-2, -2, 0, 0]],
  ];
  const one = (n, at) => Array.from({ length: n }, (_, i) => Number(i === at));
  const memory = () => ({
    K: l.parameter(PAIRS.flatMap(([, , features]) => features), { key: 5, feature: 4 }, 'K'),
    V: l.parameter(PAIRS.flatMap((_, i) => one(5, i)), { key: 5, word: 5 }, 'V'),
  });
  const query = (role, requiresGrad = false) =>
    l.tensor(PAIRS.find(([key]) => key === role)[2], { query: 1, feature: 4 }, { requiresGrad });
  const answer = ({ output }) => PAIRS[output.data.indexOf(Math.max(...output.data))][1];

  test('Lookup(Subject) is Professor Perry, and each role its word', () => {
    const { K, V } = memory();
    for (const [role, word] of PAIRS) {
      l.evaluate(() => {
        const found = l.attention(query(role), K, V, { score: 'dot' });
        assert.equal(answer(found), word);
        assert.deepEqual(found.output.shape, { query: 1, word: 5 });
        assert.ok(Math.max(...found.output.data) > 0.9 && Math.max(...found.output.data) < 1, 'and some of others');
      });
    }
  });

  test('a low temperature gives the hard lookup, a high one the mean of all values', () => {
    const { K, V } = memory();
    const at = (temperature) => l.evaluate(() => Array.from(
      l.attention(query('Subject'), K, V, { score: 'dot', scale: 1 / temperature }).output.data));
    assert.deepEqual(at(0.01), one(5, 0));
    near(at(1e6), [0.2, 0.2, 0.2, 0.2, 0.2], 4);
    const sharpness = [100, 10, 3, 1, 0.3].map((temperature) => at(temperature)[0]);
    assert.ok(sharpness.every((p, i) => i === 0 || p > sharpness[i - 1]), `${sharpness}`);
  });

  test('soft lookup has gradients for query, keys and values; hard lookup for values alone', () => {
    const lengths = (temperature) => {
      const q = query('Subject', true);
      const { K, V } = memory();
      l.step(() => {
        const { output } = l.attention(q, K, V, { score: 'dot', scale: 1 / temperature });
        const error = l.sub(output, l.tensor(one(5, 1), { query: 1, word: 5 })); // the target is ‘He’
        l.backward(l.sum(l.mul(error, error)));
      });
      return [q, K, V].map(({ grad }) => Math.hypot(...grad));
    };
    assert.ok(lengths(4).every((length) => length > 0.01), `${lengths(4)}`);
    const [q, K, V] = lengths(0.01);
    assert.deepEqual([q, K], [0, 0]);
    assert.ok(V > 1);
  });
});

test('generic attention with f = exp(θ(q)·φ(k)) is softmax attention', () => {
  // o_j = Σ_i f(q_j, k_i)·g(v_i) / Σ_i f(q_j, k_i), in float64
  const [Q, K, V, theta, phi, g] = [[4, 6], [7, 5], [7, 3], [8, 6], [8, 5], [2, 3]].map((shape, i) =>
    random(80 + i, ...shape));
  const times = (W, x) => W.map((row) => row.reduce((sum, w, i) => sum + w * x[i], 0));
  const [W, U, G] = [theta, phi, g].map((weights) => weights.toArray());
  const expected = Q.toArray().map((q) => {
    const f = K.toArray().map((k) => Math.exp(times(W, q).reduce((sum, a, i) => sum + a * times(U, k)[i], 0)));
    const C = f.reduce((a, b) => a + b);
    return [0, 1].map((d) => V.toArray().reduce((sum, v, i) => sum + f[i] * times(G, v)[d], 0) / C);
  });
  const { output } = l.attention(l.linear(Q, theta), l.linear(K, phi), l.linear(V, g), { score: 'dot' });
  const largest = Math.max(...expected.flat().map(Math.abs));
  output.data.forEach((y, i) => assert.ok(Math.abs(y - expected.flat()[i]) <= 1e-6 * Math.max(1, largest), `${y}`));
});

test('soft lookup learns, and becomes hard at a low temperature', () => {
  const [q, k, v] = [[1, 3], [5, 3], [5, 4]].map((shape, i) =>
    l.tensor(normal(randomFrom(40 + i), shape[0] * shape[1]), shape, { requiresGrad: true }));
  const sharpest = (scale) => Math.max(...l.attention(q, k, v, { score: 'dot', scale }).pattern.data);
  const found = [0.1, 1, 10, 100].map(sharpest);
  assert.ok(found.every((p, i) => i === 0 || p > found[i - 1] - 1e-7), `${found}`);
  assert.ok(found[3] > 0.999);
  l.step(() => l.backward(l.sum(l.mul(l.attention(q, k, v).output, random(50, 1, 4)))));
  for (const tensor of [q, k, v]) assert.ok(tensor.grad.some((g) => g !== 0));
});

describe('layers of a GRU', () => {
  const shapes = { bidirectional: true, layers: 2 };
  /** The layers one by one, each as the first layer of a separate state dict. */
  const layer = (w, n) => Object.fromEntries(Object.entries(w).filter(([name]) => name.includes(`_l${n}`))
    .map(([name, tensor]) => [name.replace(`_l${n}`, '_l0'), tensor]));

  test('dropout acts between layers only', () => {
    const w = l.init.gru('', 5, 7, shapes);
    const x = random(61, 3, 6, 5);
    const lengths = [6, 3, 5];
    const both = { bidirectional: true, lengths };
    l.step(() => {
      l.startDropoutAt(9);
      const deep = l.gru(x, w, { ...both, dropout: 0.4 });
      l.startDropoutAt(9);
      const first = l.gru(x, layer(w, 0), both);
      const second = l.gru(l.dropout(first.output, 0.4), layer(w, 1), both);
      sameBits(deep.output.data.slice(), second.output.data.slice(), 'output');
      sameBits(deep.state.data.slice(), l.concat([first.state, second.state], 1).data.slice(), 'state');
      assert.notDeepEqual(deep.output.data.slice(), l.gru(x, w, both).output.data.slice());
    });
    const [with_, without] = [0.4, 0].map((dropout) => l.evaluate(() =>
      l.gru(x, w, { ...both, dropout }).output.data.slice()));
    sameBits(with_, without, 'no dropout in an evaluation');
  });

  test('the state of one call can start the next', () => {
    const w = l.init.gru('', 5, 7, { layers: 3 });
    const x = random(62, 2, 6, 5);
    const whole = l.gru(x, w);
    const first = l.gru(l.slice(x, 1, 0, 4), w);
    const second = l.gru(l.slice(x, 1, 4, 6), w, { state: first.state });
    sameBits(second.output.data.slice(), l.copy(l.slice(whole.output, 1, 4, 6)).data.slice(), 'output');
    sameBits(second.state.data.slice(), whole.state.data.slice(), 'state');
  });

  test('incomplete weights and a state of another width are refused', () => {
    const w = l.init.gru('', 5, 7, shapes);
    const x = random(63, 2, 4, 5);
    const { weight_ih_l1_reverse: _, ...lacking } = w;
    assert.throws(() => l.gru(x, lacking, { bidirectional: true }),
      { code: 'bad-argument', message: /‘weight_ih_l1_reverse’/ });
    assert.throws(() => l.gru(x, w, { bidirectional: true, state: random(64, 2, 7) }),
      { code: 'bad-shape', message: /state is \[2, 7\]; it must be \[2, 28\], 7 for each of l0, l0_reverse, l1/ });
    assert.throws(() => l.gru(x, under(w, 'gru.')),
      { code: 'bad-argument', message: /‘weight_ih_l0’, got no weights/ });
  });
});

/** The weights of a model with every operation, after two steps. */
async function train(options) {
  const own = await lab({ seed: 1, ...options });
  const w = { ...own.init.embedding('table.', 40, 32), ...own.init.encoderBlock('block.', 32, 128),
    ...own.init.gru('gru.', 32, 32, { bidirectional: true }), ...own.init.linear('head.', 64, 40) };
  const part = (prefix) => Object.fromEntries(Object.entries(w).flatMap(([name, tensor]) =>
    (name.startsWith(prefix) ? [[name.slice(prefix.length), tensor]] : [])));
  const optimizer = own.adamW(w, { rate: 0.01 });
  const ids = Array.from({ length: 16 * 24 }, (_, i) => (i * 7 + (i >> 3)) % 40);
  const losses = [0, 1].map(() => own.step(() => {
    const x = own.add(own.embedding(w['table.weight'], ids, { batch: 16, time: 24 }),
      own.sinusoidal({ time: 24, feature: 32 }));
    const options = { heads: 4, causal: true, dropout: 0.1, activation: 'gelu' };
    const read = own.encoderBlock(x, part('block.'), options).output;
    const { output } = own.gru(read, part('gru.'), { bidirectional: true });
    const logits = own.linear(output, w['head.weight'], w['head.bias']);
    const loss = own.crossEntropy(logits, ids, { smoothing: 0.1 });
    own.backward(loss);
    own.clipGradients(w, 1);
    optimizer.step();
    return loss.item();
  }));
  const saved = own.save(w);
  own.dispose();
  return { losses, saved };
}

test('the same seed trains to the same bits, on 1, 2 and 3 threads', async () => {
  const one = await train({});
  assert.ok(one.losses[1] < one.losses[0]);
  assert.deepEqual(await train({}), one);
  assert.notDeepEqual((await train({ seed: 2 })).saved, one.saved);
  for (const threads of [2, 3]) assert.deepEqual(await train({ threads }), one, `${threads} threads`);
});

/** Two clipped steps of gradient descent through a GRU and additive attention, large enough for several threads. */
async function descend(threads) {
  const own = await lab({ seed: 1, threads });
  const w = { ...own.init.gru('gru.', 32, 64), ...own.init.linear('queries.', 64, 64),
    ...own.init.linear('keys.', 64, 64), ...own.init.linear('pairs.', 64, 1), ...own.init.linear('head.', 64, 40) };
  const optimizer = own.sgd(w, { rate: 0.5, momentum: 0.9, weightDecay: 0.01 });
  const ids = Array.from({ length: 64 * 6 }, (_, i) => (i * 7 + (i >> 3)) % 40);
  const x = own.tensor(ids.flatMap((id) => Array.from({ length: 32 }, (_, d) => Math.sin(id * (d + 1)))), [64, 6, 32]);
  const weights = { W_q: w['queries.weight'], W_k: w['keys.weight'], w_a: w['pairs.weight'] };
  const told = [0, 1].map(() => own.step(() => {
    const { output: read } = own.gru(x, under(w, 'gru.'), { lengths: ids.slice(0, 64).map((id) => 1 + id % 6) });
    const one = own.reshape(read, { batch: 64, head: 1, time: 6, feature: 64 });
    const { output } = own.attention(one, one, one, { score: 'additive', weights });
    const loss = own.crossEntropy(own.linear(output, w['head.weight'], w['head.bias']), ids);
    own.backward(loss);
    const norm = own.clipGradients(w, 0.01);
    optimizer.step();
    return { loss: loss.item(), norm };
  }));
  const saved = own.save(w);
  own.dispose();
  return { told, saved };
}

test('a GRU, additive attention, clipping and gradient descent give the same bits on 1, 2 and 3 threads', async () => {
  const one = await descend(1);
  assert.ok(one.told[1].loss < one.told[0].loss);
  assert.ok(one.told.every(({ norm }) => norm > 0.01), 'clipped');
  for (const threads of [2, 3]) assert.deepEqual(await descend(threads), one, `${threads} threads`);
});

test('scalar kernels train to the same numbers, and to the same bits on any number of threads', async () => {
  const scalar = await train({ engine: 'scalar' });
  const simd = await train({});
  scalar.losses.forEach((loss, i) => assert.ok(Math.abs(loss - simd.losses[i]) < 1e-4, `${loss}`));
  assert.deepEqual(await train({ engine: 'scalar', threads: 2 }), scalar);
});

test('schedules have their values at start, peak and end', () => {
  const cosine = schedules.cosine({ rate: 1, warmup: 3, total: 13, floor: 0.1 });
  near([0, 2, 3, 8, 13, 20].map(cosine), [0.25, 0.75, 1, 0.55, 0.1, 0.1], 6);
  const linear = schedules.linear({ rate: 1, total: 10 });
  near([0, 5, 10].map(linear), [1, 0.5, 0], 6);
  const noam = schedules.noam({ width: 64, warmup: 10 });
  assert.ok(noam(9) > noam(4) && noam(9) > noam(30));
  near([noam(9)], [1 / 8 / Math.sqrt(10)], 6);
});
