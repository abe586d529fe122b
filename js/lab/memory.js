/** Who holds a lab's memory.  What a step makes is given back at its end; what is made outside of steps stays. */
import { megabytes } from '../engine/wasm.js';
import { describe, product } from './axes.js';

/**
 * @typedef {import('./axes.js').Axes} Axes
 * @typedef {{ tensors: number, bytes: number }} Share
 * @typedef {'parameters' | 'optimisers' | 'loose'} Kind
 *
 * @typedef {object} Pile    loose tensors alike
 * @property {string} operation  that made them
 * @property {string} shape      such as [time 5, feature 8]
 * @property {number} tensors
 * @property {number} bytes
 * @property {number} droppedBytes
 *
 * @typedef {object} Memory  bytes are those of the numbers, their gradients and what a backward would need
 * @property {number} usedBytes     now
 * @property {number} highestBytes  since the lab began: the high-water mark
 * @property {number} arenaBytes    taken from WebAssembly's memory, used or not
 * @property {number} limitBytes    that the arena can grow to
 * @property {Share} parameters
 * @property {Share} optimisers     their state
 * @property {Share & { droppedBytes: number, largest: { operation: string, shape: string, tensors: number,
 *   bytes: number }[] }} loose
 *   tensors made outside of steps that are no parameters; dropped: those that the program has let go of, as far as the
 *   garbage collector has found out, whose memory is held all the same; largest: up to five piles of tensors alike
 * @property {number} stepBytes     of the steps that are running
 */

/** So many tensors alike that a loop must have made them; or fewer, but large. */
const PILE = { tensors: 1000, some: 32, bytes: 64 << 20 };
const LISTED = 5;

const nothing = () => ({ tensors: 0, bytes: 0 });

/** Counts what is made outside of steps, and says when it piles up. */
export class Ledger {
  /** @type {Record<Kind, Share>} */
  #held = { parameters: nothing(), optimisers: nothing(), loose: nothing() };
  /** @type {Map<string, Pile>} */
  #piles = new Map();
  #warnedBytes = 0;
  #warn;
  /** Hears of tensors that nobody can reach any more. @type {FinalizationRegistry<{ pile: Pile, bytes: number }>} */
  #dropped = new FinalizationRegistry(({ pile, bytes }) => {
    pile.droppedBytes += bytes;
    if (pile.droppedBytes >= PILE.bytes) this.#report(pile);
  });

  /** @param {(message: string) => void} warn */
  constructor(warn) {
    this.#warn = warn;
  }

  /** @param {Kind} kind @param {string} operation @param {Axes} axes @param {number} bytes @param {object} tensor */
  add(kind, operation, axes, bytes, tensor) {
    this.#held[kind].tensors++;
    this.#held[kind].bytes += bytes;
    if (kind !== 'loose') return;
    const shape = describe(axes);
    const key = `${operation} ${shape}`;
    const pile = this.#piles.get(key) ?? { operation, shape, tensors: 0, bytes: 0, droppedBytes: 0 };
    this.#piles.set(key, pile);
    pile.tensors++;
    pile.bytes += bytes;
    this.#dropped.register(tensor, { pile, bytes });
    if (pile.tensors >= PILE.tensors || (pile.tensors >= PILE.some && pile.bytes >= PILE.bytes)) this.#report(pile);
  }

  /** @returns {Pick<Memory, 'parameters' | 'optimisers' | 'loose'>} */
  get shares() {
    const { parameters, optimisers, loose } = this.#held;
    const piles = [...this.#piles.values()].sort((a, b) => b.bytes - a.bytes);
    const droppedBytes = piles.reduce((sum, pile) => sum + pile.droppedBytes, 0);
    const largest = piles.slice(0, LISTED).map(({ operation, shape, tensors, bytes }) =>
      ({ operation, shape, tensors, bytes }));
    return { parameters: { ...parameters }, optimisers: { ...optimisers }, loose: { ...loose, droppedBytes, largest } };
  }

  /** What is not of a step. */
  get heldBytes() {
    return Object.values(this.#held).reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Says so, and again when loose tensors hold twice as much. @param {Pile} pile */
  #report(pile) {
    if (this.#held.loose.bytes < 2 * this.#warnedBytes) return;
    this.#warnedBytes = this.#held.loose.bytes;
    this.#warn(`heed/lab: ${pile.operation} has made ${pile.tensors} tensors ${pile.shape} outside of a step ` +
      `(${megabytes(pile.bytes)}), and what is made there stays until lab.dispose(). Put the body of the loop into ` +
      `lab.step(() => { … }), or lab.evaluate(() => { … }) where nothing learns. lab.memory says who holds what.` +
      `${callerOf(new Error().stack)}`);
  }
}

/** What memory has run out for, who holds it, and what helps.
 *  @param {string} operation @param {Axes} axes @param {Memory} memory */
export function outOfMemory(operation, axes, { usedBytes, limitBytes, parameters, optimisers, loose, stepBytes }) {
  const [largest] = loose.largest;
  const held = [
    `parameters ${megabytes(parameters.bytes)}`,
    `optimisers ${megabytes(optimisers.bytes)}`,
    `tensors made outside of steps ${megabytes(loose.bytes)}` +
      (largest ? ` (most of it ${largest.tensors} of ${largest.operation}, ${largest.shape})` : ''),
    `running steps ${megabytes(stepBytes)}`,
  ];
  const advice = loose.bytes > limitBytes / 2
    ? 'Put the body of the loop into lab.step(() => { … }), which gives back what is made in it. What is held by now ' +
      'goes with lab.dispose() alone: lab.save(parameters) first, and lab.load(file) in a new lab.'
    : 'Take a smaller batch, shorter sequences or a narrower model; lab.evaluate needs no memory for gradients.';
  return `${operation}: there is no memory for ${describe(axes)}, ${megabytes(4 * product(axes.sizes))}. This lab ` +
    `holds ${megabytes(usedBytes)} of at most ${megabytes(limitBytes)}: ${held.join(', ')}. ${advice}`;
}

/** The first line of a stack outside of this library, where the engine's stacks say such things.
 *  @param {string | undefined} stack */
function callerOf(stack = '') {
  const library = import.meta.url.slice(0, import.meta.url.lastIndexOf('/') + 1);
  const guard = library.replace(/lab\/$/, 'guard.js');
  const isOutside = (/** @type {string} */ line) => line.trim() && !line.includes(library) && !line.includes(guard);
  const line = stack.split('\n').slice(1).find(isOutside);
  return line ? ` Made ${line.trim()}.` : '';
}
