/* The cache of keys, values and queries: writing, and the products of attention that read it. */
#include "ops/cache.h"

#include "ops/parallel.h"

#include <math.h>
#include <string.h>

/* Bytes of each array; k and v are equal. */
typedef struct sizes {
    uint64_t q, dq, kv;
} sizes;

static sizes sizes_of(const heed_config *c, heed_cache_type type, int capacity, int keep_queries) {
    uint64_t C = (uint64_t)capacity, D = (uint64_t)c->d_head, queries = keep_queries ? C * (uint64_t)c->heads : 0;
    uint64_t heads = (uint64_t)c->kv_heads;
    if (type == HEED_CACHE_F32) return (sizes){queries * D * sizeof(float), 0, heads * C * D * sizeof(float)};
    return (sizes){queries * HEED_EVEN(D) * sizeof(int16_t), queries * sizeof(float),
                   (C + HEED_BLOCK - 1) / HEED_BLOCK * heads * heed_codes_bytes(c->d_head)};
}

uint64_t heed_cache_bytes(const heed_config *config, heed_cache_type type, int capacity, int keep_queries) {
    sizes p = sizes_of(config, type, capacity, keep_queries);
    return heed_aligned_64(p.q) + heed_aligned_64(p.dq) + 2 * heed_aligned_64(p.kv);
}

static void *take(heed_arena *arena, uint64_t bytes) { return bytes ? heed_arena_take(arena, 1, (size_t)bytes) : NULL; }

float heed_attention_scale(const heed_config *c) {
    return c->attention_scale != 0 ? c->attention_scale : 1 / sqrtf((float)c->d_head);
}

heed_cache heed_cache_take(heed_arena *arena, const heed_config *config, heed_cache_type type, int capacity,
                           int keep_queries) {
    sizes p = sizes_of(config, type, capacity, keep_queries);
    heed_cache cache = {type,           config->heads, config->kv_heads,
                        config->d_head, capacity,      .scale = heed_attention_scale(config)};
    cache.q = take(arena, p.q);
    cache.k = take(arena, p.kv);
    cache.v = take(arena, p.kv);
    cache.dq = take(arena, p.dq);
    return cache;
}

uint64_t heed_queries_bytes(const heed_config *c, int T) {
    sizes p = sizes_of(c, HEED_CACHE_I16, T, 1);
    return heed_aligned_64(p.q) + heed_aligned_64(p.dq);
}

/* Numbers of one query in memory. */
static int query_width(const heed_cache *m) { return m->type == HEED_CACHE_F32 ? m->d_head : HEED_EVEN(m->d_head); }

/* The numbers of one head. */
static float *head_f32(const heed_cache *m, void *of, int head) {
    return (float *)of + (size_t)head * (size_t)m->capacity * (size_t)m->d_head;
}

/* The block of one head with position j. */
static heed_codes *codes_at(const heed_cache *m, const void *of, int head, int j) {
    return heed_codes_at(of, m->d_head, j / HEED_BLOCK * m->kv_heads + head);
}

static void write_f32(const heed_cache *m, const heed_tensor *k, const heed_tensor *v, int first) {
    size_t Dh = (size_t)m->d_head, bytes = Dh * sizeof(float);
    for (int t = 0; k && t < k->rows; t++)
        for (int h = 0; h < m->kv_heads; h++) {
            memcpy(head_f32(m, m->k, h) + (size_t)(first + t) * Dh, heed_row(k, t) + (size_t)h * Dh, bytes);
            memcpy(head_f32(m, m->v, h) + (size_t)(first + t) * Dh, heed_row(v, t) + (size_t)h * Dh, bytes);
        }
}

/* Stores the codes of key j of a block in the layout of the kernels (codes_i16.h). */
static void place_key(int16_t *keys, int Dh, int j, const int16_t *codes) {
    int16_t *to = keys + heed_key_at(Dh, j, 0);
    for (int d = 0; d < Dh; d += 2, to += 2 * HEED_KEYS) {
        to[0] = codes[d];
        if (d + 1 < Dh) to[1] = codes[d + 1];
    }
}

