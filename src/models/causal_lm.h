/* Decoder-only language models (GPT-2, Llama, Qwen, Gemma, Phi, …), encoders (BERT, RoBERTa, ModernBERT, …) and
 * encoder–decoders (T5, BART, Marian), by configuration. */
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
    heed_block_weights *blocks;     /* [L] */
    const float *picture;           /* [vocabulary][patch] of the caller, or NULL */
    const int32_t *pair, *segments; /* [n_pair] of the caller */
    int n_pair;
    int arriving; /* weights that a loader has begun and not finished */
    int ready;
};

/* Takes memory for the weight of a slot; layer -1: of the whole model.  NULL when its shape or type does not fit. */
heed_tensor *heed_model_weight(heed_model *model, int layer, int slot, heed_dtype stored, heed_dtype held, int rows,
                               int columns, heed_error *error);
const char *heed_slot_name(int layer, int slot);

typedef struct heed_text {
    const int32_t *ids; /* [n] */
    int n;
} heed_text;

/* The forward pass, embedding to final norm: ids [n] at positions first .. first + n - 1 -> [n][D].  Writes queries,
 * keys and values of these positions to the caches [L].  With a tape, it records its backward: first is 0, caches is
 * NULL.  The head is apart because few rows need logits: of a prompt, the last alone.
 * - source: of an encoder–decoder, else 0.  A pass from position 0 runs its encoder first */
heed_tensor *heed_causal_lm(heed_context *c, const heed_model *model, const heed_cache *caches, heed_text ids,
                            int first, heed_text source);
/* How the scores of a layer are finished. */
heed_score_rules heed_causal_lm_rules(const heed_model *model, int layer);
/* The final norm, without a tap: x [n][D] -> [n][D]; x when the model does not have it. */
heed_tensor *heed_causal_lm_norm(heed_context *c, const heed_model *model, heed_tensor *x);
/* Logits of a row: words, labels of a classifier, or the product with the class token. */
static inline int heed_outputs(const heed_config *c) { return HEED_SIZE_OUT; }
/* The larger of logits and words of a row, for memory. */
static inline int heed_most_outputs(const heed_config *c) {
    return c->vocabulary > heed_outputs(c) ? c->vocabulary : heed_outputs(c);
}

/* The layer before the head: x [n][D] -> [n][D]; x when the model does not have it. */
heed_tensor *heed_causal_lm_cls(heed_context *c, const heed_model *model, heed_tensor *x);
/* The language model head: x [n][D] -> logits [n][V]; and logits from the products of some of its rows. */
heed_tensor *heed_causal_lm_head(heed_context *c, const heed_model *model, heed_tensor *x);
heed_tensor *heed_causal_lm_logits(heed_context *c, const heed_model *model, heed_tensor *products);

/* Logits of a batch of whole sequences without a cache, for training: ids [batch][n] -> [batch·n][V]. */
heed_tensor *heed_causal_lm_batch(heed_context *c, const heed_model *model, const int32_t *ids, int batch, int n);

/* The same pass, one block per call, so that callers can do other work in between: embedding, one block, final norm.
 * The arena holds the state of the pass below `mark`; between calls, a caller may use the arena above it. */
typedef struct heed_pass {
    heed_tensor *x; /* residual [batch·n][D] after `layer` blocks; NULL: no pass is active, or a block failed */
    const heed_tensor *angles[2]; /* of local and of global layers; NULL: they do not rotate */
    size_t mark;
    int first, layer, batch;
    heed_text ids, source;
    heed_tensor *memory;   /* [source.n][D], the output of the encoder; NULL before, and with caches */
    size_t start;          /* of the arena */
    int last;              /* rows of the output of the last block, the last ones; 0: all */
    int from;              /* the first block */
    const float *residual; /* its input [n][D], of the caller; NULL: the embedding */
} heed_pass;

heed_pass heed_causal_lm_begin(heed_context *c, const heed_model *model, heed_text ids, int first, heed_text source);
/* A pass that begins at block `layer`, whose input is residual [n][D]. */
heed_pass heed_causal_lm_from(heed_context *c, const heed_model *model, heed_text ids, int first, int layer,
                              const float *residual);
void heed_causal_lm_next(heed_context *c, const heed_model *model, const heed_cache *caches, heed_pass *pass);
heed_tensor *heed_causal_lm_end(heed_context *c, const heed_model *model, const heed_pass *pass);

/* An upper bound of the arena bytes of a forward pass: `batch` ids in at most `context` positions, on `threads`
 * threads. SIZE_MAX when it exceeds the address space. */
size_t heed_causal_lm_bytes(const heed_config *config, int batch, int context, int threads);

/* Whether the scores of a pass with a tape have at most HEED_MAX_NUMBERS numbers, and its experts as many rows. */
int heed_causal_lm_can_record(const heed_config *config, int batch, int n);
/* Most copies of the logits that a tape keeps, with their gradients and the softmax of a loss. */
uint64_t heed_causal_lm_logits_copies(const heed_config *config);
/* An upper bound of the arena bytes of a pass with a tape: `batch` sequences of n ids, and a source of at most n. It
 * does not contain the logits. */
uint64_t heed_causal_lm_recorded_bytes(const heed_model *model, int batch, int n);

#endif
