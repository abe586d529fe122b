#include <math.h>

#include "kernels/kernels.h"

/* u = √(2/π)(x + 0.044715x³), f = x/2·(1 + tanh u): f' = (1 + tanh u)/2 + x/2·(1 - tanh² u)·u' */
void heed_gelu_tanh_backward_f32_scalar(float *dx, const float *x, const float *dy, size_t n) {
    const float sqrt_2_over_pi = 0.79788456f;
    for (size_t i = 0; i < n; i++) {
        float v = x[i], slope = sqrt_2_over_pi * (1 + 3 * 0.044715f * v * v);
        float t = tanhf(sqrt_2_over_pi * (v + 0.044715f * v * v * v));
        dx[i] += dy[i] * (0.5f * (1 + t) + 0.5f * v * (1 - t * t) * slope);
    }
}

/* f = x·Φ(x): f' = Φ(x) + x·φ(x) */
void heed_gelu_erf_backward_f32_scalar(float *dx, const float *x, const float *dy, size_t n) {
    const float sqrt_half = 0.70710678f, density = 0.39894228f;
    for (size_t i = 0; i < n; i++) {
        float v = x[i];
        dx[i] += dy[i] * (0.5f * (1 + erff(v * sqrt_half)) + v * density * expf(-0.5f * v * v));
    }
}

/* f = x·σ: f' = σ·(1 + x·(1 - σ)) */
void heed_silu_backward_f32_scalar(float *dx, const float *x, const float *dy, size_t n) {
    for (size_t i = 0; i < n; i++) {
        float s = 1 / (1 + expf(-x[i]));
        dx[i] += dy[i] * s * (1 + x[i] * (1 - s));
    }
}
