/* Products with one format of kernels/formats.h, as a template: before it is included, `weight_block` names the format,
 *     STEPS     steps of a block, 1 or 8
 *     ZERO      the code of weight 0
 *     MINIMA    0, 1, or -1 where m is stored as its opposite
 *     SCALES    integer scales: NONE, OF_STEPS or OF_HALVES
 *     void load_codes(v128_t q[2], const weight_block *, int step)    32 codes as unsigned bytes, in the file's order
 * and, for eight steps,
 *     void load_scales(v128_t *s, v128_t *n, const weight_block *, int quarter)    eight halves of steps, as int16
 * say how a block is read.
 *
 * One row takes four steps at a time straight from their blocks; its codes stay unsigned, and ZERO·Σ s·x is taken off
 * the sum of a step.  For a tile of rows weights are unpacked once, as s·q in 16 bits.  Either way the sum of a step is
 * exact in int32 and steps are added one after the other, as in the scalar reference: the two agree to the last bit. */
#include "kernels/codes_simd.h"
#include "kernels/half.h"
#include "kernels/lanes.h"

/* Steps of all rows widened at a time, 16 KB: they stay in the first-level cache.  Weights are unpacked for TILE rows
 * at once, four of which share the lanes. */
enum { ROOM = 256, LANES = 4, TILE = 16 };

/* Index step·rows + row. */
typedef struct activations {
    _Alignas(16) int16_t x[ROOM][HEED_BLOCK]; /* of 16: the even ones, the odd ones */
    int16_t sum[ROOM][2];                     /* Σx of the halves of a step */
    float d[ROOM];
} activations;

/* x: `rows` rows of blocks, `stride` blocks apart. */
static void widen(activations *a, const heed_block_q8 *x, size_t stride, int steps, int rows) {
    for (int t = 0; t < rows; t++) {
        for (int b = 0; b < steps; b++) {
            const heed_block_q8 *from = x + (size_t)t * stride + b;
            int to = b * rows + t;
            v128_t sums[2];
            for (int half = 0; half < 2; half++) {
                v128_t q = wasm_v128_load(from->q + 16 * half);
                wasm_v128_store(a->x[to] + 16 * half, wasm_i16x8_shr(wasm_i16x8_shl(q, 8), 8));
                wasm_v128_store(a->x[to] + 16 * half + 8, wasm_i16x8_shr(q, 8));
                sums[half] = wasm_i32x4_extadd_pairwise_i16x8(wasm_i16x8_extadd_pairwise_i8x16(q));
            }
            v128_t sum = sum_each_i32x4(sums[0], sums[1]);
            wasm_v128_store32_lane(a->sum[to], wasm_i16x8_narrow_i32x4(sum, sum), 0);
            a->d[to] = from->d;
        }
    }
}

/* 32 codes in the order of activations. */
ALWAYS_INLINE void widen_codes(v128_t q[4], const weight_block *w, int step) {
    v128_t bytes[2];
    load_codes(bytes, w, step);
    for (int half = 0; half < 2; half++) {
        q[2 * half] = wasm_v128_and(bytes[half], wasm_i16x8_splat(255));
        q[2 * half + 1] = wasm_u16x8_shr(bytes[half], 8);
    }
}

/* Codes less that of weight 0, times their scales, lanes 2·step and 2·step + 1 of s: in 16 bits for every format. */
ALWAYS_INLINE void scale_codes(v128_t q[4], v128_t s, int step) {
    for (int i = 0; i < 4; i++) {
        if (ZERO) q[i] = wasm_i16x8_sub(q[i], wasm_i16x8_splat(ZERO));
        if (SCALES != NONE) q[i] = wasm_i16x8_mul(q[i], splat_lane_i16x8(s, 2 * step + i / 2));
    }
}

/* Four partial sums of one half's products. */
ALWAYS_INLINE v128_t multiply_half(const v128_t q[2], const int16_t *x) {
    return wasm_i32x4_add(wasm_i32x4_dot_i16x8(q[0], wasm_v128_load(x)),
                          wasm_i32x4_dot_i16x8(q[1], wasm_v128_load(x + 8)));
}

/* Four partial sums of one step's products. */
ALWAYS_INLINE v128_t multiply(const v128_t q[4], const int16_t *x) {
    return wasm_i32x4_add(multiply_half(q, x), multiply_half(q + 2, x + 16));
}

/* The same times the scales of both halves: a half's partial sums, of four products, fit into 16 bits. */
ALWAYS_INLINE v128_t multiply_scaled(const v128_t q[4], const int16_t *x, v128_t s, int step) {
    v128_t sums = wasm_i16x8_narrow_i32x4(multiply_half(q, x), multiply_half(q + 2, x + 16));
    return wasm_i32x4_dot_i16x8(sums, splat_pair_i16x8(s, step));
}

