/* Packing of eight rows side by side, shared by all formats. */
#ifndef HEED_KERNELS_PACK_SIMD_H
#define HEED_KERNELS_PACK_SIMD_H

#include "kernels/lanes.h"

/* 16 bytes of each of the rows 4·half to 4·half + 3, as four times four columns of a panel. */
ALWAYS_INLINE void put_quads(void *to, int half, v128_t row[4]) {
    transpose_i32x4(row);
    for (int i = 0; i < 4; i++) wasm_v128_store((v128_t *)to + 2 * i + half, row[i]);
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

/* Eight halves as floats. */
ALWAYS_INLINE void put_floats(float *to, v128_t d_i16x8) {
    wasm_v128_store(to, f32x4_of_f16(wasm_i32x4_extend_low_i16x8(d_i16x8)));
    wasm_v128_store(to + 4, f32x4_of_f16(wasm_i32x4_extend_high_i16x8(d_i16x8)));
}

/* All ones where an exponent is all ones: infinity or NaN. */
ALWAYS_INLINE v128_t not_finite(v128_t d) {
    v128_t exponent = wasm_i16x8_splat(0x7c00);
    return wasm_i16x8_eq(wasm_v128_and(d, exponent), exponent);
}

#endif
