#include "kernels/kernels.h"

void heed_add_scaled_f32_scalar(float *y, const float *x, float scale, size_t n) {
    for (size_t i = 0; i < n; i++) y[i] += scale * x[i];
}

void heed_add_product_f32_scalar(float *y, const float *a, const float *b, size_t n) {
    for (size_t i = 0; i < n; i++) y[i] += a[i] * b[i];
}
