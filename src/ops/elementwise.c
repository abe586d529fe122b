#include "ops/ops.h"

heed_tensor *heed_activation(heed_context *c, const heed_tensor *x, heed_activation_kind kind) {
    if (!x) return NULL;
    heed_tensor *y = heed_tensor_new(c, x->rows, x->columns);
    if (!y) return NULL;
    const heed_kernels *k = c->kernels;
    void (*f)(float *, const float *, size_t) = kind == HEED_GELU_TANH  ? k->gelu_tanh_f32
                                                : kind == HEED_GELU_ERF ? k->gelu_erf_f32
                                                : kind == HEED_SILU     ? k->silu_f32
                                                                        : k->relu_f32;
    for (int t = 0; t < x->rows; t++) f(heed_row(y, t), heed_row(x, t), (size_t)x->columns);
    return y;
}

static heed_tensor *combine(heed_context *c, const heed_tensor *a, const heed_tensor *b,
                            void (*f)(float *, const float *, const float *, size_t)) {
    if (!a || !b) return NULL;
    heed_tensor *y = heed_tensor_new(c, a->rows, a->columns);
    if (!y) return NULL;
    for (int t = 0; t < a->rows; t++) f(heed_row(y, t), heed_row(a, t), heed_row(b, t), (size_t)a->columns);
    return y;
}

heed_tensor *heed_add(heed_context *c, const heed_tensor *a, const heed_tensor *b) {
    return combine(c, a, b, c->kernels->add_f32);
}

heed_tensor *heed_mul(heed_context *c, const heed_tensor *a, const heed_tensor *b) {
    return combine(c, a, b, c->kernels->mul_f32);
}
