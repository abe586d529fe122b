/* One step of a weight block of a file taken apart, the same for every format: what panels are packed from. */
#ifndef HEED_KERNELS_CODES_H
#define HEED_KERNELS_CODES_H

#include "kernels/formats.h"
#include "kernels/half.h"

#include <string.h>

/* 32 weights: w[i] = d·s[i / 16]·(q[i] - zero) + m·n[i / 16], zero that of HEED_STEP_FORMATS.  Without integer scales
 * s and n are not set. */
typedef struct codes {
    uint16_t d, m; /* half precision */
    int8_t s[2], n[2];
    uint8_t q[32];
} codes;

static inline uint16_t opposite(uint16_t half) { return half ^ 0x8000; }

/* 32 nibbles, the low ones first. */
static inline void nibbles(uint8_t *q, const uint8_t *from) {
    for (int i = 0; i < 16; i++) {
        q[i] = from[i] & 15;
        q[16 + i] = from[i] >> 4;
    }
}

/* The same, and bit i of the 32 at h above code i. */
static inline void nibbles_and_bits(uint8_t *q, const uint8_t *from, const uint8_t *h) {
    nibbles(q, from);
    for (int i = 0; i < 4; i++) {
        uint64_t bits = h[i] * 0x0101010101010101u & 0x8040201008040201u, eight; /* bit k in byte k, alone */
        memcpy(&eight, q + 8 * i, 8);
        eight |= (bits + 0x7f7f7f7f7f7f7f7fu) >> 3 & 0x1010101010101010u; /* any bit carries into the topmost */
        memcpy(q + 8 * i, &eight, 8);
    }
}

static inline codes codes_q4_1(const heed_block_q4_1 *w, int step) {
    (void)step;
    codes c = {.d = w->d, .m = w->m};
    nibbles(c.q, w->q);
    return c;
}

static inline codes codes_q5_0(const heed_block_q5_0 *w, int step) {
    (void)step;
    codes c = {.d = w->d};
    nibbles_and_bits(c.q, w->q, w->h);
    return c;
}

static inline codes codes_q5_1(const heed_block_q5_1 *w, int step) {
    (void)step;
    codes c = {.d = w->d, .m = w->m};
    nibbles_and_bits(c.q, w->q, w->h);
    return c;
}

static inline codes codes_q2_k(const heed_block_q2_k *w, int step) {
    codes c = {.d = w->d, .m = opposite(w->m)};
    const uint8_t *q = w->q + 32 * (step / 4);
    for (int half = 0; half < 2; half++) {
        c.s[half] = w->s[2 * step + half] & 15;
        c.n[half] = (int8_t)(w->s[2 * step + half] >> 4);
    }
    for (int i = 0; i < 32; i++) c.q[i] = q[i] >> 2 * (step % 4) & 3;
    return c;
}

static inline codes codes_q3_k(const heed_block_q3_k *w, int step) {
    codes c = {.d = w->d};
    const uint8_t *q = w->q + 32 * (step / 4);
    for (int half = 0; half < 2; half++) {
        int j = 2 * step + half;
        c.s[half] = (int8_t)(((w->s[j % 8] >> 4 * (j / 8) & 15) | (w->s[8 + j % 4] >> 2 * (j / 4) & 3) << 4) - 32);
    }
    for (int i = 0; i < 32; i++) c.q[i] = (uint8_t)((q[i] >> 2 * (step % 4) & 3) | (w->h[i] >> step & 1) << 2);
    return c;
}

/* Scale and minimum of Q4_K and Q5_K, six bits each. */
static inline codes scales_of_6_bits(uint16_t d, uint16_t m, const uint8_t *p, int step) {
    int s = step < 4 ? p[step] & 63 : (p[step + 4] & 15) | p[step - 4] >> 6 << 4;
    int n = step < 4 ? p[step + 4] & 63 : p[step + 4] >> 4 | p[step] >> 6 << 4;
    return (codes){.d = d, .m = opposite(m), .s = {(int8_t)s}, .n = {(int8_t)n}};
}

static inline codes codes_q4_k(const heed_block_q4_k *w, int step) {
    codes c = scales_of_6_bits(w->d, w->m, w->s, step);
    const uint8_t *q = w->q + 32 * (step / 2);
    for (int i = 0; i < 32; i++) c.q[i] = q[i] >> 4 * (step % 2) & 15;
    return c;
}

static inline codes codes_q5_k(const heed_block_q5_k *w, int step) {
    codes c = scales_of_6_bits(w->d, w->m, w->s, step);
    const uint8_t *q = w->q + 32 * (step / 2);
    for (int i = 0; i < 32; i++) c.q[i] = (uint8_t)((q[i] >> 4 * (step % 2) & 15) | (w->h[i] >> step & 1) << 4);
    return c;
}

static inline codes codes_q6_k(const heed_block_q6_k *w, int step) {
    int k = step % 4;
    const uint8_t *q = w->q + 64 * (step / 4) + 32 * (k % 2), *h = w->h + 32 * (step / 4);
    codes c = {.d = w->d, .s = {w->s[2 * step], w->s[2 * step + 1]}};
    for (int i = 0; i < 32; i++) c.q[i] = (uint8_t)((q[i] >> 4 * (k / 2) & 15) | (h[i] >> 2 * k & 3) << 4);
    return c;
}

/* 32 weights whose codes were looked up: w[i] = d·q[i]. */
typedef struct values {
    float d; /* exact: of 11 bits by 6 */
    int8_t q[32];
} values;

static inline void look_up(int8_t *q, const uint8_t *from) {
    static const int8_t table[16] = {HEED_IQ4_VALUES};
    for (int i = 0; i < 16; i++) {
        q[i] = table[from[i] & 15];
        q[16 + i] = table[from[i] >> 4];
    }
}

static inline values values_iq4_nl(const heed_block_iq4_nl *w, int step) {
    (void)step;
    values v = {.d = float_of_f16(w->d)};
    look_up(v.q, w->q);
    return v;
}

static inline values values_iq4_xs(const heed_block_iq4_xs *w, int step) {
    int s = ((w->s[step / 2] >> 4 * (step % 2) & 15) | (w->h >> 2 * step & 3) << 4) - 32;
    values v = {.d = float_of_f16(w->d) * (float)s};
    look_up(v.q, w->q + 16 * step);
    return v;
}

#endif
