/* The functions of one set and the table of them: dispatch is data. */
#ifndef HEED_KERNELS_SET_H
#define HEED_KERNELS_SET_H

#include "kernels/kernels.h"

/* One product of kernels/formats/formats.h. */
#define HEED_MATMUL_DECLARE(set, name)                                                                                 \
    void heed_matmul_##name##_##set(float *y, size_t y_stride, const heed_block_q8 *x, const uint8_t *w, int T, int O, \
                                    int K);

#define HEED_PACK_DECLARE(set, panel, name)                                                                            \
    int heed_pack_##name##_##set(panel *to, const heed_block_##name *from, int blocks);

#define HEED_LEARNING_DECLARE(set, result, name, parameters) result heed_##name##_##set parameters;
#define HEED_LEARNING_ENTRY(set, result, name, parameters) .name = heed_##name##_##set,

#define HEED_KERNEL_DECLARE(set)                                                                                       \
    void heed_matmul_f32_##set(float *y, size_t y_stride, const float *x, size_t x_stride, const float *w, int T,      \
                               int O, int K);                                                                          \
    void heed_matmul_f16_##set(float *y, size_t y_stride, const float *x, size_t x_stride, const uint16_t *w, int T,   \
                               int O, int K);                                                                          \
    void heed_matmul_bf16_##set(float *y, size_t y_stride, const float *x, size_t x_stride, const uint16_t *w, int T,  \
                                int O, int K);                                                                         \
    void heed_matmul_q8_0_##set(float *y, size_t y_stride, const heed_block_q8 *x, const heed_panel_q8_0 *w, int T,    \
                                int O, int K);                                                                         \
    void heed_matmul_q4_0_##set(float *y, size_t y_stride, const heed_block_q8 *x, const heed_panel_q4_0 *w, int T,    \
                                int O, int K);                                                                         \
    void heed_quantize_q8_##set(heed_block_q8 *y, const float *x, int K);                                              \
    void heed_combine_f32_##set(float *z, size_t z_stride, const float *p, size_t p_stride, const float *v, int T,     \
                                int N, int D);                                                                         \
    float heed_quantize_i16_##set(int16_t *q, const float *x, int n);                                                  \
    void heed_scores_i16_##set(float *y, size_t y_stride, const int16_t *q, size_t q_stride, const float *dq,          \
                               size_t dq_stride, const int16_t *k, const float *dk, int T, int N, int D);              \
    void heed_combine_i16_##set(float *z, size_t z_stride, const float *p, size_t p_stride, const int16_t *v,          \
                                const float *dv, int T, int N, int D);                                                 \
    int heed_softmax_f32_##set(float *x, int n);                                                                       \
    void heed_layernorm_f32_##set(float *y, const float *x, const float *w, const float *b, float eps, int n);         \
    void heed_rmsnorm_f32_##set(float *y, const float *x, const float *w, float eps, int n);                           \
    void heed_add_f32_##set(float *y, const float *a, const float *b, size_t n);                                       \
    void heed_mul_f32_##set(float *y, const float *a, const float *b, size_t n);                                       \
    void heed_gelu_tanh_f32_##set(float *y, const float *x, size_t n);                                                 \
    void heed_gelu_erf_f32_##set(float *y, const float *x, size_t n);                                                  \
    void heed_silu_f32_##set(float *y, const float *x, size_t n);                                                      \
    void heed_relu_f32_##set(float *y, const float *x, size_t n);                                                      \
    void heed_rope_adjacent_f32_##set(float *x, const float *cs, int d);                                               \
    void heed_rope_halves_f32_##set(float *x, const float *cs, int d);                                                 \
    float heed_max_f32_##set(const float *x, size_t n);                                                                \
    float heed_sumexp_f32_##set(const float *x, float shift, size_t n);                                                \
    void heed_widen_f16_##set(float *y, const uint16_t *x, size_t n);                                                  \
    void heed_widen_bf16_##set(float *y, const uint16_t *x, size_t n);                                                 \
    void heed_quantize_q8_0_##set(heed_block_q8_0 *y, const float *x, int K);                                          \
    void heed_quantize_q4_0_##set(heed_block_q4_0 *y, const float *x, int K);                                          \
    HEED_PACK_DECLARE(set, heed_panel_q8_0, q8_0)                                                                      \
    HEED_PACK_DECLARE(set, heed_panel_q4_0, q4_0)                                                                      \
    HEED_PACK_DECLARE(set, uint8_t, q4_1)                                                                              \
    HEED_PACK_DECLARE(set, uint8_t, q5_0)                                                                              \
    HEED_PACK_DECLARE(set, uint8_t, q5_1)                                                                              \
    HEED_PACK_DECLARE(set, uint8_t, q2_k)                                                                              \
    HEED_PACK_DECLARE(set, uint8_t, q3_k)                                                                              \
    HEED_PACK_DECLARE(set, uint8_t, q4_k)                                                                              \
    HEED_PACK_DECLARE(set, uint8_t, q5_k)                                                                              \
    HEED_PACK_DECLARE(set, uint8_t, q6_k)                                                                              \
    HEED_PACK_DECLARE(set, heed_panel_q8_0, iq4_nl)                                                                    \
    HEED_PACK_DECLARE(set, heed_panel_q8_0, iq4_xs)                                                                    \
    HEED_MATMUL_DECLARE(set, q4_1)                                                                                     \
    HEED_MATMUL_DECLARE(set, q5_0)                                                                                     \
    HEED_MATMUL_DECLARE(set, q5_1)                                                                                     \
    HEED_MATMUL_DECLARE(set, q2_k)                                                                                     \
    HEED_MATMUL_DECLARE(set, q3_k)                                                                                     \
    HEED_MATMUL_DECLARE(set, q4_k)                                                                                     \
    HEED_MATMUL_DECLARE(set, q5_k)                                                                                     \
    HEED_MATMUL_DECLARE(set, q6_k)                                                                                     \
    HEED_LEARNING_KERNELS(HEED_LEARNING_DECLARE, set)

