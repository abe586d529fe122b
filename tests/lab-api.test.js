// heed/lab as users meet it: shapes and names, memory, errors that say what does not fit, files.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inspect } from 'node:util';
import { lab, fromSafetensors, under } from '../js/lab/index.js';
import { heedError } from './support/model.js';

let l;
before(async () => { l = await lab(); });
after(() => l.dispose());
const zeros = (shape) => l.tensor(new Float32Array(Object.values(shape).reduce((a, b) => a * b, 1)), shape);

describe('shapes', () => {
  test('named axes go through, and name what comes out', () => {
    const q = zeros({ batch: 2, head: 4, query: 3, dim: 8 });
    const k = zeros({ batch: 2, head: 2, key: 5, dim: 8 });
    const { output, pattern } = l.attention(q, k, k);
    assert.deepEqual(output.shape, { batch: 2, head: 4, query: 3, dim: 8 });
    assert.deepEqual(pattern.shape, { batch: 2, head: 4, query: 3, key: 5 });
    const y = l.linear(zeros({ batch: 2, time: 3, feature: 8 }), zeros({ hidden: 6, feature: 8 }));
    assert.deepEqual(y.shape, { batch: 2, time: 3, hidden: 6 });
    assert.deepEqual(l.slice(y, 'time', 0).shape, { batch: 2, hidden: 6 });
    assert.deepEqual(l.mean(y, 'batch').shape, { time: 3, hidden: 6 });
    assert.deepEqual(l.permute(y, ['time', 'batch', 'hidden']).shape, { time: 3, batch: 2, hidden: 6 });
  });

  test('nested arrays and numbers', () => {
    const x = l.tensor([[1, 2, 3], [4, 5, 6]]);
    assert.deepEqual(x.shape, [2, 3]);
    assert.deepEqual(x.toArray(), [[1, 2, 3], [4, 5, 6]]);
    assert.deepEqual(l.slice(x, 1, 1, 3).toArray(), [[2, 3], [5, 6]]);
    assert.deepEqual(l.slice(x, 1, -1).toArray(), [3, 6]);
    assert.equal(l.tensor(4).item(), 4);
    assert.deepEqual(l.permute(l.tensor([[[1], [2]], [[3], [4]]]), [1, 0, 2]).toArray(), [[[1], [3]], [[2], [4]]]);
  });

  test('a console shows axes and numbers, and no machinery', () => {
    assert.equal(inspect(l.tensor([1, 1 / 3], { time: 2 })), 'Tensor [time 2]: 1, 0.3333');
    assert.equal(`${zeros([3, 3])}`, 'Tensor [3, 3]: 0, 0, 0, 0, 0, 0, 0, 0, …');
    assert.equal(`${l.step(() => l.tensor([1]))}`, 'Tensor [1] of a step, which has ended');
  });

  const bad = (what, pattern, run) => test(`${what} is refused, and the axis named`, () =>
    assert.throws(run, heedError('bad-shape', pattern)));
  bad('a linear of another width', /‘feature’ of x has 5; .*takes 8/, () =>
    l.linear(zeros({ time: 3, feature: 5 }), zeros([6, 8])));
  bad('a sum of other sizes', /‘time’ has 3, ‘time’ of the other 4/, () =>
    l.add(zeros({ time: 3, feature: 5 }), zeros({ time: 4, feature: 5 })));
  bad('a sum of other names', /‘time’ has 3, ‘head’ of the other 3/, () =>
    l.add(zeros({ time: 3, feature: 5 }), zeros({ head: 3, feature: 5 })));
  bad('keys of another width', /‘dim’ of q has 4, ‘size’ of k 5/, () =>
    l.attention(zeros({ query: 2, dim: 4 }), zeros({ key: 3, size: 5 }), zeros({ key: 3, size: 5 })));
  bad('values of another length', /‘key’ of v has 4, ‘key’ of k 3/, () =>
    l.attention(zeros({ query: 2, dim: 4 }), zeros({ key: 3, dim: 4 }), zeros({ key: 4, dim: 4 })));
  bad('heads that cannot be shared', /‘head’ of q has 4, which 3 heads of k cannot share/, () =>
    l.attention(zeros({ head: 4, query: 2, dim: 4 }), zeros({ head: 3, key: 3, dim: 4 }),
      zeros({ head: 3, key: 3, dim: 4 })));
  bad('a mask of another size', /query axis must be 1 or 2/, () =>
    l.attention(zeros([2, 4]), zeros([3, 4]), zeros([3, 4]), { mask: zeros([5, 3]) }));
  bad('an axis that is not there', /there is no axis ‘head’ in \[time 3, feature 5\]/, () =>
    l.slice(zeros({ time: 3, feature: 5 }), 'head', 0));
  bad('a slice past the end', /‘time’ has 3; \[2, 4\) is not within/, () =>
    l.slice(zeros({ time: 3, feature: 5 }), 'time', 2, 4));
  bad('too few numbers', /5 numbers do not fill \[2, 3\], which has 6/, () => l.tensor([1, 2, 3, 4, 5], [2, 3]));
  bad('a ragged array', /item 1 is \[1\], the first \[2\]/, () => l.tensor([[1, 2], [3]]));
  bad('targets of another length', /3 targets for the 2 rows/, () => l.crossEntropy(zeros([2, 4]), [1, 2, 3]));
  bad('an axis without elements', /‘time’ of a shape is 0/, () => l.tensor([], { time: 0 }));

  test('ids that are not there are refused by number', () => {
    assert.throws(() => l.embedding(zeros([4, 2]), [1, 4]),
      heedError('bad-argument', /embedding: id 4, number 1 of 2/));
    assert.throws(() => l.embedding(zeros([4, 2]), [-1]), heedError('bad-argument', /-1/));
    assert.throws(() => l.crossEntropy(zeros([2, 4]), [1, 7]),
      heedError('bad-argument', /crossEntropy: target 7 of row 1/));
  });

  test('scores and activations that there are not', () => {
    assert.throws(() => l.attention(zeros([2, 4]), zeros([3, 4]), zeros([3, 4]), { score: 'cosine' }),
      heedError('bad-argument', /cosine.*scaled-dot/));
    assert.throws(() => l.attention(zeros([2, 4]), zeros([3, 4]), zeros([3, 4]), { score: 'bilinear' }),
      heedError('bad-argument', /weights\.W/));
    assert.throws(() => l.activation(zeros([2]), 'swish'), heedError('bad-argument', /swish/));
  });
});

