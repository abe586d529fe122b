#ifdef __wasm_simd128__
#include "kernels/formats/affine.h"
#include "kernels/kernels.h"
#include "kernels/lanes.h"
#include "kernels/matmul/triples_simd.h"

/* 32 columns of eight rows, a byte for each code: groups of four columns, [8][8][4]. */
enum { CODES = HEED_BLOCK * HEED_PANEL };

/* The factors of eight rows, of each half of a sub-block. */
typedef struct factors {
    float scale[2][HEED_PANEL], minimum[2][HEED_PANEL];
} factors;

/* Both halves of a row with one scale and no minimum.  Adding +0 would change -0. */
ALWAYS_INLINE void set_factors(factors *f, int row, float d) {
    f->scale[0][row] = f->scale[1][row] = d;
    f->minimum[0][row] = f->minimum[1][row] = -0.0f;
}

/* Codes of two in a byte: the group of the low halves is `apart` groups before the group of the high halves. */
static NOINLINE void unpack_nibbles(uint8_t *to, const uint8_t *codes, int apart) {
#pragma clang loop unroll(disable)
    for (int i = 0; i < 8; i++, codes += 16) {
        int group = i / 2 + i / 2 / apart * apart, at = group * AFFINE_GROUP + i % 2 * 16;
        v128_t q = wasm_v128_load(codes);
        wasm_v128_store(to + at, wasm_v128_and(q, wasm_i8x16_splat(15)));
        wasm_v128_store(to + at + apart * AFFINE_GROUP, wasm_u8x16_shr(q, 4));
    }
}

/* The four columns of a row. */
ALWAYS_INLINE void store_columns(float *y, v128_t q_i32x4, const factors *f, int half, int row) {
    v128_t product = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(q_i32x4), splat(f->scale[half][row]));
    wasm_v128_store(y, wasm_f32x4_add(product, splat(f->minimum[half][row])));
}

/* A sub-block of eight rows: y = scale·(code - zero) + minimum. */
static NOINLINE void store_codes(float *y, size_t y_stride, size_t strip, const uint8_t *codes, int zero,
                                 const factors *f) {
    const v128_t zero_i16x8 = wasm_i16x8_splat((int16_t)zero);
    for (int i = 0; i < 2 * HEED_BLOCK / 4; i++, codes += 16) {
        int half = i / 8, row = i % 2 * 4;
        float *to = y + (size_t)(i / 4) * strip + i / 2 % 2 * 4 + (size_t)row * y_stride;
        v128_t q = wasm_v128_load(codes);
        v128_t low = wasm_i16x8_sub(wasm_u16x8_extend_low_u8x16(q), zero_i16x8);
        v128_t high = wasm_i16x8_sub(wasm_u16x8_extend_high_u8x16(q), zero_i16x8);
        store_columns(to, wasm_i32x4_extend_low_i16x8(low), f, half, row);
        store_columns(to + y_stride, wasm_i32x4_extend_high_i16x8(low), f, half, row + 1);
        store_columns(to + 2 * y_stride, wasm_i32x4_extend_low_i16x8(high), f, half, row + 2);
        store_columns(to + 3 * y_stride, wasm_i32x4_extend_high_i16x8(high), f, half, row + 3);
    }
}

void heed_read_q8_0_simd128(float *y, size_t y_stride, size_t strip, const heed_panel_q8_0 *w, int n) {
    uint8_t codes[CODES];
    factors f;
    for (int i = 0; i < n; i += HEED_BLOCK, w++, y += HEED_BLOCK / HEED_STRIP * strip) {
        /* Even columns are code + 128 already. */
        v128_t odd = wasm_i16x8_splat((int16_t)0x8000);
#pragma clang loop unroll(disable)
        for (int at = 0; at < CODES; at += 16)
            wasm_v128_store(codes + at, wasm_v128_xor(wasm_v128_load(w->q[0][0] + at), odd));
        for (int row = 0; row < HEED_PANEL; row++) set_factors(&f, row, w->d[row]);
        store_codes(y, y_stride, strip, codes, 128, &f);
    }
}

void heed_read_q4_0_simd128(float *y, size_t y_stride, size_t strip, const heed_panel_q4_0 *w, int n) {
    uint8_t codes[CODES];
    factors f;
    for (int i = 0; i < n; i += HEED_BLOCK, w++, y += HEED_BLOCK / HEED_STRIP * strip) {
        unpack_nibbles(codes, w->q[0][0], HEED_BLOCK / 8);
        for (int row = 0; row < HEED_PANEL; row++) set_factors(&f, row, float_of_f16(w->d[row]));
        store_codes(y, y_stride, strip, codes, 8, &f);
    }
}

void heed_read_affine_simd128(float *y, size_t y_stride, size_t strip, const uint8_t *w, int n,
                              const affine_layout *layout) {
    affine_layout l = *layout;
    uint8_t bytes[CODES];
    factors f;
    for (int i = 0; i < n; i += HEED_BLOCK, y += HEED_BLOCK / HEED_STRIP * strip) {
        int sub = i / HEED_BLOCK % l.sub_blocks;
        const uint8_t *codes = affine_codes(l, w, sub);
        if (l.bits == 5) heed_unpack_triples(bytes, codes);
        if (l.bits < 5) unpack_nibbles(bytes, codes, HEED_BLOCK / 16);
        for (int half = 0; half < 2; half++)
            for (int row = 0; row < HEED_PANEL; row++) {
                int part = half * affine_parts(l) / 2;
                f.scale[half][row] = affine_scale(l, w, sub, part, row);
                f.minimum[half][row] = affine_minimum(l, w, sub, part, row);
            }
        store_codes(y, y_stride, strip, l.bits > 5 ? codes : bytes, l.zero, &f);
        if (sub == l.sub_blocks - 1) w += affine_panel_bytes(l);
    }
}
#endif
