/** Replaces js/engine/binaries.js in the single module, which contains the binaries in compressed form. */
import BINARIES from 'heed:binaries';

/** @typedef {import('../../../js/engine/binaries.js').BinaryName} BinaryName */

export { BINARIES };

/** @param {BinaryName} name @returns {Promise<BufferSource>} */
export async function readBinary(name) {
  const bytes = Uint8Array.from(atob(BINARIES[name]), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

/** The place of a binary, for error messages. @param {BinaryName} name */
export const whereIs = (name) => `${name} inside heed.single.js`;
