/* How the heads and rows of attention are divided among threads. */
#include "ops/ops.h"

/* One call of heed_attention.  A part is one head of several positions, or some heads of one position. */
typedef struct attention {
    const heed_context *c;
    const heed_queries *q;
    const heed_kv_view *kv;
    const heed_tensor *z; /* [T][H·Dh] */
    int rows_of_part;     /* positions of one part, when there are several */
    heed_arena *scratch;  /* one per thread, for scores */
} attention;

/* Rows t .. t + n - 1 of one head, or the single row of n heads.  Keys past the last of these rows are left out, unless
 * the rows see them. */
static void attend_rows(heed_context *c, const attention *a, heed_rows_are are, int head, int t, int n) {
    const heed_cache *cache = a->kv->cache;
    int first = a->kv->length - a->z->rows + t, last = are == HEED_ROWS_ARE_POSITIONS ? first + n - 1 : first;
    int all = a->kv->rules.bidirectional ? a->kv->length : 0;
    heed_kv_view visible = {cache, all ? all : last + 1, a->kv->rules};
    heed_queries q = heed_queries_row(a->q, cache, t);
    float *z = heed_row(a->z, t) + (size_t)head * (size_t)cache->d_head;
    heed_arena_release(c->arena, 0);
    heed_attention_rows(c, &q, &visible, (heed_score_rows){are, head, first, n, all}, z,
                        are == HEED_ROWS_ARE_POSITIONS ? a->z->stride : (size_t)cache->d_head);
}

/* Query rows of one product.  Smaller bands skip more masked keys, at no extra reads of keys: kernels take four rows at
 * a time. */
enum { BAND = 16 };

/* Prefill: one product per band of a head, or per whole head if a listener is attached. */
static void attend_positions(heed_context *c, const attention *a, int part) {
    int T = a->z->rows, H = a->kv->cache->heads;
    int from = part / H * a->rows_of_part, to = from + a->rows_of_part < T ? from + a->rows_of_part : T;
    int band = c->listener ? T : BAND;
    for (int t = from; t < to; t += band)
        attend_rows(c, a, HEED_ROWS_ARE_POSITIONS, part % H, t, to - t < band ? to - t : band);
}

/* One position: heads are the rows of one product, so the cache is read once and in order. */
static void attend_heads(heed_context *c, const attention *a, int part, int parts) {
    const heed_cache *cache = a->kv->cache;
    int group = cache->heads / cache->kv_heads, head = heed_part_begin(cache->heads, part, parts, group);
    attend_rows(c, a, HEED_ROWS_ARE_HEADS, head, 0, heed_part_begin(cache->heads, part + 1, parts, group) - head);
}

static void attend(void *argument, int part, int parts, int thread) {
    const attention *a = argument;
    heed_context c = *a->c;
    c.arena = &a->scratch[thread];
    if (a->z->rows > 1)
        attend_positions(&c, a, part);
    else
        attend_heads(&c, a, part, parts);
}

/* Positions of a part when several threads share them: few, so that all threads end together. */
enum { ROWS_OF_PART = 32 };

/* Rows of scores that a thread has at a time. */
static int rows_of_scores(int heads, int T, int listens) {
    if (T == 1) return heads;
    return listens || T < BAND ? T : BAND;
}

uint64_t heed_attention_bytes(int heads, int T, int keys, int threads) {
    uint64_t of_listener = heed_tensor_bytes(T, keys), of_one = heed_tensor_bytes(heads, keys);
    uint64_t of_several = heed_tensor_bytes(rows_of_scores(heads, T, 0), keys);
    uint64_t of_threads = (uint64_t)threads * (of_one > of_several ? of_one : of_several);
    return of_listener > of_threads ? of_listener : of_threads;
}

heed_tensor *heed_attention(heed_context *c, const heed_queries *q, int T, const heed_kv_view *kv) {
    int H = kv->cache->heads, rows = rows_of_scores(H, T, c->listener != NULL);
    heed_tensor *z = heed_tensor_new(c, T, H * kv->cache->d_head);
    if (!z) return NULL;
    heed_pool *pool = c->listener ? NULL : c->pool; /* a listener is called from one thread */
    int divided = heed_pool_threads(pool) > 1 && (T + ROWS_OF_PART - 1) / ROWS_OF_PART * H <= HEED_MAX_PARTS;
    int rows_of_part = divided ? ROWS_OF_PART : T;
    double keys = (double)T * kv->length * H, cost = keys + HEED_PRODUCTS(2 * keys * kv->cache->d_head);
    int parts = T > 1 ? (T + rows_of_part - 1) / rows_of_part * H : heed_pool_parts(pool, kv->cache->kv_heads, cost);
    size_t mark = heed_arena_mark(c->arena);
    heed_arena scratch[HEED_MAX_THREADS];
    for (int thread = 0; thread < heed_pool_threads(pool); thread++) {
        size_t bytes = (size_t)heed_tensor_bytes(rows, kv->length);
        scratch[thread] = (heed_arena){heed_arena_take(c->arena, 1, bytes), bytes, 0};
        if (!scratch[thread].base) return heed_out_of_memory(c);
    }
    attention a = {c, q, kv, z, rows_of_part, scratch};
    heed_pool_run(pool, attend, &a, parts, cost);
    heed_arena_release(c->arena, mark);
    return z;
}
