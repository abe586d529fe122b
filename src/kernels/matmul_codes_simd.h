/* Products with one format of kernels/formats.h, as a template: before it is included, `weight_block` names the format,
 *     STEPS, ZERO, MINIMA    steps of a block, 1 or 8; the code of weight 0, a power of two, or 0; has it minima?
 *     void load_codes(v128_t q[2], const weight_block *, int step)    32 codes as unsigned bytes, in the file's order
 *     float scale_of(const weight_block *), minimum_of(const weight_block *)    d and m
 * and, for eight steps,
 *     void load_scales(v128_t *s, v128_t *n, const weight_block *, int quarter)    eight halves of steps, as int16
 * say how a block is read.
 *
 * Codes are multiplied by their scales first: s·q fits into 16 bits in every format, and the sum of a step stays exact
 * in int32.  Steps are added one after the other, as in the scalar reference: the two agree to the last bit. */
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

/* 32 codes times their scales in the order of activations; lanes 2·step and 2·step + 1 of s are theirs. */
ALWAYS_INLINE void scaled_codes(v128_t q[4], const weight_block *w, v128_t s, int step) {
    v128_t bytes[2];
    load_codes(bytes, w, step);
    for (int half = 0; half < 2; half++) {
        q[2 * half] = wasm_v128_and(bytes[half], wasm_i16x8_splat(255));
        q[2 * half + 1] = wasm_u16x8_shr(bytes[half], 8);
#if STEPS > 1
        v128_t scale = splat_lane_i16x8(s, 2 * (step % 4) + half);
        q[2 * half] = wasm_i16x8_mul(q[2 * half], scale);
        q[2 * half + 1] = wasm_i16x8_mul(q[2 * half + 1], scale);
#else
        (void)s;
#endif
    }
}

/* Four partial sums of one step's products. */
ALWAYS_INLINE v128_t multiply(const v128_t q[4], const int16_t *x) {
    v128_t low = wasm_i32x4_add(wasm_i32x4_dot_i16x8(q[0], wasm_v128_load(x)),
                                wasm_i32x4_dot_i16x8(q[1], wasm_v128_load(x + 8)));
    v128_t high = wasm_i32x4_add(wasm_i32x4_dot_i16x8(q[2], wasm_v128_load(x + 16)),
                                 wasm_i32x4_dot_i16x8(q[3], wasm_v128_load(x + 24)));
    return wasm_i32x4_add(low, high);
}

/* What four steps, or one step of four rows, add to their sums.  dots: Σ s·code·x; s, n: scales and minima of the
 * halves, sum: Σx of them; d, m: of the weights, dx: of the activations. */
ALWAYS_INLINE v128_t terms_of(v128_t dots, v128_t s, v128_t n, v128_t sum, v128_t d, v128_t m, v128_t dx) {
    if (ZERO) dots = wasm_i32x4_sub(dots, wasm_i32x4_shl(wasm_i32x4_dot_i16x8(s, sum), __builtin_ctz(ZERO | 1 << 31)));
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

ALWAYS_INLINE scales scales_of(const weight_block *w, int quarter, int n) {
    scales of;
#if STEPS > 1
    (void)n;
    of.d = splat(scale_of(w));
    of.m = splat(minimum_of(w));
    load_scales(&of.s, &of.n, w, quarter);
#else
    (void)quarter;
    of.s = of.n = wasm_i16x8_splat(1);
    of.d = of.m = splat(0);
    if (n > 0) of.d = wasm_f32x4_replace_lane(of.d, 0, scale_of(w));
    if (n > 1) of.d = wasm_f32x4_replace_lane(of.d, 1, scale_of(w + 1));
    if (n > 2) of.d = wasm_f32x4_replace_lane(of.d, 2, scale_of(w + 2));
    if (n > 3) of.d = wasm_f32x4_replace_lane(of.d, 3, scale_of(w + 3));
    if (MINIMA && n > 0) of.m = wasm_f32x4_replace_lane(of.m, 0, minimum_of(w));
    if (MINIMA && n > 1) of.m = wasm_f32x4_replace_lane(of.m, 1, minimum_of(w + 1));
    if (MINIMA && n > 2) of.m = wasm_f32x4_replace_lane(of.m, 2, minimum_of(w + 2));
    if (MINIMA && n > 3) of.m = wasm_f32x4_replace_lane(of.m, 3, minimum_of(w + 3));
#endif
    return of;
}

/* Step i of four: of the quarter, or the i-th of blocks of one step. */
ALWAYS_INLINE void codes_of(v128_t q[4], const weight_block *w, v128_t s, int quarter, int i) {
    if (STEPS > 1)
        scaled_codes(q, w, s, 4 * quarter + i);
    else
        scaled_codes(q, w + i, s, 0);
}

/* One row of activations by n <= 4 steps of weights. */
ALWAYS_INLINE float add_steps(float sum, const activations *a, int at, const weight_block *w, int quarter, int n) {
    scales of = scales_of(w, quarter, n);
    v128_t parts[4];
    for (int i = 0; i < 4; i++) {
        v128_t q[4];
        parts[i] = wasm_i32x4_splat(0);
        if (i >= n) continue;
        codes_of(q, w, of.s, quarter, i);
        parts[i] = multiply(q, a->x[at + i]);
    }
    v128_t dots = sum_each4_i32x4(parts[0], parts[1], parts[2], parts[3]);
    v128_t terms = terms_of(dots, of.s, of.n, wasm_v128_load(a->sum[at]), of.d, of.m, wasm_v128_load(a->d + at));
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
    _Alignas(16) int16_t q[ROOM / LANES][HEED_BLOCK]; /* s·code */
    int16_t s[ROOM / LANES][2], n[ROOM / LANES][2];
    float d[ROOM / LANES], m[ROOM / LANES];
} weights;

ALWAYS_INLINE void unpack_steps(weights *to, int at, const weight_block *w, int quarter, int n) {
    scales of = scales_of(w, quarter, n);
    wasm_v128_store(to->s[at], of.s);
    wasm_v128_store(to->n[at], of.n);
    wasm_v128_store(to->d + at, of.d);
    wasm_v128_store(to->m + at, of.m);
    for (int i = 0; i < 4; i++) {
        v128_t q[4];
        if (i >= n) continue;
        codes_of(q, w, of.s, quarter, i);
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
        v128_t s = wasm_v128_load32_splat(w->s[b]), n = wasm_v128_load32_splat(w->n[b]);
        v128_t terms =
            terms_of(dots, s, n, wasm_v128_load(a->sum[at]), splat(w->d[b]), splat(w->m[b]), wasm_v128_load(a->d + at));
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
