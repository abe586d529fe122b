#include <math.h>

#include "kernels/kernels.h"

void heed_softmax_backward_f32_scalar(float *dx, const float *p, const float *dp, size_t n) {
    float dot = 0;
    for (size_t i = 0; i < n; i++) dot += p[i] * dp[i];
    for (size_t i = 0; i < n; i++) dx[i] += p[i] * (dp[i] - dot);
}

void heed_norm_backward_f32_scalar(float *dx, float *stats, const float *x, const float *w, const float *dy,
                                   int centered, float eps, int n) {
    float mean = 0, square = 0, sum = 0, along = 0;
    for (int i = 0; i < n; i++) mean += x[i];
    mean = centered ? mean / (float)n : 0;
    for (int i = 0; i < n; i++) square += (x[i] - mean) * (x[i] - mean);
    float inverse = 1 / sqrtf(square / (float)n + eps);
    for (int i = 0; i < n; i++) {
        float g = dy[i] * w[i];
        sum += g;
        along += g * ((x[i] - mean) * inverse);
    }
    sum = centered ? sum / (float)n : 0;
    along /= (float)n;
    for (int i = 0; i < n; i++) dx[i] += inverse * (dy[i] * w[i] - sum - (x[i] - mean) * inverse * along);
    stats[0] = mean;
    stats[1] = inverse;
}
