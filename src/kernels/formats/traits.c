/* Facts of each weight type: sizes of blocks, and functions that read, pack and multiply them. */
#include "kernels/formats/traits.h"

#include "kernels/formats/affine.h"
#include "kernels/formats/decode.h"
#include "kernels/formats/read_panels.h"
#include "kernels/half.h"

#include <string.h>

static void read_stored_f32(float *y, const void *row, int n, const heed_kernels *kernels) {
    (void)kernels;
    memcpy(y, row, (size_t)n * sizeof *y);
}

static void read_stored_f16(float *y, const void *row, int n, const heed_kernels *kernels) {
    kernels->widen_f16(y, row, (size_t)n);
}

static void read_stored_bf16(float *y, const void *row, int n, const heed_kernels *kernels) {
    kernels->widen_bf16(y, row, (size_t)n);
}

static void read_stored_q8_0(float *y, const void *row, int n, const heed_kernels *kernels) {
    (void)kernels;
    const heed_block_q8_0 *b = row;
    for (int i = 0; i < n; i += HEED_BLOCK, b++, y += HEED_BLOCK) {
        float d = float_of_f16(b->d);
        for (int k = 0; k < HEED_BLOCK; k++) y[k] = d * (float)b->q[k];
    }
}

static void read_stored_q4_0(float *y, const void *row, int n, const heed_kernels *kernels) {
    (void)kernels;
    const heed_block_q4_0 *b = row;
    for (int i = 0; i < n; i += HEED_BLOCK, b++, y += HEED_BLOCK) {
        float d = float_of_f16(b->d);
        for (int k = 0; k < HEED_BLOCK / 2; k++) {
            y[k] = d * (float)((b->q[k] & 15) - 8);
            y[k + HEED_BLOCK / 2] = d * (float)((b->q[k] >> 4) - 8);
        }
    }
}

#define X(NAME, name, elements, ...)                                                                                   \
    static void read_stored_##name(float *y, const void *row, int n, const heed_kernels *kernels) {                    \
        (void)kernels;                                                                                                 \
        for (int i = 0; i < n; i += HEED_BLOCK) {                                                                      \
            sub_block c = decode_##name((const heed_block_##name *)row + i / elements, i % elements / HEED_BLOCK);     \
            affine_decode(y + i, &c, AFFINE_LAYOUT(elements, __VA_ARGS__));                                            \
        }                                                                                                              \
    }
HEED_AFFINE_FORMATS(X)
#undef X

#define X(NAME, name, elements)                                                                                        \
    static void read_stored_##name(float *y, const void *row, int n, const heed_kernels *kernels) {                    \
        (void)kernels;                                                                                                 \
        for (int i = 0; i < n; i += HEED_BLOCK) {                                                                      \
            iq4_sub_block v = decode_##name((const heed_block_##name *)row + i / elements, i % elements / HEED_BLOCK); \
            for (int k = 0; k < HEED_BLOCK; k++) y[i + k] = v.d * (float)v.q[k];                                       \
        }                                                                                                              \
    }
HEED_IQ4_FORMATS(X)
#undef X

#define FLOAT_KERNELS(name)                                                                                            \
    static void matmul_##name(const heed_kernels *kernels, float *y, size_t y_stride, const heed_activations *x,       \
                              const void *w, int T, int O, int K) {                                                    \
        kernels->matmul_##name(y, y_stride, x->x, x->stride, w, T, O, K);                                              \
    }
#define PACK_KERNEL(name)                                                                                              \
    static int pack_##name(const heed_kernels *kernels, void *to, const void *from, int blocks) {                      \
        return kernels->pack_##name(to, from, blocks);                                                                 \
    }
#define PANEL_KERNELS(name)                                                                                            \
    PACK_KERNEL(name)                                                                                                  \
    static void matmul_##name(const heed_kernels *kernels, float *y, size_t y_stride, const heed_activations *x,       \
                              const void *w, int T, int O, int K) {                                                    \
        kernels->matmul_##name(y, y_stride, x->q8, w, T, O, K);                                                        \
    }
FLOAT_KERNELS(f32)
FLOAT_KERNELS(f16)
FLOAT_KERNELS(bf16)
PANEL_KERNELS(q8_0)
PANEL_KERNELS(q4_0)
#define X(NAME, name, ...)                                                                                             \
    PANEL_KERNELS(name)                                                                                                \
    static const affine_layout layout_##name = AFFINE_FIELDS(__VA_ARGS__);
HEED_AFFINE_FORMATS(X)
#undef X
#define X(NAME, name, ...) PACK_KERNEL(name)
HEED_IQ4_FORMATS(X)
#undef X

