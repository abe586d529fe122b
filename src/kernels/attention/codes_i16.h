/* The compact cache of keys and values: a vector is 16-bit codes with one scale. */
#ifndef HEED_KERNELS_CODES_I16_H
#define HEED_KERNELS_CODES_I16_H

#include "kernels/formats/formats.h"

#include <stddef.h>
#include <stdint.h>

/* x[i] ~ d·q[i], |q| <= HEED_CODE.  A sum of 32 products is exact in int32, because 32·8191·8192 < 2^31.  One of the
 * factors may reach 8192: codes of weights do. */
#define HEED_CODE 8191

/* The codes of a query: an odd length is padded with one zero. */
#define HEED_EVEN(D) (((D) + 1) & ~1)

/* Positions in one panel of keys. */
#define HEED_KEYS 8

/* Keys or values of 32 positions of one head.  A layer is [positions / 32][heads] of them, rounded up, so a product
 * with all heads reads memory in order. */
typedef struct heed_codes {
    float d[HEED_BLOCK];
    int16_t q[];
} heed_codes;

/* Bytes of a block. */
static inline size_t heed_codes_bytes(int D) {
    size_t columns = (size_t)((D + HEED_PANEL - 1) / HEED_PANEL * HEED_PANEL);
    return sizeof(heed_codes) + HEED_BLOCK * columns * sizeof(int16_t);
}

/* Block i from `at` on. */
static inline heed_codes *heed_codes_at(const heed_codes *at, int D, int i) {
    return (heed_codes *)((char *)at + (size_t)i * heed_codes_bytes(D));
}

/* Index of the code of key j of a block, column d: [4 panels][pairs of D][8 positions][2 of D].  A lane of a product is
 * a position; it sums the two codes of a pair. */
static inline int heed_key_at(int D, int j, int d) {
    return (j / HEED_KEYS * (HEED_EVEN(D) / 2) + d / 2) * 2 * HEED_KEYS + j % HEED_KEYS * 2 + d % 2;
}

/* Index of the code of value j of a block, column d: [D / 8][16 pairs of positions][8 of D][2 positions].  A lane of a
 * product is a column; it sums the two positions of a pair. */
static inline int heed_value_at(int j, int d) {
    return (d / HEED_PANEL * (HEED_BLOCK / 2) + j / 2) * 2 * HEED_PANEL + d % HEED_PANEL * 2 + j % 2;
}

#endif
