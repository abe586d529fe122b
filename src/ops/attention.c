/* Attention of one head over a range of rows, or of several heads at one row: softmax(q·Kᵀ/√Dh + mask)·V. */
#include "ops/ops.h"
#include "ops/series.h"

#include <limits.h>
#include <math.h>

/* Query heads that share keys and values. */
static int group_of(const heed_kv_view *kv) { return kv->cache->heads / kv->cache->kv_heads; }

/* The key/value heads of all rows. */
static int kv_heads_of(const heed_kv_view *kv, heed_score_rows r) {
    return r.are == HEED_ROWS_ARE_HEADS ? r.n / group_of(kv) : 1;
}

static int position_of(heed_score_rows r, int t) { return r.first + (r.are == HEED_ROWS_ARE_POSITIONS ? t : 0); }

/* The end of the keys that row t sees. */
static int keys_end(heed_score_rows r, int t) { return r.end ? r.end : position_of(r, t) + 1; }

/* The slope of a head.  Heads past the largest power of two take every other slope of twice as many heads. */
static float alibi_slope(float most, int head, int heads) {
    int power = 1;
    while (2 * power <= heads) power *= 2;
    double exponent = head < power ? (double)(head + 1) / power : (head - power + 0.5) / power;
    return (float)heed_power(2, -(double)most * exponent);
}

void heed_seen_keys(const heed_score_rules *r, int position, int keys, int *begin, int *end) {
    int reach = !r->window ? INT_MAX : r->bidirectional ? r->window / 2 : r->window - 1;
    *begin = position > reach ? position - reach : 0;
    *end = !r->bidirectional ? position + 1 : reach < keys - position ? position + reach + 1 : keys;
}

void heed_finish_scores(float *row, int keys, heed_score_rules r, int head, int heads, int position) {
    int begin, end;
    heed_seen_keys(&r, position, keys, &begin, &end);
    if (r.alibi != 0) {
        float slope = alibi_slope(r.alibi, head, heads);
        for (int j = begin; j < end; j++) row[j] -= slope * (float)(j < position ? position - j : j - position);
    }
    if (r.relative) {
        const float *bias = r.relative + (size_t)head * (size_t)(2 * r.reach + 1);
        for (int j = begin; j < end; j++) {
            int distance = j - position < -r.reach ? -r.reach : j - position > r.reach ? r.reach : j - position;
            row[j] += bias[r.reach + distance];
        }
    }
    for (int j = 0; j < begin; j++) row[j] = -INFINITY;
    for (int j = end; j < keys; j++) row[j] = -INFINITY;
}

heed_tensor *heed_attention_scores(heed_context *c, const heed_queries *all, const heed_kv_view *kv,
                                   heed_score_rows r) {
    heed_tensor *s = heed_tensor_new(c, r.n, kv->length);
    if (!s) return NULL;
    heed_queries q = heed_queries_head(all, kv->cache, r.head, r.are);
    heed_cache_scores(c, s, &q, kv->cache, r.head / group_of(kv), kv_heads_of(kv, r));
    heed_softcap(c, s, kv->rules.softcap);
    for (int t = 0; t < s->rows; t++) {
        int head = r.head + (r.are == HEED_ROWS_ARE_HEADS ? t : 0);
        heed_finish_scores(heed_row(s, t), s->columns, kv->rules, head, kv->cache->heads, position_of(r, t));
    }
    return s;
}

/* A row of scores that are all -inf has overflowed, because every query sees itself.  Its softmax would be zeros, which
 * are finite; NaN instead reaches the check of results. */
static void set_nan(float *row, int n) {
    for (int j = 0; j < n; j++) row[j] = NAN;
}

/* A listener may set scores to -inf on purpose, so overflow is found before it is called. */
static void check_overflow(heed_context *c, heed_tensor *scores, heed_score_rows r) {
    for (int t = 0; t < scores->rows && c->listener; t++) {
        int end = keys_end(r, t);
        if (!(c->kernels->max_f32(heed_row(scores, t), (size_t)end) > -INFINITY)) set_nan(heed_row(scores, t), end);
    }
}

/* The softmax of a row covers only the keys up to the last one that it sees.  So the order of its sum does not depend
 * on the rows that run with it. */
heed_tensor *heed_attention_pattern(heed_context *c, heed_tensor *scores, heed_score_rows r) {
    for (int t = 0; t < scores->rows; t++) {
        float *row = heed_row(scores, t);
        int end = keys_end(r, t);
        if (!c->kernels->softmax_f32(row, end) && !c->listener) set_nan(row, end);
        for (int j = end; j < scores->columns; j++) row[j] = 0;
    }
    return scores;
}

/* Taps each head separately. */
static void tap_heads(heed_context *c, heed_hook hook, heed_score_rows r, const heed_tensor *x) {
    int rows = r.are == HEED_ROWS_ARE_POSITIONS ? r.n : 1;
    for (int t = 0; c->listener && t < r.n; t += rows) {
        heed_tensor head = {HEED_F32, rows, x->columns, x->stride, heed_row(x, t), NULL};
        heed_tap_head(c, hook, r.head + t / rows, &head);
    }
}

void heed_attention_rows(heed_context *c, const heed_queries *q, const heed_kv_view *kv, heed_score_rows r, float *z,
                         size_t z_stride) {
    heed_tensor *s = heed_attention_scores(c, q, kv, r);
    if (!s) return;
    check_overflow(c, s, r);
    tap_heads(c, HEED_HOOK_ATTN_SCORES, r, s);
    heed_tensor *p = heed_attention_pattern(c, s, r);
    tap_heads(c, HEED_HOOK_PATTERN, r, p);
    heed_cache_attend(c, z, z_stride, p, kv->cache, r.head / group_of(kv), kv_heads_of(kv, r));
}
