#ifdef __wasm_simd128__
#include "kernels/attention/codes_i16_simd.h"
#include "kernels/formats/affine.h"
#include "kernels/kernels.h"
#include "kernels/lanes.h"
#include "kernels/matmul/triples_simd.h"

/* 32 columns of eight rows, a byte for each code: groups of four columns, [8][8][4]. */
enum { CODES = HEED_BLOCK * HEED_PANEL };

/* The factors of rows in each part of a sub-block: floats, and the codes of both. */
typedef struct factors {
    int parts, bits, zero;
    float scale[2][HEED_READ_ROWS], minimum[2][HEED_READ_ROWS];
    int16_t scale_code[2][HEED_READ_ROWS], minimum_code[2][HEED_READ_ROWS];
} factors;

/* Sets the codes of the factors, and the scale of the weights' codes. */
static NOINLINE void quantize_factors(heed_codes *y, factors *f, int rows) {
    int high = (1 << f->bits) - 1 - f->zero;
    v128_t most_f32x4 = splat((float)(high > f->zero ? high : f->zero)), largest = splat(0);
    for (int part = 0; part < f->parts; part++)
        for (int row = 0; row < rows; row += 4) {
            v128_t scale_f32x4 = wasm_f32x4_abs(wasm_v128_load(f->scale[part] + row));
            v128_t minimum_f32x4 = wasm_f32x4_abs(wasm_v128_load(f->minimum[part] + row));
            largest = larger_magnitude(largest, wasm_f32x4_add(wasm_f32x4_mul(scale_f32x4, most_f32x4), minimum_f32x4));
        }
    float d = scale_of(largest);
    for (int i = 0; i < HEED_BLOCK; i += 4) wasm_v128_store(y->d + i, splat(d));
    v128_t inverse_f32x4 = inverse_of(d), of_scale_f32x4 = wasm_f32x4_mul(inverse_f32x4, splat((float)(1 << f->bits)));
    for (int part = 0; part < f->parts; part++)
        for (int row = 0; row < rows; row += 8) {
            const float *scale = f->scale[part] + row, *minimum = f->minimum[part] + row;
            wasm_v128_store(f->scale_code[part] + row,
                            codes(wasm_v128_load(scale), wasm_v128_load(scale + 4), of_scale_f32x4));
            wasm_v128_store(f->minimum_code[part] + row,
                            codes(wasm_v128_load(minimum), wasm_v128_load(minimum + 4), inverse_f32x4));
        }
}

/* Four numbers of half precision, times integers unless s is NULL.  The products are exact. */
static NOINLINE void read_factors(float *y, const uint16_t *half, const int8_t *s) {
    v128_t d_f32x4 = f32x4_of_f16(wasm_i32x4_load16x4(half));
    if (s) {
        v128_t four_i16x8 = wasm_i16x8_extend_low_i8x16(wasm_v128_load32_zero(s));
        d_f32x4 = wasm_f32x4_mul(d_f32x4, wasm_f32x4_convert_i32x4(wasm_i32x4_extend_low_i16x8(four_i16x8)));
    }
    wasm_v128_store(y, d_f32x4);
}

/* Codes of two in a byte: the group of the low halves is `apart` groups before the group of the high halves. */
static NOINLINE void unpack_nibbles(uint8_t *to, const uint8_t *from, int apart) {
#pragma clang loop unroll(disable)
    for (int i = 0; i < 8; i++, from += 16) {
        int group = i / 2 + i / 2 / apart * apart, at = group * AFFINE_GROUP + i % 2 * 16;
        v128_t q = wasm_v128_load(from);
        wasm_v128_store(to + at, wasm_v128_and(q, wasm_i8x16_splat(15)));
        wasm_v128_store(to + at + apart * AFFINE_GROUP, wasm_u8x16_shr(q, 4));
    }
}

/* The codes of two rows and four columns, the rows of a column side by side. */
ALWAYS_INLINE void store_pairs_of_rows(int16_t *y, v128_t q_i16x8, uint32_t shift, const int16_t *scale,
                                       const int16_t *minimum) {
    v128_t product = wasm_i16x8_q15mulr_sat(wasm_i16x8_shl(q_i16x8, shift), wasm_v128_load32_splat(scale));
    wasm_v128_store(y, wasm_i16x8_add(product, wasm_v128_load32_splat(minimum)));
}

