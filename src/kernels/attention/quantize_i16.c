#include <math.h>

#include "kernels/kernels.h"

/* A non-finite number gives a non-finite scale and codes of 0, so results are NaN and are noticed. */
float heed_quantize_i16_scalar(int16_t *q, const float *x, int n) {
    float largest = 0;
    for (int i = 0; i < n; i++) {
        float magnitude = fabsf(x[i]);
        if (magnitude > largest || isnan(magnitude)) largest = magnitude;
    }
    float d = largest / HEED_CODE, inverse = isnormal(d) ? 1 / d : 0;
    for (int i = 0; i < n; i++) q[i] = (int16_t)(inverse > 0 ? rintf(x[i] * inverse) : 0);
    return d;
}
