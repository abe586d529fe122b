/* The compact cache of keys and values: a vector is 16-bit codes with one scale. */
#ifndef HEED_KERNELS_CODES_I16_H
#define HEED_KERNELS_CODES_I16_H

#include "kernels/formats/formats.h"

#include <stddef.h>
#include <stdint.h>

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

/* Values of one head are [stripes][C / 32][S / 8][16 pairs of positions][8 of S][2 positions], rounded up: a stripe is
 * S columns.  A lane of a product is a column; it sums the two positions of a pair.  A product reads all stripes in
 * turns, so the processor fetches the next lines of one while another is computed. */
enum { HEED_STRIPES = 4 };

/* Columns S of a stripe: whole panels. */
static inline int heed_stripe_columns(int D) {
    return (D + HEED_STRIPES * HEED_PANEL - 1) / (HEED_STRIPES * HEED_PANEL) * HEED_PANEL;
}

/* Codes of a stripe of C positions.  The number of blocks is odd, so that equal places of stripes do not share the same
 * lines of a cache. */
static inline uint64_t heed_stripe_codes(int D, int C) {
    return (((uint64_t)C + HEED_BLOCK - 1) / HEED_BLOCK | 1) * HEED_BLOCK * (uint64_t)heed_stripe_columns(D);
}

/* Codes of the values of one head. */
static inline uint64_t heed_value_codes(int D, int C) {
    int columns = heed_stripe_columns(D);
    return (uint64_t)((D + columns - 1) / columns) * heed_stripe_codes(D, C);
}

/* Index of the code of value j, column d. */
static inline size_t heed_value_at(int D, int C, int j, int d) {
    int columns = heed_stripe_columns(D), panel = d % columns / HEED_PANEL;
    size_t block = (size_t)(j / HEED_BLOCK) * (size_t)(columns / HEED_PANEL) + (size_t)panel;
    size_t pair = block * (HEED_BLOCK / 2) + (size_t)(j % HEED_BLOCK / 2);
    return (size_t)(d / columns) * (size_t)heed_stripe_codes(D, C) + pair * 2 * HEED_PANEL +
           (size_t)(d % HEED_PANEL * 2 + j % 2);
}

#endif
