/** Operations on tensors. Each is one call of the engine, which records its backward. */
import { HeedError, quoted } from '../errors.js';
import { needOptions } from '../options.js';
import { needCounts, needIds, needInRange, needNumbers, needOneOf, needProbability, needTensors, needTensorList }
  from './arguments.js';
import { axisName, axisOf, badShape, broadcast, describe, distinct, parseShape, product, replaceAxis, sameSizes }
  from './axes.js';
import { Core } from './core.js';

/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./axes.js').Axes} Axes */
/** @typedef {import('./axes.js').Shape} Shape */

/**
 * Options of `rope`.
 * @typedef {object} RopeOptions
 * @property {number} [first]  position of the first row; default 0
 * @property {number} [heads]  number of heads side by side in the last axis, each rotated alike; default 1
 * @property {number} [dims]   number of features of a head that are rotated; default all
 * @property {number} [theta]  base of the angles; default 10000
 * @property {'halves' | 'adjacent'} [kind]  pairing of features: 'halves' pairs feature i with i + dims/2 (half-split,
 *   GPT-NeoX and Hugging Face), 'adjacent' pairs 2i with 2i + 1 (interleaved, GPT-J and GGML); default 'halves'
 */

/**
 * Options of `crossEntropy`.
 * @typedef {object} CrossEntropyOptions
 * @property {number} [ignore]  target of rows that do not count; default -100
 * @property {number} [smoothing]  label smoothing from 0 to less than 1 (Szegedy et al. 2016); default 0
 * @property {'mean' | 'sum'} [reduction]  reduction over the rows that count; default 'mean'
 */

/** The engine's names of activations. @type {Readonly<Record<string, string>>} */
const ACTIVATIONS = Object.freeze({
  geluTanh: 'gelu_tanh', gelu: 'gelu_erf', silu: 'silu', relu: 'relu', tanh: 'tanh', sigmoid: 'sigmoid',
});
/** The engine's names of rotary positions. */
const ROPE_KINDS = Object.freeze({ adjacent: 'rope_adjacent', halves: 'rope_halves' });
/** Default target that crossEntropy skips, as in PyTorch. */
const IGNORED = -100;
/** Largest position that a float32 represents exactly. */
const MAX_POSITION = 2 ** 24;
/** Largest base of RoPE whose powers keep float32 precision. */
const MAX_THETA = 1e12;

/**
 * Operations on tensors of one lab. Each returns a new tensor. With tensors that require gradients, each records its
 * backward for `lab.backward`.
 */
