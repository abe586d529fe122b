/* Many rows of activations by panels of Q4_0, for the set simd128: eight outputs from five sums.
 *
 * A 16-bit operand has room for four codes, and a 32-bit sum for more than one output.  For codes c of outputs A and
 * B, |Σ(c - 8)·x| <= 8·127·32 < 2^15 holds.  One sum over the operands c_A + 2^12·(c_B - 8) is A + 2^12·B, where only
 * the bits of A above the twelfth are missing.  For A0 .. A3 of four such pairs, a fifth sum supplies them.  Its
 * operands are c_A0 + 2^4·c_A1 + 2^8·c_A2 + 2^12·(c_A3 - 8).  So eight outputs take five products instead of eight.
 * They are separated once a block, exactly for all codes.
 *
 * Included by q4_0_simd.c alone, after its instance of panels_row_simd.h. */
#ifndef HEED_KERNELS_Q4_0_TILE_SIMD_H
#define HEED_KERNELS_Q4_0_TILE_SIMD_H

#include "kernels/matmul/operands_simd.h"

/* A group is GROUP panels side by side; lanes are rows 0-3 (A) and 4-7 (B) of each.  An unpacked chunk of a group stays
 * in the first-level cache, a chunk of a band in the second: 150 KB on the stack. */
enum { GROUP = 4, OUTPUTS = GROUP * HEED_PANEL, SUMS = GROUP + 1, TILE_ROWS = 2, BAND = 128, CHUNK = 12 };
/* Two columns are multiplied at once. */
enum { PAIRS = HEED_BLOCK / 2, PAIR_CODES = 8 * SUMS, PAIR_X = 2 * TILE_ROWS };

/* A block of two rows side by side.  Sums start at minus the zero-point term.  Each A gets 2^15 more, so A' is positive
 * and cannot borrow from the bits above it. */
typedef struct q4_0_tile_block {
    int16_t x[PAIRS][TILE_ROWS][2];
    float d[TILE_ROWS];
    int32_t start[TILE_ROWS], start_last[TILE_ROWS];
} q4_0_tile_block;

/* An unpacked block of a group: the scales of its outputs, and the operands of each pair of columns. */
typedef struct q4_0_group {
    _Alignas(16) float d[OUTPUTS];
    int16_t q[PAIRS][SUMS][4][2];
} q4_0_group;

/* Adds one pair of columns to the sums from .. to - 1 of both rows. */
ALWAYS_INLINE void q4_0_add_pair(v128_t sums_i32x4[TILE_ROWS][SUMS], const int16_t *q, const int16_t *x, const int from,
                                 const int to) {
    v128_t pairs_i16x8[TILE_ROWS];
    for (int t = 0; t < TILE_ROWS; t++) pairs_i16x8[t] = wasm_v128_load32_splat(x + 2 * t);
    for (int i = from; i < to; i++) {
        v128_t codes_i16x8 = wasm_v128_load(q + 8 * (i - from));
        for (int t = 0; t < TILE_ROWS; t++)
            sums_i32x4[t][i] = add_products(sums_i32x4[t][i], codes_i16x8, pairs_i16x8[t]);
    }
}

/* Adds all pairs of columns to these sums.  All five sums at once would spill registers. */
ALWAYS_INLINE void q4_0_add_pairs(v128_t sums_i32x4[TILE_ROWS][SUMS], const q4_0_group *w, const q4_0_tile_block *x,
                                  const int from, const int to) {
    const int16_t *q = w->q[0][from][0], *x_q = x->x[0][0], *end = x_q + PAIRS * PAIR_X;
#pragma clang loop unroll(disable)
    for (; x_q != end; q += PAIR_CODES, x_q += PAIR_X) {
        HIDE(q);
        HIDE(x_q);
        q4_0_add_pair(sums_i32x4, q, x_q, from, to);
    }
}

