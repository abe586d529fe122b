/** What a translator wrote, and where it looked to write it. */
import { Attended } from './attended.js';

/**
 * A translation.  Row i of its cross-attention is where the model looked to write target[i]: all that a recurrent model
 * has, as one layer of one head.  A Transformer's decoder attends to its inputs, too: the mark of the beginning, then
 * the target without its last symbol.
 */
export class Translation extends Attended {
  /** @param {{ text: string, ids: number[], source: string[], target: string[], logprob: number }} written
   *  @param {ConstructorParameters<typeof Attended>} looked */
  constructor({ text, ids, source, target, logprob }, ...looked) {
    super(...looked);
    this.text = text;
    /** Of the target, without its end. */
    this.ids = ids;
    /** Symbols, as the model reads them: with its end where it reads one. */
    this.source = source;
    /** Symbols. */
    this.target = target;
    /** Of the whole target, with its end. */
    this.logprob = logprob;
  }

  /** One that a Worker has sent: messages carry what an object holds, and not what it is.
   *  @param {object} held @returns {Translation} */
  static from(held) {
    return Object.assign(Object.create(Translation.prototype), held);
  }
}
