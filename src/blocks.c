#include "blocks.h"

#include "ops/learn.h"

#include <math.h>

/* A sliding window hides the keys before it.  In place, because no backward reads scores. */
static heed_tensor *hide_before_window(heed_tensor *scores, int T, int window) {
    for (int row = 0; scores && window && row < scores->rows; row++)
        for (int j = 0; j <= row % T - window; j++) heed_row(scores, row)[j] = -INFINITY;
    return scores;
}

/* Attention of whole sequences by operations that have a backward: scores and pattern are [batch·H·T][T]. */
static heed_tensor *whole_attention(heed_context *c, const heed_block_run *r, const heed_tensor *q,
                                    const heed_tensor *k, const heed_tensor *v) {
    if (!q || !k || !v) return NULL;
    const heed_config *config = r->config;
    heed_heads h = {.batch = r->batch, config->heads, config->kv_heads, .joined = 1, .causal = 1};
    heed_tensor *s = heed_scores(c, q, k, h, 1 / sqrtf((float)config->d_head));
    s = heed_tap(c, HEED_HOOK_ATTN_SCORES, hide_before_window(s, q->rows / r->batch, config->window));
    heed_tensor *p = s ? heed_tap(c, HEED_HOOK_PATTERN, heed_softmax(c, s, h)) : NULL;
    return p ? heed_attend_values(c, p, v, h) : NULL;
}

static heed_tensor *cached_attention(heed_context *c, const heed_block_run *r, const heed_tensor *q,
                                     const heed_tensor *k, const heed_tensor *v) {
    heed_queries queries;
    if (!heed_cache_write(c, r->cache, q, k, v, r->first, &queries)) return NULL;
    heed_kv_view kv = {r->cache, r->first + q->rows, r->config->window};
    return heed_attention(c, &queries, q->rows, &kv);
}

/* Rotation is in place.  With a tape it rotates a copy, so that both activations keep their gradients. */
static heed_tensor *rotated(heed_context *c, const heed_block_run *r, heed_tensor *x, int heads) {
    return heed_rope(c, x && c->tape ? heed_copied(c, x) : x, r->angles, heads, r->config->position);
}

static heed_tensor *self_attention(heed_context *c, const heed_block_run *r, heed_tensor *x) {
    const heed_config *config = r->config;
    const heed_block_weights *w = r->weights;
    /* Of a fused weight, q is recorded last: backward then adds its rows in order, as one product does. */
    int first = c->tape && heed_has(&w->attn_qkv) ? 2 : 0;
    heed_projection qkv[3];
    qkv[first] = (heed_projection){HEED_WITH_BIAS(w->attn_q)};
    qkv[1] = (heed_projection){HEED_WITH_BIAS(w->attn_k)};
    qkv[2 - first] = (heed_projection){HEED_WITH_BIAS(w->attn_v)};
    heed_project(c, x, qkv, 3);
    heed_tensor *q = heed_tap(c, HEED_HOOK_Q, qkv[first].y);
    heed_tensor *k = heed_tap(c, HEED_HOOK_K, qkv[1].y);
    heed_tensor *v = heed_tap(c, HEED_HOOK_V, qkv[2 - first].y);
    if (heed_has_rope(config)) {
        q = heed_tap(c, HEED_HOOK_ROT_Q, rotated(c, r, q, config->heads));
        k = heed_tap(c, HEED_HOOK_ROT_K, rotated(c, r, k, config->kv_heads));
    }
    heed_tensor *z = r->cache ? cached_attention(c, r, q, k, v) : whole_attention(c, r, q, k, v);
    return heed_linear(c, heed_tap(c, HEED_HOOK_Z, z), HEED_WITH_BIAS(w->attn_output));
}

static heed_tensor *feed_forward(heed_context *c, const heed_block_run *r, heed_tensor *x) {
    const heed_config *config = r->config;
    const heed_block_weights *w = r->weights;
    heed_projection in[] = {{HEED_WITH_BIAS(w->ffn_gate)}, {HEED_WITH_BIAS(w->ffn_up)}};
    heed_project(c, x, config->gated ? in : in + 1, config->gated ? 2 : 1);
    heed_tensor *gate = in[0].y, *up = in[1].y, *y;
    if (config->gated) {
        gate = heed_tap(c, HEED_HOOK_MLP_PRE, gate);
        up = heed_tap(c, HEED_HOOK_MLP_PRE_LINEAR, up);
        y = heed_mul(c, heed_activation(c, gate, config->activation), up);
    } else {
        y = heed_activation(c, heed_tap(c, HEED_HOOK_MLP_PRE, up), config->activation);
    }
    return heed_linear(c, heed_tap(c, HEED_HOOK_MLP_POST, y), HEED_WITH_BIAS(w->ffn_down));
}

heed_tensor *heed_decoder_block(heed_context *c, const heed_block_run *r, heed_tensor *x) {
    const heed_block_weights *w = r->weights;
    x = heed_tap(c, HEED_HOOK_RESID_PRE, x);
    heed_tensor *n = heed_tap(c, HEED_HOOK_LN1, heed_config_norm(c, r->config, x, HEED_WITH_BIAS(w->attn_norm)));
    heed_tensor *a = heed_tap(c, HEED_HOOK_ATTN_OUT, self_attention(c, r, n));
    x = heed_tap(c, HEED_HOOK_RESID_MID, heed_add(c, x, a));
    n = heed_tap(c, HEED_HOOK_LN2, heed_config_norm(c, r->config, x, HEED_WITH_BIAS(w->ffn_norm)));
    heed_tensor *m = heed_tap(c, HEED_HOOK_MLP_OUT, feed_forward(c, r, n));
    return heed_tap(c, HEED_HOOK_RESID_POST, heed_add(c, x, m));
}
