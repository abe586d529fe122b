/* The inner loops: one contract, several sets.
 *
 * Every kernel has a readable scalar reference (<op>_<dtype>.c, set `heed_kernels_scalar`) and a SIMD sibling
 * (<op>_<dtype>_simd.c, set `heed_kernels_simd128`).  A third set, `heed_kernels_relaxed`, has relaxed SIMD where that
 * is faster (<op>_<dtype>_relaxed.c) and the functions of simd128 everywhere else.  All are always compiled; the
 * binaries that run everywhere hold the first two sets, those with relaxed SIMD hold the third, and a session picks
 * one.  Kernels check nothing, allocate nothing and keep nothing: sizes and pointers were checked by the operation that
 * calls them.
 *
 * Rows are independent: the value of y[t][o] does not depend on T or O, to the last bit, so a prompt taken in one
 * batch, in pieces or token by token gives the same numbers.  Float rows need only the alignment of a float, quantised
 * blocks only that of their scale. */
#ifndef HEED_KERNELS_H
#define HEED_KERNELS_H

#include "kernels/formats/formats.h"
#include "kernels/learning/learning.h"

#include <stddef.h>
#include <stdint.h>

#define HEED_BLOCK 32 /* elements of one quantised block */

/* One block of activations quantised for a product with 8- or 4-bit weights: x[i] ~ d·q[i], |q| <= 127. */
typedef struct heed_block_q8 {
    float d;
    int8_t q[HEED_BLOCK];
} heed_block_q8;

/* Weight blocks as they lie in a GGUF file (ggml-common.h of llama.cpp): d is IEEE half precision. */
typedef struct heed_block_q8_0 {
    uint16_t d;
    int8_t q[HEED_BLOCK]; /* w[i] = d·q[i] */
} heed_block_q8_0;
typedef struct heed_block_q4_0 {
    uint16_t d;
    uint8_t q[HEED_BLOCK / 2]; /* w[i] = d·((q[i] & 15) - 8), w[i + 16] = d·((q[i] >> 4) - 8) */
} heed_block_q4_0;

/* The same blocks in the order that products read: those of eight rows side by side, four columns of each together, so
 * that four activations meet all eight rows at once: as four pairs of 16 bits, or as they are by relaxed products.  A
 * matrix [O][K] is [ceil(O / 8)][K / 32] panels; rows past O are zeros.  Scales are finite. */
#define HEED_PANEL 8
typedef struct heed_panel_q8_0 {
    float d[HEED_PANEL];                     /* as float: 6 % more than in the file, and nothing to convert */
    int8_t q[HEED_BLOCK / 4][HEED_PANEL][4]; /* w[row][4i + j] = d[row]·q[i][row][j] */
} heed_panel_q8_0;
typedef struct heed_panel_q4_0 {
    uint16_t d[HEED_PANEL]; /* half precision: floats would take 11 % more */
    /* w[row][4i + j] = d[row]·((q[i][row][j] & 15) - 8), w[row][4i + j + 16] = d[row]·((q[i][row][j] >> 4) - 8) */
    uint8_t q[HEED_BLOCK / 8][HEED_PANEL][4];
} heed_panel_q4_0;

/* The compact cache of an attention: a vector is 16-bit codes with one scale, x[i] ~ d·q[i], |q| <= HEED_CODE. Products
 * of 32 pairs of codes are exact in int32: 32·8191² < 2^31. */
#define HEED_CODE 8191
/* Codes of a query; of odd length they end with a zero. */
#define HEED_EVEN(D) (((D) + 1) & ~1)
/* Keys and values of one head lie so that a product's lanes are its outputs and neighbours in a lane are summed: keys
 * [positions / 8][pairs of D][8 positions][2 of D], values [positions / 32][D / 8][16 pairs of positions][8 of D][2
 * positions], all rounded up.  A step of a product is 8 outputs by 2. */
#define HEED_KEYS 8
static inline size_t heed_key_at(int D, int j, int d) {
    size_t step = (size_t)(j / HEED_KEYS) * (size_t)(HEED_EVEN(D) / 2) + (size_t)(d / 2);
    return step * 2 * HEED_KEYS + (size_t)(j % HEED_KEYS * 2 + d % 2);
}
static inline size_t heed_value_at(int D, int j, int d) {
    size_t panel = (size_t)(j / HEED_BLOCK) * (size_t)((D + HEED_PANEL - 1) / HEED_PANEL) + (size_t)(d / HEED_PANEL);
    size_t step = panel * (HEED_BLOCK / 2) + (size_t)(j % HEED_BLOCK / 2);
    return step * 2 * HEED_PANEL + (size_t)(d % HEED_PANEL * 2 + j % 2);
}