static void place_value(int16_t *values, int Dh, int j, const int16_t *codes) {
    for (int d = 0; d < Dh; d++) values[heed_value_at(j, d)] = codes[d];
}

/* One write: queries go to rows `at` and up of m->q, keys and values to positions `first` and up. */
typedef struct cache_write {
    const heed_kernels *kernels;
    const heed_cache *m;
    const heed_tensor *q, *k, *v;
    int at, first;
} cache_write;

/* The slot of a query is scratch while key and value are quantized. */
static void write_i16(const void *operands, int t) {
    const cache_write *r = operands;
    const heed_cache *m = r->m;
    int Dh = m->d_head, even = HEED_EVEN(Dh), j = r->first + t;
    size_t at = (size_t)(r->at + t) * (size_t)m->heads;
    int16_t *codes = (int16_t *)m->q + at * (size_t)even;
    for (int h = 0; r->k && h < m->kv_heads; h++) {
        heed_codes *k = codes_at(m, m->k, h, j), *v = codes_at(m, m->v, h, j);
        k->d[j % HEED_BLOCK] = r->kernels->quantize_i16(codes, heed_row(r->k, t) + (size_t)h * (size_t)Dh, Dh);
        place_key(k->q, Dh, j % HEED_BLOCK, codes);
        v->d[j % HEED_BLOCK] = r->kernels->quantize_i16(codes, heed_row(r->v, t) + (size_t)h * (size_t)Dh, Dh);
        place_value(v->q, Dh, j % HEED_BLOCK, codes);
    }
    for (int h = 0; r->q && h < m->heads; h++, codes += even) {
        codes[even - 1] = 0;
        const float *q = heed_row(r->q, t) + (size_t)h * (size_t)Dh;
        m->dq[at + (size_t)h] = m->scale * r->kernels->quantize_i16(codes, q, Dh);
    }
}

heed_queries heed_cache_queries(const heed_cache *m, int first) {
    size_t H = (size_t)m->heads, stride = H * (size_t)query_width(m);
    if (m->type == HEED_CACHE_F32) return (heed_queries){(const float *)m->q + (size_t)first * stride, NULL, stride, 0};
    return (heed_queries){(const int16_t *)m->q + (size_t)first * stride, m->dq + (size_t)first * H, stride, H};
}

heed_queries heed_queries_row(const heed_queries *all, const heed_cache *m, int t) {
    size_t number = m->type == HEED_CACHE_F32 ? sizeof(float) : sizeof(int16_t);
    heed_queries view = *all;
    view.q = (const char *)all->q + (size_t)t * all->stride * number;
    if (all->d) view.d += (size_t)t * all->d_stride;
    return view;
}

heed_queries heed_queries_head(const heed_queries *all, const heed_cache *m, int h, heed_rows_are are) {
    size_t width = (size_t)query_width(m), at = (size_t)h * width;
    heed_queries view = *all;
    if (are == HEED_ROWS_ARE_HEADS) view.stride = width, view.d_stride = 1;
    if (m->type == HEED_CACHE_F32) {
        view.q = (const float *)all->q + at;
    } else {
        view.q = (const int16_t *)all->q + at;
        view.d += h;
    }
    return view;
}

