/** Stacks of blocks, and the names of their activations: blocks of one stack, or the parts of an encoder–decoder. */
import { HeedError, quoted } from '../errors.js';

/** A part of an encoder–decoder.  cross: cross-attention of the decoder.
 *  @typedef {'encoder' | 'decoder' | 'cross'} StackName */
/**
 * A stack of blocks.
 * @typedef {object} Stack
 * @property {StackName} [part]  of an encoder–decoder
 * @property {number} layers  number of layers
 * @property {(layer: number, name: string) => string} hook  full name of an activation such as 'attn.hook_z'
 */

/** The stacks of a model, in the order of the pass.
 *  @param {Pick<import('./input.js').Model['info'], 'layers' | 'parts'>} info @returns {Stack[]} */
export function stacksOf({ layers, parts }) {
  if (!parts) return [{ layers, hook: (layer, name) => `blocks.${layer}.${name}` }];
  return [
    { part: 'encoder', layers: parts.encoder.layers, hook: (layer, name) => `encoder.${layer}.${name}` },
    { part: 'decoder', layers, hook: (layer, name) => `decoder.${layer}.${name}` },
    { part: 'cross', layers, hook: (layer, name) => `decoder.${layer}.${name.replace('attn', 'cross_attn')}` },
  ];
}

/**
 * The stack that an analysis reads.
 * @param {string} call  name of the analysis
 * @param {import('./input.js').Model['info']} info
 * @param {unknown} part  option `stack`; default 'decoder' in an encoder–decoder
 * @returns {Stack}
 * @throws {HeedError} 'bad-argument'
 */
export function stackOf(call, info, part) {
  const stacks = stacksOf(info);
  if (!info.parts && part !== undefined) {
    throw new HeedError('bad-argument', `${call}: ${quoted(info.name)} has one stack of blocks. Omit ‘stack’.`);
  }
  const wanted = info.parts ? part ?? 'decoder' : undefined;
  const found = stacks.find((stack) => stack.part === wanted);
  if (found) return found;
  throw new HeedError('bad-argument', `${call}: expected stack to be one of ${stacks.map((stack) => stack.part)
    .join(', ')}, got ${quoted(part)}.`);
}
