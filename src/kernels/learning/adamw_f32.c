#include "kernels/kernels.h"

#include <math.h>

void heed_adamw_f32_scalar(float *w, float *m, float *v, const float *g, const float *s, size_t n) {
    for (size_t i = 0; i < n; i++) {
        m[i] = s[0] * m[i] + (1 - s[0]) * g[i];
        v[i] = s[1] * v[i] + (1 - s[1]) * g[i] * g[i];
        w[i] = w[i] * s[2] - s[3] * m[i] / (sqrtf(v[i]) / s[4] + s[5]);
    }
}
