/* Codes and scales out of packed bits, sixteen bytes at a time. */
#ifndef HEED_KERNELS_CODES_SIMD_H
#define HEED_KERNELS_CODES_SIMD_H

#include "kernels/formats.h"
#include "kernels/lanes.h"

/* What integer scales a format has. */
enum { NONE, OF_STEPS, OF_HALVES };

/* Four bits of every byte, from the bottom or the top. */
ALWAYS_INLINE v128_t nibbles(v128_t bytes, int high) {
    return wasm_v128_and(high ? wasm_u16x8_shr(bytes, 4) : bytes, wasm_i8x16_splat(15));
}

/* Bits [from, from + n) of every byte, moved to [to, to + n). */
ALWAYS_INLINE v128_t move_bits(v128_t bytes, int from, int n, int to) {
    v128_t moved = from > to ? wasm_u16x8_shr(bytes, from - to) : wasm_i16x8_shl(bytes, to - from);
    return wasm_v128_and(moved, wasm_i8x16_splat((int8_t)(((1 << n) - 1) << to)));
}

/* The codes of a block of 32 whose low bits stand as in Q4_0: the low nibbles first. */
ALWAYS_INLINE void load_nibbles(v128_t q[2], const uint8_t *from) {
    v128_t bytes = wasm_v128_load(from);
    q[0] = nibbles(bytes, 0);
    q[1] = nibbles(bytes, 1);
}

/* Adds bit i of the 32 at h to code i as its bit 4. */
ALWAYS_INLINE void add_bit_4(v128_t q[2], const uint8_t *h) {
    v128_t bits = wasm_v128_load32_splat(h), one = wasm_i64x2_splat((int64_t)0x8040201008040201u);
    v128_t low = wasm_i8x16_shuffle(bits, bits, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
    v128_t high = wasm_i8x16_shuffle(bits, bits, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
    v128_t bit_4 = wasm_i8x16_splat(16);
    q[0] = wasm_v128_or(q[0], wasm_v128_and(wasm_i8x16_eq(wasm_v128_and(low, one), one), bit_4));
    q[1] = wasm_v128_or(q[1], wasm_v128_and(wasm_i8x16_eq(wasm_v128_and(high, one), one), bit_4));
}

/* The 32 four-bit indices at `from` looked up: heed_iq4_values + 128. */
ALWAYS_INLINE void load_iq4(v128_t q[2], const uint8_t *from) {
    const v128_t values = wasm_i8x16_make(HEED_IQ4_VALUES);
    load_nibbles(q, from);
    q[0] = wasm_v128_xor(wasm_i8x16_swizzle(values, q[0]), wasm_i8x16_splat(-128));
    q[1] = wasm_v128_xor(wasm_i8x16_swizzle(values, q[1]), wasm_i8x16_splat(-128));
}

/* One lane in all lanes. */
ALWAYS_INLINE v128_t splat_lane_i16x8(v128_t v, int lane) {
    return wasm_i8x16_swizzle(v, wasm_i16x8_splat((int16_t)(2 * lane | (2 * lane + 1) << 8)));
}

/* Lanes 2·pair and 2·pair + 1, four times each. */
ALWAYS_INLINE v128_t splat_pair_i16x8(v128_t v, int pair) {
    const int64_t low = 0x0100010001000100, all = 0x0404040404040404;
    return wasm_i8x16_swizzle(v, wasm_i64x2_make(low + all * pair, low + 0x0202020202020202 + all * pair));
}

/* Four bytes as int16, each twice: the scales of four steps for their halves. */
ALWAYS_INLINE v128_t twice_u8(uint32_t four) {
    return wasm_i8x16_shuffle(wasm_i32x4_splat((int32_t)four), wasm_i32x4_splat(0), 0, 16, 0, 16, 1, 16, 1, 16, 2, 16,
                              2, 16, 3, 16, 3, 16);
}

ALWAYS_INLINE uint32_t four_bytes(const uint8_t *p) {
    uint32_t four;
    __builtin_memcpy(&four, p, sizeof four);
    return four;
}

/* Scales and minima of Q4_K and Q5_K: those of four steps. */
ALWAYS_INLINE void load_scales_of_6_bits(v128_t *s, v128_t *n, const uint8_t *p, int quarter) {
    uint32_t low_s = four_bytes(p), low_n = four_bytes(p + 4), rest = four_bytes(p + 8);
    if (quarter == 0) {
        *s = twice_u8(low_s & 0x3f3f3f3f);
        *n = twice_u8(low_n & 0x3f3f3f3f);
    } else {
        *s = twice_u8((rest & 0x0f0f0f0f) | (low_s >> 2 & 0x30303030));
        *n = twice_u8((rest >> 4 & 0x0f0f0f0f) | (low_n >> 2 & 0x30303030));
    }
}

#endif
