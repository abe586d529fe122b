/* The kernels that only learning needs: X(set, result, name, parameters).  Backward ones add to gradients:
 * dx += dy·∂y/∂x. */
#ifndef HEED_KERNELS_LEARNING_H
#define HEED_KERNELS_LEARNING_H

#include <stddef.h>

/* gemm: y[m][n] = Σ_k scale·a(m, k)·b(k, n), and + y[m][n] where `add`.  y [M] rows of N, y_stride floats apart; a(m,
 * k) at a + m·a_row + k·a_step, b(k, n) at b + k·b_row + n·b_step, so either may be transposed.  Summed from y or 0 on
 * with k ascending and each operation rounded (the relaxed set: or not): scalar and SIMD give the same bits, for any M
 * and N. scale·a(m, k) is rounded first.
 *
 * add_scaled: y += scale·x.  add_product: y += a·b.
 *
 * adamw, of n parameters w with gradients g and their moments m and v (Loshchilov and Hutter 2019, as heed_adamw_step
 * has it): m = β1·m + (1 - β1)·g, v = β2·v + (1 - β2)·g², w = keep·w - step·m / (sqrt(v) / root + eps), with s the
 * numbers β1, β2, keep, step, root, eps.  The same bits in every set.
 *
 * tanh: y = tanh(x).  sigmoid: y = 1 / (1 + e^-x).  y may be x.
 *
 * gelu_tanh_backward and its like: dx += f'(x)·dy.
 *
 * softmax_backward, of one row p: dx += p·(dp - Σ p·dp).
 *
 * norm_backward, of one row, y = (x - μ)/σ·w + b with centred 1 (LayerNorm), without μ with 0 (RMSNorm):
 * dx += (g - centred·mean(g) - x̂·mean(g·x̂))/σ with g = dy·w, x̂ = (x - μ)/σ.  stats <- μ, 1/σ. */
#define HEED_LEARNING_KERNELS(X, set)                                                                                  \
    X(set, void, gemm_f32,                                                                                             \
      (float *y, size_t y_stride, const float *a, size_t a_row, size_t a_step, const float *b, size_t b_row,           \
       size_t b_step, int M, int N, int K, int add, float scale))                                                      \
    X(set, void, add_scaled_f32, (float *y, const float *x, float scale, size_t n))                                    \
    X(set, void, add_product_f32, (float *y, const float *a, const float *b, size_t n))                                \
    X(set, void, adamw_f32, (float *w, float *m, float *v, const float *g, const float *s, size_t n))                  \
    X(set, void, tanh_f32, (float *y, const float *x, size_t n))                                                       \
    X(set, void, sigmoid_f32, (float *y, const float *x, size_t n))                                                    \
    X(set, void, gelu_tanh_backward_f32, (float *dx, const float *x, const float *dy, size_t n))                       \
    X(set, void, gelu_erf_backward_f32, (float *dx, const float *x, const float *dy, size_t n))                        \
    X(set, void, silu_backward_f32, (float *dx, const float *x, const float *dy, size_t n))                            \
    X(set, void, softmax_backward_f32, (float *dx, const float *p, const float *dp, size_t n))                         \
    X(set, void, norm_backward_f32,                                                                                    \
      (float *dx, float *stats, const float *x, const float *w, const float *dy, int centred, float eps, int n))

#define HEED_LEARNING_NAMES                                                                                            \
    " gemm_f32 add_scaled_f32 add_product_f32 adamw_f32 tanh_f32 sigmoid_f32 gelu_tanh_backward_f32"                   \
    " gelu_erf_backward_f32 silu_backward_f32 softmax_backward_f32 norm_backward_f32"

#endif
