/** A translation with its attention maps. */
import { Attended } from './attended.js';

/**
 * A translation with its attention maps. Row i of the cross-attention is the attention that wrote target[i]. A
 * recurrent model has cross-attention alone, as one layer with one head. The decoder of a Transformer also attends to
 * its inputs: the begin mark, then the target without its last symbol. A model without attention has no maps.
 */
export class Translation extends Attended {
  /** @param {{ text: string, ids: number[], source: string[], target: string[], logprob: number }} written
   *  @param {ConstructorParameters<typeof Attended>} maps @internal */
  constructor({ text, ids, source, target, logprob }, ...maps) {
    super(...maps);
    /** Translated text. */
    this.text = text;
    /** Ids of the target, without the end id. */
    this.ids = ids;
    /** Symbols of the source as the model reads them, with the end mark if it reads one. */
    this.source = source;
    /** Symbols of the target. */
    this.target = target;
    /** Log-probability of the target in nats, including the end id. */
    this.logprob = logprob;
  }

  /** Restores a translation from a worker's message, which drops the class.
   *  @param {object} fields @returns {Translation} @internal */
  static from(fields) {
    return Object.assign(Object.create(Translation.prototype), fields);
  }
}
