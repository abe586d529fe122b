#include "kernels/kernels.h"

/* Trailing zeros of a row are skipped: a masked value must not contribute, even if its scale is Inf or NaN. */
void heed_weighted_sum_i16_scalar(float *z, size_t z_stride, const float *p, size_t p_stride, const heed_codes *v,
                                  int heads, int H, int T, int N, int D) {
    for (int t = 0; t < H * T; t++) {
        float *z_t = z + (size_t)t * z_stride, weighted[HEED_BLOCK];
        const float *p_t = p + (size_t)t * p_stride;
        int16_t code[HEED_BLOCK];
        int end = N;
        while (end > 0 && p_t[end - 1] == 0) end--;
        for (int d = 0; d < D; d++) z_t[d] = 0;
        for (int b = 0; b < end; b += HEED_BLOCK) {
            const heed_codes *values = heed_codes_at(v, D, b / HEED_BLOCK * heads + t / T);
            int n = end - b < HEED_BLOCK ? end - b : HEED_BLOCK;
            for (int j = 0; j < n; j++) weighted[j] = p_t[b + j] * values->d[j];
            float scale = heed_quantize_i16_scalar(code, weighted, n);
            for (int d = 0; d < D; d++) {
                int32_t sum = 0;
                for (int j = 0; j < n; j++) sum += code[j] * values->q[heed_value_at(j, d)];
                z_t[d] += scale * (float)sum;
            }
        }
    }
}
