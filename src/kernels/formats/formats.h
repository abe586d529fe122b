/* Blocks of quantized weights in a GGUF file (ggml-common.h of llama.cpp), and the panels of Q8_0 and Q4_0 that
 * products read.  In files, d and m are IEEE half precision.  src/kernels/README.md says how to add a format. */
#ifndef HEED_KERNELS_FORMATS_H
#define HEED_KERNELS_FORMATS_H

#include <stdint.h>

#define HEED_BLOCK 32      /* weights of a block or sub-block, which meet one block of activations */
#define HEED_PANEL 8       /* rows of weights side by side */
#define HEED_READ_ROWS 128 /* most rows of panels that become codes of 16 bits at once */

/* One block of quantized activations, for products with quantized weights: x[i] ~ d·q[i], |q| <= 127. */
typedef struct heed_block_q8 {
    float d;
    int8_t q[HEED_BLOCK];
} heed_block_q8;

typedef struct heed_block_q8_0 {
    uint16_t d;
    int8_t q[HEED_BLOCK]; /* w[i] = d·q[i] */
} heed_block_q8_0;
typedef struct heed_block_q4_0 {
    uint16_t d;
    uint8_t q[HEED_BLOCK / 2]; /* w[i] = d·((q[i] & 15) - 8), w[i + 16] = d·((q[i] >> 4) - 8) */
} heed_block_q4_0;

/* Panels: the same blocks of eight rows side by side, four columns of a row together.  Four activations then meet all
 * eight rows at once, as two pairs of 16 bits or as four bytes (relaxed SIMD).  A matrix [O][K] is [ceil(O / 8)][K /
 * 32] panels; rows past O are zeros.  Scales are finite. */
typedef struct heed_panel_q8_0 {
    float d[HEED_PANEL]; /* as float: 6 % larger than in the file, but without conversion */
    /* q[i][row][j] is the code of column 4i + j, with its sign bit flipped in even columns.  Two bytes are then one
     * signed number of 16 bits, code + 128 of the even column and 256 times the code of the odd one. */
    uint8_t q[HEED_BLOCK / 4][HEED_PANEL][4];
} heed_panel_q8_0;
typedef struct heed_panel_q4_0 {
    uint16_t d[HEED_PANEL]; /* half precision: floats would take 11 % more */
    /* w[row][4i + j] = d[row]·((q[i][row][j] & 15) - 8), w[row][4i + j + 16] = d[row]·((q[i][row][j] >> 4) - 8) */
    uint8_t q[HEED_BLOCK / 8][HEED_PANEL][4];
} heed_panel_q4_0;

static inline int heed_code_q4_0(const heed_panel_q4_0 *p, int row, int column) {
    uint8_t byte = p->q[column % 16 / 4][row][column % 4];
    return (column < 16 ? byte & 15 : byte >> 4) - 8;
}

/* The sign bit of the even column, of two bytes of Q8_0 as 16 bits. */
enum { HEED_FLIP_Q8_0 = 0x0080 };
static inline int heed_code_q8_0(const heed_panel_q8_0 *p, int row, int column) {
    uint8_t byte = p->q[column / 4][row][column % 4];
    return (int8_t)(column % 2 ? byte : byte ^ 0x80);
}
static inline void heed_put_codes_q8_0(heed_panel_q8_0 *p, int row, const int8_t q[HEED_BLOCK]) {
    for (int i = 0; i < HEED_BLOCK; i++) p->q[i / 4][row][i % 4] = (uint8_t)(i % 2 ? q[i] : q[i] ^ 0x80);
}

/* Affine formats: w[i] = d·s·q[i] + m·n.  A weight has a code q.  A block has two numbers d and m.  A sub-block of 32
 * weights, or each half of it, has an integer scale s and an integer minimum n.  Formats without them have s = 1 and n
 * = 0.  A block is one or eight sub-blocks.  decode.h decodes a sub-block, affine.h has the panels.  In a struct with
 * m, m directly follows d, because pack_affine_simd.c reads both by one pointer.
 *
 * X(NAME, name, weights of a block, bits of a code, integer scales of a sub-block, has minima, code of weight 0) */
