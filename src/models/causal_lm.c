#include "models/causal_lm.h"
#include "models/weights.h"
#include "ops/learn.h"

#include <string.h>

/* Embedding of ids [batch][n], plus learned positions: -> [batch·n][D]. */
static heed_tensor *embed(heed_context *c, const heed_model *m, const int32_t *ids, int batch, int n, int first) {
    heed_tensor *x = heed_tap(c, HEED_HOOK_EMBED, heed_embed(c, &m->weights.token_embd, ids, batch * n));
    if (m->config.position != HEED_POSITION_LEARNED) return x;
    heed_tensor *p = heed_tap(c, HEED_HOOK_POS_EMBED, heed_positions(c, &m->weights.position_embd, first, n));
    return batch == 1 ? heed_add(c, x, p) : x && p ? heed_add_repeated(c, x, p) : NULL;
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
static heed_tensor *block(heed_context *c, const heed_model *m, const heed_cache *caches, const heed_pass *p) {
    int l = p->layer;
    heed_tensor *x = p->x;
    heed_block_run run = {&m->config, &m->blocks[l], p->angles, caches ? &caches[l] : NULL, p->first, p->batch};
    c->layer = l;
    heed_tensor *y = checked(c, heed_decoder_block(c, &run, x));
    c->layer = HEED_NO_LAYER;
    return c->tape ? y : heed_keep(c, p->mark, x, y);
}

heed_tensor *heed_causal_lm_norm(heed_context *c, const heed_model *m, const heed_tensor *x) {
    return heed_config_norm(c, &m->config, x, HEED_WITH_BIAS(m->weights.output_norm));
}

static heed_tensor *final_norm(heed_context *c, const heed_model *m, heed_tensor *x) {
    return heed_tap(c, HEED_HOOK_FINAL_NORM, heed_causal_lm_norm(c, m, x));
}

heed_tensor *heed_causal_lm(heed_context *c, const heed_model *m, const heed_cache *caches, const int32_t *ids, int n,
                            int first) {
    heed_pass p = heed_causal_lm_begin(c, m, ids, n, first);
    while (p.layer < m->config.layers) heed_causal_lm_next(c, m, caches, &p);
    return final_norm(c, m, p.x);
}

heed_tensor *heed_causal_lm_head(heed_context *c, const heed_model *m, heed_tensor *x) {
    return heed_linear(c, x, &m->weights.output, NULL);
}

static heed_pass begin(heed_context *c, const heed_model *m, const int32_t *ids, int batch, int n, int first) {
    heed_tensor *x = embed(c, m, ids, batch, n, first), *angles = rope_angles(c, m, first, n);
    return (heed_pass){x, angles, heed_arena_mark(c->arena), first, 0, batch};
}

heed_pass heed_causal_lm_begin(heed_context *c, const heed_model *m, const int32_t *ids, int n, int first) {
    return begin(c, m, ids, 1, n, first);
}

heed_tensor *heed_causal_lm_batch(heed_context *c, const heed_model *m, const int32_t *ids, int batch, int n) {
    heed_pass p = begin(c, m, ids, batch, n, 0);
    while (p.layer < m->config.layers) heed_causal_lm_next(c, m, NULL, &p);
    heed_tensor *x = final_norm(c, m, p.x);
    return x ? heed_causal_lm_head(c, m, x) : NULL;
}

heed_pass heed_causal_lm_from(heed_context *c, const heed_model *m, const float *residual, int n, int first,
                              int layer) {
    heed_tensor *x = heed_tensor_new(c, n, m->config.d_model), *angles = rope_angles(c, m, first, n);
    if (x) memcpy(x->data, residual, (size_t)n * (size_t)m->config.d_model * sizeof *residual);
    return (heed_pass){x, angles, heed_arena_mark(c->arena), first, layer, 1};
}

void heed_causal_lm_next(heed_context *c, const heed_model *m, const heed_cache *caches, heed_pass *p) {
    p->x = block(c, m, caches, p);
    p->layer++;
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

/* The adapters' u and its gradient, for `rows` rows. */
static uint64_t adapters_bytes(const heed_model *m, int rows) {
    uint64_t total = 0;
    for (int l = 0; l < m->config.layers; l++)
        for (int s = 0; s < HEED_BLOCK_SLOT_COUNT; s++) {
            const heed_adapter *adapter = m->blocks[l].slot[s].adapter;
            if (adapter) total += 2 * heed_tensor_bytes(rows, adapter->rank) + heed_aligned_64(sizeof(heed_record));
        }
    return total;
}

/* The sum of all tensors of the pass with their gradients.  An upper bound: models without some of them need less. */
uint64_t heed_causal_lm_recorded_bytes(const heed_model *m, int batch, int n) {
    const heed_config *c = &m->config;
    int q = c->heads * c->d_head, kv = c->kv_heads * c->d_head, rows = batch * n;
    uint64_t T = (uint64_t)rows, H = (uint64_t)c->heads, L = (uint64_t)c->layers, D = (uint64_t)c->d_model;
    /* q and rotated q, z; k and rotated k, v; two residuals, two norms, two outputs; gate, up, activation, product */
    uint64_t numbers = 3 * (uint64_t)q + 3 * (uint64_t)kv + 6 * D + 4 * (uint64_t)c->d_ff + 2 * H * (uint64_t)n;
    uint64_t quantized =
        heed_blocks_bytes(rows, 2 * c->d_model) + heed_blocks_bytes(rows, q) + heed_blocks_bytes(rows, c->d_ff);
    uint64_t tensor = heed_aligned_64(sizeof(heed_tensor));
    uint64_t tensors = 32 * (heed_aligned_64(sizeof(heed_record)) + 4 * HEED_ALIGN + tensor);
    uint64_t block = 2 * T * numbers * sizeof(float) + quantized + tensors + heed_aligned_64(T * 8) * 2 + 2 * tensor;
    uint64_t outside = 8 * T * D * sizeof(float) + heed_tensor_bytes(n, c->rope_dims) + tensors;
    return L * block + outside + adapters_bytes(m, rows);
}