export class Operations extends Core {
  /** @param {string} operation @param {Tensor} x @param {Axes} [axes] */
  #each(operation, x, details = {}, axes = x.axes) {
    return this.run(operation, [x], details, axes);
  }

  /**
   * GELU, element by element: x·Φ(x), with Φ the distribution function of the normal distribution.
   * @param {Tensor} x  any shape
   * @returns {Tensor} the shape of x
   * @throws {HeedError} 'bad-argument' if x is not a tensor of this lab
   * @see Hendrycks and Gimpel 2016 (arXiv:1606.08415)
   */
  gelu(x) { return this.activation(x, 'gelu'); }
  /**
   * GPT-2's approximation of GELU, element by element: x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³))).
   * @param {Tensor} x  any shape
   * @returns {Tensor} the shape of x
   * @throws {HeedError} 'bad-argument' if x is not a tensor of this lab
   * @see Hendrycks and Gimpel 2016 (arXiv:1606.08415), section 2
   */
  geluTanh(x) { return this.activation(x, 'geluTanh'); }
  /**
   * SiLU, element by element: x·σ(x).
   * @param {Tensor} x  any shape
   * @returns {Tensor} the shape of x
   * @throws {HeedError} 'bad-argument' if x is not a tensor of this lab
   * @see Elfwing et al. 2018 (arXiv:1702.03118)
   */
  silu(x) { return this.activation(x, 'silu'); }
  /**
   * ReLU, element by element: max(x, 0).
   * @param {Tensor} x  any shape
   * @returns {Tensor} the shape of x
   * @throws {HeedError} 'bad-argument' if x is not a tensor of this lab
   */
  relu(x) { return this.activation(x, 'relu'); }
  /**
   * Hyperbolic tangent, element by element.
   * @param {Tensor} x  any shape
   * @returns {Tensor} the shape of x
   * @throws {HeedError} 'bad-argument' if x is not a tensor of this lab
   */
  tanh(x) { return this.activation(x, 'tanh'); }
  /**
   * Logistic function, element by element: σ(x) = 1 / (1 + e^-x).
   * @param {Tensor} x  any shape
   * @returns {Tensor} the shape of x
   * @throws {HeedError} 'bad-argument' if x is not a tensor of this lab
   */
  sigmoid(x) { return this.activation(x, 'sigmoid'); }

  /**
   * An activation function by name, element by element.
   * @param {Tensor} x  any shape
   * @param {string} kind  'gelu', 'geluTanh', 'silu', 'relu', 'tanh' or 'sigmoid'
   * @returns {Tensor} the shape of x
   * @throws {HeedError} 'bad-argument' for another name
   */
  activation(x, kind) {
    if (!Object.hasOwn(ACTIVATIONS, kind)) {
      throw new HeedError('bad-argument', `There is no activation ${quoted(kind)}; there are ` +
        `${Object.keys(ACTIVATIONS).join(', ')}.`);
    }
    needTensors(kind, { x });
    return this.#each('activation', x, { integers: [this.enumValue('activation', ACTIVATIONS[kind])], as: kind });
  }

  /**
   * Sum a + b, element by element. Axes broadcast as in NumPy: they align at the right, and an axis of size 1 repeats.
   * @param {Tensor} a  any shape
   * @param {Tensor} b  any shape that broadcasts with that of a; axes that align have the same name, unless one has
   *   size 1
   * @returns {Tensor} the broadcast shape
   * @throws {HeedError} 'bad-shape' if sizes or names differ; 'bad-argument'
   * @see https://numpy.org/doc/stable/user/basics.broadcasting.html
   */
  add(a, b) { return this.#pair('add', a, b); }
  /**
   * Product a·b, element by element. Axes broadcast as in `add`.
   * @param {Tensor} a  any shape
   * @param {Tensor} b  any shape that broadcasts with that of a
   * @returns {Tensor} the broadcast shape
   * @throws {HeedError} 'bad-shape', 'bad-argument'
   */
  mul(a, b) { return this.#pair('mul', a, b); }
  /**
   * Difference a - b, element by element. Axes broadcast as in `add`.
   * @param {Tensor} a  any shape
   * @param {Tensor} b  any shape that broadcasts with that of a
   * @returns {Tensor} the broadcast shape
   * @throws {HeedError} 'bad-shape', 'bad-argument'
   */
  sub(a, b) {
    needTensors('sub', { a, b });
    return this.add(a, this.scale(b, -1));
  }

  /** @param {'add' | 'mul'} operation @param {Tensor} a @param {Tensor} b @returns {Tensor} */
  #pair(operation, a, b) {
    needTensors(operation, { a, b });
    const axes = broadcast(operation, a.axes, b.axes);
    const leading = axes.sizes.slice(0, -1);
    const columns = axes.sizes.at(-1) ?? 1;
    // The engine repeats the rows of the second operand, and its column if it has one. `#repeated` does the rest.
    const isFull = (/** @type {Tensor} */ x) => x.place.columns === columns && x.place.rows === product(leading);
    const swap = !isFull(a) && (isFull(b) || a.place.columns < columns);
    const first = swap ? b : a;
    const second = swap ? a : b;
    const own = withoutOnes(second.axes.sizes.slice(0, -1));
    const repeats = sameSizes(own, leading.slice(leading.length - own.length));
    const left = isFull(first) ? first : this.#repeated(first, leading);
    const right = repeats ? second : this.#repeated(second, leading);
    return this.run(operation, [left, right], {}, axes);
  }

  /** Rows of x, repeated to fill leading axes of these sizes. @param {Tensor} x @param {readonly number[]} leading */
  #repeated(x, leading) {
    const own = x.axes.sizes.slice(0, -1);
    let rows = [0];
    leading.forEach((size, i) => {
      const at = i - (leading.length - own.length);
      const stride = at >= 0 && own[at] > 1 ? product(own.slice(at + 1)) : 0;
      rows = rows.flatMap((row) => Array.from({ length: size }, (_, j) => row + j * stride));
    });
    return this.gather(x, rows, [...leading]);
  }

  /**
   * Affine map of every element: factor·x + shift.
   * @param {Tensor} x  any shape
   * @param {number} factor  multiplier
   * @param {number} [shift]  addend; default 0
   * @returns {Tensor} the shape of x
   * @throws {HeedError} 'bad-argument' if factor or shift is not a number
   */
  scale(x, factor, shift = 0) {
    needTensors('scale', { x });
    needNumbers('scale', { factor, shift });
    return this.#each('affine', x, { floats: [factor, shift], as: 'scale' });
  }

  /**
   * Linear layer over the last axis: y = x·Wᵀ + b, the layout of `torch.nn.Linear`.
   * @param {Tensor} x  […][in]
   * @param {Tensor} weight  [out][in]
   * @param {Tensor | null} [bias]  [out]; default none
   * @returns {Tensor} […][out]; the last axis gets the name of weight's first axis, if both have names
   * @throws {HeedError} 'bad-shape' if the axis `in` differs; 'bad-argument'
   */
  linear(x, weight, bias = null) {
    needTensors('linear', { x, weight, ...(bias !== null && { bias }) });
    const [outputs, inputs] = matrix('linear', 'the weight', weight);
    const at = x.axes.sizes.length - 1;
    if (x.axes.sizes[at] !== inputs) {
      throw badShape('linear', `${axisName(x.axes, at)} of x has ${x.axes.sizes[at]}; the weight ` +
        `${describe(weight.axes)} takes ${inputs}`);
    }
    if (bias && product(bias.axes.sizes) !== outputs) {
      throw badShape('linear', `the bias has ${product(bias.axes.sizes)} numbers; the weight gives ${outputs}`);
    }
    return this.run('linear', [x, weight, bias], {}, renamed(x.axes, at, outputs, weight.axes.names?.[0]));
  }

  /**
   * Product of two matrices, a·b.
   * @param {Tensor} a  [m][k], or [k][m] with `transposeA`
   * @param {Tensor} b  [k][n], or [n][k] with `transposeB`
   * @param {{ transposeA?: boolean, transposeB?: boolean }} [options]  both default to false
   * @returns {Tensor} [m][n]
   * @throws {HeedError} 'bad-shape' if the axes k differ or an argument is not a matrix; 'bad-argument'
   */
  matmul(a, b, options = {}) {
    needTensors('matmul', { a, b });
    needOptions('matmul', options, ['transposeA', 'transposeB']);
    const { transposeA = false, transposeB = false } = options;
    const left = matrix('matmul', 'a', a);
    const right = matrix('matmul', 'b', b);
    const [m, inner] = transposeA ? [1, 0] : [0, 1];
    const [k, n] = transposeB ? [1, 0] : [0, 1];
    if (left[inner] !== right[k]) {
      throw badShape('matmul', `${axisName(a.axes, inner)} of a has ${left[inner]}, ${axisName(b.axes, k)} of b ` +
        `${right[k]}`);
    }
    const names = a.axes.names && b.axes.names && distinct([a.axes.names[m], b.axes.names[n]]);
    return this.run('matmul', [a, b], { integers: [Number(transposeA), Number(transposeB)] },
      { sizes: [left[m], right[n]], names });
  }

  /**
   * Rows of a table by id.
   * @param {Tensor} table  [entry][feature]
   * @param {ArrayLike<number>} ids  integers from 0 to entry - 1, at least one
   * @param {Shape} [shape]  shape of the ids, such as `{ batch: 2, time: 5 }`; default one axis
   * @returns {Tensor} the shape of the ids, then [feature]
   * @throws {HeedError} 'bad-argument' for an id outside the table; 'bad-shape'
   */
  embedding(table, ids, shape = ids.length) {
    needTensors('embedding', { table });
    needIds('embedding', 'ids', ids);
    const [, width] = matrix('embedding', 'the table', table);
    const { sizes, names } = parseShape(shape);
    if (product(sizes) !== ids.length) {
      throw badShape('embedding', `${ids.length} ids do not fill ${describe({ sizes, names })}`);
    }
    const feature = table.axes.names?.[1] ?? 'feature';
    return this.run('embedding', [table], { integers: [ids.length], ids },
      { sizes: [...sizes, width], names: names && [...names, feature] });
  }

  /**
   * Rows of x by number. All axes but the last are counted as one axis of rows.
   * @param {Tensor} x  […][feature]
   * @param {ArrayLike<number>} rows  row numbers in row-major order; -1 gives a row of zeros
   * @param {Shape} [shape]  shape of the row numbers; default one axis
   * @returns {Tensor} the shape of the row numbers, then [feature]
   * @throws {HeedError} 'bad-argument' for a row that does not exist
   */
  gather(x, rows, shape = rows.length) {
    needTensors('gather', { x });
    needIds('gather', 'rows', rows);
    const { sizes, names } = parseShape(shape);
    const feature = x.axes.names?.at(-1) ?? 'feature';
    return this.run('gather', [x], { integers: [rows.length], ids: rows },
      { sizes: [...sizes, x.axes.sizes.at(-1) ?? 1], names: names && [...names, feature] });
  }

  /**
   * LayerNorm over the last axis: (x - mean)/√(variance + eps)·weight + bias.
   * @param {Tensor} x  […][feature]
   * @param {Tensor} weight  [feature]
   * @param {Tensor | null} [bias]  [feature]; default none
   * @param {{ eps?: number }} [options]  eps: default 1e-5
   * @returns {Tensor} the shape of x
   * @throws {HeedError} 'bad-shape', 'bad-argument'
   * @see Ba et al. 2016 (arXiv:1607.06450)
   */
  layerNorm(x, weight, bias = null, options = {}) {
    return this.#norm('layerNorm', 'layernorm', x, weight, bias, options);
  }

  /**
   * RMSNorm over the last axis: x/√(mean(x²) + eps)·weight.
   * @param {Tensor} x  […][feature]
   * @param {Tensor} weight  [feature]
   * @param {{ eps?: number }} [options]  eps: default 1e-5
   * @returns {Tensor} the shape of x
   * @throws {HeedError} 'bad-shape', 'bad-argument'
   * @see Zhang and Sennrich 2019 (arXiv:1910.07467), equation 4
   */
  rmsNorm(x, weight, options = {}) {
    return this.#norm('rmsNorm', 'rmsnorm', x, weight, null, options);
  }

  /** @param {string} name @param {'layernorm' | 'rmsnorm'} kind @param {Tensor} x @param {Tensor} weight
   *  @param {Tensor | null} bias
   *  @param {{ eps?: number }} options */
  #norm(name, kind, x, weight, bias, options) {
    needTensors(name, { x, weight, ...(bias !== null && { bias }) });
    needOptions(name, options, ['eps']);
    const { eps = 1e-5 } = options;
    needInRange(name, { eps }, { least: 0 });
    for (const [what, w] of /** @type {[string, Tensor | null][]} */ ([['weight', weight], ['bias', bias]])) {
      if (!w || product(w.axes.sizes) === x.place.columns) continue;
      throw badShape(name, `${axisName(x.axes, -1)} has ${x.place.columns}, the ${what} ${product(w.axes.sizes)}`);
    }
    const integers = [this.enumValue('norm', kind)];
    return this.run('norm', [x, weight, bias], { integers, floats: [eps], as: name }, x.axes);
  }

  /**
   * Softmax over the last axis: e^x / Σ e^x. A row in which every element is -Infinity gives zeros.
   * @param {Tensor} x  […][class]
   * @param {string | number} [axis]  the last axis by name or number; default -1
   * @returns {Tensor} the shape of x; each row sums to 1
   * @throws {HeedError} 'bad-shape' for another axis; 'bad-argument'
   */
  softmax(x, axis = -1) {
    needTensors('softmax', { x });
    if (axisOf('softmax', x.axes, axis) !== x.axes.sizes.length - 1) {
      throw badShape('softmax', `${axisName(x.axes, axisOf('softmax', x.axes, axis))} is not the last axis of ` +
        `${describe(x.axes)}, which is the one that sums to 1`);
    }
    return this.#each('softmax', x);
  }

  /**
   * Dropout: sets each element to 0 with this probability and divides the others by 1 - probability. Outside of
   * `lab.step` it returns x.
   * @param {Tensor} x  any shape
   * @param {number} probability  share of the elements that become 0, from 0 to less than 1
   * @returns {Tensor} the shape of x
   * @throws {HeedError} 'bad-argument'
   * @see Srivastava et al. 2014 (JMLR 15)
   */
  dropout(x, probability) {
    needTensors('dropout', { x });
    needProbability('dropout', probability);
    if (probability === 0 || !this.training) return x;
    const [low, high] = this.reserveDraws(x.place.rows * x.place.columns);
    return this.#each('dropout', x, { integers: [this.seed, 0, low, high], floats: [probability] });
  }

  /**
   * Rotary position embedding over the last axis: rotates pairs of features by the angle position·theta^(-2i/dims).
   * Rows along the axis before the last are consecutive positions.
   * @param {Tensor} x  […][time][feature]; with `heads`, feature is heads·dim
   * @param {RopeOptions} [options]  settings
   * @returns {Tensor} the shape of x
   * @throws {HeedError} 'bad-shape' if a head has an odd number of features or fewer than `dims`; 'bad-argument'
   * @see Su et al. 2021 (arXiv:2104.09864), equation 34
   */
  rope(x, options = {}) {
    needTensors('rope', { x });
    needOptions('rope', options, ['first', 'heads', 'dims', 'theta', 'kind']);
    const { first = 0, heads = 1, dims, theta = 10000, kind = 'halves' } = options;
    needInRange('rope', { first }, { whole: true, least: -MAX_POSITION, below: MAX_POSITION });
    needInRange('rope', { theta }, { least: 1, below: MAX_THETA });
    needInRange('rope', { heads, dims }, { least: 1, whole: true });
    needOneOf('rope', 'kind', kind, Object.keys(ROPE_KINDS));
    const time = x.axes.sizes.at(-2) ?? 1;
    const width = x.place.columns / heads;
    if (!Number.isInteger(width) || (dims ?? width) % 2) {
      throw badShape('rope', `${axisName(x.axes, -1)} has ${x.place.columns}, which is not ${heads} × an even number`);
    }
    if (dims !== undefined && !(dims > 0 && dims <= width)) {
      throw badShape('rope', `dims is ${dims}; a head of ${axisName(x.axes, -1)} has ${width} features to rotate`);
    }
    const number = this.enumValue('position', ROPE_KINDS[kind]);
    return this.#each('rope', x, { integers: [first, time, heads, dims ?? width, number], floats: [theta] });
  }

  /**
   * Sinusoidal position encoding: PE(pos, 2i) = sin(pos / 10000^(2i/feature)), PE(pos, 2i + 1) = cos of the same angle.
   * @param {number | { time: number, feature: number }} time  number of positions, or both sizes by name
   * @param {number} [feature]  number of features, if `time` is a number
   * @param {number} [first]    position of the first row; default 0
   * @returns {Tensor} [time][feature]
   * @throws {HeedError} 'bad-shape', 'bad-argument'
   * @see Vaswani et al. 2017, section 3.5
   */
  sinusoidal(time, feature, first = 0) {
    const axes = typeof time === 'number' ? parseShape([time, /** @type {number} */ (feature)])
      : parseShape(time);
    needInRange('sinusoidal', { first }, { whole: true });
    if (axes.sizes.length !== 2) {
      throw badShape('sinusoidal', `expected the shape [time, feature], got ${describe(axes)}`);
    }
    return this.run('sinusoidal', [], { integers: [first, axes.sizes[0], axes.sizes[1]] }, axes);
  }

  /**
   * Cross-entropy in nats: -log softmax(logits)[target] over the last axis, reduced to one number.
   * @param {Tensor} logits  […][class]
   * @param {ArrayLike<number>} targets  one class id per row of logits
   * @param {CrossEntropyOptions} [options]  settings
   * @returns {Tensor} one number, without axes
   * @throws {HeedError} 'bad-shape' if the number of targets differs; 'bad-argument' for a target outside the classes
   */
  crossEntropy(logits, targets, options = {}) {
    needTensors('crossEntropy', { logits });
    needOptions('crossEntropy', options, ['ignore', 'smoothing', 'reduction']);
    const { ignore = IGNORED, smoothing = 0, reduction = 'mean' } = options;
    needInRange('crossEntropy', { ignore }, { whole: true });
    needIds('crossEntropy', 'targets', targets);
    needOneOf('crossEntropy', 'reduction', reduction, ['mean', 'sum']);
    needProbability('crossEntropy', smoothing, 'smoothing');
    if (targets.length !== logits.place.rows) {
      throw badShape('crossEntropy', `${targets.length} targets for the ${logits.place.rows} rows of ` +
        describe(logits.axes));
    }
    return this.run('cross_entropy', [logits],
      { integers: [ignore], floats: [smoothing, Number(reduction === 'mean')], ids: targets,
        as: 'crossEntropy' }, SCALAR);
  }

  /**
   * Sum of all elements, or over one axis.
   * @param {Tensor} x  any shape
   * @param {string | number} [axis]  axis by name or number (negative: from the end); default all
   * @returns {Tensor} the shape of x without the axis, or one number
   * @throws {HeedError} 'bad-shape' if there is no such axis
   */
  sum(x, axis) { return this.#sum('sum', x, axis, 1); }

  /**
   * Mean of all elements, or over one axis.
   * @param {Tensor} x  any shape
   * @param {string | number} [axis]  axis by name or number (negative: from the end); default all
   * @returns {Tensor} the shape of x without the axis, or one number
   * @throws {HeedError} 'bad-shape' if there is no such axis
   */
  mean(x, axis) {
    needTensors('mean', { x });
    const count = axis === undefined ? product(x.axes.sizes) : x.axes.sizes[axisOf('mean', x.axes, axis)];
    return this.#sum('mean', x, axis, 1 / count);
  }

  /** @param {string} name @param {Tensor} x @param {string | number | undefined} axis @param {number} factor
   *  @returns {Tensor} */
  #sum(name, x, axis, factor) {
    needTensors(name, { x });
    const each = (/** @type {number[]} */ integers, /** @type {Axes} */ axes) =>
      this.#each('sum', x, { integers, floats: [factor], as: name }, axes);
    if (axis === undefined) return each([x.place.rows, 1], SCALAR);
    const at = axisOf(name, x.axes, axis);
    const { sizes, names } = x.axes;
    const rest = { sizes: sizes.filter((_, i) => i !== at), names: names && names.filter((_, i) => i !== at) };
    if (at === sizes.length - 1) return this.reshape(each([1, 1], { sizes: [...rest.sizes, 1], names: null }), rest);
    // The engine sums consecutive rows, so the axis moves next to the last one.
    const inner = product(sizes.slice(at + 1, -1));
    if (inner === 1) return each([sizes[at]], rest);
    const order = [...sizes.keys()].filter((i) => i !== at);
    return this.#sum(name, this.permute(x, [...order.slice(0, -1), at, order[order.length - 1]]), sizes.length - 2,
      factor);
  }

  /**
   * The same elements with other axes. It makes no copy unless x has gaps in memory.
   * @param {Tensor} x  any shape
   * @param {Shape | Axes} shape  sizes with the same product, or sizes by axis name
   * @returns {Tensor} the given shape
   * @throws {HeedError} 'bad-shape' if the number of elements differs
   */
  reshape(x, shape) {
    needTensors('reshape', { x });
    const axes = isAxes(shape) ? shape : parseShape(shape);
    if (product(axes.sizes) !== product(x.axes.sizes)) {
      throw badShape('reshape', `${describe(x.axes)} has ${product(x.axes.sizes)} numbers, ${describe(axes)} ` +
        product(axes.sizes));
    }
    const columns = axes.sizes.at(-1) ?? 1;
    const sameColumns = columns === x.place.columns;
    const dense = sameColumns || x.place.rows === 1 || x.place.stride === x.place.columns ? x : this.copy(x);
    const stride = sameColumns ? x.place.stride : columns;
    return this.run('view', [dense], { integers: [0, product(axes.sizes) / columns, columns, stride] }, axes);
  }

  /**
   * A copy of x in new memory.
   * @param {Tensor} x  any shape
   * @returns {Tensor} the shape of x
   * @throws {HeedError} 'bad-argument'
   */
  copy(x) {
    needTensors('copy', { x });
    return this.#each('copy', x);
  }

  /**
   * Elements [from, to) of an axis. Without `to` it takes one element and removes the axis. It makes no copy if the
   * elements are one matrix in memory.
   * @param {Tensor} x  any shape
   * @param {string | number} axis  axis by name or number (negative: from the end)
   * @param {number} from  first index; a negative one counts from the end
   * @param {number} [to]  index after the last; default one element
   * @returns {Tensor} x with a shorter axis, or without it
   * @throws {HeedError} 'bad-shape' if the range or the axis does not exist
   */
  slice(x, axis, from, to) {
    needTensors('slice', { x });
    const at = axisOf('slice', x.axes, axis);
    const { sizes, names } = x.axes;
    needNumbers('slice', { from });
    needInRange('slice', { from, to }, { whole: true });
    const begin = from < 0 ? sizes[at] + from : from;
    const end = to ?? begin + 1;
    if (!(begin >= 0 && begin < end && end <= sizes[at])) {
      throw badShape('slice', `${axisName(x.axes, at)} has ${sizes[at]}; [${begin}, ${end}) is not within it`);
    }
    const axes = to === undefined
      ? { sizes: sizes.filter((_, i) => i !== at), names: names && names.filter((_, i) => i !== at) }
      : replaceAxis(x.axes, at, [end - begin]);
    const outer = product(sizes.slice(0, at));
    const inner = product(sizes.slice(at + 1));
    const { rows, columns, stride } = x.place;
    if (at === sizes.length - 1) {
      const part = { integers: [begin, rows, end - begin, stride] };
      if (to !== undefined) return this.#each('view', x, part, axes);
      const flat = this.#each('view', x, part, { sizes: [...axes.sizes, 1], names: null });
      return this.reshape(flat, axes);
    }
    const rowsEach = inner / columns; // rows of one element of the axis
    const take = (end - begin) * rowsEach;
    const first = begin * rowsEach * stride;
    if (outer === 1) return this.#each('view', x, { integers: [first, take, columns, stride] }, axes);
    if (take === 1) return this.#each('view', x, { integers: [first, outer, columns, sizes[at] * stride] }, axes);
    const chosen = [];
    for (let o = 0; o < outer; o++) for (let i = 0; i < take; i++) chosen.push((o * sizes[at] + begin) * rowsEach + i);
    return this.run('gather', [x], { integers: [chosen.length], ids: chosen }, axes);
  }

  /**
   * Concatenates tensors along an existing axis.
   * @param {Tensor[]} list  one tensor or more; all axes but this one agree
   * @param {string | number} axis  axis by name or number (negative: from the end)
   * @returns {Tensor} the axis has the sum of the sizes
   * @throws {HeedError} 'bad-shape', 'bad-argument'
   */
  concat(list, axis) {
    needTensorList('concat', list);
    const [first] = list;
    const at = axisOf('concat', first.axes, axis);
    for (const { axes } of list) {
      axes.sizes.forEach((size, i) => {
        const { sizes, names } = first.axes;
        const named = !axes.names || !names || axes.names[i] === names[i];
        if (named && axes.sizes.length === sizes.length && (i === at || size === sizes[i])) return;
        throw badShape('concat', `${axisName(axes, i)} has ${size}: ${describe(axes)} does not fit ` +
          describe(first.axes));
      });
    }
    const outer = product(first.axes.sizes.slice(0, at));
    const flat = list.map((x) => this.reshape(x, [outer, product(x.axes.sizes) / outer]));
    const total = list.reduce((sum, { axes }) => sum + axes.sizes[at], 0);
    const axes = replaceAxis(first.axes, at, [total]);
    const joined = this.run('concat', [], { list: flat },
      { sizes: [outer, product(axes.sizes) / outer], names: null });
    return this.reshape(joined, axes);
  }

  /**
   * Stacks tensors of one shape along a new axis before the last.
   * @param {Tensor[]} list  one tensor or more, […][feature]
   * @param {string} [name]  name of the new axis; default 'time'
   * @returns {Tensor} […][name][feature]
   * @throws {HeedError} 'bad-shape', 'bad-argument'
   */
  stack(list, name = 'time') {
    needTensorList('stack', list);
    const { axes } = list[0];
    for (const [i, { axes: others }] of list.entries()) {
      if (sameSizes(others.sizes, axes.sizes)) continue;
      throw badShape('stack', `tensor ${i} of the list is ${describe(others)}, the first ${describe(axes)}; all ` +
        'shapes must be equal');
    }
    const at = axes.sizes.length - 1;
    const longer = replaceAxis(axes, at, [1, axes.sizes[at]], [name, axes.names?.[at] ?? 'feature']);
    return this.concat(list.map((x) => this.reshape(x, longer)), at);
  }

  /**
   * Reorders the axes. The last axis stays last; `matmul` transposes a matrix.
   * @param {Tensor} x  any shape
   * @param {(string | number)[]} order  all axes by name or number, in their new order
   * @returns {Tensor} the axes in that order
   * @throws {HeedError} 'bad-shape' if an axis is missing or the last one moves
   */
  permute(x, order) {
    needTensors('permute', { x });
    if (!Array.isArray(order)) throw badShape('permute', `expected the axes of ${describe(x.axes)} in a new order`);
    const ats = order.map((axis) => axisOf('permute', x.axes, axis));
    const { sizes, names } = x.axes;
    const last = sizes.length - 1;
    if (new Set(ats).size !== sizes.length || ats[last] !== last) {
      throw badShape('permute', `it takes all axes of ${describe(x.axes)} in a new order, the last one last; a ` +
        'matrix is transposed by the options of lab.matmul');
    }
    const strides = sizes.map((_, i) => product(sizes.slice(i + 1, -1)));
    let rows = [0];
    for (const at of ats.slice(0, -1)) {
      rows = rows.flatMap((row) => Array.from({ length: sizes[at] }, (_, i) => row + i * strides[at]));
    }
    return this.run('gather', [x], { integers: [rows.length], ids: rows },
      { sizes: ats.map((at) => sizes[at]), names: names && ats.map((at) => names[at]) });
  }

  /**
   * Cuts pictures into square patches that do not overlap. `linear` of the patches is the convolution whose stride is
   * the size of its kernel; its weight is that of PyTorch's `Conv2d`, reshaped to [output][channel · y · x].
   * @param {Tensor} x  [batch][channel][height][width]
   * @param {number} size  height and width of a patch, in pixels
   * @returns {Tensor} [batch][patch][channel · y · x], patches by rows
   * @throws {HeedError} 'bad-shape' for other axes, or if the size does not divide height and width
   * @see Dosovitskiy et al. 2021 (arXiv:2010.11929), equation 1
   */
  patches(x, size) {
    needTensors('patches', { x });
    needCounts('patches', { size });
    const { sizes, names } = x.axes;
    const [batch, channel, height, width] = sizes;
    if (sizes.length !== 4 || height % size || width % size) {
      throw badShape('patches', `expected x [batch][channel][height][width], whose height and width are multiples of ` +
        `${size}, got ${describe(x.axes)}`);
    }
    const rows = height / size;
    const columns = width / size;
    const split = this.reshape(x, [batch, channel, rows, size, columns, size]);
    const cut = this.permute(split, [0, 2, 4, 1, 3, 5]);
    return this.reshape(cut, { sizes: [batch, rows * columns, channel * size * size],
      names: names && [names[0], 'patch', 'pixel'] });
  }

  /** Seed of dropout. */
  seed = 0;
  /** Random numbers drawn for dropout so far: the seed and this count determine the next ones. */
  #drawn = 0;

  /**
   * Whether dropout is active, which it is inside `lab.step`.
   * @returns {boolean}
   */
  get training() {
    return this.recording;
  }

  /**
   * Continues the random numbers of dropout as in the given training step. A resumed training then drops the same
   * elements as an uninterrupted one.
   * @param {number} step  number of the training step, from 0
   */
  startDropoutAt(step) {
    this.#drawn = step * 2 ** 32;
  }

  /**
   * Reserves a range in the sequence of random numbers.
   * @param {number} n  length of the range
   * @returns {number[]} its start, as a low and a high word
   * @internal
   */
  reserveDraws(n) {
    const at = this.#drawn;
    this.#drawn += n;
    return [at | 0, Math.floor(at / 2 ** 32)];
  }
}

/** Sizes without leading sizes of 1. @param {readonly number[]} sizes */
const withoutOnes = (sizes) => sizes.slice(sizes.concat(2).findIndex((size) => size > 1));

/** @type {Axes} */
const SCALAR = { sizes: [], names: null };

/** @param {any} shape @returns {shape is Axes} */
const isAxes = (shape) => Array.isArray(shape?.sizes);

/** Sizes of a tensor with two axes. @param {string} operation @param {string} what @param {Tensor} x */
function matrix(operation, what, x) {
  if (x.axes.sizes.length === 2) return x.axes.sizes;
  throw badShape(operation, `${what} must have two axes, but is ${describe(x.axes)}`);
}

/**
 * Axes with another size of one axis, and another name if both have names.
 * @param {Axes} axes @param {number} at @param {number} size @param {string} [name]
 */
function renamed(axes, at, size, name) {
  const names = axes.names && name ? [axes.names[at] && name] : undefined;
  const next = replaceAxis(axes, at, [size], names);
  return { ...next, names: distinct(next.names) };
}
