#include "models/weights.h"

#include "kernels/formats/codes.h"
#include "kernels/half.h"
#include "kernels/formats/affine.h"

#include <string.h>

int heed_weight_can_be(heed_dtype stored, heed_dtype held, int rows, int columns) {
    if (!heed_row_bytes(stored, columns) || !heed_row_bytes(held, columns)) return 0;
    if (rows == 1 && !heed_is_float(stored)) return 0;
    return held == heed_looked_up(stored) || held == HEED_F32 || held == HEED_Q8_0 || held == HEED_Q4_0;
}

/* `exponent` in each lane of a word, `one` its lowest bit: added to an exponent of ones, infinity or NaN, it carries
 * into the sign, whose bit was taken off. */
static int exponents_below_ones(const void *numbers, size_t n_bytes, uint64_t exponent, uint64_t one) {
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
    switch (dtype) {
    case HEED_F32: return exponents_below_ones(numbers, 4 * n, 0x7f8000007f800000, 0x0080000000800000);
    case HEED_F16: return exponents_below_ones(numbers, 2 * n, 0x7c007c007c007c00, 0x0400040004000400);
    case HEED_BF16: return exponents_below_ones(numbers, 2 * n, 0x7f807f807f807f80, 0x0080008000800080);
    default: break; /* those of blocks are seen when they are packed */
    }
    return 0;
}

static void row_q8_0(float *y, const heed_block_q8_0 *b, int n) {
    for (int i = 0; i < n; i += HEED_BLOCK, b++, y += HEED_BLOCK) {
        float d = float_of_f16(b->d);
        for (int k = 0; k < HEED_BLOCK; k++) y[k] = d * (float)b->q[k];
    }
}

static void row_q4_0(float *y, const heed_block_q4_0 *b, int n) {
    for (int i = 0; i < n; i += HEED_BLOCK, b++, y += HEED_BLOCK) {
        float d = float_of_f16(b->d);
        for (int k = 0; k < HEED_BLOCK / 2; k++) {
            y[k] = d * (float)((b->q[k] & 15) - 8);
            y[k + HEED_BLOCK / 2] = d * (float)((b->q[k] >> 4) - 8);
        }
    }
}

void heed_row_f32(float *y, heed_dtype stored, const void *row, int n, const heed_kernels *kernels) {
    switch (stored) {
    case HEED_F32: memcpy(y, row, (size_t)n * sizeof *y); break;
    case HEED_F16: kernels->widen_f16(y, row, (size_t)n); break;
    case HEED_BF16: kernels->widen_bf16(y, row, (size_t)n); break;
    case HEED_Q8_0: row_q8_0(y, row, n); break;
    case HEED_Q4_0: row_q4_0(y, row, n); break;
#define X(NAME, name, elements, ...)                                                                                   \
    case HEED_##NAME:                                                                                                  \
        for (int i = 0; i < n; i += HEED_BLOCK) {                                                                      \
            codes c = codes_##name((const heed_block_##name *)row + i / elements, i % elements / HEED_BLOCK);          \
            read_codes(y + i, &c, LAYOUT(elements, __VA_ARGS__));                                                      \
        }                                                                                                              \
        break;
        HEED_AFFINE_FORMATS(X)
#undef X
#define X(NAME, name, elements)                                                                                        \
    case HEED_##NAME:                                                                                                  \
        for (int i = 0; i < n; i += HEED_BLOCK) {                                                                      \
            values v = values_##name((const heed_block_##name *)row + i / elements, i % elements / HEED_BLOCK);        \
            for (int k = 0; k < HEED_BLOCK; k++) y[i + k] = v.d * (float)v.q[k];                                       \
        }                                                                                                              \
        break;
        HEED_IQ4_FORMATS(X)
#undef X
    }
}

static void quantize(void *y, heed_dtype dtype, const float *x, int n, const heed_kernels *kernels) {
    if (dtype == HEED_Q8_0)
        kernels->quantize_q8_0(y, x, n);
    else
        kernels->quantize_q4_0(y, x, n);
}

