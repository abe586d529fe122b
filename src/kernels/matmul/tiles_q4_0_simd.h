/* Many rows of activations by panels of Q4_0.  16-bit operands have room for four codes, and a sum of 32 bits for more
 * than one output.
 *
 * With codes c of A and of B, of which |Σ(c - 8)·x| <= 8·127·32 < 2^15, one sum over the operands c_A + 2^12·(c_B - 8)
 * is A + 2^12·B: it lacks but the bits of A above the twelfth.  For A0 .. A3 of four such pairs they come from a fifth
 * sum, over c_A0 + 2^4·c_A1 + 2^8·c_A2 + 2^12·(c_A3 - 8).  So eight outputs take five products instead of eight, and
 * are taken apart once a block: exactly, whatever the codes are.
 *
 * Included where kernels/matmul/panels_row_simd.h could be, which it includes. */
#include "kernels/matmul/panels_row_simd.h"

/* A group is GROUP panels side by side: lanes are rows 0-3 (A) and 4-7 (B) of each.  A chunk of it, unpacked, stays in
 * the first-level cache, two rows' of a band in the second: 150 KB, on the stack. */
enum { GROUP = 4, OUTPUTS = GROUP * HEED_PANEL, SUMS = GROUP + 1, ROWS = 2, BAND = 128, CHUNK = 12 };
enum { STEPS = HEED_BLOCK / 2, STEP_CODES = 8 * SUMS, STEP_X = 2 * ROWS };

/* A block of two rows side by side.  Sums start from what their codes are too high by, and each A with 2^15 more: A' >
 * 0 has no sign that bits above it would feel. */
typedef struct tile_block {
    int16_t x[STEPS][ROWS][2];
    float d[ROWS];
    int32_t start[ROWS], start_last[ROWS];
} tile_block;

/* A block of a group, unpacked: scales of its outputs, and operands of two columns after two columns. */
typedef struct unpacked_group {
    _Alignas(16) float d[OUTPUTS];
    int16_t q[STEPS][SUMS][4][2];
} unpacked_group;

/* One step of sums from .. to - 1 of both rows. */
ALWAYS_INLINE void add_step(v128_t sums[ROWS][SUMS], const int16_t *q, const int16_t *x, const int from, const int to) {
    v128_t pairs[ROWS];
    for (int t = 0; t < ROWS; t++) pairs[t] = wasm_v128_load32_splat(x + 2 * t);
    for (int i = from; i < to; i++) {
        v128_t codes = wasm_v128_load(q + 8 * (i - from));
        for (int t = 0; t < ROWS; t++) sums[t][i] = add_products(sums[t][i], codes, pairs[t]);
    }
}

/* All steps of these sums: of all five at once, engines spill some. */
ALWAYS_INLINE void add_steps(v128_t sums[ROWS][SUMS], const unpacked_group *w, const tile_block *x, const int from,
                             const int to) {
    const int16_t *q = w->q[0][from][0], *x_q = x->x[0][0], *end = x_q + STEPS * STEP_X;
#pragma clang loop unroll(disable)
    for (; x_q != end; q += STEP_CODES, x_q += STEP_X) {
        HIDE(q);
        HIDE(x_q);
        add_step(sums, q, x_q, from, to);
    }
}

/* The eight vectors of outputs that five sums stand for: A0, B0, A1 … */
ALWAYS_INLINE void take_apart(v128_t outputs[2 * GROUP], const v128_t sums[SUMS]) {
    const v128_t high = wasm_i32x4_splat(0xf000);
    v128_t low[GROUP], rest = sums[GROUP];
    for (int i = 0; i < GROUP; i++) {
        low[i] = wasm_v128_and(sums[i], wasm_i32x4_splat(0xfff));
        if (i > 0) rest = wasm_i32x4_sub(rest, wasm_i32x4_shl(low[i], (uint32_t)(4 * i)));
    }
    /* What is left is A0' + 2^16·(A1' >> 12) + 2^20·(A2' >> 12) + 2^24·(A3' >> 12). */
    for (int i = 0; i < GROUP; i++) {
        v128_t a = wasm_v128_or(low[i], wasm_v128_and(wasm_u32x4_shr(rest, (uint32_t)(4 * i)), high));
        outputs[2 * i] = wasm_i32x4_sub(a, wasm_i32x4_splat(1 << 15));
        outputs[2 * i + 1] = wasm_i32x4_shr(wasm_i32x4_sub(sums[i], a), 12);
    }
}

/* Two rows by a row of groups: adds to y[2][32]. */
ALWAYS_INLINE void tile(float *y, size_t y_stride, const tile_block *x, const unpacked_group *w, int blocks) {
    v128_t sums[ROWS][SUMS], outputs[2 * GROUP];
    for (; blocks > 0; blocks--, w++, x++) {
        for (int t = 0; t < ROWS; t++) {
            for (int i = 0; i < GROUP; i++) sums[t][i] = wasm_v128_load32_splat(x->start + t);
            sums[t][GROUP] = wasm_v128_load32_splat(x->start_last + t);
        }
        add_steps(sums, w, x, 0, 3);
        add_steps(sums, w, x, 3, SUMS);
        for (int t = 0; t < ROWS; t++) {
            float *y_t = y + (size_t)t * y_stride;
            v128_t d = wasm_v128_load32_splat(x->d + t);
            take_apart(outputs, sums[t]);
            for (int i = 0; i < 2 * GROUP; i++) {
                v128_t total = wasm_v128_load(y_t + 4 * i);
                add_scaled(&total, outputs[i], wasm_v128_load(w->d + 4 * i), d);
                wasm_v128_store(y_t + 4 * i, total);
            }
        }
    }
}

