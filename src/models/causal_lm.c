#include "models/causal_lm.h"
#include "models/weights.h"

#include <string.h>

/* Embedding of ids, plus learned positions: -> [n][D]. */
static heed_tensor *embed(heed_context *c, const heed_model *m, const int32_t *ids, int n, int first) {
    heed_tensor *x = heed_tap(c, HEED_HOOK_EMBED, heed_embed(c, &m->weights.token_embd, ids, n));
    if (m->config.position != HEED_POSITION_LEARNED) return x;
    heed_tensor *p = heed_tap(c, HEED_HOOK_POS_EMBED, heed_positions(c, &m->weights.position_embd, first, n));
    return heed_add(c, x, p);
}

/* Rotations of positions first .. first + n - 1: [n][rope_dims]; NULL without RoPE. */
static heed_tensor *rope_angles(heed_context *c, const heed_model *m, int first, int n) {
    const heed_config *config = &m->config;
    if (!heed_has_rope(config)) return NULL;
    heed_context constant = *c;
    constant.tape = NULL;
    return heed_rope_angles(&constant, first, n, config->rope_dims, config->rope_theta, config->rope_scale,
                            &m->weights.rope_freqs);
}

/* Costs little beside the products of a block, and names the block that failed. */
static heed_tensor *checked(heed_context *c, heed_tensor *x) {
    for (int t = 0; x && t < x->rows; t++)
        if (!heed_all_finite(HEED_F32, heed_row(x, t), (size_t)x->columns)) {
            heed_fail(c->error, HEED_ERROR_NUMBER,
                      "block %d computed infinity or NaN: its weights, or the values of an edit, are too large",
                      c->layer);
            return NULL;
        }
    return x;
}

/* Block l in place: its other tensors lie above the mark of the arena and are released.  With a tape they stay for its
 * backward. */
static heed_tensor *block(heed_context *c, const heed_model *m, int l, heed_tensor *x, const heed_tensor *angles,
                          const heed_cache *caches, int first, size_t mark) {
    heed_block_run run = {&m->config, &m->blocks[l], angles, caches ? &caches[l] : NULL, first};
    c->layer = l;
    heed_tensor *y = checked(c, heed_decoder_block(c, &run, x));
    c->layer = HEED_NO_LAYER;
    return c->tape ? y : heed_keep(c, mark, x, y);
}

heed_tensor *heed_causal_lm_norm(heed_context *c, const heed_model *m, const heed_tensor *x) {
    return heed_config_norm(c, &m->config, x, HEED_WITH_BIAS(m->weights.output_norm));
}

static heed_tensor *final_norm(heed_context *c, const heed_model *m, heed_tensor *x) {
    return heed_tap(c, HEED_HOOK_FINAL_NORM, heed_causal_lm_norm(c, m, x));
}

heed_tensor *heed_causal_lm(heed_context *c, const heed_model *m, const heed_cache *caches, const int32_t *ids, int n,
                            int first) {
    heed_tensor *x = embed(c, m, ids, n, first), *angles = rope_angles(c, m, first, n);
    size_t mark = heed_arena_mark(c->arena);
    for (int l = 0; l < m->config.layers; l++) x = block(c, m, l, x, angles, caches, first, mark);
    return final_norm(c, m, x);
}

heed_tensor *heed_causal_lm_head(heed_context *c, const heed_model *m, heed_tensor *x) {
    return heed_linear(c, x, &m->weights.output, NULL);
}

heed_pass heed_causal_lm_begin(heed_context *c, const heed_model *m, const int32_t *ids, int n, int first) {
    heed_tensor *x = embed(c, m, ids, n, first), *angles = rope_angles(c, m, first, n);
    return (heed_pass){x, angles, heed_arena_mark(c->arena), first, 0};
}

heed_pass heed_causal_lm_from(heed_context *c, const heed_model *m, const float *residual, int n, int first,
                              int layer) {
    heed_tensor *x = heed_tensor_new(c, n, m->config.d_model), *angles = rope_angles(c, m, first, n);
    if (x) memcpy(x->data, residual, (size_t)n * (size_t)m->config.d_model * sizeof *residual);
    return (heed_pass){x, angles, heed_arena_mark(c->arena), first, layer};
}

void heed_causal_lm_next(heed_context *c, const heed_model *m, const heed_cache *caches, heed_pass *p) {
    p->x = block(c, m, p->layer++, p->x, p->angles, caches, p->first, p->mark);
}

heed_tensor *heed_causal_lm_end(heed_context *c, const heed_model *m, const heed_pass *p) {
    return final_norm(c, m, p->x);
}

/* The sum of all tensors of a pass between two releases of the arena.  An upper bound: architectures without some of
 * these tensors need less. */
size_t heed_causal_lm_bytes(const heed_config *c, int batch, int context, int threads) {
    int q = c->heads * c->d_head, kv = c->kv_heads * c->d_head, group = c->heads / c->kv_heads;
    uint64_t scores = heed_tensor_bytes(batch > group ? batch : group, context);
    uint64_t outside = 4 * heed_tensor_bytes(batch, c->d_model) + heed_tensor_bytes(batch, c->rope_dims);
    uint64_t attention = 2 * heed_tensor_bytes(batch, q) + 2 * heed_tensor_bytes(batch, kv) +
                         (uint64_t)threads * scores + heed_blocks_bytes(batch, q) + heed_queries_bytes(c, batch);
    uint64_t feed_forward = 4 * heed_tensor_bytes(batch, c->d_ff) + heed_blocks_bytes(batch, c->d_ff);
    uint64_t residual = 6 * heed_tensor_bytes(batch, c->d_model) + 2 * heed_blocks_bytes(batch, c->d_model);
    uint64_t total = outside + attention + feed_forward + residual;
    return total > SIZE_MAX ? SIZE_MAX : (size_t)total;
}
