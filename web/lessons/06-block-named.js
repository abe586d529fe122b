/** The block of operations with named axes, beside the block in one call. */
import { h } from '../elements/dom.js';
import { under } from '../../js/lab/index.js';
import { grouped, magnitude } from './kit/format.js';
import { makeScrollFocusable } from './kit/focusable-scroll.js';
import { largestDifference } from './kit/numbers.js';
import { element, showValues } from './kit/page.js';

/** @typedef {import('../../js/lab/index.js').Lab} Lab */
/** @typedef {import('../../js/lab/index.js').Tensor} Tensor */

/**
 * Fills the table of shapes and compares both blocks.
 * @param {Lab} l
 * @param {Tensor} x  [token][feature]
 * @param {Record<string, Tensor>} w  weights of `l.encoderBlock`
 * @param {{ heads: number }} sizes
 */
export function showNamedBlock(l, x, w, { heads: head }) {
  const { token, feature } = /** @type {{ token: number, feature: number }} */ (x.shape);
  const dim = feature / head;
  const linear = (/** @type {Tensor} */ of, /** @type {string} */ name) => l.linear(of, ...named(name));
  const norm = (/** @type {Tensor} */ of, /** @type {string} */ name) => l.layerNorm(of, ...named(name));
  /** @param {string} name @returns {[Tensor, Tensor]} */
  const named = (name) => {
    const { weight, bias } = under(w, `${name}.`);
    return [weight, bias];
  };

  l.evaluate(() => {
    const projected = l.linear(x, w['self_attn.in_proj_weight'], w['self_attn.in_proj_bias']);
    const parts = l.permute(l.reshape(projected, { token, part: 3, head, dim }), ['part', 'head', 'token', 'dim']);
    const [Q, atTokens, values] = [0, 1, 2].map((part) => l.slice(parts, 'part', part));
    const [K, V] = [atTokens, values].map((each) => l.reshape(each, { head, key: token, dim }));
    const { output: Z, pattern: A } = l.attention(Q, K, V);
    const joined = l.reshape(l.permute(Z, ['token', 'head', 'dim']), { token, feature });
    const U = norm(l.add(linear(joined, 'self_attn.out_proj'), x), 'norm1');
    const hidden = l.relu(linear(U, 'linear1'));
    const output = norm(l.add(linear(hidden, 'linear2'), U), 'norm2');

    const block = l.encoderBlock(x, w, { heads: head, norm: 'post' });
    const off = largestDifference(output.data, block.output.data);
    showValues({ 'named-off': off === 0 ? '0' : magnitude(off) });
    showShapes({ X: x, Q, K, V, A, Z, U, 'max(0, …)': hidden, 'X′': output });
  });
}

/** @param {Record<string, Tensor>} tensors */
function showShapes(tensors) {
  const rows = Object.entries(tensors).map(([name, { shape, data }]) => h('tr', {},
    h('th', { scope: 'row' }, name),
    h('td', { class: 'text' }, Object.entries(shape).map(([axis, size]) => `${axis} ${size}`).join(' × ')),
    h('td', {}, grouped(data.length))));
  element('shapes').replaceChildren(h('table', { class: 'numbers' },
    h('caption', {}, h('span', {}, 'Tensors of the block, with the names and sizes of their axes')),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'tensor'), h('th', { scope: 'col', class: 'text' }, 'axes'),
      h('th', { scope: 'col' }, 'numbers'))),
    h('tbody', {}, ...rows)));
  makeScrollFocusable(element('shapes'));
}