/* Sixteen bytes of a low and of a high half: as operands of the first and of the second pair of columns. */
ALWAYS_INLINE void store_halves(int16_t *first, int16_t *second, v128_t low, v128_t high) {
    v128_t rows_01 = wasm_i8x16_shuffle(low, high, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    v128_t rows_23 = wasm_i8x16_shuffle(low, high, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    wasm_v128_store(first, wasm_i32x4_shuffle(rows_01, rows_23, 0, 2, 4, 6));
    wasm_v128_store(second, wasm_i32x4_shuffle(rows_01, rows_23, 1, 3, 5, 7));
}

/* Two codes a byte; `sign` makes the high one less 8, were it the highest of an operand. */
ALWAYS_INLINE v128_t codes_of(v128_t low, v128_t high, int sign) {
    return wasm_v128_xor(wasm_v128_or(low, wasm_i16x8_shl(high, 4)), wasm_i8x16_splat((int8_t)(sign ? 0x80 : 0)));
}

/* Four columns of eight rows of each panel, codes in the low half of bytes, as two steps. */
ALWAYS_INLINE void unpack_columns(int16_t *q, const v128_t codes[GROUP][2]) {
    int16_t *second = q + STEP_CODES;
    for (int i = 0; i < GROUP; i++)
        store_halves(q + 8 * i, second + 8 * i, codes[i][0], codes_of(splat(0), codes[i][1], 1));
    store_halves(q + 8 * GROUP, second + 8 * GROUP, codes_of(codes[0][0], codes[1][0], 0),
                 codes_of(codes[2][0], codes[3][0], 1));
}

/* Panels of a group lie `stride` apart.  The last one may have fewer than four: nobody reads the outputs of the rest.
 */
static void unpack_chunk(unpacked_group *to, const panel *w, int panels, int stride, int blocks) {
    for (int b = 0; b < blocks; b++, to++, w++) {
        for (int i = 0; i < GROUP; i++) {
            v128_t scales[2] = {splat(0), splat(0)};
            if (i < panels) load_scales(scales, w + (size_t)i * (size_t)stride);
            for (int r = 0; r < 2; r++) wasm_v128_store(to->d + HEED_PANEL * i + 4 * r, scales[r]);
        }
        for (int k = 0; k < HEED_BLOCK / 8; k++) {
            v128_t low[GROUP][2], high[GROUP][2];
            for (int i = 0; i < GROUP; i++)
                for (int r = 0; r < 2; r++) {
                    v128_t codes = i < panels ? wasm_v128_load(w[(size_t)i * (size_t)stride].q[k][4 * r]) : splat(0);
                    low[i][r] = low_codes(codes);
                    high[i][r] = high_codes(codes);
                }
            unpack_columns(to->q[2 * k][0][0], low);
            unpack_columns(to->q[2 * k + STEPS / 2][0][0], high);
        }
    }
}

/* A chunk of two rows side by side. */
static void interleave(tile_block *to, const heed_block_q8 *x, int stride, int blocks) {
    for (int b = 0; b < blocks; b++, to++, x++) {
        const heed_block_q8 *rows[ROWS] = {x, x + stride};
        for (int i = 0; i < HEED_BLOCK / 8; i++) {
            v128_t first = wasm_i16x8_load8x8(rows[0]->q + 8 * i), second = wasm_i16x8_load8x8(rows[1]->q + 8 * i);
            wasm_v128_store(to->x[4 * i], wasm_i32x4_shuffle(first, second, 0, 4, 1, 5));
            wasm_v128_store(to->x[4 * i + 2], wasm_i32x4_shuffle(first, second, 2, 6, 3, 7));
        }
        for (int t = 0; t < ROWS; t++) {
            int32_t start = (1 << 15) - sum_of_zeros(rows[t]->q, ZERO);
            to->d[t] = rows[t]->d;
            to->start[t] = start;
            to->start_last[t] = start * (1 + (1 << 4) + (1 << 8)) + (1 << 27);
        }
    }
}

/* `rows` rows, an even number.  Outputs of a group that is not whole are summed apart. */
static void multiply_band(float *y, size_t y_stride, const heed_block_q8 *x, const panel *w, int rows, int O,
                          int stride) {
    tile_block tiles[BAND / ROWS][CHUNK];
    unpacked_group codes[CHUNK];
    float last[BAND][OUTPUTS];
    int whole_groups = O / OUTPUTS * OUTPUTS;
    for (int t = 0; t < rows; t++) {
        for (int o = 0; o < whole_groups; o++) y[(size_t)t * y_stride + o] = 0;
        for (int o = 0; o < OUTPUTS; o++) last[t][o] = 0;
    }
    for (int from = 0, blocks, chunks = (stride + CHUNK - 1) / CHUNK; chunks > 0; from += blocks, chunks--) {
        blocks = (stride - from) / chunks;
        for (int t = 0; t < rows; t += ROWS)
            interleave(tiles[t / ROWS], x + (size_t)t * (size_t)stride + from, stride, blocks);
        const panel *w_o = w + from;
        for (int o = 0; o < O; o += OUTPUTS, w_o += GROUP * stride) {
            int panels = (O - o + HEED_PANEL - 1) / HEED_PANEL;
            unpack_chunk(codes, w_o, panels, stride, blocks);
            for (int t = 0; t < rows; t += ROWS) {
                float *to = o < whole_groups ? y + (size_t)t * y_stride + o : last[t];
                tile(to, o < whole_groups ? y_stride : OUTPUTS, tiles[t / ROWS], codes, blocks);
            }
        }
    }
    for (int t = 0; t < rows; t++)
        for (int o = whole_groups; o < O; o++) y[(size_t)t * y_stride + o] = last[t][o - whole_groups];
}
