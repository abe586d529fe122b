/** Weights of mixtures of experts.  Expert e of block l has blk.l.ffn_gate_exps.e.weight; the same for up and down. */

import { HeedError, quoted } from '../../errors.js';

/** @typedef {import('../weights.js').PlacedTensor} PlacedTensor */

/** Most experts of a block: HEED_MAX_EXPERTS of src/heed.h. */
export const MAX_EXPERTS = 512;
/** Most experts of all blocks together, because each has three entries in lists; Qwen3-235B-A22B has 12,032. */
export const MAX_ALL_EXPERTS = 1 << 15;

/**
 * Checks the number of experts of all blocks, before lists are made of them.
 * @param {number} experts  of a block
 * @param {number} blocks
 * @param {string} name     name of the file, for messages
 * @throws {HeedError} 'too-large'
 */
export function checkExperts(experts, blocks, name) {
  if (experts * blocks <= MAX_ALL_EXPERTS) return;
  throw new HeedError('too-large', `${quoted(name)} has ${experts * blocks} experts in all blocks; the limit is ` +
    `${MAX_ALL_EXPERTS}.`);
}

/** Weights of a router and its experts, and of the expert of all tokens.
 *  @param {number} experts @returns {Record<'experts' | 'sharedExpert', import('../families.js').Weights>} */
export const expertGroups = (experts) => ({
  experts: { model: [], block: ['ffn_gate_inp.weight', ...['gate', 'up', 'down'].flatMap((part) =>
    Array.from({ length: experts }, (_, expert) => `ffn_${part}_exps.${expert}.weight`))] },
  sharedExpert: { model: [], block: ['ffn_gate.weight', 'ffn_up.weight', 'ffn_down.weight',
    'ffn_gate_inp_shexp.weight'] },
});

/**
 * The matrices of a tensor of GGUF that has a matrix for each expert; another tensor stays as it is.
 * @param {PlacedTensor} placed
 * @param {number} experts
 * @returns {PlacedTensor[]}
 */
export function matricesOf({ start, entry, ...rest }, experts) {
  const [first, ...shape] = entry.shape;
  const isOfAll = shape.length === 2 && first === experts && entry.name.endsWith('_exps.weight');
  if (!isOfAll) return [{ start, entry, ...rest }];
  const bytes = entry.bytes / experts;
  return Array.from({ length: experts }, (_, expert) => ({ ...rest, start: start + expert * bytes,
    entry: { ...entry, name: entry.name.replace(/weight$/, `${expert}.weight`), shape, bytes } }));
}
