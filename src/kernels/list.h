/* Every kernel, once: KERNEL(result, name, parameters...), its contract above it.
 *
 * kernels.h makes the struct and the declarations from this list, sets.c and sets_relaxed.c the tables, abi.c the names
 * that JavaScript reads.  Define KERNEL, include this file, undefine KERNEL.
 *
 * T is rows of activations, O outputs, K columns of x and w.  A stride is the distance of rows in elements. */

/* ---- matmul/ ---- */

/* y[t][o] = Σ_k x[t][k]·w[o][k] : y [T][O], x [T][K], w [O][K] without gaps, in its own type.  Any T, O >= 0, K >= 1.
 * Weights of f16 are finite: heed_loader refuses others.  The relaxed set may round a product and its sum once instead
 * of twice. */
KERNEL(void, matmul_f32, float *y, size_t y_stride, const float *x, size_t x_stride, const float *w, int T, int O,
       int K)
KERNEL(void, matmul_f16, float *y, size_t y_stride, const float *x, size_t x_stride, const uint16_t *w, int T, int O,
       int K)
KERNEL(void, matmul_bf16, float *y, size_t y_stride, const float *x, size_t x_stride, const uint16_t *w, int T, int O,
       int K)

/* The same for quantized weights: K a multiple of 32, x [T][K / 32] blocks from quantize_q8, w panels.  Products inside
 * a block are exact in int32; block b adds float(sum)·(d_w·d_x) to the row's sum. */
KERNEL(void, matmul_q8_0, float *y, size_t y_stride, const heed_block_q8 *x, const heed_panel_q8_0 *w, int T, int O,
       int K)
KERNEL(void, matmul_q4_0, float *y, size_t y_stride, const heed_block_q8 *x, const heed_panel_q4_0 *w, int T, int O,
       int K)

/* The same for the affine formats (Q4_1, Q5_0, Q5_1, Q2_K, Q3_K, Q4_K, Q5_K, Q6_K): K a multiple of their block, w the
 * panels of formats/affine.h.  A sub-block of 32 weights adds float(Σ q·x)·((d·s)·d_x) + (m·n)·(float(Σ x)·d_x) to the
 * row's sum.  Where halves have scales, it adds float(s_0·Σ_0 q·x + s_1·Σ_1 q·x)·(d·d_x), and then
 * (m·n)·(float(Σ x)·d_x) of each half, in order.  Integers, d·s and m·n are exact; every other operation is rounded
 * once. */
#define X(NAME, name, ...)                                                                                             \
    KERNEL(void, matmul_##name, float *y, size_t y_stride, const heed_block_q8 *x, const uint8_t *w, int T, int O,     \
           int K)
HEED_AFFINE_FORMATS(X)
#undef X

/* y[m][n] = Σ_k (scale·a(m, k))·b(k, n), plus y[m][n] if `add` : y [M][N]; a(m, k) at a + m·a_row + k·a_column, b(k, n)
 * at b + k·b_row + n·b_column, so either may be transposed.  K >= 1, or 0 with `add`.  The sum starts from y or
 * 0 and takes k in ascending order.  Each operation is rounded: scalar and simd128 give the same bits for any M and N.
 * The relaxed set may round a product and its sum once. */
KERNEL(void, gemm_f32, float *y, size_t y_stride, const float *a, size_t a_row, size_t a_column, const float *b,
       size_t b_row, size_t b_column, int M, int N, int K, int add, float scale)

/* ---- attention/ ---- */

/* z[t][d] = Σ_j p[t][j]·v[j][d], j ascending : z [T][D], p [T][N], v [N][D] without gaps.  Trailing zeros of a row of p
 * are skipped, so their values may be NaN. */
KERNEL(void, weighted_sum_f32, float *z, size_t z_stride, const float *p, size_t p_stride, const float *v, int T, int N,
       int D)

/* The codes of n numbers: q = x·(1 / d) rounded to nearest, ties to even; 0 where d is not a normal number.  Returns
 * d = max|x| / HEED_CODE. */
KERNEL(float, quantize_i16, int16_t *q, const float *x, int n)

