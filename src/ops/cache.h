/* What attention remembers, and in which numbers. */
#ifndef HEED_CACHE_H
#define HEED_CACHE_H

#include "tensor.h"

/* Queries, keys and values of one layer at up to `capacity` positions C.
 * HEED_CACHE_F32 keeps them as they were computed: q [C][H][Dh], k and v [Hk][C][Dh].
 * HEED_CACHE_I16 keeps codes with a scale for each vector: q [C][H][HEED_EVEN(Dh)] with dq [C][H], which has 1/√Dh in
 * it; k and v head by head as heed_key_at and heed_value_at say, with dk and dv [Hk][C]. */
typedef struct heed_cache {
    heed_cache_type type;
    int heads, kv_heads, d_head, capacity;
    void *q, *k, *v; /* q NULL: the session keeps no queries */
    float *dq, *dk, *dv;
} heed_cache;

/* Queries as products with the cache read them: those of head 0 at a range of positions. */
typedef struct heed_queries {
    const void *q;
    const float *d;
    size_t stride, d_stride; /* elements between two rows */
} heed_queries;

/* Bytes of an arena that one layer takes; q: whether it keeps queries. */
uint64_t heed_cache_bytes(const heed_config *config, heed_cache_type type, int capacity, int q);
heed_cache heed_cache_take(heed_arena *arena, const heed_config *config, heed_cache_type type, int capacity, int q);
/* Bytes of a call's arena that heed_remember takes at most for T positions. */
uint64_t heed_queries_bytes(const heed_config *config, int T);

/* Writes q [T][H·Dh], k and v [T][Hk·Dh] of positions first .. first + T - 1; `queries` are these q.  1 when done. */
int heed_remember(heed_context *c, const heed_cache *cache, const heed_tensor *q, const heed_tensor *k,
                  const heed_tensor *v, int first, heed_queries *queries);
/* The queries kept from position `first` on. */
heed_queries heed_queries_kept(const heed_cache *cache, int first);
/* Those from row t on. */
heed_queries heed_queries_from(const heed_queries *all, const heed_cache *cache, int t);
/* Those of head h: rows are its positions or, `together`, heads h, h + 1 … at one position. */
heed_queries heed_queries_of(const heed_queries *all, const heed_cache *cache, int h, int together);

/* s[t][j] = q[t]·k[j] / √Dh with every key of a head, for the rows of s. */
void heed_cache_scores(const heed_context *c, const heed_tensor *s, const heed_queries *q, const heed_cache *cache,
                       int kv_head);
/* z[t] = Σ_j p[t][j]·v[j] with the values of a head, rows of z `stride` floats apart. */
void heed_cache_combine(const heed_context *c, float *z, size_t stride, const heed_tensor *p, const heed_cache *cache,
                        int kv_head);

#endif
