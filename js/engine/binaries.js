/** Where the compiled engine lies, and its bytes. */
import { nodeModule } from '../node.js';

/** Without and with relaxed SIMD, for one thread and for several that share a memory. */
const BINARIES = {
  'heed': new URL('../../dist/heed.wasm', import.meta.url),
  'heed-mt': new URL('../../dist/heed-mt.wasm', import.meta.url),
  'heed-relaxed': new URL('../../dist/heed-relaxed.wasm', import.meta.url),
  'heed-relaxed-mt': new URL('../../dist/heed-relaxed-mt.wasm', import.meta.url),
};
const IS_NODE = typeof process === 'object' && typeof process?.versions?.node === 'string';

/** @typedef {keyof typeof BINARIES} BinaryName */

/** @param {BinaryName} name @returns {Promise<BufferSource>} */
export async function readBinary(name) {
  const address = BINARIES[name];
  if (IS_NODE) {
    /** @type {typeof import('node:fs/promises')} */
    const { readFile } = await nodeModule('node:fs/promises');
    return new Uint8Array(await readFile(address));
  }
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

/** The place of a binary, for the sentence of an error. @param {BinaryName} name */
export const whereIs = (name) => `at ${BINARIES[name].href}`;
