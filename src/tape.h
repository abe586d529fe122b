/* The tape: records of operations, for the backward pass (reverse accumulation: Linnainmaa 1970; Griewank and
 * Walther 2008). */
#ifndef HEED_TAPE_H
#define HEED_TAPE_H

#include "tensor.h"

typedef struct heed_record heed_record;

/* Adds to the gradients of a record's inputs, from the gradient of its output.  Takes no memory and cannot fail. */
typedef void heed_backward_function(heed_context *c, const heed_record *r);

/* One operation that ran.  Each operation gives n, f, ids and saved its own meaning for its backward. */
struct heed_record {
    const char *name;
    heed_backward_function *backward;
    const heed_tensor *x[4];        /* inputs; unused ones and absent optional ones are NULL */
    const heed_tensor *const *list; /* [n[0]] inputs of an operation with a list */
    int n[8];
    float f[2];
    const int32_t *ids;
    const void *saved;
    const heed_tensor *y;
    const heed_record *previous;
};

/* Records lie in the arena of their tensors. */
typedef struct heed_tape {
    const heed_record *last;
} heed_tape;

/* Pushes `record` with output y onto the tape of the context; does nothing without a tape.  Returns y; NULL when the
 * arena is full. */
heed_tensor *heed_tape_push(heed_context *c, heed_tensor *y, heed_record record);

/* Calls the backward of every record that was pushed after `end`, last first; NULL: of every record.  They leave the
 * tape. */
void heed_tape_backward(heed_context *c, const heed_record *end);

/* The first record whose output holds a NaN, or NULL; *position counts from 1. */
const heed_record *heed_tape_first_nan(const heed_tape *tape, int *position);

/* Clears all gradients and runs the backward pass again.  Returns the first record that makes a gradient infinite or
 * NaN, or NULL.  *position counts from 1. */
const heed_record *heed_tape_first_bad_gradient(heed_context *c, const heed_tensor *loss, int *position);

/* Whether a tensor has a gradient. */
static inline int heed_requires_grad(const heed_tensor *t) { return t && t->grad; }

#endif