#define HEED_AFFINE_FORMATS(X)                                                                                         \
    X(Q4_1, q4_1, 32, 4, 0, 1, 0)                                                                                      \
    X(Q5_0, q5_0, 32, 5, 0, 0, 16)                                                                                     \
    X(Q5_1, q5_1, 32, 5, 0, 1, 0)                                                                                      \
    X(Q2_K, q2_k, 256, 2, 2, 1, 0)                                                                                     \
    X(Q3_K, q3_k, 256, 3, 2, 0, 4)                                                                                     \
    X(Q4_K, q4_k, 256, 4, 1, 1, 0)                                                                                     \
    X(Q5_K, q5_k, 256, 5, 1, 1, 0)                                                                                     \
    X(Q6_K, q6_k, 256, 6, 2, 0, 32)

/* A line of HEED_AFFINE_FORMATS. */
typedef struct affine_layout {
    int sub_blocks; /* of a block */
    int bits;       /* of a code: up to 4, 5, or more, stored as bytes */
    int scales;     /* integer scales of a sub-block: 0, 1 or 2 */
    int minima;     /* 0 or 1 */
    int zero;       /* the code of weight 0 */
} affine_layout;

/* Formats whose codes index a table of values.  In memory they are Q8_0, whose float scales hold d·s exactly.
 * X(NAME, name, weights of a block) */
#define HEED_IQ4_FORMATS(X)                                                                                            \
    X(IQ4_NL, iq4_nl, 32)                                                                                              \
    X(IQ4_XS, iq4_xs, 256)

#define HEED_IQ4_VALUES -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113

/* Blocks of 32.  The low four bits of weight j are the low half of q[j], the low four bits of weight j + 16 its high
 * half.  Bit i of h is bit 4 of weight i. */
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
    uint8_t q[16]; /* w = d·values[q], HEED_IQ4_VALUES */
} heed_block_iq4_nl;

/* Blocks of 256 (K-quants): the eight sub-blocks k share bytes.  i < 32 is a weight of the sub-block, g = k / 4 the
 * half of the block. */
typedef struct heed_block_q2_k {
    uint8_t s[16]; /* of each half sub-block: scale in the low four bits, minimum in the high four */
    uint8_t q[64]; /* bits 2(k % 4) of q[32g + i] */
    uint16_t d, m; /* w = d·s·q - m·n */
} heed_block_q2_k;
typedef struct heed_block_q3_k {
    uint8_t h[32]; /* bit k of h[i] is bit 2 of the code */
    uint8_t q[64]; /* bits 2(k % 4) of q[32g + i] */
    uint8_t s[12]; /* of each half sub-block j, 6 bits: the low four in nibble j / 8 of s[j % 8], the high two in bits
                    * 2(j / 4) of s[8 + j % 4] */
    uint16_t d;    /* w = d·(s - 32)·(q - 4) */
} heed_block_q3_k;
typedef struct heed_block_q4_k {
    uint16_t d, m;
    uint8_t s[12];  /* of each sub-block, 6 bits.  k < 4: scale in s[k], minimum in s[k + 4].
                     * k >= 4: the nibbles of s[k + 4] are the low four bits of both.
                     * The top bits of s[k - 4] and s[k] are the high two */
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
    int8_t s[16];   /* of each half sub-block */
    uint16_t d;     /* w = d·s·(q - 32) */
} heed_block_q6_k;
typedef struct heed_block_iq4_xs {
    uint16_t d;
    uint16_t h;     /* bits 2k are bits 4 and 5 of scale k */
    uint8_t s[4];   /* nibble k % 2 of s[k / 2] is the low four bits of scale k */
    uint8_t q[128]; /* 16 bytes for each sub-block, as in IQ4_NL; w = d·(s - 32)·values[q] */
} heed_block_iq4_xs;

#endif
