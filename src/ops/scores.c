/* Scores, q·k of every head, and the weighted sum of values, with their backward. */
#include "ops/learn.h"

#include <math.h>

/* The layout of heads in a matrix: element (t, d) of head h in batch b is at b·batch + h·head + t·row + d. */
typedef struct head_view {
    int rows, columns;
    size_t batch, head, row;
} head_view;

static head_view head_view_of(const heed_tensor *x, int batch, int heads, int joined) {
    head_view p = {x->rows / batch, x->columns, 0, 0, x->stride};
    p.batch = (size_t)p.rows * p.row;
    if (joined) {
        p.columns /= heads;
        p.head = (size_t)p.columns;
    } else {
        p.rows /= heads;
        p.head = (size_t)p.rows * p.row;
    }
    return p;
}

static heed_strided head_matrix(const float *data, const head_view *p, int b, int h) {
    return (heed_strided){data + (size_t)b * p->batch + (size_t)h * p->head, p->row, 1};
}

/* One product per head: y = a·b, each a view of the head. */
typedef struct head_products {
    const heed_kernels *kernels;
    heed_heads h;
    float *y;
    const float *a, *b;
    head_view of_y, of_a, of_b;
    int a_transposed, b_transposed, add, over_kv; /* over_kv: y has key/value heads; sums over query heads */
    float scale;
} head_products;

/* The first query that sees key j. */
static int first_query_to_see(heed_heads h, int j, int queries) {
    int first = h.causal && j > h.past ? j - h.past : 0;
    return first < queries ? first : queries;
}

/* Rows of y in one product of causal heads: fewer would pack more often, more would compute more masked scores. */
enum { BAND = 32 };

/* A causal band skips masked numbers.  Scores and values need the keys that the last query of the band sees.  Gradients
 * of keys and values need the queries that see its first key. */
static void one_product(const head_products *p, int b, int h, int h_y) {
    int group = p->h.heads / p->h.kv_heads;
    heed_strided left = head_matrix(p->a, &p->of_a, b, h), y = head_matrix(p->y, &p->of_y, b, h_y);
    heed_strided right = head_matrix(p->b, &p->of_b, b, p->over_kv ? h : h / group);
    int rows = p->of_y.rows, band = p->h.causal ? BAND : rows;
    if (p->a_transposed) left = heed_strided_transpose(left);
    if (p->b_transposed) right = heed_strided_transpose(right);
    for (int from = 0; from < rows; from += band) {
        int M = from + band < rows ? band : rows - from, N = p->of_y.columns, first = 0;
        int K = p->a_transposed ? p->of_a.rows : p->of_a.columns;
        if (p->a_transposed)
            first = first_query_to_see(p->h, from, K);
        else if (p->b_transposed)
            N = heed_seen_by(p->h, from + M - 1, N);
        else
            K = heed_seen_by(p->h, from + M - 1, K);
        p->kernels->gemm_f32((float *)y.data + (size_t)from * y.row, y.row,
                             left.data + (size_t)from * left.row + (size_t)first * left.column, left.row, left.column,
                             right.data + (size_t)first * right.row, right.row, right.column, M, N, K - first, p->add,
                             p->scale);
    }
}

static void head_parts(const void *work, int from, int to) {
    const head_products *p = work;
    int heads = p->over_kv ? p->h.kv_heads : p->h.heads, group = p->h.heads / p->h.kv_heads;
    for (int i = from; i < to; i++) {
        int b = i / heads, h = i % heads;
        if (p->over_kv)
            for (int g = 0; g < group; g++) one_product(p, b, h * group + g, h);
        else
            one_product(p, b, h, h);
    }
}

static void each_head(heed_context *c, head_products *p) {
    int heads = p->over_kv ? p->h.kv_heads : p->h.heads;
    p->kernels = c->kernels;
    double products = (double)p->of_a.rows * p->of_a.columns * (p->b_transposed ? p->of_b.rows : p->of_b.columns);
    heed_parallel_for(c, head_parts, p, p->h.batch * heads, 1, HEED_PRODUCTS(p->h.batch * p->h.heads * products));
}

static heed_heads heads_of(const heed_record *r) {
    const int *n = r->n;
    return (heed_heads){n[0], n[1], n[2], n[3], n[4], n[5]};
}