#define FLOATS(NAME, name, bytes, exponent)                                                                            \
    [HEED_##NAME] = {1, bytes, 0, HEED_##NAME, exponent, read_stored_##name, NULL, NULL, matmul_##name},
#define PANELS(NAME, name, elements, panel_bytes, layout)                                                              \
    [HEED_##NAME] = {elements,                                                                                         \
                     sizeof(heed_block_##name),                                                                        \
                     (int)(panel_bytes),                                                                               \
                     HEED_##NAME,                                                                                      \
                     0,                                                                                                \
                     read_stored_##name,                                                                               \
                     layout,                                                                                           \
                     pack_##name,                                                                                      \
                     matmul_##name},

static const heed_format formats[] = {FLOATS(F32, f32, 4, 0x7f800000) FLOATS(F16, f16, 2, 0x7c007c00)
                                          FLOATS(BF16, bf16, 2, 0x7f807f80)
                                              PANELS(Q8_0, q8_0, HEED_BLOCK, sizeof(heed_panel_q8_0), NULL)
                                                  PANELS(Q4_0, q4_0, HEED_BLOCK, sizeof(heed_panel_q4_0), NULL)
#define X(NAME, name, elements, ...)                                                                                   \
    PANELS(NAME, name, elements, AFFINE_PANEL_BYTES(elements, __VA_ARGS__), &layout_##name)
                                                      HEED_AFFINE_FORMATS(X)
#undef X
#define X(NAME, name, elements)                                                                                        \
    [HEED_##NAME] = {elements, sizeof(heed_block_##name), 0, HEED_Q8_0, 0, read_stored_##name, NULL, pack_##name, NULL},
                                                          HEED_IQ4_FORMATS(X)
#undef X
};

const heed_format *heed_format_of(heed_dtype dtype) {
    static const heed_format none;
    size_t i = (size_t)dtype;
    return i < sizeof formats / sizeof *formats ? &formats[i] : &none;
}

/* The block of a matrix in memory that has row `row` and column `from`. */
static const char *block_at(const heed_format *f, const void *matrix, int row, int K, int from) {
    size_t blocks = (size_t)(K / f->elements), first = (size_t)(from / f->elements);
    if (f->panel_bytes)
        return (const char *)matrix + ((size_t)(row / HEED_PANEL) * blocks + first) * (size_t)f->panel_bytes;
    return (const char *)matrix + ((size_t)row * blocks + first) * (size_t)f->block_bytes;
}

void heed_format_read(float *y, heed_dtype dtype, const void *matrix, int row, int K, int from, int n,
                      const heed_kernels *kernels) {
    const heed_format *f = heed_format_of(dtype);
    const char *block = block_at(f, matrix, row, K, from);
    if (!f->panel_bytes) {
        f->read_stored(y, block, n, kernels);
        return;
    }
    for (int i = 0; i < n; i += HEED_BLOCK) {
        panel_row r;
        const void *panel = block + i / f->elements * f->panel_bytes;
        if (dtype == HEED_Q8_0)
            heed_panel_row_q8_0(&r, panel, row % HEED_PANEL);
        else if (dtype == HEED_Q4_0)
            heed_panel_row_q4_0(&r, panel, row % HEED_PANEL);
        else
            heed_panel_row_affine(&r, panel, row % HEED_PANEL, i % f->elements / HEED_BLOCK, f->layout);
        for (int k = 0; k < HEED_BLOCK; k++) {
            int part = k * r.parts / HEED_BLOCK;
            y[i + k] = r.scale[part] * (float)r.code[k] + r.minimum[part];
        }
    }
}

void heed_format_read_codes(heed_codes *y, heed_dtype dtype, const void *matrix, int row, int rows, int K, int from,
                            int n, const heed_kernels *kernels) {
    const heed_format *f = heed_format_of(dtype);
    size_t blocks = (size_t)(K / f->elements);
    for (int i = 0; i < n; i += HEED_BLOCK, y = heed_codes_at(y, rows, 1)) {
        const void *panels = block_at(f, matrix, row, K, from + i);
        int sub = (from + i) % f->elements / HEED_BLOCK;
        if (dtype == HEED_Q8_0)
            kernels->read_q8_0(y, panels, blocks, rows);
        else if (dtype == HEED_Q4_0)
            kernels->read_q4_0(y, panels, blocks, rows);
        else
            kernels->read_affine(y, panels, blocks * (size_t)f->panel_bytes, rows, sub, f->layout);
    }
}
