/* Vectors of four floats: partial loads, sums in a fixed order, conversions and exp, for the SIMD sets. */
#ifndef HEED_KERNELS_LANES_H
#define HEED_KERNELS_LANES_H

#include <stddef.h>
#include <stdint.h>
#include <wasm_simd128.h>

/* For templates: constant arguments must become constants in the body. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))
/* For code that all instances of a template share: not inlined, to save size. */
#define NOINLINE __attribute__((noinline))

/* Hides a value from the optimizer.  For a pointer or index, the optimizer would spend one addition for each load, but
 * engines fold constant offsets into loads for free.  For a constant before a loop, V8 would make it again in each
 * iteration, by three instructions. */
#define HIDE(value) __asm__("" : "+r"(value))

ALWAYS_INLINE v128_t splat(float value) { return wasm_f32x4_splat(value); }

/* The n < 4 floats at x, then `fill`: the end of a row uses the same lanes and arithmetic as its middle.  Not inlined,
 * because few rows have such an end, and the copies would take kilobytes. */
v128_t heed_load_part(const float *x, size_t n, float fill);
void heed_store_part(float *y, size_t n, v128_t v);

/* The n <= 8 floats at x, then zeros. */
ALWAYS_INLINE void load_up_to_8(v128_t to[2], const float *x, size_t n) {
    to[0] = n >= 4 ? wasm_v128_load(x) : heed_load_part(x, n, 0);
    to[1] = n >= 8 ? wasm_v128_load(x + 4) : n > 4 ? heed_load_part(x + 4, n - 4, 0) : splat(0);
}

/* y = f(x), element by element.  One call of f serves the middle and the end: inlined, it is most of the code. */
ALWAYS_INLINE void map_f32x4(float *y, const float *x, size_t n, v128_t (*f)(v128_t)) {
    for (size_t i = 0; i < n; i += 4) {
        size_t left = n - i;
        v128_t v = f(left >= 4 ? wasm_v128_load(x + i) : heed_load_part(x + i, left, 0));
        if (left >= 4)
            wasm_v128_store(y + i, v);
        else
            heed_store_part(y + i, left, v);
    }
}

/* (v0 + v2) + (v1 + v3) */
ALWAYS_INLINE float sum_lanes(v128_t v) {
    v128_t pairs = wasm_f32x4_add(v, wasm_i32x4_shuffle(v, v, 2, 3, 0, 1));
    return wasm_f32x4_extract_lane(pairs, 0) + wasm_f32x4_extract_lane(pairs, 1);
}

ALWAYS_INLINE void store_sum(float *y, v128_t sum, int add) { *y = (add ? *y : 0) + sum_lanes(sum); }

/* (Σa, Σb) in the first two lanes. */
ALWAYS_INLINE v128_t sum_each_i32x4(v128_t a, v128_t b) {
    v128_t ab = wasm_i32x4_add(wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), wasm_i32x4_shuffle(a, b, 2, 6, 3, 7));
    return wasm_i32x4_add(ab, wasm_i32x4_shuffle(ab, ab, 2, 3, 0, 1));
}

/* (Σq[0 .. 15], Σq[16 .. 31]) in the first two lanes. */
ALWAYS_INLINE v128_t sum_halves_i8(const int8_t *q) {
    v128_t sum_i32x4[2];
    for (int i = 0; i < 2; i++)
        sum_i32x4[i] = wasm_i32x4_extadd_pairwise_i16x8(wasm_i16x8_extadd_pairwise_i8x16(wasm_v128_load(q + 16 * i)));
    return sum_each_i32x4(sum_i32x4[0], sum_i32x4[1]);
}

/* (Σa, Σb, Σc, Σd) */
ALWAYS_INLINE v128_t sum_each4_i32x4(v128_t a, v128_t b, v128_t c, v128_t d) {
    v128_t ab = wasm_i32x4_add(wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), wasm_i32x4_shuffle(a, b, 2, 6, 3, 7));
    v128_t cd = wasm_i32x4_add(wasm_i32x4_shuffle(c, d, 0, 4, 1, 5), wasm_i32x4_shuffle(c, d, 2, 6, 3, 7));
    return wasm_i32x4_add(wasm_i64x2_shuffle(ab, cd, 0, 2), wasm_i64x2_shuffle(ab, cd, 1, 3));
}

/* Transposes 4 × 4 numbers of 32 bits. */
ALWAYS_INLINE void transpose_i32x4(v128_t v[4]) {
    v128_t a = wasm_i32x4_shuffle(v[0], v[1], 0, 4, 1, 5), b = wasm_i32x4_shuffle(v[2], v[3], 0, 4, 1, 5);
    v128_t c = wasm_i32x4_shuffle(v[0], v[1], 2, 6, 3, 7), d = wasm_i32x4_shuffle(v[2], v[3], 2, 6, 3, 7);
    v[0] = wasm_i64x2_shuffle(a, b, 0, 2), v[1] = wasm_i64x2_shuffle(a, b, 1, 3);
    v[2] = wasm_i64x2_shuffle(c, d, 0, 2), v[3] = wasm_i64x2_shuffle(c, d, 1, 3);
}

