/* Operations on tensors.  T rows are positions of one call; shapes are given as [rows][columns].
 * Each takes its result from the context's arena and calls a kernel.  The caller has checked the shapes. */
#ifndef HEED_OPS_H
#define HEED_OPS_H

#include "ops/cache.h"
#include "tensor.h"

/* Rows of a table by id: table [V][D] of any type, ids [n], each in 0..V-1 -> [n][D]. */
heed_tensor *heed_embed(heed_context *c, const heed_tensor *table, const int32_t *ids, int n);

/* Rows first .. first + n - 1 of a table of learned positions [C][D] -> [n][D].  With a tape, first is 0. */
heed_tensor *heed_positions(heed_context *c, const heed_tensor *table, int first, int n);

/* y = x·Wᵀ + b: x [T][K], w [O][K] of any type, b [O] or absent -> [T][O]. */
heed_tensor *heed_linear(heed_context *c, heed_tensor *x, const heed_tensor *w, const heed_tensor *b);

/* y + scale·B·(A·x), in y: x [T][K], y [T][O].  Returns y.  (adapter.c) */
heed_tensor *heed_adapt(heed_context *c, const heed_tensor *x, heed_tensor *y, const heed_adapter *adapter);

/* Several linear operations on one x, as one task for the threads. */
typedef struct heed_projection {
    const heed_tensor *w, *b;
    heed_tensor *y; /* the result, set by heed_project */
} heed_projection;
void heed_project(heed_context *c, heed_tensor *x, heed_projection *projections, int n);

/* LayerNorm (Ba et al. 2016) or RMSNorm (Zhang & Sennrich 2019) of each row: x [T][D], w [D], b [D] or absent ->
 * [T][D]. */
heed_tensor *heed_norm(heed_context *c, const heed_tensor *x, const heed_tensor *w, const heed_tensor *b,
                       heed_norm_kind kind, float eps);

/* f(x), element by element: [T][F] -> [T][F]. */
heed_tensor *heed_activation(heed_context *c, const heed_tensor *x, heed_activation_kind kind);
/* scale·x, in x when nothing records; x for 0, which means no scale. */
heed_tensor *heed_scaled(heed_context *c, heed_tensor *x, float scale);
/* cap·tanh(x / cap), in x when nothing records; x for 0, which means no cap (Gemma 2). */
heed_tensor *heed_softcap(heed_context *c, heed_tensor *x, float cap);
/* a + b and a·b, element by element: [T][D], [T][D] -> [T][D]. */
heed_tensor *heed_add(heed_context *c, const heed_tensor *a, const heed_tensor *b);
heed_tensor *heed_mul(heed_context *c, const heed_tensor *a, const heed_tensor *b);

/* Cosines and sines of positions first .. first + T - 1 (Su et al. 2021): [T][dims], pairs (cos, sin) of
 * angle (position / scale)·theta^(-2i / dims) / divisor[i]; divisors [dims / 2] or absent. */
heed_tensor *heed_rope_angles(heed_context *c, int first, int T, int dims, float theta, float scale,
                              const heed_tensor *divisors);
/* Rotates the first `dims` elements of each head of x [T][heads·Dh], in place.  The rows of angles repeat. */
heed_tensor *heed_rope(heed_context *c, heed_tensor *x, const heed_tensor *angles, int heads, heed_position_kind kind);

/* Changes of scores after their scale. */
typedef struct heed_score_rules {
    int window;            /* keys that a query sees, its own included; 0: no limit */
    float softcap;         /* 0: none */
    float alibi;           /* 0: none */
    int bidirectional;     /* a query sees keys after its own, and window / 2 keys on either side */
    int reach;             /* relative: largest distance */
    const float *relative; /* [H][2·reach + 1] biases by key - query, or NULL */
} heed_score_rules;

/* The keys and values that queries see: the first `length` positions of a cache. */
typedef struct heed_kv_view {
    const heed_cache *cache;
    int length;
    heed_score_rules rules;
} heed_kv_view;

/* The keys begin .. end - 1 that the query at a position sees, of `keys`. */
void heed_seen_keys(const heed_score_rules *rules, int position, int keys, int *begin, int *end);

/* Finishes a row of scores: adds ALiBi or relative biases, and sets keys that the query does not see to -inf. */
void heed_finish_scores(float *row, int keys, heed_score_rules rules, int head, int heads, int position);

/* The n rows of one score matrix.  POSITIONS: query head `head` at positions first, first + 1 …  HEADS: query heads
 * head, head + 1 …, which share keys, at position `first`. */
typedef struct heed_score_rows {
    heed_rows_are are;
    int head, first, n;
    int end; /* of the keys that every row sees; 0: each row sees keys up to its own position */
} heed_score_rows;

/* Attention of a prompt or of one token: softmax(q·Kᵀ/√Dh + mask)·V (Vaswani et al. 2017), H query heads over Hk
 * key/value heads (Ainslie et al. 2023), causal or bidirectional.  Row t of the T queries has position kv->length - T +
 * t.
 * -> [T][H·Dh].  Taps scores and patterns.  (attention_parallel.c) */
heed_tensor *heed_attention(heed_context *c, const heed_queries *q, int T, const heed_kv_view *kv);
/* Bytes of the arena for the scores of heed_attention, of 1 .. T queries of each head. */
uint64_t heed_attention_bytes(int heads, int T, int keys, int threads);

/* The three steps for one head over a range of rows (attention.c).  `q` begins at the first row.
 * Scores q·kᵀ/√Dh -> [n][kv->length], -inf where masked. */
heed_tensor *heed_attention_scores(heed_context *c, const heed_queries *q, const heed_kv_view *kv, heed_score_rows r);
/* Scores to pattern, in place: softmax of each row over the keys that it sees; 0 where masked. */
heed_tensor *heed_attention_pattern(heed_context *c, heed_tensor *scores, heed_score_rows r);
/* Scores, pattern, and the weighted sum of values -> z, n rows of Dh numbers, `z_stride` floats apart. */
void heed_attention_rows(heed_context *c, const heed_queries *q, const heed_kv_view *kv, heed_score_rows r, float *z,
                         size_t z_stride);

#endif
