/* Weights in memory equal weights of the file, by the definition of both layouts. */
#include "check.h"
#include "tiny.h"

#include "kernels/formats/decode.h"
#include "kernels/half.h"
#include "kernels/kernels.h"
#include "kernels/formats/affine.h"
#include "models/weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Column k of a row of blocks, and row r, column k of panels. */
static float block_q8_0(const heed_block_q8_0 *b, int k) { return float_of_f16(b[k / 32].d) * b[k / 32].q[k % 32]; }
static float panel_q8_0(const heed_panel_q8_0 *p, int r, int k) {
    int byte = p[k / 32].q[k % 32 / 4][r][k % 4];
    return p[k / 32].d[r] * (float)(k % 2 ? (byte + 128) % 256 - 128 : byte - 128);
}
static float block_q4_0(const heed_block_q4_0 *b, int k) {
    int byte = b[k / 32].q[k % 16];
    return float_of_f16(b[k / 32].d) * (float)((k % 32 < 16 ? byte & 15 : byte >> 4) - 8);
}
static float panel_q4_0(const heed_panel_q4_0 *p, int r, int k) {
    int byte = p[k / 32].q[k % 16 / 4][r][k % 4];
    return float_of_f16(p[k / 32].d[r]) * (float)((k % 32 < 16 ? byte & 15 : byte >> 4) - 8);
}

static heed_tensor weight(heed_dtype dtype, int rows, int columns) {
    size_t bytes = heed_matrix_bytes(dtype, rows, columns);
    void *data = malloc(bytes); /* of exact size, all bytes set */
    memset(data, 0xff, bytes);
    return (heed_tensor){dtype, rows, columns, (size_t)columns, data, NULL};
}

/* Number k of row r of a weight in memory. */
static float held(const heed_tensor *w, int r, int k) {
    size_t panel = (size_t)(r / HEED_PANEL) * (size_t)(w->columns / HEED_BLOCK);
    switch (w->dtype) {
    case HEED_Q8_0: return panel_q8_0((heed_panel_q8_0 *)w->data + panel, r % HEED_PANEL, k);
    case HEED_Q4_0: return panel_q4_0((heed_panel_q4_0 *)w->data + panel, r % HEED_PANEL, k);
    case HEED_F16: return float_of_f16(((uint16_t *)w->data)[r * w->columns + k]);
    case HEED_BF16: return float_of_bf16(((uint16_t *)w->data)[r * w->columns + k]);
    default: return ((float *)w->data)[r * w->columns + k];
    }
}

static const heed_kernels *scalar(void) { return heed_kernels_get(HEED_KERNELS_SCALAR); }

/* Panels hold the numbers of blocks, with zeros in rows past the last.  A scale that is not finite is always found.
 */
static void packs(heed_dtype dtype, int rows, int blocks) {
    int is_q8 = dtype == HEED_Q8_0, columns = blocks * HEED_BLOCK, equal = 1;
    size_t row = heed_row_bytes(dtype, columns), block = is_q8 ? sizeof(heed_block_q8_0) : sizeof(heed_block_q4_0);
    int whole = (rows + HEED_PANEL - 1) / HEED_PANEL * HEED_PANEL;
    uint8_t *from = calloc((size_t)whole, row);
    uint32_t state = (uint32_t)(rows + 8 * blocks);
    tiny_fill(from, dtype, rows, columns, 0, &state);
    for (int b = 0; b < rows * blocks; b++) { /* scales of both signs, with zeros and subnormal numbers */
        uint16_t d = (uint16_t)((b % 3 ? 0 : 0x8000) | (b * 97 % 0x2c00));
        memcpy(from + (size_t)b * block, &d, sizeof d);
    }
    heed_tensor w = weight(dtype, rows, columns);
    int finite = heed_convert_rows(&w, 0, rows, dtype, from, scalar(), NULL);
    for (int r = 0; r < whole; r++)
        for (int k = 0; k < columns; k++) {
            const uint8_t *in_file = from + (size_t)r * row;
            equal &=
                held(&w, r, k) == (is_q8 ? block_q8_0((const void *)in_file, k) : block_q4_0((const void *)in_file, k));
        }
    check(finite && equal, "%d rows of %d blocks of type %d have the same numbers in panels", rows, blocks, (int)dtype);

    const struct {
        uint16_t d;
        size_t at;
    } bad[] = {{0xfc00, (size_t)(rows * blocks - 1) * block}, {0x7e01, 0}}; /* infinity in the last, NaN in the first */
    for (int i = 0; i < 2; i++) {
        memcpy(from + bad[i].at, &bad[i].d, sizeof bad->d);
        check(!heed_convert_rows(&w, 0, rows, dtype, from, scalar(), NULL),
              "a scale that is not finite is found in %d rows of %d blocks", rows, blocks);
        memset(from + bad[i].at, 0, sizeof bad->d);
    }
    free(from);
    free(w.data);
}

