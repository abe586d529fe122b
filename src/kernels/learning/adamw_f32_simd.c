#ifdef __wasm_simd128__
#include "kernels/lanes.h"
#include "kernels/kernels.h"

ALWAYS_INLINE v128_t times(float a, v128_t b) { return wasm_f32x4_mul(splat(a), b); }

/* Four parameters, by the same operations in the same order as the scalar loop. */
ALWAYS_INLINE void adamw_4(v128_t *w, v128_t *m, v128_t *v, v128_t g, const float *s) {
    *m = wasm_f32x4_add(times(s[0], *m), times(1 - s[0], g));
    *v = wasm_f32x4_add(times(s[1], *v), wasm_f32x4_mul(times(1 - s[1], g), g));
    v128_t deviation = wasm_f32x4_add(wasm_f32x4_div(wasm_f32x4_sqrt(*v), splat(s[4])), splat(s[5]));
    *w = wasm_f32x4_sub(times(s[2], *w), wasm_f32x4_div(times(s[3], *m), deviation));
}

void heed_adamw_f32_simd128(float *w, float *m, float *v, const float *g, const float *s, size_t n) {
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        v128_t weight = wasm_v128_load(w + i), first = wasm_v128_load(m + i), second = wasm_v128_load(v + i);
        adamw_4(&weight, &first, &second, wasm_v128_load(g + i), s);
        wasm_v128_store(w + i, weight), wasm_v128_store(m + i, first), wasm_v128_store(v + i, second);
    }
    size_t rest = n - i;
    v128_t weight = heed_load_part(w + i, rest, 0), first = heed_load_part(m + i, rest, 0),
           second = heed_load_part(v + i, rest, 0);
    adamw_4(&weight, &first, &second, heed_load_part(g + i, rest, 0), s);
    heed_store_part(w + i, rest, weight), heed_store_part(m + i, rest, first), heed_store_part(v + i, rest, second);
}

#endif
