/* 16-bit floating point to float, exact for every bit pattern: IEEE 754 binary16 and bfloat16. */
#ifndef HEED_KERNELS_HALF_H
#define HEED_KERNELS_HALF_H

#include <stdint.h>
#include <string.h>

static inline float float_of_bits(uint32_t bits) {
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* Zero and subnormals: mantissa·2^-24.  Infinity and NaN: an exponent of all ones stays so. */
static inline float float_of_unusual_f16(uint16_t h) {
    uint32_t sign = (uint32_t)(h & 0x8000u) << 16, mantissa = h & 0x3ffu;
    if (h & 0x7c00u) return float_of_bits(sign | 255u << 23 | mantissa << 13);
    float magnitude = (float)mantissa * 0x1p-24f;
    return sign ? -magnitude : magnitude;
}

/* An exponent of 5 bits with bias 15 becomes one of 8 with bias 127, unless it is all zeros or all ones. */
static inline float float_of_f16(uint16_t h) {
    if (__builtin_expect(((h + 0x400u) & 0x7800u) == 0, 0)) return float_of_unusual_f16(h);
    return float_of_bits((uint32_t)(h & 0x8000u) << 16 | (((h & 0x7fffu) << 13) + (112u << 23)));
}

static inline float float_of_bf16(uint16_t h) { return float_of_bits((uint32_t)h << 16); }

#endif
