#include "ops/learn.h"

#include <math.h>
#include <string.h>

/* The row of m that row t of head h in batch b meets. */
static int mask_row(const int n[8], int b, int h, int t) {
    int m_batch = n[2], m_heads = n[3], m_rows = n[4];
    return ((m_batch > 1 ? b : 0) * m_heads + (m_heads > 1 ? h : 0)) * m_rows + (m_rows > 1 ? t : 0);
}

/* The softmax gives what is hidden a gradient of 0. */
static void mask_backward(heed_context *c, const heed_record *r) {
    (void)c;
    const heed_tensor *s = r->x[0], *m = r->x[1];
    int T = s->rows / (r->n[0] * r->n[1]);
    for (int row = 0; row < s->rows; row++) {
        const float *d = heed_grad(r->y, row);
        if (heed_learns(s)) heed_accumulate(heed_grad(s, row), d, s->columns);
        int at = mask_row(r->n, row / (T * r->n[1]), row / T % r->n[1], row % T);
        if (heed_learns(m) && !r->n[5]) heed_accumulate(heed_grad(m, at), d, s->columns);
    }
}

heed_tensor *heed_mask(heed_context *c, const heed_tensor *s, heed_mask_rules a) {
    heed_tensor *y = heed_tensor_new(c, s->rows, s->columns);
    int T = s->rows / (a.batch * a.heads), n[8] = {a.batch, a.heads, a.m_batch, a.m_heads, a.m_rows, a.boolean};
    for (int row = 0; y && row < s->rows; row++) {
        int b = row / (T * a.heads), h = row / T % a.heads, t = row % T, end = s->columns;
        float *to = heed_row(y, row);
        memcpy(to, heed_row(s, row), (size_t)s->columns * sizeof *to);
        if (a.m) {
            const float *m = heed_row(a.m, mask_row(n, b, h, t));
            for (int j = 0; j < s->columns; j++) to[j] = !a.boolean ? to[j] + m[j] : m[j] != 0 ? to[j] : -INFINITY;
        }
        if (a.causal && a.past + t + 1 < end) end = a.past + t + 1;
        if (a.lengths && a.lengths[b] < end) end = a.lengths[b];
        for (int j = end; j < s->columns; j++) to[j] = -INFINITY;
    }
    heed_record record = {.name = "mask", .backward = mask_backward, .x = {s, a.m}};
    memcpy(record.n, n, sizeof n);
    return heed_recorded(c, y, record);
}

typedef struct rows_of {
    const heed_kernels *kernels;
    const heed_tensor *x, *y;
} rows_of;

static void softmax_slopes(const void *work, int from, int to) {
    const rows_of *w = work;
    for (int t = from; t < to; t++)
        w->kernels->softmax_backward_f32(heed_grad(w->x, t), heed_row(w->y, t), heed_grad(w->y, t),
                                         (size_t)w->y->columns);
}

static void softmax_backward(heed_context *c, const heed_record *r) {
    rows_of w = {c->kernels, r->x[0], r->y};
    if (heed_learns(w.x)) heed_share_out(c, softmax_slopes, &w, w.y->rows, 1, (double)w.y->rows * w.y->columns);
}

static void softmax_rows(const void *work, int from, int to) {
    const rows_of *w = work;
    for (int t = from; t < to; t++) {
        memcpy(heed_row(w->y, t), heed_row(w->x, t), (size_t)w->y->columns * sizeof(float));
        w->kernels->softmax_f32(heed_row(w->y, t), w->y->columns);
    }
}

heed_tensor *heed_softmax(heed_context *c, const heed_tensor *x) {
    heed_tensor *y = heed_tensor_new(c, x->rows, x->columns);
    if (!y) return NULL;
    rows_of w = {c->kernels, x, y};
    heed_share_out(c, softmax_rows, &w, y->rows, 1, (double)y->rows * y->columns);
    return heed_recorded(c, y, (heed_record){.name = "softmax", .backward = softmax_backward, .x = {x}});
}
