/* How products of floats are added up: each operation rounded, to the same bits in every engine. */
#include "kernels/lanes.h"

ALWAYS_INLINE v128_t multiply_add(v128_t sum, v128_t a, v128_t b) { return wasm_f32x4_add(sum, wasm_f32x4_mul(a, b)); }

/* wide_simd.h, compiled once: in the product of each type of weights, tiles would be a tenth of a binary. */
#define MULTIPLY_WIDE heed_multiply_wide_simd128
void MULTIPLY_WIDE(float *y, size_t y_stride, const float *x, size_t x_stride, const float *w, size_t w_stride,
                   int rows, int outputs, int n, int add);
