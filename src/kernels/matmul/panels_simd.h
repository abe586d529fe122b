/* Products of quantised activations with panels of weights, as a template: before it is included,
 *     panel, operand, ZERO, load_scales, widen, multiply_panel   as kernels/matmul/panels_row_simd.h says
 *     UNPACKED_ZERO                                              the code of weight 0 when unpacked
 *     void unpack(operand *q, const panel *)                     codes as tiles read them: [32 / G][8 rows][G], where G
 *                                                                operands are 32 bits
 *     v128_t load_operands(const int8_t q[])                     the next activations as tiles read them, one vector
 *     v128_t start(int32_t zero)                                 what a tile's sum begins with: -zero
 *     v128_t add_products(v128_t sum, v128_t codes, v128_t x)    one step of a tile: G columns of four rows
 *     v128_t whole(v128_t sum)                                   a tile's sum after 32 columns, as int32
 * say how codes are multiplied.
 *
 * One row of activations passes by the panels in their place.  More of them go in tiles of four by eight outputs, as
 * many sums as stay in registers: a panel's codes are unpacked once for a band of tiles, so that a tile does nothing
 * but multiply and add. */
#include "kernels/matmul/panels_row_simd.h"

/* A chunk of a panel, unpacked, and of four rows stay in the first-level cache, that of a band in the second: 221 KB,
 * on the stack.  24 blocks are a row of GPT-2's: its weights are then one stream, and outputs are summed at once. */
enum { ROWS = 4, BAND = 128, CHUNK = 24, G = 4 / sizeof(operand), STEPS = HEED_BLOCK / G };

/* A block of activations of four rows side by side. */
typedef struct tile_block {
    _Alignas(16) operand x[STEPS][ROWS][G];
    float d[ROWS];
    int32_t zero[ROWS];
} tile_block;

/* Aligned, as tiles of activations are: no vector of either lies in two cache lines. */
typedef struct unpacked_panel {
    _Alignas(16) float d[HEED_PANEL];
    operand q[STEPS][HEED_PANEL][G];
} unpacked_panel;

/* One step of a tile. */
ALWAYS_INLINE void add_step(v128_t sums[ROWS][2], const operand *q, const operand *x) {
    v128_t codes[2] = {wasm_v128_load(q), wasm_v128_load(q + 4 * G)};
    for (int t = 0; t < ROWS; t++) {
        v128_t activations = wasm_v128_load32_splat(x + t * G);
        for (int i = 0; i < 2; i++) sums[t][i] = add_products(sums[t][i], codes[i], activations);
    }
}

/* Four rows by one row of panels: y[4][8], and `add` to it.  The first step stands alone: no product is added to 0, and
 * engines unroll the other fifteen as five times three.  By hand, longer turns spill. */
static void tile(float *y, size_t y_stride, const tile_block *x, const unpacked_panel *w, int blocks, int add) {
    v128_t totals[ROWS][2], sums[ROWS][2];
    for (int t = 0; t < ROWS; t++)
        for (int i = 0; i < 2; i++) totals[t][i] = add ? wasm_v128_load(y + (size_t)t * y_stride + 4 * i) : splat(0);
    for (; blocks > 0; blocks--, w++, x++) {
        for (int t = 0; t < ROWS; t++) sums[t][0] = sums[t][1] = start(UNPACKED_ZERO ? x->zero[t] : 0);
        const operand *q = w->q[0][0], *end = q + HEED_PANEL * HEED_BLOCK, *x_q = x->x[0][0];
        add_step(sums, q, x_q);
#pragma clang loop unroll(disable)
        for (q += HEED_PANEL * G, x_q += ROWS * G; q != end; q += HEED_PANEL * G, x_q += ROWS * G) {
            HIDE(q);
            HIDE(x_q);
            add_step(sums, q, x_q);
        }
        for (int t = 0; t < ROWS; t++) {
            v128_t d = wasm_v128_load32_splat(x->d + t);
            for (int i = 0; i < 2; i++) add_scaled(&totals[t][i], whole(sums[t][i]), wasm_v128_load(w->d + 4 * i), d);
        }
    }
    for (int t = 0; t < ROWS; t++)
        for (int i = 0; i < 2; i++) wasm_v128_store(y + (size_t)t * y_stride + 4 * i, totals[t][i]);
}

/* A chunk of four rows side by side: four steps of all of them at a time. */
static void interleave(tile_block *to, const heed_block_q8 *x, int stride, int blocks) {
    for (int b = 0; b < blocks; b++, to++, x++) {
        const heed_block_q8 *rows[ROWS] = {x, x + stride, x + 2 * stride, x + 3 * stride};
        for (int step = 0; step < STEPS; step += 4) {
            v128_t v[ROWS];
            for (int t = 0; t < ROWS; t++) v[t] = load_operands(rows[t]->q + step * G);
            transpose_i32x4(v);
            for (int i = 0; i < 4; i++) wasm_v128_store(to->x[step + i], v[i]);
        }
        for (int t = 0; t < ROWS; t++) {
            to->d[t] = rows[t]->d;
            to->zero[t] = sum_of_zeros(rows[t]->q, UNPACKED_ZERO);
        }
    }
}

static void unpack_chunk(unpacked_panel *to, const panel *w, int blocks) {
    for (int b = 0; b < blocks; b++) {
        v128_t scales[2];
        load_scales(scales, w + b);
        for (int i = 0; i < 2; i++) wasm_v128_store(to[b].d + 4 * i, scales[i]);
        unpack(to[b].q[0][0], w + b);
    }
}

/* `rows` rows, a multiple of four. */
static void multiply_band(float *y, size_t y_stride, const heed_block_q8 *x, const panel *w, int rows, int O,
                          int stride) {
    tile_block tiles[BAND / ROWS * CHUNK];
    unpacked_panel codes[CHUNK];
    float last[BAND][HEED_PANEL];
    for (int from = 0, blocks, chunks = (stride + CHUNK - 1) / CHUNK; chunks > 0; from += blocks, chunks--) {
        blocks = (stride - from) / chunks;
        for (int t = 0; t < rows; t += ROWS)
            interleave(tiles + t / ROWS * blocks, x + (size_t)t * (size_t)stride + from, stride, blocks);
        const panel *w_o = w + from;
        for (int o = 0; o < O; o += HEED_PANEL, w_o += stride) {
            unpack_chunk(codes, w_o, blocks);
            size_t to_stride = o + HEED_PANEL <= O ? y_stride : HEED_PANEL;
            for (int t = 0; t < rows; t += ROWS) {
                float *to = place_of(y + (size_t)t * y_stride, o, O, last[t]);
                tile(to, to_stride, tiles + t / ROWS * blocks, codes, blocks, from > 0);
            }
        }
    }
    for (int t = 0; t < rows; t++) copy_last(y + (size_t)t * y_stride, last[t], O);
}
#include "kernels/matmul/rows_simd.h"
