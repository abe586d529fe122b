#include "blocks.h"

static heed_tensor *self_attention(heed_context *c, const heed_block_run *r, heed_tensor *x) {
    const heed_config *config = r->config;
    const heed_block_weights *w = r->weights;
    heed_projection qkv[] = {{HEED_WITH_BIAS(w->attn_q)}, {HEED_WITH_BIAS(w->attn_k)}, {HEED_WITH_BIAS(w->attn_v)}};
    heed_project(c, x, qkv, 3);
    heed_tensor *q = heed_tap(c, HEED_HOOK_Q, qkv[0].y);
    heed_tensor *k = heed_tap(c, HEED_HOOK_K, qkv[1].y);
    heed_tensor *v = heed_tap(c, HEED_HOOK_V, qkv[2].y);
    if (heed_has_rope(config)) {
        q = heed_tap(c, HEED_HOOK_ROT_Q, heed_rope(c, q, r->angles, config->heads, config->position));
        k = heed_tap(c, HEED_HOOK_ROT_K, heed_rope(c, k, r->angles, config->kv_heads, config->position));
    }
    heed_queries queries;
    if (!heed_cache_write(c, r->cache, q, k, v, r->first, &queries)) return NULL;
    heed_kv_view kv = {r->cache, r->first + x->rows, config->window};
    heed_tensor *z = heed_tap(c, HEED_HOOK_Z, heed_attention(c, &queries, x->rows, &kv));
    return heed_linear(c, z, HEED_WITH_BIAS(w->attn_output));
}

static heed_tensor *feed_forward(heed_context *c, const heed_block_run *r, heed_tensor *x) {
    const heed_config *config = r->config;
    const heed_block_weights *w = r->weights;
    heed_projection in[] = {{HEED_WITH_BIAS(w->ffn_up)}, {HEED_WITH_BIAS(w->ffn_gate)}};
    heed_project(c, x, in, config->gated ? 2 : 1);
    heed_tensor *up = in[0].y, *gate = in[1].y, *y;
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
