/* Panels of the step formats: eight rows side by side, as those of Q8_0 and Q4_0 (kernels.h), a block of steps each.
 *
 * A panel is, without gaps,
 *     uint16_t d[8]                       half precision
 *     uint16_t m[8]                       where there are minima: weights are d·s·q + m·n
 *     int8_t s[steps][scales][8]          where there are integer scales: of steps, or of halves of steps
 *     int8_t n[steps][scales][8]          and minima
 *     uint8_t codes[steps][...][8][4]     four columns of every row after one another, q + zero
 * Codes of more than 5 bits: [8] groups of four columns.  Codes of 4 bits: [4], two groups in each byte, columns
 * 16h + 4g + i low and 16h + 4g + 8 + i high of codes[step][2h + g][row][i], so that halves stay apart.
 * Codes of 5 bits: three pairs of columns in two numbers of 16 bits, and the last pair as bytes,
 *     uint16_t triples[5][8][2]           columns of pairs 3g, 3g + 1 and 3g + 2, 5 bits each, the first lowest
 *     uint8_t last[8][2]                  those of pair 15
 * where pair 2i is columns 4i and 4i + 2, pair 2i + 1 those between: the even and the odd bytes of a group of four.
 *
 * Groups of four are what the dot product of bytes reads; that of 16 bits takes each two bytes as one number. */
#ifndef HEED_KERNELS_STEPS_H
#define HEED_KERNELS_STEPS_H

#include "kernels/formats/codes.h"
#include "kernels/half.h"
#include "kernels/kernels.h"

typedef struct layout {
    int steps;  /* of a block */
    int bits;   /* of a code: up to 4, 5, or more, of a byte */
    int scales; /* integer scales of a step: 0, 1 or 2 */
    int minima; /* 0 or 1 */
    int zero;   /* the code of weight 0 */
} layout;
#define LAYOUT(elements, bits, scales, minima, zero) ((layout){elements / HEED_BLOCK, bits, scales, minima, zero})

/* Parts of a step that have a scale: what one integer sum runs over. */
static inline int parts_of(layout l) { return l.scales == 2 ? 2 : 1; }

/* Groups of a step that lie after one another. */
static inline int groups_of(layout l) { return l.bits > 5 ? HEED_BLOCK / 4 : l.bits == 5 ? 5 : HEED_BLOCK / 8; }
enum { GROUP = 4 * HEED_PANEL }; /* its bytes */

static inline size_t step_bytes(layout l) {
    return (size_t)(groups_of(l) * GROUP + (l.bits == 5 ? 2 * HEED_PANEL : 0));
}
static inline size_t scales_at(layout l) { return (size_t)(2 * HEED_PANEL * (1 + l.minima)); }
static inline size_t scales_bytes(layout l) { return (size_t)(l.steps * l.scales * HEED_PANEL); }
static inline size_t codes_at(layout l) { return scales_at(l) + scales_bytes(l) * (size_t)(1 + l.minima); }

/* Bytes of a panel, as a constant: codes_at() and step_bytes() of every sub-block. */
#define PANEL_BYTES(elements, bits, scales, minima, zero)                                                              \
    (HEED_PANEL * ((2 + (elements) / HEED_BLOCK * (scales)) * (1 + (minima)) + (elements) / HEED_BLOCK *               \
                                                                                   ((bits) > 5    ? HEED_BLOCK         \
                                                                                    : (bits) == 5 ? 22                 \
                                                                                                  : HEED_BLOCK / 2)))
static inline size_t panel_bytes(layout l) {
    return (size_t)PANEL_BYTES(l.steps * HEED_BLOCK, l.bits, l.scales, l.minima, l.zero);
}

static inline int8_t *scales_of(layout l, const uint8_t *panel, int step, int part) {
    return (int8_t *)panel + scales_at(l) + (step * l.scales + part) * HEED_PANEL;
}
static inline int8_t *minima_of(layout l, const uint8_t *panel, int step, int part) {
    return scales_of(l, panel, step, part) + scales_bytes(l);
}
static inline uint8_t *codes_of(layout l, const uint8_t *panel, int step) {
    return (uint8_t *)panel + codes_at(l) + (size_t)step * step_bytes(l);
}

/* What a part of a step multiplies its codes by and adds to them, both exact: of 11 bits by 8. */
static inline float scale_of(layout l, const uint8_t *panel, int step, int part, int row) {
    float d = float_of_f16(((const uint16_t *)panel)[row]);
    return l.scales ? d * (float)scales_of(l, panel, step, part)[row] : d;
}
static inline float minimum_of(layout l, const uint8_t *panel, int step, int part, int row) {
    if (!l.minima) return 0;
    float m = float_of_f16(((const uint16_t *)panel)[HEED_PANEL + row]);
    return l.scales ? m * (float)minima_of(l, panel, step, part)[row] : m;
}

/* Of codes of 5 bits: column i of a pair, i < 2, and back to the pair. */
static inline int column_of(int pair, int i) { return pair / 2 * 4 + pair % 2 + 2 * i; }
static inline int pair_of(int column) { return column / 4 * 2 + column % 2; }
enum { LAST_PAIR = 15 };

static inline int code_of_5_bits(const uint8_t *codes, int column, int row) {
    int pair = pair_of(column), i = column % 4 / 2;
    if (pair == LAST_PAIR) return codes[5 * GROUP + 2 * row + i];
    const uint8_t *triple = codes + pair / 3 * GROUP + 4 * row + 2 * i;
    return (triple[0] | triple[1] << 8) >> 5 * (pair % 3) & 31;
}

/* The code of one weight, less that of weight 0. */
static inline int code_of(layout l, const uint8_t *panel, int step, int column, int row) {
    const uint8_t *codes = codes_of(l, panel, step), *at = codes + 4 * row + column % 4;
    if (l.bits > 5) return at[column / 4 * GROUP] - l.zero;
    if (l.bits == 5) return code_of_5_bits(codes, column, row) - l.zero;
    int byte = at[(column / 16 * 2 + column % 8 / 4) * GROUP];
    return (column % 16 < 8 ? byte & 15 : byte >> 4) - l.zero;
}

/* The weights of a step taken apart.  Products are exact in single precision: their sum is rounded once. */
static inline void read_codes(float *y, const codes *c, layout l) {
    float d = float_of_f16(c->d), m = float_of_f16(c->m);
    for (int i = 0; i < HEED_BLOCK; i++) {
        int part = i * parts_of(l) / HEED_BLOCK, s = l.scales ? c->s[part] : 1, n = l.scales ? c->n[part] : 1;
        y[i] = d * (float)(s * (c->q[i] - l.zero)) + m * (float)n;
    }
}

#endif
