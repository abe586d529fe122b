/* One step of a GRU (Cho et al. 2014), and its backward. */
#include "ops/learn.h"

#include <string.h>

static int has_ended(const int32_t *lengths, int row, int step) { return lengths && lengths[row] <= step; }

/* r = σ(a_r + b_r), z = σ(a_z + b_z), n = tanh(a_n + r·b_n), h' = (1 - z)·n + z·h, with a = W_i·x + b_i and
 * b = W_h·h + b_h. */
typedef struct unit {
    const heed_kernels *kernels;
    const heed_tensor *input, *state, *h, *y;
    float *gates; /* [B][3H]: r, z, n */
    const int32_t *lengths;
    int step;
} unit;

static void backward_row(const void *operands, int row) {
    const unit *u = operands;
    int H = u->h->columns;
    const float *dy = heed_grad(u->y, row), *before = heed_row(u->h, row), *b = heed_row(u->state, row);
    float *dh = heed_requires_grad(u->h) ? heed_grad(u->h, row) : NULL;
    if (has_ended(u->lengths, row, u->step)) {
        if (dh) u->kernels->add_f32(dh, dh, dy, (size_t)H);
        return;
    }
    const float *reset = u->gates + (size_t)row * 3 * (size_t)H, *update = reset + H, *new = update + H;
    float *da = heed_requires_grad(u->input) ? heed_grad(u->input, row) : NULL;
    float *db = heed_requires_grad(u->state) ? heed_grad(u->state, row) : NULL;
    for (int i = 0; i < H; i++) {
        float dn = dy[i] * (1 - update[i]) * (1 - new[i] * new[i]);
        float dz = dy[i] * (before[i] - new[i]) * update[i] * (1 - update[i]);
        float dr = dn * b[2 * H + i] * reset[i] * (1 - reset[i]);
        if (dh) dh[i] += dy[i] * update[i];
        if (da) da[i] += dr, da[H + i] += dz, da[2 * H + i] += dn;
        if (db) db[i] += dr, db[H + i] += dz, db[2 * H + i] += dn * reset[i];
    }
}

static void gru_backward(heed_context *c, const heed_record *r) {
    unit u = {c->kernels, r->x[0], r->x[1], r->x[2], r->y, (float *)r->saved, r->ids, r->n[0]};
    heed_parallel_rows(c, u.h->rows, 3 * u.h->columns, backward_row, &u);
}

static void compute_row(const void *operands, int row) {
    const unit *u = operands;
    int H = u->h->columns;
    const float *a = heed_row(u->input, row), *b = heed_row(u->state, row), *before = heed_row(u->h, row);
    float *reset = u->gates + (size_t)row * 3 * (size_t)H, *update = reset + H, *new = update + H;
    float *after = heed_row(u->y, row);
    if (has_ended(u->lengths, row, u->step)) {
        memcpy(after, before, (size_t)H * sizeof *after);
        return;
    }
    u->kernels->add_f32(reset, a, b, 2 * (size_t)H);
    u->kernels->sigmoid_f32(reset, reset, 2 * (size_t)H);
    for (int i = 0; i < H; i++) new[i] = a[2 * H + i] + reset[i] * b[2 * H + i];
    u->kernels->tanh_f32(new, new, (size_t)H);
    for (int i = 0; i < H; i++) after[i] = (1 - update[i]) * new[i] + update[i] * before[i];
}

heed_tensor *heed_gru(heed_context *c, const heed_tensor *input, const heed_tensor *state, const heed_tensor *h,
                      const int32_t *lengths, int step) {
    heed_tensor *y = heed_tensor_new(c, h->rows, h->columns);
    float *gates = heed_arena_take(c->arena, (size_t)h->rows * 3 * (size_t)h->columns, sizeof *gates);
    if (!y) return NULL;
    if (!gates) return heed_out_of_memory(c);
    unit u = {c->kernels, input, state, h, y, gates, lengths, step};
    heed_parallel_rows(c, h->rows, 3 * h->columns, compute_row, &u);
    return heed_tape_push(c, y,
                          (heed_record){.name = "gru",
                                        .backward = gru_backward,
                                        .x = {input, state, h},
                                        .n = {step},
                                        .ids = lengths,
                                        .saved = gates});
}
