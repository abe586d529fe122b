/* Packs blocks of a file into panels of the affine formats, and blocks of IQ4 into panels of Q8_0.  Codes are decoded
 * row by row, sixteen in a vector, and transposed four rows at a time.  The integer scales of a block are decoded at
 * once. */
#ifdef __wasm_simd128__
#include "kernels/formats/decode.h"
#include "kernels/formats/pack_simd.h"
#include "kernels/kernels.h"
#include "kernels/formats/affine.h"

/* Codes of five bits, of rows 4·half to 4·half + 3; q[i] holds columns 16i to 16i + 15.  Three codes in two bytes. */
NOINLINE static void put_triples(uint8_t *to, int half, v128_t q[2][4]) {
    v128_t pair_i16x8[LAST_PAIR + 1];
    for (int i = 0; i < 2; i++) {
        transpose_i32x4(q[i]);
        for (int quad = 0; quad < 4; quad++) {
            pair_i16x8[8 * i + 2 * quad] = wasm_v128_and(q[i][quad], wasm_i16x8_splat(0xff));
            pair_i16x8[8 * i + 2 * quad + 1] = wasm_u16x8_shr(q[i][quad], 8);
        }
    }
    for (int g = 0; g < 5; g++) {
        v128_t upper_i16x8 =
            wasm_v128_or(wasm_i16x8_shl(pair_i16x8[3 * g + 1], 5), wasm_i16x8_shl(pair_i16x8[3 * g + 2], 10));
        wasm_v128_store(to + g * AFFINE_GROUP + 16 * half, wasm_v128_or(pair_i16x8[3 * g], upper_i16x8));
    }
    v128_t last_u8x16 = wasm_u8x16_narrow_i16x8(pair_i16x8[LAST_PAIR], pair_i16x8[LAST_PAIR]);
    wasm_v128_store64_lane(to + 5 * AFFINE_GROUP + 8 * half, last_u8x16, 0);
}

/* Codes of any number of bits: one in a byte, or two, eight columns apart. */
ALWAYS_INLINE void put_codes(uint8_t *to, int half, v128_t q[2][4], int bits) {
    if (bits == 5) {
        put_triples(to, half, q);
        return;
    }
    if (bits > 5) {
        put_quads(to, half, q[0]);
        put_quads(to + HEED_BLOCK / 8 * AFFINE_GROUP, half, q[1]);
        return;
    }
    v128_t pairs[4];
    for (int r = 0; r < 4; r++) {
        v128_t low = wasm_i64x2_shuffle(q[0][r], q[1][r], 0, 2), high = wasm_i64x2_shuffle(q[0][r], q[1][r], 1, 3);
        pairs[r] = wasm_v128_or(low, wasm_i16x8_shl(high, 4));
    }
    put_quads(to, half, pairs);
}

/* Bits of 16 codes. */
ALWAYS_INLINE v128_t bits_of(plane p, size_t at) {
    return wasm_v128_and(wasm_u16x8_shr(wasm_v128_load(p.at + at), (uint32_t)p.shift),
                         wasm_i8x16_splat((int8_t)p.mask));
}

/* A sub-block of eight rows, `stride` bytes apart; p: the planes of the first row. */
NOINLINE static void pack_planes(uint8_t *to, planes p, size_t stride, int bits) {
    for (int half = 0; half < 2; half++) {
        v128_t q[2][4];
        for (int r = 0; r < 4; r++)
            for (int i = 0; i < 2; i++) {
                size_t at = (size_t)(4 * half + r) * stride + (size_t)(16 * i);
                q[i][r] = bits_of(p.low, at);
                if (p.up) q[i][r] = wasm_v128_or(q[i][r], wasm_i16x8_shl(bits_of(p.high, at), (uint32_t)p.up));
            }
        put_codes(to, half, q, bits);
    }
}

