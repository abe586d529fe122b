/** The interface to the engine: memory, scopes, calls of operations, and backward. */
import { Engine, MEMORY_LIMIT } from '../engine/wasm.js';
import { HeedError } from '../errors.js';
import { DISPOSE } from '../guard.js';
import { needOptions } from '../options.js';
import { needElements, needFunction, needWholeIds } from './arguments.js';
import { badShape, describe, flatten, isList, parseShape, product, sameSizes } from './axes.js';
import { Ledger, outOfMemory } from './memory.js';
import { Tensor } from './tensor.js';

/**
 * @typedef {import('./axes.js').Shape} Shape
 * @typedef {import('./axes.js').Axes} Axes
 */

/**
 * A matrix in the engine's memory: addresses of the tensor, its numbers and its gradient (0 for none).
 * @typedef {{ at: number, rows: number, columns: number, stride: number, data: number, grad: number }} Place
 */

/**
 * A scope of memory: the lab, a step or an evaluation. `what` names it in messages.
 * @typedef {{ alive: boolean, what: string, records: boolean }} Scope
 */

/**
 * Arguments of an operation beside its inputs (src/heed_lab.h, HEED_OPERATIONS).
 * @typedef {object} Details
 * @property {number[]} [integers]
 * @property {number[]} [floats]
 * @property {ArrayLike<number> | null} [ids]
 * @property {Tensor[]} [list]  tensors of an operation that takes any number of them
 * @property {number | (() => number)} [model]  address of a model, or a function that makes it for this call
 * @property {Tensor[]} [of]    tensors that the result depends on; default: `list` or the inputs
 * @property {number} [outputs]  number of tensors whose addresses the operation writes
 * @property {(addresses: Int32Array) => void} [onOutputs]  receives them
 * @property {string} [as]      name of the public method, for messages
 */

/** Options of `tensor`. @typedef {{ requiresGrad?: boolean }} TensorOptions  requiresGrad: default false */

/** First size of the arena, and its largest growth at a time. */
const FIRST_BYTES = 4 << 20;
const MOST_BYTES = 256 << 20;

/** Memory, scopes and backward of a lab. `Lab` inherits from it. */
export class Core {
  #engine;
  #lab;
  #arenaBytes;
  #call;
  #operations;
  #offsets;
  #views;
  #step = 0;
  /** @type {Scope[]} */ #scopes = [{ alive: true, what: 'this lab', records: true }];
  /** Number of backward calls. Each consumes everything recorded before it. */
  #backwards = 0;
  #ledger;
  /** Kind of tensors made outside of steps, for the ledger. @type {import('./memory.js').Kind} */
  #kind = 'loose';
  #highestBytes = 0;
  #limitBytes;

