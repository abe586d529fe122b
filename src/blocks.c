#include "blocks.h"

static heed_tensor *self_attention(heed_context *c, const heed_config *config, const heed_block_weights *w,
                                   heed_tensor *x, const heed_tensor *angles, const heed_cache *cache, int l,
                                   int first) {
    int H = config->heads, Hk = config->kv_heads;
    heed_projection qkv[] = {
        {&w->attn_q, &w->attn_q_bias, NULL}, {&w->attn_k, &w->attn_k_bias, NULL}, {&w->attn_v, &w->attn_v_bias, NULL}};
    heed_project(c, x, qkv, 3);
    heed_tensor *q = heed_tap(c, HEED_HOOK_Q, l, -1, qkv[0].y);
    heed_tensor *k = heed_tap(c, HEED_HOOK_K, l, -1, qkv[1].y);
    heed_tensor *v = heed_tap(c, HEED_HOOK_V, l, -1, qkv[2].y);
    if (angles) {
        q = heed_tap(c, HEED_HOOK_ROT_Q, l, -1, heed_rope(c, q, angles, H, config->position));
        k = heed_tap(c, HEED_HOOK_ROT_K, l, -1, heed_rope(c, k, angles, Hk, config->position));
    }
    heed_queries queries;
    if (!heed_remember(c, cache, q, k, v, first, &queries)) return NULL;
    heed_memory memory = {cache, first + x->rows, config->window};
    heed_tensor *z = heed_tap(c, HEED_HOOK_Z, l, -1, heed_attention(c, &queries, x->rows, &memory, l));
    return heed_linear(c, z, &w->attn_output, &w->attn_output_bias);
}

static heed_tensor *feed_forward(heed_context *c, const heed_config *config, const heed_block_weights *w,
                                 heed_tensor *x, int l) {
    heed_projection in[] = {{&w->ffn_up, &w->ffn_up_bias, NULL}, {&w->ffn_gate, &w->ffn_gate_bias, NULL}};
    heed_project(c, x, in, config->gated ? 2 : 1);
    heed_tensor *up = in[0].y, *post;
    if (config->gated) {
        heed_tensor *gate = heed_tap(c, HEED_HOOK_MLP_PRE, l, -1, in[1].y);
        heed_tap(c, HEED_HOOK_MLP_PRE_LINEAR, l, -1, up);
        post = heed_mul(c, heed_activation(c, gate, config->activation), up);
    } else {
        post = heed_activation(c, heed_tap(c, HEED_HOOK_MLP_PRE, l, -1, up), config->activation);
    }
    return heed_linear(c, heed_tap(c, HEED_HOOK_MLP_POST, l, -1, post), &w->ffn_down, &w->ffn_down_bias);
}

heed_tensor *heed_decoder_block(heed_context *c, const heed_config *config, const heed_block_weights *w, heed_tensor *x,
                                const heed_tensor *angles, const heed_cache *cache, int l, int first) {
    heed_tap(c, HEED_HOOK_RESID_PRE, l, -1, x);
    heed_tensor *n = heed_norm(c, x, &w->attn_norm, &w->attn_norm_bias, config->norm, config->norm_eps);
    heed_tensor *a = self_attention(c, config, w, heed_tap(c, HEED_HOOK_LN1, l, -1, n), angles, cache, l, first);
    x = heed_tap(c, HEED_HOOK_RESID_MID, l, -1, heed_add(c, x, heed_tap(c, HEED_HOOK_ATTN_OUT, l, -1, a)));
    n = heed_norm(c, x, &w->ffn_norm, &w->ffn_norm_bias, config->norm, config->norm_eps);
    heed_tensor *m = feed_forward(c, config, w, heed_tap(c, HEED_HOOK_LN2, l, -1, n), l);
    return heed_tap(c, HEED_HOOK_RESID_POST, l, -1, heed_add(c, x, heed_tap(c, HEED_HOOK_MLP_OUT, l, -1, m)));
}
