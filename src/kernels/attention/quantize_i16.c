#include <math.h>

#include "kernels/kernels.h"

/* Numbers that are not finite have a scale that is not and codes of 0: what is made of them is NaN and is seen. */
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
