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
    int arriving;               /* weights that a loader began and has not taken in whole */
    int ready;
};

/* Makes room for a weight of this slot, layer -1 for those of the whole model.  NULL: its shape or type does not fit.
 */
heed_tensor *heed_model_weight(heed_model *model, int layer, int slot, heed_dtype stored, heed_dtype held, int rows,
                               int columns, heed_error *error);
const char *heed_slot_name(const heed_model *model, int layer, int slot);

/* A forward pass under way: n ids at positions first .. first + n - 1, and x [n][D] after `layer` blocks.  All that it
 * needs lies below the mark; of the arena above it nothing is taken between blocks. */
typedef struct heed_pass {
    heed_tensor *x; /* NULL: no pass is under way, or it failed */
    const heed_tensor *angles;
    size_t mark;
    int first, layer;
} heed_pass;

/* The embedded ids [n] at positions first .. first + n - 1; one block more, caches [L]; and after the last of them the
 * normalised residual [n][D] that the head reads.  They take no more of the arena than heed_causal_lm_bytes(). */
heed_pass heed_causal_lm_begin(heed_context *c, const heed_model *model, const int32_t *ids, int n, int first);
void heed_causal_lm_block(heed_context *c, const heed_model *model, const heed_cache *caches, heed_pass *pass);
heed_tensor *heed_causal_lm_end(heed_context *c, const heed_model *model, const heed_pass *pass);
/* x [n][D] -> logits [n][V]. */
heed_tensor *heed_causal_lm_head(heed_context *c, const heed_model *model, heed_tensor *x);

/* Arena bytes that a forward pass of `batch` ids over at most `context` positions takes, or SIZE_MAX. */
size_t heed_causal_lm_bytes(const heed_config *config, int batch, int context, int threads);

#endif