static heed_record record_of(heed_heads h, const char *name, heed_backward_function *backward, const heed_tensor *a,
                             const heed_tensor *b) {
    return (heed_record){.name = name,
                         .backward = backward,
                         .x = {a, b},
                         .n = {h.batch, h.heads, h.kv_heads, h.joined, h.causal, h.past}};
}

/* dq = scale·ds·k, dk = scale·dsᵀ·q. */
static void scores_backward(heed_context *c, const heed_record *r) {
    const heed_tensor *q = r->x[0], *k = r->x[1], *s = r->y;
    heed_heads h = heads_of(r);
    head_view of_q = head_view_of(q, h.batch, h.heads, h.joined), of_k = head_view_of(k, h.batch, h.kv_heads, h.joined);
    head_view of_s = head_view_of(s, h.batch, h.heads, 0);
    head_products dq = {.h = h,
                        .y = q->grad,
                        .a = s->grad,
                        .b = k->data,
                        .of_y = of_q,
                        .of_a = of_s,
                        .of_b = of_k,
                        .add = 1,
                        .scale = r->f[0]};
    if (heed_requires_grad(q)) each_head(c, &dq);
    head_products dk = {.h = h,
                        .y = k->grad,
                        .a = s->grad,
                        .b = q->data,
                        .of_y = of_k,
                        .of_a = of_s,
                        .of_b = of_q,
                        .a_transposed = 1,
                        .add = 1,
                        .over_kv = 1,
                        .scale = r->f[0]};
    if (heed_requires_grad(k)) each_head(c, &dk);
}

typedef struct masking {
    const heed_tensor *s;
    heed_heads h;
} masking;

static void mask_row(const void *operands, int row) {
    const masking *a = operands;
    int queries = a->s->rows / (a->h.batch * a->h.heads), keys = a->s->columns;
    float *s = heed_row(a->s, row);
    for (int j = heed_seen_by(a->h, row % queries, keys); j < keys; j++) s[j] = -INFINITY;
}

heed_tensor *heed_scores(heed_context *c, const heed_tensor *q, const heed_tensor *k, heed_heads h, float scale) {
    head_view of_q = head_view_of(q, h.batch, h.heads, h.joined), of_k = head_view_of(k, h.batch, h.kv_heads, h.joined);
    heed_tensor *s = heed_tensor_new(c, h.batch * h.heads * of_q.rows, of_k.rows);
    if (!s) return NULL;
    head_products p = {.h = h,
                       .y = s->data,
                       .a = q->data,
                       .b = k->data,
                       .of_y = head_view_of(s, h.batch, h.heads, 0),
                       .of_a = of_q,
                       .of_b = of_k,
                       .b_transposed = 1,
                       .scale = scale};
    each_head(c, &p);
    masking hidden = {s, h};
    if (h.causal) heed_parallel_rows(c, s->rows, s->columns, mask_row, &hidden);
    heed_record record = record_of(h, "scores", scores_backward, q, k);
    record.f[0] = scale;
    return heed_tape_push(c, s, record);
}

/* dp = dz·vᵀ, dv = pᵀ·dz. */
static void attend_values_backward(heed_context *c, const heed_record *r) {
    const heed_tensor *p = r->x[0], *v = r->x[1], *z = r->y;
    heed_heads h = heads_of(r);
    head_view of_p = head_view_of(p, h.batch, h.heads, 0), of_v = head_view_of(v, h.batch, h.kv_heads, h.joined);
    head_view of_z = head_view_of(z, h.batch, h.heads, h.joined);
    head_products dp = {.h = h,
                        .y = p->grad,
                        .a = z->grad,
                        .b = v->data,
                        .of_y = of_p,
                        .of_a = of_z,
                        .of_b = of_v,
                        .b_transposed = 1,
                        .add = 1,
                        .scale = 1};
    if (heed_requires_grad(p)) each_head(c, &dp);
    head_products dv = {.h = h,
                        .y = v->grad,
                        .a = p->data,
                        .b = z->grad,
                        .of_y = of_v,
                        .of_a = of_p,
                        .of_b = of_z,
                        .a_transposed = 1,
                        .add = 1,
                        .over_kv = 1,
                        .scale = 1};
    if (heed_requires_grad(v)) each_head(c, &dv);
}