/* Of H heads with T rows each: y[t][j] = (dq[t]·k.d[j])·Σ_b float(Σ_{d in b} q[t][d]·k.q[j][d]), blocks b of 32 columns
 * ascending.  y [H][T][N].  q has H·T rows of HEED_EVEN(D) codes, q_stride codes and dq_stride scales apart.  k is the
 * first block of the first head, in a layer of `heads` heads. */
KERNEL(void, scores_i16, float *y, size_t y_stride, const int16_t *q, size_t q_stride, const float *dq,
       size_t dq_stride, const heed_codes *k, int heads, int H, int T, int N, int D)

/* Of H heads with T rows each: z[t][d] = Σ_b a[t][b]·float(Σ_{j in b} c[t][j]·v.q[j][d]), blocks b of 32 positions
 * ascending.  c and their scale a are the codes of p[t][j]·v.d[j] in a block.  z [H][T][D], p [H][T][N], v as k of
 * scores_i16.  Trailing zeros of a row of p are skipped. */
KERNEL(void, weighted_sum_i16, float *z, size_t z_stride, const float *p, size_t p_stride, const heed_codes *v,
       int heads, int H, int T, int N, int D)

/* x[i] <- exp(x[i] - max x) / Σ, in place.  -inf gives 0, and a row of -inf gives zeros.  n >= 0.  Returns whether the
 * row sums to 1: it does not if it is all zeros or has a NaN. */
KERNEL(int, softmax_f32, float *x, int n)

/* RoPE (Su et al. 2021) of one head in place: x [d], cs [d / 2] pairs (cos, sin) of this position, d even.  Rotates
 * (a, b) -> (a·cos - b·sin, a·sin + b·cos).  adjacent: the pairs (x[2i], x[2i + 1]), as GGML's NORM; halves: the pairs
 * (x[i], x[i + d / 2]), as GGML's NEOX. */
KERNEL(void, rope_adjacent_f32, float *x, const float *cs, int d)
KERNEL(void, rope_halves_f32, float *x, const float *cs, int d)

/* The largest of n > 0 numbers. */
KERNEL(float, max_f32, const float *x, size_t n)

/* Σ exp(x[i] - shift): per lane, then over lanes, in a fixed order. */
KERNEL(float, sumexp_f32, const float *x, float shift, size_t n)

/* ---- rows/ ---- */

/* y = (x - mean) / sqrt(var + eps)·w + b over one row of n; population variance; b may be NULL.  If the squares
 * overflow, y is NaN. */
KERNEL(void, layernorm_f32, float *y, const float *x, const float *w, const float *b, float eps, int n)

/* y = x / sqrt(mean(x²) + eps)·w over one row of n.  If the squares overflow, y is NaN. */
KERNEL(void, rmsnorm_f32, float *y, const float *x, const float *w, float eps, int n)

/* y = a + b and y = a·b, element by element; y may be a or b. */
KERNEL(void, add_f32, float *y, const float *a, const float *b, size_t n)
KERNEL(void, mul_f32, float *y, const float *a, const float *b, size_t n)

/* y = f(x); y may be x.  gelu_tanh: x/2·(1 + tanh(sqrt(2/π)(x + 0.044715x³))); gelu_erf: x·Φ(x); silu: x·σ(x); relu:
 * max(x, 0); tanh(x); sigmoid: 1 / (1 + e^-x). */
KERNEL(void, gelu_tanh_f32, float *y, const float *x, size_t n)
KERNEL(void, gelu_erf_f32, float *y, const float *x, size_t n)
KERNEL(void, silu_f32, float *y, const float *x, size_t n)
KERNEL(void, relu_f32, float *y, const float *x, size_t n)
KERNEL(void, tanh_f32, float *y, const float *x, size_t n)
KERNEL(void, sigmoid_f32, float *y, const float *x, size_t n)

/* ---- formats/ ---- */

/* y[b] = x[32b .. 32b + 31] with d = max|x| / 127 and q = x / d rounded to nearest, ties to even (d = 0: q = 0).
 * K % 32 == 0. */
KERNEL(void, quantize_q8, heed_block_q8 *y, const float *x, int K)

/* y[i] = x[i], exact for every bit pattern. */
KERNEL(void, widen_f16, float *y, const uint16_t *x, size_t n)
KERNEL(void, widen_bf16, float *y, const uint16_t *x, size_t n)