describe('mistakes of a first afternoon are answered by name', () => {
  const x = () => zeros({ time: 5, feature: 8 });
  const block = () => l.init.encoderBlock('block.', 8, 16);
  const said = (what, code, pattern, run) => test(what, () => assert.throws(run, heedError(code, pattern)));

  said('a misspelt weight', 'bad-argument', /^linear: weight is undefined.*misspelt/, () =>
    l.linear(x(), block()['block.linear9.weight']));
  said('a prefix left on', 'bad-argument', /‘self_attn\.out_proj\.weight’.*under\(weights, 'block\.'\)/, () =>
    l.encoderBlock(x(), block(), { heads: 2 }));
  said('a prefix that nothing has', 'bad-argument', /^encoderBlock: .*there are none/, () =>
    l.encoderBlock(x(), under(block(), 'blok.'), { heads: 2 }));
  said('heads forgotten', 'bad-argument', /^multiHead: heads is undefined/, () =>
    l.encoderBlock(x(), under(block(), 'block.')));
  said('heads that do not divide', 'bad-shape', /8 features are not 3 heads/, () =>
    l.encoderBlock(x(), under(block(), 'block.'), { heads: 3 }));
  said('a misspelt option', 'bad-argument', /^encoderBlock: there is no option ‘casual’; there are .*causal/, () =>
    l.encoderBlock(x(), under(block(), 'block.'), { heads: 2, casual: true }));
  said('an option of PyTorch', 'bad-argument', /^adamW: there is no option ‘lr’; there are rate/, () =>
    l.adamW(block(), { lr: 0.1 }));
  said('a norm that there is not', 'bad-argument', /norm is the text ‘before’; it is ‘post’ or ‘pre’/, () =>
    l.encoderBlock(x(), under(block(), 'block.'), { heads: 2, norm: 'before' }));
  said('keys forgotten', 'bad-argument', /^attention: k is undefined/, () => l.attention(x()));
  said('a number for a tensor', 'bad-argument', /^mul: b is the number 2, .*lab\.scale/, () => l.mul(x(), 2));
  said('a tensor for a number', 'bad-argument', /^scale: factor is a tensor \[time 5, feature 8\].*lab\.mul/, () =>
    l.scale(x(), x()));
  said('an array for a tensor', 'bad-argument', /^relu: x is an array.*lab\.tensor/, () => l.relu([1, 2]));
  said('a text for ids', 'bad-argument', /^embedding: ids is the text ‘abc’/, () => l.embedding(zeros([4, 2]), 'abc'));
  said('letters for ids', 'bad-argument', /^embedding: id b, number 1 of 2, is no whole number/, () =>
    l.embedding(zeros([4, 2]), [0, 'b']));
  said('targets forgotten', 'bad-argument', /^crossEntropy: targets is undefined/, () => l.crossEntropy(x()));
  said('no ids', 'bad-argument', /^gather: rows is an empty list/, () => l.gather(x(), []));
  said('an empty tensor', 'bad-shape', /^tensor: .*an empty list/, () => l.tensor([]));
  said('words for numbers', 'bad-shape', /^tensor: .*the text ‘two’/, () => l.tensor([[1, 'two']]));
  said('a hole in the numbers', 'bad-argument', /^tensor: element 1 of 2 is undefined/, () =>
    l.tensor([1, undefined], [2]));
  said('a shape forgotten', 'bad-shape', /shape is undefined/, () => l.reshape(x()));
  said('a transposition', 'bad-shape', /^permute: .*last one last.*matmul/, () => l.permute(x(), ['feature', 'time']));
  said('lengths past the end', 'bad-shape', /^attention: length 6 of sequence 0 is none of 0 … 5/, () =>
    l.attention(x(), x(), x(), { lengths: [6] }));
  said('a loss of many numbers', 'bad-shape', /^backward: .*\[time 5, feature 8\].*lab\.mean/, () => l.backward(x()));
  said('going back twice', 'bad-argument', /^backward: nothing was recorded since the last one/, () => l.step(() => {
    const loss = l.sum(l.relu(x()));
    l.backward(loss);
    l.backward(loss);
  }));
  said('an optimiser without parameters', 'bad-argument', /takes the parameters that learn/, () =>
    l.adamW(under(block(), 'blok.')));
  said('an optimiser of a tensor', 'bad-argument', /‘0’ learns nothing: make it a parameter/, () => l.adamW([x()]));
  said('a step without a function', 'bad-argument', /^step: it takes a function/, () => l.step());
  said('a learning rate that is none', 'bad-argument', /rate is the text ‘0\.1’, not a number/, () =>
    l.adamW(block(), { rate: '0.1' }));

  const w = (...shape) => zeros(shape);
  said('W of the bilinear score', 'bad-shape', /weights\.W is \[3, 3\]; with queries of 8 and .*\[8, 8\]/, () =>
    l.attention(x(), x(), x(), { score: 'bilinear', weights: { W: w(3, 3) } }));
  said('W_k of the additive score', 'bad-shape', /weights\.W_k is \[3, 8\]; .* it must be \[2, 8\]/, () =>
    l.attention(x(), x(), x(), { score: 'additive', weights: { W_q: w(2, 8), W_k: w(3, 8), w_a: w(2) } }));
  said('w_a of the additive score', 'bad-shape', /weights\.w_a is \[3\]; .* it must be \[1, 2\]/, () =>
    l.attention(x(), x(), x(), { score: 'additive', weights: { W_q: w(2, 8), W_k: w(2, 8), w_a: w(3) } }));
  said('W_a of the concat score', 'bad-shape', /weights\.W_a is \[4, 8\]; .* it must be \[hidden, 16\]/, () =>
    l.attention(x(), x(), x(), { score: 'concat', weights: { W_a: w(4, 8), v_a: w(4) } }));
  said('one length for a batch', 'bad-shape', /no lengths for a batch of 1; it takes a list/, () =>
    l.attention(x(), x(), x(), { lengths: 3 }));
  said('an array for a mask', 'bad-argument', /^attention: mask is an array, not a tensor/, () =>
    l.attention(x(), x(), x(), { mask: [[1]] }));
  said('a kind of mask', 'bad-argument', /maskKind is the text ‘bool’; it is ‘additive’ or ‘boolean’/, () =>
    l.attention(x(), x(), x(), { mask: w(5, 5), maskKind: 'bool' }));
  said('values without keys', 'bad-shape', /k is \[time 5, feature 8\] and v \[time 3, feature 8\]/, () =>
    l.multiHead(x(), x(), l.slice(x(), 'time', 0, 3), under(block(), 'block.self_attn.'), { heads: 2 }));
  said('lengths of another batch', 'bad-shape', /^gru: there are 2 lengths for a batch of 1/, () =>
    l.gru(w(1, 5, 8), l.init.gru('', 8, 4), { lengths: [1, 2] }));
  said('a reduction', 'bad-argument', /reduction is the text ‘avg’; it is ‘mean’ or ‘sum’/, () =>
    l.crossEntropy(x(), [0, 1, 2, 3, 4], { reduction: 'avg' }));
  said('a limit forgotten', 'bad-argument', /^clipGradients: limit is undefined/, () => l.clipGradients(block()));
  said('saving what is no tensor', 'bad-argument', /^save: a is the number 3/, () => l.save({ a: 3 }));
  said('data that is not there', 'bad-shape', /^tensor: data is undefined/, () => l.parameter(undefined, [2]));

  test('an option of the lab, and parameters of another', async () => {
    await assert.rejects(lab(/** @type {any} */ ({ sead: 1 })), heedError('bad-argument', /‘sead’; there are seed/));
    const other = await lab();
    assert.throws(() => l.adamW(other.init.linear('', 2, 2)), heedError('bad-argument', /‘weight’.*another lab/));
    other.dispose();
  });
});

