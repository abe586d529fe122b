// Memory of a lab: tensors that a step frees, tensors that stay, warnings about growth, and the limit.
import assert from 'node:assert/strict';
import { setTimeout as later } from 'node:timers/promises';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { lab } from '../../js/lab/index.js';
import { callOffsets } from '../../js/lab/core.js';
import { Engine } from '../../js/engine/wasm.js';
import { heedError } from '../support/model.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const MB = 2 ** 20;

/** A lab, and the list of its warnings. */
async function listening(options = {}) {
  const warnings = [];
  const l = await lab({ ...options, warn: (message) => warnings.push(message) });
  return { l, warnings };
}

/** Weights, an optimizer, and the body of a training step. */
function setting(l) {
  const w = l.init.linear('', 64, 64);
  const optimizer = l.adamW(w);
  const data = new Float32Array(32 * 64).fill(0.1);
  return { w, optimizer, body: () => {
    const y = l.tanh(l.linear(l.tensor(data, { time: 32, feature: 64 }), w.weight, w.bias));
    l.backward(l.mean(l.mul(y, y)));
    optimizer.step();
  } };
}

describe('use of the memory', () => {
  test('parameters, optimizers, loose tensors and steps add up to the used memory', async () => {
    const { l } = await listening();
    const { w, body } = setting(l);
    const { parameters, optimizers, loose, usedBytes, stepBytes } = l.memory;
    assert.deepEqual([parameters.tensors, optimizers.tensors, loose.tensors], [2, 4, 0]);
    const numbers = w.weight.data.length + w.bias.data.length;
    assert.ok(parameters.bytes >= 4 * 2 * numbers && parameters.bytes < 4 * 2 * numbers + 1024, 'with gradients');
    assert.ok(optimizers.bytes >= 4 * 2 * numbers && optimizers.bytes < 4 * 2 * numbers + 1024, 'two moments');
    assert.equal(parameters.bytes + optimizers.bytes, usedBytes);
    assert.equal(stepBytes, 0);
    l.step(() => {
      body();
      assert.ok(l.memory.stepBytes > 4 * 3 * 32 * 64);
      assert.equal(l.memory.loose.tensors, 0);
    });
    assert.equal(l.memory.usedBytes, usedBytes);
    l.tensor(new Float32Array(1000), { time: 10, feature: 100 });
    const after = l.memory;
    assert.equal(after.loose.tensors, 1);
    assert.ok(after.loose.bytes >= 4000);
    assert.equal(after.usedBytes, after.parameters.bytes + after.optimizers.bytes + after.loose.bytes);
    assert.deepEqual(after.loose.largest, [{ operation: 'tensor', shape: '[time 10, feature 100]', tensors: 1,
      bytes: after.loose.bytes }]);
    l.dispose();
  });

  test('highestBytes is the use of the largest step', async () => {
    const { l } = await listening();
    const inside = [3 * MB, 1 * MB].map((n) => l.evaluate(() => {
      l.tensor(new Float32Array(n / 4), [n / 4]);
      return l.memory.usedBytes;
    }));
    assert.ok(inside[0] > inside[1] + MB);
    assert.equal(l.memory.highestBytes, inside[0]);
    assert.equal(l.memory.usedBytes, 0);
    l.dispose();
  });

  test('a refused call takes no memory', async () => {
    const { l } = await listening();
    const table = l.init.embedding('', 4, 2);
    const { usedBytes } = l.memory;
    for (let i = 0; i < 3; i++) assert.throws(() => l.embedding(table.weight, [0, 1, 9]), heedError('bad-argument'));
    assert.equal(l.memory.usedBytes, usedBytes);
    l.dispose();
  });

  test('clipping and optimizer steps outside of a step take no memory', async () => {
    const { l } = await listening();
    const { w, optimizer, body } = setting(l);
    l.step(body);
    const { usedBytes } = l.memory;
    l.clipGradients(w, 1);
    optimizer.step();
    assert.equal(l.memory.usedBytes, usedBytes);
    assert.equal(l.memory.loose.tensors, 0);
    l.dispose();
  });
});