  /**
   * @param {Engine} engine
   * @param {import('../engine/wasm.js').KernelSet} kernels
   * @param {{ limitBytes: number, warn: (message: string) => void }} options
   * @internal
   */
  constructor(engine, kernels, { limitBytes, warn }) {
    this.#engine = engine;
    this.#ledger = new Ledger(warn);
    this.#operations = new Map(engine.abi.operations.map((name, i) => [name, i]));
    this.#offsets = callOffsets(engine.abi);
    this.#call = engine.reserve(engine.structBytes('call'), 'calls');
    this.#views = this.#viewsOfCall();
    const head = engine.ask('heed_lab_bytes');
    this.#arenaBytes = Math.min(FIRST_BYTES, limitBytes);
    const memory = engine.reserve(head + this.#arenaBytes, 'tensors');
    this.#limitBytes = Math.min(limitBytes, MEMORY_LIMIT - memory - head);
    this.#lab = engine.ask('heed_lab_create', memory, head + this.#arenaBytes, engine.kernels(kernels), engine.pool);
    engine.ask('heed_lab_record', this.#lab, 1);
  }

  /**
   * Runs an operation of the engine (src/heed_lab.h, HEED_OPERATIONS).
   * @param {string} name  name of the operation
   * @param {(Tensor | null | undefined)[]} inputs
   * @param {Details} details
   * @param {Axes} axes  axes of the result
   * @returns {Tensor}
   * @internal
   */
  run(name, inputs, { integers = [], floats = [], ids, list, model = 0, of, outputs = 0, onOutputs, as = name }, axes) {
    for (const input of inputs) if (input) this.#own(as, input);
    for (const input of [...list ?? [], ...of ?? []]) this.#own(as, input);
    if (ids) needWholeIds(as, ids);
    const oldest = this.#scope.records ? this.#oldestOf(of ?? list ?? inputs) : null;
    const size = product(axes.sizes);
    return this.#allocate(as, axes, size, () => {
      const offset = this.#offsets;
      const idsAt = ids ? this.#put(ids) : 0;
      const listed = list?.map(({ place }) => place.at) ?? new Int32Array(outputs);
      const listAt = listed.length ? this.#put(listed) : 0;
      const modelAt = typeof model === 'function' ? model() : model;
      const { words, reals } = this.#callViews();
      words.fill(0);
      for (let i = 0; i < inputs.length; i++) words[offset.inputs + i] = inputs[i]?.place.at ?? 0;
      for (let i = 0; i < integers.length; i++) words[offset.n + i] = integers[i];
      for (let i = 0; i < floats.length; i++) reals[offset.f + i] = floats[i];
      words[offset.ids] = idsAt;
      words[offset.n_ids] = ids?.length ?? 0;
      words[offset.list] = listAt;
      words[offset.n_list] = listed.length;
      words[offset.model] = modelAt;
      const at = this.#engine.call('heed_operation', this.#lab, this.#operations.get(name) ?? -1, this.#call);
      const rows = words[offset.rows];
      const columns = words[offset.columns];
      const stride = words[offset.stride] >>> 0;
      const data = words[offset.data] >>> 0;
      const grad = words[offset.grad] >>> 0;
      onOutputs?.(this.#engine.i32(listAt, outputs));
      if (rows * columns !== size) {
        throw new HeedError('bad-shape', `${rows} × ${columns} numbers are not ${describe(axes)}.`);
      }
      return new Tensor(this, { at, rows, columns, stride, data, grad }, axes, this.#scope, oldest);
    });
  }

  /**
   * Logits of a decoder-only language model whose weights are tensors of this lab: the forward pass of loaded models.
   * @param {Record<string, number | string>} config  fields of heed_config (src/heed.h)
   * @param {Record<string, Tensor>} weights  tensors by GGUF's names
   * @param {ArrayLike<number>} ids  [batch][time]
   * @param {number} batch
   * @param {Tensor[] | null} scores  receives each layer's attention scores before the softmax,
   *   [batch][head][query][key]
   * @returns {Tensor} [batch][time][token]
   * @internal
   */
  causalLm(config, weights, ids, batch, scores) {
    const { layers, heads, vocabulary } = /** @type {Record<string, number>} */ (config);
    const time = ids.length / batch;
    const tensors = Object.values(weights);
    /** @type {number[]} */
    let addresses = [];
    const details = {
      integers: [batch], ids, model: () => this.#model(config, weights), of: tensors, outputs: scores ? layers : 0,
      onOutputs: (/** @type {Int32Array} */ written) => void (addresses = [...written]),
    };
    const axes = { sizes: [batch, time, vocabulary], names: ['batch', 'time', 'token'] };
    const logits = this.run('causal_lm', [], details, axes);
    const ofScores = { sizes: [batch, heads, time, time], names: ['batch', 'head', 'query', 'key'] };
    for (const at of addresses) {
      const place = { at, rows: 0, columns: 0, stride: 0, data: 0, grad: 0 };
      const written = new Tensor(this, place, ofScores, this.#scope, logits.oldest);
      scores?.push(this.run('view', [written], { integers: [0, batch * heads * time, time, time] }, ofScores));
    }
    return logits;
  }

  /** A model of these weights, in the memory of the step. @param {Record<string, number | string>} config
   *  @param {Record<string, Tensor>} weights @returns {number} its address */
  #model(config, weights) {
    const engine = this.#engine;
    const fields = engine.call('heed_lab_take', this.#lab, engine.structBytes('config'));
    engine.writeStruct('config', fields, config);
    const bytes = engine.call('heed_model_bytes', fields);
    const model = engine.call('heed_model_create', engine.call('heed_lab_take', this.#lab, bytes), bytes, fields);
    for (const [name, { place: { rows, columns, data, grad } }] of Object.entries(weights)) {
      const [, layer = '-1', text = name] = /^blk\.(\d+)\.(.+)$/.exec(name) ?? [];
      const slot = (layer === '-1' ? engine.abi.slots : engine.abi.blocks).indexOf(text);
      engine.call('heed_model_share', model, Number(layer), slot, rows, columns, data, grad);
    }
    engine.call('heed_model_ready', model);
    return model;
  }

  /** Smallest `oldest` of the inputs. @param {(Tensor | null | undefined)[]} inputs @returns {number | null} */
  #oldestOf(inputs) {
    let oldest = null;
    for (const input of inputs) {
      if (!input || input.oldest === null) continue;
      oldest = Math.min(oldest ?? this.#backwards, input.oldest);
    }
    return oldest;
  }

  /** The struct of a call, as integers and as floats. The views become invalid when memory grows. */
  #callViews() {
    const { buffer } = this.#engine.memory;
    if (this.#views.words.buffer !== buffer) this.#views = this.#viewsOfCall();
    return this.#views;
  }

  /** The number of an enumeration's value in the engine. @internal @param {string} name @param {string} value */
  enumValue(name, value) {
    return this.#engine.enumValue(name, value);
  }

  #viewsOfCall() {
    const count = this.#engine.structBytes('call') / 4;
    return { words: this.#engine.i32(this.#call, count), reals: this.#engine.f32(this.#call, count) };
  }

  /** Checks that a tensor belongs to this lab. @param {string} name @param {Tensor} input */
  #own(name, input) {
    if (!(input instanceof Tensor)) {
      throw new HeedError('bad-argument', `${name}: expected a tensor; make one with lab.tensor(data, shape).`);
    }
    if (!input.belongsTo(this)) {
      throw new HeedError('bad-argument', `${name}: the tensor ${describe(input.axes)} belongs to another lab. Make ` +
        'all tensors of a computation with one lab, or copy the numbers with lab.tensor(other.data, other.shape).');
    }
    input.check();
  }

  /**
   * Makes a tensor from numbers.
   * @param {ArrayLike<number> | number | any[]} data  a typed array or list in row-major order, nested arrays, or one
   *   number
   * @param {Shape} [shape]  sizes, `[2, 3]`, or sizes by axis name, `{ time: 2, feature: 3 }`; not needed for
   *   nested arrays
   * @param {TensorOptions} [options]  requiresGrad: whether `lab.backward` computes a gradient; `lab.parameter` makes
   *   trainable tensors for optimizers
   * @returns {Tensor} a tensor of the given shape
   * @throws {HeedError} 'bad-shape' if data and shape differ in size; 'bad-argument' for an element that is not a
   *   number; 'out-of-memory'
   */
  tensor(data, shape, options = {}) {
    needOptions('tensor', options, ['requiresGrad']);
    const { requiresGrad = false } = options;
    if (data === undefined || data === null) throw badShape('tensor', `data is ${data}, not numbers`);
    const nested = typeof data === 'number' || (Array.isArray(data) && data.some(isList));
    const { sizes: found, flat } = nested || shape === undefined ? flatten(data) : { sizes: null, flat: data };
    const axes = shape === undefined ? { sizes: found ?? [], names: null } : parseShape(shape);
    const numbers = /** @type {ArrayLike<number>} */ (flat);
    needElements('tensor', numbers);
    if (nested && found?.length && !sameSizes(found, axes.sizes)) {
      throw badShape('tensor', `nested arrays of ${describe({ sizes: found, names: null })} are not ` +
        `${describe(axes)}; lab.reshape changes the axes`);
    }
    if (numbers.length !== product(axes.sizes)) {
      throw new HeedError('bad-shape', `tensor: ${numbers.length} numbers do not fill ${describe(axes)}, which has ` +
        `${product(axes.sizes)}.`);
    }
    const tensor = this.empty(axes, requiresGrad);
    tensor.data.set(numbers);
    return tensor;
  }

  /** A tensor of zeros. @param {Axes} axes @param {boolean} requiresGrad @internal */
  empty(axes, requiresGrad) {
    const columns = axes.sizes.at(-1) ?? 1;
    const integers = [product(axes.sizes) / columns, columns, Number(requiresGrad)];
    const tensor = this.run('tensor', [], { integers }, axes);
    if (requiresGrad) tensor.oldest = Infinity;
    return tensor;
  }

  /** Copies integers into the arena. @param {ArrayLike<number>} numbers @returns {number} their address */
  #put(numbers) {
    const at = this.#engine.call('heed_lab_take', this.#lab, 4 * numbers.length);
    this.#engine.i32(at, numbers.length).set(numbers);
    return at;
  }

  /**
   * Runs `work`, which makes a tensor, and counts the tensor's memory outside of steps. If the arena is full, it grows
   * and `work` runs again: the arena is the last block in memory.
   * @param {string} what @param {Axes} axes @param {number} size number of elements @param {() => Tensor} work
   */
  #allocate(what, axes, size, work) {
    this.#alive(what);
    this.needMemory(what, axes, size);
    for (;;) {
      const mark = this.#usedBytes;
      try {
        const tensor = work();
        const bytes = this.inStep ? 0 : this.#usedBytes - mark;
        if (bytes > 0) this.#ledger.add(this.#kind, what, axes, bytes, tensor);
        return tensor;
      } catch (error) {
        this.#engine.ask('heed_lab_release', this.#lab, mark);
        if (!(error instanceof HeedError)) throw error;
        if (error.code === 'not-finite' && this.#step > 0) throw this.notFinite(`${what}: ${phrase(error.message)}`);
        if (error.code !== 'out-of-memory') throw new HeedError(error.code, `${what}: ${uncapital(error.message)}`);
      }
      this.#grow(what, axes);
    }
  }

  /** Refuses a tensor that is larger than the memory limit, before anything is computed.
   *  @param {string} what @param {Axes} axes @param {number} [size] number of elements @internal */
  needMemory(what, axes, size = product(axes.sizes)) {
    if (4 * size > this.#limitBytes) throw new HeedError('out-of-memory', outOfMemory(what, axes, this.memory));
  }

  /** Grows the arena. @param {string} what @param {Axes} axes of the tensor that does not fit */
  #grow(what, axes) {
    const bytes = Math.min(this.#arenaBytes, MOST_BYTES, this.#limitBytes - this.#arenaBytes);
    try {
      if (bytes <= 0) throw new RangeError(`The limit is ${this.#limitBytes} bytes.`);
      this.#engine.reserve(bytes, 'tensors');
    } catch (cause) {
      this.#limitBytes = this.#arenaBytes; // memory cannot grow further
      throw new HeedError('out-of-memory', outOfMemory(what, axes, this.memory), { cause });
    }
    this.#engine.ask('heed_lab_grow', this.#lab, bytes);
    this.#arenaBytes += bytes;
  }

  /** Runs `work` and counts the tensors that it makes outside of steps as this kind. @internal
   *  @template T @param {import('./memory.js').Kind} kind @param {() => T} work @returns {T} */
  countedAs(kind, work) {
    const before = this.#kind;
    this.#kind = kind;
    try {
      return work();
    } finally {
      this.#kind = before;
    }
  }

  /** Numbers of a matrix: a view, or a copy if it has gaps.
   *  @param {Place} place @param {number} at address @internal */
  numbers({ rows, columns, stride }, at) {
    if (rows === 1 || stride === columns) return this.#engine.f32(at, rows * columns);
    const copy = new Float32Array(rows * columns);
    for (let t = 0; t < rows; t++) copy.set(this.#engine.f32(at + 4 * t * stride, columns), t * columns);
    return copy;
  }

  /** Writes numbers into a matrix, which may have gaps.
   *  @param {Place} place @param {ArrayLike<number>} numbers @internal */
  write({ rows, columns, stride, data }, numbers) {
    needElements('set', numbers);
    if (rows === 1 || stride === columns) return this.#engine.f32(data, rows * columns).set(numbers);
    for (let t = 0; t < rows; t++) {
      this.#engine.f32(data + 4 * t * stride, columns).set(
        Array.prototype.slice.call(numbers, t * columns, (t + 1) * columns));
    }
  }

  get #scope() {
    return this.#scopes[this.#scopes.length - 1];
  }

  /** Runs `work` in a new scope and frees the tensors that it makes.
   *  @template T @param {string} what @param {boolean} records @param {() => T} work @returns {T} */
  #runInScope(what, records, work) {
    this.#alive(records ? 'step' : 'evaluate');
    needFunction(records ? 'step' : 'evaluate', work);
    const mark = this.#usedBytes;
    const before = this.#engine.ask('heed_lab_record', this.#lab, Number(records));
    const scope = { alive: true, what, records };
    const recorded = this.recording;
    this.recording = records;
    this.#scopes.push(scope);
    try {
      const result = work();
      if (typeof (/** @type {any} */ (result)?.then) === 'function') {
        Promise.resolve(result).catch(() => {}); // it fails once its tensors are freed: report the error below alone
        throw new HeedError('bad-argument', `${what} must not be asynchronous: it frees its tensors when it returns. ` +
          'Await before it, and compute in it.');
      }
      return result;
    } finally {
      scope.alive = false;
      this.#scopes.pop();
      this.#highestBytes = Math.max(this.#highestBytes, this.#usedBytes);
      this.recording = recorded;
      this.#engine.ask('heed_lab_record', this.#lab, before);
      this.#engine.ask('heed_lab_release', this.#lab, mark);
    }
  }

  /**
   * Runs one training step: records operations for `backward`, and frees the tensors that `work` makes when it ends.
   * Make parameters and optimizers outside of it.
   * @template T
   * @param {() => T} work  synchronous function; it returns numbers, not tensors
   * @param {number} [number]  number of the step in messages; default one more than the last
   * @returns {T} the result of `work`
   * @throws {HeedError} 'bad-argument' for an asynchronous function; and the errors of `work`
   */
  step(work, number = this.#step + 1) {
    this.#step = number;
    return this.#runInScope('a step', true, work);
  }

  /**
   * Runs a function without recording gradients, for validation and generation. It frees the tensors that `work` makes.
   * @template T
   * @param {() => T} work  synchronous function; it returns numbers, not tensors
   * @returns {T} the result of `work`
   * @throws {HeedError} 'bad-argument' for an asynchronous function; and the errors of `work`
   */
  evaluate(work) {
    return this.#runInScope('an evaluation', false, work);
  }

  get #usedBytes() {
    return this.#engine.ask('heed_lab_mark', this.#lab);
  }

  /** Error for a value that is NaN or infinite, with the training step. @internal @param {string} problem */
  notFinite(problem) {
    return new HeedError('not-finite', `In step ${this.#step}, ${problem}. Check the data and the learning ` +
      'rate.');
  }

  /**
   * Use of the lab's memory by kind, in bytes.
   * @returns {import('./memory.js').Memory}
   */
  get memory() {
    const usedBytes = this.#usedBytes;
    this.#highestBytes = Math.max(this.#highestBytes, usedBytes);
    return {
      usedBytes,
      highestBytes: this.#highestBytes,
      arenaBytes: this.#arenaBytes,
      limitBytes: this.#limitBytes,
      ...this.#ledger.byKind,
      stepBytes: usedBytes - this.#ledger.heldBytes,
    };
  }

  /**
   * Whether a step or an evaluation is running.
   * @returns {boolean}
   */
  get inStep() {
    return this.#scopes.length > 1;
  }

  /** Runs an operation that changes a parameter or its gradient in place. @internal
   *  @param {string} name @param {Tensor} parameter @param {Tensor[]} state @param {number[]} floats */
  update(name, parameter, state, floats) {
    this.run(name, [parameter, ...state], { floats }, parameter.axes);
  }

  /** Sum of the squared norms of gradients. @internal @param {Tensor[]} list */
  squaredNorm(list) {
    const axes = { sizes: [], names: null };
    return this.evaluate(() => list.reduce((sum, x) => sum + this.run('squared_norm', [x], {}, axes).item(), 0));
  }

  /**
   * Backpropagation: adds the gradient of the loss to `grad` of every tensor that it depends on. Gradients accumulate
   * over calls until an optimizer consumes them. Each call consumes the recorded operations, including
   * operations of an enclosing step. To train on several losses, add them and call it once.
   * @param {Tensor} loss  one number, computed inside `lab.step`
   * @throws {HeedError} 'not-finite' with the training step and the operation in which a NaN or infinity first
   *   appeared. 'bad-shape' if the loss is not one number. 'bad-argument' if nothing was recorded or an earlier call
   *   consumed it
   * @see Rumelhart, Hinton and Williams 1986
   */
  backward(loss) {
    this.#own('backward', loss);
    if (product(loss.axes.sizes) !== 1) {
      throw badShape('backward', `expected a loss of one number, got ${describe(loss.axes)}; reduce it with lab.mean`);
    }
    if (!loss.place.grad) {
      throw new HeedError('bad-argument', 'backward: nothing was recorded for this loss. Compute it in lab.step from ' +
        'parameters made by lab.parameter or lab.init; lab.evaluate records nothing.');
    }
    if (loss.oldest !== null && loss.oldest < this.#backwards) {
      throw new HeedError('bad-argument', 'backward: the loss depends on an operation that ran before the last ' +
        'backward, which consumed all records. Compute the loss again, or add several losses and call backward ' +
        'once; lab.tensor(x.data, x.shape) copies numbers without their history.');
    }
    for (const parameter of this.trainable) {
      if (parameter.used) parameter.grad?.fill(0);
      parameter.used = parameter.checked = false;
    }
    try {
      this.#engine.call('heed_lab_backward', this.#lab, loss.place.at);
      this.#backwards++;
    } catch (error) {
      if (!(error instanceof HeedError)) throw error;
      if (error.code !== 'not-finite') throw new HeedError(error.code, `backward: ${uncapital(error.message)}`);
      throw this.notFinite(phrase(error.message));
    }
  }

  /**
   * Sum of the squared norms of gradients. It marks each as checked.
   * @internal @param {[string, Tensor][]} named
   * @throws {HeedError} 'not-finite' with the training step, the first parameter whose gradient is NaN or infinite, and
   *   the operation that caused it
   */
  checkedSquaredNorm(named) {
    const sum = this.squaredNorm(named.map(([, parameter]) => parameter));
    if (!Number.isFinite(sum)) {
      const [name] = named.find(([, { grad }]) => !grad?.every(Number.isFinite)) ?? [];
      if (name !== undefined) throw this.notFinite(`the gradient of ‘${name}’ is not finite${this.#cause()}`);
    }
    for (const [, parameter] of named) parameter.checked = true;
    return sum;
  }

  /** The operation that first made a gradient NaN or infinite, for a message; empty if the step of that backward has
   *  ended. */
  #cause() {
    try {
      this.#engine.call('heed_lab_check_gradients', this.#lab);
    } catch (error) {
      if (error instanceof HeedError && error.code === 'not-finite') return `: ${phrase(error.message)}`;
      throw error;
    }
    return '';
  }

