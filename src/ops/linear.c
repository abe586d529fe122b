#include "ops/ops.h"

/* Quantised once, however many products read it. */
static const heed_block_q8 *quantised(heed_context *c, heed_tensor *x) {
    if (!x->q8) {
        size_t blocks = (size_t)x->columns / HEED_BLOCK;
        heed_block_q8 *q = heed_arena_take(c->arena, (size_t)x->rows * blocks, sizeof *q);
        if (!q) return heed_out_of_memory(c);
        for (int t = 0; t < x->rows; t++) c->kernels->quantize_q8(q + (size_t)t * blocks, heed_row(x, t), x->columns);
        x->q8 = q;
    }
    return x->q8;
}

/* y = x·Wᵀ, to be shared out by rows of W. */
typedef struct product {
    const heed_kernels *kernels;
    const heed_tensor *x, *w, *y;
    const heed_block_q8 *q; /* x as the product with quantised weights reads it */
} product;

/* Rows that a thread takes at once: whole cache lines of y, and whole panels. */
enum { GRAIN = 16 };

static void multiply(void *argument, int part, int parts, int thread) {
    (void)thread;
    const product *p = argument;
    const heed_kernels *k = p->kernels;
    const heed_tensor *x = p->x, *y = p->y;
    int T = y->rows, K = p->w->columns;
    int from = heed_share(p->w->rows, part, parts, GRAIN), O = heed_share(p->w->rows, part + 1, parts, GRAIN) - from;
    const void *w = (const char *)p->w->data + heed_matrix_bytes(p->w->dtype, from, K);
    float *to = heed_row(y, 0) + from;
    switch (p->w->dtype) {
    case HEED_F32: k->matmul_f32(to, y->stride, x->data, x->stride, w, T, O, K); break;
    case HEED_F16: k->matmul_f16(to, y->stride, x->data, x->stride, w, T, O, K); break;
    case HEED_BF16: k->matmul_bf16(to, y->stride, x->data, x->stride, w, T, O, K); break;
    case HEED_Q8_0: k->matmul_q8_0(to, y->stride, p->q, w, T, O, K); break;
    case HEED_Q4_0: k->matmul_q4_0(to, y->stride, p->q, w, T, O, K); break;
    case HEED_IQ4_NL: /* panels of Q8_0 since they settled */
    case HEED_IQ4_XS: break;
#define X(NAME, name, ...)                                                                                             \
    case HEED_##NAME: k->matmul_##name(to, y->stride, p->q, w, T, O, K); break;
        HEED_STEP_FORMATS(X)
#undef X
    }
}

/* Multiply-adds below which waking others costs more than they save. */
enum { WORTH_SHARING = 1 << 16 };

heed_tensor *heed_linear(heed_context *c, heed_tensor *x, const heed_tensor *w, const heed_tensor *b) {
    if (!x) return NULL;
    int T = x->rows, O = w->rows, K = w->columns;
    heed_tensor *y = heed_tensor_new(c, T, O);
    if (!y) return NULL;
    product p = {c->kernels, x, w, y, NULL};
    if (w->dtype != HEED_F32 && w->dtype != HEED_F16 && w->dtype != HEED_BF16) {
        p.q = quantised(c, x);
        if (!p.q) return NULL;
    }
    heed_pool *pool = (double)T * O * K < WORTH_SHARING ? NULL : c->pool;
    heed_parallel(pool, multiply, &p, heed_pool_parts(pool, (O + GRAIN - 1) / GRAIN));
    if (heed_has(b))
        for (int t = 0; t < T; t++) c->kernels->add_f32(heed_row(y, t), heed_row(y, t), b->data, (size_t)O);
    return y;
}