/* Eight rows, from row `row` on. */
static NOINLINE void store_codes(heed_codes *block, int rows, const uint8_t *from, const factors *f, int row) {
    const v128_t zero_i8x16 = wasm_i8x16_splat((int8_t)f->zero);
    const uint32_t shift = (uint32_t)(15 - f->bits);
    int16_t *y = block->q + row * HEED_KEYS;
#pragma clang loop unroll(disable)
    for (int i = 0; i < CODES / 16; i++, from += 16) {
        int part = i * f->parts / (CODES / 16), r = i % 2 * 4;
        const int16_t *scale = f->scale_code[part] + row + r, *minimum = f->minimum_code[part] + row + r;
        int16_t *to = y + i / 4 * rows * HEED_KEYS + i % 4 / 2 * 8 + r * HEED_KEYS;
        v128_t q_i8x16 = wasm_i8x16_sub(wasm_v128_load(from), zero_i8x16);
        q_i8x16 = wasm_i8x16_shuffle(q_i8x16, q_i8x16, 0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
        store_pairs_of_rows(to, wasm_i16x8_extend_low_i8x16(q_i8x16), shift, scale, minimum);
        store_pairs_of_rows(to + 2 * HEED_KEYS, wasm_i16x8_extend_high_i8x16(q_i8x16), shift, scale + 2, minimum + 2);
    }
}

void heed_read_q8_0_simd128(heed_codes *y, const heed_panel_q8_0 *w, size_t w_stride, int rows) {
    factors f = {.parts = 1, .bits = 8, .zero = 128};
    for (int row = 0; row < rows; row += HEED_PANEL)
        __builtin_memcpy(f.scale[0] + row, w[(size_t)(row / HEED_PANEL) * w_stride].d, sizeof w->d);
    quantize_factors(y, &f, rows);
    for (int row = 0; row < rows; row += HEED_PANEL, w += w_stride) {
        uint8_t bytes[CODES];
        /* Even columns are code + 128 already. */
        v128_t odd = wasm_i16x8_splat((int16_t)0x8000);
#pragma clang loop unroll(disable)
        for (int at = 0; at < CODES; at += 16)
            wasm_v128_store(bytes + at, wasm_v128_xor(wasm_v128_load(w->q[0][0] + at), odd));
        store_codes(y, rows, bytes, &f, row);
    }
}

void heed_read_q4_0_simd128(heed_codes *y, const heed_panel_q4_0 *w, size_t w_stride, int rows) {
    factors f = {.parts = 1, .bits = 4, .zero = 8};
    for (int row = 0; row < rows; row += 4)
        read_factors(f.scale[0] + row, w[(size_t)(row / HEED_PANEL) * w_stride].d + row % HEED_PANEL, NULL);
    quantize_factors(y, &f, rows);
    for (int row = 0; row < rows; row += HEED_PANEL, w += w_stride) {
        uint8_t bytes[CODES];
        unpack_nibbles(bytes, w->q[0][0], HEED_BLOCK / 8);
        store_codes(y, rows, bytes, &f, row);
    }
}

void heed_read_affine_simd128(heed_codes *y, const uint8_t *w, size_t w_stride, int rows, int sub,
                              const affine_layout *layout) {
    affine_layout l = *layout;
    factors f = {.parts = affine_parts(l), .bits = l.bits, .zero = l.zero};
    for (int row = 0; row < rows; row += 4)
        for (int part = 0; part < f.parts; part++) {
            const uint8_t *panel = w + (size_t)(row / HEED_PANEL) * w_stride;
            const uint16_t *half = (const uint16_t *)panel + row % HEED_PANEL;
            const int8_t *s = l.scales ? affine_scales(l, panel, sub, part) + row % HEED_PANEL : NULL;
            read_factors(f.scale[part] + row, half, s);
            if (!l.minima) continue;
            read_factors(f.minimum[part] + row, half + HEED_PANEL, s ? s + affine_scales_bytes(l) : NULL);
        }
    quantize_factors(y, &f, rows);
    for (int row = 0; row < rows; row += HEED_PANEL, w += w_stride) {
        uint8_t bytes[CODES];
        const uint8_t *from = affine_codes(l, w, sub);
        if (l.bits == 5) heed_unpack_triples(bytes, from);
        if (l.bits < 5) unpack_nibbles(bytes, from, HEED_BLOCK / 16);
        store_codes(y, rows, l.bits > 5 ? from : bytes, &f, row);
    }
}
#endif
