#include "kernels/matmul/affine_relaxed_simd.h"

/* Sums of pairs stay in 16 bits while they are sure to fit.  A pair is at most 2·127·(2^bits - 1): 8 of them fit at 4
 * bits, 4 at 5, 2 at 6.
 */
static inline int affine_fit(affine_layout l) { return l.bits <= 4 ? 8 : 8 >> (l.bits - 4); }

ALWAYS_INLINE void affine_add_part(v128_t sums[2], affine_layout l, const uint8_t *codes, const int16_t *numbers,
                                   int part) {
    if (l.bits == 5) {
        add_triples(sums, codes, numbers);
        return;
    }
    const operand *x = (const operand *)numbers;
    const int groups = affine_groups(l) / affine_parts(l), together = l.bits <= 4 ? groups : 2;
#pragma clang loop unroll(disable)
    for (int g = part * groups; g < (part + 1) * groups; g += together) {
        v128_t sums_i16x8[2] = {wasm_i16x8_splat(0), wasm_i16x8_splat(0)};
        if (together == 2) {
            affine_add_group(sums_i16x8, l, codes, x, g);
            affine_add_group(sums_i16x8, l, codes, x, g + 1);
        } else {
#pragma clang loop unroll(disable)
            for (int i = 0; i < together; i++) affine_add_group(sums_i16x8, l, codes, x, g + i);
        }
        for (int i = 0; i < 2; i++) sums[i] = wasm_i32x4_add(sums[i], widen_sums(sums_i16x8[i]));
    }
}
#include "kernels/matmul/affine_simd.h"

#define X(NAME, name, ...) AFFINE_KERNELS(name, relaxed, __VA_ARGS__)
HEED_AFFINE_FORMATS(X)
#undef X
