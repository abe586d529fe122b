#include <math.h>

#include "kernels/kernels.h"

/* Squares that overflow give NaN, because 1 / sqrt(inf) = 0 would hide them in zeros. */
static float scale_of(float squares, float eps, int n) {
    return squares < INFINITY ? 1 / sqrtf(squares / (float)n + eps) : NAN;
}

/* Layer normalization (Ba et al. 2016).  Two passes, because squares of differences keep their digits if the mean is
 * large. */
void heed_layernorm_f32_scalar(float *y, const float *x, const float *w, const float *b, float eps, int n) {
    float sum = 0, squares = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    float mean = sum / (float)n;
    for (int i = 0; i < n; i++) squares += (x[i] - mean) * (x[i] - mean);
    float scale = scale_of(squares, eps, n);
    for (int i = 0; i < n; i++) y[i] = (x[i] - mean) * scale * w[i] + (b ? b[i] : 0);
}

/* Root mean square layer normalization (Zhang and Sennrich 2019). */
void heed_rmsnorm_f32_scalar(float *y, const float *x, const float *w, float eps, int n) {
    float squares = 0;
    for (int i = 0; i < n; i++) squares += x[i] * x[i];
    float scale = scale_of(squares, eps, n);
    for (int i = 0; i < n; i++) y[i] = x[i] * scale * w[i];
}
