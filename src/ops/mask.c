/* Masks of scores, and the softmax of rows. */
#include "ops/learn.h"

#include <math.h>
#include <string.h>

/* The row of m for row t of head h in batch b. */
static int mask_row(const int n[8], int b, int h, int t) {
    int m_batch = n[2], m_heads = n[3], m_rows = n[4];
    return ((m_batch > 1 ? b : 0) * m_heads + (m_heads > 1 ? h : 0)) * m_rows + (m_rows > 1 ? t : 0);
}

/* Only the mask needs a gradient here: masking is in place, and softmax gives masked scores gradient 0. */
static void mask_backward(heed_context *c, const heed_record *r) {
    const heed_tensor *s = r->y, *m = r->x[0];
    int T = s->rows / (r->n[0] * r->n[1]);
    for (int row = 0; row < s->rows && heed_requires_grad(s) && heed_requires_grad(m) && !r->n[5]; row++) {
        float *d = heed_grad(m, mask_row(r->n, row / (T * r->n[1]), row / T % r->n[1], row % T));
        c->kernels->add_f32(d, d, heed_grad(s, row), (size_t)s->columns);
    }
}

typedef struct masking {
    const heed_mask_rules *rules;
    const heed_tensor *s;
    int n[8]; /* as in the record */
} masking;

static void mask(const void *operands, int row) {
    const masking *w = operands;
    const heed_mask_rules *a = w->rules;
    int T = w->s->rows / (a->batch * a->heads), keys = w->s->columns, end = keys;
    int b = row / (T * a->heads), h = row / T % a->heads, t = row % T;
    float *s = heed_row(w->s, row);
    if (a->m) {
        const float *m = heed_row(a->m, mask_row(w->n, b, h, t));
        for (int j = 0; j < keys; j++) s[j] = !a->boolean ? s[j] + m[j] : m[j] != 0 ? s[j] : -INFINITY;
    }
    if (a->causal && t < end - a->past) end = a->past + t + 1;
    if (a->lengths && a->lengths[b] < end) end = a->lengths[b];
    for (int j = end; j < keys; j++) s[j] = -INFINITY;
}

/* Pushed first, so that a full arena leaves the scores unchanged and the caller can try again. */
heed_tensor *heed_mask(heed_context *c, heed_tensor *s, heed_mask_rules a) {
    masking w = {&a, s, {a.batch, a.heads, a.m_batch, a.m_heads, a.m_rows, a.boolean}};
    heed_record record = {.name = "mask", .backward = mask_backward, .x = {a.m}};
    memcpy(record.n, w.n, sizeof w.n);
    heed_tensor *y = heed_tape_push(c, s, record);
    if (y) heed_parallel_rows(c, s->rows, s->columns, mask, &w);
    return y;
}

typedef struct rows_of {
    const heed_kernels *kernels;
    const heed_tensor *x, *y;
    heed_heads h;
} rows_of;

/* Visible keys of a row: skipping masked keys halves the work of causal rows. */
static int seen(const rows_of *w, int row) {
    int queries = w->h.causal ? w->y->rows / (w->h.batch * w->h.heads) : 1;
    return heed_seen_by(w->h, row % queries, w->y->columns);
}

static void softmax_backward_rows(const void *work, int from, int to) {
    const rows_of *w = work;
    for (int t = from; t < to; t++)
        w->kernels->softmax_backward_f32(heed_grad(w->x, t), heed_row(w->y, t), heed_grad(w->y, t), (size_t)seen(w, t));
}

static void softmax_backward(heed_context *c, const heed_record *r) {
    rows_of w = {c->kernels, r->x[0], r->y, {r->n[0], r->n[1], .causal = r->n[2], .past = r->n[3]}};
    if (heed_requires_grad(w.x))
        heed_parallel_for(c, softmax_backward_rows, &w, w.y->rows, 1, (double)w.y->rows * w.y->columns);
}

static void softmax_rows(const void *work, int from, int to) {
    const rows_of *w = work;
    for (int t = from; t < to; t++) {
        float *y = heed_row(w->y, t);
        int n = seen(w, t);
        memcpy(y, heed_row(w->x, t), (size_t)n * sizeof *y);
        memset(y + n, 0, (size_t)(w->y->columns - n) * sizeof *y);
        w->kernels->softmax_f32(y, n);
    }
}

heed_tensor *heed_softmax(heed_context *c, const heed_tensor *x, heed_heads h) {
    heed_tensor *y = heed_tensor_new(c, x->rows, x->columns);
    if (!y) return NULL;
    rows_of w = {c->kernels, x, y, h};
    heed_parallel_for(c, softmax_rows, &w, y->rows, 1, (double)y->rows * y->columns);
    return heed_tape_push(
        c, y,
        (heed_record){
            .name = "softmax", .backward = softmax_backward, .x = {x}, .n = {h.batch, h.heads, h.causal, h.past}});
}