describe('warnings', () => {
  test('a loop without lab.step warns with the operation, its axes and the line', async () => {
    const { l, warnings } = await listening();
    const { body } = setting(l);
    for (let i = 0; i < 999; i++) body();
    assert.deepEqual(warnings, []);
    body();
    assert.equal(warnings.length, 1);
    assert.match(warnings[0], /tensor has made 1000 tensors \[time 32, feature 64\] outside of a step \([\d.]+ MB\)/);
    assert.match(warnings[0], /lab\.step\(\(\) => \{ … \}\)/);
    assert.match(warnings[0], /Made .*memory\.test\.js:\d+:\d+/);
    for (let i = 0; i < 900; i++) body();
    assert.equal(warnings.length, 1, 'once, until the memory doubles');
    for (let i = 0; i < 200; i++) body();
    assert.equal(warnings.length, 2);
    l.dispose();
  });

  test('large tensors warn sooner', async () => {
    const { l, warnings } = await listening();
    const x = l.tensor(new Float32Array(MB), { batch: 1024, feature: 1024 });
    for (let i = 0; i < 40; i++) l.evaluate(() => l.relu(x));
    assert.deepEqual(warnings, []);
    for (let i = 0; i < 32; i++) l.relu(x);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0], /relu has made 32 tensors \[batch 1024, feature 1024\]/);
    l.dispose();
  });

  test('the same loop within lab.step neither warns nor keeps memory', async () => {
    const { l, warnings } = await listening();
    const { body } = setting(l);
    for (let i = 0; i < 1100; i++) l.step(body);
    assert.deepEqual(warnings, []);
    assert.equal(l.memory.loose.tensors, 0);
    l.dispose();
  });

  test('droppedBytes counts collected tensors, and a few large ones warn', async () => {
    const { l, warnings } = await listening();
    const kept = l.tensor(new Float32Array(MB), [MB]);
    for (let i = 0; i < 20; i++) l.tensor(new Float32Array(MB), [MB]);
    assert.deepEqual(warnings, []);
    for (let i = 0; i < 200 && l.memory.loose.droppedBytes < 20 * 4 * MB; i++) {
      collect();
      await later(5);
    }
    const { loose } = l.memory;
    assert.equal(loose.tensors, 21);
    assert.ok(loose.droppedBytes >= 20 * 4 * MB && loose.droppedBytes < loose.bytes, `${loose.droppedBytes}`);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0], /tensor has made 21 tensors \[1048576\]/);
    assert.equal(kept.data.length, MB);
    l.dispose();
  });
});

describe('a tensor whose step has ended is an error', () => {
  const uses = {
    'read': (l, x) => x.data,
    'read as a number': (l, x) => x.item(),
    'read as arrays': (l, x) => x.toArray(),
    'read for its gradient': (l, x) => x.grad,
    'added': (l, x) => l.add(x, l.tensor([1])),
    'stacked': (l, x) => l.stack([x, x]),
    'the loss of backward': (l, x) => l.backward(x),
    'saved': (l, x) => l.save({ x }),
  };
  for (const [what, use] of Object.entries(uses)) {
    test(`when it is ${what}: the message names the step and a remedy`, async () => {
      const { l } = await listening();
      const x = l.step(() => l.tensor([1]));
      assert.throws(() => use(l, x), heedError('disposed', /made in a step, which has ended.*\.item\(\)/));
      const inner = l.step(() => l.step(() => l.evaluate(() => l.tensor([1]))));
      assert.throws(() => use(l, inner), heedError('disposed', /made in an evaluation, which has ended/));
      l.dispose();
    });
  }

  test('also inside the outer step of an evaluation', async () => {
    const { l } = await listening();
    l.step(() => {
      const mine = l.tensor([2]);
      const inner = l.evaluate(() => l.tensor([1]));
      assert.throws(() => inner.item(), heedError('disposed'));
      assert.equal(mine.item(), 2);
    });
    l.dispose();
  });
});

