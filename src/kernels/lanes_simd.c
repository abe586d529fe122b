#ifdef __wasm_simd128__
#include "kernels/lanes.h"

v128_t heed_load_part(const float *x, size_t n, float fill) {
    v128_t v = splat(fill);
    if (n > 0) v = wasm_v128_load32_lane(x, v, 0);
    if (n > 1) v = wasm_v128_load32_lane(x + 1, v, 1);
    if (n > 2) v = wasm_v128_load32_lane(x + 2, v, 2);
    return v;
}

void heed_store_part(float *y, size_t n, v128_t v) {
    if (n > 0) wasm_v128_store32_lane(y, v, 0);
    if (n > 1) wasm_v128_store32_lane(y + 1, v, 1);
    if (n > 2) wasm_v128_store32_lane(y + 2, v, 2);
}

#endif
