/* 16-bit floating point, IEEE 754 binary16 and bfloat16: to float, exact for every bit pattern, and back. */
#ifndef HEED_KERNELS_HALF_H
#define HEED_KERNELS_HALF_H

#include <stdint.h>
#include <string.h>

static inline float float_of_bits(uint32_t bits) {
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline uint32_t bits_of_float(float f) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* An exponent of all ones: infinity or NaN. */
static inline int finite_f16(uint16_t h) { return (h & 0x7c00) != 0x7c00; }

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

/* Rounds to nearest, ties to even; from 65520 on to infinity.  x must be a number.  Below 2^-14 halves are 2^-24 apart,
 * as floats between 1/2 and 1 are, so adding 1/2 rounds to a half. */
static inline uint16_t f16_of_float(float x) {
    uint32_t sign = bits_of_float(x) >> 16 & 0x8000u, magnitude = bits_of_float(x) & 0x7fffffffu;
    if (magnitude < 113u << 23)
        return (uint16_t)(sign | (bits_of_float(float_of_bits(magnitude) + 0.5f) - bits_of_float(0.5f)));
    uint32_t half = (magnitude - (112u << 23) + 0xfffu + (magnitude >> 13 & 1)) >> 13;
    return (uint16_t)(sign | (half < 0x7c00u ? half : 0x7c00u));
}

static inline float float_of_bf16(uint16_t h) { return float_of_bits((uint32_t)h << 16); }

#endif
