#ifdef __wasm_simd128__
#include "kernels/attention/codes_i16_simd.h"
#include "kernels/kernels.h"

/* The same bits as the scalar reference: the same divisions and rounding. */
float heed_quantize_i16_simd128(int16_t *q, const float *x, int n) {
    v128_t largest = splat(0), part_f32x4[2];
    for (int i = 0; i < n; i += 8) {
        load_up_to_8(part_f32x4, x + i, (size_t)(n - i));
        largest = larger_magnitude(larger_magnitude(largest, part_f32x4[0]), part_f32x4[1]);
    }
    float scale = scale_of(largest);
    v128_t inverse_f32x4 = inverse_of(scale);
    for (int i = 0; i < n; i += 8) {
        load_up_to_8(part_f32x4, x + i, (size_t)(n - i));
        v128_t eight_i16x8 = codes(part_f32x4[0], part_f32x4[1], inverse_f32x4);
        if (n - i >= 8)
            wasm_v128_store(q + i, eight_i16x8);
        else
            __builtin_memcpy(q + i, &eight_i16x8, (size_t)(n - i) * sizeof *q);
    }
    return scale;
}

#endif
