/** Tensors with the matrices of all experts of a block, [expert][row][column], as in the class of Granite's mixtures.
 *  The library gives each matrix a name, as in the other classes. */
import { HeedError, quoted } from '../../errors.js';

/** @param {string} between */
const pattern = (between) => new RegExp(`^(.*\\.block_sparse_moe\\.)${between}((?:in|out)put_linear\\.weight)$`);
const STACK = pattern('');
const MATRIX = pattern('experts\\.(\\d+)\\.');

/**
 * The names of the matrices of a tensor.
 * @param {{ name: string, shape: readonly number[] }} tensor
 * @param {number} experts  of a block
 * @returns {string[]} none if the tensor is not such a stack
 * @throws {HeedError} 'bad-tensor' if it has another number of matrices
 */
export function matrixNames({ name, shape }, experts) {
  const [, block, matrix] = STACK.exec(name) ?? [];
  if (block === undefined || shape.length !== 3) return [];
  if (shape[0] !== experts) {
    throw new HeedError('bad-tensor', `The tensor ${quoted(name)} has the shape [${shape}], but config.json says ` +
      `that a block has ${experts} experts.`);
  }
  return Array.from({ length: experts }, (_, expert) => `${block}experts.${expert}.${matrix}`);
}

/** The stack of a matrix, and its place there; null if the matrix has a tensor of its own.
 *  @param {string} name @returns {{ name: string, at: number } | null} */
export function stackOf(name) {
  const [, block, expert, matrix] = MATRIX.exec(name) ?? [];
  return block === undefined ? null : { name: block + matrix, at: Number(expert) };
}
