#ifdef __wasm_simd128__
#include "kernels/lanes.h"
#include "kernels/kernels.h"

/* Two pairs at a time: (a, b)·cos + (-b, a)·sin. */
void heed_rope_adjacent_f32_simd128(float *x, const float *cs, int d) {
    const v128_t signs = wasm_i32x4_make(INT32_MIN, 0, INT32_MIN, 0);
    int i = 0;
    for (; i + 4 <= d; i += 4) {
        v128_t v = wasm_v128_load(x + i), pairs = wasm_v128_load(cs + i);
        v128_t cos = wasm_i32x4_shuffle(pairs, pairs, 0, 0, 2, 2), sin = wasm_i32x4_shuffle(pairs, pairs, 1, 1, 3, 3);
        v128_t crossed = wasm_v128_xor(wasm_i32x4_shuffle(v, v, 1, 0, 3, 2), signs);
        wasm_v128_store(x + i, wasm_f32x4_add(wasm_f32x4_mul(v, cos), wasm_f32x4_mul(crossed, sin)));
    }
    if (i < d) heed_rope_adjacent_f32_scalar(x + i, cs + i, d - i);
}

void heed_rope_halves_f32_simd128(float *x, const float *cs, int d) {
    int half = d / 2, i = 0;
    for (; i + 4 <= half; i += 4) {
        v128_t a = wasm_v128_load(x + i), b = wasm_v128_load(x + half + i);
        v128_t first = wasm_v128_load(cs + 2 * i), second = wasm_v128_load(cs + 2 * i + 4);
        v128_t cos = wasm_i32x4_shuffle(first, second, 0, 2, 4, 6), sin = wasm_i32x4_shuffle(first, second, 1, 3, 5, 7);
        wasm_v128_store(x + i, wasm_f32x4_sub(wasm_f32x4_mul(a, cos), wasm_f32x4_mul(b, sin)));
        wasm_v128_store(x + half + i, wasm_f32x4_add(wasm_f32x4_mul(a, sin), wasm_f32x4_mul(b, cos)));
    }
    for (; i < half; i++) {
        float a = x[i], b = x[half + i], cos = cs[2 * i], sin = cs[2 * i + 1];
        x[i] = a * cos - b * sin;
        x[half + i] = a * sin + b * cos;
    }
}

#endif
