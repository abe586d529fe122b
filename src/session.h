/* One run of one sequence: what it remembers, and where it stands. */
#ifndef HEED_SESSION_H
#define HEED_SESSION_H

#include "models/causal_lm.h"

struct heed_session {
    const heed_model *model;
    int position, capacity, batch;
    int last;               /* rows of the last forward: their hidden states are kept */
    heed_cache *caches;     /* [L] */
    int32_t *ids;           /* [C] */
    float *hidden;          /* [batch][D], what the head reads */
    float *logits;          /* [HEED_LOGIT_ROWS][V] */
    heed_candidate *sorted; /* [V], the sampler's */
    float *adjusted;        /* [V], the sampler's */
    heed_arena work;
    heed_pass pass;              /* of heed_forward_begin */
    heed_tap_request *taps;      /* of the runs to come */
    heed_tap_request *edits;     /* of scores and patterns, in runs that were: maps show them */
    heed_tap_request *listening; /* during a call: one of the two */
    int first;                   /* during a call: the position of its first row */
    const heed_kernels *kernels;
    heed_pool *pool;
};

#endif
