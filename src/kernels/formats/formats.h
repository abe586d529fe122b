/* Weight blocks as they lie in a GGUF file, beside Q8_0 and Q4_0 (ggml-common.h of llama.cpp).  d and m are IEEE half
 * precision.
 *
 * A block is one or eight steps: 32 weights that one block of activations meets.  In every format
 *     w[i] = d·s·q[i] + m·n
 * with a code q, an integer scale s and an integer minimum n that the 16 weights of half a step share, and two numbers
 * d and m of the block; what a format lacks is s = 1 or n = 0.  kernels/formats/codes.h takes a step apart, and
 * kernels/formats/affine.h has the panels that products read. */
#ifndef HEED_KERNELS_FORMATS_H
#define HEED_KERNELS_FORMATS_H

#include <stdint.h>

/* X(NAME, name, elements of a block, bits of a code, integer scales of a step, has minima, code of weight 0) */
#define HEED_STEP_FORMATS(X)                                                                                           \
    X(Q4_1, q4_1, 32, 4, 0, 1, 0)                                                                                      \
    X(Q5_0, q5_0, 32, 5, 0, 0, 16)                                                                                     \
    X(Q5_1, q5_1, 32, 5, 0, 1, 0)                                                                                      \
    X(Q2_K, q2_k, 256, 2, 2, 1, 0)                                                                                     \
    X(Q3_K, q3_k, 256, 3, 2, 0, 4)                                                                                     \
    X(Q4_K, q4_k, 256, 4, 1, 1, 0)                                                                                     \
    X(Q5_K, q5_k, 256, 5, 1, 1, 0)                                                                                     \
    X(Q6_K, q6_k, 256, 6, 2, 0, 32)

/* Codes that are looked up, which gives bytes: in memory these are Q8_0, whose scales as floats hold d·s exactly.
 * X(NAME, name, elements of a block) */
#define HEED_IQ4_FORMATS(X)                                                                                            \
    X(IQ4_NL, iq4_nl, 32)                                                                                              \
    X(IQ4_XS, iq4_xs, 256)

/* In blocks of 32, q[j] holds the low four bits of weight j below those of weight j + 16, and bit i of h is bit 4 of
 * weight i. */
typedef struct heed_block_q4_1 {
    uint16_t d, m;
    uint8_t q[16]; /* w = d·q + m */
} heed_block_q4_1;
typedef struct heed_block_q5_0 {
    uint16_t d;
    uint8_t h[4];
    uint8_t q[16]; /* w = d·(q - 16) */
} heed_block_q5_0;
typedef struct heed_block_q5_1 {
    uint16_t d, m;
    uint8_t h[4];
    uint8_t q[16]; /* w = d·q + m */
} heed_block_q5_1;
typedef struct heed_block_iq4_nl {
    uint16_t d;
    uint8_t q[16]; /* w = d·heed_iq4_values[q] */
} heed_block_iq4_nl;

/* In blocks of 256, step k of the eight stands beside others in the bits of the same bytes; i < 32 is a weight of the
 * step, and g = k / 4 the half of the block. */
typedef struct heed_block_q2_k {
    uint8_t s[16]; /* of the halves of the steps: scale in the low four bits, minimum in the high */
    uint8_t q[64]; /* bits 2(k % 4) of q[32g + i] */
    uint16_t d, m; /* w = d·s·q - m·n */
} heed_block_q2_k;
typedef struct heed_block_q3_k {
    uint8_t h[32]; /* bit k of h[i] is bit 2 of the code */
    uint8_t q[64]; /* bits 2(k % 4) of q[32g + i] */
    uint8_t s[12]; /* of the halves of the steps, 6 bits each: low four of j in nibble j / 8 of s[j % 8], high two in
                    * bits 2(j / 4) of s[8 + j % 4] */
    uint16_t d;    /* w = d·(s - 32)·(q - 4) */
} heed_block_q3_k;
typedef struct heed_block_q4_k {
    uint16_t d, m;
    uint8_t s[12]; /* of the steps, 6 bits each: scale k in s[k], minimum in s[k + 4] for k < 4; for others the low four
                    * bits in the nibbles of s[k + 4], the high two atop s[k - 4] and s[k] */
    uint8_t q[128]; /* nibble k % 2 of q[32(k / 2) + i]; w = d·s·q - m·n */
} heed_block_q4_k;
typedef struct heed_block_q5_k {
    uint16_t d, m;
    uint8_t s[12];  /* as in Q4_K */
    uint8_t h[32];  /* bit k of h[i] is bit 4 of the code */
    uint8_t q[128]; /* as in Q4_K; w = d·s·q - m·n */
} heed_block_q5_k;
typedef struct heed_block_q6_k {
    uint8_t q[128]; /* nibble (k % 4) / 2 of q[64g + 32(k % 2) + i] */
    uint8_t h[64];  /* bits 2(k % 4) of h[32g + i] are bits 4 and 5 of the code */
    int8_t s[16];   /* of the halves of the steps */
    uint16_t d;     /* w = d·s·(q - 32) */
} heed_block_q6_k;
typedef struct heed_block_iq4_xs {
    uint16_t d;
    uint16_t h;     /* bits 2k are bits 4 and 5 of scale k */
    uint8_t s[4];   /* nibble k % 2 of s[k / 2] is the rest of it */
    uint8_t q[128]; /* every 16 bytes as in IQ4_NL; w = d·(s - 32)·heed_iq4_values[q] */
} heed_block_iq4_xs;

#define HEED_IQ4_VALUES -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113

#endif