/* Names in the order of the struct; exported so that tests can reach every kernel of every set. */
#define HEED_KERNEL_NAMES                                                                                              \
    "matmul_f32 matmul_f16 matmul_bf16 matmul_q8_0 matmul_q4_0 quantize_q8 combine_f32 quantize_i16 scores_i16 "       \
    "combine_i16 softmax_f32 layernorm_f32 rmsnorm_f32 add_f32 mul_f32 gelu_tanh_f32 gelu_erf_f32 silu_f32 relu_f32 "  \
    "rope_adjacent_f32 rope_halves_f32 max_f32 sumexp_f32 widen_f16 widen_bf16 quantize_q8_0 quantize_q4_0 "           \
    "pack_q8_0 pack_q4_0" HEED_STEP_FORMATS(HEED_PACK_NAME) HEED_IQ4_FORMATS(HEED_PACK_NAME)                           \
        HEED_STEP_FORMATS(HEED_MATMUL_NAME) HEED_LEARNING_NAMES
#define HEED_PACK_NAME(NAME, name, ...) " pack_" #name
#define HEED_MATMUL_NAME(NAME, name, ...) " matmul_" #name

typedef struct heed_kernels {
    /* y[t][o] = Σ_k x[t][k]·w[o][k] : y [T] rows of O, y_stride floats apart; x [T] rows of K, x_stride floats apart;
     * w [O][K] without gaps, in its own type.  Any T, O >= 0, K >= 1.  (The relaxed set: each product and its sum
     * rounded once or twice.) */
    void (*matmul_f32)(float *y, size_t y_stride, const float *x, size_t x_stride, const float *w, int T, int O, int K);
    void (*matmul_f16)(float *y, size_t y_stride, const float *x, size_t x_stride, const uint16_t *w, int T, int O,
                       int K);
    void (*matmul_bf16)(float *y, size_t y_stride, const float *x, size_t x_stride, const uint16_t *w, int T, int O,
                        int K);
    /* The same for quantised weights: K a multiple of 32, x [T][K / 32] blocks from quantize_q8, w panels.  Products
     * inside a block are exact in int32; block b adds float(sum)·(d_w·d_x) to the row's sum. */
    void (*matmul_q8_0)(float *y, size_t y_stride, const heed_block_q8 *x, const heed_panel_q8_0 *w, int T, int O,
                        int K);
    void (*matmul_q4_0)(float *y, size_t y_stride, const heed_block_q8 *x, const heed_panel_q4_0 *w, int T, int O,
                        int K);
    /* y[b] = x[32b .. 32b + 31] with d = max|x| / 127 and q = x / d rounded to nearest, ties to even (d = 0: q = 0). K
     * % 32 == 0. */
    void (*quantize_q8)(heed_block_q8 *y, const float *x, int K);
    /* z[t][d] = Σ_j p[t][j]·v[j][d], j ascending : z [T] rows of D, p [T] rows of N, v [N][D] without gaps.  Zeros at a
     * row's end change nothing. */
    void (*combine_f32)(float *z, size_t z_stride, const float *p, size_t p_stride, const float *v, int T, int N,
                        int D);
    /* The codes of n numbers: q = x·(1 / d) rounded to nearest, ties to even; 0 where d is not a normal number.
     * Returns d = max|x| / HEED_CODE. */
    float (*quantize_i16)(int16_t *q, const float *x, int n);
    /* y[t][j] = (dq[t]·dk[j])·Σ_b float(Σ_{d in b} q[t][d]·k[j][d]), blocks b of 32 columns ascending : y [T] rows of
     * N, q [T] rows of HEED_EVEN(D) codes, q_stride codes and dq_stride scales apart, k as heed_key_at(D, j, d) says.
     */
    void (*scores_i16)(float *y, size_t y_stride, const int16_t *q, size_t q_stride, const float *dq, size_t dq_stride,
                       const int16_t *k, const float *dk, int T, int N, int D);
    /* z[t][d] = Σ_b a[t][b]·float(Σ_{j in b} c[t][j]·v[j][d]), blocks b of 32 positions ascending, c with its scale a
     * the codes of p[t][j]·dv[j] in a block : z [T] rows of D, p [T] rows of N, v as heed_value_at(D, j, d) says.
     * Zeros at a row's end change nothing. */
    void (*combine_i16)(float *z, size_t z_stride, const float *p, size_t p_stride, const int16_t *v, const float *dv,
                        int T, int N, int D);
    /* x[i] <- exp(x[i] - max x) / Σ, in place.  -inf gives 0; a row of nothing but -inf gives zeros.  n >= 0.  Returns
     * whether the row sums to 1: not when it is zeros, or has a NaN. */
    int (*softmax_f32)(float *x, int n);
    /* y = (x - mean) / sqrt(var + eps)·w + b over one row of n; population variance; b may be NULL. */
    void (*layernorm_f32)(float *y, const float *x, const float *w, const float *b, float eps, int n);
    /* y = x / sqrt(mean(x²) + eps)·w over one row of n.  Of both: NaN where the squares overflow, not zeros. */
    void (*rmsnorm_f32)(float *y, const float *x, const float *w, float eps, int n);
    /* y = a + b, y = a·b, element by element; y may be a or b. */
    void (*add_f32)(float *y, const float *a, const float *b, size_t n);
    void (*mul_f32)(float *y, const float *a, const float *b, size_t n);
    /* y = f(x); y may be x.  gelu_tanh: x/2·(1 + tanh(sqrt(2/π)(x + 0.044715x³))); gelu_erf: x·Φ(x); silu: x·σ(x);
     * relu: max(x, 0). */
    void (*gelu_tanh_f32)(float *y, const float *x, size_t n);
    void (*gelu_erf_f32)(float *y, const float *x, size_t n);
    void (*silu_f32)(float *y, const float *x, size_t n);
    void (*relu_f32)(float *y, const float *x, size_t n);
    /* RoPE (Su et al. 2021) of one head in place: x [d], cs [d / 2] pairs (cos, sin) of this position.  adjacent turns
     * (x[2i], x[2i + 1]), halves turns (x[i], x[i + d / 2]): (a, b) -> (a·cos - b·sin, a·sin + b·cos). d even. */
    void (*rope_adjacent_f32)(float *x, const float *cs, int d);
    void (*rope_halves_f32)(float *x, const float *cs, int d);
    /* The largest of n > 0 numbers; Σ exp(x[i] - shift), lanes then summed in a fixed order. */
    float (*max_f32)(const float *x, size_t n);
    float (*sumexp_f32)(const float *x, float shift, size_t n);
    /* What loading does to weights.  widen: y[i] = x[i], exact for every bit pattern. */
    void (*widen_f16)(float *y, const uint16_t *x, size_t n);
    void (*widen_bf16)(float *y, const uint16_t *x, size_t n);
    /* One row of finite numbers to the blocks that llama.cpp's reference makes of it, bit for bit (ggml-quants.c,
     * quantize_row_q8_0_ref and quantize_row_q4_0_ref).  K % 32 == 0. */
    void (*quantize_q8_0)(heed_block_q8_0 *y, const float *x, int K);
    void (*quantize_q4_0)(heed_block_q4_0 *y, const float *x, int K);
    /* Eight rows of `blocks` blocks, one after another, to as many panels.  Whether all scales are finite. */
    int (*pack_q8_0)(heed_panel_q8_0 *to, const heed_block_q8_0 *from, int blocks);
    int (*pack_q4_0)(heed_panel_q4_0 *to, const heed_block_q4_0 *from, int blocks);
    /* The same to panels of kernels/formats/affine.h or, where codes are looked up, to those of Q8_0, eight a block of
     * IQ4_XS.
     */
#define X(NAME, name, ...) int (*pack_##name)(uint8_t * to, const heed_block_##name *from, int blocks);
    HEED_STEP_FORMATS(X)
#undef X
#define X(NAME, name, ...) int (*pack_##name)(heed_panel_q8_0 * to, const heed_block_##name *from, int blocks);
    HEED_IQ4_FORMATS(X)
#undef X
    /* Products with the step formats as with Q8_0, K a multiple of their block, w panels (kernels/formats/affine.h).  A
     * step, or each half of it where halves have scales, adds float(Σ q·x)·((d·s)·d_x) + (m·n)·(float(Σ x)·d_x) to the
     * row's sum: both integers, d·s and m·n are exact, every other operation is rounded once. */
#define X(NAME, name, ...)                                                                                             \
    void (*matmul_##name)(float *y, size_t y_stride, const heed_block_q8 *x, const uint8_t *w, int T, int O, int K);
    HEED_STEP_FORMATS(X)
#undef X
#define X(set, result, name, parameters) result(*name) parameters;
    HEED_LEARNING_KERNELS(X, )
#undef X
} heed_kernels;

/* The tables that a binary is linked with; NULL for the others.  The linker keeps the kernels that a table names. */
extern const heed_kernels heed_kernels_scalar __attribute__((weak));
extern const heed_kernels heed_kernels_simd128 __attribute__((weak));
extern const heed_kernels heed_kernels_relaxed __attribute__((weak));

#endif
