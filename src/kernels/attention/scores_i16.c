#include "kernels/kernels.h"

void heed_scores_i16_scalar(float *y, size_t y_stride, const int16_t *q, size_t q_stride, const float *dq,
                            size_t dq_stride, const heed_codes *k, int heads, int H, int T, int N, int D) {
    for (int t = 0; t < H * T; t++) {
        for (int j = 0; j < N; j++) {
            const int16_t *q_t = q + (size_t)t * q_stride;
            const heed_codes *keys = heed_codes_at(k, D, j / HEED_BLOCK * heads + t / T);
            float total = 0;
            for (int b = 0; b < D; b += HEED_BLOCK) {
                int32_t sum = 0;
                for (int d = b; d < D && d < b + HEED_BLOCK; d++)
                    sum += q_t[d] * keys->q[heed_key_at(D, j % HEED_BLOCK, d)];
                total += (float)sum;
            }
            y[(size_t)t * y_stride + j] = total * (dq[(size_t)t * dq_stride] * keys->d[j % HEED_BLOCK]);
        }
    }
}
