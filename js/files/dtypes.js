/**
 * Weight types of the engine, by GGML's number (src/heed.h, HEED_DTYPES).  A row consists of blocks of `elements`
 * numbers in `bytes` bytes.
 * @typedef {{ name: string, elements: number, bytes: number }} DType
 * @type {Readonly<Record<number, DType>>}
 */
export const DTYPES = Object.freeze({
  0: { name: 'F32', elements: 1, bytes: 4 },
  1: { name: 'F16', elements: 1, bytes: 2 },
  2: { name: 'Q4_0', elements: 32, bytes: 18 },
  3: { name: 'Q4_1', elements: 32, bytes: 20 },
  6: { name: 'Q5_0', elements: 32, bytes: 22 },
  7: { name: 'Q5_1', elements: 32, bytes: 24 },
  8: { name: 'Q8_0', elements: 32, bytes: 34 },
  10: { name: 'Q2_K', elements: 256, bytes: 84 },
  11: { name: 'Q3_K', elements: 256, bytes: 110 },
  12: { name: 'Q4_K', elements: 256, bytes: 144 },
  13: { name: 'Q5_K', elements: 256, bytes: 176 },
  14: { name: 'Q6_K', elements: 256, bytes: 210 },
  20: { name: 'IQ4_NL', elements: 32, bytes: 18 },
  23: { name: 'IQ4_XS', elements: 256, bytes: 136 },
  30: { name: 'BF16', elements: 1, bytes: 2 },
});

/** Names of all weight types, for messages. */
export const DTYPE_NAMES = Object.values(DTYPES).map(({ name }) => name).join(', ');
