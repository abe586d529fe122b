/** Writes adapters as GGUF files of llama.cpp (convert_lora_to_gguf.py, llama-adapter.cpp). */
import { HeedError, quoted } from '../../errors.js';
import { MAX_RANK, readAdapter } from '../../files/adapter.js';
import { float32, string, writeGguf } from '../../files/gguf/writer.js';
import { openNamedModel } from '../../files/named.js';
import { guarded } from '../../guard.js';
import { fitAdapter } from '../../model/adapter.js';
import { needOptions } from '../../options.js';

/**
 * Writes an adapter as a GGUF file, which llama.cpp loads beside the GGUF file of its model (`--lora`), and `load`
 * takes as `adapter`.  Its numbers are floats of 32 bits.
 * @param {import('../../model/load.js').ModelSource} source  the model that the adapter was trained on
 * @param {import('../../files/adapter.js').AdapterSource} adapter  files of the adapter, as `fineTune` returns them
 * @param {{ signal?: AbortSignal }} [options]  signal: aborts reading
 * @returns {Promise<Uint8Array<ArrayBuffer>>} bytes of the file
 * @throws {HeedError} 'bad-argument', 'bad-tensor' for an adapter of another model, 'unsupported' for factors that one
 *   alpha other than 0 cannot express, and the errors of `load`
 * @type {(source: import('../../model/load.js').ModelSource, adapter: import('../../files/adapter.js').AdapterSource,
 *   options?: { signal?: AbortSignal }) => Promise<Uint8Array<ArrayBuffer>>}
 */
export const adapterToGguf = guarded('adapterToGguf', async (source, adapter, options = {}) => {
  needOptions('adapterToGguf', options, ['signal']);
  const { signal = null } = options;
  const read = await readAdapter(adapter, signal);
  const file = await openNamedModel(source, { signal });
  try {
    const matrices = fitAdapter(read, file, MAX_RANK);
    // llama.cpp multiplies by alpha / rank, with the rank of each matrix.
    const [alpha, ...others] = new Set(matrices.map(({ rank, scale }) => Math.fround(rank * scale)));
    if (others.length > 0) {
      throw new HeedError('unsupported', `${quoted(read.name)} has ranks that need several values of alpha: ` +
        `${[alpha, ...others].join(', ')}. A GGUF adapter has one.`);
    }
    if (alpha === 0) {
      throw new HeedError('unsupported', `${quoted(read.name)} has alpha 0, which a GGUF adapter cannot express: ` +
        'llama.cpp reads 0 as a factor of 1.');
    }
    return await writeGguf({
      metadata: {
        'general.type': string('adapter'),
        'general.architecture': string(file.architecture),
        'adapter.type': string('lora'),
        'adapter.lora.alpha': float32(alpha),
      },
      tensors: matrices.flatMap(({ slot, rank, a, b }) => [
        { name: `${slot}.lora_a`, type: 'f32', shape: [rank, a.length / rank], data: a },
        { name: `${slot}.lora_b`, type: 'f32', shape: [b.length / rank, rank], data: b },
      ]),
    });
  } finally {
    await file.close();
  }
});
