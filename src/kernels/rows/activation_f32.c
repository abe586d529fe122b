#include <math.h>

#include "kernels/kernels.h"

/* Gaussian error linear units (Hendrycks and Gimpel 2016), by tanh as GPT-2 has them, and exact. */
void heed_gelu_tanh_f32_scalar(float *y, const float *x, size_t n) {
    const float sqrt_2_over_pi = 0.79788456f;
    for (size_t i = 0; i < n; i++) {
        float v = x[i];
        y[i] = 0.5f * v * (1 + tanhf(sqrt_2_over_pi * (v + 0.044715f * v * v * v)));
    }
}

void heed_gelu_erf_f32_scalar(float *y, const float *x, size_t n) {
    const float sqrt_half = 0.70710678f;
    for (size_t i = 0; i < n; i++) y[i] = 0.5f * x[i] * (1 + erff(x[i] * sqrt_half));
}

void heed_silu_f32_scalar(float *y, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) y[i] = x[i] / (1 + expf(-x[i]));
}

void heed_relu_f32_scalar(float *y, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) y[i] = x[i] < 0 ? 0 : x[i]; /* NaN stays NaN */
}