/* Fields of a table; a set that takes most from another names its own after them. */
#define HEED_KERNEL_FIELDS(set)                                                                                        \
    HEED_LEARNING_KERNELS(HEED_LEARNING_ENTRY, set)                                                                    \
        .matmul_f32 = heed_matmul_f32_##set,                                                                           \
    .matmul_f16 = heed_matmul_f16_##set, .matmul_bf16 = heed_matmul_bf16_##set, .matmul_q8_0 = heed_matmul_q8_0_##set, \
    .matmul_q4_0 = heed_matmul_q4_0_##set, .quantize_q8 = heed_quantize_q8_##set,                                      \
    .combine_f32 = heed_combine_f32_##set, .quantize_i16 = heed_quantize_i16_##set,                                    \
    .scores_i16 = heed_scores_i16_##set, .combine_i16 = heed_combine_i16_##set, .softmax_f32 = heed_softmax_f32_##set, \
    .layernorm_f32 = heed_layernorm_f32_##set, .rmsnorm_f32 = heed_rmsnorm_f32_##set, .add_f32 = heed_add_f32_##set,   \
    .mul_f32 = heed_mul_f32_##set, .gelu_tanh_f32 = heed_gelu_tanh_f32_##set, .gelu_erf_f32 = heed_gelu_erf_f32_##set, \
    .silu_f32 = heed_silu_f32_##set, .relu_f32 = heed_relu_f32_##set,                                                  \
    .rope_adjacent_f32 = heed_rope_adjacent_f32_##set, .rope_halves_f32 = heed_rope_halves_f32_##set,                  \
    .max_f32 = heed_max_f32_##set, .sumexp_f32 = heed_sumexp_f32_##set, .widen_f16 = heed_widen_f16_##set,             \
    .widen_bf16 = heed_widen_bf16_##set, .quantize_q8_0 = heed_quantize_q8_0_##set,                                    \
    .quantize_q4_0 = heed_quantize_q4_0_##set, .pack_q8_0 = heed_pack_q8_0_##set, .pack_q4_0 = heed_pack_q4_0_##set,   \
    .pack_q4_1 = heed_pack_q4_1_##set, .pack_q5_0 = heed_pack_q5_0_##set, .pack_q5_1 = heed_pack_q5_1_##set,           \
    .pack_q2_k = heed_pack_q2_k_##set, .pack_q3_k = heed_pack_q3_k_##set, .pack_q4_k = heed_pack_q4_k_##set,           \
    .pack_q5_k = heed_pack_q5_k_##set, .pack_q6_k = heed_pack_q6_k_##set, .pack_iq4_nl = heed_pack_iq4_nl_##set,       \
    .pack_iq4_xs = heed_pack_iq4_xs_##set, .matmul_q4_1 = heed_matmul_q4_1_##set,                                      \
    .matmul_q5_0 = heed_matmul_q5_0_##set, .matmul_q5_1 = heed_matmul_q5_1_##set,                                      \
    .matmul_q2_k = heed_matmul_q2_k_##set, .matmul_q3_k = heed_matmul_q3_k_##set,                                      \
    .matmul_q4_k = heed_matmul_q4_k_##set, .matmul_q5_k = heed_matmul_q5_k_##set,                                      \
    .matmul_q6_k = heed_matmul_q6_k_##set

#define HEED_KERNEL_TABLE(set)                                                                                         \
    { HEED_KERNEL_FIELDS(set) }

HEED_KERNEL_DECLARE(scalar)
#ifdef __wasm_simd128__
HEED_KERNEL_DECLARE(simd128)
#endif

#endif
