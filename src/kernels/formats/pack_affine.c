/* Packs blocks of a file into panels of the affine formats, and blocks of IQ4 into panels of Q8_0. */
#include <string.h>

#include "kernels/formats/decode.h"
#include "kernels/kernels.h"
#include "kernels/formats/affine.h"

/* Codes of five bits, of one row. */
static void put_triples(uint8_t *to, int row, const uint8_t *q) {
    for (int pair = 0; pair < LAST_PAIR; pair++)
        for (int i = 0; i < 2; i++) {
            int bits = q[pair_column(pair, i)] << 5 * (pair % 3);
            uint8_t *triple = to + pair / 3 * AFFINE_GROUP + 4 * row + 2 * i;
            if (pair % 3 == 0) triple[0] = triple[1] = 0;
            triple[0] |= (uint8_t)bits, triple[1] |= (uint8_t)(bits >> 8);
        }
    for (int i = 0; i < 2; i++) to[5 * AFFINE_GROUP + 2 * row + i] = q[pair_column(LAST_PAIR, i)];
}

/* The codes of a sub-block of one row. */
static inline void put_codes(affine_layout l, uint8_t *to, int row, const uint8_t *q) {
    if (l.bits == 5) {
        put_triples(to, row, q);
        return;
    }
    uint8_t pairs[HEED_BLOCK / 2];
    for (int i = 0; i < HEED_BLOCK / 2; i++)
        pairs[i] = (uint8_t)(q[i / 8 * 16 + i % 8] | q[i / 8 * 16 + 8 + i % 8] << 4);
    if (l.bits <= 4) q = pairs;
    for (int g = 0; g < affine_groups(l); g++) memcpy(to + g * AFFINE_GROUP + 4 * row, q + 4 * g, 4);
}

static inline int put_sub_block(affine_layout l, uint8_t *panel, int sub, int row, const sub_block *c) {
    uint16_t *halves = (uint16_t *)panel + row;
    halves[0] = c->d;
    if (l.minima) halves[HEED_PANEL] = c->m;
    for (int part = 0; part < l.scales; part++) {
        affine_scales(l, panel, sub, part)[row] = c->s[part];
        if (l.minima) affine_minima(l, panel, sub, part)[row] = c->n[part];
    }
    put_codes(l, affine_codes(l, panel, sub), row, c->q);
    return finite_f16(c->d) && finite_f16(c->m);
}

#define X(NAME, name, elements, ...)                                                                                   \
    int heed_pack_##name##_scalar(uint8_t *to, const heed_block_##name *from, int blocks) {                            \
        const affine_layout l = AFFINE_LAYOUT(elements, __VA_ARGS__);                                                  \
        int all_finite = 1;                                                                                            \
        for (int row = 0; row < HEED_PANEL; row++)                                                                     \
            for (int b = 0; b < blocks; b++, from++)                                                                   \
                for (int sub = 0; sub < l.sub_blocks; sub++) {                                                         \
                    sub_block c = decode_##name(from, sub);                                                            \
                    all_finite &= put_sub_block(l, to + (size_t)b * affine_panel_bytes(l), sub, row, &c);              \
                }                                                                                                      \
        return all_finite;                                                                                             \
    }
HEED_AFFINE_FORMATS(X)
#undef X

#define X(NAME, name, elements)                                                                                        \
    int heed_pack_##name##_scalar(heed_panel_q8_0 *to, const heed_block_##name *from, int blocks) {                    \
        const int sub_blocks = elements / HEED_BLOCK;                                                                  \
        int all_finite = 1;                                                                                            \
        for (int row = 0; row < HEED_PANEL; row++)                                                                     \
            for (int b = 0; b < blocks; b++, from++) {                                                                 \
                all_finite &= finite_f16(from->d);                                                                     \
                for (int sub = 0; sub < sub_blocks; sub++) {                                                           \
                    iq4_sub_block v = decode_##name(from, sub);                                                        \
                    heed_panel_q8_0 *panel = &to[b * sub_blocks + sub];                                                \
                    panel->d[row] = v.d;                                                                               \
                    heed_put_codes_q8_0(panel, row, v.q);                                                              \
                }                                                                                                      \
            }                                                                                                          \
        return all_finite;                                                                                             \
    }
HEED_IQ4_FORMATS(X)
#undef X