/* One row of finite numbers to the blocks of llama.cpp's reference, bit for bit (ggml-quants.c, quantize_row_q8_0_ref
 * and quantize_row_q4_0_ref).  K % 32 == 0. */
KERNEL(void, quantize_q8_0, heed_block_q8_0 *y, const float *x, int K)
KERNEL(void, quantize_q4_0, heed_block_q4_0 *y, const float *x, int K)

/* Eight rows of `blocks` blocks, one row after another, to `blocks` panels.  Returns whether all scales are finite. */
KERNEL(int, pack_q8_0, heed_panel_q8_0 *to, const heed_block_q8_0 *from, int blocks)
KERNEL(int, pack_q4_0, heed_panel_q4_0 *to, const heed_block_q4_0 *from, int blocks)

/* The same for the affine formats: to the panels of formats/affine.h. */
#define X(NAME, name, ...) KERNEL(int, pack_##name, uint8_t *to, const heed_block_##name *from, int blocks)
HEED_AFFINE_FORMATS(X)
#undef X

/* The same for the formats with a table of values: to panels of Q8_0, eight for each block of IQ4_XS. */
#define X(NAME, name, ...) KERNEL(int, pack_##name, heed_panel_q8_0 *to, const heed_block_##name *from, int blocks)
HEED_IQ4_FORMATS(X)
#undef X

/* Codes of 32 columns of `rows` rows of panels, in the layout of keys: w(row, i) ~ y->d[i]·y->q[heed_key_at(rows, i,
 * row)].  The 32 columns are a block of each row, or sub-block `sub`.  rows is a multiple of 8, at most HEED_READ_ROWS.
 *
 * A row has a scale s and a minimum n, as floats.  Q is the largest distance of codes from the code z of weight 0.  All
 * columns have one scale d = max(|s|·Q + |n|) / HEED_CODE.  A code c of b bits becomes p + round(n·(1 / d)), where p is
 * (c - z)·2^(15 - b)·round(s·(1 / d)·2^b)·2^-15, rounded half up.  So codes are at most HEED_CODE + 1.  They are 0
 * where d is not a normal number. */
KERNEL(void, read_q8_0, heed_codes *y, const heed_panel_q8_0 *w, size_t w_stride, int rows)
KERNEL(void, read_q4_0, heed_codes *y, const heed_panel_q4_0 *w, size_t w_stride, int rows)
KERNEL(void, read_affine, heed_codes *y, const uint8_t *w, size_t w_stride, int rows, int sub,
       const affine_layout *layout)

/* ---- learning/: backward kernels add to gradients, dx += dy·∂y/∂x ---- */

/* y += scale·x; y += a·b. */
KERNEL(void, add_scaled_f32, float *y, const float *x, float scale, size_t n)
KERNEL(void, add_product_f32, float *y, const float *a, const float *b, size_t n)

/* AdamW (Loshchilov and Hutter 2019) of n parameters w with gradients g and moments m, v: m = β1·m + (1 - β1)·g,
 * v = β2·v + (1 - β2)·g², w = keep·w - step·m / (sqrt(v) / root + eps).  s: β1, β2, keep, step, root, eps.  The same
 * bits in every set. */
KERNEL(void, adamw_f32, float *w, float *m, float *v, const float *g, const float *s, size_t n)

/* dx += f'(x)·dy, y = f(x). */
KERNEL(void, gelu_tanh_backward_f32, float *dx, const float *x, const float *y, const float *dy, size_t n)
KERNEL(void, gelu_erf_backward_f32, float *dx, const float *x, const float *y, const float *dy, size_t n)
KERNEL(void, silu_backward_f32, float *dx, const float *x, const float *y, const float *dy, size_t n)

/* Of one row p: dx += p·(dp - Σ p·dp). */
KERNEL(void, softmax_backward_f32, float *dx, const float *p, const float *dp, size_t n)

/* Of one row, y = (x - μ)/σ·w + b; centered is 1 for LayerNorm, and 0 for RMSNorm, which has μ = 0:
 * dx += (g - centered·mean(g) - x̂·mean(g·x̂))/σ with g = dy·w, x̂ = (x - μ)/σ.  stats <- μ, 1/σ. */
KERNEL(void, norm_backward_f32, float *dx, float *stats, const float *x, const float *w, const float *dy, int centered,
       float eps, int n)
