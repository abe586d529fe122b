/** The losses of a training, and snapshots of the model on one example. */

/**
 * @typedef {object} TrainingFrame
 * @property {number} step number of steps before this snapshot
 * @property {string[]} tokens tokens of the example
 * @property {number} layers
 * @property {number} heads number of heads in each layer
 * @property {boolean} causal true if a token attends only to itself and earlier tokens
 * @property {Float32Array} data [layers][heads][tokens][tokens] attention weights
 * @property {string[]} answer the prediction
 * @property {string[]} wanted the target
 */

export class TrainingHistory {
  /** [steps] @type {number[]} */
  losses = [];
  /** Ordered by step. @type {TrainingFrame[]} */
  frames = [];

  /** @param {{ losses?: ArrayLike<number>, frame?: TrainingFrame | null }} more what follows */
  add({ losses = [], frame }) {
    for (let i = 0; i < losses.length; i++) this.losses.push(losses[i]);
    if (frame) this.frames.push(frame);
  }

  /** Number of steps so far. */
  get steps() {
    return this.losses.length;
  }

  /** The last frame at or before a step. @param {number} step @returns {TrainingFrame | null} */
  at(step) {
    return this.frames.findLast((frame) => frame.step <= step) ?? this.frames[0] ?? null;
  }
}

/**
 * The attention weights of one head.
 * @param {TrainingFrame} frame @param {number} layer @param {number} head
 * @returns {Float32Array} [tokens][tokens] a view into the frame's data
 */
export function headOf({ tokens, heads, data }, layer, head) {
  const size = tokens.length ** 2;
  const at = (layer * heads + head) * size;
  return data.subarray(at, at + size);
}
