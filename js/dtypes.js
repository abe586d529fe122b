/**
 * Types of stored numbers that the engine computes with, by GGML's number (src/heed.h, HEED_DTYPES).
 * A row is a whole number of blocks of `elements` numbers in `bytes` bytes.
 * @typedef {{ name: string, elements: number, bytes: number }} DType
 * @type {Readonly<Record<number, DType>>}
 */
export const DTYPES = Object.freeze({
  0: { name: 'F32', elements: 1, bytes: 4 },
  1: { name: 'F16', elements: 1, bytes: 2 },
  2: { name: 'Q4_0', elements: 32, bytes: 18 },
  8: { name: 'Q8_0', elements: 32, bytes: 34 },
  30: { name: 'BF16', elements: 1, bytes: 2 },
});

/** For sentences: what heed can read. */
export const DTYPE_NAMES = Object.values(DTYPES).map(({ name }) => name).join(', ');
