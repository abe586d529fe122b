#include "ops/ops.h"

heed_tensor *heed_norm(heed_context *c, const heed_tensor *x, const heed_tensor *w, const heed_tensor *b,
                       heed_norm_kind kind, float eps) {
    if (!x) return NULL;
    heed_tensor *y = heed_tensor_new(c, x->rows, x->columns);
    if (!y) return NULL;
    for (int t = 0; t < x->rows; t++) {
        if (kind == HEED_RMSNORM)
            c->kernels->rmsnorm_f32(heed_row(y, t), heed_row(x, t), w->data, eps, x->columns);
        else
            c->kernels->layernorm_f32(heed_row(y, t), heed_row(x, t), w->data, b->data, eps, x->columns);
    }
    return y;
}
