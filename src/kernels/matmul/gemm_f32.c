#include "kernels/kernels.h"

void heed_gemm_f32_scalar(float *y, size_t y_stride, const float *a, size_t a_row, size_t a_column, const float *b,
                          size_t b_row, size_t b_column, int M, int N, int K, int add, float scale) {
    for (int m = 0; m < M; m++) {
        for (int n = 0; n < N; n++) {
            float *at = y + (size_t)m * y_stride + n;
            float sum = add ? *at : 0;
            for (int k = 0; k < K; k++)
                sum +=
                    scale * a[(size_t)m * a_row + (size_t)k * a_column] * b[(size_t)k * b_row + (size_t)n * b_column];
            *at = sum;
        }
    }
}
