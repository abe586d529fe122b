/* Adapters of low rank (Hu et al. 2021). */
#include "ops/learn.h"
#include "ops/ops.h"

typedef struct adapter_work {
    const heed_kernels *kernels;
    const heed_adapter *adapter;
    const heed_tensor *x, *y, *u; /* u = scale·A·x: [T][r]; NULL when no backward reads it */
} adapter_work;

/* Rows at a time, and in one part of a thread: 32 KB of u on its stack. */
enum { ROWS = 32 };

static void adapt_rows(const void *work, int from, int to) {
    const adapter_work *p = work;
    const heed_adapter *adapter = p->adapter;
    const heed_tensor *x = p->x, *y = p->y;
    size_t r = (size_t)adapter->rank, K = (size_t)x->columns;
    float local[ROWS * HEED_MAX_RANK];
    for (int t = from, n; t < to; t += n) {
        n = to - t < ROWS ? to - t : ROWS;
        float *u = p->u ? heed_row(p->u, t) : local;
        p->kernels->gemm_f32(u, r, heed_row(x, t), x->stride, 1, adapter->a, 1, K, n, adapter->rank, x->columns, 0,
                             adapter->scale);
        p->kernels->gemm_f32(heed_row(y, t), y->stride, u, r, 1, adapter->b, 1, r, n, y->columns, adapter->rank, 1, 1);
    }
}

/* du = scale·dy·B, dx = du·A, dA = duᵀ·x, dB = dyᵀ·u. */
static void adapt_backward(heed_context *c, const heed_record *record) {
    const heed_adapter *adapter = record->saved;
    const heed_tensor *x = record->x[0], *u = record->x[1], *y = record->y;
    int T = y->rows, O = y->columns, K = x->columns, r = adapter->rank;
    heed_strided dy = heed_strided_grad(y), du = heed_strided_grad(u), data = heed_strided_data(u);
    heed_strided a = {adapter->a, (size_t)K, 1}, b = {adapter->b, (size_t)r, 1};
    heed_product(c, u->grad, u->stride, dy, b, T, r, O, 0);
    heed_grad_scale(c, u, adapter->scale);
    if (heed_requires_grad(x)) heed_product(c, x->grad, x->stride, du, a, T, K, r, 1);
    if (adapter->a_grad)
        heed_product(c, adapter->a_grad, a.row, heed_strided_transpose(du), heed_strided_data(x), r, K, T, 1);
    if (adapter->b_grad) heed_product(c, adapter->b_grad, b.row, heed_strided_transpose(dy), data, O, r, T, 1);
}

heed_tensor *heed_adapt(heed_context *c, const heed_tensor *x, heed_tensor *y, const heed_adapter *adapter) {
    if (!y) return NULL;
    adapter_work p = {c->kernels, adapter, x, y, c->tape ? heed_tensor_new(c, x->rows, adapter->rank) : NULL};
    if (c->tape && !p.u) return NULL;
    heed_parallel_for(c, adapt_rows, &p, x->rows, ROWS,
                      HEED_PRODUCTS((double)x->rows * adapter->rank * (x->columns + y->columns)));
    heed_record record = {.name = "adapter", .backward = adapt_backward, .x = {x, p.u}, .saved = adapter};
    return heed_tape_push(c, y, record);
}
