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

/* Pre-norm decoder block (Radford et al. 2019; Touvron et al. 2023): x [T][D] -> [T][D].  Rows stand at positions
 * first .. first + T - 1; angles are theirs, NULL without RoPE.  Writes q, k and v of these positions into the cache.
 */
heed_tensor *heed_decoder_block(heed_context *c, const heed_config *config, const heed_block_weights *w, heed_tensor *x,
                                const heed_tensor *angles, const heed_cache *cache, int layer, int first);

#endif
