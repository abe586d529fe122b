/* Sums over weights that are floats by now: what products of every type of float weights share. */
#ifndef HEED_KERNELS_WIDE_SIMD_H
#define HEED_KERNELS_WIDE_SIMD_H

#include "kernels/lanes.h"

ALWAYS_INLINE void multiply_add(v128_t *sum, v128_t a, v128_t b) { *sum = wasm_f32x4_add(*sum, wasm_f32x4_mul(a, b)); }

ALWAYS_INLINE void store_sum(float *y, v128_t sum, int add) { *y = (add ? *y : 0) + sum_lanes(sum); }

/* y[t][o] = Σ_k x[t][k]·w[o][k] over n columns, or added to y : y, x `rows` rows, 2, 3 or a multiple of 4; w `outputs`
 * rows.  Compiled once: in each type's product, tiles would be a tenth of a binary. */
void heed_multiply_wide(float *y, size_t y_stride, const float *x, size_t x_stride, const float *w, size_t w_stride,
                        int rows, int outputs, int n, int add);

#endif
