#include "kernels/half.h"
#include "kernels/kernels.h"

void heed_widen_f16_scalar(float *y, const uint16_t *x, size_t n) {
    for (size_t i = 0; i < n; i++) y[i] = float_of_f16(x[i]);
}

void heed_widen_bf16_scalar(float *y, const uint16_t *x, size_t n) {
    for (size_t i = 0; i < n; i++) y[i] = float_of_bf16(x[i]);
}
