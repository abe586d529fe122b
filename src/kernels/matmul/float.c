/* Products with weights of f32, f16 and bf16. */
#include "kernels/half.h"
#include "kernels/kernels.h"

#define MATMUL(dtype, weight, to_float)                                                                                \
    void heed_matmul_##dtype##_scalar(float *y, size_t y_stride, const float *x, size_t x_stride, const weight *w,     \
                                      int T, int O, int K) {                                                           \
        for (int t = 0; t < T; t++) {                                                                                  \
            for (int o = 0; o < O; o++) {                                                                              \
                const float *x_t = x + (size_t)t * x_stride;                                                           \
                const weight *w_o = w + (size_t)o * K;                                                                 \
                float sum = 0;                                                                                         \
                for (int k = 0; k < K; k++) sum += x_t[k] * to_float(w_o[k]);                                          \
                y[(size_t)t * y_stride + o] = sum;                                                                     \
            }                                                                                                          \
        }                                                                                                              \
    }
MATMUL(f32, float, )
MATMUL(f16, uint16_t, float_of_f16)
MATMUL(bf16, uint16_t, float_of_bf16)
