/* What the operations of a run must do backwards (reverse accumulation: Linnainmaa 1970; Griewank and Walther 2008). */
#ifndef HEED_TAPE_H
#define HEED_TAPE_H

#include "tensor.h"

typedef struct heed_record heed_record;

/* Adds to the gradients of the record's inputs what that of its output contributes.  Takes no memory and cannot fail.
 */
typedef void heed_backward_function(heed_context *c, const heed_record *r);

/* One operation that ran.  What n, f, ids and saved hold is between an operation and its backward. */
struct heed_record {
    const char *name;
    heed_backward_function *backward;
    const heed_tensor *x[4];        /* inputs; NULL where there is none, or one that is optional and absent */
    const heed_tensor *const *list; /* [n[0]] inputs of an operation that takes any number */
    int n[8];
    float f[2];
    const int32_t *ids;
    const void *saved;
    const heed_tensor *y;
    const heed_record *previous;
};

/* Records lie in the arena of the tensors that they speak of. */
typedef struct heed_tape {
    const heed_record *last;
} heed_tape;

/* Pushes `record` with output y onto the tape of the context, if there is one.  Returns y; NULL when memory ends. */
heed_tensor *heed_tape_push(heed_context *c, heed_tensor *y, heed_record record);

/* Calls the backward of every record, last first. */
void heed_tape_backward(heed_context *c);

/* The first record whose output holds a NaN, or NULL; *position counts from 1. */
const heed_record *heed_tape_first_nan(const heed_tape *tape, int *position);

/* Goes back from `loss` once more, from gradients of zeros, up to the first record whose backward gives an input a
 * gradient that is no finite number: that record, or NULL.  *position counts from 1. */
const heed_record *heed_tape_first_bad_gradient(heed_context *c, const heed_tensor *loss, int *position);

/* Whether a gradient is wanted. */
static inline int heed_requires_grad(const heed_tensor *t) { return t && t->grad; }

#endif
