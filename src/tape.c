#include "tape.h"

heed_tensor *heed_recorded(heed_context *c, heed_tensor *y, heed_record record) {
    if (!y || !c->tape) return y;
    heed_record *r = heed_arena_take(c->arena, 1, sizeof *r);
    if (!r) return heed_out_of_memory(c);
    *r = record;
    r->y = y;
    r->previous = c->tape->last;
    c->tape->last = r;
    return y;
}

void heed_tape_backward(heed_context *c) {
    for (const heed_record *r = c->tape->last; r; r = r->previous) r->backward(c, r);
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
