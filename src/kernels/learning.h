/* The kernels that only learning needs: X(result, name, parameters).  Backward ones add to gradients: dx += dy·∂y/∂x.
 */
#ifndef HEED_KERNELS_LEARNING_H
#define HEED_KERNELS_LEARNING_H

#include <stddef.h>

#define HEED_LEARNING_KERNELS(X, set)                                                                                       \
    /* y[m][n] = Σ_k a(m, k)·b(k, n), and + y[m][n] when `add`: y [M] rows of N, y_stride floats apart; a(m, k) at        \
     * a + m·a_row + k·a_step, b(k, n) at b + k·b_row + n·b_step, so either may be transposed.  Summed from y or 0      \
     * with k ascending: the same bits in every set, for any M and N. */                                                    \
    X(set, void, gemm_f32,                                                                                                  \
      (float *y, size_t y_stride, const float *a, size_t a_row, size_t a_step, const float *b, size_t b_row,                \
       size_t b_step, int M, int N, int K, int add))                                                                        \
    /* y = tanh(x), y = 1 / (1 + e^-x); y may be x. */                                                                      \
    X(set, void, tanh_f32, (float *y, const float *x, size_t n))                                                            \
    X(set, void, sigmoid_f32, (float *y, const float *x, size_t n))                                                         \
    /* dx += f'(x)·dy. */                                                                                                  \
    X(set, void, gelu_tanh_backward_f32, (float *dx, const float *x, const float *dy, size_t n))                            \
    X(set, void, gelu_erf_backward_f32, (float *dx, const float *x, const float *dy, size_t n))                             \
    X(set, void, silu_backward_f32, (float *dx, const float *x, const float *dy, size_t n))                                 \
    /* One row of a softmax p: dx += p·(dp - Σ p·dp). */                                                                 \
    X(set, void, softmax_backward_f32, (float *dx, const float *p, const float *dp, size_t n))                              \
    /* One row of a norm, y = (x - μ)/σ·w + b with centred 1 (LayerNorm), μ = 0 with 0 (RMSNorm): dx += (g - c·mean(g) \
     * - x̂·mean(g·x̂))/σ with g = dy·w and x̂ = (x - μ)/σ.  stats <- μ, 1/σ. */                                 \
    X(set, void, norm_backward_f32,                                                                                         \
      (float *dx, float *stats, const float *x, const float *w, const float *dy, int centred, float eps, int n))

#define HEED_LEARNING_NAMES                                                                                            \
    " gemm_f32 tanh_f32 sigmoid_f32 gelu_tanh_backward_f32 gelu_erf_backward_f32 silu_backward_f32"                    \
    " softmax_backward_f32 norm_backward_f32"

#endif
