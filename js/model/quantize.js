/** What load's `quantize` makes of each weight. */
import { HeedError, quoted } from '../errors.js';
import { DTYPES } from '../files/dtypes.js';

/** @typedef {import('../files/weights.js').TensorEntry} TensorEntry */
/** @typedef {import('../files/config.js').Config} Config */
/** @typedef {'keep' | 'f32' | 'q8_0' | 'q4_0'} Quantize */

// GGML's numbers.
const F32 = 0;
const Q4_0 = 2;
const Q8_0 = 8;

/** null: the type of the file. @type {Readonly<Record<Quantize, number | null>>} */
export const QUANTIZE = Object.freeze({ keep: null, f32: F32, q8_0: Q8_0, q4_0: Q4_0 });

/** @param {import('./load.js').LoadOptions} options
 *  @throws {HeedError} 'bad-argument' */
export function checkQuantize({ quantize = 'keep' }) {
  if (Object.hasOwn(QUANTIZE, quantize)) return;
  throw new HeedError(
    'bad-argument',
    `quantize is ${quoted(quantize)}; it must be one of ${Object.keys(QUANTIZE).join(', ')}.`,
  );
}

/** IQ4_NL and IQ4_XS: codes that are looked up while they are read, which gives those of Q8_0. */
const LOOKED_UP = new Set([20, 23]);

/**
 * The type in which a weight is kept.  Vectors are f32 whatever is asked; learned positions stay as they are, as
 * llama.cpp's quantiser leaves them: they are added, not multiplied.
 * @param {TensorEntry} entry
 * @param {Quantize} quantize
 * @param {Config} config
 * @param {number} panelRows  that a panel of quantized weights holds: the engine's limit panel_rows
 * @returns {{ dtype: number, asked: boolean }} asked: whether it is what `quantize` says
 */
export function keptAs(entry, quantize, config, panelRows) {
  const wanted = QUANTIZE[quantize];
  if (entry.shape.length === 1) return { dtype: F32, asked: true };
  const own = LOOKED_UP.has(entry.dtype) ? Q8_0 : entry.dtype;
  if (wanted === null || wanted === own) return { dtype: own, asked: true };
  const possible =
    entry.name !== 'position_embd.weight' && wholeBlocks(entry, wanted) && wholePanels(entry, config, panelRows);
  return wanted === F32 || possible ? { dtype: wanted, asked: true } : { dtype: own, asked: false };
}

/** @param {TensorEntry} entry @param {number} dtype */
function wholeBlocks({ shape }, dtype) {
  return shape[1] % DTYPES[dtype].elements === 0;
}

/** Queries, keys and values of one matrix are read as three: each must begin where a panel does.
 *  @param {TensorEntry} entry @param {Config} config @param {number} panelRows */
function wholePanels({ name }, { heads, kv_heads: kvHeads, d_head: dHead }, panelRows) {
  return !name.endsWith('attn_qkv.weight') || [heads, kvHeads].every((count) => (count * dHead) % panelRows === 0);
}
