/* One step of a weight block of a file taken apart, the same for every format: what panels are packed from. */
#ifndef HEED_KERNELS_CODES_H
#define HEED_KERNELS_CODES_H

#include "kernels/formats/formats.h"
#include "kernels/half.h"

#include <string.h>

/* 32 weights: w[i] = d·s[i / 16]·(q[i] - zero) + m·n[i / 16], zero that of HEED_AFFINE_FORMATS.  Without integer scales
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

/* Where the codes of a step of a K-quant lie: code i is low.at[i] >> low.shift & low.mask and, unless `up` is 0, those
 * of `high` likewise above `up` bits. */
typedef struct plane {
    const uint8_t *at;
    int shift, mask;
} plane;
typedef struct planes {
    plane low, high;
    int up;
} planes;

static inline planes planes_q2_k(const heed_block_q2_k *w, int k) {
    return (planes){{w->q + 32 * (k / 4), 2 * (k % 4), 3}};
}
static inline planes planes_q3_k(const heed_block_q3_k *w, int k) {
    return (planes){{w->q + 32 * (k / 4), 2 * (k % 4), 3}, {w->h, k, 1}, 2};
}
static inline planes planes_q4_k(const heed_block_q4_k *w, int k) {
    return (planes){{w->q + 32 * (k / 2), 4 * (k % 2), 15}};
}
static inline planes planes_q5_k(const heed_block_q5_k *w, int k) {
    return (planes){{w->q + 32 * (k / 2), 4 * (k % 2), 15}, {w->h, k, 1}, 4};
}
static inline planes planes_q6_k(const heed_block_q6_k *w, int k) {
    return (planes){{w->q + 64 * (k / 4) + 32 * (k % 2), k % 4 / 2 * 4, 15}, {w->h + 32 * (k / 4), 2 * (k % 4), 3}, 4};
}

static inline void read_plane(uint8_t *q, const uint8_t *at, int shift, int mask, int up) {
    for (int i = 0; i < 32; i++) q[i] |= (uint8_t)((at[i] >> shift & mask) << up);
}

/* Into zeros. */
static inline void read_planes(uint8_t *q, planes p) {
    read_plane(q, p.low.at, p.low.shift, p.low.mask, 0);
    if (p.up) read_plane(q, p.high.at, p.high.shift, p.high.mask, p.up);
}

static inline codes codes_q2_k(const heed_block_q2_k *w, int step) {
    codes c = {.d = w->d, .m = opposite(w->m)};
    for (int half = 0; half < 2; half++) {
        c.s[half] = w->s[2 * step + half] & 15;
        c.n[half] = (int8_t)(w->s[2 * step + half] >> 4);
    }
    read_planes(c.q, planes_q2_k(w, step));
    return c;
}

static inline codes codes_q3_k(const heed_block_q3_k *w, int step) {
    codes c = {.d = w->d};
    for (int half = 0; half < 2; half++) {
        int j = 2 * step + half;
        c.s[half] = (int8_t)(((w->s[j % 8] >> 4 * (j / 8) & 15) | (w->s[8 + j % 4] >> 2 * (j / 4) & 3) << 4) - 32);
    }
    read_planes(c.q, planes_q3_k(w, step));
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
    read_planes(c.q, planes_q4_k(w, step));
    return c;
}

static inline codes codes_q5_k(const heed_block_q5_k *w, int step) {
    codes c = scales_of_6_bits(w->d, w->m, w->s, step);
    read_planes(c.q, planes_q5_k(w, step));
    return c;
}

static inline codes codes_q6_k(const heed_block_q6_k *w, int step) {
    codes c = {.d = w->d, .s = {w->s[2 * step], w->s[2 * step + 1]}};
    read_planes(c.q, planes_q6_k(w, step));
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

static inline float scale_iq4_xs(const heed_block_iq4_xs *w, int step) {
    int s = ((w->s[step / 2] >> 4 * (step % 2) & 15) | (w->h >> 2 * step & 3) << 4) - 32;
    return float_of_f16(w->d) * (float)s;
}

static inline values values_iq4_xs(const heed_block_iq4_xs *w, int step) {
    values v = {.d = scale_iq4_xs(w, step)};
    look_up(v.q, w->q + 16 * step);
    return v;
}

#endif
