/** The files of the compiled engine. */
import { nodeModule } from '../node.js';

/** Binaries without and with relaxed SIMD; `mt` for several threads that share one memory.
 *  wasm64.js adds those with 64-bit memory. @type {Record<string, URL>} */
export const BINARIES = {
  'heed': new URL('../../dist/heed.wasm', import.meta.url),
  'heed-mt': new URL('../../dist/heed-mt.wasm', import.meta.url),
  'heed-relaxed': new URL('../../dist/heed-relaxed.wasm', import.meta.url),
  'heed-relaxed-mt': new URL('../../dist/heed-relaxed-mt.wasm', import.meta.url),
};
const IS_NODE = typeof process === 'object' && typeof process?.versions?.node === 'string';

/** @typedef {`heed${'' | '-relaxed'}${'' | '-mt'}${'' | '-64'}`} BinaryName */

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

/** The address of a binary, for error messages. @param {BinaryName} name */
export const whereIs = (name) => `at ${BINARIES[name].href}`;
