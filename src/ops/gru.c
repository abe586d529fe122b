#include "ops/learn.h"

#include <string.h>

/* r = σ(a_r + b_r), z = σ(a_z + b_z), n = tanh(a_n + r·b_n), h' = (1 - z)·n + z·h, with a = W_i·x + b_i and
 * b = W_h·h + b_h. */
static int has_ended(const int32_t *lengths, int row, int step) { return lengths && lengths[row] <= step; }

static void gru_backward(heed_context *c, const heed_record *r) {
    const heed_tensor *input = r->x[0], *state = r->x[1], *h = r->x[2];
    int H = h->columns;
    for (int row = 0; row < h->rows; row++) {
        const float *dy = heed_grad(r->y, row), *before = heed_row(h, row), *b = heed_row(state, row);
        float *dh = heed_learns(h) ? heed_grad(h, row) : NULL;
        if (has_ended(r->ids, row, r->n[0])) {
            if (dh) c->kernels->add_f32(dh, dh, dy, (size_t)H);
            continue;
        }
        const float *reset = (const float *)r->saved + (size_t)row * 3 * (size_t)H, *update = reset + H,
                    *new = update + H;
        float *da = heed_learns(input) ? heed_grad(input, row) : NULL;
        float *db = heed_learns(state) ? heed_grad(state, row) : NULL;
        for (int i = 0; i < H; i++) {
            float dn = dy[i] * (1 - update[i]) * (1 - new[i] * new[i]);
            float dz = dy[i] * (before[i] - new[i]) * update[i] * (1 - update[i]);
            float dr = dn * b[2 * H + i] * reset[i] * (1 - reset[i]);
            if (dh) dh[i] += dy[i] * update[i];
            if (da) da[i] += dr, da[H + i] += dz, da[2 * H + i] += dn;
            if (db) db[i] += dr, db[H + i] += dz, db[2 * H + i] += dn * reset[i];
        }
    }
}

heed_tensor *heed_gru(heed_context *c, const heed_tensor *input, const heed_tensor *state, const heed_tensor *h,
                      const int32_t *lengths, int step) {
    int H = h->columns;
    heed_tensor *y = heed_tensor_new(c, h->rows, H);
    float *gates = heed_arena_take(c->arena, (size_t)h->rows * 3 * (size_t)H, sizeof *gates);
    if (!y) return NULL;
    if (!gates) return heed_out_of_memory(c);
    for (int row = 0; row < h->rows; row++) {
        const float *a = heed_row(input, row), *b = heed_row(state, row), *before = heed_row(h, row);
        float *reset = gates + (size_t)row * 3 * (size_t)H, *update = reset + H, *new = update + H;
        float *after = heed_row(y, row);
        if (has_ended(lengths, row, step)) {
            memcpy(after, before, (size_t)H * sizeof *after);
            continue;
        }
        c->kernels->add_f32(reset, a, b, 2 * (size_t)H);
        c->kernels->sigmoid_f32(reset, reset, 2 * (size_t)H);
        for (int i = 0; i < H; i++) new[i] = a[2 * H + i] + reset[i] * b[2 * H + i];
        c->kernels->tanh_f32(new, new, (size_t)H);
        for (int i = 0; i < H; i++) after[i] = (1 - update[i]) * new[i] + update[i] * before[i];
    }
    return heed_recorded(c, y,
                         (heed_record){.name = "gru",
                                       .backward = gru_backward,
                                       .x = {input, state, h},
                                       .n = {step},
                                       .ids = lengths,
                                       .saved = gates});
}
