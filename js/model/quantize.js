/** The option `quantize` of load(): the type of each weight in memory. */
import { HeedError, quoted } from '../errors.js';
import { DTYPES } from '../files/dtypes.js';

/** @typedef {import('../files/weights.js').TensorEntry} TensorEntry */
/** @typedef {import('../files/config.js').Config} Config */
/** Weight type to convert to; 'keep': the types of the file. @typedef {'keep' | 'f32' | 'q8_0' | 'q4_0'} Quantize */

// GGML's numbers.
const F32 = 0;
const Q4_0 = 2;
const Q8_0 = 8;

/** GGML's number of each type; null: the type of the file. @type {Readonly<Record<Quantize, number | null>>} */
export const QUANTIZE = Object.freeze({ keep: null, f32: F32, q8_0: Q8_0, q4_0: Q4_0 });

/** @param {Pick<import('./load.js').LoadOptions, 'quantize'>} options
 *  @throws {HeedError} 'bad-argument' */
export function checkQuantize({ quantize = 'keep' }) {
  if (Object.hasOwn(QUANTIZE, quantize)) return;
  throw new HeedError(
    'bad-argument',
    `Expected quantize to be one of ${Object.keys(QUANTIZE).join(', ')}; got ${quoted(quantize)}.`,
  );
}

/** IQ4_NL and IQ4_XS, which become Q8_0 while they load: their codes are indices into a table of 8-bit values. */
const LOOKED_UP = new Set([20, 23]);

/** Weights that keep their type, as in llama.cpp's quantizer: positions and segments, which are added, and routers,
 *  which choose experts. */
const EXACT = /position_embd|token_types|gate_inp/;

/**
 * The type of a weight in memory.  Vectors are always f32.
 * @param {TensorEntry} entry
 * @param {Quantize} quantize
 * @param {Config} config
 * @param {number} panelRows  number of rows that quantized products read together
 * @returns {{ dtype: number, isWanted: boolean }} isWanted: whether `quantize` could be applied
 */
export function keptAs(entry, quantize, config, panelRows) {
  const wanted = QUANTIZE[quantize];
  if (entry.shape.length === 1) return { dtype: F32, isWanted: true };
  const own = LOOKED_UP.has(entry.dtype) ? Q8_0 : entry.dtype;
  if (wanted === null || wanted === own) return { dtype: own, isWanted: true };
  const possible =
    !EXACT.test(entry.name) && wholeBlocks(entry, wanted) && wholePanels(entry, config, panelRows);
  return wanted === F32 || possible ? { dtype: wanted, isWanted: true } : { dtype: own, isWanted: false };
}

/** @param {TensorEntry} entry @param {number} dtype */
function wholeBlocks({ shape }, dtype) {
  return shape[1] % DTYPES[dtype].elements === 0;
}

/** Whether a matrix of queries, keys and values together can be split into three at boundaries of panels.
 *  @param {TensorEntry} entry @param {Config} config @param {number} panelRows */
function wholePanels({ name }, { heads, kv_heads: kvHeads, d_head: dHead }, panelRows) {
  return !name.endsWith('attn_qkv.weight') || [heads, kvHeads].every((count) => (count * dHead) % panelRows === 0);
}
