#include "models/causal_lm.h"
#include "models/weights.h"

#include <string.h>

heed_pass heed_causal_lm_begin(heed_context *c, const heed_model *model, const int32_t *ids, int n, int first) {
    const heed_config *config = &model->config;
    const heed_model_weights *w = &model->weights;
    heed_tensor *angles = NULL;
    heed_tensor *x = heed_tap(c, HEED_HOOK_EMBED, -1, -1, heed_embed(c, &w->token_embd, ids, n));
    if (config->position == HEED_POSITION_LEARNED) {
        heed_tensor *p = heed_positions(c, &w->position_embd, first, n);
        x = heed_add(c, x, heed_tap(c, HEED_HOOK_POS_EMBED, -1, -1, p));
    } else if (config->position != HEED_POSITION_NONE) {
        angles =
            heed_rope_angles(c, first, n, config->rope_dims, config->rope_theta, config->rope_scale, &w->rope_freqs);
        if (!angles) x = NULL;
    }
    return (heed_pass){x, angles, heed_arena_mark(c->arena), first, 0};
}

/* Cheap beside a block's products, and it tells which block. */
static int all_finite(const heed_tensor *x) {
    for (int t = 0; t < x->rows; t++)
        if (!heed_all_finite(HEED_F32, heed_row(x, t), (size_t)x->columns)) return 0;
    return 1;
}

void heed_causal_lm_block(heed_context *c, const heed_model *model, const heed_cache *caches, heed_pass *pass) {
    int l = pass->layer++;
    heed_tensor *y =
        heed_decoder_block(c, &model->config, &model->blocks[l], pass->x, pass->angles, &caches[l], l, pass->first);
    if (y && !all_finite(y)) {
        heed_fail(c->error, HEED_ERROR_NUMBER,
                  "block %d computed infinity or NaN: its weights, or the values of an edit, are too large", l);
        y = NULL;
    }
    pass->x = heed_keep(c, pass->mark, pass->x, y);
}

heed_tensor *heed_causal_lm_end(heed_context *c, const heed_model *model, const heed_pass *pass) {
    const heed_config *config = &model->config;
    const heed_model_weights *w = &model->weights;
    heed_tensor *y = heed_norm(c, pass->x, &w->output_norm, &w->output_norm_bias, config->norm, config->norm_eps);
    return heed_tap(c, HEED_HOOK_FINAL_NORM, -1, -1, y);
}

heed_tensor *heed_causal_lm_head(heed_context *c, const heed_model *model, heed_tensor *x) {
    return heed_linear(c, x, &model->weights.output, NULL);
}

/* The sum of everything that the passes above take before they release it; what an architecture leaves out is room to
 * spare. */
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
