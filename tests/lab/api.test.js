// The public functions of heed/lab: shapes and axis names, errors for bad arguments, memory, training, files.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inspect } from 'node:util';
import { lab, fromSafetensors, schedules, under } from '../../js/lab/index.js';
import { heedError } from '../support/model.js';

let l;
before(async () => { l = await lab(); });
after(() => l.dispose());
const zeros = (shape) => l.tensor(new Float32Array(Object.values(shape).reduce((a, b) => a * b, 1)), shape);

describe('shapes', () => {
  test('results keep the names of the axes', () => {
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

  test('tensors are made from nested arrays and numbers', () => {
    const x = l.tensor([[1, 2, 3], [4, 5, 6]]);
    assert.deepEqual(x.shape, [2, 3]);
    assert.deepEqual(x.toArray(), [[1, 2, 3], [4, 5, 6]]);
    assert.deepEqual(l.slice(x, 1, 1, 3).toArray(), [[2, 3], [5, 6]]);
    assert.deepEqual(l.slice(x, 1, -1).toArray(), [3, 6]);
    assert.equal(l.tensor(4).item(), 4);
    assert.deepEqual(l.permute(l.tensor([[[1], [2]], [[3], [4]]]), [1, 0, 2]).toArray(), [[[1], [3]], [[2], [4]]]);
  });

  test('a console shows axes and numbers', () => {
    assert.equal(inspect(l.tensor([1, 1 / 3], { time: 2 })), 'Tensor [time 2]: 1, 0.3333');
    assert.equal(`${zeros([3, 3])}`, 'Tensor [3, 3]: 0, 0, 0, 0, 0, 0, 0, 0, …');
    assert.equal(`${l.step(() => l.tensor([1]))}`, 'Tensor [1] of a step, which has ended');
  });

  const bad = (what, pattern, run) => test(`an error names the axis: ${what}`, () =>
    assert.throws(run, heedError('bad-shape', pattern)));
  bad('linear with another input width', /‘feature’ of x has 5; .*takes 8/, () =>
    l.linear(zeros({ time: 3, feature: 5 }), zeros([6, 8])));
  bad('sum of different sizes', /‘time’ has 3, ‘time’ of the other 4/, () =>
    l.add(zeros({ time: 3, feature: 5 }), zeros({ time: 4, feature: 5 })));
  bad('sum of different names', /‘time’ has 3, ‘head’ of the other 3/, () =>
    l.add(zeros({ time: 3, feature: 5 }), zeros({ head: 3, feature: 5 })));
  bad('keys of another width', /‘dim’ of q has 4, ‘size’ of k 5/, () =>
    l.attention(zeros({ query: 2, dim: 4 }), zeros({ key: 3, size: 5 }), zeros({ key: 3, size: 5 })));
  bad('values of another length', /‘key’ of v has 4, ‘key’ of k 3/, () =>
    l.attention(zeros({ query: 2, dim: 4 }), zeros({ key: 3, dim: 4 }), zeros({ key: 4, dim: 4 })));
  bad('query heads that are not a multiple of key heads', /‘head’ of q has 4, .* not a multiple of the 3 heads/, () =>
    l.attention(zeros({ head: 4, query: 2, dim: 4 }), zeros({ head: 3, key: 3, dim: 4 }),
      zeros({ head: 3, key: 3, dim: 4 })));
  bad('mask per sequence without a head axis', /head axis must be 1 or 2\. .*\[batch, 1, query, key\]/, () =>
    l.attention(zeros([3, 2, 2, 4]), zeros([3, 2, 3, 4]), zeros([3, 2, 3, 4]), { mask: zeros([3, 2, 3]) }));
  bad('mask of five axes', /at most the axes/, () =>
    l.attention(zeros([2, 4]), zeros([3, 4]), zeros([3, 4]), { mask: zeros([1, 1, 1, 2, 3]) }));
  bad('mask of another size', /query axis must be 1 or 2/, () =>
    l.attention(zeros([2, 4]), zeros([3, 4]), zeros([3, 4]), { mask: zeros([5, 3]) }));
  bad('unknown axis', /there is no axis ‘head’ in \[time 3, feature 5\]/, () =>
    l.slice(zeros({ time: 3, feature: 5 }), 'head', 0));
  bad('slice past the end', /‘time’ has 3; \[2, 4\) is not within/, () =>
    l.slice(zeros({ time: 3, feature: 5 }), 'time', 2, 4));
  bad('too few numbers', /5 numbers do not fill \[2, 3\], which has 6/, () => l.tensor([1, 2, 3, 4, 5], [2, 3]));
  bad('ragged array', /item 1 is \[1\], the first \[2\]/, () => l.tensor([[1, 2], [3]]));
  bad('targets of another length', /3 targets for the 2 rows/, () => l.crossEntropy(zeros([2, 4]), [1, 2, 3]));
  bad('axis without elements', /‘time’ of a shape is 0/, () => l.tensor([], { time: 0 }));

  test('an id outside the table is an error that names it', () => {
    assert.throws(() => l.embedding(zeros([4, 2]), [1, 4]),
      heedError('bad-argument', /embedding: id 4, number 1 of 2/));
    assert.throws(() => l.embedding(zeros([4, 2]), [-1]), heedError('bad-argument', /-1/));
    assert.throws(() => l.crossEntropy(zeros([2, 4]), [1, 7]),
      heedError('bad-argument', /crossEntropy: target 7 of row 1/));
  });

  test('unknown scores and activations are errors', () => {
    assert.throws(() => l.attention(zeros([2, 4]), zeros([3, 4]), zeros([3, 4]), { score: 'cosine' }),
      heedError('bad-argument', /cosine.*scaled-dot/));
    assert.throws(() => l.attention(zeros([2, 4]), zeros([3, 4]), zeros([3, 4]), { score: 'bilinear' }),
      heedError('bad-argument', /weights\.W/));
    assert.throws(() => l.activation(zeros([2]), 'swish'), heedError('bad-argument', /swish/));
  });
});

for (const norm of ['pre', 'post']) {
  test(`onActivation gives every activation of an encoder block, norm: '${norm}'`, () => {
    const own = under(l.init.encoderBlock('b.', 8, 16), 'b.');
    const x = l.tensor(Float32Array.from({ length: 5 * 8 }, (_, i) => Math.sin(i)), { time: 5, feature: 8 });
    /** @type {Record<string, Float32Array>} */
    const seen = {};
    const options = { heads: 2, norm, causal: true };
    const { output, pattern } = l.encoderBlock(x, own, { ...options,
      onActivation: (name, { data }) => { seen[name] = data.slice(); } });
    const attention = ['hook_q', 'hook_k', 'hook_v', 'hook_attn_scores', 'hook_pattern', 'hook_z'].map((name) =>
      `attn.${name}`);
    assert.deepEqual(Object.keys(seen).sort(), [...attention, 'hook_resid_pre', 'ln1.hook_normalized', 'hook_attn_out',
      'hook_resid_mid', 'ln2.hook_normalized', 'mlp.hook_pre', 'mlp.hook_post', 'hook_mlp_out',
      'hook_resid_post'].sort());
    assert.deepEqual(seen['attn.hook_pattern'], pattern.data.slice());
    assert.deepEqual(seen[norm === 'pre' ? 'hook_resid_post' : 'ln2.hook_normalized'], output.data.slice());
    assert.deepEqual(output.data.slice(), l.encoderBlock(x, own, options).output.data.slice());
    // One number of the output projection, computed here: Σ z·W_O + b.
    const [weight, bias] = ['weight', 'bias'].map((part) => own[`self_attn.out_proj.${part}`].data);
    const z = seen['attn.hook_z'].subarray(3 * 8, 4 * 8);
    const sum = z.reduce((total, value, i) => total + value * weight[5 * 8 + i], bias[5]);
    assert.ok(Math.abs(sum - seen['hook_attn_out'][3 * 8 + 5]) < 1e-6);
  });
}

for (const norm of ['pre', 'post']) {
  test(`onActivation gives every activation of a decoder block, norm: '${norm}'`, () => {
    const own = under(l.init.decoderBlock('b.', 8, 16), 'b.');
    const [x, memory] = [5, 3].map((time) =>
      l.tensor(Float32Array.from({ length: time * 8 }, (_, i) => Math.sin(i * time)), { time, feature: 8 }));
    /** @type {Record<string, Float32Array>} */
    const seen = {};
    const options = { heads: 2, norm };
    const { output, self, cross } = l.decoderBlock(x, memory, own, { ...options,
      onActivation: (name, { data }) => { seen[name] = data.slice(); } });
    const attention = ['hook_q', 'hook_k', 'hook_v', 'hook_attn_scores', 'hook_pattern', 'hook_z'];
    assert.deepEqual(Object.keys(seen).sort(), [...attention.map((name) => `attn.${name}`),
      ...attention.map((name) => `cross_attn.${name}`), 'hook_resid_pre', 'ln1.hook_normalized', 'hook_attn_out',
      'hook_resid_mid', 'ln2.hook_normalized', 'hook_cross_attn_out', 'hook_resid_mid_cross', 'ln3.hook_normalized',
      'mlp.hook_pre', 'mlp.hook_post', 'hook_mlp_out', 'hook_resid_post'].sort());
    assert.deepEqual(seen['attn.hook_pattern'], self.pattern.data.slice());
    assert.deepEqual(seen['cross_attn.hook_pattern'], cross.pattern.data.slice());
    assert.deepEqual(seen[norm === 'pre' ? 'hook_resid_post' : 'ln3.hook_normalized'], output.data.slice());
    assert.deepEqual(output.data.slice(), l.decoderBlock(x, memory, own, options).output.data.slice());
    // One key of the memory, computed here: Σ m·W_K + b.
    const [weight, bias] = ['weight', 'bias'].map((part) => own[`multihead_attn.in_proj_${part}`].data);
    const sum = memory.data.slice(2 * 8, 3 * 8).reduce((total, value, i) => total + value * weight[(8 + 5) * 8 + i],
      bias[8 + 5]);
    assert.ok(Math.abs(sum - seen['cross_attn.hook_k'][2 * 8 + 5]) < 1e-6);
  });
}

describe('an error names the argument', () => {
  const x = () => zeros({ time: 5, feature: 8 });
  const block = () => l.init.encoderBlock('block.', 8, 16);
  const refuses = (what, code, pattern, run) => test(what, () => assert.throws(run, heedError(code, pattern)));

  refuses('a misspelled weight', 'bad-argument', /^linear: weight is undefined.*spelling/, () =>
    l.linear(x(), block()['block.linear9.weight']));
  refuses('a prefix that was not removed', 'bad-argument', /‘self_attn\.out_proj\.weight’.*under\(weights, 'block\.'\)/,
    () => l.encoderBlock(x(), block(), { heads: 2 }));
  refuses('a prefix without weights', 'bad-argument', /^encoderBlock: .*got no weights/, () =>
    l.encoderBlock(x(), under(block(), 'blok.'), { heads: 2 }));
  refuses('missing heads', 'bad-argument', /^multiHead: heads is undefined/, () =>
    l.encoderBlock(x(), under(block(), 'block.')));
  refuses('a number of heads that does not divide', 'bad-shape', /8 features are not a multiple of 3 heads/, () =>
    l.encoderBlock(x(), under(block(), 'block.'), { heads: 3 }));
  refuses('a misspelled option', 'bad-argument', /^encoderBlock: there is no option ‘casual’; there are .*causal/, () =>
    l.encoderBlock(x(), under(block(), 'block.'), { heads: 2, casual: true }));
  refuses('a name from PyTorch', 'bad-argument', /^adamW: there is no option ‘lr’; there are rate/, () =>
    l.adamW(block(), { lr: 0.1 }));
  refuses('an unknown place of norms', 'bad-argument', /norm is the string ‘before’; expected ‘post’ or ‘pre’/, () =>
    l.encoderBlock(x(), under(block(), 'block.'), { heads: 2, norm: 'before' }));
  refuses('a wrong listener', 'bad-argument', /onActivation is the string ‘log’; expected a function/, () =>
    l.encoderBlock(x(), under(block(), 'block.'), { heads: 2, onActivation: 'log' }));
  refuses('missing keys', 'bad-argument', /^attention: k is undefined/, () => l.attention(x()));
  refuses('a number instead of a tensor', 'bad-argument', /^mul: b is the number 2, .*lab\.scale/, () => l.mul(x(), 2));
  refuses('a tensor instead of a number', 'bad-argument', /^scale: factor is a tensor \[time 5, feature 8\].*lab\.mul/,
    () => l.scale(x(), x()));
  refuses('an array instead of a tensor', 'bad-argument', /^relu: x is an array.*lab\.tensor/, () => l.relu([1, 2]));
  refuses('a string instead of ids', 'bad-argument', /^embedding: ids is the string ‘abc’/, () =>
    l.embedding(zeros([4, 2]), 'abc'));
  refuses('letters instead of ids', 'bad-argument', /^embedding: id b, number 1 of 2, is not an integer/, () =>
    l.embedding(zeros([4, 2]), [0, 'b']));
  refuses('missing targets', 'bad-argument', /^crossEntropy: targets is undefined/, () => l.crossEntropy(x()));
  refuses('an empty list of ids', 'bad-argument', /^gather: rows is an empty list/, () => l.gather(x(), []));
  refuses('an empty tensor', 'bad-shape', /^tensor: .*an empty list/, () => l.tensor([]));
  refuses('a word instead of a number', 'bad-shape', /^tensor: .*the string ‘two’/, () => l.tensor([[1, 'two']]));
  refuses('a hole in the data', 'bad-argument', /^tensor: element 1 of 2 is undefined/, () =>
    l.tensor([1, undefined], [2]));
  refuses('a missing shape', 'bad-shape', /shape is undefined/, () => l.reshape(x()));
  refuses('a permutation that moves the last axis', 'bad-shape', /^permute: .*last one last.*matmul/,
    () => l.permute(x(), ['feature', 'time']));
  refuses('lengths past the end', 'bad-shape', /^attention: length 6 of sequence 0 is not in 0 … 5/, () =>
    l.attention(x(), x(), x(), { lengths: [6] }));
  refuses('a loss of many numbers', 'bad-shape', /^backward: .*\[time 5, feature 8\].*lab\.mean/,
    () => l.backward(x()));
  const consumed = /ran before the last backward.*call backward once/;
  const twice = (what, first, second) => refuses(what, 'bad-argument', consumed, () => {
    const w = l.parameter([1, 2], [2]);
    return l.step(() => {
      const squares = l.mul(w, w);
      const loss = l.sum(squares);
      first(loss, w);
      l.backward(second(squares, loss));
    });
  });
  twice('a second backward on one loss', (loss) => l.backward(loss), (_, loss) => loss);
  twice('a backward through consumed records', (loss) => l.backward(loss), (squares) => l.mean(squares));
  twice('a backward after that of an inner step', (_, w) => l.step(() => l.backward(l.sum(w))),
    (squares) => l.sum(squares));
  test('a view of a parameter that was made before the first step works in one step only', () => {
    const w = l.parameter([1, 2], [2]);
    const first = l.slice(w, 0, 0, 1);
    const pass = () => l.step(() => l.backward(l.sum(l.mul(first, first))));
    pass();
    assert.deepEqual(Array.from(w.grad), [2, 0]);
    assert.throws(pass, heedError('bad-argument', consumed));
  });
  refuses('an option of init.linear', 'bad-argument', /^init\.linear: there is no option ‘biases’; there are bias\./,
    () => l.init.linear('head.', 4, 2, { biases: false }));
  refuses('an option of init.embedding', 'bad-argument', /^init\.embedding: there is no option ‘std’; .* deviation/,
    () => l.init.embedding('', 4, 2, { std: 0.02 }));
  refuses('an option of init.gru', 'bad-argument', /^init\.gru: there is no option ‘num_layers’; .* bidirectional, /,
    () => l.init.gru('', 4, 2, { num_layers: 2 }));
  refuses('a string instead of a boolean', 'bad-argument', /^init\.gru: bidirectional is ‘yes’; it is true or false/,
    () => l.init.gru('', 4, 2, { bidirectional: 'yes' }));
  refuses('weights of two directions without bidirectional', 'bad-argument', /^gru: the weights have a backward direc/,
    () => l.gru(l.tensor(new Float32Array(8), [1, 2, 4]), l.init.gru('', 4, 2, { bidirectional: true })));
  refuses('a probability as text', 'bad-argument', /^dropout: the probability is the string ‘0\.5’/,
    () => l.dropout(l.tensor([1]), /** @type {any} */ ('0.5')));
  refuses('a smoothing of 1', 'bad-argument', /^crossEntropy: smoothing is the number 1; expected 0 or more and less/,
    () => l.crossEntropy(l.tensor([[1, 2]]), [1], { smoothing: 1 }));
  refuses('zero layers', 'bad-argument', /^init\.gru: layers is 0/, () => l.init.gru('', 4, 2, { layers: 0 }));
  refuses('a missing prefix', 'bad-argument', /^init\.linear: prefix is the number 4, not a string/, () =>
    l.init.linear(4, 2));
  refuses('a missing size', 'bad-argument', /^init\.linear: outputs is undefined/, () =>
    l.init.linear('head.', 4));
  refuses('a missing bound', 'bad-argument', /^init\.uniform: bound is/, () => l.init.uniform('w', [2]));
  refuses('a string for causal', 'bad-argument', /^attention: causal is ‘yes’; it is true or false/, () =>
    l.attention(x(), x(), x(), { causal: 'yes' }));
  refuses('options that are null', 'bad-argument', /^attention: options are an object/, () =>
    l.attention(x(), x(), x(), null));
  refuses('an option of tensor', 'bad-argument', /^tensor: there is no option ‘requires_grad’; .* requiresGrad/, () =>
    l.tensor([1], [1], { requires_grad: true }));
  refuses('an option of a schedule', 'bad-argument', /^cosine: there is no option ‘warmUp’; there are rate, warmup/,
    () => schedules.cosine({ rate: 1, warmUp: 3, total: 9 }));
  refuses('a schedule without total', 'bad-argument', /^linear: total is undefined, not a number/, () =>
    schedules.linear({ rate: 1 }));
  refuses('a schedule without warmup', 'bad-argument', /^noam: warmup is undefined/, () =>
    schedules.noam({ width: 8 }));
  refuses('an option of save', 'bad-argument', /^save: there is no option ‘type’; there are dtype/, () =>
    l.save(block(), {}, { type: 'F16' }));
  refuses('missing weights', 'bad-argument', /^under: weights is undefined/, () => under(undefined, 'block.'));

  test('every call of a disposed lab fails with ‘disposed’', async () => {
    const gone = await lab();
    const w = gone.parameter([1], [1]);
    const optimizer = gone.sgd([w]);
    gone.dispose();
    gone.dispose();
    const disposed = (call) => heedError('disposed', new RegExp(`^${call}: this lab and its tensors were disposed`));
    let ran = false;
    for (const scope of ['step', 'evaluate']) {
      assert.throws(() => gone[scope](() => { ran = true; }), disposed(scope));
    }
    assert.equal(ran, false);
    assert.throws(() => gone.tensor([1]), disposed('tensor'));
    assert.throws(() => gone.parameter([1], [1]), disposed('tensor'));
    assert.throws(() => gone.sinusoidal(2, 2), disposed('sinusoidal'));
    assert.throws(() => gone.relu(w), heedError('disposed'));
    assert.throws(() => optimizer.step(), heedError('disposed'));
  });

  refuses('an optimizer without parameters', 'bad-argument', /needs trainable parameters/, () =>
    l.adamW(under(block(), 'blok.')));
  refuses('an optimizer of a tensor without gradient', 'bad-argument', /‘0’ has no gradient: .* lab\.parameter/, () =>
    l.adamW([x()]));
  refuses('a step without a function', 'bad-argument', /^step: expected a function/, () => l.step());
  refuses('a string for the learning rate', 'bad-argument', /rate is the string ‘0\.1’; expected a finite number, 0 /,
    () => l.adamW(block(), { rate: '0.1' }));

  const w = (...shape) => zeros(shape);
  refuses('W of the bilinear score', 'bad-shape', /weights\.W is \[3, 3\]; with queries of 8 and .*\[8, 8\]/, () =>
    l.attention(x(), x(), x(), { score: 'bilinear', weights: { W: w(3, 3) } }));
  refuses('W_k of the additive score', 'bad-shape', /weights\.W_k is \[3, 8\]; .* it must be \[2, 8\]/, () =>
    l.attention(x(), x(), x(), { score: 'additive', weights: { W_q: w(2, 8), W_k: w(3, 8), w_a: w(2) } }));
  refuses('w_a of the additive score', 'bad-shape', /weights\.w_a is \[3\]; .* it must be \[1, 2\]/, () =>
    l.attention(x(), x(), x(), { score: 'additive', weights: { W_q: w(2, 8), W_k: w(2, 8), w_a: w(3) } }));
  refuses('W_a of the concat score', 'bad-shape', /weights\.W_a is \[4, 8\]; .* it must be \[hidden, 16\]/, () =>
    l.attention(x(), x(), x(), { score: 'concat', weights: { W_a: w(4, 8), v_a: w(4) } }));
  refuses('a number for lengths', 'bad-shape', /no lengths for a batch of 1; expected a list/, () =>
    l.attention(x(), x(), x(), { lengths: 3 }));
  refuses('an array instead of a mask', 'bad-argument', /^attention: mask is an array, not a tensor/, () =>
    l.attention(x(), x(), x(), { mask: [[1]] }));
  refuses('an unknown kind of mask', 'bad-argument', /maskKind is the string ‘bool’; expected ‘additive’ or ‘boolean’/,
    () => l.attention(x(), x(), x(), { mask: w(5, 5), maskKind: 'bool' }));
  refuses('fewer values than keys', 'bad-shape', /k is \[time 5, feature 8\] and v \[time 3, feature 8\]/, () =>
    l.multiHead(x(), x(), l.slice(x(), 'time', 0, 3), under(block(), 'block.self_attn.'), { heads: 2 }));
  refuses('lengths of another batch', 'bad-shape', /^gru: got 2 lengths for a batch of 1/, () =>
    l.gru(w(1, 5, 8), l.init.gru('', 8, 4), { lengths: [1, 2] }));
  refuses('an unknown reduction', 'bad-argument', /reduction is the string ‘avg’; expected ‘mean’ or ‘sum’/, () =>
    l.crossEntropy(x(), [0, 1, 2, 3, 4], { reduction: 'avg' }));
  refuses('a missing limit', 'bad-argument', /^clipGradients: limit is undefined/, () => l.clipGradients(block()));
  refuses('a number in a state dict', 'bad-argument', /^save: a is the number 3/, () => l.save({ a: 3 }));
  refuses('missing data', 'bad-shape', /^tensor: data is undefined/, () => l.parameter(undefined, [2]));

  // Without these checks, the arguments would have no effect or give NaN.
  const three = () => l.tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]], { time: 3, feature: 3 });
  const att = (options) => () => l.attention(x(), x(), x(), options());
  refuses('weights without their score', 'bad-argument', /weights of the score ‘bilinear’. Add score: ‘bilinear’/,
    att(() => ({ weights: { W: w(8, 8) } })));
  refuses('a misspelled weight of a score', 'bad-argument', /^attention: the score ‘additive’ needs weights\.W_q/,
    att(() => ({ score: 'additive', weights: { Wq: w(2, 8) } })));
  refuses('an infinite scale', 'bad-argument', /scale is the number Infinity; expected a finite number/,
    att(() => ({ score: 'dot', scale: 1 / 0 })));
  refuses('a negative softcap', 'bad-argument', /softcap is the number -1; expected a finite number, 0 or more/,
    att(() => ({ softcap: -1 })));
  for (const past of [-1, 0.5, '2', NaN]) {
    refuses(`a past of ${past}`, 'bad-argument', /past is .*; expected an integer, 0 or more/,
      att(() => ({ causal: true, past })));
  }
  refuses('an option of crossEntropy', 'bad-argument', /^crossEntropy: there is no option ‘ignoreIndex’/, () =>
    l.crossEntropy(x(), [0, 1, 2, 3, 4], { ignoreIndex: 0 }));
  refuses('an option of layerNorm', 'bad-argument', /^layerNorm: there is no option ‘epsilon’; there are eps/, () =>
    l.layerNorm(x(), w(8), null, { epsilon: 1 }));
  refuses('an option of matmul', 'bad-argument', /^matmul: there is no option ‘transposeb’/, () =>
    l.matmul(three(), three(), { transposeb: true }));
  refuses('an option of rope inside multiHead', 'bad-argument', /^rope: there is no option ‘base’/, () =>
    l.multiHead(x(), x(), x(), under(block(), 'block.self_attn.'), { heads: 2, rope: { base: 5 } }));
  refuses('softmax over an axis that is not the last', 'bad-shape', /^softmax: ‘time’ is not the last axis/, () =>
    l.softmax(x(), 'time'));
  refuses('lengths past the end of a GRU', 'bad-shape', /^gru: length 6 of sequence 0 is not in 0 … 5.*axis 1/, () =>
    l.gru(w(1, 5, 8), l.init.gru('', 8, 4), { lengths: [6] }));
  refuses('nested arrays of another shape', 'bad-shape', /^tensor: nested .* \[2, 3\] are not \[a 3, b 2\]/, () =>
    l.tensor([[1, 2, 3], [4, 5, 6]], { a: 3, b: 2 }));
  refuses('64-bit integers', 'bad-argument', /^tensor: element 0 of 1 is the bigint 1, not a number/, () =>
    l.tensor(new BigInt64Array([1n]), [1]));
  refuses('a rate of NaN at a step', 'bad-argument', /rate is the number NaN/, () => {
    const optimizer = l.adamW(block());
    optimizer.rate = NaN;
    optimizer.step();
  });
  refuses('one beta', 'bad-argument', /^adamW: betas is the number 0\.9; expected two/, () =>
    l.adamW(block(), { betas: 0.9 }));
  refuses('a negative limit', 'bad-argument', /limit is the number -1; expected a finite number, more than 0/, () =>
    l.clipGradients(block(), -1));

  // The engine would report these with addresses instead of axes.
  refuses('kvHeads with in_proj_weight', 'bad-shape', /keys have 8 features; 2 heads .* have 4/, () =>
    l.multiHead(x(), x(), x(), under(block(), 'block.self_attn.'), { heads: 4, kvHeads: 2 }));
  refuses('heads that are not a multiple of kvHeads', 'bad-shape', /^multiHead: 4 query heads are not a multiple of 3/,
    () => l.multiHead(x(), x(), x(), under(block(), 'block.self_attn.'), { heads: 4, kvHeads: 3 }));
  refuses('in_proj_weight of another width', 'bad-shape', /in_proj_weight is \[16, 8\]; .* it must be \[24, 8\]/, () =>
    l.multiHead(x(), x(), x(), { ...under(block(), 'block.self_attn.'), in_proj_weight: w(16, 8) }, { heads: 2 }));
  refuses('more rotated features than a head has', 'bad-shape', /^rope: dims is 10; a head of ‘feature’ has 8/, () =>
    l.rope(x(), { dims: 10 }));
  refuses('a state of another batch', 'bad-shape', /^gruCell: .* one batch size, got \[2, 4\] and \[3, 3\]/, () =>
    l.gruCell(w(2, 4), w(3, 3), l.init.gruCell('', 4, 3)));
  refuses('gates of different widths', 'bad-shape', /^gruCell: weight_hh is \[9, 3\] and weight_ih \[6, 4\]/, () =>
    l.gruCell(w(2, 4), w(2, 3), { ...l.init.gruCell('', 4, 3), weight_ih: w(6, 4) }));
  refuses('different names of one axis', 'bad-shape', /^concat: ‘key’ has 8/, () =>
    l.concat([x(), zeros({ time: 5, key: 8 })], 0));
  refuses('a stack of different shapes', 'bad-shape', /^stack: tensor 1 of .* is \[2, 2\], the first \[time 5,/, () =>
    l.stack([x(), w(2, 2)]));

  test('a seed must be an integer and a step synchronous', async () => {
    await assert.rejects(lab({ seed: 'one' }), heedError('bad-argument', /^lab: seed is the string ‘one’/));
    let heard = 0;
    const hear = () => heard++;
    process.on('unhandledRejection', hear);
    assert.throws(() => l.step(async () => {
      const made = l.tensor([1]);
      await null;
      return made.item(); // rejects, because the step has freed the tensor
    }), heedError('bad-argument', /must not be asynchronous.*Await before it/));
    await new Promise((resolve) => setTimeout(resolve, 10));
    process.off('unhandledRejection', hear);
    assert.equal(heard, 0, 'no unhandled rejection');
  });

  test('clipping and optimizers refuse a gradient that is not finite', () => {
    const own = l.parameter([1, 2], [2], 'own');
    const optimizer = l.sgd({ own }, { rate: 0.1 });
    const message = (number) => heedError('not-finite', new RegExp(`^In step ${number}, the gradient of ‘own’ is not ` +
      'finite: it first appeared in the backward pass of affine, operation \\d+ of this step\\. Check'));
    const steep = (x) => l.backward(l.scale(l.sum(l.scale(l.scale(x, 1e-38), 1e38)), 1e38));
    assert.throws(() => l.step(() => {
      steep(own);
      l.clipGradients({ own }, 1);
    }, 7), message(7));
    assert.throws(() => l.step(() => {
      steep(own);
      optimizer.step();
    }, 8), message(8));
    assert.deepEqual([[...own.data], optimizer.steps], [[1, 2], 0], 'no parameter changed');
    l.step(() => steep(own));
    assert.throws(() => optimizer.step(), heedError('not-finite', /‘own’ is not finite\. Check/),
      'after the step of the backward');
    own.grad.fill(0);
    l.step(() => {
      l.backward(l.sum(own));
      optimizer.step();
    });
    assert.ok(Math.abs(own.data[0] - 0.9) < 1e-6);
  });

  test('rows may be typed arrays, and a slice with gaps is writable', () => {
    const matrix = l.tensor([Float32Array.of(1, 2, 3), Float32Array.of(4, 5, 6)]);
    assert.deepEqual(matrix.shape, [2, 3]);
    const slice = l.slice(matrix, 1, 1, 3);
    slice.set([20, 30, 50, 60]);
    assert.deepEqual(matrix.toArray(), [[1, 20, 30], [4, 50, 60]]);
    assert.throws(() => slice.set([1]), heedError('bad-shape', /^set: 1 numbers do not fill \[2, 2\]/));
  });

  test('unknown options of lab() and parameters of another lab are errors', async () => {
    await assert.rejects(lab(/** @type {any} */ ({ sead: 1 })), heedError('bad-argument', /‘sead’; there are seed/));
    const other = await lab();
    assert.throws(() => l.adamW(other.init.linear('', 2, 2)), heedError('bad-argument', /‘weight’.*another lab/));
    other.dispose();
  });
});