describe('out of memory', () => {
  test('the message names the tensor, the limit, the use by kind and a remedy', async () => {
    const { l } = await listening({ limitBytes: 8 * MB });
    const w = l.init.linear('', 256, 256);
    const x = l.tensor(new Float32Array(256 * 1024), { time: 1024, feature: 256 });
    assert.throws(() => l.step(() => {
      for (let y = x; ;) y = l.relu(l.linear(y, w.weight, w.bias));
    }), heedError('out-of-memory', new RegExp([
      /^(linear|relu): out of memory for \[time 1024, feature 256\], 1\.0 MB/,
      /uses [4-8]\.\d MB of at most 8\.0 MB: parameters 0\.5 MB, optimizers 0\.0 MB/,
      /tensors made outside of steps 1\.0 MB \(largest group: 1 of tensor, \[time 1024, feature 256\]\)/,
      /running steps [3-6]\.\d MB\. Use a smaller batch/].map(({ source }) => source).join('.*'))));
    assert.equal(l.step(() => l.sum(l.linear(l.slice(x, 'time', 0, 4), w.weight)).item()), 0, 'the lab still works');
    l.dispose();
  });

  test('the message names a loop without lab.step', async () => {
    const { l } = await listening({ limitBytes: 8 * MB });
    const w = l.init.linear('', 4, 4);
    const { bias } = w;
    const before = [...bias.data];
    assert.throws(() => {
      for (;;) l.tensor(new Float32Array(MB / 16), { batch: 64, feature: 1024 });
    }, heedError('out-of-memory', new RegExp('made outside of steps [78]\\.\\d MB \\(largest group: \\d+ of tensor.*' +
      'lab\\.step\\(.*lab\\.save\\(parameters\\), lab\\.dispose\\(\\), and lab\\.load\\(file\\)')));
    const file = l.save(w); // the remedy that the message names
    l.dispose();
    const other = await lab();
    assert.deepEqual([...(await other.load(file)).weights.bias.data], before);
    other.dispose();
  });

  test('a tensor beyond the limit is refused before the arena grows', async () => {
    const { l } = await listening();
    const x = l.tensor(new Float32Array(70000), { row: 70000, one: 1 });
    const { arenaBytes } = l.memory;
    assert.throws(() => l.matmul(x, x, { transposeB: true }),
      heedError('out-of-memory', /matmul: out of memory for \[row 70000, row' 70000\], 18692\.0 MB/));
    const far = l.reshape(x, { time: 70000, dim: 1 });
    assert.throws(() => l.attention(far, far, far), heedError('out-of-memory', /^attention: .*70000, 70000/));
    assert.equal(l.memory.arenaBytes, arenaBytes);
    l.dispose();
  });

  test('a limit that is too small is refused', async () => {
    await assert.rejects(lab({ limitBytes: 100 }), heedError('bad-argument', /limitBytes is 100/));
    await assert.rejects(lab({ limitBytes: /** @type {any} */ ('1 GB') }), heedError('bad-argument', /limitBytes/));
  });
});

test('the engine refuses sizes beyond 32 bits', async () => {
  const engine = await Engine.create('simd128');
  const bytes = 1 << 20;
  const memory = engine.reserve(bytes, 'a lab');
  const made = engine.ask('heed_lab_create', memory, bytes, engine.kernels('simd128'), 0);
  const call = engine.reserve(256, 'a call');
  const integersAt = callOffsets(engine.abi).n;
  /** @param {string} name @param {number[]} inputs @param {number[]} integers */
  const run = (name, inputs, integers) => {
    const words = engine.i32(call, 64).fill(0);
    words.set(inputs);
    words.set(integers, integersAt);
    return engine.call('heed_operation', made, engine.abi.operations.indexOf(name), call);
  };
  const one = run('tensor', [], [1, 1, 0]);
  const tall = run('tensor', [], [1 << 16, 1, 0]);
  assert.throws(() => run('matmul', [tall, tall], [0, 1]), heedError('out-of-memory'), '2^32 numbers');
  assert.throws(() => run('tensor', [], [1 << 16, 1 << 16, 0]), heedError('out-of-memory'));
  assert.throws(() => run('view', [one], [0, (1 << 16) + 1, 1, 1 << 16]), heedError('bad-argument'), 'an end at 2^32');
  engine.close();
});
