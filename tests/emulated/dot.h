/* Relaxed instructions by base SIMD, for tests: included before every relaxed kernel of build/emulated (Makefile).
 * So the kernels of whole bytes run on any machine, with exact sums for u8 or s8, or with saturating sums. */
#ifndef HEED_EMULATED_DOT_H
#define HEED_EMULATED_DOT_H

#include <wasm_simd128.h>

/* c + the products of x and codes, four a lane, as the chosen engine computes them. */
v128_t heed_emulated_dot(v128_t x, v128_t codes, v128_t c);
/* Sums of two products in 16 bits: codes have seven bits at most. */
v128_t heed_emulated_pairs(v128_t x, v128_t codes);

#define wasm_i32x4_relaxed_dot_i8x16_i7x16_add heed_emulated_dot
#define wasm_i16x8_relaxed_dot_i8x16_i7x16 heed_emulated_pairs
#define __builtin_wasm_relaxed_madd_f32x4(a, b, c) wasm_f32x4_add(wasm_f32x4_mul(a, b), c)

#endif
