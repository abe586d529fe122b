#include "ops/ops.h"

/* Quantised once, however many products read it. */
static const heed_block_q8 *quantised(heed_context *c, heed_tensor *x) {
    if (!x->q8) {
        size_t blocks = (size_t)x->columns / HEED_BLOCK;
        heed_block_q8 *q = heed_arena_take(c->arena, (size_t)x->rows * blocks, sizeof *q);
        if (!q) {
            heed_fail(c->error, HEED_ERROR_MEMORY, "the run needs more memory than its arena of %u bytes",
                      c->arena->size);
            return NULL;
        }
        for (int t = 0; t < x->rows; t++) c->kernels->quantize_q8(q + (size_t)t * blocks, heed_row(x, t), x->columns);
        x->q8 = q;
    }
    return x->q8;
}

heed_tensor *heed_linear(heed_context *c, heed_tensor *x, const heed_tensor *w, const heed_tensor *b) {
    if (!x) return NULL;
    const heed_kernels *k = c->kernels;
    int T = x->rows, O = w->rows, K = w->columns;
    heed_tensor *y = heed_tensor_new(c, T, O);
    if (!y) return NULL;
    switch (w->dtype) {
    case HEED_F32: k->matmul_f32(y->data, y->stride, x->data, x->stride, w->data, T, O, K); break;
    case HEED_F16: k->matmul_f16(y->data, y->stride, x->data, x->stride, w->data, T, O, K); break;
    case HEED_BF16: k->matmul_bf16(y->data, y->stride, x->data, x->stride, w->data, T, O, K); break;
    case HEED_Q8_0:
    case HEED_Q4_0: {
        const heed_block_q8 *q = quantised(c, x);
        if (!q) return NULL;
        if (w->dtype == HEED_Q8_0)
            k->matmul_q8_0(y->data, y->stride, q, w->data, T, O, K);
        else
            k->matmul_q4_0(y->data, y->stride, q, w->data, T, O, K);
        break;
    }
    }
    if (heed_has(b))
        for (int t = 0; t < T; t++) k->add_f32(heed_row(y, t), heed_row(y, t), b->data, (size_t)O);
    return y;
}
