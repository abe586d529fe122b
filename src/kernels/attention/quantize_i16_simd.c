#ifdef __wasm_simd128__
#include "kernels/attention/codes_i16_simd.h"
#include "kernels/kernels.h"

/* The same bits as the scalar reference: the same divisions and rounding. */
float heed_quantize_i16_simd128(int16_t *q, const float *x, int n) {
    v128_t largest = splat(0), part[2];
    for (int i = 0; i < n; i += 8) {
        load_up_to_8(part, x + i, (size_t)(n - i));
        largest = larger_magnitude(larger_magnitude(largest, part[0]), part[1]);
    }
    float scale = scale_of(largest);
    v128_t inverse = inverse_of(scale);
    for (int i = 0; i < n; i += 8) {
        load_up_to_8(part, x + i, (size_t)(n - i));
        v128_t eight = codes(part[0], part[1], inverse);
        if (n - i >= 8)
            wasm_v128_store(q + i, eight);
        else
            __builtin_memcpy(q + i, &eight, (size_t)(n - i) * sizeof *q);
    }
    return scale;
}

#endif
