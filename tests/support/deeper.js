/** Tiny models with more blocks: large enough that fixed costs are small beside them. */
import { asFloats } from '../../js/files/safetensors/change.js';
import { writeSafetensors } from '../../js/files/safetensors/writer.js';

/** GGML's numbers. @type {Record<string, number>} */
const DTYPES = { F32: 0, F16: 1, BF16: 30 };
const COUNTS = /^(num_(hidden_|decoder_)?layers|(encoder|decoder)_layers|n_layers?)$/;

/**
 * Repeats the last block of each stack.
 * @param {{ weights: Uint8Array, config: Record<string, any> }} files  of Hugging Face
 * @param {number} layers  of each stack
 * @returns {{ weights: Uint8Array, config: Record<string, any> }} with weights as F32
 */
export function deeper({ weights, config, ...rest }, layers) {
  const { buffer, byteOffset } = weights;
  const length = Number(new DataView(buffer, byteOffset).getBigUint64(0, true));
  /** @type {Record<string, { dtype: string, shape: number[], data_offsets: [number, number] }>} */
  const header = JSON.parse(new TextDecoder().decode(weights.subarray(8, 8 + length)));
  const tensors = Object.entries(header).flatMap(([name, { dtype, shape, data_offsets: [from, to] = [0, 0] }]) => {
    if (name === '__metadata__') return [];
    const data = asFloats(weights.subarray(8 + length + from, 8 + length + to), DTYPES[dtype]);
    const [, before = '', block, after = ''] = /^(.*?\.)(\d+)(\..*)$/.exec(name) ?? [];
    const isLast = block !== undefined &&
      !Object.keys(header).some((other) => other.startsWith(`${before}${Number(block) + 1}.`));
    const names = !isLast ? [name]
      : Array.from({ length: layers - Number(block) }, (_, i) => `${before}${Number(block) + i}${after}`);
    return names.map((each) => [each, { dtype: 'F32', shape, data }]);
  });
  return { ...rest, weights: writeSafetensors(Object.fromEntries(tensors), {}), config: counted(config, layers) };
}

/** @param {Record<string, any>} config @param {number} layers @returns {Record<string, any>} */
function counted(config, layers) {
  return Object.fromEntries(Object.entries(config).map(([key, value]) => {
    if (COUNTS.test(key)) return [key, layers];
    if (key === 'layer_types') return [key, Array(layers).fill(value.at(-1))];
    if (key === 'attention_types') return [key, [[['global', 'local'], layers / 2]]];
    return [key, key.endsWith('_config') ? counted(value, layers) : value];
  }));
}
