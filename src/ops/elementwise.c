#include "ops/ops.h"

typedef struct activation {
    void (*f)(float *, const float *, size_t);
    const heed_tensor *x, *y;
} activation;

static void activate(const void *operands, int t) {
    const activation *a = operands;
    a->f(heed_row(a->y, t), heed_row(a->x, t), (size_t)a->x->columns);
}

heed_tensor *heed_activation(heed_context *c, const heed_tensor *x, heed_activation_kind kind) {
    if (!x) return NULL;
    heed_tensor *y = heed_tensor_new(c, x->rows, x->columns);
    if (!y) return NULL;
    const heed_kernels *k = c->kernels;
    activation a = {kind == HEED_GELU_TANH  ? k->gelu_tanh_f32
                    : kind == HEED_GELU_ERF ? k->gelu_erf_f32
                    : kind == HEED_SILU     ? k->silu_f32
                                            : k->relu_f32,
                    x, y};
    heed_each_row(c, x->rows, x->columns, activate, &a);
    return y;
}

typedef struct pairing {
    void (*f)(float *, const float *, const float *, size_t);
    const heed_tensor *a, *b, *y;
} pairing;

static void pair(const void *operands, int t) {
    const pairing *p = operands;
    p->f(heed_row(p->y, t), heed_row(p->a, t), heed_row(p->b, t), (size_t)p->a->columns);
}

static heed_tensor *combine(heed_context *c, const heed_tensor *a, const heed_tensor *b,
                            void (*f)(float *, const float *, const float *, size_t)) {
    if (!a || !b) return NULL;
    heed_tensor *y = heed_tensor_new(c, a->rows, a->columns);
    if (!y) return NULL;
    pairing p = {f, a, b, y};
    heed_each_row(c, a->rows, a->columns, pair, &p);
    return y;
}

heed_tensor *heed_add(heed_context *c, const heed_tensor *a, const heed_tensor *b) {
    return combine(c, a, b, c->kernels->add_f32);
}

heed_tensor *heed_mul(heed_context *c, const heed_tensor *a, const heed_tensor *b) {
    return combine(c, a, b, c->kernels->mul_f32);
}
