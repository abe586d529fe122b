/* Weights while a model is loaded: conversion between types, and a check that they are finite. */
#include "models/weights.h"

#include <string.h>

int heed_can_convert(heed_dtype stored, heed_dtype held, int rows, int columns) {
    if (!heed_row_bytes(stored, columns) || !heed_row_bytes(held, columns)) return 0;
    if (rows == 1 && !heed_is_float(stored)) return 0;
    return held == heed_format_of(stored)->held || held == HEED_F32 || held == HEED_Q8_0 || held == HEED_Q4_0;
}

/* Whether no number is infinite or NaN, whose exponent bits are all ones.  `exponent` masks these bits in every lane of
 * a word, and `one` is the lowest of them.  Adding `one` to an exponent of ones carries into the sign bit. */
static int has_no_exponent_of_ones(const void *numbers, size_t n_bytes, uint64_t exponent, uint64_t one) {
    const uint8_t *at = numbers, *end = at + n_bytes;
    uint64_t word, carried = 0;
    for (; end - at >= (ptrdiff_t)sizeof word; at += sizeof word) {
        memcpy(&word, at, sizeof word);
        carried |= (word & exponent) + one;
    }
    word = 0;
    memcpy(&word, at, (size_t)(end - at));
    carried |= (word & exponent) + one;
    return !(carried & (exponent + one));
}

int heed_all_finite(heed_dtype dtype, const void *numbers, size_t n) {
    const heed_format *f = heed_format_of(dtype);
    uint64_t exponent = (uint64_t)f->exponent << 32 | f->exponent;
    return exponent &&
           has_no_exponent_of_ones(numbers, n * (size_t)f->block_bytes, exponent, exponent & ~(exponent << 1));
}

static void quantize(void *y, heed_dtype dtype, const float *x, int n, const heed_kernels *kernels) {
    if (dtype == HEED_Q8_0)
        kernels->quantize_q8_0(y, x, n);
    else
        kernels->quantize_q4_0(y, x, n);
}

/* Packs eight rows of a file into panels. */
static int pack(void *to, heed_dtype stored, const void *rows, int columns, const heed_kernels *kernels) {
    const heed_format *f = heed_format_of(stored);
    return f->pack(kernels, to, rows, columns / f->elements);
}

/* The start of row `row` of a matrix; in panels, `row` is a multiple of HEED_PANEL. */
static void *row_of(const heed_tensor *w, int row) {
    return (uint8_t *)w->data + heed_matrix_bytes(w->dtype, row, w->columns);
}

/* The scratch holds one row in f32, then eight in blocks. */
int heed_convert_rows(const heed_tensor *w, int first, int n, heed_dtype stored, const void *from,
                      const heed_kernels *kernels, void *scratch) {
    int K = w->columns, all_finite = 1;
    size_t row = heed_row_bytes(stored, K), block_row = heed_row_bytes(w->dtype, K);
    const uint8_t *at = from;
    if (!heed_is_panels(w->dtype)) {
        heed_format_of(stored)->read_stored(row_of(w, first), from, n * K, kernels);
        return heed_all_finite(w->dtype, row_of(w, first), (size_t)n * (size_t)K);
    }
    float *x = scratch;
    uint8_t *blocks = (uint8_t *)(x + K);
    for (int r = 0; r < n; r += HEED_PANEL, at += HEED_PANEL * row) {
        if (heed_format_of(stored)->held == w->dtype) {
            all_finite &= pack(row_of(w, first + r), stored, at, K, kernels);
            continue;
        }
        for (int i = 0; i < HEED_PANEL; i++) {
            heed_format_of(stored)->read_stored(x, at + (size_t)i * row, K, kernels);
            if (!heed_all_finite(HEED_F32, x, (size_t)K)) return 0;
            quantize(blocks + (size_t)i * block_row, w->dtype, x, K, kernels);
        }
        all_finite &= pack(row_of(w, first + r), w->dtype, blocks, K, kernels);
    }
    return all_finite;
}

/* One panel from the block of columns `lines` [32][O]: rows o .. o + 7, with zeros past the last. */
static int convert_panel(void *to, heed_dtype dtype, const float *lines, int o, int O, const heed_kernels *kernels) {
    float x[HEED_PANEL][HEED_BLOCK] = {{0}};
    int rows = O - o < HEED_PANEL ? O - o : HEED_PANEL;
    for (int k = 0; k < HEED_BLOCK; k++)
        for (int r = 0; r < rows; r++) x[r][k] = lines[(size_t)k * (size_t)O + (size_t)(o + r)];
    heed_block_q8_0 blocks[HEED_PANEL]; /* or Q4_0, which is smaller */
    quantize(blocks, dtype, x[0], HEED_PANEL * HEED_BLOCK, kernels);
    return pack(to, dtype, blocks, HEED_BLOCK, kernels);
}

int heed_convert_columns(const heed_tensor *w, int first, int n, heed_dtype stored, const void *from,
                         const heed_kernels *kernels, void *scratch) {
    int O = w->rows, K = w->columns;
    size_t numbers = (size_t)n * (size_t)O;
    if (!heed_all_finite(stored, from, numbers)) return 0;
    if (w->dtype == stored && stored != HEED_F32) {
        uint16_t *to = (uint16_t *)w->data + first;
        for (int o = 0; o < O; o++)
            for (int k = 0; k < n; k++) to[(size_t)o * K + k] = ((const uint16_t *)from)[(size_t)k * O + o];
        return 1;
    }
    const float *lines = from;
    if (stored != HEED_F32) {
        heed_format_of(stored)->read_stored(scratch, from, (int)numbers, kernels);
        lines = scratch;
    }
    if (!heed_is_panels(w->dtype)) {
        float *to = (float *)w->data + first;
        for (int o = 0; o < O; o++)
            for (int k = 0; k < n; k++) to[(size_t)o * K + k] = lines[(size_t)k * O + o];
        return 1;
    }
    int all_finite = 1;
    for (int k = 0; k < n; k += HEED_BLOCK, lines += (size_t)HEED_BLOCK * (size_t)O)
        for (int o = 0; o < O; o += HEED_PANEL) {
            size_t column = heed_matrix_bytes(w->dtype, HEED_PANEL, first + k);
            all_finite &= convert_panel((uint8_t *)row_of(w, o) + column, w->dtype, lines, o, O, kernels);
        }
    return all_finite;
}

size_t heed_convert_scratch(int widest) {
    size_t rows =
        heed_row_bytes(HEED_F32, widest) + HEED_PANEL * sizeof(heed_block_q8_0) * (size_t)(widest / HEED_BLOCK);
    size_t columns = HEED_COLUMNS_PER_PIECE * heed_row_bytes(HEED_F32, widest);
    return rows > columns ? rows : columns;
}

heed_tensor heed_weight_view(const heed_tensor *w, int from, int rows) {
    if (!w->data) return (heed_tensor){0};
    heed_tensor view = *w;
    size_t skipped = (size_t)from * (w->rows == 1 ? 1 : w->stride);
    view.data = w->rows == 1 ? (float *)w->data + from : row_of(w, from);
    view.grad = w->grad ? w->grad + skipped : NULL;
    *(w->rows == 1 ? &view.columns : &view.rows) = rows;
    return view;
}
