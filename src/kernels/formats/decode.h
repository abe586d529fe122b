/* Decodes one sub-block (32 weights) of a block in a file, the same way for every format; packing starts from it. */
#ifndef HEED_KERNELS_DECODE_H
#define HEED_KERNELS_DECODE_H

#include "kernels/formats/formats.h"
#include "kernels/half.h"

#include <string.h>

/* Sub-block of an affine format: w[i] = d·s[i / 16]·(q[i] - zero) + m·n[i / 16], with the zero of HEED_AFFINE_FORMATS.
 * If a sub-block has one scale, only s[0] and n[0] are set; without integer scales, neither. */
typedef struct sub_block {
    uint16_t d, m; /* half precision */
    int8_t s[2], n[2];
    uint8_t q[32];
} sub_block;

static inline uint16_t opposite(uint16_t half) { return half ^ 0x8000; }

/* 32 nibbles: the low ones, then the high ones. */
static inline void nibbles(uint8_t *q, const uint8_t *from) {
    for (int i = 0; i < 16; i++) {
        q[i] = from[i] & 15;
        q[16 + i] = from[i] >> 4;
    }
}

/* The same, with bit i of the 32 at h above nibble i. */
static inline void nibbles_and_bits(uint8_t *q, const uint8_t *from, const uint8_t *h) {
    nibbles(q, from);
    for (int i = 0; i < 4; i++) {
        uint64_t bits = h[i] * 0x0101010101010101u & 0x8040201008040201u, eight; /* bit k in byte k */
        memcpy(&eight, q + 8 * i, 8);
        eight |= (bits + 0x7f7f7f7f7f7f7f7fu) >> 3 & 0x1010101010101010u; /* a set bit carries into bit 7 */
        memcpy(q + 8 * i, &eight, 8);
    }
}

static inline sub_block decode_q4_1(const heed_block_q4_1 *w, int sub) {
    (void)sub;
    sub_block c = {.d = w->d, .m = w->m};
    nibbles(c.q, w->q);
    return c;
}

static inline sub_block decode_q5_0(const heed_block_q5_0 *w, int sub) {
    (void)sub;
    sub_block c = {.d = w->d};
    nibbles_and_bits(c.q, w->q, w->h);
    return c;
}

static inline sub_block decode_q5_1(const heed_block_q5_1 *w, int sub) {
    (void)sub;
    sub_block c = {.d = w->d, .m = w->m};
    nibbles_and_bits(c.q, w->q, w->h);
    return c;
}

/* Where the codes of a sub-block of a K-quant are.  The low bits of code i are low.at[i] >> low.shift & low.mask.
 * Unless `up` is 0, `high` gives more bits likewise, shifted left by `up`. */
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

/* q must be zeros. */
static inline void read_planes(uint8_t *q, planes p) {
    read_plane(q, p.low.at, p.low.shift, p.low.mask, 0);
    if (p.up) read_plane(q, p.high.at, p.high.shift, p.high.mask, p.up);
}

static inline sub_block decode_q2_k(const heed_block_q2_k *w, int sub) {
    sub_block c = {.d = w->d, .m = opposite(w->m)};
    for (int half = 0; half < 2; half++) {
        c.s[half] = w->s[2 * sub + half] & 15;
        c.n[half] = (int8_t)(w->s[2 * sub + half] >> 4);
    }
    read_planes(c.q, planes_q2_k(w, sub));
    return c;
}

static inline sub_block decode_q3_k(const heed_block_q3_k *w, int sub) {
    sub_block c = {.d = w->d};
    for (int half = 0; half < 2; half++) {
        int j = 2 * sub + half;
        c.s[half] = (int8_t)(((w->s[j % 8] >> 4 * (j / 8) & 15) | (w->s[8 + j % 4] >> 2 * (j / 4) & 3) << 4) - 32);
    }
    read_planes(c.q, planes_q3_k(w, sub));
    return c;
}

/* Scale and minimum of Q4_K and Q5_K, six bits each. */
static inline sub_block scales_of_6_bits(uint16_t d, uint16_t m, const uint8_t *p, int sub) {
    int s = sub < 4 ? p[sub] & 63 : (p[sub + 4] & 15) | p[sub - 4] >> 6 << 4;
    int n = sub < 4 ? p[sub + 4] & 63 : p[sub + 4] >> 4 | p[sub] >> 6 << 4;
    return (sub_block){.d = d, .m = opposite(m), .s = {(int8_t)s}, .n = {(int8_t)n}};
}

static inline sub_block decode_q4_k(const heed_block_q4_k *w, int sub) {
    sub_block c = scales_of_6_bits(w->d, w->m, w->s, sub);
    read_planes(c.q, planes_q4_k(w, sub));
    return c;
}

static inline sub_block decode_q5_k(const heed_block_q5_k *w, int sub) {
    sub_block c = scales_of_6_bits(w->d, w->m, w->s, sub);
    read_planes(c.q, planes_q5_k(w, sub));
    return c;
}

static inline sub_block decode_q6_k(const heed_block_q6_k *w, int sub) {
    sub_block c = {.d = w->d, .s = {w->s[2 * sub], w->s[2 * sub + 1]}};
    read_planes(c.q, planes_q6_k(w, sub));
    return c;
}

/* Sub-block of an IQ4 format: w[i] = d·q[i], q from the table of values. */
typedef struct iq4_sub_block {
    float d; /* exact: of 11 bits by 6 */
    int8_t q[32];
} iq4_sub_block;

static inline void look_up(int8_t *q, const uint8_t *from) {
    static const int8_t table[16] = {HEED_IQ4_VALUES};
    for (int i = 0; i < 16; i++) {
        q[i] = table[from[i] & 15];
        q[16 + i] = table[from[i] >> 4];
    }
}

static inline iq4_sub_block decode_iq4_nl(const heed_block_iq4_nl *w, int sub) {
    (void)sub;
    iq4_sub_block v = {.d = float_of_f16(w->d)};
    look_up(v.q, w->q);
    return v;
}

static inline float scale_iq4_xs(const heed_block_iq4_xs *w, int sub) {
    int s = ((w->s[sub / 2] >> 4 * (sub % 2) & 15) | (w->h >> 2 * sub & 3) << 4) - 32;
    return float_of_f16(w->d) * (float)s;
}

static inline iq4_sub_block decode_iq4_xs(const heed_block_iq4_xs *w, int sub) {
    iq4_sub_block v = {.d = scale_iq4_xs(w, sub)};
    look_up(v.q, w->q + 16 * sub);
    return v;
}

#endif
