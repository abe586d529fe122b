#include "ops/ops.h"

typedef struct norm {
    const heed_kernels *kernels;
    const heed_tensor *x, *w, *b, *y;
    heed_norm_kind kind;
    float eps;
} norm;

static void normalise(const void *operands, int t) {
    const norm *n = operands;
    float *y = heed_row(n->y, t);
    const float *x = heed_row(n->x, t);
    if (n->kind == HEED_RMSNORM)
        n->kernels->rmsnorm_f32(y, x, n->w->data, n->eps, n->x->columns);
    else
        n->kernels->layernorm_f32(y, x, n->w->data, n->b->data, n->eps, n->x->columns);
}

heed_tensor *heed_norm(heed_context *c, const heed_tensor *x, const heed_tensor *w, const heed_tensor *b,
                       heed_norm_kind kind, float eps) {
    if (!x) return NULL;
    heed_tensor *y = heed_tensor_new(c, x->rows, x->columns);
    if (!y) return NULL;
    norm n = {c->kernels, x, w, b, y, kind, eps};
    heed_each_row(c, x->rows, x->columns, normalise, &n);
    return y;
}
