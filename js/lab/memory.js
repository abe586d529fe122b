/** Accounting of a lab's memory. A step frees the tensors that it makes; tensors made outside of steps stay. */
import { megabytes } from '../engine/wasm.js';
import { describe, product } from './axes.js';

/**
 * @typedef {import('./axes.js').Axes} Axes
 * @typedef {{ tensors: number, bytes: number }} Usage
 * @typedef {'parameters' | 'optimizers' | 'loose'} Kind
 */

/**
 * Loose tensors that one operation made with one shape.
 * @typedef {object} Group
 * @property {string} operation  name of the operation
 * @property {string} shape      shape in words, such as [time 5, feature 8]
 * @property {number} tensors    number of tensors
 * @property {number} bytes      their memory in bytes
 * @property {number} droppedBytes  memory of the tensors that the garbage collector has collected, in bytes
 */

/**
 * Memory of a lab in bytes. It includes numbers, their gradients and the records for backward.
 * @typedef {object} Memory
 * @property {number} usedBytes     memory in use
 * @property {number} highestBytes  largest memory in use since the lab was made
 * @property {number} arenaBytes    memory reserved from WebAssembly, used or not
 * @property {number} limitBytes    limit of `arenaBytes`
 * @property {Usage} parameters     parameters and their gradients
 * @property {Usage} optimizers     state of the optimizers
 * @property {LooseUsage} loose     tensors made outside of steps that are not parameters
 * @property {number} stepBytes     tensors of the running steps
 */

/**
 * Memory of tensors that were made outside of steps and are not parameters.
 * @typedef {object} LooseUsage
 * @property {number} tensors       number of tensors
 * @property {number} bytes         their memory in bytes
 * @property {number} droppedBytes  memory of tensors that the program no longer references, as far as the garbage
 *   collector has found out; it stays in use
 * @property {{ operation: string, shape: string, tensors: number, bytes: number }[]} largest  up to five groups of
 *   tensors with one operation and shape, largest first
 */

/** Sizes of a group that only a loop without steps makes: this many tensors, or fewer large ones. */
const MANY = { tensors: 1000, some: 32, bytes: 64 << 20 };
const LISTED = 5;

const nothing = () => ({ tensors: 0, bytes: 0 });

/** Counts the tensors made outside of steps and warns when a group becomes large. */
export class Ledger {
  /** @type {Record<Kind, Usage>} */
  #usage = { parameters: nothing(), optimizers: nothing(), loose: nothing() };
  /** @type {Map<string, Group>} */
  #groups = new Map();
  #warnedBytes = 0;
  #warn;
  /** Reports collected tensors. @type {FinalizationRegistry<{ group: Group, bytes: number }>} */
  #dropped = new FinalizationRegistry(({ group, bytes }) => {
    group.droppedBytes += bytes;
    if (group.droppedBytes >= MANY.bytes) this.#report(group);
  });

  /** @param {(message: string) => void} warn */
  constructor(warn) {
    this.#warn = warn;
  }

  /** @param {Kind} kind @param {string} operation @param {Axes} axes @param {number} bytes @param {object} tensor */
  add(kind, operation, axes, bytes, tensor) {
    this.#usage[kind].tensors++;
    this.#usage[kind].bytes += bytes;
    if (kind !== 'loose') return;
    const shape = describe(axes);
    const key = `${operation} ${shape}`;
    const group = this.#groups.get(key) ?? { operation, shape, tensors: 0, bytes: 0, droppedBytes: 0 };
    this.#groups.set(key, group);
    group.tensors++;
    group.bytes += bytes;
    this.#dropped.register(tensor, { group, bytes });
    if (group.tensors >= MANY.tensors || (group.tensors >= MANY.some && group.bytes >= MANY.bytes)) this.#report(group);
  }

  /** Memory by kind. @returns {Pick<Memory, 'parameters' | 'optimizers' | 'loose'>} */
  get byKind() {
    const { parameters, optimizers, loose } = this.#usage;
    const groups = [...this.#groups.values()].sort((a, b) => b.bytes - a.bytes);
    const droppedBytes = groups.reduce((sum, group) => sum + group.droppedBytes, 0);
    const largest = groups.slice(0, LISTED).map(({ operation, shape, tensors, bytes }) =>
      ({ operation, shape, tensors, bytes }));
    return { parameters: { ...parameters }, optimizers: { ...optimizers }, loose: { ...loose, droppedBytes, largest } };
  }

  /** Memory of tensors made outside of steps, in bytes. */
  get heldBytes() {
    return Object.values(this.#usage).reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Warns, and again when loose tensors take twice as much memory. @param {Group} group */
  #report(group) {
    if (this.#usage.loose.bytes < 2 * this.#warnedBytes) return;
    this.#warnedBytes = this.#usage.loose.bytes;
    this.#warn(`heed/lab: ${group.operation} has made ${group.tensors} tensors ${group.shape} outside of a step ` +
      `(${megabytes(group.bytes)}). They stay in memory until lab.dispose(). Put the body of the loop into ` +
      `lab.step(() => { … }), or into lab.evaluate(() => { … }) without gradients. lab.memory has the details.` +
      `${callerOf(new Error().stack)}`);
  }
}

/** Error text: the tensor that does not fit, the use of the memory, and advice.
 *  @param {string} operation @param {Axes} axes @param {Memory} memory */
export function outOfMemory(operation, axes, { usedBytes, limitBytes, parameters, optimizers, loose, stepBytes }) {
  const [largest] = loose.largest;
  const held = [
    `parameters ${megabytes(parameters.bytes)}`,
    `optimizers ${megabytes(optimizers.bytes)}`,
    `tensors made outside of steps ${megabytes(loose.bytes)}` +
      (largest ? ` (largest group: ${largest.tensors} of ${largest.operation}, ${largest.shape})` : ''),
    `running steps ${megabytes(stepBytes)}`,
  ];
  const advice = loose.bytes > limitBytes / 2
    ? 'Put the body of the loop into lab.step(() => { … }), which frees the tensors that it makes. To free memory ' +
      'now, lab.save(parameters), lab.dispose(), and lab.load(file) in a new lab.'
    : 'Use a smaller batch, shorter sequences or a narrower model. lab.evaluate needs no memory for gradients.';
  return `${operation}: out of memory for ${describe(axes)}, ${megabytes(4 * product(axes.sizes))}. This lab ` +
    `uses ${megabytes(usedBytes)} of at most ${megabytes(limitBytes)}: ${held.join(', ')}. ${advice}`;
}

/** First line of a stack trace outside of this library, if the JavaScript engine provides one.
 *  @param {string | undefined} stack */
function callerOf(stack = '') {
  const library = import.meta.url.slice(0, import.meta.url.lastIndexOf('/') + 1);
  const guard = library.replace(/lab\/$/, 'guard.js');
  const isOutside = (/** @type {string} */ line) => line.trim() && !line.includes(library) && !line.includes(guard);
  const line = stack.split('\n').slice(1).find(isOutside);
  return line ? ` Made ${line.trim()}.` : '';
}