/* A transposed matrix, loaded by columns, gives the same bits as the matrix loaded by rows. */
static void turns(heed_dtype stored, heed_dtype kept, int rows, int columns) {
    size_t size = stored == HEED_F32 ? 4 : 2, count = (size_t)rows * (size_t)columns;
    int whole = (rows + HEED_PANEL - 1) / HEED_PANEL * HEED_PANEL, widest = rows > columns ? rows : columns;
    uint8_t *by_row = calloc((size_t)whole * (size_t)columns, size), *by_column = malloc(count * size);
    uint32_t state = (uint32_t)(rows + columns);
    tiny_fill(by_row, stored, rows, columns, 0, &state);
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < columns; k++)
            memcpy(by_column + ((size_t)k * (size_t)rows + (size_t)r) * size,
                   by_row + ((size_t)r * (size_t)columns + (size_t)k) * size, size);
    void *scratch = malloc(heed_convert_scratch(widest));
    heed_tensor a = weight(kept, rows, columns), b = weight(kept, rows, columns);
    int finite = 1;
    if (kept == stored)
        memcpy(a.data, by_row, count * size);
    else
        finite = heed_convert_rows(&a, 0, rows, stored, by_row, scalar(), scratch);
    for (int k = 0; k < columns; k += HEED_COLUMNS_PER_PIECE) {
        int n = columns - k < HEED_COLUMNS_PER_PIECE ? columns - k : HEED_COLUMNS_PER_PIECE;
        const uint8_t *lines = by_column + (size_t)k * (size_t)rows * size;
        finite &= heed_convert_columns(&b, k, n, stored, lines, scalar(), scratch);
    }
    check(finite && memcmp(a.data, b.data, heed_matrix_bytes(kept, rows, columns)) == 0,
          "[%d][%d] of type %d by columns to type %d", rows, columns, (int)stored, (int)kept);
    uint16_t nan = 0x7fff;
    memcpy(by_column + count * size - 2, &nan, sizeof nan);
    int n = (columns - 1) % HEED_COLUMNS_PER_PIECE + 1;
    const uint8_t *last = by_column + (size_t)(columns - n) * (size_t)rows * size;
    check(!heed_convert_columns(&b, columns - n, n, stored, last, scalar(), scratch), "a NaN of type %d is found",
          (int)stored);
    free(by_row), free(by_column), free(scratch), free(a.data), free(b.data);
}

