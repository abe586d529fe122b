/* Decoder-only language models: GPT-2, Llama, Mistral, SmolLM2, Qwen2, … by configuration. */
#ifndef HEED_CAUSAL_LM_H
#define HEED_CAUSAL_LM_H

#include "blocks.h"

typedef union heed_model_weights {
    heed_tensor slot[HEED_MODEL_SLOT_COUNT];
    struct {
#define X(name, text, rows, columns, needed) heed_tensor name;
        HEED_MODEL_SLOTS(X)
#undef X
    };
} heed_model_weights;

struct heed_model {
    heed_config config;
    heed_arena arena;
    heed_model_weights weights;
    heed_block_weights *blocks; /* [L] */
    int ready;
};

/* Makes room for a weight of this slot, layer -1 for those of the whole model.  NULL: its shape or type does not fit.
 */
heed_tensor *heed_model_weight(heed_model *model, int layer, int slot, heed_dtype stored, heed_dtype held, int rows,
                               int columns, heed_error *error);
const char *heed_slot_name(const heed_model *model, int layer, int slot);

/* ids [n] at positions first .. first + n - 1 -> the normalised residual [n][D] that the head reads.  caches [L].
 * Takes no more of the arena than heed_causal_lm_bytes(). */
heed_tensor *heed_causal_lm_forward(heed_context *c, const heed_model *model, const heed_cache *caches,
                                    const int32_t *ids, int n, int first);
/* x [n][D] -> logits [n][V]. */
heed_tensor *heed_causal_lm_head(heed_context *c, const heed_model *model, heed_tensor *x);

/* Arena bytes that a forward pass of `batch` ids over at most `context` positions takes, or SIZE_MAX. */
size_t heed_causal_lm_bytes(const heed_config *config, int batch, int context, int threads);

#endif
