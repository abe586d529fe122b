#ifdef __wasm_simd128__
#include "kernels/lanes.h"

const float heed_exp_numbers[] = {1.44269504f,
                                  0x1.8p23f,
                                  0x1.63p-1f,
                                  -2.12194440e-4f,
                                  0.1666652113199234f,
                                  0.4999999403953552f,
                                  0.0083687175065279f,
                                  0.04166838899254799f,
                                  0.001381459878757596f,
                                  1,
                                  89,
                                  -104};

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
