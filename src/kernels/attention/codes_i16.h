/* The compact cache of keys and values: a vector is 16-bit codes with one scale. */
#ifndef HEED_KERNELS_CODES_I16_H
#define HEED_KERNELS_CODES_I16_H

#include "kernels/formats/formats.h"

#include <stddef.h>

/* x[i] ~ d·q[i], |q| <= HEED_CODE.  A sum of 32 products of codes is exact in int32, because 32·8191² < 2^31. */
#define HEED_CODE 8191

/* The codes of a query: an odd length is padded with one zero. */
#define HEED_EVEN(D) (((D) + 1) & ~1)

/* Positions in one panel of keys. */
#define HEED_KEYS 8

/* Index of the code of key j, column d.  Keys of one head are [positions / 8][pairs of D][8 positions][2 of D], rounded
 * up.  A lane of a product is a position; it sums the two codes of a pair. */
static inline size_t heed_key_at(int D, int j, int d) {
    size_t pair = (size_t)(j / HEED_KEYS) * (size_t)(HEED_EVEN(D) / 2) + (size_t)(d / 2);
    return pair * 2 * HEED_KEYS + (size_t)(j % HEED_KEYS * 2 + d % 2);
}

/* Index of the code of value j, column d.  Values of one head are
 * [positions / 32][D / 8][16 pairs of positions][8 of D][2 positions], rounded up.  A lane of a product is a column; it
 * sums the two positions of a pair. */
static inline size_t heed_value_at(int D, int j, int d) {
    size_t panel = (size_t)(j / HEED_BLOCK) * (size_t)((D + HEED_PANEL - 1) / HEED_PANEL) + (size_t)(d / HEED_PANEL);
    size_t pair = panel * (HEED_BLOCK / 2) + (size_t)(j % HEED_BLOCK / 2);
    return pair * 2 * HEED_PANEL + (size_t)(d % HEED_PANEL * 2 + j % 2);
}

#endif
