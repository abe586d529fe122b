#ifdef __wasm_simd128__
#include "kernels/lanes.h"
#include "kernels/set.h"

/* Four rows of four numbers of four bytes each to four columns. */
ALWAYS_INLINE void transpose(v128_t to[4], const v128_t row[4]) {
    v128_t a = wasm_i32x4_shuffle(row[0], row[1], 0, 4, 1, 5), b = wasm_i32x4_shuffle(row[0], row[1], 2, 6, 3, 7);
    v128_t c = wasm_i32x4_shuffle(row[2], row[3], 0, 4, 1, 5), d = wasm_i32x4_shuffle(row[2], row[3], 2, 6, 3, 7);
    to[0] = wasm_i64x2_shuffle(a, c, 0, 2), to[1] = wasm_i64x2_shuffle(a, c, 1, 3);
    to[2] = wasm_i64x2_shuffle(b, d, 0, 2), to[3] = wasm_i64x2_shuffle(b, d, 1, 3);
}

/* The first 16 bytes at `q` of eight rows, `stride` bytes apart, as four times four columns of a panel. */
ALWAYS_INLINE void pack_quads(void *to, const void *q, size_t stride) {
    for (int half = 0; half < 2; half++) {
        v128_t row[4], quads[4];
        for (int r = 0; r < 4; r++) row[r] = wasm_v128_load((const char *)q + (size_t)(4 * half + r) * stride);
        transpose(quads, row);
        for (int i = 0; i < 4; i++) wasm_v128_store((v128_t *)to + 2 * i + half, quads[i]);
    }
}

/* The scales of eight rows, `stride` bytes apart. */
ALWAYS_INLINE v128_t load_scales(const uint16_t *d, size_t stride) {
    const char *at = (const char *)d;
    v128_t v = wasm_v128_load16_splat(at);
    v = wasm_v128_load16_lane(at + stride, v, 1);
    v = wasm_v128_load16_lane(at + 2 * stride, v, 2);
    v = wasm_v128_load16_lane(at + 3 * stride, v, 3);
    v = wasm_v128_load16_lane(at + 4 * stride, v, 4);
    v = wasm_v128_load16_lane(at + 5 * stride, v, 5);
    v = wasm_v128_load16_lane(at + 6 * stride, v, 6);
    return wasm_v128_load16_lane(at + 7 * stride, v, 7);
}

/* All ones where an exponent is all ones: infinity or NaN. */
ALWAYS_INLINE v128_t not_finite(v128_t d) {
    v128_t exponent = wasm_i16x8_splat(0x7c00);
    return wasm_i16x8_eq(wasm_v128_and(d, exponent), exponent);
}

int heed_pack_q8_0_simd128(heed_panel_q8_0 *to, const heed_block_q8_0 *from, int blocks) {
    size_t stride = (size_t)blocks * sizeof *from;
    v128_t bad = wasm_i16x8_splat(0);
    for (int b = 0; b < blocks; b++, from++, to++) {
        v128_t d = load_scales(&from->d, stride);
        bad = wasm_v128_or(bad, not_finite(d));
        wasm_v128_store(to->d, f32x4_of_f16(wasm_u32x4_extend_low_u16x8(d)));
        wasm_v128_store(to->d + 4, f32x4_of_f16(wasm_u32x4_extend_high_u16x8(d)));
        pack_quads(to->q, from->q, stride);
        pack_quads(to->q + 4, from->q + 16, stride);
    }
    return !wasm_v128_any_true(bad);
}

int heed_pack_q4_0_simd128(heed_panel_q4_0 *to, const heed_block_q4_0 *from, int blocks) {
    size_t stride = (size_t)blocks * sizeof *from;
    v128_t bad = wasm_i16x8_splat(0);
    for (int b = 0; b < blocks; b++, from++, to++) {
        v128_t d = load_scales(&from->d, stride);
        bad = wasm_v128_or(bad, not_finite(d));
        wasm_v128_store(to->d, d);
        pack_quads(to->q, from->q, stride);
    }
    return !wasm_v128_any_true(bad);
}

#endif
