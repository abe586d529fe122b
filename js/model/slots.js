/** Places of weights in a model, by the names of the GGUF format. */
import { HeedError, quoted } from '../errors.js';

/**
 * @param {import('../engine/wasm.js').Engine} engine
 * @param {string} name  such as 'blk.0.attn_q.weight', or of expert 3 'blk.0.ffn_up_exps.3.weight'
 * @param {{ layers: number, experts?: number }} sizes  sizes of the model
 * @returns {{ layer: number, slot: number }} layer −1: a weight of the whole model; slot −1: there is no such weight
 */
export function placeOfWeight(engine, name, { layers, experts = 0 }) {
  const [, block, text, expert] = /^blk\.(\d{1,6})\.(.+?)(?:_exps\.(\d{1,3})\.weight)?$/.exec(name) ?? [];
  if (block === undefined) return { layer: -1, slot: engine.abi.slots.indexOf(name) };
  if (expert === undefined) return { layer: Number(block), slot: engine.abi.blocks.indexOf(text) };
  const isThere = Number(block) < layers && Number(expert) < experts;
  return { layer: layers + Number(block) * experts + Number(expert),
    slot: isThere ? engine.abi.blocks.indexOf(`${text}.weight`) : -1 };
}

/** The same, for a name that a caller gives.
 *  @param {import('../engine/wasm.js').Engine} engine @param {string} name
 *  @param {{ layers: number, experts: number }} sizes @throws {HeedError} 'bad-argument' */
export function slotOf(engine, name, sizes) {
  const place = placeOfWeight(engine, name, sizes);
  if (place.slot >= 0) return place;
  throw new HeedError('bad-argument', `There is no weight ${quoted(name)}; model.weights lists the names.`);
}
