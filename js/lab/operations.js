/** Operations on tensors with axes; each is one call into the engine, and knows its backward there. */
import { HeedError, quoted } from '../errors.js';
import { needOptions } from '../options.js';
import { needIds, needInRange, needNumbers, needOneOf, needProbability, needTensors, needTensorList }
  from './arguments.js';
import { axisName, axisOf, badShape, broadcast, describe, distinct, parseShape, product, replaceAxis, sameSizes }
  from './axes.js';
import { Core } from './core.js';

/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./axes.js').Axes} Axes */
/** @typedef {import('./axes.js').Shape} Shape */

/** In the order of heed_activation_kind. */
const ACTIVATIONS = ['geluTanh', 'gelu', 'silu', 'relu', 'tanh', 'sigmoid'];
/** In the order of heed_position_kind. */
const ROPE_KINDS = { adjacent: 2, halves: 3 };
const IGNORED = -100;
/** Positions that a float tells apart. */
const MAX_POSITION = 2 ** 24;
/** A larger base of RoPE is none that a float holds well. */
const MAX_THETA = 1e12;

export class Operations extends Core {
  /** Rows of x that its last axis makes. @param {Tensor} x */
  #rows(x) {
    return x.place.rows;
  }

  /** @param {string} operation @param {Tensor} x @param {Axes} [axes] */
  #each(operation, x, details = {}, axes = x.axes) {
    return this.run(operation, [x], details, axes);
  }

  /** Φ(x)·x (Hendrycks and Gimpel 2016). @param {Tensor} x */
  gelu(x) { return this.activation(x, 'gelu'); }
  /** GPT-2's approximation of gelu. @param {Tensor} x */
  geluTanh(x) { return this.activation(x, 'geluTanh'); }
  /** x·σ(x). @param {Tensor} x */
  silu(x) { return this.activation(x, 'silu'); }
  /** max(x, 0). @param {Tensor} x */
  relu(x) { return this.activation(x, 'relu'); }
  /** @param {Tensor} x */
  tanh(x) { return this.activation(x, 'tanh'); }
  /** 1 / (1 + e^-x). @param {Tensor} x */
  sigmoid(x) { return this.activation(x, 'sigmoid'); }

  /** @param {Tensor} x @param {string} kind 'gelu', 'geluTanh', 'silu', 'relu', 'tanh' or 'sigmoid' */
  activation(x, kind) {
    const index = ACTIVATIONS.indexOf(kind);
    if (index < 0) {
      throw new HeedError('bad-argument', `There is no activation ${quoted(kind)}; there are ` +
        `${ACTIVATIONS.join(', ')}.`);
    }
    needTensors(kind, { x });
    return this.#each('activation', x, { integers: [index], as: kind });
  }

  /** a + b.  Axes broadcast as in NumPy: aligned at the right, and an axis of size 1 repeats.
   *  @param {Tensor} a @param {Tensor} b */
  add(a, b) { return this.#pair('add', a, b); }
  /** a·b, element by element; axes broadcast as in `add`. @param {Tensor} a @param {Tensor} b */
  mul(a, b) { return this.#pair('mul', a, b); }
  /** a - b. @param {Tensor} a @param {Tensor} b */
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
    // The engine repeats the rows of the second, and its column where it has but one.
    const whole = (/** @type {Tensor} */ x) => x.place.columns === columns && x.place.rows === product(leading);
    const swap = !whole(a) && (whole(b) || a.place.columns < columns);
    const [first, second] = swap ? [b, a] : [a, b];
    const own = withoutOnes(second.axes.sizes.slice(0, -1));
    const inTurn = sameSizes(own, leading.slice(leading.length - own.length));
    const pair = [whole(first) ? first : this.#spread(first, leading), inTurn ? second : this.#spread(second, leading)];
    return this.run(operation, pair, {}, axes);
  }

  /** Rows of x repeated over leading axes of these sizes. @param {Tensor} x @param {readonly number[]} leading */
  #spread(x, leading) {
    const own = x.axes.sizes.slice(0, -1);
    let rows = [0];
    leading.forEach((size, i) => {
      const at = i - (leading.length - own.length);
      const step = at >= 0 && own[at] > 1 ? product(own.slice(at + 1)) : 0;
      rows = rows.flatMap((row) => Array.from({ length: size }, (_, j) => row + j * step));
    });
    return this.gather(x, rows, [...leading]);
  }

  /** factor·x + shift. @param {Tensor} x @param {number} factor @param {number} [shift] */
  scale(x, factor, shift = 0) {
    needTensors('scale', { x });
    needNumbers('scale', { factor, shift });
    return this.#each('affine', x, { floats: [factor, shift], as: 'scale' });
  }

  /** y = x·Wᵀ + b over the last axis: x […][in], weight [out][in], bias [out] (PyTorch's layout).
   *  @param {Tensor} x @param {Tensor} weight @param {Tensor | null} [bias] */
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

  /** a·b of matrices, either transposed. @param {Tensor} a @param {Tensor} b
   *  @param {{ transposeA?: boolean, transposeB?: boolean }} [options] */
  matmul(a, b, options = {}) {
    needTensors('matmul', { a, b });
    needOptions('matmul', options, ['transposeA', 'transposeB']);
    const { transposeA = false, transposeB = false } = options;
    const [left, right] = [matrix('matmul', 'a', a), matrix('matmul', 'b', b)];
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

  /** Rows of a table [entry][feature] by id. ids: [n], or of the shape given.
   *  @param {Tensor} table @param {ArrayLike<number>} ids @param {Shape} [shape] of the ids: `{ batch: 2, time: 5 }` */
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

  /** Rows of x over all axes but the last, by number, zeros for -1: [n][feature].
   *  @param {Tensor} x @param {ArrayLike<number>} rows @param {Shape} [shape] that they get */
  gather(x, rows, shape = rows.length) {
    needTensors('gather', { x });
    needIds('gather', 'rows', rows);
    const { sizes, names } = parseShape(shape);
    const feature = x.axes.names?.at(-1) ?? 'feature';
    return this.run('gather', [x], { integers: [rows.length], ids: rows },
      { sizes: [...sizes, x.axes.sizes.at(-1) ?? 1], names: names && [...names, feature] });
  }

  /** LayerNorm (Ba et al. 2016) over the last axis. @param {Tensor} x @param {Tensor} weight
   *  @param {Tensor | null} [bias] @param {{ eps?: number }} [options] */
  layerNorm(x, weight, bias = null, options = {}) {
    return this.#norm('layerNorm', 0, x, weight, bias, options);
  }

  /** RMSNorm (Zhang and Sennrich 2019) over the last axis. @param {Tensor} x @param {Tensor} weight
   *  @param {{ eps?: number }} [options] */
  rmsNorm(x, weight, options = {}) {
    return this.#norm('rmsNorm', 1, x, weight, null, options);
  }

  /** @param {string} name @param {number} kind @param {Tensor} x @param {Tensor} weight @param {Tensor | null} bias
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
    return this.run('norm', [x, weight, bias], { integers: [kind], floats: [eps], as: name }, x.axes);
  }

  /** e^x / Σ e^x over the last axis, which may be named; a row of nothing but -Infinity gives zeros.
   *  @param {Tensor} x @param {string | number} [axis] */
  softmax(x, axis = -1) {
    needTensors('softmax', { x });
    if (axisOf('softmax', x.axes, axis) !== x.axes.sizes.length - 1) {
      throw badShape('softmax', `${axisName(x.axes, axisOf('softmax', x.axes, axis))} is not the last axis of ` +
        `${describe(x.axes)}, which is the one that sums to 1`);
    }
    return this.#each('softmax', x);
  }

  /** Each number is 0 with this probability, else divided by 1 - probability; nothing outside of `lab.step`.
   *  @param {Tensor} x @param {number} probability */
  dropout(x, probability) {
    needTensors('dropout', { x });
    needProbability('dropout', probability);
    if (probability === 0 || !this.training) return x;
    const [low, high] = this.draws(x.place.rows * x.place.columns);
    return this.#each('dropout', x, { integers: [this.seed, 0, low, high], floats: [probability] });
  }

  /** RoPE (Su et al. 2021) over the last axis, positions along the one before it; `heads` pieces of it turn alike.
   *  @param {Tensor} x […][time][feature]
   *  @param {{ first?: number, heads?: number, dims?: number, theta?: number, kind?: 'halves' | 'adjacent' }} [options]
   *  first: position of the first row; dims: how many of a head's numbers turn */
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
      throw badShape('rope', `dims is ${dims}; a head of ${axisName(x.axes, -1)} has ${width} numbers that can turn`);
    }
    return this.#each('rope', x, { integers: [first, time, heads, dims ?? width, ROPE_KINDS[kind]], floats: [theta] });
  }

  /** PE(pos, 2i) = sin(pos / 10000^(2i/d)), PE(pos, 2i + 1) = cos of it (Vaswani et al. 2017).
   *  @param {number | { time: number, feature: number }} time @param {number} [feature] @param {number} [first] */
  sinusoidal(time, feature, first = 0) {
    const axes = typeof time === 'number' ? parseShape([time, /** @type {number} */ (feature)])
      : parseShape(time);
    needInRange('sinusoidal', { first }, { whole: true });
    if (axes.sizes.length !== 2) {
      throw badShape('sinusoidal', `its shape is [time, feature], not ${describe(axes)}`);
    }
    return this.run('sinusoidal', [], { integers: [first, axes.sizes[0], axes.sizes[1]] }, axes);
  }

  /**
   * -log softmax(logits)[target], over the last axis.
   * @param {Tensor} logits […][class]
   * @param {ArrayLike<number>} targets an id for each row
   * @param {{ ignore?: number, smoothing?: number, reduction?: 'mean' | 'sum' }} [options]
   *   ignore: the id of rows that do not count; mean: over those that do
   */
  crossEntropy(logits, targets, options = {}) {
    needTensors('crossEntropy', { logits });
    needOptions('crossEntropy', options, ['ignore', 'smoothing', 'reduction']);
    const { ignore = IGNORED, smoothing = 0, reduction = 'mean' } = options;
    needInRange('crossEntropy', { ignore }, { whole: true });
    needIds('crossEntropy', 'targets', targets);
    needOneOf('crossEntropy', 'reduction', reduction, ['mean', 'sum']);
    needProbability('crossEntropy', smoothing);
    if (targets.length !== this.#rows(logits)) {
      throw badShape('crossEntropy', `${targets.length} targets for the ${this.#rows(logits)} rows of ` +
        describe(logits.axes));
    }
    return this.run('cross_entropy', [logits],
      { integers: [ignore], floats: [smoothing, Number(reduction === 'mean')], ids: targets,
        as: 'crossEntropy' }, SCALAR);
  }

  /** Σ of all numbers, or over one axis. @param {Tensor} x @param {string | number} [axis] */
  sum(x, axis) { return this.#sum('sum', x, axis, 1); }

  /** Their mean. @param {Tensor} x @param {string | number} [axis] */
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
    if (axis === undefined) return each([this.#rows(x), 1], SCALAR);
    const at = axisOf(name, x.axes, axis);
    const { sizes, names } = x.axes;
    const rest = { sizes: sizes.filter((_, i) => i !== at), names: names && names.filter((_, i) => i !== at) };
    if (at === sizes.length - 1) return this.reshape(each([1, 1], { sizes: [...rest.sizes, 1], names: null }), rest);
    // rows over the axis after one another
    const inner = product(sizes.slice(at + 1, -1));
    if (inner === 1) return each([sizes[at]], rest);
    const order = [...sizes.keys()].filter((i) => i !== at);
    return this.#sum(name, this.permute(x, [...order.slice(0, -1), at, order[order.length - 1]]), sizes.length - 2,
      factor);
  }

  /** The same numbers with other axes. @param {Tensor} x @param {Shape | Axes} shape @returns {Tensor} */
  reshape(x, shape) {
    needTensors('reshape', { x });
    const axes = isAxes(shape) ? shape : parseShape(shape);
    if (product(axes.sizes) !== product(x.axes.sizes)) {
      throw badShape('reshape', `${describe(x.axes)} has ${product(x.axes.sizes)} numbers, ${describe(axes)} ` +
        product(axes.sizes));
    }
    const columns = axes.sizes.at(-1) ?? 1;
    const same = columns === x.place.columns;
    const whole = same || x.place.rows === 1 || x.place.stride === x.place.columns ? x : this.copy(x);
    const stride = same ? x.place.stride : columns;
    return this.run('view', [whole], { integers: [0, product(axes.sizes) / columns, columns, stride] }, axes);
  }

  /** @param {Tensor} x */
  copy(x) {
    needTensors('copy', { x });
    return this.#each('copy', x);
  }

  /**
   * Elements [from, to) of an axis; the axis goes where `to` is left out.  No copy where the memory allows it.
   * @param {Tensor} x @param {string | number} axis @param {number} from @param {number} [to] @returns {Tensor}
   */
  slice(x, axis, from, to) {
    needTensors('slice', { x });
    const at = axisOf('slice', x.axes, axis);
    const { sizes, names } = x.axes;
    needNumbers('slice', { from });
    needInRange('slice', { from, to }, { whole: true });
    const [begin, end] = [from < 0 ? sizes[at] + from : from, to ?? (from < 0 ? sizes[at] + from : from) + 1];
    if (!(begin >= 0 && begin < end && end <= sizes[at])) {
      throw badShape('slice', `${axisName(x.axes, at)} has ${sizes[at]}; [${begin}, ${end}) is not within`);
    }
    const axes = to === undefined
      ? { sizes: sizes.filter((_, i) => i !== at), names: names && names.filter((_, i) => i !== at) }
      : replaceAxis(x.axes, at, [end - begin]);
    const [outer, inner] = [product(sizes.slice(0, at)), product(sizes.slice(at + 1))];
    const { rows, columns, stride } = x.place;
    if (at === sizes.length - 1) {
      const part = { integers: [begin, rows, end - begin, stride] };
      if (to !== undefined) return this.#each('view', x, part, axes);
      const flat = this.#each('view', x, part, { sizes: [...axes.sizes, 1], names: null });
      return this.reshape(flat, axes);
    }
    const within = inner / columns; // rows of one element of the axis
    const take = (end - begin) * within;
    const first = begin * within * stride;
    if (outer === 1) return this.#each('view', x, { integers: [first, take, columns, stride] }, axes);
    if (take === 1) return this.#each('view', x, { integers: [first, outer, columns, sizes[at] * stride] }, axes);
    const chosen = [];
    for (let o = 0; o < outer; o++) for (let i = 0; i < take; i++) chosen.push((o * sizes[at] + begin) * within + i);
    return this.run('gather', [x], { integers: [chosen.length], ids: chosen }, axes);
  }

  /** Tensors after one another along an axis that they have. @param {Tensor[]} list @param {string | number} axis */
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
    const joined = this.run('concat', [], { integers: [list.length], list: flat },
      { sizes: [outer, product(axes.sizes) / outer], names: null });
    return this.reshape(joined, axes);
  }

  /** Tensors of one shape along a new axis before the last.
   *  @param {Tensor[]} list @param {string} [name] of the axis */
  stack(list, name = 'time') {
    needTensorList('stack', list);
    const { axes } = list[0];
    for (const [i, { axes: others }] of list.entries()) {
      if (sameSizes(others.sizes, axes.sizes)) continue;
      throw badShape('stack', `tensor ${i} of the list is ${describe(others)}, the first ${describe(axes)}: one shape`);
    }
    const at = axes.sizes.length - 1;
    const longer = replaceAxis(axes, at, [1, axes.sizes[at]], [name, axes.names?.[at] ?? 'feature']);
    return this.concat(list.map((x) => this.reshape(x, longer)), at);
  }

  /** Axes in another order; the last one stays the last. @param {Tensor} x @param {(string | number)[]} order */
  permute(x, order) {
    needTensors('permute', { x });
    if (!Array.isArray(order)) throw badShape('permute', `it takes the axes of ${describe(x.axes)} in a new order`);
    const ats = order.map((axis) => axisOf('permute', x.axes, axis));
    const { sizes, names } = x.axes;
    const last = sizes.length - 1;
    if (new Set(ats).size !== sizes.length || ats[last] !== last) {
      throw badShape('permute', `it takes all axes of ${describe(x.axes)} in a new order, the last one last; a ` +
        'matrix is transposed by the options of lab.matmul');
    }
    const steps = sizes.map((_, i) => product(sizes.slice(i + 1, -1)));
    let rows = [0];
    for (const at of ats.slice(0, -1)) {
      rows = rows.flatMap((row) => Array.from({ length: sizes[at] }, (_, i) => row + i * steps[at]));
    }
    return this.run('gather', [x], { integers: [rows.length], ids: rows },
      { sizes: ats.map((at) => sizes[at]), names: names && ats.map((at) => names[at]) });
  }

  /** Of dropout: numbers are drawn by the seed and by how many were drawn before. */
  seed = 0;
  #drawn = 0;

  /** Whether dropout drops: within `lab.step`. */
  get training() {
    return this.recording;
  }

  /** Dropout goes on as in a step of this number: so a resumed training drops what an uninterrupted one would.
   *  @param {number} step */
  drawFrom(step) {
    this.#drawn = step * 2 ** 32;
  }

  /** A place in the sequence of random numbers that nobody else has. @param {number} n */
  draws(n) {
    const at = this.#drawn;
    this.#drawn += n;
    return [at | 0, Math.floor(at / 2 ** 32)];
  }
}

/** Sizes without the leading ones. @param {readonly number[]} sizes */
const withoutOnes = (sizes) => sizes.slice(sizes.concat(2).findIndex((size) => size > 1));

/** @type {Axes} */
const SCALAR = { sizes: [], names: null };

/** @param {any} shape @returns {shape is Axes} */
const isAxes = (shape) => Array.isArray(shape?.sizes);

/** The sizes of a matrix. @param {string} operation @param {string} what @param {Tensor} x */
function matrix(operation, what, x) {
  if (x.axes.sizes.length === 2) return x.axes.sizes;
  throw badShape(operation, `${what} must have two axes and has ${describe(x.axes)}`);
}

/** An axis of another size, and name if there is one and it is not taken.
 *  @param {Axes} axes @param {number} at @param {number} size @param {string} [name] */
function renamed(axes, at, size, name) {
  const names = axes.names && name ? [axes.names[at] && name] : undefined;
  const next = replaceAxis(axes, at, [size], names);
  return { ...next, names: distinct(next.names) };
}
