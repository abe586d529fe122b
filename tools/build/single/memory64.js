/** Replaces js/memory64.js in the single module, which has no binaries for 64-bit memory. */

export const MEMORY64_LIMIT = 2 ** 34;

/** @returns {string | null} */
export const whyNotMemory64 = () => 'heed.single.js has no 64-bit memory, and heed.js has it';