int heed_cache_write(heed_context *c, const heed_cache *cache, const heed_tensor *q, const heed_tensor *k,
                     const heed_tensor *v, int first, heed_queries *queries) {
    const heed_tensor *rows = q ? q : k;
    heed_cache m = *cache;
    int T = rows->rows, at = first;
    if (m.type == HEED_CACHE_F32) {
        write_f32(&m, k, v, first);
        if (!q) return 1;
        *queries = (heed_queries){q->data, NULL, q->stride, 0};
        for (int t = 0; t < T && m.q; t++)
            memcpy((float *)m.q + (size_t)(first + t) * (size_t)q->columns, heed_row(q, t),
                   (size_t)q->columns * sizeof(float));
        return 1;
    }
    if (!m.q || !q) {
        size_t vectors = (size_t)T * (size_t)m.heads;
        m.q = heed_arena_take(c->arena, vectors * (size_t)query_width(&m), sizeof(int16_t));
        m.dq = heed_arena_take(c->arena, vectors, sizeof(float));
        if (!m.q || !m.dq) return heed_out_of_memory(c) != NULL;
        at = 0;
    }
    cache_write r = {c->kernels, &m, q, k, v, at, first};
    heed_parallel_rows(c, T, (q ? q->columns : 0) + (k ? 2 * k->columns : 0), write_i16, &r);
    if (q) *queries = heed_cache_queries(&m, at);
    return 1;
}

/* Number d of a vector, or its scale with d -1. */
static void *number_at(const heed_cache *m, heed_cached_kind kind, int h, int j, int d) {
    size_t query = (size_t)j * (size_t)m->heads + (size_t)h;
    if (kind == HEED_CACHED_QUERIES) {
        if (d < 0) return m->dq + query;
        size_t at = query * (size_t)query_width(m) + (size_t)d;
        return m->type == HEED_CACHE_F32 ? (void *)((float *)m->q + at) : (int16_t *)m->q + at;
    }
    const int values = kind == HEED_CACHED_VALUES;
    void *of = values ? m->v : m->k;
    if (m->type == HEED_CACHE_F32) return head_f32(m, of, h) + (size_t)j * (size_t)m->d_head + d;
    heed_codes *block = codes_at(m, of, h, j);
    j %= HEED_BLOCK;
    return d < 0 ? (void *)(block->d + j) : block->q + (values ? heed_value_at(j, d) : heed_key_at(m->d_head, j, d));
}

void heed_cache_copy(const heed_cache *m, heed_cached_kind kind, int j, int save, char *row) {
    int is_i16 = m->type == HEED_CACHE_I16;
    for (int h = 0; h < (kind == HEED_CACHED_QUERIES ? m->heads : m->kv_heads); h++)
        for (int d = -is_i16; d < m->d_head; d++) {
            void *cell = number_at(m, kind, h, j, d);
            size_t bytes = is_i16 && d >= 0 ? sizeof(int16_t) : sizeof(float);
            memcpy(save ? row : cell, save ? cell : row, bytes);
            row += bytes;
        }
}

void heed_cache_scores(const heed_context *c, const heed_tensor *s, const heed_queries *q, const heed_cache *m,
                       int head, int heads) {
    int T = s->rows / heads;
    if (m->type == HEED_CACHE_I16) {
        c->kernels->scores_i16(s->data, s->stride, q->q, q->stride, q->d, q->d_stride, codes_at(m, m->k, head, 0),
                               m->kv_heads, heads, T, s->columns, m->d_head);
        return;
    }
    for (int h = 0; h < heads; h++)
        c->kernels->matmul_f32(heed_row(s, h * T), s->stride, (const float *)q->q + (size_t)(h * T) * q->stride,
                               q->stride, head_f32(m, m->k, head + h), T, s->columns, m->d_head);
    for (int t = 0; t < s->rows; t++)
        for (int j = 0; j < s->columns; j++) heed_row(s, t)[j] *= m->scale;
}

void heed_cache_attend(const heed_context *c, float *z, size_t stride, const heed_tensor *p, const heed_cache *m,
                       int head, int heads) {
    int T = p->rows / heads;
    if (m->type == HEED_CACHE_I16) {
        c->kernels->weighted_sum_i16(z, stride, p->data, p->stride, codes_at(m, m->v, head, 0), m->kv_heads, heads, T,
                                     p->columns, m->d_head);
        return;
    }
    for (int h = 0; h < heads; h++)
        c->kernels->weighted_sum_f32(z + (size_t)(h * T) * stride, stride, heed_row(p, h * T), p->stride,
                                     head_f32(m, m->v, head + h), T, p->columns, m->d_head);
}
