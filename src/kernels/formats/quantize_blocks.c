#include <math.h>

#include "kernels/half.h"
#include "kernels/kernels.h"

/* 1 / d, or 0 if it is not finite; the codes of a block with scale 0 do not matter. */
static float inverse(float d) {
    float inverse = d != 0 ? 1 / d : 0;
    return isfinite(inverse) ? inverse : 0;
}

void heed_quantize_q8_0_scalar(heed_block_q8_0 *y, const float *x, int K) {
    for (int b = 0; b < K / HEED_BLOCK; b++, x += HEED_BLOCK) {
        float largest = 0;
        for (int i = 0; i < HEED_BLOCK; i++) largest = fmaxf(largest, fabsf(x[i]));
        float d = largest / 127, id = inverse(d);
        y[b].d = f16_of_float(d);
        for (int i = 0; i < HEED_BLOCK; i++) y[b].q[i] = (int8_t)roundf(x[i] * id);
    }
}

/* The largest magnitude (the first of equal ones) becomes the code -8, for either sign. */
void heed_quantize_q4_0_scalar(heed_block_q4_0 *y, const float *x, int K) {
    for (int b = 0; b < K / HEED_BLOCK; b++, x += HEED_BLOCK) {
        float largest = 0;
        for (int i = 0; i < HEED_BLOCK; i++)
            if (fabsf(x[i]) > fabsf(largest)) largest = x[i];
        float d = largest / -8, id = inverse(d);
        y[b].d = f16_of_float(d);
        for (int i = 0; i < HEED_BLOCK / 2; i++) {
            int low = (int)(x[i] * id + 8.5f), high = (int)(x[i + HEED_BLOCK / 2] * id + 8.5f);
            y[b].q[i] = (uint8_t)((low < 15 ? low : 15) | (high < 15 ? high : 15) << 4);
        }
    }
}
