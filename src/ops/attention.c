#include "ops/ops.h"

#include <math.h>

/* Pass 1 and 2: s[t][j] = q[t]·k[j] / √Dh, and -inf for what the query may not see. */
heed_tensor *heed_attention_scores(heed_context *c, const heed_queries *all, int rows, const heed_memory *m, int h,
                                   int first, int step) {
    heed_tensor *s = heed_tensor_new(c, rows, m->length);
    if (!s) return NULL;
    heed_queries q = heed_queries_of(all, m->cache, h, step == 0);
    heed_cache_scores(c, s, &q, m->cache, h / (m->cache->heads / m->cache->kv_heads));
    for (int t = 0; t < s->rows; t++) {
        float *row = heed_row(s, t);
        int end = first + t * step + 1, begin = m->window && end > m->window ? end - m->window : 0;
        for (int j = 0; j < begin; j++) row[j] = -INFINITY;
        for (int j = end; j < s->columns; j++) row[j] = -INFINITY;
    }
    return s;
}

static void overflowed(float *row, int n) {
    for (int j = 0; j < n; j++) row[j] = NAN;
}

/* A query sees itself at least, so scores that are all -inf have overflowed.  Their pattern would be zeros, which are
 * finite: NaN goes on to where results are checked.  A listener may set scores to -inf on purpose, so the check comes
 * before it there. */
static void check_scores(heed_context *c, heed_tensor *scores, int first, int step) {
    for (int t = 0; t < scores->rows && c->listener; t++) {
        float *row = heed_row(scores, t);
        int end = first + t * step + 1;
        if (!(c->kernels->max_f32(row, (size_t)end) > -INFINITY)) overflowed(row, end);
    }
}

/* Pass 3.  A row's softmax runs over the keys up to its own position only, so that its sum has the same order whether
 * the prompt came in one batch or token by token. */
heed_tensor *heed_attention_pattern(heed_context *c, heed_tensor *scores, int first, int step) {
    for (int t = 0; t < scores->rows; t++) {
        float *row = heed_row(scores, t);
        int end = first + t * step + 1;
        if (!c->kernels->softmax_f32(row, end) && !c->listener) overflowed(row, end);
        for (int j = end; j < scores->columns; j++) row[j] = 0;
    }
    return scores;
}

/* All heads, to be shared out among threads: each has an arena for the scores that it works on. */
typedef struct heads {
    const heed_context *c;
    const heed_queries *q;
    const heed_tensor *z;
    const heed_memory *m;
    int layer;
    int rows;            /* of several positions, that are one part with a head */
    heed_arena *scratch; /* one a thread */
} heads;

/* x holds the rows of heads h, h + 1 …, `rows` of each. */
static void tap_heads(heed_context *c, heed_hook hook, int layer, int h, int rows, const heed_tensor *x) {
    for (int t = 0; t < x->rows; t += rows) {
        heed_tensor one = {HEED_F32, rows, x->columns, x->stride, heed_row(x, t), NULL};
        heed_tap(c, hook, layer, h++, &one);
    }
}

/* Rows t .. t + rows - 1 of heads h .. h + n - 1: their queries by the keys up to the last of these rows, which is all
 * that they may see. */
static void attend_rows(heed_context *c, const heads *a, int h, int n, int t, int rows) {
    const heed_cache *cache = a->m->cache;
    int T = a->z->rows, first = a->m->length - T + t, step = T == 1 ? 0 : 1;
    size_t stride = T == 1 ? (size_t)cache->d_head : a->z->stride;
    heed_memory seen = {cache, first + rows, a->m->window};
    heed_queries q = heed_queries_from(a->q, cache, t);
    heed_arena_release(c->arena, 0);
    heed_tensor *s = heed_attention_scores(c, &q, n * rows, &seen, h, first, step);
    if (!s) return;
    check_scores(c, s, first, step);
    tap_heads(c, HEED_HOOK_ATTN_SCORES, a->layer, h, rows, s);
    heed_tensor *p = heed_attention_pattern(c, s, first, step);
    tap_heads(c, HEED_HOOK_PATTERN, a->layer, h, rows, p);
    /* Pass 4: z[t] = Σ_j p[t][j]·v[j]. */
    heed_cache_combine(c, heed_row(a->z, t) + (size_t)h * (size_t)cache->d_head, stride, p, cache,
                       h / (cache->heads / cache->kv_heads));
}

/* Rows that meet the keys of the last of them: fewer leave out more of what none may see, and read the keys as often,
 * which pass by four rows at a time. */
enum { BAND = 16 };

/* Several positions: each head is a product, or one for each band of its rows; who listens sees it whole.  Parts of one
 * thread are heads of the rows that are its own elsewhere, too. */
static void attend_positions(heed_context *c, const heads *a, int part) {
    int T = a->z->rows, H = a->m->cache->heads, from = part / H * a->rows, to = from + a->rows < T ? from + a->rows : T;
    int band = c->listener ? T : BAND;
    for (int t = from; t < to; t += band) attend_rows(c, a, part % H, 1, t, to - t < band ? to - t : band);
}

/* The heads of one position lie one after another: those that share keys and values are rows of one product, and the
 * cache is read once for all of them. */
static void attend_position(heed_context *c, const heads *a, int part, int parts) {
    const heed_cache *cache = a->m->cache;
    int group = cache->heads / cache->kv_heads, end = heed_share(cache->heads, part + 1, parts, group);
    for (int h = heed_share(cache->heads, part, parts, group); h < end; h += group) attend_rows(c, a, h, group, 0, 1);
}

static void attend(void *argument, int part, int parts, int thread) {
    const heads *a = argument;
    heed_context c = *a->c;
    c.arena = &a->scratch[thread];
    if (a->z->rows > 1)
        attend_positions(&c, a, part);
    else
        attend_position(&c, a, part, parts);
}

/* Rows of a part, where there are threads to share them: few enough that all end together. */
enum { ROWS_OF_PART = 32 };

heed_tensor *heed_attention(heed_context *c, const heed_queries *q, int T, const heed_memory *m, int layer) {
    int H = m->cache->heads, group = H / m->cache->kv_heads, rows = T > group ? T : group;
    heed_tensor *z = heed_tensor_new(c, T, H * m->cache->d_head);
    if (!z) return NULL;
    heed_pool *pool = c->listener ? NULL : c->pool; /* who listens is called from one thread */
    int shared = heed_pool_threads(pool) > 1 && (T + ROWS_OF_PART - 1) / ROWS_OF_PART * H <= HEED_MAX_PARTS;
    int rows_of_part = shared ? ROWS_OF_PART : T;
    double keys = (double)T * m->length * H, cost = keys + HEED_PRODUCTS(2 * keys * m->cache->d_head);
    int parts = T > 1 ? (T + rows_of_part - 1) / rows_of_part * H : heed_pool_parts(pool, m->cache->kv_heads, cost);
    size_t mark = heed_arena_mark(c->arena);
    heed_arena scratch[HEED_MAX_THREADS];
    for (int thread = 0; thread < heed_pool_threads(pool); thread++) {
        size_t bytes = (size_t)heed_tensor_bytes(rows, m->length);
        scratch[thread] = (heed_arena){heed_arena_take(c->arena, 1, bytes), bytes, 0};
        if (!scratch[thread].base) return heed_out_of_memory(c);
    }
    heads a = {c, q, z, m, layer, rows_of_part, scratch};
    heed_parallel(pool, attend, &a, parts, cost);
    heed_arena_release(c->arena, mark);
    return z;
}
