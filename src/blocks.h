/* The transformer block. */
#ifndef HEED_BLOCKS_H
#define HEED_BLOCKS_H

#include "ops/ops.h"

/* The weights of one block, by slot or by name. */
typedef union heed_block_weights {
    heed_tensor slot[HEED_BLOCK_SLOT_COUNT];
    struct {
#define X(name, text, rows, columns, needed) heed_tensor name;
        HEED_BLOCK_SLOTS(X)
#undef X
    };
} heed_block_weights;

/* One run of one block: everything that it reads except its input. */
typedef struct heed_block_run {
    const heed_config *config;
    const heed_block_weights *weights;
    const heed_tensor *angles; /* [T][rope_dims] of the input's rows; NULL without rotation */
    const heed_cache *cache;   /* of this layer; NULL: the input is whole sequences */
    int first;                 /* position of the input's first row; 0 without a cache */
    heed_score_rules rules;
    int source;                        /* keys of cross-attention, which a cache has already; 0: self-attention */
    heed_tensor *memory;               /* [source][D] of the encoder, without a cache */
    int batch;                         /* sequences of the input, of equal length; 1 with a cache */
    int last;                          /* rows of the output, the last ones of one sequence; 0: all */
    const heed_block_weights *experts; /* [experts] of a mixture */
} heed_block_run;

/* Keys and values of cross-attention, tapped: the output memory [S][D] of the encoder -> *k, *v [S][Hk·Dh].  Returns
 * whether there was memory for them. */
int heed_source_keys(heed_context *c, const heed_config *config, const heed_block_weights *w, heed_tensor *memory,
                     heed_tensor **k, heed_tensor **v);

/* A weight of a block and its bias: two arguments, or two fields. */
#define HEED_WITH_BIAS(weight) &(weight), &weight##_bias

/* Block of a decoder or an encoder.  It has norms before attention and feed-forward (Radford et al. 2019; Touvron et
 * al. 2023), after them, both, or of the sums (Vaswani et al. 2017; Devlin et al. 2019).  Attention and feed-forward
 * run one after the other, or parallel: x [T][D] -> [T][D].
 * Writes q, k and v of positions first .. first + T - 1 to the cache, and taps every activation of c->layer.  Without a
 * cache, x is `batch` whole sequences, one after another, and every step has a backward.  Scores and later activations
 * have `last` rows.  A block without a feed-forward network ends after attention. */
heed_tensor *heed_decoder_block(heed_context *c, const heed_block_run *r, heed_tensor *x);

static inline int heed_has_rope(const heed_config *config) {
    return config->position == HEED_ROPE_ADJACENT || config->position == HEED_ROPE_HALVES;
}

/* Whether a layer is global: without a window, and with positions of its own. */
static inline int heed_is_global(const heed_config *config, int layer) {
    int after_first = layer - config->global_first;
    return config->global_every > 0 && after_first >= 0 && after_first % config->global_every == 0;
}

/* The parts of an encoder–decoder: blocks of the encoder, then self-attention and cross-attention in turns. */
static inline int heed_in_encoder(const heed_config *config, int layer) { return layer < config->encoder_layers; }
static inline int heed_in_decoder(const heed_config *config, int layer) {
    return config->encoder_layers && !heed_in_encoder(config, layer);
}
static inline int heed_is_cross(const heed_config *config, int layer) {
    return heed_in_decoder(config, layer) && (layer - config->encoder_layers) % 2;
}
/* Whether queries see all keys. */
static inline int heed_sees_all(const heed_config *config, int layer) {
    return config->bidirectional || heed_in_encoder(config, layer) || heed_is_cross(config, layer);
}

/* Blocks with weights: the layers, then the experts of each. */
static inline int heed_blocks(const heed_config *config) { return config->layers * (1 + config->experts); }

/* The width of the widest feed-forward network. */
static inline int heed_widest_network(const heed_config *config) {
    return config->d_ff > config->d_shared ? config->d_ff : config->d_shared;
}

/* The norm of a configuration: x [T][D] -> [T][D]. */
static inline heed_tensor *heed_config_norm(heed_context *c, const heed_config *config, const heed_tensor *x,
                                            const heed_tensor *w, const heed_tensor *b) {
    return heed_norm(c, x, w, b, config->norm, config->norm_eps);
}

#endif
