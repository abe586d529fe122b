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

static inline float float_of_f16(uint16_t h) {
    uint32_t sign = (uint32_t)(h & 0x8000u) << 16;
    uint32_t exponent = h >> 10 & 31u;
    uint32_t mantissa = h & 0x3ffu;
    if (exponent == 0) { /* zero or subnormal: mantissa·2^-24 */
        float magnitude = (float)mantissa * 0x1p-24f;
        return sign ? -magnitude : magnitude;
    }
    /* 5 bits of exponent with bias 15 become 8 with bias 127; all ones (inf, nan) stay all ones. */
    uint32_t widened = exponent == 31 ? 255u : exponent + 112u;
    return float_of_bits(sign | widened << 23 | mantissa << 13);
}

static inline float float_of_bf16(uint16_t h) { return float_of_bits((uint32_t)h << 16); }

#endif
