#include <math.h>

#include "kernels/set.h"

/* Numbers that are not finite have a scale that is not and codes of 0: what is made of them is NaN and is seen. */
float heed_quantize_i16_scalar(int16_t *q, const float *x, int n) {
    float largest = 0;
    for (int i = 0; i < n; i++) {
        float magnitude = fabsf(x[i]);
        if (magnitude > largest || isnan(magnitude)) largest = magnitude;
    }
    float d = largest / HEED_CODE;
    for (int i = 0; i < n; i++) {
        float code = d > 0 && isfinite(d) ? rintf(x[i] / d) : 0;
        /* A subnormal d is itself rounded, and may be too small for its steps to reach the largest. */
        q[i] = (int16_t)fminf(fmaxf(code, -HEED_CODE), HEED_CODE);
    }
    return d;
}