/* The same for blocks of 32: nibbles and, unless h is NULL, a bit above each. */
NOINLINE static void pack_nibbles(uint8_t *to, const uint8_t *nibbles, const uint8_t *h, size_t stride) {
    const v128_t fifteen = wasm_i8x16_splat(15), sixteen = wasm_i8x16_splat(16);
    const v128_t one = wasm_u64x2_splat(0x8040201008040201);
    for (int half = 0; half < 2; half++) {
        v128_t q[2][4];
        for (int r = 0; r < 4; r++) {
            size_t at = (size_t)(4 * half + r) * stride;
            v128_t both = wasm_v128_load(nibbles + at);
            q[0][r] = wasm_v128_and(both, fifteen);
            q[1][r] = wasm_v128_and(wasm_u16x8_shr(both, 4), fifteen);
            if (!h) continue;
            v128_t bits = wasm_v128_load32_splat(h + at);
            v128_t low = wasm_i8x16_shuffle(bits, bits, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
            v128_t high = wasm_i8x16_shuffle(bits, bits, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
            low = wasm_i8x16_eq(wasm_v128_and(low, one), one), high = wasm_i8x16_eq(wasm_v128_and(high, one), one);
            q[0][r] = wasm_v128_or(q[0][r], wasm_v128_and(low, sixteen));
            q[1][r] = wasm_v128_or(q[1][r], wasm_v128_and(high, sixteen));
        }
        put_codes(to, half, q, h ? 5 : 4);
    }
}

/* Transposes eight rows of 16 bytes.  The place of a byte is seven bits, its row above its column.  Interleaving the
 * first four vectors with the last four rotates these bits by one. */
NOINLINE static void put_columns(uint8_t *to, v128_t v[8]) {
    for (int round = 0; round < 3; round++) {
        v128_t next[8];
        for (int i = 0; i < 4; i++) {
            v128_t a = v[i], b = v[i + 4];
            next[2 * i] = wasm_i8x16_shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
            next[2 * i + 1] = wasm_i8x16_shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        }
        memcpy(v, next, sizeof next);
    }
    memcpy(to, v, 8 * sizeof *v);
}

NOINLINE static v128_t scales_of(const uint16_t *d, size_t stride) { return load_scales(d, stride); }

/* The integer scales of a block, 16 bytes in the order of panels. */
typedef v128_t (*bytes_of)(const void *block);

ALWAYS_INLINE void pack_bytes(uint8_t *to, const void *block, size_t stride, bytes_of read) {
    v128_t rows[HEED_PANEL];
    for (int r = 0; r < HEED_PANEL; r++) rows[r] = read((const char *)block + (size_t)r * stride);
    put_columns(to, rows);
}

ALWAYS_INLINE v128_t low_nibbles(v128_t v) { return wasm_v128_and(v, wasm_i8x16_splat(15)); }
ALWAYS_INLINE v128_t high_nibbles(v128_t v) { return low_nibbles(wasm_u16x8_shr(v, 4)); }

ALWAYS_INLINE v128_t scales_q2_k(const void *w) { return low_nibbles(wasm_v128_load(((const heed_block_q2_k *)w)->s)); }
ALWAYS_INLINE v128_t minima_q2_k(const void *w) {
    return high_nibbles(wasm_v128_load(((const heed_block_q2_k *)w)->s));
}

/* s[j] is byte j + 2 of the last 16 of the block.  The two high bits of each scale are multiplied to the top of their
 * byte and shifted down by two. */
ALWAYS_INLINE v128_t scales_q3_k(const void *w) {
    v128_t v = wasm_v128_load((const char *)w + sizeof(heed_block_q3_k) - 16);
    v128_t low =
        wasm_i8x16_shuffle(low_nibbles(v), high_nibbles(v), 2, 3, 4, 5, 6, 7, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25);
    v128_t high = wasm_i8x16_shuffle(v, v, 10, 11, 12, 13, 10, 11, 12, 13, 10, 11, 12, 13, 10, 11, 12, 13);
    high = wasm_v128_and(high, wasm_u32x4_make(0x03030303, 0x0c0c0c0c, 0x30303030, 0xc0c0c0c0));
    high = wasm_i16x8_mul(high, wasm_i16x8_make(64, 64, 16, 16, 4, 4, 1, 1));
    return wasm_i8x16_sub(wasm_v128_or(low, wasm_u16x8_shr(high, 2)), wasm_i8x16_splat(32));
}

/* Scales, then minima, of six bits: s[j] is byte j + 4 of the block. */
ALWAYS_INLINE v128_t scales_q4_k(const void *w) {
    v128_t v = wasm_v128_load(w), zero = wasm_i8x16_splat(0);
    v128_t low = wasm_i8x16_shuffle(v, high_nibbles(v), 4, 5, 6, 7, 12, 13, 14, 15, 8, 9, 10, 11, 28, 29, 30, 31);
    low = wasm_v128_and(low, wasm_u32x4_make(0x3f3f3f3f, 0x0f0f0f0f, 0x3f3f3f3f, 0x0f0f0f0f));
    v128_t high = wasm_v128_and(wasm_u16x8_shr(v, 2), wasm_i8x16_splat(0x30));
    return wasm_v128_or(low, wasm_i8x16_shuffle(high, zero, 16, 16, 16, 16, 4, 5, 6, 7, 16, 16, 16, 16, 8, 9, 10, 11));
}

ALWAYS_INLINE v128_t scales_q6_k(const void *w) { return wasm_v128_load(((const heed_block_q6_k *)w)->s); }

/* The differences between formats: the integer scales and minima of a block of eight rows, and the codes of a
 * sub-block.
 */
#define WITHOUT_SCALES(name)                                                                                           \
    ALWAYS_INLINE void pack_scales_##name(uint8_t *to, const heed_block_##name *w, size_t stride) {                    \
        (void)to, (void)w, (void)stride;                                                                               \
    }
#define WITH_SCALES(name, read)                                                                                        \
    ALWAYS_INLINE void pack_scales_##name(uint8_t *to, const heed_block_##name *w, size_t stride) {                    \
        pack_bytes(to, w, stride, read);                                                                               \
    }
#define WITH_NIBBLES(name, h)                                                                                          \
    ALWAYS_INLINE void pack_codes_##name(uint8_t *to, const heed_block_##name *w, int sub, size_t stride) {            \
        (void)sub;                                                                                                     \
        pack_nibbles(to, w->q, h, stride);                                                                             \
    }