/* What four steps, or one step of four rows, add to their sums.  dots: Σ s·q·x; n: minima of the halves, sum: Σx of
 * them; d, m: of the weights, dx: of the activations. */
ALWAYS_INLINE v128_t terms_of(v128_t dots, v128_t n, v128_t sum, v128_t d, v128_t m, v128_t dx) {
    v128_t terms = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(dots), wasm_f32x4_mul(d, dx));
    if (!MINIMA) return terms;
    v128_t minima = wasm_f32x4_convert_i32x4(wasm_i32x4_dot_i16x8(n, sum));
    return wasm_f32x4_add(terms, wasm_f32x4_mul(minima, wasm_f32x4_mul(m, dx)));
}

/* Scales and minima of quarter 0 or 1 of the block at w, or of the n <= 4 blocks there when a block is one step. */
typedef struct scales {
    v128_t s, n; /* eight int16 */
    v128_t d, m; /* four floats */
} scales;

ALWAYS_INLINE float minimum_of(const weight_block *w) {
#if MINIMA
    return MINIMA * float_of_f16(w->m);
#else
    (void)w;
    return 0;
#endif
}

ALWAYS_INLINE scales scales_of(const weight_block *w, int quarter, int n) {
    scales of;
#if STEPS > 1
    (void)n;
    of.d = splat(float_of_f16(w->d));
    load_scales(&of.s, &of.n, w, quarter);
    of.m = splat(minimum_of(w));
#else
    (void)quarter;
    of.s = of.n = wasm_i16x8_splat(1);
    of.d = of.m = splat(0);
#define LANE(i)                                                                                                        \
    if (n > i) of.d = wasm_f32x4_replace_lane(of.d, i, float_of_f16(w[i].d));                                          \
    if (MINIMA && n > i) of.m = wasm_f32x4_replace_lane(of.m, i, minimum_of(&w[i]));
    LANE(0)
    LANE(1)
    LANE(2)
    LANE(3)
#undef LANE
#endif
    return of;
}

/* Codes of step i of four: of the quarter, or of the i-th of blocks of one step. */
ALWAYS_INLINE void codes_of(v128_t q[4], const weight_block *w, int quarter, int i) {
    if (STEPS > 1)
        widen_codes(q, w, 4 * quarter + i);
    else
        widen_codes(q, w + i, 0);
}

/* One row of activations by n <= 4 steps of weights. */
ALWAYS_INLINE float add_steps(float sum, const activations *a, int at, const weight_block *w, int quarter, int n) {
    scales of;
    v128_t parts[4];
    if (SCALES == OF_HALVES) of = scales_of(w, quarter, n);
    for (int i = 0; i < 4; i++) {
        v128_t q[4];
        parts[i] = wasm_i32x4_splat(0);
        if (i >= n) continue;
        codes_of(q, w, quarter, i);
        parts[i] = SCALES == OF_HALVES ? multiply_scaled(q, a->x[at + i], of.s, i) : multiply(q, a->x[at + i]);
    }
    if (SCALES != OF_HALVES) of = scales_of(w, quarter, n); /* not before: registers are few */
    v128_t dots = sum_each4_i32x4(parts[0], parts[1], parts[2], parts[3]);
    if (SCALES == OF_STEPS) dots = wasm_i32x4_mul(dots, wasm_i32x4_shr(of.s, 16));
    v128_t sums = wasm_v128_load(a->sum[at]);
    if (ZERO) dots = wasm_i32x4_sub(dots, wasm_i32x4_mul(wasm_i32x4_dot_i16x8(of.s, sums), wasm_i32x4_splat(ZERO)));
    v128_t terms = terms_of(dots, of.n, sums, of.d, of.m, wasm_v128_load(a->d + at));
    sum += wasm_f32x4_extract_lane(terms, 0);
    if (n > 1) sum += wasm_f32x4_extract_lane(terms, 1);
    if (n > 2) sum += wasm_f32x4_extract_lane(terms, 2);
    if (n > 3) sum += wasm_f32x4_extract_lane(terms, 3);
    return sum;
}

ALWAYS_INLINE float dot_1(float sum, const activations *a, const weight_block *w, int steps) {
    int at = 0;
#if STEPS > 1
    for (; at < steps; at += STEPS, w++) {
        sum = add_steps(sum, a, at, w, 0, 4);
        sum = add_steps(sum, a, at + 4, w, 1, 4);
    }
#else
    for (; at + 4 <= steps; at += 4, w += 4) sum = add_steps(sum, a, at, w, 0, 4);
    if (at < steps) sum = add_steps(sum, a, at, w, 0, steps - at);
#endif
    return sum;
}

