#include "kernels/kernels.h"

/* Trailing zeros of a row are skipped: a masked value must not contribute, even if it is Inf or NaN. */
void heed_weighted_sum_f32_scalar(float *z, size_t z_stride, const float *p, size_t p_stride, const float *v, int T,
                                  int N, int D) {
    for (int t = 0; t < T; t++) {
        float *z_t = z + (size_t)t * z_stride;
        const float *p_t = p + (size_t)t * p_stride;
        int end = N;
        while (end > 0 && p_t[end - 1] == 0) end--;
        for (int d = 0; d < D; d++) {
            float sum = 0;
            for (int j = 0; j < end; j++) sum += p_t[j] * v[(size_t)j * D + d];
            z_t[d] = sum;
        }
    }
}
