#include "kernels/half.h"
#include "kernels/kernels.h"

void heed_matmul_bf16_scalar(float *y, size_t y_stride, const float *x, size_t x_stride, const uint16_t *w, int T,
                             int O, int K) {
    for (int t = 0; t < T; t++) {
        for (int o = 0; o < O; o++) {
            const float *x_t = x + (size_t)t * x_stride;
            const uint16_t *w_o = w + (size_t)o * K;
            float sum = 0;
            for (int k = 0; k < K; k++) sum += x_t[k] * float_of_bf16(w_o[k]);
            y[(size_t)t * y_stride + o] = sum;
        }
    }
}