/* Four finite binary16, each sign-extended to 32 bits, to float, exact.  The exponent is shifted to its place, and the
 * difference of the biases is added as an integer.  This gives 2^-15·(1 + m) for a subnormal 2^-14·m.  Only there the
 * result is below 2^-14, and adding its difference from 2^-14 corrects it.  So no operation meets a subnormal float,
 * which would be slow. */
ALWAYS_INLINE v128_t f32x4_of_finite_f16(v128_t h_i32x4) {
    v128_t magnitude = wasm_v128_and(wasm_i32x4_shl(h_i32x4, 13), wasm_i32x4_splat(0x0fffffff));
    magnitude = wasm_i32x4_add(magnitude, wasm_i32x4_splat(112 << 23));
    v128_t below_f32x4 = wasm_f32x4_pmin(splat(0), wasm_f32x4_sub(magnitude, splat(0x1p-14f)));
    return wasm_v128_or(wasm_f32x4_add(magnitude, below_f32x4), wasm_v128_and(h_i32x4, wasm_i32x4_splat(INT32_MIN)));
}

/* The same for every bit pattern: an exponent of all ones, infinity or NaN, stays so. */
ALWAYS_INLINE v128_t f32x4_of_f16(v128_t h_i32x4) {
    v128_t ones_i32x4 = wasm_i32x4_splat(0x7c00);
    v128_t not_finite_i32x4 = wasm_i32x4_eq(wasm_v128_and(h_i32x4, ones_i32x4), ones_i32x4);
    return wasm_v128_or(f32x4_of_finite_f16(h_i32x4), wasm_v128_and(not_finite_i32x4, wasm_i32x4_splat(255 << 23)));
}

/* A number of a table that HIDE hides; tables are in the order of use.  V8 makes a constant again in every turn of a
 * loop, by three instructions.  A number in memory is one load. */
#define NUMBER(i) wasm_v128_load32_splat(at + (i))

/* The numbers of exp_of_rest and exp_f32x4. */
extern const float heed_exp_numbers[];

/* e^r - 1 for x = n·ln 2 + r, |r| <= ln(2) / 2 (Cody and Waite 1980: ln 2 in two parts, n times the first is exact).
 * Adding 1.5·2^23 rounds x / ln 2 to the integer n, which is then in the low bits of *shifted.  e^r - 1 = r + r²·P(r),
 * P minimax of degree 4, relative error 3.1e-9; its terms are summed in independent pairs (Estrin). */
ALWAYS_INLINE v128_t exp_of_rest(v128_t x, v128_t *shifted) {
    const float *at = heed_exp_numbers;
    HIDE(at);
    *shifted = wasm_f32x4_add(wasm_f32x4_mul(x, NUMBER(0)), NUMBER(1));
    v128_t n = wasm_f32x4_sub(*shifted, NUMBER(1));
    v128_t r = wasm_f32x4_sub(x, wasm_f32x4_mul(n, NUMBER(2)));
    r = wasm_f32x4_sub(r, wasm_f32x4_mul(n, NUMBER(3)));
    v128_t r2 = wasm_f32x4_mul(r, r);
    v128_t low = wasm_f32x4_add(wasm_f32x4_mul(r, NUMBER(4)), NUMBER(5));
    v128_t high = wasm_f32x4_add(wasm_f32x4_mul(r, NUMBER(6)), NUMBER(7));
    high = wasm_f32x4_add(high, wasm_f32x4_mul(r2, NUMBER(8)));
    return wasm_f32x4_add(wasm_f32x4_mul(wasm_f32x4_add(low, wasm_f32x4_mul(r2, high)), r2), r);
}

/* e^x = e^r·2^n.  2^n is multiplied in two halves, so results reach the subnormals, 0 and inf.  NaN stays NaN.  Error
 * below 1.1 ulp. */
ALWAYS_INLINE v128_t exp_f32x4(v128_t x_f32x4) {
    const float *at = heed_exp_numbers;
    HIDE(at);
    v128_t shifted, one = NUMBER(9);
    x_f32x4 = wasm_f32x4_pmin(x_f32x4, NUMBER(10)); /* 89: inf */
    x_f32x4 = wasm_f32x4_pmax(x_f32x4, NUMBER(11)); /* -104, below half of the smallest subnormal: 0 */
    v128_t p_f32x4 = wasm_f32x4_add(exp_of_rest(x_f32x4, &shifted), one);
    v128_t exponent_i32x4 = wasm_i32x4_sub(shifted, NUMBER(1)), half_i32x4 = wasm_i32x4_shr(exponent_i32x4, 1);
    v128_t power_1 = wasm_i32x4_add(wasm_i32x4_shl(half_i32x4, 23), one); /* the bits of 1 are an exponent of 0 */
    v128_t power_2 = wasm_i32x4_add(wasm_i32x4_shl(wasm_i32x4_sub(exponent_i32x4, half_i32x4), 23), one);
    return wasm_f32x4_mul(wasm_f32x4_mul(p_f32x4, power_1), power_2);
}

#endif