  /** Whether a step is running, which activates dropout. @internal */
  recording = false;
  /** All parameters of the lab. @internal @type {Set<Tensor>} */
  trainable = new Set();

  /** @param {string} call @throws {HeedError} 'disposed' */
  #alive(call) {
    if (this.#scopes[0].alive) return;
    throw new HeedError('disposed', `${call}: this lab and its tensors were disposed. Make another with ` +
      'lab(), and its parameters from a file of lab.save.');
  }

  /** Calls `dispose`, at the end of a block that declares the lab by `using`. */
  [DISPOSE]() {
    this.dispose();
  }

  /** Ends the lab's threads and invalidates its tensors. The memory is freed with the last reference to the lab. */
  dispose() {
    for (const scope of this.#scopes) scope.alive = false;
    this.#engine.close();
  }
}

/** Where the fields of a call of the engine begin, in words of four bytes.
 *  @param {import('../engine/wasm.js').Abi} abi @returns {Record<string, number>} */
export function callOffsets(abi) {
  let at = 0;
  return Object.fromEntries((abi.structs.get('call') ?? []).map(({ name, count }) => [name, (at += count) - count]));
}

/** A sentence as part of another. @param {string} sentence */
const phrase = (sentence) => uncapital(sentence).replace(/\.$/, '');

/** A sentence with a lower-case first letter. @param {string} sentence */
const uncapital = (sentence) => `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
