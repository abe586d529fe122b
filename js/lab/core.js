/** The door to the engine's operations: memory, scopes, calls. */
import { Engine, MEMORY_LIMIT } from '../engine/wasm.js';
import { HeedError } from '../errors.js';
import { needOptions } from '../options.js';
import { needElements, needFunction, needWholeIds } from './arguments.js';
import { badShape, describe, flatten, isList, parseShape, product, sameSizes } from './axes.js';
import { Ledger, outOfMemory } from './memory.js';
import { Tensor } from './tensor.js';

/**
 * @typedef {{ at: number, rows: number, columns: number, stride: number, data: number, grad: number }} Place
 *   a matrix in memory
 * @typedef {{ alive: boolean, what: string, records: boolean }} Scope
 * @typedef {import('./axes.js').Shape} Shape
 * @typedef {import('./axes.js').Axes} Axes
 * @typedef {{ integers?: number[], floats?: number[], ids?: ArrayLike<number> | null, list?: Tensor[],
 *   as?: string }} Details  as: what the caller calls the operation, for sentences
 */

/** What the arena begins with, and what it grows by at most. */
const FIRST_BYTES = 4 << 20;
const MOST_BYTES = 256 << 20;

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
  /** Backwards so far: each uses up all that was recorded before it. */
  #backwards = 0;
  #ledger;
  /** What is made outside of a step is, now. @type {import('./memory.js').Kind} */
  #making = 'loose';
  #highestBytes = 0;
  #limitBytes;

  /**
   * @param {Engine} engine @param {import('../engine/wasm.js').KernelSet} kernels
   * @param {{ limitBytes: number, warn: (message: string) => void }} options
   */
  constructor(engine, kernels, { limitBytes, warn }) {
    this.#engine = engine;
    this.#ledger = new Ledger(warn);
    this.#operations = new Map(engine.abi.operations.map((name, i) => [name, i]));
    const inputs = engine.abi.limits.get('call_inputs') ?? 0;
    const floats = inputs + (engine.abi.limits.get('call_integers') ?? 0);
    const ids = floats + (engine.abi.limits.get('call_floats') ?? 0);
    this.#offsets = { integers: inputs, floats, ids, result: ids + 2, words: ids + 7 };
    this.#call = engine.reserve(4 * this.#offsets.words, 'calls');
    this.#views = this.#viewsOfCall();
    const head = engine.ask('heed_lab_bytes');
    this.#arenaBytes = Math.min(FIRST_BYTES, limitBytes);
    const memory = engine.reserve(head + this.#arenaBytes, 'tensors');
    this.#limitBytes = Math.min(limitBytes, MEMORY_LIMIT - memory - head);
    this.#lab = engine.ask('heed_lab_create', memory, head + this.#arenaBytes, engine.kernels(kernels), engine.pool);
    engine.ask('heed_lab_record', this.#lab, 1);
  }

  /**
   * Runs an operation of the engine (src/heed.h, HEED_OPERATIONS).
   * @param {string} name
   * @param {(Tensor | null | undefined)[]} inputs
   * @param {Details} details
   * @param {Axes} axes of the result
   * @returns {Tensor}
   */
  run(name, inputs, { integers = [], floats = [], ids, list, as = name }, axes) {
    for (const input of inputs) if (input) this.#own(as, input);
    for (const input of list ?? []) this.#own(as, input);
    if (ids) needWholeIds(as, ids);
    const numbers = list ? list.map(({ place }) => place.at) : ids;
    const oldest = this.#scope.records ? this.#oldestOf(list ?? inputs) : null;
    const size = product(axes.sizes);
    return this.#made(as, axes, size, () => {
      const idsAt = numbers ? this.#put(numbers) : 0;
      const { integers: fromInteger, floats: fromFloat, ids: atIds, result } = this.#offsets;
      const { words, reals } = this.#callViews();
      words.fill(0);
      for (let i = 0; i < inputs.length; i++) words[i] = inputs[i]?.place.at ?? 0;
      for (let i = 0; i < integers.length; i++) words[fromInteger + i] = integers[i];
      for (let i = 0; i < floats.length; i++) reals[fromFloat + i] = floats[i];
      words[atIds] = idsAt;
      words[atIds + 1] = numbers?.length ?? 0;
      const at = this.#engine.call('heed_operation', this.#lab, this.#operations.get(name) ?? -1, this.#call);
      const [rows, columns] = [words[result], words[result + 1]];
      const [stride, data, grad] = [words[result + 2] >>> 0, words[result + 3] >>> 0, words[result + 4] >>> 0];
      if (rows * columns !== size) {
        throw new HeedError('bad-shape', `${rows} × ${columns} numbers are not ${describe(axes)}.`);
      }
      return new Tensor(this, { at, rows, columns, stride, data, grad }, axes, this.#scope, oldest);
    });
  }

  /** Of what is computed from these. @param {(Tensor | null | undefined)[]} inputs @returns {number | null} */
  #oldestOf(inputs) {
    let oldest = null;
    for (const input of inputs) {
      if (!input || input.oldest === null) continue;
      oldest = Math.min(oldest ?? this.#backwards, input.oldest);
    }
    return oldest;
  }

  /** Where a call stands in memory, as whole numbers and as floats: views that end when memory grows. */
  #callViews() {
    const { buffer } = this.#engine.memory;
    if (this.#views.words.buffer !== buffer) this.#views = this.#viewsOfCall();
    return this.#views;
  }

  #viewsOfCall() {
    const { words } = this.#offsets;
    return { words: this.#engine.i32(this.#call, words), reals: this.#engine.f32(this.#call, words) };
  }

  /** @param {string} name @param {Tensor} input */
  #own(name, input) {
    if (!(input instanceof Tensor)) {
      throw new HeedError('bad-argument', `${name} takes tensors of this lab; make one with lab.tensor(data, shape).`);
    }
    if (!input.belongsTo(this)) {
      throw new HeedError('bad-argument', `${name}: a tensor of another lab, ${describe(input.axes)}. Each lab has a ` +
        'memory of its own: make all tensors of a computation with one lab, or carry numbers over by ' +
        'lab.tensor(other.data, other.shape).');
    }
    input.check();
  }

  /**
   * Numbers with axes.  Without a shape, nested arrays say it themselves.
   * @param {ArrayLike<number> | number | any[]} data
   * @param {Shape} [shape] `[2, 3]`, or with names `{ time: 2, feature: 3 }`
   * @param {{ learns?: boolean }} [options] learns: a gradient is kept
   */
  tensor(data, shape, options = {}) {
    needOptions('tensor', options, ['learns']);
    const { learns = false } = options;
    if (data === undefined || data === null) throw badShape('tensor', `data is ${data}, not numbers`);
    const nested = typeof data === 'number' || (Array.isArray(data) && data.some(isList));
    const { sizes: found, flat } = nested || shape === undefined ? flatten(data) : { sizes: null, flat: data };
    const axes = shape === undefined ? { sizes: found ?? [], names: null } : parseShape(shape);
    const numbers = /** @type {ArrayLike<number>} */ (flat);
    needElements('tensor', numbers);
    if (nested && found?.length && !sameSizes(found, axes.sizes)) {
      throw badShape('tensor', `nested arrays of ${describe({ sizes: found, names: null })} are not ` +
        `${describe(axes)}; lab.reshape gives the same numbers other axes`);
    }
    if (numbers.length !== product(axes.sizes)) {
      throw new HeedError('bad-shape', `tensor: ${numbers.length} numbers do not fill ${describe(axes)}, which has ` +
        `${product(axes.sizes)}.`);
    }
    const tensor = this.empty(axes, learns);
    tensor.data.set(numbers);
    return tensor;
  }

  /** Zeros. @param {Axes} axes @param {boolean} learns */
  empty(axes, learns) {
    const columns = axes.sizes.at(-1) ?? 1;
    const tensor = this.run('tensor', [], { integers: [product(axes.sizes) / columns, columns, Number(learns)] }, axes);
    if (learns) tensor.oldest = Infinity;
    return tensor;
  }

  /** @param {ArrayLike<number>} numbers @returns {number} where they lie in the arena */
  #put(numbers) {
    const at = this.#engine.call('heed_lab_take', this.#lab, 4 * numbers.length);
    this.#engine.i32(at, numbers.length).set(numbers);
    return at;
  }

  /**
   * Does the work that makes a tensor, and counts what it takes where no step will give it back.  The arena is the last
   * thing in memory: where it ends too soon, it is made longer and the work done again.
   * @param {string} what @param {Axes} axes @param {number} size numbers that they hold @param {() => Tensor} work
   */
  #made(what, axes, size, work) {
    this.#alive(what);
    this.needRoom(what, axes, size);
    for (;;) {
      const mark = this.#usedBytes;
      try {
        const tensor = work();
        const bytes = this.inStep ? 0 : this.#usedBytes - mark;
        if (bytes > 0) this.#ledger.add(this.#making, what, axes, bytes, tensor);
        return tensor;
      } catch (error) {
        this.#engine.ask('heed_lab_release', this.#lab, mark);
        if (!(error instanceof HeedError)) throw error;
        if (error.code !== 'out-of-memory') throw new HeedError(error.code, `${what}: ${uncapital(error.message)}`);
      }
      this.#grow(what, axes);
    }
  }

  /** Refuses what no memory of this lab holds, before anything is computed.
   *  @param {string} what @param {Axes} axes @param {number} [size] numbers that they hold @internal */
  needRoom(what, axes, size = product(axes.sizes)) {
    if (4 * size > this.#limitBytes) throw new HeedError('out-of-memory', outOfMemory(what, axes, this.memory));
  }

  /** @param {string} what @param {Axes} axes that there is no room for */
  #grow(what, axes) {
    const bytes = Math.min(this.#arenaBytes, MOST_BYTES, this.#limitBytes - this.#arenaBytes);
    try {
      if (bytes <= 0) throw new RangeError(`The limit is ${this.#limitBytes} bytes.`);
      this.#engine.reserve(bytes, 'tensors');
    } catch (cause) {
      this.#limitBytes = this.#arenaBytes; // all that there is
      throw new HeedError('out-of-memory', outOfMemory(what, axes, this.memory), { cause });
    }
    this.#engine.ask('heed_lab_grow', this.#lab, bytes);
    this.#arenaBytes += bytes;
  }

  /** Tensors made in this work, outside of steps, are of this kind. @internal
   *  @template T @param {import('./memory.js').Kind} kind @param {() => T} work @returns {T} */
  making(kind, work) {
    const before = this.#making;
    this.#making = kind;
    try {
      return work();
    } finally {
      this.#making = before;
    }
  }

  /** Floats of a matrix: a view where it has no gaps, else a copy. @param {Place} place @param {number} at */
  numbers({ rows, columns, stride }, at) {
    if (rows === 1 || stride === columns) return this.#engine.f32(at, rows * columns);
    const copy = new Float32Array(rows * columns);
    for (let t = 0; t < rows; t++) copy.set(this.#engine.f32(at + 4 * t * stride, columns), t * columns);
    return copy;
  }

  /** Puts numbers into a matrix, which may have gaps. @param {Place} place @param {ArrayLike<number>} numbers */
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

  /** @template T @param {string} what @param {boolean} records @param {() => T} work @returns {T} */
  #within(what, records, work) {
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
        Promise.resolve(result).catch(() => {}); // it meets the end of its memory, which this error foretells
        throw new HeedError('bad-argument', `${what} must not be asynchronous: its memory ends when it returns. ` +
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
   * One step of training: what is made in it is given back at its end.  Parameters and optimisers are made outside.
   * @template T @param {() => T} work returns numbers, not tensors
   * @param {number} [number] of the step, for messages, where a training goes on; counted otherwise @returns {T}
   */
  step(work, number = this.#step + 1) {
    this.#step = number;
    return this.#within('a step', true, work);
  }

  /** The same without gradients: for validation and generation. @template T @param {() => T} work @returns {T} */
  evaluate(work) {
    return this.#within('an evaluation', false, work);
  }

  get #usedBytes() {
    return this.#engine.ask('heed_lab_mark', this.#lab);
  }

  /** What an optimiser or a clipping meets. @internal @param {string} problem */
  notFinite(problem) {
    return new HeedError('not-finite', `In step ${this.#step}, ${problem}. Look at what went into it: the data, or a ` +
      'learning rate that is too high.');
  }

  /** Who holds the memory, and the most that was ever held. @returns {import('./memory.js').Memory} */
  get memory() {
    const usedBytes = this.#usedBytes;
    this.#highestBytes = Math.max(this.#highestBytes, usedBytes);
    return {
      usedBytes,
      highestBytes: this.#highestBytes,
      arenaBytes: this.#arenaBytes,
      limitBytes: this.#limitBytes,
      ...this.#ledger.shares,
      stepBytes: usedBytes - this.#ledger.heldBytes,
    };
  }

  /** Whether something made now is given back soon. */
  get inStep() {
    return this.#scopes.length > 1;
  }

  /** Changes a parameter or its gradient in place. @internal
   *  @param {string} name @param {Tensor} parameter @param {Tensor[]} state @param {number[]} floats */
  update(name, parameter, state, floats) {
    this.run(name, [parameter, ...state], { floats }, parameter.axes);
  }

  /** Σ of the squares of gradients. @internal @param {Tensor[]} list */
  squares(list) {
    const axes = { sizes: [], names: null };
    return this.evaluate(() => list.reduce((sum, x) => sum + this.run('squares', [x], {}, axes).item(), 0));
  }

  /**
   * Adds to the gradient of everything that the loss depends on.  Gradients add up from one call to the next until an
   * optimiser has used them.
   * @param {Tensor} loss one number
   * @throws {HeedError} 'not-finite' with the step and the operation in which a NaN first appeared
   */
  backward(loss) {
    this.#own('backward', loss);
    if (product(loss.axes.sizes) !== 1) {
      throw badShape('backward', `a loss is one number, not ${describe(loss.axes)}; lab.mean or lab.sum makes it one`);
    }
    if (!loss.place.grad) {
      throw new HeedError('bad-argument', 'backward: nothing was recorded of this loss. Compute it in lab.step from ' +
        'parameters, which lab.parameter and lab.init make; lab.evaluate records nothing.');
    }
    if (loss.oldest !== null && loss.oldest < this.#backwards) {
      throw new HeedError('bad-argument', 'backward: the loss depends on an operation that ran before the last ' +
        'backward, which has used up all that was recorded. Compute it anew, or add up several losses and go back ' +
        'once; lab.tensor(x.data, x.shape) takes numbers over without what they came from.');
    }
    for (const parameter of this.learning) {
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
   * Σ of the squares of these gradients, each of which is a number from then on.
   * @internal @param {[string, Tensor][]} named
   * @throws {HeedError} 'not-finite' with the step, the first of them that is none, and the operation that made it so
   */
  checkedSquares(named) {
    const sum = this.squares(named.map(([, parameter]) => parameter));
    if (!Number.isFinite(sum)) {
      const [name] = named.find(([, { grad }]) => !grad?.every(Number.isFinite)) ?? [];
      if (name !== undefined) throw this.notFinite(`the gradient of ‘${name}’ is no finite number${this.#whence()}`);
    }
    for (const [, parameter] of named) parameter.checked = true;
    return sum;
  }

  /** Where a gradient first was no number, for a sentence: nowhere, if the step of that backward is over. */
  #whence() {
    try {
      this.#engine.call('heed_lab_check_gradients', this.#lab);
    } catch (error) {
      if (error instanceof HeedError && error.code === 'not-finite') return `: ${phrase(error.message)}`;
      throw error;
    }
    return '';
  }

  /** Whether a step is running, in which dropout drops. @internal */
  recording = false;
  /** Parameters that there are. @internal @type {Set<Tensor>} */
  learning = new Set();

  /** @param {string} call @throws {HeedError} 'disposed' */
  #alive(call) {
    if (this.#scopes[0].alive) return;
    throw new HeedError('disposed', `${call}: this lab was disposed of, and its tensors with it. Make another with ` +
      'lab(), and its parameters from a file of lab.save.');
  }

  /** Threads end, memory goes with the last reference. */
  dispose() {
    for (const scope of this.#scopes) scope.alive = false;
    this.#engine.close();
  }
}

/** A sentence within another. @param {string} sentence */
const phrase = (sentence) => uncapital(sentence).replace(/\.$/, '');

/** A sentence that goes on after another's beginning. @param {string} sentence */
const uncapital = (sentence) => `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
