#include "ops/ops.h"
#include "ops/share.h"

#include "kernels/half.h"
#include "kernels/formats/affine.h"

#include <string.h>

/* One row of panels of a step format.  Products are exact in single precision: their sum is rounded once. */
static void read_steps(float *y, const uint8_t *panels, int n, int row, layout l) {
    for (int i = 0; i < n; i += HEED_BLOCK) {
        int step = i / HEED_BLOCK % l.steps;
        const uint8_t *panel = panels + (size_t)(i / HEED_BLOCK / l.steps) * panel_bytes(l);
        for (int k = 0; k < HEED_BLOCK; k++) {
            int part = k * parts_of(l) / HEED_BLOCK;
            y[i + k] = scale_of(l, panel, step, part, row) * (float)code_of(l, panel, step, k, row) +
                       minimum_of(l, panel, step, part, row);
        }
    }
}

/* One row of a table of any type as f32. */
static void read_row(float *y, const heed_tensor *w, int row) {
    int n = w->columns, lane = row % HEED_PANEL;
    size_t at = (size_t)row * (size_t)n, panels = (size_t)(row / HEED_PANEL) * (size_t)(n / HEED_BLOCK);
    switch (w->dtype) {
    case HEED_F32: memcpy(y, (const float *)w->data + at, (size_t)n * sizeof *y); break;
    case HEED_F16:
        for (int i = 0; i < n; i++) y[i] = float_of_f16(((const uint16_t *)w->data + at)[i]);
        break;
    case HEED_BF16:
        for (int i = 0; i < n; i++) y[i] = float_of_bf16(((const uint16_t *)w->data + at)[i]);
        break;
    case HEED_Q8_0:
        for (int i = 0; i < n; i++) {
            const heed_panel_q8_0 *p = (const heed_panel_q8_0 *)w->data + panels + i / HEED_BLOCK;
            y[i] = p->d[lane] * (float)p->q[i % HEED_BLOCK / 4][lane][i % 4];
        }
        break;
    case HEED_Q4_0:
        for (int i = 0; i < n; i++) {
            const heed_panel_q4_0 *p = (const heed_panel_q4_0 *)w->data + panels + i / HEED_BLOCK;
            int j = i % HEED_BLOCK, half = HEED_BLOCK / 2;
            uint8_t codes = p->q[j % half / 4][lane][j % 4];
            y[i] = float_of_f16(p->d[lane]) * (float)((j < half ? codes & 15 : codes >> 4) - 8);
        }
        break;
    case HEED_IQ4_NL: /* held as Q8_0 */
    case HEED_IQ4_XS: break;
#define X(NAME, name, ...)                                                                                             \
    case HEED_##NAME: {                                                                                                \
        const uint8_t *group = (const uint8_t *)w->data + heed_matrix_bytes(w->dtype, row - lane, n);                  \
        read_steps(y, group, n, lane, LAYOUT(__VA_ARGS__));                                                            \
        break;                                                                                                         \
    }
        HEED_AFFINE_FORMATS(X)
#undef X
    }
}

/* Rows of the table that several ids take get the sum, in the order of the ids. */
static void embed_backward(heed_context *c, const heed_record *r) { heed_pass_back(c, r->x[0], r->y, r->ids); }

heed_tensor *heed_embed(heed_context *c, const heed_tensor *table, const int32_t *ids, int n) {
    heed_tensor *y = heed_tensor_new(c, n, table->columns);
    for (int t = 0; y && t < n; t++) read_row(heed_row(y, t), table, ids[t]);
    heed_record record = {.name = "embedding", .backward = embed_backward, .x = {table}, .ids = ids};
    return heed_recorded(c, y, record);
}

heed_tensor *heed_positions(heed_context *c, const heed_tensor *table, int first, int n) {
    heed_tensor *y = heed_tensor_new(c, n, table->columns);
    for (int t = 0; y && t < n; t++) read_row(heed_row(y, t), table, first + t);
    return y;
}
