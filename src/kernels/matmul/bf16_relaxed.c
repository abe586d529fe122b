#include "kernels/matmul/floats_relaxed.h"
#include "kernels/kernels.h"
#include "kernels/matmul/weights_bf16_simd.h"

#include "kernels/matmul/float_simd.h"

void heed_matmul_bf16_relaxed(float *y, size_t y_stride, const float *x, size_t x_stride, const uint16_t *w, int T,
                              int O, int K) {
    matmul(y, y_stride, x, x_stride, w, T, O, K);
}
