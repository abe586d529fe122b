#include "kernels/matmul/affine_relaxed_simd.h"

/* Two panels of six-bit codes are slower here, probably because sums of 16 and of 32 bits do not fit in registers. */
static inline int affine_together(affine_layout l) { return l.bits <= 5 ? 2 : 1; }

ALWAYS_INLINE void affine_add_part(v128_t sums_i32x4[][2], affine_layout l, const uint8_t *codes, size_t apart,
                                   const int16_t *numbers, int part) {
    if (l.bits == 5) {
        add_triples(sums_i32x4, codes, apart, numbers, affine_together(l));
        return;
    }
    const int groups = affine_groups(l) / affine_parts(l), first = part * groups, fit = l.bits <= 4 ? groups : 2;
    const operand *x = (const operand *)numbers + 4 * first;
    codes += first * AFFINE_GROUP;
#pragma clang loop unroll(disable)
    for (int g = 0; g < groups; g += fit, codes += fit * AFFINE_GROUP, x += 4 * fit) {
        v128_t sums_i16x8[2][2];
        for (int p = 0; p < affine_together(l); p++) sums_i16x8[p][0] = sums_i16x8[p][1] = splat(0);
        if (l.bits > 4)
            for (int i = 0; i < 2; i++)
                affine_add_group(sums_i16x8, l, codes + i * AFFINE_GROUP, apart, x + 4 * i, splat(0),
                                 affine_together(l));
        else
            affine_add_groups(sums_i16x8, l, codes, apart, x, fit, affine_together(l));
        for (int p = 0; p < affine_together(l); p++)
            for (int r = 0; r < 2; r++)
                sums_i32x4[p][r] = wasm_i32x4_add(sums_i32x4[p][r], widen_sums(sums_i16x8[p][r]));
    }
}

/* Sums of pairs stay in 16 bits while they are sure to fit.  A pair is at most 2·127·(2^bits - 1): 8 of them fit at 4
 * bits, 4 at 5, 2 at 6.
 */
static inline int affine_fit(affine_layout l) { return l.bits <= 4 ? 8 : 8 >> (l.bits - 4); }

#include "kernels/matmul/affine_relaxed_tile_simd.h"

/* Tiles treat codes of two and three bits as codes of four. */
#define AFFINE_BANDS(X)                                                                                                \
    X(affine_band_1, 4, 1, 0)                                                                                          \
    X(affine_band_1_minima, 4, 1, 1)                                                                                   \
    X(affine_band_2, 4, 2, 0)                                                                                          \
    X(affine_band_5_bits, 5, 1, 0)                                                                                     \
    X(affine_band_5_bits_minima, 5, 1, 1)                                                                              \
    X(affine_band_6_bits, 6, 2, 0)
#include "kernels/matmul/affine_simd.h"

ALWAYS_INLINE affine_band_kernel *affine_band_of(affine_layout l) {
    if (l.bits == 6) return affine_band_6_bits;
    if (l.bits == 5) return l.minima ? affine_band_5_bits_minima : affine_band_5_bits;
    if (affine_parts(l) == 2) return affine_band_2;
    return l.minima ? affine_band_1_minima : affine_band_1;
}

#define X(NAME, name, elements, bits, scales, minima, zero)                                                            \
    _Static_assert(!(minima) || (zero) == 0, #name ": affine_initial() expects that weight 0 has code 0");             \
    _Static_assert((bits) < 5 || ((bits) == 5 && (scales) < 2) || ((bits) == 6 && (scales) == 2 && !(minima)),         \
                   #name ": no band has sums for these bits");
HEED_AFFINE_FORMATS(X)
#undef X

#define X(NAME, name, ...) AFFINE_KERNELS(name, relaxed, __VA_ARGS__)
HEED_AFFINE_FORMATS(X)
#undef X