describe('memory', () => {
  test('a step frees the tensors that it makes', () => {
    const w = l.init.linear('m.', 64, 64);
    const optimizer = l.adamW(w);
    const { usedBytes } = l.memory;
    for (let i = 0; i < 50; i++) {
      l.step(() => {
        let x = l.tensor(new Float32Array(64 * 64).fill(0.1), [64, 64]);
        for (let layer = 0; layer < 4; layer++) x = l.tanh(l.linear(x, w['m.weight'], w['m.bias']));
        l.backward(l.mean(x));
        l.clipGradients(w, 1);
        optimizer.step();
      });
    }
    assert.equal(l.memory.usedBytes, usedBytes);
    assert.throws(() => l.step(() => { throw new Error('within'); }), /within/);
    assert.equal(l.memory.usedBytes, usedBytes);
  });

  test('the arena grows and keeps its numbers', async () => {
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

  test('a tensor of an ended step is an error that names the step', () => {
    const kept = l.step(() => l.tensor([1, 2]));
    assert.throws(() => kept.data, heedError('disposed', /made in a step, which has ended/));
    assert.throws(() => l.add(kept, l.tensor([1, 2])), heedError('disposed'));
  });

  test('parameters and optimizers cannot be made in a step, and a step cannot be asynchronous', () => {
    assert.throws(() => l.step(() => l.parameter([1], [1])), heedError('bad-argument', /before the first step/));
    const w = l.parameter([1], [1], 'w');
    assert.throws(() => l.step(() => l.adamW([w])), heedError('bad-argument', /before the first step/));
    assert.throws(() => l.step(async () => 1), heedError('bad-argument', /asynchronous/));
  });

  test('tensors of another lab and of a disposed lab are errors', async () => {
    const other = await lab();
    const x = other.tensor([1]);
    assert.throws(() => l.add(x, x), heedError('bad-argument', /another lab/));
    other.dispose();
    assert.throws(() => x.data, heedError('disposed'));
    assert.throws(() => l.relu(/** @type {any} */ ([1])), heedError('bad-argument', /lab\.tensor/));
  });
});

describe('training', () => {
  test('gradients accumulate until an optimizer consumes them', () => {
    const w = l.parameter([3], [1], 'w');
    const optimizer = l.sgd([w], { rate: 0 });
    const pass = () => l.step(() => l.backward(l.sum(l.mul(w, w))));
    pass();
    pass();
    assert.deepEqual(Array.from(w.grad), [12]);
    optimizer.step();
    assert.deepEqual(Array.from(w.grad), [12], 'the step leaves them readable');
    pass();
    assert.deepEqual(Array.from(w.grad), [6]);
  });

  test('an evaluation records no gradients and has no dropout', () => {
    const w = l.parameter([1, 2, 3], [3], 'w');
    l.evaluate(() => {
      const y = l.dropout(l.scale(w, 2), 0.5);
      assert.deepEqual(Array.from(y.data), [2, 4, 6]);
      assert.equal(y.grad, null);
      assert.throws(() => l.backward(l.sum(y)), heedError('bad-argument', /^backward: nothing was recorded/));
    });
  });

  test('dropout drops the given fraction and keeps the mean', () => {
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

  test('an encoder block learns to reverse letters', async () => {
    const own = await lab({ seed: 4 });
    const time = 6;
    const width = 32;
    const letters = 5;
    const w = {
      ...own.init.embedding('token.', letters, width),
      ...own.init.embedding('position.', time, width),
      ...own.init.encoderBlock('block.', width, 64),
      ...own.init.linear('head.', width, letters),
    };
    const block = Object.fromEntries(Object.entries(w).map(([name, tensor]) => [name.replace('block.', ''), tensor]));
    const optimizer = own.adamW(w, { rate: 0.005 });
    let seed = 1;
    const draw = () => Array.from({ length: 16 * time }, () => (seed = (seed * 48271) % 2147483647) % letters);
    const step = () => own.step(() => {
      const ids = draw();
      const x = own.add(own.embedding(w['token.weight'], ids, { batch: 16, time }), w['position.weight']);
      const { output } = own.encoderBlock(x, block, { heads: 2, activation: 'gelu' });
      const targets = ids.map((_, i) => ids[i - (i % time) + time - 1 - (i % time)]);
      const loss = own.crossEntropy(own.linear(output, w['head.weight'], w['head.bias']), targets);
      own.backward(loss);
      optimizer.step();
      return loss.item();
    });
    let loss = Infinity;
    for (let i = 0; i < 400 && loss > 0.02; i++) loss = step();
    assert.ok(loss <= 0.05, `a loss of ${loss}`);
    own.dispose();
  });
});

describe('files', () => {
  test('a state dict survives safetensors bit for bit', async () => {
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

  test('training resumes bit for bit from weights and optimizer state', async () => {
    const start = async () => {
      const own = await lab({ seed: 2 });
      const w = own.init.linear('', 4, 4);
      const optimizer = own.adamW(w, { rate: 0.05 });
      const step = () => own.step(() => {
        const y = own.linear(own.tensor([[1, 2, 3, 4]]), w.weight, w.bias);
        own.backward(own.sum(own.mul(y, own.tensor([1, 2, 0, 1]))));
        optimizer.step();
      });
      return { own, w, optimizer, step };
    };
    const straight = await start();
    for (let i = 0; i < 4; i++) straight.step();
    const first = await start();
    for (let i = 0; i < 2; i++) first.step();
    const weights = first.own.save(first.w);
    const state = first.own.save(first.optimizer.state);
    const second = await start();
    await second.own.assign(second.w, weights);
    await second.own.assign(second.optimizer.state, state);
    second.optimizer.steps = 2;
    for (let i = 0; i < 2; i++) second.step();
    assert.deepEqual(second.own.save(second.w), straight.own.save(straight.w));
    for (const { own } of [straight, first, second]) own.dispose();
  });

  test('load accepts ArrayBuffer, Blob, Buffer and bfloat16', async () => {
    const w = l.init.linear('', 3, 2);
    const file = l.save(w, { of: 'a test' });
    for (const bytes of [file, file.buffer, new Blob([file]), Buffer.from(file)]) {
      const { weights, metadata } = await l.load(bytes);
      assert.equal(metadata.of, 'a test');
      assert.deepEqual(weights.weight.toArray(), w.weight.toArray());
    }
    for (const none of [undefined, 'state.safetensors', {}]) {
      await assert.rejects(l.load(none), heedError('bad-source', /Expected the bytes of a safetensors file.*got/));
    }
    await assert.rejects(l.load(new TextEncoder().encode('GGUF and more')),
      heedError('bad-file', /is a GGUF file\. Expected safetensors/));
    assert.throws(() => l.save(w, {}, { dtype: 'BF16' }), heedError('bad-argument', /dtype is the string ‘BF16’/));
    assert.throws(() => l.save(w, { step: 3 }), heedError('bad-argument', /metadata\.step is the number 3/));
    const header = new TextEncoder().encode(JSON.stringify(
      { x: { dtype: 'BF16', shape: [3], data_offsets: [0, 6] } }).padEnd(64));
    const brain = new Uint8Array([64, 0, 0, 0, 0, 0, 0, 0, ...header, 0x80, 0x3f, 0x40, 0xc0, 0x80, 0xff]);
    assert.deepEqual((await l.load(brain)).weights.x.toArray(), [1, -3, -Infinity]);
  });

  test('a file with missing tensors is refused and changes nothing', async () => {
    const there = l.init.linear('', 3, 2);
    const other = l.init.linear('', 3, 2);
    const before = there.weight.toArray();
    await assert.rejects(l.assign({ ...there, more: there.bias }, l.save(other)), heedError('bad-tensor', /‘more’/));
    assert.deepEqual(there.weight.toArray(), before);
    await l.assign({ part: l.slice(there.weight, 1, 0, 2) }, l.save({ part: l.tensor([[1, 2], [3, 4]]) }));
    assert.deepEqual(there.weight.toArray(), [[1, 2, before[0][2]], [3, 4, before[1][2]]]);
  });

  test('a file with other names or shapes is refused', async () => {
    const w = l.init.linear('a.', 4, 3);
    const more = { ...w, 'b.weight': w['a.weight'] };
    await assert.rejects(l.assign(more, l.save(w)), heedError('bad-tensor', /b\.weight/));
    await assert.rejects(l.assign(l.init.linear('a.', 5, 3), l.save(w)), heedError('bad-shape', /a\.weight.*\[3,4\]/));
    await assert.rejects(fromSafetensors(l.save(w).subarray(0, 60)), (error) => error.name === 'HeedError');
  });

  test('lab() refuses bad options', async () => {
    await assert.rejects(lab({ threads: 0 }), heedError('bad-argument', /threads/));
    await assert.rejects(lab({ threads: /** @type {any} */ ('auto') }),
      heedError('bad-argument', /^lab: threads is the string ‘auto’; expected an integer/));
    await assert.rejects(lab({ engine: /** @type {any} */ ('gpu') }), heedError('bad-argument', /gpu/));
  });
});