/* The eight vectors of outputs in five sums: A0, B0, A1, B1 … */
ALWAYS_INLINE void q4_0_separate(v128_t outputs[2 * GROUP], const v128_t sums[SUMS]) {
    const v128_t high = wasm_i32x4_splat(0xf000);
    v128_t low[GROUP], rest = sums[GROUP];
    for (int i = 0; i < GROUP; i++) {
        low[i] = wasm_v128_and(sums[i], wasm_i32x4_splat(0xfff));
        if (i > 0) rest = wasm_i32x4_sub(rest, wasm_i32x4_shl(low[i], (uint32_t)(4 * i)));
    }
    /* `rest` is now A0' + 2^16·(A1' >> 12) + 2^20·(A2' >> 12) + 2^24·(A3' >> 12). */
    for (int i = 0; i < GROUP; i++) {
        v128_t a = wasm_v128_or(low[i], wasm_v128_and(wasm_u32x4_shr(rest, (uint32_t)(4 * i)), high));
        outputs[2 * i] = wasm_i32x4_sub(a, wasm_i32x4_splat(1 << 15));
        outputs[2 * i + 1] = wasm_i32x4_shr(wasm_i32x4_sub(sums[i], a), 12);
    }
}

/* Two rows by a row of groups: adds to y[2][32]. */
ALWAYS_INLINE void q4_0_tile(float *y, size_t y_stride, const q4_0_tile_block *x, const q4_0_group *w, int blocks) {
    v128_t sums_i32x4[TILE_ROWS][SUMS], outputs_i32x4[2 * GROUP];
    for (; blocks > 0; blocks--, w++, x++) {
        for (int t = 0; t < TILE_ROWS; t++) {
            for (int i = 0; i < GROUP; i++) sums_i32x4[t][i] = wasm_v128_load32_splat(x->start + t);
            sums_i32x4[t][GROUP] = wasm_v128_load32_splat(x->start_last + t);
        }
        q4_0_add_pairs(sums_i32x4, w, x, 0, 3);
        q4_0_add_pairs(sums_i32x4, w, x, 3, SUMS);
        for (int t = 0; t < TILE_ROWS; t++) {
            float *y_t = y + (size_t)t * y_stride;
            v128_t d_f32x4 = wasm_v128_load32_splat(x->d + t);
            q4_0_separate(outputs_i32x4, sums_i32x4[t]);
            for (int i = 0; i < 2 * GROUP; i++) {
                v128_t total_f32x4 = wasm_v128_load(y_t + 4 * i);
                q4_0_add_scaled(&total_f32x4, outputs_i32x4[i], wasm_v128_load(w->d + 4 * i), d_f32x4);
                wasm_v128_store(y_t + 4 * i, total_f32x4);
            }
        }
    }
}

