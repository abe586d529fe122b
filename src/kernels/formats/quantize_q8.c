#include <math.h>

#include "kernels/kernels.h"

/* A non-finite block gets a non-finite scale and codes of 0, so its products are NaN and are noticed. */
void heed_quantize_q8_scalar(heed_block_q8 *y, const float *x, int K) {
    for (int b = 0; b < K / HEED_BLOCK; b++, x += HEED_BLOCK) {
        float largest = 0;
        for (int i = 0; i < HEED_BLOCK; i++) {
            float magnitude = fabsf(x[i]);
            if (magnitude > largest || isnan(magnitude)) largest = magnitude;
        }
        float d = largest / 127;
        y[b].d = d;
        for (int i = 0; i < HEED_BLOCK; i++) {
            float code = d > 0 && isfinite(d) ? rintf(x[i] / d) : 0;
            /* A subnormal d is rounded, so 127·d may be below the largest number. */
            y[b].q[i] = (int8_t)fminf(fmaxf(code, -127), 127);
        }
    }
}
