#include "kernels/kernels.h"

void heed_scores_i16_scalar(float *y, size_t y_stride, const int16_t *q, size_t q_stride, const float *dq,
                            size_t dq_stride, const int16_t *k, const float *dk, int T, int N, int D) {
    for (int t = 0; t < T; t++) {
        for (int j = 0; j < N; j++) {
            const int16_t *q_t = q + (size_t)t * q_stride;
            float total = 0;
            for (int b = 0; b < D; b += HEED_BLOCK) {
                int32_t sum = 0;
                for (int d = b; d < D && d < b + HEED_BLOCK; d++) sum += q_t[d] * k[heed_key_at(D, j, d)];
                total += (float)sum;
            }
            y[(size_t)t * y_stride + j] = total * (dq[(size_t)t * dq_stride] * dk[j]);
        }
    }
}
