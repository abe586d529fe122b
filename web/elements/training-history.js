/** What a training was like at every step: its losses, and frames of what the model saw. */

/**
 * @typedef {object} TrainingFrame
 * @property {number} step         after so many steps
 * @property {string[]} tokens     of the example
 * @property {number} layers
 * @property {number} heads
 * @property {boolean} causal      whether tokens see only themselves and what came before
 * @property {Float32Array} data   [layer][head][query][key]
 * @property {string[]} answer     what the model says
 * @property {string[]} wanted     what it should say
 */

export class TrainingHistory {
  /** Of each step. @type {number[]} */
  losses = [];
  /** In the order of their steps. @type {TrainingFrame[]} */
  frames = [];

  /** @param {{ losses?: ArrayLike<number>, frame?: TrainingFrame | null }} more that follows */
  add({ losses = [], frame }) {
    for (let i = 0; i < losses.length; i++) this.losses.push(losses[i]);
    if (frame) this.frames.push(frame);
  }

  /** Steps done. */
  get steps() {
    return this.losses.length;
  }

  /** The last frame that is not after a step. @param {number} step @returns {TrainingFrame | null} */
  at(step) {
    return this.frames.findLast((frame) => frame.step <= step) ?? this.frames[0] ?? null;
  }
}

/**
 * The map of one head of a frame.
 * @param {TrainingFrame} frame @param {number} layer @param {number} head
 * @returns {Float32Array} [query][key]
 */
export function headOf({ tokens, heads, data }, layer, head) {
  const size = tokens.length ** 2;
  const at = (layer * heads + head) * size;
  return data.subarray(at, at + size);
}
