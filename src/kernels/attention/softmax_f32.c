#include <math.h>

#include "kernels/kernels.h"

float heed_max_f32_scalar(const float *x, size_t n) {
    float largest = x[0];
    for (size_t i = 1; i < n; i++) {
        if (x[i] > largest) largest = x[i];
    }
    return largest;
}

float heed_sumexp_f32_scalar(const float *x, float shift, size_t n) {
    float sum = 0;
    for (size_t i = 0; i < n; i++) sum += expf(x[i] - shift);
    return sum;
}

int heed_softmax_f32_scalar(float *x, int n) {
    if (n <= 0) return 0;
    float largest = heed_max_f32_scalar(x, (size_t)n);
    if (largest == -INFINITY) largest = 0; /* all masked: exp(-inf - 0) = 0, but -inf + inf is NaN */
    float sum = 0;
    for (int i = 0; i < n; i++) {
        x[i] = expf(x[i] - largest);
        sum += x[i];
    }
    if (sum == 0) return 0;
    float inverse_sum = 1 / sum;
    for (int i = 0; i < n; i++) x[i] *= inverse_sum;
    return sum > 0;
}
