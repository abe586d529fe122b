/**
 * Writes a safetensors file.
 * @param {Record<string, { dtype: string, shape: number[], data: ArrayBufferView }>} tensors  numbers by name
 * @param {Record<string, string>} metadata  texts for the file's header
 * @returns {Uint8Array<ArrayBuffer>}
 * @see https://huggingface.co/docs/safetensors
 */
export function writeSafetensors(tensors, metadata) {
  /** @type {Record<string, unknown>} */
  const header = { __metadata__: metadata };
  let end = 0;
  for (const [name, { dtype, shape, data }] of Object.entries(tensors)) {
    header[name] = { dtype, shape, data_offsets: [end, end + data.byteLength] };
    end += data.byteLength;
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const length = Math.ceil(text.length / 8) * 8; // the data begin at a multiple of 8
  const file = new Uint8Array(8 + length + end).fill(0x20, 8, 8 + length);
  new DataView(file.buffer).setBigUint64(0, BigInt(length), true);
  file.set(text, 8);
  let at = 8 + length;
  for (const { data } of Object.values(tensors)) {
    file.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    at += data.byteLength;
  }
  return file;
}