/* Sixteen low and sixteen high bytes to operands of the first and of the second pair of columns. */
ALWAYS_INLINE void q4_0_store_halves(int16_t *first, int16_t *second, v128_t low, v128_t high) {
    v128_t rows_01 = wasm_i8x16_shuffle(low, high, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    v128_t rows_23 = wasm_i8x16_shuffle(low, high, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    wasm_v128_store(first, wasm_i32x4_shuffle(rows_01, rows_23, 0, 2, 4, 6));
    wasm_v128_store(second, wasm_i32x4_shuffle(rows_01, rows_23, 1, 3, 5, 7));
}

/* Two codes in a byte; `sign` subtracts 8 from the high one, for the highest code of an operand. */
ALWAYS_INLINE v128_t q4_0_join_codes(v128_t low, v128_t high, int sign) {
    return wasm_v128_xor(wasm_v128_or(low, wasm_i16x8_shl(high, 4)), wasm_i8x16_splat((int8_t)(sign ? 0x80 : 0)));
}

/* Four columns of eight rows of each panel, codes in the low half of bytes, to two pairs of columns. */
ALWAYS_INLINE void q4_0_unpack_columns(int16_t *q, const v128_t codes[GROUP][2]) {
    int16_t *second = q + PAIR_CODES;
    for (int i = 0; i < GROUP; i++)
        q4_0_store_halves(q + 8 * i, second + 8 * i, codes[i][0], q4_0_join_codes(splat(0), codes[i][1], 1));
    q4_0_store_halves(q + 8 * GROUP, second + 8 * GROUP, q4_0_join_codes(codes[0][0], codes[1][0], 0),
                      q4_0_join_codes(codes[2][0], codes[3][0], 1));
}

/* Panels of a group are `stride` apart.  The last group may have fewer than four; the outputs of the rest are not read.
 */
static void q4_0_unpack_chunk(q4_0_group *to, const heed_panel_q4_0 *w, int panels, int stride, int blocks) {
    for (int b = 0; b < blocks; b++, to++, w++) {
        for (int i = 0; i < GROUP; i++) {
            v128_t scales_f32x4[2] = {splat(0), splat(0)};
            if (i < panels) q4_0_load_scales(scales_f32x4, w + (size_t)i * (size_t)stride);
            for (int r = 0; r < 2; r++) wasm_v128_store(to->d + HEED_PANEL * i + 4 * r, scales_f32x4[r]);
        }
        for (int k = 0; k < HEED_BLOCK / 8; k++) {
            v128_t low_i8x16[GROUP][2], high_i8x16[GROUP][2];
            for (int i = 0; i < GROUP; i++)
                for (int r = 0; r < 2; r++) {
                    v128_t q_i8x16 = i < panels ? wasm_v128_load(w[(size_t)i * (size_t)stride].q[k][4 * r]) : splat(0);
                    low_i8x16[i][r] = low_codes(q_i8x16);
                    high_i8x16[i][r] = high_codes(q_i8x16);
                }
            q4_0_unpack_columns(to->q[2 * k][0][0], low_i8x16);
            q4_0_unpack_columns(to->q[2 * k + PAIRS / 2][0][0], high_i8x16);
        }
    }
}

/* A chunk of two rows side by side. */
static void q4_0_interleave(q4_0_tile_block *to, const heed_block_q8 *x, int stride, int blocks) {
    for (int b = 0; b < blocks; b++, to++, x++) {
        const heed_block_q8 *rows[TILE_ROWS] = {x, x + stride};
        for (int i = 0; i < HEED_BLOCK / 8; i++) {
            v128_t first = wasm_i16x8_load8x8(rows[0]->q + 8 * i), second = wasm_i16x8_load8x8(rows[1]->q + 8 * i);
            wasm_v128_store(to->x[4 * i], wasm_i32x4_shuffle(first, second, 0, 4, 1, 5));
            wasm_v128_store(to->x[4 * i + 2], wasm_i32x4_shuffle(first, second, 2, 6, 3, 7));
        }
        for (int t = 0; t < TILE_ROWS; t++) {
            int32_t start = (1 << 15) - zero_term(rows[t]->q, PANEL_ZERO);
            to->d[t] = rows[t]->d;
            to->start[t] = start;
            to->start_last[t] = start * (1 + (1 << 4) + (1 << 8)) + (1 << 27);
        }
    }
}

/* `rows` rows, an even number.  The outputs of an incomplete group are summed in `last`. */
static void q4_0_band(float *y, size_t y_stride, const heed_block_q8 *x, const heed_panel_q4_0 *w, int rows, int O,
                      int stride) {
    q4_0_tile_block tiles[BAND / TILE_ROWS][CHUNK];
    q4_0_group codes[CHUNK];
    float last[BAND][OUTPUTS];
    int whole_groups = O / OUTPUTS * OUTPUTS;
    for (int t = 0; t < rows; t++) {
        for (int o = 0; o < whole_groups; o++) y[(size_t)t * y_stride + o] = 0;
        for (int o = 0; o < OUTPUTS; o++) last[t][o] = 0;
    }
    for (int from = 0, blocks, chunks = (stride + CHUNK - 1) / CHUNK; chunks > 0; from += blocks, chunks--) {
        blocks = (stride - from) / chunks;
        for (int t = 0; t < rows; t += TILE_ROWS)
            q4_0_interleave(tiles[t / TILE_ROWS], x + (size_t)t * (size_t)stride + from, stride, blocks);
        const heed_panel_q4_0 *w_o = w + from;
        for (int o = 0; o < O; o += OUTPUTS, w_o += GROUP * stride) {
            int panels = (O - o + HEED_PANEL - 1) / HEED_PANEL;
            q4_0_unpack_chunk(codes, w_o, panels, stride, blocks);
            for (int t = 0; t < rows; t += TILE_ROWS) {
                float *to = o < whole_groups ? y + (size_t)t * y_stride + o : last[t];
                q4_0_tile(to, o < whole_groups ? y_stride : OUTPUTS, tiles[t / TILE_ROWS], codes, blocks);
            }
        }
    }
    for (int t = 0; t < rows; t++)
        for (int o = whole_groups; o < O; o++) y[(size_t)t * y_stride + o] = last[t][o - whole_groups];
}

#endif
