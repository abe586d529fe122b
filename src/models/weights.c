#include "models/weights.h"

#include "kernels/half.h"

#include <string.h>

size_t heed_weight_room(heed_dtype stored, int rows, int columns) {
    if (rows < 1 || columns < 1) return 0;
    return heed_matrix_bytes(rows == 1 ? HEED_F32 : stored, rows, columns);
}

void *heed_weight_file_bytes(const heed_tensor *w) {
    size_t in_file = (size_t)w->rows * heed_row_bytes(w->dtype, w->columns);
    return (uint8_t *)w->data + heed_weight_room(w->dtype, w->rows, w->columns) - in_file;
}

static void widen(heed_tensor *w) {
    uint8_t *to = w->data;
    const uint8_t *from = heed_weight_file_bytes(w);
    for (size_t i = 0; i < (size_t)w->columns; i++) {
        uint16_t narrow;
        memcpy(&narrow, from + 2 * i, sizeof narrow);
        float wide = w->dtype == HEED_F16 ? float_of_f16(narrow) : float_of_bf16(narrow);
        memcpy(to + 4 * i, &wide, sizeof wide);
    }
    w->dtype = HEED_F32;
}

static int pack_rows(heed_dtype dtype, void *to, const void *from, int rows, int columns) {
    switch (dtype) {
#define X(NAME, name, elements, ...)                                                                                   \
    case HEED_##NAME: return heed_pack_##name(to, from, rows, columns / elements);
        X(Q8_0, q8_0, HEED_BLOCK)
        X(Q4_0, q4_0, HEED_BLOCK)
        HEED_STEP_FORMATS(X)
        HEED_IQ4_FORMATS(X)
#undef X
    default: return 0;
    }
}

/* Eight rows at a time, from the first on; each group leaves its place through the scratch before its panels are
 * written.
 *
 * Panels never run over rows that are still to come.  Of G groups, a group's panels take P bytes and its rows in the
 * file S <= P, fewer in the last.  The room is G·P and the file's bytes end where it ends, so the rows after group g
 * begin at or behind G·P - (G - g - 1)·S >= G·P - (G - g - 1)·P = (g + 1)·P, where the panels of group g end. */
static int pack(heed_tensor *w, void *scratch) {
    size_t row = heed_row_bytes(w->dtype, w->columns);
    const uint8_t *from = heed_weight_file_bytes(w);
    int all_finite = 1;
    for (int r = 0; r < w->rows; r += HEED_PANEL) {
        int rows = w->rows - r < HEED_PANEL ? w->rows - r : HEED_PANEL;
        memcpy(scratch, from + (size_t)r * row, (size_t)rows * row);
        void *to = (uint8_t *)w->data + heed_matrix_bytes(w->dtype, r, w->columns);
        all_finite &= pack_rows(w->dtype, to, scratch, rows, w->columns);
    }
    if (w->dtype == HEED_IQ4_NL || w->dtype == HEED_IQ4_XS) w->dtype = HEED_Q8_0;
    return all_finite;
}

/* Every exponent below the all-ones of infinities and NaN. */
static int all_finite_f32(const uint32_t *bits, size_t n) {
    unsigned bad = 0;
    for (size_t i = 0; i < n; i++) bad |= (bits[i] & 0x7f800000) == 0x7f800000;
    return !bad;
}

static int all_finite_16(const uint16_t *bits, size_t n, uint16_t exponent) {
    unsigned bad = 0;
    for (size_t i = 0; i < n; i++) bad |= (bits[i] & exponent) == exponent;
    return !bad;
}

int heed_weight_settle(heed_tensor *w, void *scratch) {
    size_t n = (size_t)w->rows * (size_t)w->columns;
    if (w->rows == 1 && w->dtype != HEED_F32) widen(w);
    switch (w->dtype) {
    case HEED_F32: return all_finite_f32(w->data, n);
    case HEED_F16: return all_finite_16(w->data, n, 0x7c00);
    case HEED_BF16: return all_finite_16(w->data, n, 0x7f80);
    default: return pack(w, scratch);
    }
}

heed_tensor heed_weight_part(const heed_tensor *w, int from, int rows) {
    if (!w->data) return (heed_tensor){0};
    if (w->rows == 1) return (heed_tensor){w->dtype, 1, rows, (size_t)rows, (float *)w->data + from, NULL};
    uint8_t *data = (uint8_t *)w->data + heed_matrix_bytes(w->dtype, from, w->columns);
    return (heed_tensor){w->dtype, rows, w->columns, w->stride, data, NULL};
}