heed_tensor *heed_attend_values(heed_context *c, const heed_tensor *p, const heed_tensor *v, heed_heads h) {
    head_view of_p = head_view_of(p, h.batch, h.heads, 0), of_v = head_view_of(v, h.batch, h.kv_heads, h.joined);
    int rows = h.batch * of_p.rows;
    heed_tensor *z =
        h.joined ? heed_tensor_new(c, rows, h.heads * of_v.columns) : heed_tensor_new(c, rows * h.heads, of_v.columns);
    if (!z) return NULL;
    head_products z_heads = {.h = h,
                             .y = z->data,
                             .a = p->data,
                             .b = v->data,
                             .of_y = head_view_of(z, h.batch, h.heads, h.joined),
                             .of_a = of_p,
                             .of_b = of_v,
                             .scale = 1};
    each_head(c, &z_heads);
    return heed_tape_push(c, z, record_of(h, "attend_values", attend_values_backward, p, v));
}

/* Row ((b·H + h)·Tq + i)·Tk + j of y: q[i] + k[j]. */
typedef struct pairs {
    const heed_kernels *kernels;
    const heed_tensor *q, *k, *y;
    heed_heads h;
    head_view of_q, of_k;
    void (*one)(const struct pairs *p, int row, size_t q, size_t k); /* where q[i] and k[j] begin */
} pairs;

static void pairs_of_batch(const void *work, int from, int to) {
    const pairs *p = work;
    int H = p->h.heads, row = from * H * p->of_q.rows * p->of_k.rows;
    for (int b = from; b < to; b++)
        for (int head = 0; head < H; head++) {
            size_t q = (size_t)b * p->of_q.batch + (size_t)head * p->of_q.head;
            size_t k = (size_t)b * p->of_k.batch + (size_t)(head / (H / p->h.kv_heads)) * p->of_k.head;
            for (int i = 0; i < p->of_q.rows; i++)
                for (int j = 0; j < p->of_k.rows; j++)
                    p->one(p, row++, q + (size_t)i * p->of_q.row, k + (size_t)j * p->of_k.row);
        }
}

/* The sequences of a batch have no rows in common. */
static void each_pair(heed_context *c, const heed_record *r, void (*one)(const pairs *p, int row, size_t q, size_t k)) {
    heed_heads h = heads_of(r);
    pairs p = {.kernels = c->kernels,
               .q = r->x[0],
               .k = r->x[1],
               .y = r->y,
               .h = h,
               .of_q = head_view_of(r->x[0], h.batch, h.heads, h.joined),
               .of_k = head_view_of(r->x[1], h.batch, h.kv_heads, h.joined),
               .one = one};
    heed_parallel_for(c, pairs_of_batch, &p, h.batch, 1, (double)r->y->rows * r->y->columns);
}

static void add_pair(const pairs *p, int row, size_t q, size_t k) {
    p->kernels->add_f32(heed_row(p->y, row), (const float *)p->q->data + q, (const float *)p->k->data + k,
                        (size_t)p->y->columns);
}

static void pair_backward(const pairs *p, int row, size_t q, size_t k) {
    const float *d = heed_grad(p->y, row);
    float *dq = p->q->grad ? p->q->grad + q : NULL, *dk = p->k->grad ? p->k->grad + k : NULL;
    if (dq) p->kernels->add_f32(dq, dq, d, (size_t)p->y->columns);
    if (dk) p->kernels->add_f32(dk, dk, d, (size_t)p->y->columns);
}

static void pairs_backward(heed_context *c, const heed_record *r) { each_pair(c, r, pair_backward); }

heed_tensor *heed_pairs(heed_context *c, const heed_tensor *q, const heed_tensor *k, heed_heads h) {
    head_view of_q = head_view_of(q, h.batch, h.heads, h.joined), of_k = head_view_of(k, h.batch, h.kv_heads, h.joined);
    heed_tensor *y = heed_tensor_new(c, h.batch * h.heads * of_q.rows * of_k.rows, of_q.columns);
    if (!y) return NULL;
    heed_record r = record_of(h, "pairs", pairs_backward, q, k);
    r.y = y;
    each_pair(c, &r, add_pair);
    return heed_tape_push(c, y, r);
}