/* Converting a matrix of any type to Q8_0 equals converting its f32 numbers; converting to f32 gives these numbers. */
static void turns_blocks(heed_dtype stored) {
    enum { ROWS = 11, COLUMNS = 512 };
    size_t row = heed_row_bytes(stored, COLUMNS);
    uint8_t *from = calloc(16, row);
    uint32_t state = (uint32_t)stored;
    tiny_fill(from, stored, ROWS, COLUMNS, 0, &state);
    heed_tensor f32 = weight(HEED_F32, 16, COLUMNS), direct = weight(HEED_Q8_0, ROWS, COLUMNS),
                through = weight(HEED_Q8_0, ROWS, COLUMNS);
    void *scratch = malloc(heed_convert_scratch(COLUMNS));
    int finite = heed_convert_rows(&f32, 0, 16, stored, from, scalar(), scratch) &&
                 heed_convert_rows(&direct, 0, ROWS, stored, from, scalar(), scratch) &&
                 heed_convert_rows(&through, 0, ROWS, HEED_F32, f32.data, scalar(), scratch);
    int equal = memcmp(direct.data, through.data, heed_matrix_bytes(HEED_Q8_0, ROWS, COLUMNS)) == 0;
    double error = 0, magnitude = 0;
    for (int r = 0; r < ROWS; r++)
        for (int k = 0; k < COLUMNS; k++) {
            error = fmax(error, fabs((double)held(&direct, r, k) - held(&f32, r, k)));
            magnitude = fmax(magnitude, fabs((double)held(&f32, r, k)));
        }
    /* Half of 1/127 of the largest number, plus a scale rounded to 11 bits. */
    check(finite && equal && magnitude > 0 && error <= magnitude * (0.5 / 127 + 0x1p-11),
          "type %d to Q8_0, error %g of %g", (int)stored, error, magnitude);
    free(from), free(f32.data), free(direct.data), free(through.data), free(scratch);
}

/* IQ4 becomes Q8_0 without loss; its conversion to Q4_0 equals the conversion of its f32 numbers. */
static void turns_looked_up(heed_dtype stored) {
    enum { ROWS = 11, COLUMNS = 512 };
    uint8_t *from = calloc(16, heed_row_bytes(stored, COLUMNS));
    uint32_t state = (uint32_t)stored;
    tiny_fill(from, stored, ROWS, COLUMNS, 0, &state);
    heed_tensor f32 = weight(HEED_F32, 16, COLUMNS), own = weight(heed_dtype_in_memory(stored, ROWS), ROWS, COLUMNS),
                direct = weight(HEED_Q4_0, ROWS, COLUMNS), through = weight(HEED_Q4_0, ROWS, COLUMNS);
    void *scratch = malloc(heed_convert_scratch(COLUMNS));
    int finite = heed_convert_rows(&f32, 0, 16, stored, from, scalar(), scratch) &&
                 heed_convert_rows(&own, 0, ROWS, stored, from, scalar(), scratch) &&
                 heed_convert_rows(&direct, 0, ROWS, stored, from, scalar(), scratch) &&
                 heed_convert_rows(&through, 0, ROWS, HEED_F32, f32.data, scalar(), scratch);
    int equal = memcmp(direct.data, through.data, heed_matrix_bytes(HEED_Q4_0, ROWS, COLUMNS)) == 0;
    for (int r = 0; r < ROWS; r++)
        for (int k = 0; k < COLUMNS; k++) equal &= held(&own, r, k) == held(&f32, r, k);
    check(finite && equal && own.dtype == HEED_Q8_0, "type %d becomes Q8_0 without loss", (int)stored);
    free(from), free(f32.data), free(own.data), free(direct.data), free(through.data), free(scratch);
}

/* A matrix loaded in pieces equals the same matrix loaded at once; the last piece has an incomplete panel. */
static void comes_in_pieces(heed_dtype stored, heed_dtype kept) {
    heed_config c = tiny_config(TINY_LLAMA);
    c.vocabulary = 2051, c.d_model = 512;
    tiny t = {.config = c};
    size_t tables = heed_model_bytes(&c, &t.error), bytes = tables + heed_weight_bytes(kept, c.vocabulary, c.d_model);
    t.model = heed_model_create(tiny_memory(bytes), bytes, &c, &t.error);
    uint8_t *from = calloc(2056, heed_row_bytes(stored, c.d_model));
    uint32_t state = 7;
    tiny_fill(from, stored, c.vocabulary, c.d_model, 0, &state);
    int loaded = tiny_load(&t, -1, 0, stored, kept, c.vocabulary, c.d_model, 0, from);
    heed_tensor w = weight(kept, c.vocabulary, c.d_model);
    size_t size = heed_matrix_bytes(kept, c.vocabulary, c.d_model);
    void *scratch = malloc(heed_convert_scratch(c.d_model));
    if (stored == kept && !heed_is_panels(kept))
        memcpy(w.data, from, size);
    else
        heed_convert_rows(&w, 0, c.vocabulary, stored, from, scalar(), scratch);
    check(loaded && memcmp((uint8_t *)t.model + tables, w.data, size) == 0, "type %d to type %d in pieces", (int)stored,
          (int)kept);
    free(from), free(w.data), free(scratch);
    tiny_free(&t);
}

