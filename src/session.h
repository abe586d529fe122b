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
    const float *bias;       /* [V] of the caller, or NULL */
    heed_text source;        /* ids [n] of the caller, of an encoder–decoder */
    heed_arena work;         /* tensors of one call */
    heed_pass pass;          /* between heed_forward_begin and the last heed_forward_next */
    heed_tap_request *taps;  /* linked, for the next forward passes */
    heed_tap_request *edits; /* of scores and patterns in past passes: heed_map applies them again */
    /* Only during one call into the core. */
    struct {
        const heed_tap_request *taps; /* that are active: `taps` or `edits` */
        int is_map;                   /* taps edit, and copy nothing */
    } call;
};

/* Whether a tap changes its activation. */
static inline int heed_tap_edits(const heed_tap_request *r) { return r->scale != 1 || r->values || r->normalize; }
/* Whether its activation is scores or a pattern, whose columns are keys. */
static inline int heed_taps_map(const heed_tap_request *r) {
    return r->hook == HEED_HOOK_ATTN_SCORES || r->hook == HEED_HOOK_PATTERN;
}

/* Applies a tap to an activation x, whose rows are positions up to `end`: edits its rows and columns, then copies
 * them.
 * - head: HEED_ALL_HEADS when x holds every head */
void heed_tap_apply(const heed_session *session, const heed_tap_request *request, int head, int end, heed_tensor *x);

/* The context of one call: position after its last row, active taps, and scratch memory above `kept`. */
heed_context heed_session_context(heed_session *session, size_t kept, int end, const heed_tap_request *taps,
                                  heed_error *error);
/* Whether the vocabulary has n ids. */
int heed_session_has_ids(const heed_session *session, const int32_t *ids, int n, heed_error *error);
/* Whether the results of the call hold.  If not, the session takes exact kernels, and the call must start again. */
int heed_session_holds(heed_session *session);
/* The head of rows x in session->logits; NULL when it fails.  `position`: of the first row, for errors. */
const float *heed_session_logits(heed_session *session, heed_context *c, heed_tensor *x, int position,
                                 heed_error *error);

#endif
