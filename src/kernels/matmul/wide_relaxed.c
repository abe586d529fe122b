#include "kernels/matmul/floats_relaxed.h"
#include "kernels/matmul/wide_simd.h"

void MULTIPLY_WIDE(float *y, size_t y_stride, const float *x, size_t x_stride, const float *w, size_t w_stride,
                   int rows, int outputs, int n, int add) {
    multiply_wide(y, y_stride, x, x_stride, w, w_stride, rows, outputs, n, add);
}