/* Whether panels hold the numbers of blocks, and zeros in rows past the last. */
#define X(NAME, name, elements, ...)                                                                                   \
    static int equal_##name(const uint8_t *panels, const heed_block_##name *b, int rows, int blocks) {                 \
        const affine_layout l = AFFINE_LAYOUT(elements, __VA_ARGS__);                                                  \
        int equal = 1;                                                                                                 \
        for (int r = 0; r < HEED_PANEL; r++)                                                                           \
            for (int i = 0; i < blocks * elements; i++) {                                                              \
                int sub = i % elements / HEED_BLOCK, k = i % HEED_BLOCK;                                               \
                const uint8_t *p = panels + (size_t)(i / elements) * affine_panel_bytes(l);                            \
                float is = affine_scale(l, p, sub, k * affine_parts(l) / HEED_BLOCK, r);                               \
                float least = affine_minimum(l, p, sub, k * affine_parts(l) / HEED_BLOCK, r), want = 0;                \
                if (r < rows) {                                                                                        \
                    sub_block c = decode_##name(&b[r * blocks + i / elements], sub);                                   \
                    int half = l.scales == 2 ? k / 16 : 0, s = l.scales ? c.s[half] : 1, n = l.scales ? c.n[half] : 1; \
                    equal &= least == (l.minima ? float_of_f16(c.m) * (float)n : 0);                                   \
                    want = float_of_f16(c.d) * (float)(s * (c.q[k] - l.zero));                                         \
                }                                                                                                      \
                equal &= is * (float)affine_code(l, p, sub, k, r) == want && (r < rows || least == 0);                 \
            }                                                                                                          \
        return equal;                                                                                                  \
    }
HEED_AFFINE_FORMATS(X)
#undef X

