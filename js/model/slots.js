/** Places of weights in a model, by the names of the GGUF format. */
import { HeedError, quoted } from '../errors.js';

/**
 * @param {import('../engine/wasm.js').Engine} engine
 * @param {string} name  such as 'blk.0.attn_q.weight'
 * @returns {{ layer: number, slot: number }} layer −1: a weight of the whole model; slot −1: there is no such weight
 */
export function placeOfWeight(engine, name) {
  const [, block, text] = /^blk\.(\d{1,6})\.(.+)$/.exec(name) ?? [null, null, name];
  const slot = (block === null ? engine.abi.slots : engine.abi.blocks).indexOf(text ?? '');
  return { layer: block === null ? -1 : Number(block), slot };
}

/** The same, for a name that a caller gives.
 *  @param {import('../engine/wasm.js').Engine} engine @param {string} name @throws {HeedError} 'bad-argument' */
export function slotOf(engine, name) {
  const place = placeOfWeight(engine, name);
  if (place.slot >= 0) return place;
  throw new HeedError('bad-argument', `There is no weight ${quoted(name)}. Names are as in GGUF: ` +
    `${engine.abi.slots.join(', ')}, and blk.0. with ${engine.abi.blocks.join(', ')}.`);
}
