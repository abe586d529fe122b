/* The state of one sequence: cache, position, taps. */
#ifndef HEED_SESSION_H
#define HEED_SESSION_H

#include "models/causal_lm.h"

struct heed_session {
    const heed_model *model;
    const heed_kernels *kernels;
    heed_guard guard;
    heed_pool *pool;
    int position, capacity, batch;
    heed_cache *caches; /* [L] */
    int32_t *ids;       /* [C] */
    float *hidden;      /* [batch][D], input of the head: the last forward pass left `last` rows */
    int last;
    float *logits;           /* [HEED_LOGIT_ROWS][V] */
    heed_candidate *sorted;  /* [V], the sampler's */
    float *adjusted;         /* [V], the sampler's */
    heed_arena work;         /* tensors of one call */
    heed_pass pass;          /* between heed_forward_begin and the last heed_forward_next */
    heed_tap_request *taps;  /* linked, for the next forward passes */
    heed_tap_request *edits; /* of scores and patterns in past passes: heed_map applies them again */
    /* Only during one call into the core. */
    struct {
        const heed_tap_request *taps; /* that are active: `taps` or `edits` */
        int first;                    /* position of the first row of every activation */
    } call;
};

#endif
