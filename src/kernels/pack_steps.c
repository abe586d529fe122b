/* From blocks as they lie in a file to the panels of step formats, and of Q8_0 where codes are looked up. */
#include <string.h>

#include "kernels/codes.h"
#include "kernels/steps.h"

/* An exponent of all ones: infinity or NaN. */
static inline int finite(uint16_t half) { return (half & 0x7c00) != 0x7c00; }

/* The codes of one row, `to` where its first four stand. */
static inline void put_codes(layout l, uint8_t *to, const uint8_t *q) {
    uint8_t pairs[HEED_BLOCK / 2];
    for (int i = 0; i < HEED_BLOCK / 2; i++)
        pairs[i] = (uint8_t)(q[i / 8 * 16 + i % 8] | q[i / 8 * 16 + 8 + i % 8] << 4);
    if (l.bits <= 4) q = pairs;
    for (int g = 0; g < groups_of(l); g++) memcpy(to + g * GROUP, q + 4 * g, 4);
}

static inline int put_step(layout l, uint8_t *panel, int step, int row, const codes *c) {
    uint16_t *halves = (uint16_t *)panel + row;
    halves[0] = c->d;
    if (l.minima) halves[HEED_PANEL] = c->m;
    for (int part = 0; part < l.scales; part++) {
        scales_of(l, panel, step, part)[row] = c->s[part];
        if (l.minima) minima_of(l, panel, step, part)[row] = c->n[part];
    }
    put_codes(l, codes_of(l, panel, step) + 4 * row, c->q);
    return finite(c->d) && finite(c->m);
}

#define X(NAME, name, elements, ...)                                                                                   \
    int heed_pack_##name(uint8_t *to, const heed_block_##name *from, int rows, int blocks) {                           \
        const layout l = LAYOUT(elements, __VA_ARGS__);                                                                \
        int all_finite = 1;                                                                                            \
        if (rows < HEED_PANEL) memset(to, 0, (size_t)blocks *panel_bytes(l));                                          \
        for (int row = 0; row < rows; row++)                                                                           \
            for (int b = 0; b < blocks; b++, from++)                                                                   \
                for (int step = 0; step < l.steps; step++) {                                                           \
                    codes c = codes_##name(from, step);                                                                \
                    all_finite &= put_step(l, to + (size_t)b * panel_bytes(l), step, row, &c);                         \
                }                                                                                                      \
        return all_finite;                                                                                             \
    }
HEED_STEP_FORMATS(X)
#undef X

static void put_looked_up(heed_panel_q8_0 *to, int row, float d, const uint8_t *from) {
    static const int8_t values[16] = {HEED_IQ4_VALUES};
    to->d[row] = d;
    for (int i = 0; i < HEED_BLOCK; i++)
        to->q[i / 4][row][i % 4] = values[i < HEED_BLOCK / 2 ? from[i] & 15 : from[i - HEED_BLOCK / 2] >> 4];
}

int heed_pack_iq4_nl(heed_panel_q8_0 *to, const heed_block_iq4_nl *from, int rows, int blocks) {
    int all_finite = 1;
    if (rows < HEED_PANEL) memset(to, 0, (size_t)blocks * sizeof *to);
    for (int row = 0; row < rows; row++) {
        for (int b = 0; b < blocks; b++, from++) {
            all_finite &= finite(from->d);
            put_looked_up(&to[b], row, float_of_f16(from->d), from->q);
        }
    }
    return all_finite;
}

int heed_pack_iq4_xs(heed_panel_q8_0 *to, const heed_block_iq4_xs *from, int rows, int blocks) {
    enum { STEPS = 8 };
    int all_finite = 1;
    if (rows < HEED_PANEL) memset(to, 0, (size_t)(blocks * STEPS) * sizeof *to);
    for (int row = 0; row < rows; row++) {
        for (int b = 0; b < blocks; b++, from++) {
            all_finite &= finite(from->d);
            for (int k = 0; k < STEPS; k++) {
                int s = ((from->s[k / 2] >> 4 * (k % 2) & 15) | (from->h >> 2 * k & 3) << 4) - 32;
                put_looked_up(&to[b * STEPS + k], row, float_of_f16(from->d) * (float)s, from->q + 16 * k);
            }
        }
    }
    return all_finite;
}