/* Steps of a row of weights, read by every row of a tile. */
typedef struct weights {
    _Alignas(16) int16_t q[ROOM / LANES][HEED_BLOCK]; /* s·q */
    int16_t n[ROOM / LANES][2];
    float d[ROOM / LANES], m[ROOM / LANES];
} weights;

ALWAYS_INLINE void unpack_steps(weights *to, int at, const weight_block *w, int quarter, int n) {
    scales of = scales_of(w, quarter, n);
    wasm_v128_store(to->n[at], of.n);
    wasm_v128_store(to->d + at, of.d);
    wasm_v128_store(to->m + at, of.m);
    for (int i = 0; i < 4; i++) {
        v128_t q[4];
        if (i >= n) continue;
        codes_of(q, w, quarter, i);
        scale_codes(q, of.s, i);
        for (int j = 0; j < 4; j++) wasm_v128_store(to->q[at + i] + 8 * j, q[j]);
    }
}

static void unpack(weights *to, const weight_block *w, int steps) {
    int at = 0;
#if STEPS > 1
    for (; at < steps; at += STEPS, w++) {
        unpack_steps(to, at, w, 0, 4);
        unpack_steps(to, at + 4, w, 1, 4);
    }
#else
    for (; at + 4 <= steps; at += 4, w += 4) unpack_steps(to, at, w, 0, 4);
    if (at < steps) unpack_steps(to, at, w, 0, steps - at);
#endif
}

/* Four rows from row t on by one of weights: lanes are the rows. */
ALWAYS_INLINE v128_t dot_4(v128_t sums, const activations *a, int t, int rows, const weights *w, int steps) {
    for (int b = 0, at = t; b < steps; b++, at += rows) {
        const int16_t *x = a->x[at];
        v128_t q[4];
        for (int i = 0; i < 4; i++) q[i] = wasm_v128_load(w->q[b] + 8 * i);
        v128_t dots = sum_each4_i32x4(multiply(q, x), multiply(q, x + HEED_BLOCK), multiply(q, x + 2 * HEED_BLOCK),
                                      multiply(q, x + 3 * HEED_BLOCK));
        v128_t terms = terms_of(dots, wasm_v128_load32_splat(w->n[b]), wasm_v128_load(a->sum[at]), splat(w->d[b]),
                                splat(w->m[b]), wasm_v128_load(a->d + at));
        sums = wasm_f32x4_add(sums, terms);
    }
    return sums;
}

/* All outputs of one row, or of a tile: y, and `add` to it what the earlier steps of the sum gave. */
static void multiply_1(float *y, const activations *a, const weight_block *w, size_t stride, int steps, int O,
                       int add) {
    for (int o = 0; o < O; o++, w += stride) y[o] = dot_1(add ? y[o] : 0, a, w, steps);
}

static void multiply_tile(float *y, size_t y_stride, const activations *a, int rows, const weight_block *w,
                          size_t stride, int steps, int O, int add) {
    weights row;
    for (int o = 0; o < O; o++, w += stride) {
        unpack(&row, w, steps);
        for (int t = 0; t < rows; t += LANES) {
            float *y_0 = y + (size_t)t * y_stride + o, *y_1 = y_0 + y_stride, *y_2 = y_1 + y_stride,
                  *y_3 = y_2 + y_stride;
            v128_t sums = add ? wasm_f32x4_make(*y_0, *y_1, *y_2, *y_3) : splat(0);
            sums = dot_4(sums, a, t, rows, &row, steps);
            *y_0 = wasm_f32x4_extract_lane(sums, 0);
            *y_1 = wasm_f32x4_extract_lane(sums, 1);
            *y_2 = wasm_f32x4_extract_lane(sums, 2);
            *y_3 = wasm_f32x4_extract_lane(sums, 3);
        }
    }
}

ALWAYS_INLINE void matmul(float *y, size_t y_stride, const heed_block_q8 *x, const weight_block *w, int T, int O,
                          int K) {
    const size_t steps = (size_t)K / HEED_BLOCK, stride = steps / STEPS;
    activations a;
    for (int t = 0, rows; t < T; t += rows) {
        rows = T - t >= TILE ? TILE : T - t >= LANES ? (T - t) / LANES * LANES : 1;
        const size_t most = (size_t)ROOM / (size_t)rows / 8 * 8;
        float *y_t = y + (size_t)t * y_stride;
        for (size_t b = 0; b < steps; b += most) {
            int n = steps - b < most ? (int)(steps - b) : (int)most;
            const weight_block *w_b = w + b / STEPS;
            widen(&a, x + (size_t)t * steps + b, steps, n, rows);
            if (rows == 1)
                multiply_1(y_t, &a, w_b, stride, n, O, b > 0);
            else
                multiply_tile(y_t, y_stride, &a, rows, w_b, stride, n, O, b > 0);
        }
    }
}
