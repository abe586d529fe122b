#ifdef __wasm_simd128__
#include "kernels/half.h"
#include "kernels/lanes.h"
#include "kernels/kernels.h"

/* The same bits as the scalar references: the same maxima, products and roundings. */

ALWAYS_INLINE float largest_magnitude(const v128_t x[8]) {
    v128_t largest = wasm_f32x4_abs(x[0]);
    for (int i = 1; i < 8; i++) largest = wasm_f32x4_pmax(largest, wasm_f32x4_abs(x[i]));
    largest = wasm_f32x4_pmax(largest, wasm_i32x4_shuffle(largest, largest, 2, 3, 0, 1));
    largest = wasm_f32x4_pmax(largest, wasm_i32x4_shuffle(largest, largest, 1, 0, 3, 2));
    return wasm_f32x4_extract_lane(largest, 0);
}

ALWAYS_INLINE v128_t inverse(float d) {
    float inverse = d != 0 ? 1 / d : 0;
    return splat(__builtin_isfinite(inverse) ? inverse : 0);
}

/* Rounds to the nearest integer, halves away from zero: adds the largest float below 1/2 and truncates.  The addition
 * rounds up to the next integer from a fraction of 1/2 on, and never below. */
ALWAYS_INLINE v128_t rounded(v128_t x_f32x4) {
    v128_t half_f32x4 = wasm_v128_or(wasm_v128_and(x_f32x4, splat(-0.0f)), splat(0x1.fffffep-2f));
    return wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_add(x_f32x4, half_f32x4));
}

void heed_quantize_q8_0_simd128(heed_block_q8_0 *y, const float *x, int K) {
    for (int b = 0; b < K / HEED_BLOCK; b++, x += HEED_BLOCK) {
        v128_t v[8];
        for (int i = 0; i < 8; i++) v[i] = wasm_v128_load(x + 4 * i);
        float d = largest_magnitude(v) / 127;
        v128_t id_f32x4 = inverse(d);
        y[b].d = f16_of_float(d);
        for (int i = 0; i < 8; i++) v[i] = rounded(wasm_f32x4_mul(v[i], id_f32x4));
        for (int i = 0; i < 2; i++) {
            v128_t low_i16x8 = wasm_i16x8_narrow_i32x4(v[4 * i], v[4 * i + 1]);
            v128_t high_i16x8 = wasm_i16x8_narrow_i32x4(v[4 * i + 2], v[4 * i + 3]);
            wasm_v128_store(y[b].q + 16 * i, wasm_i8x16_narrow_i16x8(low_i16x8, high_i16x8));
        }
    }
}

/* Bit i is set if x[i] has this magnitude. */
ALWAYS_INLINE uint32_t where(const v128_t x[8], float magnitude) {
    uint32_t bits = 0;
    for (int i = 0; i < 8; i++)
        bits |= (uint32_t)wasm_i32x4_bitmask(wasm_f32x4_eq(wasm_f32x4_abs(x[i]), splat(magnitude))) << 4 * i;
    return bits;
}

/* Sixteen codes, a byte each. */
ALWAYS_INLINE v128_t codes(const v128_t x_f32x4[4], v128_t id_f32x4) {
    v128_t q_i32x4[4];
    for (int i = 0; i < 4; i++)
        q_i32x4[i] = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_add(wasm_f32x4_mul(x_f32x4[i], id_f32x4), splat(8.5f)));
    v128_t codes_i8x16 = wasm_i8x16_narrow_i16x8(wasm_i16x8_narrow_i32x4(q_i32x4[0], q_i32x4[1]),
                                                 wasm_i16x8_narrow_i32x4(q_i32x4[2], q_i32x4[3]));
    return wasm_i8x16_min(codes_i8x16, wasm_i8x16_splat(15));
}

void heed_quantize_q4_0_simd128(heed_block_q4_0 *y, const float *x, int K) {
    for (int b = 0; b < K / HEED_BLOCK; b++, x += HEED_BLOCK) {
        v128_t v_f32x4[8];
        for (int i = 0; i < 8; i++) v_f32x4[i] = wasm_v128_load(x + 4 * i);
        float magnitude = largest_magnitude(v_f32x4);
        float d = magnitude == 0 ? -0.0f : x[__builtin_ctz(where(v_f32x4, magnitude))] / -8;
        v128_t id_f32x4 = inverse(d);
        y[b].d = f16_of_float(d);
        wasm_v128_store(y[b].q,
                        wasm_v128_or(codes(v_f32x4, id_f32x4), wasm_i8x16_shl(codes(v_f32x4 + 4, id_f32x4), 4)));
    }
}

#endif
