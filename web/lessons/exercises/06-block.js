/** Exercises on the block. */
import { normal, randomFrom, under } from '../../../js/lab/index.js';
import { choice, code, number } from '../kit/answers.js';
import { fixed } from '../kit/format.js';
import { largestDifference } from '../kit/numbers.js';

/** @typedef {import('../../../js/lab/index.js').Lab} Lab */

const D = 8;
const TOKENS = 3;

/** @type {import('../kit/answers.js').Exercise[]} */
export default [
  {
    id: 'block-norm', kind: 'cell', title: 'One cell of a LayerNorm', varied: true,
    question: 'A token has the four features x. All scales γ are 2, and all offsets β are 3. Compute the missing '
      + 'feature of LayerNorm(x). (ε is too small to matter.)',
    hints: ['Subtract the mean of the four features.', 'All four features are equally far from the mean: this '
      + 'distance is the standard deviation.', 'At the end multiply by γ, and add β.'],
    pose({ l, random }) {
      const mean = Math.floor(random() * 7) - 2;
      const deviation = 2 + Math.floor(random() * 4);
      const signs = random() < 0.5 ? [1, -1, -1, 1] : [-1, 1, -1, 1];
      const at = Math.floor(random() * 4);
      const x = signs.map((sign) => mean + sign * deviation);
      const [layer, root] = l.evaluate(() => {
        const [token, gamma, beta] = [x, [2, 2, 2, 2], [3, 3, 3, 3]].map((list) => l.tensor(list, { feature: 4 }));
        return [[...l.layerNorm(token, gamma, beta).data], [...l.rmsNorm(token, gamma).data]];
      });
      return { ...number({
        label: `feature ${at + 1}`, right: layer[at], tolerance: 0.02,
        why: `The feature is ${signs[at] > 0 ? 'one deviation above' : 'one deviation below'} the mean, so it becomes `
          + `2 · ${signs[at] > 0 ? '1' : '(−1)'} + 3.`,
        mistakes: [[signs[at], 'This is the normalized feature. Now multiply by γ = 2 and add β = 3.'],
          [2 * signs[at] * deviation + 3, 'You subtracted the mean but did not divide by the standard deviation.'],
          [2 * signs[at] / deviation + 3, 'You divided by the variance. Divide by its root.'],
          [2 * signs[at] * Math.sqrt(0.75) + 3, 'You divided by d − 1 in the variance. LayerNorm divides by d.'],
          [root[at], 'This is RMSNorm, which does not subtract the mean and has no offset.']],
        solution: `The mean is ${mean}, and the standard deviation ${deviation}. So the feature is 2 · (${x[at]} − ${
          mean < 0 ? `(${mean})` : mean}) / ${deviation} + 3 = ${fixed(layer[at], 0)}.`.replaceAll('-', '−'),
      }), given: [{ caption: 'x', axes: ['', 'feature'], rows: ['x'], data: x, digits: 0 },
        { caption: 'LayerNorm(x)', axes: ['', 'feature'], rows: ['x'], columns: [String(at + 1)],
          data: [layer[at]], blank: [0, 0] }] };
    },
  },
  {
    id: 'block-residual', kind: 'choice', title: 'A block that does nothing',
    question: 'All weights of W_O and W_2 are 0, and all biases too. So attention and the feed-forward network return '
      + 'zeros. What does a pre-LN block return?',
    hints: ['The residual connection adds the input of a sublayer to its output.',
      'In pre-LN, is there a norm between the input of the block and its output?'],
    pose({ l }) {
      const x = normal(randomFrom(5), TOKENS * D, 2, 1);
      const w = l.init.encoderBlock('', D, 16);
      for (const name of ['self_attn.out_proj.weight', 'self_attn.out_proj.bias', 'linear2.weight', 'linear2.bias']) {
        w[name].data.fill(0);
      }
      const run = (/** @type {'pre' | 'post'} */ norm) => l.evaluate(() =>
        l.encoderBlock(l.tensor(x, { time: TOKENS, feature: D }), w, { heads: 2, norm }).output.data.slice());
      const normed = l.evaluate(() => {
        const [gamma, beta] = [1, 0].map((value) => l.tensor(new Array(D).fill(value), { feature: D }));
        return l.layerNorm(l.tensor(x, { time: TOKENS, feature: D }), gamma, beta).data.slice();
      });
      const pre = run('pre');
      const post = run('post');
      return choice({
        options: [
          ['zeros', 'The sublayers return zeros, but each output is added to its input.'],
          ['X, unchanged', 'The residual connection carries X past both sublayers, and no norm stands on its way. So '
            + 'a deep pre-LN model can begin as the identity.'],
          ['LayerNorm(X)', `This is what a post-LN block returns (difference `
            + `${largestDifference(post, normed) < 1e-3 ? 'below 0.001' : 'large'}). `
            + 'In pre-LN the norm stands before the sublayer, off the residual path.'],
        ],
        right: largestDifference(pre, x) < 1e-6 ? 1 : largestDifference(pre, normed) < 1e-3 ? 2 : 0,
        solution: 'U = 0 + X, and X′ = 0 + U = X. In post-LN both sums pass a norm, so the result is normalized twice.',
      });
    },
  },
  {
    id: 'block-code', kind: 'code', title: 'The first half of a pre-LN block',
    question: 'Complete the first half of a pre-LN block. The check runs it with random weights, adds the second '
      + 'half, and compares with `l.encoderBlock(X, w, { norm: \'pre\' })`.',
    hints: ['The name says where the norm is: before the sublayer.',
      'The residual connection must not have a norm on it.'],
    pose({ l }) {
      const options = ['X', 'norm(X)'];
      const random = randomFrom(9);
      const x = normal(random, TOKENS * D, 2, 1);
      const w = l.init.encoderBlock('', D, 16);
      /** @param {string} kept @param {string} read */
      const difference = (kept, read) => l.evaluate(() => {
        const X = l.tensor(x, { batch: 1, time: TOKENS, feature: D });
        const norm = (/** @type {import('../../../js/lab/index.js').Tensor} */ each, /** @type {1 | 2} */ which) =>
          l.layerNorm(each, w[`norm${which}.weight`], w[`norm${which}.bias`]);
        const of = (/** @type {string} */ name) => (name === 'X' ? X : norm(X, 1));
        const input = of(read);
        const U = l.add(of(kept), l.multiHead(input, input, input, under(w, 'self_attn.'), { heads: 2 }).output);
        const hidden = l.relu(l.linear(norm(U, 2), w['linear1.weight'], w['linear1.bias']));
        const output = l.add(U, l.linear(hidden, w['linear2.weight'], w['linear2.bias']));
        return largestDifference(output.data, l.encoderBlock(X, w, { heads: 2, norm: 'pre' }).output.data);
      });
      return code({
        parts: ['const U = l.add(', { label: 'residual', options }, ', attention(', { label: 'input of '
          + 'attention', options }, '))'],
        run([kept, read]) {
          const off = difference(kept, read);
          return { correct: off < 1e-4, why: off < 1e-4 ? 'The two blocks agree, up to rounding. The residual path '
            + 'has no norm on it.'
            : `The blocks differ by ${fixed(off, 2)}. ${kept === 'norm(X)'
              ? 'The residual must carry X itself, not its norm.'
              : 'Attention must read the normalized tokens.'}` };
        },
        right: ['X', 'norm(X)'],
        wrong: [{ answer: ['X', 'X'], why: 'must read the normalized tokens' }, { answer: ['norm(X)', 'norm(X)'],
          why: 'must carry X itself' }],
        solution: '`const U = l.add(X, attention(norm(X)))`. In post-LN it is `norm(l.add(X, attention(X)))`.',
      });
    },
  },
  {
    id: 'block-change', kind: 'predict', title: 'Change one token of a decoder',
    question: 'A causal decoder block reads 6 tokens. Token 3 is changed. How many of the 6 output vectors change?',
    hints: ['Which queries see key 3 under a causal mask?', 'The output of a token that does not see token 3 has the '
      + 'same bits as before.'],
    pose({ l }) {
      const time = 6;
      const x = normal(randomFrom(2), time * D);
      const w = l.init.encoderBlock('', D, 16);
      const changed = (/** @type {number} */ token, causal = true) => {
        const [before, after] = [0, 1].map((more) => l.evaluate(() => {
          const read = x.map((value, i) => (Math.floor(i / D) === token - 1 ? value + more * (i % 3) : value));
          const X = l.tensor(read, { time, feature: D });
          return l.encoderBlock(X, w, { heads: 2, causal }).output.data.slice();
        }));
        const row = (/** @type {Float32Array} */ rows, /** @type {number} */ t) => rows.subarray(t * D, (t + 1) * D);
        const differs = (/** @type {number} */ t) => largestDifference(row(before, t), row(after, t)) > 0;
        return Array.from({ length: time }, (_, t) => t).filter(differs).length;
      };
      return { ...number({
        label: 'Changed outputs', right: changed(3),
        why: 'Tokens 3 to 6 see token 3. Tokens 1 and 2 do not, and no bit of their outputs changes. So a model can '
          + 'keep them while it writes.',
        mistakes: [[1, 'The feed-forward network works on one token alone, but attention carries token 3 to later '
          + 'tokens.'],
          [6, 'This is an encoder, without the mask.'],
          [3, 'Count token 3 itself too: 3, 4, 5 and 6.'],
          [2, 'These two outputs stay the same.']],
        solution: 'Query i sees the keys 1 to i. So the queries 3, 4, 5 and 6 see the change: 4 outputs.',
      }), explore: { label: 'Changed token', min: 1, max: time, step: 1, value: 3,
        say: (token) => `Changed outputs: ${changed(token)} with a causal mask, ${changed(token, false)} without.` } };
    },
  },
];
