/* Operations for training, beside the operations of ops.h.
 * They have a backward, except the optimizers and heed_sinusoidal.  So do the operations of ops.h, except
 * heed_attention, its cache and heed_rope_angles.  A weight that is not
 * f32 is a constant. */
#ifndef HEED_LEARN_H
#define HEED_LEARN_H

#include "ops/gradients.h"
#include "ops/parallel.h"

/* Shapes (shape.c, sums.c) */
heed_tensor *heed_copied(heed_context *c, const heed_tensor *x);
/* op(a)·op(b), each transposed or not -> [M][N]. */
heed_tensor *heed_matmul(heed_context *c, const heed_tensor *a, const heed_tensor *b, int a_transposed,
                         int b_transposed);
/* y[t] = x[ids[t]], zeros for -1: [n][D]. */
heed_tensor *heed_gather(heed_context *c, const heed_tensor *x, const int32_t *ids, int n);
/* Columns of n matrices with the same rows, side by side. */
heed_tensor *heed_concat(heed_context *c, const heed_tensor *const *list, int n);
/* scale·x + shift. */
heed_tensor *heed_affine(heed_context *c, const heed_tensor *x, float scale, float shift);
/* a + b and a·b, with the rows of b repeated, and its column when it has one. */
heed_tensor *heed_add_repeated(heed_context *c, const heed_tensor *a, const heed_tensor *b);
heed_tensor *heed_mul_repeated(heed_context *c, const heed_tensor *a, const heed_tensor *b);
/* scale·Σ of every `rows` rows, and of their columns when over_columns: [T / rows][D or 1]. */
heed_tensor *heed_sum(heed_context *c, const heed_tensor *x, int rows, int over_columns, float scale);

/* Attention (scores.c, mask.c).  Matrices of a batch hold heads joined, [batch·T][heads·Dh], or apart,
 * [batch·heads·T][Dh].  Scores and patterns are [batch·heads·queries][keys]. */
typedef struct heed_heads {
    int batch, heads, kv_heads, joined;
    int causal, past; /* of scores and patterns: query t sees keys 0 .. past + t */
} heed_heads;
/* s = scale·q·kᵀ, -inf where masked.  Masked scores are not computed and their gradients are not read. */
heed_tensor *heed_scores(heed_context *c, const heed_tensor *q, const heed_tensor *k, heed_heads h, float scale);
/* q[i] + k[j] of every query and key: [batch·heads·queries·keys][D], for additive scores (Bahdanau et al. 2015). */
heed_tensor *heed_pairs(heed_context *c, const heed_tensor *q, const heed_tensor *k, heed_heads h);
/* The number of keys that query t sees. */
static inline int heed_seen_by(heed_heads h, int t, int keys) {
    return h.causal && t < keys - h.past ? h.past + t + 1 : keys;
}
/* The weighted sum of values z = p·v, laid out as v.  Masked numbers of a causal p must be 0; their gradients stay
 * unchanged. */
heed_tensor *heed_attend_values(heed_context *c, const heed_tensor *p, const heed_tensor *v, heed_heads h);
/* Masked scores become -inf, in place, because no backward reads scores. */
typedef struct heed_mask_rules {
    int batch, heads;
    int causal, past;       /* query t sees keys 0 .. past + t */
    const int32_t *lengths; /* NULL, or the number of keys of each sequence [batch] */
    const heed_tensor *m; /* NULL, or [m_batch·m_heads·m_rows][keys]; m_batch, m_heads, m_rows: 1 or as in the scores */
    int m_batch, m_heads, m_rows, boolean; /* boolean: 0 masks; otherwise m is added */
} heed_mask_rules;
heed_tensor *heed_mask(heed_context *c, heed_tensor *s, heed_mask_rules rules);
/* Softmax of each row, over the keys that its query sees when causal.  A row of -inf alone gives zeros. */
heed_tensor *heed_softmax(heed_context *c, const heed_tensor *x, heed_heads h);

/* RoPE of a copy; row t has position first + t mod period. */
heed_tensor *heed_rope_rows(heed_context *c, const heed_tensor *x, int first, int period, int heads, int dims,
                            heed_position_kind kind, float theta);
/* PE(pos, 2i) = sin(pos / 10000^(2i/D)), PE(pos, 2i + 1) = cos of it (Vaswani et al. 2017). */
heed_tensor *heed_sinusoidal(heed_context *c, int first, int T, int D);
/* Each number is 0 with this probability, and divided by 1 - probability otherwise (Srivastava et al. 2014).  seed and
 * counter + i decide number i of x. */
heed_tensor *heed_dropout(heed_context *c, const heed_tensor *x, uint64_t seed, uint64_t counter, float probability);
/* One step of a GRU (Cho et al. 2014; PyTorch's equations).  input, state: [B][3H], linear parts of the gates in the
 * order reset, update, new.  h [B][H] -> [B][H].  Rows whose length is <= step keep their state. */
heed_tensor *heed_gru(heed_context *c, const heed_tensor *input, const heed_tensor *state, const heed_tensor *h,
                      const int32_t *lengths, int step);
/* Cross-entropy -log softmax(x)[target]: x [T][V], targets [T] -> [1][1].  With smoothing ε it is 1 - ε of that plus ε
 * of the mean over all classes.  Sum, or mean, over the rows whose target is not `ignored`. */
heed_tensor *heed_cross_entropy(heed_context *c, const heed_tensor *x, const int32_t *targets, int ignored,
                                float smoothing, int mean);

/* Steps of an optimizer: update w in place by its gradient (optimizer.c). */
typedef struct heed_adamw_step {
    float rate, beta_1, beta_2, eps, decay;
    float correction_1, correction_2; /* 1 - β^t */
} heed_adamw_step;
/* AdamW (Loshchilov and Hutter 2019); m and v have w's shape. */
void heed_adamw(heed_context *c, const heed_tensor *w, const heed_tensor *m, const heed_tensor *v,
                heed_adamw_step step);
/* Stochastic gradient descent, PyTorch's equations; velocity NULL without momentum. */
void heed_sgd(heed_context *c, const heed_tensor *w, const heed_tensor *velocity, float rate, float momentum,
              float decay);
/* The sum of squares of a gradient, in double; and a gradient times a factor, in place. */
double heed_grad_squared_norm(heed_context *c, const heed_tensor *x);
void heed_grad_scale(heed_context *c, const heed_tensor *x, float factor);

#endif
