#ifdef __wasm_simd128__
#include "kernels/lanes.h"
#include "kernels/set.h"

/* To the last bit what the scalar reference gives: the same division, rounding and limits. */
void heed_quantize_q8_simd128(heed_block_q8 *y, const float *x, int K) {
    for (int b = 0; b < K / HEED_BLOCK; b++, x += HEED_BLOCK) {
        v128_t largest = splat(0); /* f32x4.max keeps NaN */
        for (int i = 0; i < HEED_BLOCK; i += 4)
            largest = wasm_f32x4_max(largest, wasm_f32x4_abs(wasm_v128_load(x + i)));
        largest = wasm_f32x4_max(largest, wasm_i32x4_shuffle(largest, largest, 2, 3, 0, 1));
        largest = wasm_f32x4_max(largest, wasm_i32x4_shuffle(largest, largest, 1, 0, 3, 2));
        float d = wasm_f32x4_extract_lane(largest, 0) / 127;
        y[b].d = d;
        /* With d 0, infinite or NaN the codes are 0. */
        v128_t has_codes = wasm_i32x4_splat(d > 0 && d < __builtin_inff() ? -1 : 0);
        for (int i = 0; i < HEED_BLOCK; i += 16) {
            v128_t codes[4];
            for (int j = 0; j < 4; j++) {
                v128_t code = wasm_f32x4_nearest(wasm_f32x4_div(wasm_v128_load(x + i + 4 * j), splat(d)));
                code = wasm_f32x4_pmax(wasm_f32x4_pmin(code, splat(127)), splat(-127));
                codes[j] = wasm_v128_and(wasm_i32x4_trunc_sat_f32x4(code), has_codes);
            }
            v128_t low = wasm_i16x8_narrow_i32x4(codes[0], codes[1]);
            v128_t high = wasm_i16x8_narrow_i32x4(codes[2], codes[3]);
            wasm_v128_store(y[b].q + i, wasm_i8x16_narrow_i16x8(low, high));
        }
    }
}

#endif
