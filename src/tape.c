/* The tape: records of a forward pass, and their backward in reverse order. */
#include "tape.h"

#include <string.h>

heed_tensor *heed_tape_push(heed_context *c, heed_tensor *y, heed_record record) {
    if (!y || !c->tape) return y;
    heed_record *r = heed_arena_take(c->arena, 1, sizeof *r);
    if (!r) return heed_out_of_memory(c);
    *r = record;
    r->y = y;
    r->previous = c->tape->last;
    c->tape->last = r;
    return y;
}

void heed_tape_backward(heed_context *c, const heed_record *end) {
    for (const heed_record *r = c->tape->last; r != end; r = r->previous) r->backward(c, r);
    c->tape->last = end;
}

static int has_nan(const heed_tensor *x) {
    for (int t = 0; t < x->rows; t++) {
        const float *row = heed_row(x, t);
        for (int i = 0; i < x->columns; i++)
            if (row[i] != row[i]) return 1;
    }
    return 0;
}

const heed_record *heed_tape_first_nan(const heed_tape *tape, int *position) {
    const heed_record *first = NULL;
    *position = 0;
    for (const heed_record *r = tape->last; r; r = r->previous) {
        if (has_nan(r->y)) {
            first = r;
            *position = 0;
        }
        ++*position;
    }
    return first;
}

/* Input i of a record, counting the list first; NULL when it has no gradient. */
static const heed_tensor *learning_input(const heed_record *r, int i) {
    int listed = r->list ? r->n[0] : 0;
    const heed_tensor *x = i < listed ? r->list[i] : r->x[i - listed];
    return heed_requires_grad(x) ? x : NULL;
}

static int inputs_of(const heed_record *r) { return (r->list ? r->n[0] : 0) + (int)(sizeof r->x / sizeof *r->x); }

static void clear_gradient(const heed_tensor *x) {
    for (int t = 0; t < x->rows; t++) memset(heed_grad(x, t), 0, (size_t)x->columns * sizeof *x->grad);
}

static int has_bad_gradient(const heed_tensor *x) {
    for (int t = 0; t < x->rows; t++) {
        const float *row = heed_grad(x, t);
        for (int i = 0; i < x->columns; i++)
            if (!(row[i] - row[i] == 0)) return 1;
    }
    return 0;
}

const heed_record *heed_tape_first_bad_gradient(heed_context *c, const heed_tensor *loss, int *position) {
    *position = 0;
    for (const heed_record *r = c->tape->last; r; r = r->previous, ++*position) {
        if (heed_requires_grad(r->y)) clear_gradient(r->y);
        for (int i = 0; i < inputs_of(r); i++)
            if (learning_input(r, i)) clear_gradient(learning_input(r, i));
    }
    *loss->grad = 1;
    for (const heed_record *r = c->tape->last; r; r = r->previous, --*position) {
        r->backward(c, r);
        for (int i = 0; i < inputs_of(r); i++)
            if (learning_input(r, i) && has_bad_gradient(learning_input(r, i))) return r;
    }
    return NULL;
}
