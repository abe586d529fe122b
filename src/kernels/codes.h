/* One step of a weight block taken apart, the same for every format: what products and embeddings read. */
#ifndef HEED_KERNELS_CODES_H
#define HEED_KERNELS_CODES_H

#include "kernels/formats.h"
#include "kernels/half.h"

/* 32 weights: w[i] = d·s[i / 16]·q[i] + m·n[i / 16]. */
typedef struct codes {
    float d, m;
    int s[2], n[2];
    int8_t q[32];
} codes;

static inline int nibble(const uint8_t *q, int i) { return i < 16 ? q[i] & 15 : q[i - 16] >> 4; }
static inline int bit(const uint8_t *h, int i) { return h[i / 8] >> i % 8 & 1; }

static inline codes codes_q4_1(const heed_block_q4_1 *w, int step) {
    (void)step;
    codes c = {.d = float_of_f16(w->d), .m = float_of_f16(w->m), .s = {1, 1}, .n = {1, 1}};
    for (int i = 0; i < 32; i++) c.q[i] = (int8_t)nibble(w->q, i);
    return c;
}

static inline codes codes_q5_0(const heed_block_q5_0 *w, int step) {
    (void)step;
    codes c = {.d = float_of_f16(w->d), .s = {1, 1}};
    for (int i = 0; i < 32; i++) c.q[i] = (int8_t)((nibble(w->q, i) | bit(w->h, i) << 4) - 16);
    return c;
}

static inline codes codes_q5_1(const heed_block_q5_1 *w, int step) {
    (void)step;
    codes c = {.d = float_of_f16(w->d), .m = float_of_f16(w->m), .s = {1, 1}, .n = {1, 1}};
    for (int i = 0; i < 32; i++) c.q[i] = (int8_t)(nibble(w->q, i) | bit(w->h, i) << 4);
    return c;
}

static const int8_t heed_iq4_values[16] = {HEED_IQ4_VALUES};

static inline codes codes_iq4_nl(const heed_block_iq4_nl *w, int step) {
    (void)step;
    codes c = {.d = float_of_f16(w->d), .s = {1, 1}};
    for (int i = 0; i < 32; i++) c.q[i] = heed_iq4_values[nibble(w->q, i)];
    return c;
}

static inline codes codes_iq4_xs(const heed_block_iq4_xs *w, int step) {
    int s = ((w->s[step / 2] >> 4 * (step % 2) & 15) | (w->h >> 2 * step & 3) << 4) - 32;
    codes c = {.d = float_of_f16(w->d), .s = {s, s}};
    for (int i = 0; i < 32; i++) c.q[i] = heed_iq4_values[nibble(w->q + 16 * step, i)];
    return c;
}

static inline codes codes_q2_k(const heed_block_q2_k *w, int step) {
    const uint8_t *s = w->s + 2 * step, *q = w->q + 32 * (step / 4);
    codes c = {
        .d = float_of_f16(w->d), .m = -float_of_f16(w->m), .s = {s[0] & 15, s[1] & 15}, .n = {s[0] >> 4, s[1] >> 4}};
    for (int i = 0; i < 32; i++) c.q[i] = q[i] >> 2 * (step % 4) & 3;
    return c;
}

static inline codes codes_q3_k(const heed_block_q3_k *w, int step) {
    const uint8_t *q = w->q + 32 * (step / 4);
    codes c = {.d = float_of_f16(w->d)};
    for (int half = 0; half < 2; half++) {
        int j = 2 * step + half;
        c.s[half] = ((w->s[j % 8] >> 4 * (j / 8) & 15) | (w->s[8 + j % 4] >> 2 * (j / 4) & 3) << 4) - 32;
    }
    for (int i = 0; i < 32; i++) c.q[i] = (int8_t)((q[i] >> 2 * (step % 4) & 3) + (w->h[i] >> step & 1) * 4 - 4);
    return c;
}

/* Scale and minimum of Q4_K and Q5_K, both halves alike. */
static inline codes scales_of_6_bits(uint16_t d, uint16_t m, const uint8_t *p, int step) {
    int s = step < 4 ? p[step] & 63 : (p[step + 4] & 15) | p[step - 4] >> 6 << 4;
    int n = step < 4 ? p[step + 4] & 63 : p[step + 4] >> 4 | p[step] >> 6 << 4;
    return (codes){.d = float_of_f16(d), .m = -float_of_f16(m), .s = {s, s}, .n = {n, n}};
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
    for (int i = 0; i < 32; i++) c.q[i] = (int8_t)((q[i] >> 4 * (step % 2) & 15) | (w->h[i] >> step & 1) << 4);
    return c;
}

static inline codes codes_q6_k(const heed_block_q6_k *w, int step) {
    int half = step / 4, k = step % 4;
    const uint8_t *q = w->q + 64 * half + 32 * (k % 2), *h = w->h + 32 * half;
    codes c = {.d = float_of_f16(w->d), .s = {w->s[2 * step], w->s[2 * step + 1]}};
    for (int i = 0; i < 32; i++) c.q[i] = (int8_t)(((q[i] >> 4 * (k / 2) & 15) | (h[i] >> 2 * k & 3) << 4) - 32);
    return c;
}

#endif