describe('memory', () => {
  test('a step gives back what was made in it, however often it runs', () => {
    const w = l.init.linear('m.', 64, 64);
    const optimiser = l.adamW(w);
    const { usedBytes } = l.memory;
    for (let i = 0; i < 50; i++) {
      l.step(() => {
        let x = l.tensor(new Float32Array(64 * 64).fill(0.1), [64, 64]);
        for (let layer = 0; layer < 4; layer++) x = l.tanh(l.linear(x, w['m.weight'], w['m.bias']));
        l.backward(l.mean(x));
        l.clipGradients(w, 1);
        optimiser.step();
      });
    }
    assert.equal(l.memory.usedBytes, usedBytes);
    assert.throws(() => l.step(() => { throw new Error('within'); }), /within/);
    assert.equal(l.memory.usedBytes, usedBytes);
  });

  test('the arena grows where a step needs more, and numbers stay', async () => {
    const own = await lab();
    const w = own.parameter([1, 2, 3], [3], 'w');
    const before_ = own.memory.arenaBytes;
    own.evaluate(() => {
      const x = own.tensor(new Float32Array(3 << 20).fill(2), [1 << 20, 3]);
      assert.equal(own.sum(own.mul(x, w)).item(), 12 * 2 ** 20);
    });
    assert.ok(own.memory.arenaBytes > before_);
    assert.deepEqual(Array.from(w.data), [1, 2, 3]);
    own.dispose();
  });

  test('a tensor of a step that has ended says so', () => {
    const kept = l.step(() => l.tensor([1, 2]));
    assert.throws(() => kept.data, heedError('disposed', /made in a step, which has ended/));
    assert.throws(() => l.add(kept, l.tensor([1, 2])), heedError('disposed'));
  });

  test('what must stay is not made in a step, nor a step awaited', () => {
    assert.throws(() => l.step(() => l.parameter([1], [1])), heedError('bad-argument', /before the first step/));
    const w = l.parameter([1], [1], 'w');
    assert.throws(() => l.step(() => l.adamW([w])), heedError('bad-argument', /before the first step/));
    assert.throws(() => l.step(async () => 1), heedError('bad-argument', /asynchronous/));
  });

  test('tensors of another lab, and after the end', async () => {
    const other = await lab();
    const x = other.tensor([1]);
    assert.throws(() => l.add(x, x), heedError('bad-argument', /another lab/));
    other.dispose();
    assert.throws(() => x.data, heedError('disposed'));
    assert.throws(() => l.relu(/** @type {any} */ ([1])), heedError('bad-argument', /lab\.tensor/));
  });
});

