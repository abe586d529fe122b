/* How products of floats are added up: with one rounding where the machine has such an instruction, with two where it
 * has not; one engine does all of them alike. */
#include "kernels/lanes.h"

ALWAYS_INLINE v128_t multiply_add(v128_t sum, v128_t a, v128_t b) {
    return __builtin_wasm_relaxed_madd_f32x4(a, b, sum);
}

/* wide_simd.h, compiled once: in the product of each type of weights, tiles would be a tenth of a binary. */
#define MULTIPLY_WIDE heed_multiply_wide_relaxed
void MULTIPLY_WIDE(float *y, size_t y_stride, const float *x, size_t x_stride, const float *w, size_t w_stride,
                   int rows, int outputs, int n, int add);
