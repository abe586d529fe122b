/* Panels of the affine formats: eight rows side by side, one block of each.
 *
 * A panel is, without gaps,
 *
 *     uint16_t d[8]                         half precision.
 *     uint16_t m[8]                         if the format has minima: weights are d·s·q + m·n.
 *     int8_t s[sub_blocks][scales][8]       if it has integer scales: of sub-blocks or of halves of sub-blocks.
 *     int8_t n[sub_blocks][scales][8]       if it has both.
 *     uint8_t codes[sub_blocks][...][8][4]  four columns of each row together, q + zero.
 *
 * Codes of more than 5 bits: [8] groups of four columns.
 *
 * Codes of up to 4 bits: [4] groups, two codes in a byte.  codes[sub_block][2h + g][row][i] holds column 16h + 4g + i
 * in its low half and column 16h + 4g + 8 + i in its high half, so the halves of a sub-block stay apart.
 *
 * Codes of 5 bits: three pairs of columns in two numbers of 16 bits, and the last pair as bytes.
 *
 *     uint16_t triples[5][8][2]             columns of pairs 3g, 3g + 1 and 3g + 2, 5 bits each, the first lowest
 *     uint8_t last[8][2]                    the columns of pair 15
 *
 * Pair 2i is columns 4i and 4i + 2, pair 2i + 1 is columns 4i + 1 and 4i + 3: the even and the odd bytes of a group.
 *
 * The dot product of bytes reads groups of four; the one of 16 bits reads two bytes as one number. */
#ifndef HEED_KERNELS_AFFINE_H
#define HEED_KERNELS_AFFINE_H

#include "kernels/formats/decode.h"
#include "kernels/half.h"
#include "kernels/kernels.h"

#define AFFINE_FIELDS(elements, bits, scales, minima, zero)                                                            \
    { elements / HEED_BLOCK, bits, scales, minima, zero }
#define AFFINE_LAYOUT(...) ((affine_layout)AFFINE_FIELDS(__VA_ARGS__))

/* Parts of a sub-block: its halves if each has an integer scale, else the sub-block. */
static inline int affine_parts(affine_layout l) { return l.scales == 2 ? 2 : 1; }

/* Groups of a sub-block, AFFINE_GROUP bytes each. */
static inline int affine_groups(affine_layout l) {
    return l.bits > 5 ? HEED_BLOCK / 4 : l.bits == 5 ? 5 : HEED_BLOCK / 8;
}
enum { AFFINE_GROUP = 4 * HEED_PANEL };

static inline size_t affine_sub_block_bytes(affine_layout l) {
    return (size_t)(affine_groups(l) * AFFINE_GROUP + (l.bits == 5 ? 2 * HEED_PANEL : 0));
}
static inline size_t affine_scales_at(affine_layout l) { return (size_t)(2 * HEED_PANEL * (1 + l.minima)); }
static inline size_t affine_scales_bytes(affine_layout l) { return (size_t)(l.sub_blocks * l.scales * HEED_PANEL); }
static inline size_t affine_codes_at(affine_layout l) {
    return affine_scales_at(l) + affine_scales_bytes(l) * (size_t)(1 + l.minima);
}

/* Bytes of a panel, as a constant: affine_codes_at() and affine_sub_block_bytes() of every sub-block. */
#define AFFINE_PANEL_BYTES(elements, bits, scales, minima, zero)                                                       \
    (HEED_PANEL * ((2 + (elements) / HEED_BLOCK * (scales)) * (1 + (minima)) + (elements) / HEED_BLOCK *               \
                                                                                   ((bits) > 5    ? HEED_BLOCK         \
                                                                                    : (bits) == 5 ? 22                 \
                                                                                                  : HEED_BLOCK / 2)))
static inline size_t affine_panel_bytes(affine_layout l) {
    return (size_t)AFFINE_PANEL_BYTES(l.sub_blocks * HEED_BLOCK, l.bits, l.scales, l.minima, l.zero);
}

static inline int8_t *affine_scales(affine_layout l, const uint8_t *panel, int sub, int part) {
    return (int8_t *)panel + affine_scales_at(l) + (sub * l.scales + part) * HEED_PANEL;
}
static inline int8_t *affine_minima(affine_layout l, const uint8_t *panel, int sub, int part) {
    return affine_scales(l, panel, sub, part) + affine_scales_bytes(l);
}
static inline uint8_t *affine_codes(affine_layout l, const uint8_t *panel, int sub) {
    return (uint8_t *)panel + affine_codes_at(l) + (size_t)sub * affine_sub_block_bytes(l);
}

/* The scale and the minimum of a part of sub-block `sub`; both products are exact, 11 bits by 8. */
static inline float affine_scale(affine_layout l, const uint8_t *panel, int sub, int part, int row) {
    float d = float_of_f16(((const uint16_t *)panel)[row]);
    return l.scales ? d * (float)affine_scales(l, panel, sub, part)[row] : d;
}
static inline float affine_minimum(affine_layout l, const uint8_t *panel, int sub, int part, int row) {
    if (!l.minima) return 0;
    float m = float_of_f16(((const uint16_t *)panel)[HEED_PANEL + row]);
    return l.scales ? m * (float)affine_minima(l, panel, sub, part)[row] : m;
}

/* Codes of 5 bits: column i < 2 of a pair, and the pair of a column. */
static inline int pair_column(int pair, int i) { return pair / 2 * 4 + pair % 2 + 2 * i; }
static inline int column_pair(int column) { return column / 4 * 2 + column % 2; }
enum { LAST_PAIR = 15 };

static inline int affine_code_5_bits(const uint8_t *codes, int column, int row) {
    int pair = column_pair(column), i = column % 4 / 2;
    if (pair == LAST_PAIR) return codes[5 * AFFINE_GROUP + 2 * row + i];
    const uint8_t *triple = codes + pair / 3 * AFFINE_GROUP + 4 * row + 2 * i;
    return (triple[0] | triple[1] << 8) >> 5 * (pair % 3) & 31;
}

/* The code of one weight minus the code of weight 0. */
static inline int affine_code(affine_layout l, const uint8_t *panel, int sub, int column, int row) {
    const uint8_t *codes = affine_codes(l, panel, sub), *at = codes + 4 * row + column % 4;
    if (l.bits > 5) return at[column / 4 * AFFINE_GROUP] - l.zero;
    if (l.bits == 5) return affine_code_5_bits(codes, column, row) - l.zero;
    int byte = at[(column / 16 * 2 + column % 8 / 4) * AFFINE_GROUP];
    return (column % 16 < 8 ? byte & 15 : byte >> 4) - l.zero;
}

/* The weights of a decoded sub-block.  Both products are exact in single precision, so only their sum is rounded. */
static inline void affine_decode(float *y, const sub_block *c, affine_layout l) {
    float d = float_of_f16(c->d), m = float_of_f16(c->m);
    for (int i = 0; i < HEED_BLOCK; i++) {
        int part = i * affine_parts(l) / HEED_BLOCK, s = l.scales ? c->s[part] : 1, n = l.scales ? c->n[part] : 1;
        y[i] = d * (float)(s * (c->q[i] - l.zero)) + m * (float)n;
    }
}

#endif