/* Eight rows as they lie in a file to panels: the one way into them. */
static int pack(void *to, heed_dtype stored, const void *rows, int columns, const heed_kernels *kernels) {
    switch (stored) {
    case HEED_Q8_0: return kernels->pack_q8_0(to, rows, columns / HEED_BLOCK);
    case HEED_Q4_0: return kernels->pack_q4_0(to, rows, columns / HEED_BLOCK);
#define X(NAME, name, elements, ...)                                                                                   \
    case HEED_##NAME: return kernels->pack_##name(to, rows, columns / elements);
        HEED_AFFINE_FORMATS(X)
        HEED_IQ4_FORMATS(X)
#undef X
    default: return 0;
    }
}

/* Where row `row` of a matrix begins, of panels a multiple of HEED_PANEL. */
static void *row_of(const heed_tensor *w, int row) {
    return (uint8_t *)w->data + heed_matrix_bytes(w->dtype, row, w->columns);
}

/* The scratch holds one row in f32, then eight in blocks. */
int heed_rows_take(const heed_tensor *w, int first, int n, heed_dtype stored, const void *from,
                   const heed_kernels *kernels, void *scratch) {
    int K = w->columns, all_finite = 1;
    size_t row = heed_row_bytes(stored, K), block_row = heed_row_bytes(w->dtype, K);
    const uint8_t *at = from;
    if (!heed_is_panels(w->dtype)) {
        for (int r = 0; r < n; r++) heed_row_f32(row_of(w, first + r), stored, at + (size_t)r * row, K, kernels);
        return heed_all_finite(w->dtype, row_of(w, first), (size_t)n * (size_t)K);
    }
    float *x = scratch;
    uint8_t *blocks = (uint8_t *)(x + K);
    for (int r = 0; r < n; r += HEED_PANEL, at += HEED_PANEL * row) {
        if (heed_looked_up(stored) == w->dtype) {
            all_finite &= pack(row_of(w, first + r), stored, at, K, kernels);
            continue;
        }
        for (int i = 0; i < HEED_PANEL; i++) {
            heed_row_f32(x, stored, at + (size_t)i * row, K, kernels);
            if (!heed_all_finite(HEED_F32, x, (size_t)K)) return 0;
            quantize(blocks + (size_t)i * block_row, w->dtype, x, K, kernels);
        }
        all_finite &= pack(row_of(w, first + r), w->dtype, blocks, K, kernels);
    }
    return all_finite;
}

/* One panel from the block of columns `lines` [32][O]: rows o .. o + 7, with zeros past the last. */
static int take_panel(void *to, heed_dtype dtype, const float *lines, int o, int O, const heed_kernels *kernels) {
    float x[HEED_PANEL][HEED_BLOCK] = {{0}};
    int rows = O - o < HEED_PANEL ? O - o : HEED_PANEL;
    for (int k = 0; k < HEED_BLOCK; k++)
        for (int r = 0; r < rows; r++) x[r][k] = lines[(size_t)k * (size_t)O + (size_t)(o + r)];
    heed_block_q8_0 blocks[HEED_PANEL]; /* or Q4_0, which is smaller */
    quantize(blocks, dtype, x[0], HEED_PANEL * HEED_BLOCK, kernels);
    return pack(to, dtype, blocks, HEED_BLOCK, kernels);
}

int heed_columns_take(const heed_tensor *w, int first, int n, heed_dtype stored, const void *from,
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
        heed_row_f32(scratch, stored, from, (int)numbers, kernels);
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
            all_finite &= take_panel((uint8_t *)row_of(w, o) + column, w->dtype, lines, o, O, kernels);
        }
    return all_finite;
}

size_t heed_rows_scratch(int widest) {
    size_t rows =
        heed_row_bytes(HEED_F32, widest) + HEED_PANEL * sizeof(heed_block_q8_0) * (size_t)(widest / HEED_BLOCK);
    size_t columns = HEED_COLUMNS_AT_ONCE * heed_row_bytes(HEED_F32, widest);
    return rows > columns ? rows : columns;
}

heed_tensor heed_weight_part(const heed_tensor *w, int from, int rows) {
    if (!w->data) return (heed_tensor){0};
    if (w->rows == 1) return (heed_tensor){w->dtype, 1, rows, (size_t)rows, (float *)w->data + from, NULL};
    return (heed_tensor){w->dtype, rows, w->columns, w->stride, row_of(w, from), NULL};
}