describe('learning', () => {
  test('gradients add up until an optimiser has used them', () => {
    const w = l.parameter([3], [1], 'w');
    const optimiser = l.sgd([w], { rate: 0 });
    const pass = () => l.step(() => l.backward(l.sum(l.mul(w, w))));
    pass();
    pass();
    assert.deepEqual(Array.from(w.grad), [12]);
    optimiser.step();
    assert.deepEqual(Array.from(w.grad), [12], 'still to be looked at');
    pass();
    assert.deepEqual(Array.from(w.grad), [6]);
  });

  test('an evaluation keeps no gradients, and drops nothing', () => {
    const w = l.parameter([1, 2, 3], [3], 'w');
    l.evaluate(() => {
      const y = l.dropout(l.scale(w, 2), 0.5);
      assert.deepEqual(Array.from(y.data), [2, 4, 6]);
      assert.equal(y.grad, null);
      assert.throws(() => l.backward(l.sum(y)), heedError('bad-argument', /depends on gradients/));
    });
  });

  test('dropout drops its share, and keeps the mean', () => {
    l.step(() => {
      const { data } = l.dropout(l.tensor(new Float32Array(20000).fill(1), [20000]), 0.3);
      const dropped = data.filter((x) => x === 0).length / 20000;
      assert.ok(Math.abs(dropped - 0.3) < 0.015, `${dropped}`);
      assert.ok(data.every((x) => x === 0 || Math.abs(x - 1 / 0.7) < 1e-6));
    });
  });

  test('a NaN in the data is reported with the step and the operation', async () => {
    const own = await lab();
    const w = own.init.linear('', 2, 2);
    const pass = (value) => own.step(() => {
      const y = own.tanh(own.linear(own.tensor([[1, value]]), w.weight, w.bias));
      own.backward(own.crossEntropy(y, [0]));
    });
    pass(2);
    assert.throws(() => pass(NaN), heedError('not-finite', /step 2, .*NaN first appeared in linear, operation 1/));
    assert.throws(() => own.step(() => {
      const x = own.relu(own.linear(own.tensor([[1, 1]]), w.weight, w.bias));
      own.backward(own.sum(own.sub(own.scale(x, Infinity), own.scale(x, Infinity))));
    }), heedError('not-finite', /step 3, /));
    own.dispose();
  });

  test('a student’s block in twenty lines learns to reverse', async () => {
    const own = await lab({ seed: 4 });
    const [time, width, letters] = [6, 32, 5];
    const w = {
      ...own.init.embedding('token.', letters, width),
      ...own.init.embedding('position.', time, width),
      ...own.init.encoderBlock('block.', width, 64),
      ...own.init.linear('head.', width, letters),
    };
    const block = Object.fromEntries(Object.entries(w).map(([name, tensor]) => [name.replace('block.', ''), tensor]));
    const optimiser = own.adamW(w, { rate: 0.005 });
    let seed = 1;
    const draw = () => Array.from({ length: 16 * time }, () => (seed = (seed * 48271) % 2147483647) % letters);
    const step = () => own.step(() => {
      const ids = draw();
      const x = own.add(own.embedding(w['token.weight'], ids, { batch: 16, time }), w['position.weight']);
      const { output } = own.encoderBlock(x, block, { heads: 2, activation: 'gelu' });
      const targets = ids.map((_, i) => ids[i - (i % time) + time - 1 - (i % time)]);
      const loss = own.crossEntropy(own.linear(output, w['head.weight'], w['head.bias']), targets);
      own.backward(loss);
      optimiser.step();
      return loss.item();
    });
    let loss = Infinity;
    for (let i = 0; i < 400 && loss > 0.02; i++) loss = step();
    assert.ok(loss <= 0.05, `a loss of ${loss}`);
    own.dispose();
  });
});

