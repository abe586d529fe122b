/* The cache of queries, keys and values, and its number formats. */
#ifndef HEED_CACHE_H
#define HEED_CACHE_H

#include "tensor.h"

/* Queries, keys and values of one layer at up to `capacity` positions C.
 * HEED_CACHE_F32 holds them as computed: q [C][H][Dh], k and v [Hk][C][Dh].
 * HEED_CACHE_I16 holds integer codes with one scale per vector: q [C][H][HEED_EVEN(Dh)] with scales dq [C][H].  These
 * include `scale`.  k and v are heed_codes [C / 32][Hk], rounded up. */
typedef struct heed_cache {
    heed_cache_type type;
    int heads, kv_heads, d_head, capacity;
    float scale;     /* of scores */
    void *q, *k, *v; /* q NULL: queries are not kept */
    float *dq;
} heed_cache;

/* A view of queries as attention reads them: head 0 in a range of positions. */
typedef struct heed_queries {
    const void *q;
    const float *d;          /* scales; NULL for HEED_CACHE_F32 */
    size_t stride, d_stride; /* elements between two rows */
} heed_queries;

/* The rows of a score matrix are one head at several positions, or several heads at one position. */
typedef enum heed_rows_are { HEED_ROWS_ARE_POSITIONS, HEED_ROWS_ARE_HEADS } heed_rows_are;

/* Bytes that one layer takes of an arena.  keep_queries: whether the cache holds queries, for maps. */
uint64_t heed_cache_bytes(const heed_config *config, heed_cache_type type, int capacity, int keep_queries);
heed_cache heed_cache_take(heed_arena *arena, const heed_config *config, heed_cache_type type, int capacity,
                           int keep_queries);
/* Bytes of a call's arena that heed_cache_write takes at most for T positions. */
uint64_t heed_queries_bytes(const heed_config *config, int T);

/* Copies the keys, values or queries of position j to a row (save 1), or from it (save 0).  A row is head by head, of
 * I16 with its scale first; it needs no alignment. */
void heed_cache_copy(const heed_cache *cache, heed_cached_kind kind, int j, int save, char *row);

/* Writes q [T][H·Dh], k and v [T][Hk·Dh] of positions first .. first + T - 1.  *queries becomes a view of q.  Without
 * k, only queries are written; without q, only keys and values.  1 when done. */
int heed_cache_write(heed_context *c, const heed_cache *cache, const heed_tensor *q, const heed_tensor *k,
                     const heed_tensor *v, int first, heed_queries *queries);
/* The factor of q·k: 1/√Dh, if the configuration has no other. */
float heed_attention_scale(const heed_config *config);
/* The queries of the cache from position `first` on. */
heed_queries heed_cache_queries(const heed_cache *cache, int first);
/* The view from row t on. */
heed_queries heed_queries_row(const heed_queries *all, const heed_cache *cache, int t);
/* The view of head h, whose rows are its positions, or heads h, h + 1 … at one position. */
heed_queries heed_queries_head(const heed_queries *all, const heed_cache *cache, int h, heed_rows_are are);

/* Scores of key/value heads `head` to head + heads - 1, which have equal shares of the rows of s: s[t][j] =
 * scale·q[t]·k[j]. */
void heed_cache_scores(const heed_context *c, const heed_tensor *s, const heed_queries *q, const heed_cache *cache,
                       int head, int heads);
/* Weighted sums of values of the same heads: z[t] = Σ_j p[t][j]·v[j]; rows of z are `stride` floats apart. */
void heed_cache_attend(const heed_context *c, float *z, size_t stride, const heed_tensor *p, const heed_cache *cache,
                       int head, int heads);

#endif
