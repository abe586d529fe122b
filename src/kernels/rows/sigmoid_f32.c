#include <math.h>

#include "kernels/kernels.h"

void heed_tanh_f32_scalar(float *y, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) y[i] = tanhf(x[i]);
}

void heed_sigmoid_f32_scalar(float *y, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) y[i] = 1 / (1 + expf(-x[i]));
}