describe('files', () => {
  test('a state dict comes back bit for bit, as safetensors', async () => {
    const w = { ...l.init.encoderBlock('layers.0.', 8, 16), ...l.init.linear('head.', 8, 3) };
    const file = l.save(w, { step: '7' });
    const { tensors, metadata } = await fromSafetensors(file);
    assert.equal(metadata.step, '7');
    assert.deepEqual(Object.keys(tensors).sort(), Object.keys(w).sort());
    const own = await lab({ seed: 99 });
    const { weights } = await own.load(file);
    for (const [name, tensor] of Object.entries(w)) {
      assert.deepEqual(weights[name].shape, tensor.shape);
      assert.deepEqual(weights[name].data.slice(), tensor.data.slice(), name);
    }
    assert.deepEqual(own.save(weights, { step: '7' }), file);
    own.dispose();
  });

  test('an optimiser’s state, too: training goes on as if it had not stopped', async () => {
    const start = async () => {
      const own = await lab({ seed: 2 });
      const w = own.init.linear('', 4, 4);
      const optimiser = own.adamW(w, { rate: 0.05 });
      const step = () => own.step(() => {
        const y = own.linear(own.tensor([[1, 2, 3, 4]]), w.weight, w.bias);
        own.backward(own.sum(own.mul(y, own.tensor([1, 2, 0, 1]))));
        optimiser.step();
      });
      return { own, w, optimiser, step };
    };
    const straight = await start();
    for (let i = 0; i < 4; i++) straight.step();
    const first = await start();
    for (let i = 0; i < 2; i++) first.step();
    const [weights, state] = [first.own.save(first.w), first.own.save(first.optimiser.state)];
    const second = await start();
    await second.own.assign(second.w, weights);
    await second.own.assign(second.optimiser.state, state);
    second.optimiser.steps = 2;
    for (let i = 0; i < 2; i++) second.step();
    assert.deepEqual(second.own.save(second.w), straight.own.save(straight.w));
    for (const { own } of [straight, first, second]) own.dispose();
  });

  test('files that do not fit are refused', async () => {
    const w = l.init.linear('a.', 4, 3);
    const more = { ...w, 'b.weight': w['a.weight'] };
    await assert.rejects(l.assign(more, l.save(w)), heedError('bad-tensor', /b\.weight/));
    await assert.rejects(l.assign(l.init.linear('a.', 5, 3), l.save(w)), heedError('bad-shape', /a\.weight.*\[3,4\]/));
    await assert.rejects(fromSafetensors(l.save(w).subarray(0, 60)), (error) => error.name === 'HeedError');
  });

  test('options that make no sense', async () => {
    await assert.rejects(lab({ threads: 0 }), heedError('bad-argument', /threads/));
    await assert.rejects(lab({ engine: /** @type {any} */ ('gpu') }), heedError('bad-argument', /gpu/));
  });
});
