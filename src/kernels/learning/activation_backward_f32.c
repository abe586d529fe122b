#include <math.h>

#include "kernels/kernels.h"

/* Where f = x·s(x), s follows from f.  Below this |x|, f may be too small for a division, and s is 1/2. */
static const float smallest = 1e-37f;

static float factor(float x, float y) { return fabsf(x) < smallest ? 0.5f : y / x; }

/* s = (1 + tanh u)/2, u = √(2/π)·(x + 0.044715x³): f' = s + f·(1 - s)·2u'.  Beyond |x| = 100, f·(1 - s) is 0, and u'
 * stays finite. */
void heed_gelu_tanh_backward_f32_scalar(float *dx, const float *x, const float *y, const float *dy, size_t n) {
    const float sqrt_2_over_pi = 0.79788456f;
    for (size_t i = 0; i < n; i++) {
        float s = factor(x[i], y[i]), x2 = x[i] * x[i] < 1e4f ? x[i] * x[i] : 1e4f;
        float slope = 2 * sqrt_2_over_pi * (1 + 3 * 0.044715f * x2);
        dx[i] += dy[i] * (s + y[i] * (1 - s) * slope);
    }
}

/* s = Φ(x): f' = s + x·φ(x) */
void heed_gelu_erf_backward_f32_scalar(float *dx, const float *x, const float *y, const float *dy, size_t n) {
    const float density = 0.39894228f;
    for (size_t i = 0; i < n; i++) dx[i] += dy[i] * (factor(x[i], y[i]) + x[i] * density * expf(-0.5f * x[i] * x[i]));
}

/* s = σ(x): f' = s + f·(1 - s) */
void heed_silu_backward_f32_scalar(float *dx, const float *x, const float *y, const float *dy, size_t n) {
    for (size_t i = 0; i < n; i++) {
        float s = factor(x[i], y[i]);
        dx[i] += dy[i] * (s + y[i] * (1 - s));
    }
}
