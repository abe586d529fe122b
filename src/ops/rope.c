/* Rotary position embeddings (Su et al. 2021), and their backward. */
#include "ops/ops.h"
#include "ops/parallel.h"
#include "ops/series.h"
#include "tape.h"

/* Rounds to float where Hugging Face's code does, so that far positions have the angles of training. */
heed_tensor *heed_rope_angles(heed_context *c, int first, int T, int dims, float theta, float scale,
                              const heed_tensor *divisors) {
    heed_tensor *angles = heed_tensor_new(c, T, dims);
    if (!angles) return NULL;
    for (int i = 0; i < dims / 2; i++) {
        float frequency = (float)heed_power((double)theta, -2.0 * i / dims) / scale;
        if (heed_has(divisors)) frequency /= heed_row(divisors, 0)[i];
        for (int t = 0; t < T; t++) {
            heed_rotation r = heed_rotation_by((double)((float)(first + t) * frequency));
            heed_row(angles, t)[2 * i] = (float)r.cosine;
            heed_row(angles, t)[2 * i + 1] = (float)r.sine;
        }
    }
    return angles;
}

typedef struct rotation {
    void (*rotate)(float *, const float *, int);
    const heed_tensor *x, *angles;
    int heads;
} rotation;

static void rotate_heads(const void *operands, int t) {
    const rotation *r = operands;
    int d_head = r->x->columns / r->heads;
    const float *cos_sin = heed_row(r->angles, t % r->angles->rows);
    for (int h = 0; h < r->heads; h++) r->rotate(heed_row(r->x, t) + h * d_head, cos_sin, r->angles->columns);
}

/* A rotation is orthogonal: its backward rotates back, in place. */
static void rotate_back(const void *operands, int t) {
    const heed_record *r = operands;
    const heed_tensor *x = r->x[0];
    const float *cos_sin = heed_row(r->x[1], t % r->x[1]->rows);
    int heads = r->n[0], half = r->x[1]->columns / 2, adjacent = r->n[1] == HEED_ROPE_ADJACENT;
    for (int h = 0; h < heads; h++)
        for (int i = 0; i < half; i++) {
            float *d = heed_grad(x, t) + h * (x->columns / heads);
            float *a = adjacent ? d + 2 * i : d + i, *b = adjacent ? a + 1 : a + half, first = *a;
            *a = first * cos_sin[2 * i] + *b * cos_sin[2 * i + 1];
            *b = *b * cos_sin[2 * i] - first * cos_sin[2 * i + 1];
        }
}

static void rope_backward(heed_context *c, const heed_record *r) {
    heed_parallel_rows(c, r->x[0]->rows, r->x[0]->columns, rotate_back, r);
}

heed_tensor *heed_rope(heed_context *c, heed_tensor *x, const heed_tensor *angles, int heads, heed_position_kind kind) {
    if (!x || !angles) return NULL;
    const heed_kernels *k = c->kernels;
    rotation r = {kind == HEED_ROPE_ADJACENT ? k->rope_adjacent_f32 : k->rope_halves_f32, x, angles, heads};
    heed_parallel_rows(c, x->rows, x->columns, rotate_heads, &r);
    return heed_tape_push(
        c, x, (heed_record){.name = "rope", .backward = rope_backward, .x = {x, angles}, .n = {heads, (int)kind}});
}
