// heed/lab as users meet it: shapes and names, memory, errors that say what does not fit, files.
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
  bad('a mask for each sequence without heads', /head axis must be 1 or 2\. .*\[batch, 1, query, key\]/, () =>
    l.attention(zeros([3, 2, 2, 4]), zeros([3, 2, 3, 4]), zeros([3, 2, 3, 4]), { mask: zeros([3, 2, 3]) }));
  bad('a mask of five axes', /at most the axes/, () =>
    l.attention(zeros([2, 4]), zeros([3, 4]), zeros([3, 4]), { mask: zeros([1, 1, 1, 2, 3]) }));
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
  const spent = /ran before the last backward.*go back once/;
  const twice = (what, first, second) => said(what, 'bad-argument', spent, () => {
    const w = l.parameter([1, 2], [2]);
    return l.step(() => {
      const squares = l.mul(w, w);
      const loss = l.sum(squares);
      first(loss, w);
      l.backward(second(squares, loss));
    });
  });
  twice('going back twice', (loss) => l.backward(loss), (_, loss) => loss);
  twice('going back through what another loss has used up', (loss) => l.backward(loss), (squares) => l.mean(squares));
  twice('a step in a step that goes back before the outer one', (_, w) => l.step(() => l.backward(l.sum(w))),
    (squares) => l.sum(squares));
  test('a view of a parameter made once, before all steps', () => {
    const w = l.parameter([1, 2], [2]);
    const first = l.slice(w, 0, 0, 1);
    const pass = () => l.step(() => l.backward(l.sum(l.mul(first, first))));
    pass();
    assert.deepEqual(Array.from(w.grad), [2, 0]);
    assert.throws(pass, heedError('bad-argument', spent));
  });
  said('an option of first weights', 'bad-argument', /^init\.linear: there is no option ‘biases’; there are bias\./,
    () => l.init.linear('head.', 4, 2, { biases: false }));
  said('another', 'bad-argument', /^init\.embedding: there is no option ‘std’; there are deviation/, () =>
    l.init.embedding('', 4, 2, { std: 0.02 }));
  said('and another', 'bad-argument', /^init\.gru: there is no option ‘num_layers’; .* bidirectional, layers/, () =>
    l.init.gru('', 4, 2, { num_layers: 2 }));
  said('a switch that is none', 'bad-argument', /^init\.gru: bidirectional is ‘yes’; it is true or false/, () =>
    l.init.gru('', 4, 2, { bidirectional: 'yes' }));
  said('layers that are none', 'bad-argument', /^init\.gru: layers is 0/, () => l.init.gru('', 4, 2, { layers: 0 }));
  said('a prefix forgotten', 'bad-argument', /^init\.linear: prefix is the number 4, not a text/, () =>
    l.init.linear(4, 2));
  said('a size forgotten', 'bad-argument', /^init\.linear: outputs is undefined/, () =>
    l.init.linear('head.', 4));
  said('a bound forgotten', 'bad-argument', /^init\.uniform: bound is/, () => l.init.uniform('w', [2]));
  said('a mask that is a word', 'bad-argument', /^attention: causal is ‘yes’; it is true or false/, () =>
    l.attention(x(), x(), x(), { causal: 'yes' }));
  said('options that are null', 'bad-argument', /^attention: options are an object/, () =>
    l.attention(x(), x(), x(), null));
  said('what a tensor learns', 'bad-argument', /^tensor: there is no option ‘requires_grad’; there are learns/, () =>
    l.tensor([1], [1], { requires_grad: true }));
  said('an option of a schedule', 'bad-argument', /^cosine: there is no option ‘warmUp’; there are rate, warmup/, () =>
    schedules.cosine({ rate: 1, warmUp: 3, total: 9 }));
  said('a schedule without an end', 'bad-argument', /^linear: total is undefined, not a number/, () =>
    schedules.linear({ rate: 1 }));
  said('a schedule without a warm-up', 'bad-argument', /^noam: warmup is undefined/, () =>
    schedules.noam({ width: 8 }));
  said('a type of a file', 'bad-argument', /^save: there is no option ‘type’; there are dtype/, () =>
    l.save(block(), {}, { type: 'F16' }));
  said('weights that are not there', 'bad-argument', /^under: weights is undefined/, () => under(undefined, 'block.'));

  test('a lab that was disposed of says so at once, whatever is asked of it', async () => {
    const gone = await lab();
    const w = gone.parameter([1], [1]);
    const optimiser = gone.sgd([w]);
    gone.dispose();
    gone.dispose();
    const disposed = (call) => heedError('disposed', new RegExp(`^${call}: this lab was disposed of`));
    let ran = false;
    for (const scope of ['step', 'evaluate']) {
      assert.throws(() => gone[scope](() => { ran = true; }), disposed(scope));
    }
    assert.equal(ran, false);
    assert.throws(() => gone.tensor([1]), disposed('tensor'));
    assert.throws(() => gone.parameter([1], [1]), disposed('tensor'));
    assert.throws(() => gone.sinusoidal(2, 2), disposed('sinusoidal'));
    assert.throws(() => gone.relu(w), heedError('disposed'));
    assert.throws(() => optimiser.step(), heedError('disposed'));
  });

  said('an optimiser without parameters', 'bad-argument', /takes the parameters that learn/, () =>
    l.adamW(under(block(), 'blok.')));
  said('an optimiser of a tensor', 'bad-argument', /‘0’ learns nothing: make it a parameter/, () => l.adamW([x()]));
  said('a step without a function', 'bad-argument', /^step: it takes a function/, () => l.step());
  said('a learning rate that is none', 'bad-argument', /rate is the text ‘0\.1’; it is a finite number, 0 /, () =>
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

  // What would change nothing, or give NaN, in silence.
  const three = () => l.tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]], { time: 3, feature: 3 });
  const att = (options) => () => l.attention(x(), x(), x(), options());
  said('weights without their score', 'bad-argument', /weights of the score ‘bilinear’; add score: ‘bilinear’/,
    att(() => ({ weights: { W: w(8, 8) } })));
  said('a misspelt weight of a score', 'bad-argument', /^The score ‘additive’ takes weights\.W_q/,
    att(() => ({ score: 'additive', weights: { Wq: w(2, 8) } })));
  said('a hard lookup as a temperature of 0', 'bad-argument', /scale is the number Infinity; it is a finite number/,
    att(() => ({ score: 'dot', scale: 1 / 0 })));
  said('a cap below zero', 'bad-argument', /softcap is the number -1; it is a finite number, 0 or more/,
    att(() => ({ softcap: -1 })));
  for (const past of [-1, 0.5, '2', NaN]) {
    said(`a past of ${past}`, 'bad-argument', /past is .*; it is a whole number, 0 or more/,
      att(() => ({ causal: true, past })));
  }
  said('ignore_index', 'bad-argument', /^crossEntropy: there is no option ‘ignoreIndex’/, () =>
    l.crossEntropy(x(), [0, 1, 2, 3, 4], { ignoreIndex: 0 }));
  said('an option of a norm', 'bad-argument', /^layerNorm: there is no option ‘epsilon’; there are eps/, () =>
    l.layerNorm(x(), w(8), null, { epsilon: 1 }));
  said('an option of a product', 'bad-argument', /^matmul: there is no option ‘transposeb’/, () =>
    l.matmul(three(), three(), { transposeb: true }));
  said('an option of rope, within multiHead, too', 'bad-argument', /^rope: there is no option ‘base’/, () =>
    l.multiHead(x(), x(), x(), under(block(), 'block.self_attn.'), { heads: 2, rope: { base: 5 } }));
  said('softmax over an axis that is not the last', 'bad-shape', /^softmax: ‘time’ is not the last axis/, () =>
    l.softmax(x(), 'time'));
  said('lengths past the end of a GRU', 'bad-shape', /^gru: length 6 of sequence 0 is none of 0 … 5.*axis 1/, () =>
    l.gru(w(1, 5, 8), l.init.gru('', 8, 4), { lengths: [6] }));
  said('nested arrays of another shape', 'bad-shape', /^tensor: nested .* \[2, 3\] are not \[a 3, b 2\]/, () =>
    l.tensor([[1, 2, 3], [4, 5, 6]], { a: 3, b: 2 }));
  said('whole numbers of 64 bits', 'bad-argument', /^tensor: element 0 of 1 is the bigint 1, not a number/, () =>
    l.tensor(new BigInt64Array([1n]), [1]));
  said('a rate of NaN, set for a step', 'bad-argument', /rate is the number NaN/, () => {
    const optimiser = l.adamW(block());
    optimiser.rate = NaN;
    optimiser.step();
  });
  said('one beta', 'bad-argument', /^adamW: betas is the number 0\.9; they are two/, () =>
    l.adamW(block(), { betas: 0.9 }));
  said('a limit below zero', 'bad-argument', /limit is the number -1; it is a finite number, more than 0/, () =>
    l.clipGradients(block(), -1));

  // The axis that does not fit is named before the engine meets it.
  said('fewer heads of keys than in_proj_weight gives', 'bad-shape', /keys have 8 features; 2 heads .* have 4/, () =>
    l.multiHead(x(), x(), x(), under(block(), 'block.self_attn.'), { heads: 4, kvHeads: 2 }));
  said('heads that cannot share keys', 'bad-shape', /^multiHead: 4 heads of queries cannot share 3 of keys/, () =>
    l.multiHead(x(), x(), x(), under(block(), 'block.self_attn.'), { heads: 4, kvHeads: 3 }));
  said('in_proj_weight of another width', 'bad-shape', /in_proj_weight is \[16, 8\]; .* it must be \[24, 8\]/, () =>
    l.multiHead(x(), x(), x(), { ...under(block(), 'block.self_attn.'), in_proj_weight: w(16, 8) }, { heads: 2 }));
  said('more turning numbers than a head has', 'bad-shape', /^rope: dims is 10; a head of ‘feature’ has 8/, () =>
    l.rope(x(), { dims: 10 }));
  said('a state of another batch', 'bad-shape', /^gruCell: .* of one batch; they are \[2, 4\] and \[3, 3\]/, () =>
    l.gruCell(w(2, 4), w(3, 3), l.init.gruCell('', 4, 3)));
  said('gates of two widths', 'bad-shape', /^gruCell: weight_hh is \[9, 3\] and weight_ih \[6, 4\]/, () =>
    l.gruCell(w(2, 4), w(2, 3), { ...l.init.gruCell('', 4, 3), weight_ih: w(6, 4) }));
  said('one axis by two names', 'bad-shape', /^concat: ‘key’ has 8/, () =>
    l.concat([x(), zeros({ time: 5, key: 8 })], 0));
  said('a stack of two shapes', 'bad-shape', /^stack: tensor 1 of .* is \[2, 2\], the first \[time 5,/, () =>
    l.stack([x(), w(2, 2)]));

  test('a seed that is none, and a step that is awaited', async () => {
    await assert.rejects(lab({ seed: 'one' }), heedError('bad-argument', /^lab: seed is the text ‘one’/));
    let heard = 0;
    const hear = () => heard++;
    process.on('unhandledRejection', hear);
    assert.throws(() => l.step(async () => {
      const made = l.tensor([1]);
      await null;
      return made.item(); // its memory has ended, and nobody waits to hear it
    }), heedError('bad-argument', /must not be asynchronous.*Await before it/));
    await new Promise((resolve) => setTimeout(resolve, 10));
    process.off('unhandledRejection', hear);
    assert.equal(heard, 0, 'the program goes on');
  });

  test('a gradient that is no number is found where gradients are clipped, or used', () => {
    const own = l.parameter([1, 2], [2], 'own');
    const optimiser = l.sgd({ own }, { rate: 0.1 });
    const message = (number) => heedError('not-finite', new RegExp(`^In step ${number}, the gradient of ‘own’ is no ` +
      'finite number: it first appeared on the way back through affine, operation \\d+ of this step\\. Look'));
    const steep = (x) => l.backward(l.scale(l.sum(l.scale(l.scale(x, 1e-38), 1e38)), 1e38));
    assert.throws(() => l.step(() => {
      steep(own);
      l.clipGradients({ own }, 1);
    }, 7), message(7));
    assert.throws(() => l.step(() => {
      steep(own);
      optimiser.step();
    }, 8), message(8));
    assert.deepEqual([[...own.data], optimiser.steps], [[1, 2], 0], 'nothing was changed');
    l.step(() => steep(own));
    assert.throws(() => optimiser.step(), heedError('not-finite', /‘own’ is no finite number\. Look/),
      'the step of the backward is over');
    own.grad.fill(0);
    l.step(() => {
      l.backward(l.sum(own));
      optimiser.step();
    });
    assert.ok(Math.abs(own.data[0] - 0.9) < 1e-6);
  });

  test('rows that are typed arrays, and a slice with gaps', () => {
    const matrix = l.tensor([Float32Array.of(1, 2, 3), Float32Array.of(4, 5, 6)]);
    assert.deepEqual(matrix.shape, [2, 3]);
    const slice = l.slice(matrix, 1, 1, 3);
    slice.set([20, 30, 50, 60]);
    assert.deepEqual(matrix.toArray(), [[1, 20, 30], [4, 50, 60]]);
    assert.throws(() => slice.set([1]), heedError('bad-shape', /^set: 1 numbers do not fill \[2, 2\]/));
  });

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
      assert.throws(() => l.backward(l.sum(y)), heedError('bad-argument', /^backward: nothing was recorded/));
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

  test('bytes as a page has them, and bfloat16', async () => {
    const w = l.init.linear('', 3, 2);
    const file = l.save(w, { of: 'a test' });
    for (const bytes of [file, file.buffer, new Blob([file]), Buffer.from(file)]) {
      const { weights, metadata } = await l.load(bytes);
      assert.equal(metadata.of, 'a test');
      assert.deepEqual(weights.weight.toArray(), w.weight.toArray());
    }
    for (const none of [undefined, 'state.safetensors', {}]) {
      await assert.rejects(l.load(none), heedError('bad-source', /from the bytes of a safetensors file.*not from/));
    }
    assert.throws(() => l.save(w, {}, { dtype: 'BF16' }), heedError('bad-argument', /dtype is the text ‘BF16’/));
    assert.throws(() => l.save(w, { step: 3 }), heedError('bad-argument', /metadata\.step is the number 3/));
    const header = new TextEncoder().encode(JSON.stringify(
      { x: { dtype: 'BF16', shape: [3], data_offsets: [0, 6] } }).padEnd(64));
    const brain = new Uint8Array([64, 0, 0, 0, 0, 0, 0, 0, ...header, 0x80, 0x3f, 0x40, 0xc0, 0x80, 0xff]);
    assert.deepEqual((await l.load(brain)).weights.x.toArray(), [1, -3, -Infinity]);
  });

  test('files that do not fit are refused, and change nothing', async () => {
    const [there, other] = [l.init.linear('', 3, 2), l.init.linear('', 3, 2)];
    const before = there.weight.toArray();
    await assert.rejects(l.assign({ ...there, more: there.bias }, l.save(other)), heedError('bad-tensor', /‘more’/));
    assert.deepEqual(there.weight.toArray(), before);
    await l.assign({ part: l.slice(there.weight, 1, 0, 2) }, l.save({ part: l.tensor([[1, 2], [3, 4]]) }));
    assert.deepEqual(there.weight.toArray(), [[1, 2, before[0][2]], [3, 4, before[1][2]]]);
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