#define WITH_PLANES(name, bits)                                                                                        \
    ALWAYS_INLINE void pack_codes_##name(uint8_t *to, const heed_block_##name *w, int sub, size_t stride) {            \
        pack_planes(to, planes_##name(w, sub), stride, bits);                                                          \
    }
WITHOUT_SCALES(q4_1)
WITHOUT_SCALES(q5_0)
WITHOUT_SCALES(q5_1)
ALWAYS_INLINE void pack_scales_q2_k(uint8_t *to, const heed_block_q2_k *w, size_t stride) {
    pack_bytes(to, w, stride, scales_q2_k);
    pack_bytes(to + 16 * HEED_PANEL, w, stride, minima_q2_k);
}
WITH_SCALES(q3_k, scales_q3_k)
WITH_SCALES(q4_k, scales_q4_k)
WITH_SCALES(q5_k, scales_q4_k)
WITH_SCALES(q6_k, scales_q6_k)
WITH_NIBBLES(q4_1, NULL)
WITH_NIBBLES(q5_0, w->h)
WITH_NIBBLES(q5_1, w->h)
WITH_PLANES(q2_k, 2)
WITH_PLANES(q3_k, 3)
WITH_PLANES(q4_k, 4)
WITH_PLANES(q5_k, 5)
WITH_PLANES(q6_k, 6)

/* m follows d in a block; blocks of several sub-blocks subtract their minima. */
#define X(NAME, name, elements, bits, scales, minima, zero)                                                            \
    int heed_pack_##name##_simd128(uint8_t *to, const heed_block_##name *from, int blocks) {                           \
        const affine_layout l = AFFINE_LAYOUT(elements, bits, scales, minima, zero);                                   \
        const size_t stride = (size_t)blocks * sizeof *from;                                                           \
        v128_t bad = wasm_i16x8_splat(0);                                                                              \
        for (int b = 0; b < blocks; b++, from++, to += affine_panel_bytes(l)) {                                        \
            for (int i = 0; i <= minima; i++) {                                                                        \
                v128_t d = scales_of(&from->d + i, stride);                                                            \
                bad = wasm_v128_or(bad, not_finite(d));                                                                \
                if (i == 1 && l.sub_blocks > 1) d = wasm_v128_xor(d, wasm_i16x8_splat((int16_t)0x8000));               \
                wasm_v128_store((uint16_t *)to + i * HEED_PANEL, d);                                                   \
            }                                                                                                          \
            pack_scales_##name(to + affine_scales_at(l), from, stride);                                                \
            for (int sub = 0; sub < l.sub_blocks; sub++)                                                               \
                pack_codes_##name(affine_codes(l, to, sub), from, sub, stride);                                        \
        }                                                                                                              \
        return !wasm_v128_any_true(bad);                                                                               \
    }
HEED_AFFINE_FORMATS(X)
#undef X

/* A sub-block of an IQ4 format. */
NOINLINE static void pack_iq4(heed_panel_q8_0 *to, const uint8_t *q, size_t stride) {
    const v128_t values = wasm_i8x16_const(HEED_IQ4_VALUES), flip = wasm_i16x8_splat(HEED_FLIP_Q8_0);
    for (int half = 0; half < 2; half++) {
        v128_t low[4], high[4];
        for (int r = 0; r < 4; r++) {
            v128_t both = wasm_v128_load(q + (size_t)(4 * half + r) * stride);
            low[r] = wasm_v128_xor(wasm_i8x16_swizzle(values, low_nibbles(both)), flip);
            high[r] = wasm_v128_xor(wasm_i8x16_swizzle(values, high_nibbles(both)), flip);
        }
        put_quads(to->q, half, low);
        put_quads(to->q + HEED_BLOCK / 8, half, high);
    }
}

int heed_pack_iq4_nl_simd128(heed_panel_q8_0 *to, const heed_block_iq4_nl *from, int blocks) {
    const size_t stride = (size_t)blocks * sizeof *from;
    v128_t bad = wasm_i16x8_splat(0);
    for (int b = 0; b < blocks; b++, from++, to++) {
        v128_t d = scales_of(&from->d, stride);
        bad = wasm_v128_or(bad, not_finite(d));
        put_floats(to->d, d);
        pack_iq4(to, from->q, stride);
    }
    return !wasm_v128_any_true(bad);
}

int heed_pack_iq4_xs_simd128(heed_panel_q8_0 *to, const heed_block_iq4_xs *from, int blocks) {
    const size_t stride = (size_t)blocks * sizeof *from;
    v128_t bad = wasm_i16x8_splat(0);
    for (int b = 0; b < blocks; b++, from++) {
        bad = wasm_v128_or(bad, not_finite(scales_of(&from->d, stride)));
        for (int sub = 0; sub < 256 / HEED_BLOCK; sub++, to++) {
            for (int r = 0; r < HEED_PANEL; r++) to->d[r] = scale_iq4_xs(from + r * blocks, sub);
            pack_iq4(to, from->q + 16 * sub, stride);
        }
    }
    return !wasm_v128_any_true(bad);
}

#endif
