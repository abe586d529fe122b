/** Weights of DeiT with distillation (Touvron et al. 2021), which become weights of a Vision Transformer. */
import { HeedError, quoted } from '../../errors.js';
import { asFloats } from '../safetensors/change.js';
import { openSource } from '../source.js';
import { StreamReader } from '../stream.js';

/** @typedef {import('../weights.js').TensorEntry} TensorEntry */
/** A weight; without bytes, only its description is joined.
 *  @typedef {{ entry: TensorEntry, bytes: Uint8Array | null }} Weight */

const TOKEN = 'token_dist.weight';
const BIAS = 'patch_embd.bias';
/** Weights that are joined; the first has the name of the result.
 *  @type {[of: string[], join: (weights: Weight[]) => Weight][]} */
const JOINS = [
  [['position_embd.weight', TOKEN, BIAS], added],
  [['output.weight', 'output_dist.weight'], stacked],
  [['output.bias', 'output_dist.bias'], stacked],
];

/** @param {Weight} weight @param {string} expected @returns {HeedError} */
const misfit = ({ entry: { name, shape } }, expected) => new HeedError('bad-tensor',
  `Tensor ${quoted(name)} has the shape [${shape.join('][')}]; expected ${expected}.`);

/** One matrix or vector above another one. @param {Weight[]} weights @returns {Weight} */
function stacked([upper, lower]) {
  const { shape: [rows, ...columns], dtype, bytes } = upper.entry;
  if (String(lower.entry.shape) !== String(upper.entry.shape) || lower.entry.dtype !== dtype) {
    throw misfit(lower, `the shape and the type of ${quoted(upper.entry.name)}`);
  }
  const entry = { ...upper.entry, shape: [2 * rows, ...columns], bytes: 2 * bytes };
  if (!upper.bytes || !lower.bytes) return { entry, bytes: null };
  const both = new Uint8Array(entry.bytes);
  both.set(upper.bytes);
  both.set(lower.bytes, bytes);
  return { entry, bytes: both };
}

/**
 * Positions, whose row 1 has the distillation token too.  The engine computes a projection of zeros there, which is
 * the bias, so the row is without it.
 * @param {Weight[]} weights @returns {Weight}
 */
function added([positions, token, bias]) {
  const [rows, D] = positions.entry.shape;
  for (const one of [token, bias]) if (String(one.entry.shape) !== String(D)) throw misfit(one, `[${D}]`);
  const entry = { ...positions.entry, dtype: 0, bytes: 4 * rows * D };
  if (!positions.bytes || !token.bytes || !bias.bytes) return { entry, bytes: null };
  const numbers = asFloats(positions.bytes, positions.entry.dtype);
  const plus = asFloats(token.bytes, token.entry.dtype);
  const minus = asFloats(bias.bytes, bias.entry.dtype);
  for (let i = 0; i < D; i++) numbers[D + i] += plus[i] - minus[i];
  return { entry, bytes: new Uint8Array(numbers.buffer) };
}

/**
 * Takes weights in any order, and returns each joined one with the last of its parts.
 * @param {TensorEntry[]} tensors  of the file
 * @returns {{ isPart: (entry: TensorEntry) => boolean, add: (weight: Weight) => Weight[] }}
 */
function joinsOf(tensors) {
  const present = new Set(tensors.map(({ name }) => name));
  const joins = JOINS.filter(([of]) => of.every((name) => present.has(name)));
  /** @type {Map<string, Weight>} */
  const held = new Map();
  return {
    isPart: ({ name }) => joins.some(([of]) => of.includes(name)),
    add(weight) {
      const { name } = weight.entry;
      held.set(name, weight);
      const ready = joins.filter(([of]) => of.includes(name) && of.every((part) => held.has(part)));
      const whole = ready.map(([of, join]) => join(of.flatMap((part) => held.get(part) ?? [])));
      return name === BIAS ? [weight, ...whole] : whole;
    },
  };
}

/** Descriptions of the weights after they are joined. @param {TensorEntry[]} tensors @returns {TensorEntry[]} */
export function joinedEntries(tensors) {
  const { isPart, add } = joinsOf(tensors);
  return tensors.flatMap((entry) => (isPart(entry) ? add({ entry, bytes: null }).map((whole) => whole.entry) : entry));
}

/**
 * Joins the weights of a stream.
 * @param {TensorEntry[]} tensors  of the stream
 * @param {AsyncGenerator<[TensorEntry, StreamReader], void, void>} stream
 * @returns {AsyncGenerator<[TensorEntry, StreamReader], void, void>}
 */
export async function* joined(tensors, stream) {
  const { isPart, add } = joinsOf(tensors);
  for await (const [entry, reader] of stream) {
    if (!isPart(entry)) {
      yield [entry, reader];
      continue;
    }
    const bytes = new Uint8Array(entry.bytes);
    await reader.readInto(bytes, `tensor ${entry.name}`);
    for (const { entry: whole, bytes: data } of add({ entry, bytes })) {
      yield [whole, new StreamReader(openSource(data ?? bytes).stream(), { name: whole.name })];
    }
  }
}
