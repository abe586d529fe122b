#include "ops/ops.h"

#include <math.h>

/* Pass 1 and 2: s[t][j] = q[t]·k[j] / √Dh, and -inf for what the query may not see. */
heed_tensor *heed_attention_scores(heed_context *c, const heed_tensor *q, const heed_memory *m, int kv_head,
                                   int first) {
    heed_tensor *s = heed_tensor_new(c, q->rows, m->length);
    if (!s) return NULL;
    const float *k = m->k + (size_t)kv_head * m->capacity * m->d_head;
    c->kernels->matmul_f32(s->data, s->stride, q->data, q->stride, k, s->rows, s->columns, m->d_head);
    float scale = 1.0f / sqrtf((float)m->d_head);
    for (int t = 0; t < s->rows; t++) {
        float *row = heed_row(s, t);
        int end = first + t + 1, begin = m->window && end > m->window ? end - m->window : 0;
        for (int j = 0; j < begin; j++) row[j] = -INFINITY;
        for (int j = begin; j < end; j++) row[j] *= scale;
        for (int j = end; j < s->columns; j++) row[j] = -INFINITY;
    }
    return s;
}

/* Pass 3.  A row's softmax runs over the keys up to its own position only, so that its sum has the same order whether
 * the prompt came in one batch or token by token. */
heed_tensor *heed_attention_pattern(heed_context *c, heed_tensor *scores, int first) {
    for (int t = 0; t < scores->rows; t++) {
        float *row = heed_row(scores, t);
        int end = first + t + 1;
        c->kernels->softmax_f32(row, end);
        for (int j = end; j < scores->columns; j++) row[j] = 0;
    }
    return scores;
}

heed_tensor *heed_attention(heed_context *c, const heed_tensor *q, const heed_memory *m, int heads, int layer) {
    if (!q) return NULL;
    heed_tensor *z = heed_tensor_new(c, q->rows, q->columns);
    if (!z) return NULL;
    int first = m->length - q->rows;
    for (int h = 0; h < heads; h++) {
        size_t mark = heed_arena_mark(c->arena);
        int kv_head = h / (heads / m->kv_heads), at = h * m->d_head;
        heed_tensor q_h = {HEED_F32, q->rows, m->d_head, q->stride, heed_row(q, 0) + at, NULL};
        heed_tensor *a = heed_attention_scores(c, &q_h, m, kv_head, first);
        if (!a) return NULL;
        heed_tap(c, HEED_HOOK_ATTN_SCORES, layer, h, a);
        heed_attention_pattern(c, a, first);
        heed_tap(c, HEED_HOOK_PATTERN, layer, h, a);
        /* Pass 4: z[t] = Σ_j a[t][j]·v[j]. */
        const float *v = m->v + (size_t)kv_head * m->capacity * m->d_head;
        c->kernels->combine_f32(heed_row(z, 0) + at, z->stride, a->data, a->stride, v, a->rows, a->columns, m->d_head);
        heed_arena_release(c->arena, mark);
    }
    return z;
}
