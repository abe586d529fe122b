#ifdef __wasm_simd128__
#include "kernels/lanes.h"
#include "kernels/kernels.h"

/* The bits of magnitudes, read as integers, have the order of their values; infinity and then NaN are above all. */
static float largest_magnitude(const float *x) {
    v128_t largest = wasm_i32x4_splat(0), magnitude = wasm_i32x4_splat(0x7fffffff);
    for (int i = 0; i < HEED_BLOCK; i += 4)
        largest = wasm_i32x4_max(largest, wasm_v128_and(wasm_v128_load(x + i), magnitude));
    largest = wasm_i32x4_max(largest, wasm_i32x4_shuffle(largest, largest, 2, 3, 0, 1));
    largest = wasm_i32x4_max(largest, wasm_i32x4_shuffle(largest, largest, 1, 0, 3, 2));
    return wasm_f32x4_extract_lane(largest, 0);
}

/* x / d rounded to nearest, ties to even, at most ±127: adding 1.5·2^23 drops the fraction, and the integer is in the
 * low bits. */
ALWAYS_INLINE v128_t codes(const float *x, v128_t d_f32x4) {
    const v128_t limit_f32x4 = splat(127), round = splat(0x1.8p23f);
    v128_t code_f32x4 = wasm_f32x4_div(wasm_v128_load(x), d_f32x4);
    code_f32x4 = wasm_f32x4_pmax(wasm_f32x4_pmin(code_f32x4, limit_f32x4), wasm_f32x4_neg(limit_f32x4));
    return wasm_i32x4_sub(wasm_f32x4_add(code_f32x4, round), round);
}

/* The same bits as the scalar reference: the same division, rounding and limits. */
void heed_quantize_q8_simd128(heed_block_q8 *y, const float *x, int K) {
    for (int b = 0; b < K / HEED_BLOCK; b++, x += HEED_BLOCK) {
        float scale = largest_magnitude(x) / 127;
        y[b].d = scale;
        v128_t d_f32x4 = splat(scale);
        v128_t has_codes =
            wasm_v128_and(wasm_f32x4_gt(d_f32x4, splat(0)), wasm_f32x4_lt(d_f32x4, splat(__builtin_inff())));
        for (int i = 0; i < HEED_BLOCK; i += 16) {
            v128_t low_i16x8 = wasm_i16x8_narrow_i32x4(codes(x + i, d_f32x4), codes(x + i + 4, d_f32x4));
            v128_t high_i16x8 = wasm_i16x8_narrow_i32x4(codes(x + i + 8, d_f32x4), codes(x + i + 12, d_f32x4));
            wasm_v128_store(y[b].q + i, wasm_v128_and(wasm_i8x16_narrow_i16x8(low_i16x8, high_i16x8), has_codes));
        }
    }
}

#endif
