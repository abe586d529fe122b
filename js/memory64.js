/** 64-bit WebAssembly memory: whether this engine has it. */

/** Bytes of memory that engines allow with 64-bit addresses: 16 GB. */
export const MEMORY64_LIMIT = 2 ** 34;

/** A module with a table and a memory of 64-bit addresses.  Node.js 22 accepts only the memory, and cannot make one. */
const PROBE = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[4, 4, 1, 0x70, 4, 0], // (table i64 0 funcref)
  ...[5, 3, 1, 4, 1], // (memory i64 1)
);

/** The reason why this engine has no 64-bit memory, as the end of a sentence; null if it has.
 *  @returns {string | null} */
export const whyNotMemory64 = () => (WebAssembly.validate(PROBE) ? null
  : 'this WebAssembly engine has no 64-bit memory (Chrome and Edge 133, Firefox 134 and Node.js 24 have it)');