/* Blocks and panels in memory of exactly their size, with zeros in rows past the last. */
#define X(NAME, name, elements, bits, scales, minima, zero)                                                            \
    static void packs_##name(int rows, int blocks) {                                                                   \
        size_t last = (size_t)(rows * blocks) - 1;                                                                     \
        size_t packed = (size_t)blocks * affine_panel_bytes(AFFINE_LAYOUT(elements, bits, scales, minima, zero));      \
        heed_block_##name *from = calloc((size_t)(HEED_PANEL * blocks), sizeof *from);                                 \
        uint8_t *to = malloc(packed);                                                                                  \
        uint32_t state = (uint32_t)(rows + 8 * blocks);                                                                \
        tiny_fill(from, HEED_##NAME, rows, blocks *elements, 0, &state);                                               \
        memset(to, 0xff, packed);                                                                                      \
        check(scalar()->pack_##name(to, from, blocks) && equal_##name(to, from, rows, blocks),                         \
              "%d rows of %d blocks of " #NAME " have the same numbers in panels", rows, blocks);                      \
        (&from[last].d)[minima] = 0x7e01;                                                                              \
        check(!scalar()->pack_##name(to, from, blocks), "NaN is found in %d rows of %d blocks", rows, blocks);         \
        (&from[last].d)[minima] = 0, from->d = 0xfc00;                                                                 \
        check(!scalar()->pack_##name(to, from, blocks), "infinity is found in %d rows of %d blocks", rows, blocks);    \
        free(from);                                                                                                    \
        free(to);                                                                                                      \
    }
HEED_AFFINE_FORMATS(X)
#undef X

/* IQ4 in panels of Q8_0, whose scale is d·s as one float. */
static void looked_up(int rows) {
    enum { BLOCKS = 2, STEPS = 8 };
    static const int8_t values[16] = {HEED_IQ4_VALUES};
    heed_block_iq4_xs *from = calloc(HEED_PANEL * BLOCKS, sizeof *from);
    heed_panel_q8_0 *to = malloc(BLOCKS * STEPS * sizeof *to);
    uint32_t state = (uint32_t)rows;
    int equal = 1;
    tiny_fill(from, HEED_IQ4_XS, rows, BLOCKS * 256, 0, &state);
    int finite = scalar()->pack_iq4_xs(to, from, BLOCKS);
    for (int r = 0; r < HEED_PANEL; r++)
        for (int k = 0; k < BLOCKS * 256; k++) {
            const heed_block_iq4_xs *b = &from[r * BLOCKS + k / 256];
            int sub = k % 256 / 32;
            int byte = b->q[16 * sub + k % 16], code = k % 32 < 16 ? byte & 15 : byte >> 4;
            int s = (b->s[sub / 2] >> 4 * (sub % 2) & 15) + 16 * (b->h >> 2 * sub & 3) - 32;
            equal &= panel_q8_0(to, r, k) == (r < rows ? float_of_f16(b->d) * (float)(s * values[code]) : 0);
        }
    check(finite && equal, "%d rows of IQ4_XS have the same numbers in panels of Q8_0", rows);
    from[rows * BLOCKS - 1].d = 0x7c00;
    check(!scalar()->pack_iq4_xs(to, from, BLOCKS), "infinity is found in %d rows of IQ4_XS", rows);
    free(from);
    free(to);
}

/* q, k and v of a fused matrix must begin at the start of a panel. */
static void splits(int kv_heads, int possible) {
    heed_config c = tiny_config(TINY_GPT2);
    c.heads = 8, c.d_head = 4, c.kv_heads = kv_heads;
    tiny t = tiny_model_of(TINY_GPT2, c, HEED_Q8_0);
    int ready = !t.error.code;
    check(ready == possible && (possible || strstr(t.error.message, "attn_qkv")), "fused keys of %d rows: %s",
          4 * kv_heads, t.error.message);
    tiny_free(&t);
}

void test_packing(void) {
    for (int rows = 1; rows <= HEED_PANEL + 1; rows++)
        for (int blocks = 1; blocks <= 3; blocks++) {
            packs(HEED_Q8_0, rows, blocks);
            packs(HEED_Q4_0, rows, blocks);
        }
    for (int rows = 1; rows <= HEED_PANEL; rows++)
        for (int blocks = 1; blocks <= 3; blocks++) {
#define X(NAME, name, ...) packs_##name(rows, blocks);
            HEED_AFFINE_FORMATS(X)
#undef X
        }
    looked_up(3);
    looked_up(8);
    const heed_dtype floats[] = {HEED_F32, HEED_F16, HEED_BF16};
    for (int i = 0; i < 3; i++) {
        turns(floats[i], floats[i], 7, 45);
        turns(floats[i], HEED_F32, 33, 40);
        turns(floats[i], HEED_Q8_0, 9, 96);
        turns(floats[i], HEED_Q4_0, 16, 64);
        turns_blocks(floats[i]);
    }
    turns_blocks(HEED_Q4_0);
#define X(NAME, ...) turns_blocks(HEED_##NAME);
    HEED_AFFINE_FORMATS(X)
#undef X
    turns_looked_up(HEED_IQ4_NL);
    turns_looked_up(HEED_IQ4_XS);
    comes_in_pieces(HEED_F32, HEED_F32);
    comes_in_pieces(HEED_F32, HEED_Q4_0);
    comes_in_pieces(HEED_BF16, HEED_F32);
    comes_in_pieces(HEED_Q8_0, HEED_Q8_0);
    comes_in_pieces(HEED_Q4_K, HEED_Q4_K);
    comes_in_pieces(HEED_Q6_K, HEED_Q4_0);
    comes_in_pieces(HEED_IQ4_XS, HEED_Q8_0);
    splits(8, 1);
    splits(2, 1);
    splits(1, 0);
}
